//! Reading a request's body within bounds; an answer's body as it was before it was packed.
//!
//! Invariant: a body above the bound is refused as soon as that is known, from its announced length or its bytes, and
//! is not read to the end; a slow one is refused after a fixed time. Absent on purpose: what the bytes mean.

use std::pin::pin;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use bytes::{Bytes, BytesMut};
use futures_util::FutureExt as _;
use http_body_util::BodyExt as _;

use wire::error::ApiError;

/// What an answer holds before it is packed for those who take it so; beside the answer, for those who look back.
#[derive(Clone)]
pub struct Unpacked(pub Bytes);

/// Reads all of `body`: at most `bound` bytes within `patience`.
///
/// # Errors
/// 400 `invalid_request` when the body is too large, too slow, or breaks off.
pub async fn read(mut body: Body, bound: usize, patience: Duration) -> Result<Bytes, ApiError> {
    let announced = body.size_hint().lower();
    if announced > bound as u64 {
        return Err(too_large(bound));
    }
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    let mut gathering = pin!(gather(&mut body, bound));
    // What has come already needs no clock.
    if let Some(read) = gathering.as_mut().now_or_never() {
        return read;
    }
    match tokio::time::timeout(patience, gathering).await {
        Ok(read) => read,
        Err(_) => Err(ApiError::invalid_request(format!("body did not arrive within {} s", patience.as_secs()))),
    }
}

/// All of `body`, at most `bound` bytes. One frame, the usual case, is passed on without a copy.
///
/// # Errors
/// 400 `invalid_request` when the body is too large, or breaks off.
pub(crate) async fn gather(body: &mut Body, bound: usize) -> Result<Bytes, ApiError> {
    let Some(first) = next(body).await? else { return Ok(Bytes::new()) };
    if first.len() > bound {
        return Err(too_large(bound));
    }
    if body.is_end_stream() {
        return Ok(first);
    }
    let Some(second) = next(body).await? else { return Ok(first) };
    let mut all = BytesMut::from(first);
    let mut more = Some(second);
    while let Some(bytes) = more {
        if all.len() + bytes.len() > bound {
            return Err(too_large(bound));
        }
        all.extend_from_slice(&bytes);
        more = next(body).await?;
    }
    Ok(all.freeze())
}

/// The next data frame; trailers are passed over.
async fn next(body: &mut Body) -> Result<Option<Bytes>, ApiError> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ApiError::invalid_request("body broke off"))?;
        if let Ok(bytes) = frame.into_data() {
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

fn too_large(bound: usize) -> ApiError {
    ApiError::invalid_request(format!("body is larger than {bound} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;

    fn chunks(parts: Vec<&'static str>) -> Body {
        Body::from_stream(stream::iter(parts.into_iter().map(|part| Ok::<_, std::io::Error>(Bytes::from(part)))))
    }

    async fn check(body: Body, expected: Result<&str, &str>) {
        let read = read(body, 10, Duration::from_secs(5)).await;
        match (read, expected) {
            (Ok(bytes), Ok(text)) => assert_eq!(bytes, text),
            (Err(error), Err(text)) => {
                assert_eq!((error.status.as_u16(), error.error), (400, "invalid_request"));
                assert_eq!(error.description, text);
            }
            (read, expected) => panic!("read {read:?}, expected {expected:?}"),
        }
    }

    #[tokio::test]
    async fn bodies_are_read_whole_up_to_the_bound_and_refused_above_it() {
        check(Body::empty(), Ok("")).await;
        check(Body::from("0123456789"), Ok("0123456789")).await;
        check(chunks(vec!["01234", "56789"]), Ok("0123456789")).await;
        check(chunks(vec!["0", "", "1", "2"]), Ok("012")).await;
        check(Body::from("0123456789a"), Err("body is larger than 10 bytes")).await;
        check(chunks(vec!["01234", "56789a"]), Err("body is larger than 10 bytes")).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stops_coming_is_refused() {
        let slow = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
        check(slow, Err("body did not arrive within 5 s")).await;
    }

    #[tokio::test]
    async fn a_body_that_breaks_off_is_refused() {
        let broken = stream::iter([Ok(Bytes::from("01")), Err(std::io::Error::other("reset"))]);
        check(Body::from_stream(broken), Err("body broke off")).await;
    }
}
