//! Bodies of answers, well and badly behaved.
//!
//! Invariant: an endless body is sent no faster than its pace, and what was taken of it is counted.

use super::state::Answering;
use bytes::Bytes;
use hyper::body::{Body, Frame};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Sleep;

/// What a flood announces.
pub(super) const FLOOD: u64 = 1024 * 1024 * 1024;

/// The connection is closed instead of answered.
#[derive(Debug)]
pub(super) struct Closed;

impl std::fmt::Display for Closed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("closed as asked")
    }
}

impl std::error::Error for Closed {}

/// The body of an answer.
pub(super) enum ReceiverBody {
    Empty,
    Dribble(Answering, Pin<Box<Sleep>>),
    Flood(Answering, u64, Pin<Box<Sleep>>),
}

/// Bytes of a flood that are sent at once.
const PART: &[u8] = &[b'x'; 16 * 1024];

impl Body for ReceiverBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut *self {
            Self::Empty => Poll::Ready(None),
            Self::Dribble(receiver, next) => {
                std::task::ready!(next.as_mut().poll(cx));
                let again = next.deadline() + Duration::from_secs(1);
                next.as_mut().reset(again);
                receiver.0.state().sent += 1;
                Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b"x")))))
            }
            Self::Flood(_, 0, _) => Poll::Ready(None),
            Self::Flood(receiver, left, next) => {
                std::task::ready!(next.as_mut().poll(cx));
                let again = next.deadline() + Duration::from_millis(1);
                next.as_mut().reset(again);
                let part = PART.len() as u64;
                *left = left.saturating_sub(part);
                receiver.0.state().sent += part;
                Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(PART)))))
            }
        }
    }
}
