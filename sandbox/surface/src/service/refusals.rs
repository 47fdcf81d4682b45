//! What is answered before a request reaches a route: to headers that cannot be taken, to those who come while there is no place for
//! them, and to plain HTTP where TLS is spoken.
//!
//! Invariant: these too are answers in the error body, with a number and a date. Absent on purpose: everything that depends
//! on a world.

use axum::body::Body;
use axum::http::header::{CONNECTION, CONTENT_TYPE, DATE};
use axum::http::{HeaderValue, Response, StatusCode};
use axum::response::IntoResponse as _;
use bytes::Bytes;

use super::{REQUEST_ID, Surface, number};
use wire::error::ApiError;

/// Fields that a header may have: what the parser takes.
const MOST_FIELDS: usize = 100;

/// Seconds after which a place may be free.
const RETRY: u32 = 1;

impl Surface {
    /// The bytes of the answer to a header that the parser refuses with `status`; the connection is closed after it.
    pub(crate) fn refuse_header(&self, status: StatusCode) -> Bytes {
        let most = self.limits().header_bytes;
        let error = match status {
            StatusCode::URI_TOO_LONG => {
                ApiError::new(status, "invalid_request", format!("the request's line is longer than {most} bytes"))
            }
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => ApiError::new(
                status,
                "invalid_request",
                format!("the request's header is larger than {most} bytes, or has more than {MOST_FIELDS} fields"),
            ),
            _ => ApiError::invalid_request("the request's header cannot be read"),
        };
        let id = self.number();
        self.shared.app.telemetry.refused_unread(id, error.status.as_u16(), &error.description);
        let body = error.body();
        let date = self.shared.app.worlds.clock().date();
        let head = format!(
            "HTTP/1.1 {}\r\n{CONTENT_TYPE}: application/json\r\n{REQUEST_ID}: {id}\r\n{DATE}: {}\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n",
            error.status,
            date.to_str().unwrap_or_default(),
            body.len(),
        );
        [head.into_bytes(), body].concat().into()
    }

    /// The answer to a request for which there is no place now.
    pub(crate) fn refuse_place(&self) -> Response<Body> {
        let refused = ApiError::try_again("every place for a connection is taken", RETRY);
        // `Places` logs once that there are too few places.
        self.shared.app.telemetry.metrics.refused_unread(refused.status.as_u16());
        self.unread(refused, self.number())
    }

    /// The answer to plain HTTP where the server speaks TLS.
    pub(crate) fn refuse_plain(&self) -> Response<Body> {
        let here = &self.shared.app.public_url;
        let refused =
            ApiError::invalid_request(format!("this server speaks HTTPS, and the request is plain HTTP: call {here}"));
        let id = self.number();
        self.shared.app.telemetry.refused_unread(id, refused.status.as_u16(), &refused.description);
        self.unread(refused, id)
    }

    fn unread(&self, refused: ApiError, id: u64) -> Response<Body> {
        let mut response = refused.with_header(CONNECTION, HeaderValue::from_static("close")).into_response();
        let headers = response.headers_mut();
        headers.insert(REQUEST_ID, number(id));
        headers.insert(DATE, self.shared.app.worlds.clock().date());
        response
    }
}
