//! What is kept of bodies for a world's request log: their beginnings, as they pass.
//!
//! Invariant: frames pass unchanged and nothing waits for them; no more is kept than was asked for. Absent on purpose: masking,
//! which the log does before it keeps anything.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use axum::body::{Body, HttpBody};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Response};
use bytes::Bytes;
use futures_util::FutureExt as _;
use hyper::body::{Frame, SizeHint};

use crate::body::{self, Unpacked};
use hosting::request_log::BodyPrefix;

/// The beginning of a body that is being read.
#[derive(Clone, Default)]
pub(super) struct Copied(Arc<Mutex<BodyPrefix>>);

impl Copied {
    pub(super) fn take(&self) -> BodyPrefix {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A body whose beginning is copied on its way.
pub(super) struct Copying<B> {
    inner: Pin<Box<B>>,
    copied: Copied,
    most: usize,
}

impl<B> Copying<B> {
    pub(super) fn new(inner: B, most: usize) -> (Self, Copied) {
        let copied = Copied::default();
        (Self { inner: Box::pin(inner), copied: copied.clone(), most }, copied)
    }
}

impl<B: HttpBody<Data = Bytes>> HttpBody for Copying<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = ready!(self.inner.as_mut().poll_frame(cx));
        if let Some(bytes) = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()) {
            self.copied.0.lock().unwrap_or_else(PoisonError::into_inner).add(bytes, self.most);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Whether a body is text that a log can show.
pub(super) fn is_text(headers: &HeaderMap) -> bool {
    is_one_of(headers, &["application/json"])
}

/// Whether a body is text that a recording can keep: forms and pages, too.
pub(super) fn is_recorded(headers: &HeaderMap) -> bool {
    is_one_of(headers, &["application/json", "application/x-www-form-urlencoded", "text/html"])
}

fn is_one_of(headers: &HeaderMap, kinds: &[&str]) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kinds.iter().any(|known| kind.starts_with(known)))
}

/// An answer with its body, which is there as a whole; nothing of one that is made as it is sent.
pub(super) fn whole(mut response: Response<Body>) -> (Response<Body>, Option<Bytes>) {
    if let Some(Unpacked(bytes)) = response.extensions().get() {
        let bytes = bytes.clone();
        return (response, Some(bytes));
    }
    let is_whole = response.body().size_hint().exact().is_some();
    if !is_whole || !is_recorded(response.headers()) {
        return (response, None);
    }
    // What says how long it is, is there.
    let bytes = body::gather(response.body_mut(), usize::MAX).now_or_never().and_then(Result::ok).unwrap_or_default();
    *response.body_mut() = Body::from(bytes.clone());
    (response, Some(bytes))
}
