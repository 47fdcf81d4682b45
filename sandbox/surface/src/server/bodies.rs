//! Bodies that report to the connection's pulse how far a request and its response are.
//!
//! Invariant: frames pass unchanged. Absent on purpose: bounds, which belong to the readers of bodies (`body`).

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use hyper::body::{Frame, Incoming, SizeHint};

use super::pulse::{Phase, Pulse};

/// A request's body; when it is dropped before its end the connection will not be used again.
pub(super) struct RequestBody {
    inner: Incoming,
    pulse: Arc<Pulse>,
    ended: bool,
}

impl RequestBody {
    pub(super) const fn new(inner: Incoming, pulse: Arc<Pulse>) -> Self {
        Self { inner, pulse, ended: false }
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(cx));
        self.ended |= frame.is_none();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        if !self.ended && !self.inner.is_end_stream() {
            self.pulse.leave_unread();
        }
    }
}

/// A response's body; when hyper has taken all of it, what is left is to send it.
pub(super) struct ResponseBody {
    inner: Body,
    pulse: Option<Arc<Pulse>>,
}

impl ResponseBody {
    /// Without a pulse for an upgrade, whose connection continues under other rules.
    pub(super) const fn new(inner: Body, pulse: Option<Arc<Pulse>>) -> Self {
        Self { inner, pulse }
    }
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        if let Some(pulse) = &self.pulse {
            pulse.enter(Phase::Writing);
        }
    }
}
