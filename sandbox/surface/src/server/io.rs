//! A connection's bytes, watched.
//!
//! Owns: noting progress on the pulse, and whether the other side is still there while a handler works; the specified answer to a header that cannot be taken (hyper's own answer to that
//! has no body and passes no handler), and reading away what follows a refused body.
//! Invariant: bytes of requests and responses pass unchanged, unless a fault rule wants a frame cut off in its middle.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::http::StatusCode;
use bytes::Bytes;
use rare::Point;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::accept::ConnectionPlace;
use super::pulse::{Phase, Pulse};
use crate::service::Surface;

/// One accepted connection.
pub(super) struct Watched<Io> {
    io: Io,
    pulse: Arc<Pulse>,
    surface: Surface,
    answer: Option<(Bytes, usize)>,
    linger: Option<Linger>,
    line: RequestLine,
    /// What has come while a handler worked, and is still to be read.
    ahead: Bytes,
    /// Nothing more goes out: it was cut off in the middle.
    is_broken: bool,
    _place: ConnectionPlace,
}

/// The line that a request begins with, as far as it is known.
#[derive(Clone, Copy, Default)]
struct RequestLine {
    /// Bytes of it; none where it began in bytes that came together with others.
    length: usize,
    has_ended: bool,
}

struct Linger {
    until: Pin<Box<Sleep>>,
    left: usize,
}

impl<Io> Watched<Io> {
    /// Watches `io`; the place is given back when the connection is dropped, upgraded or not.
    pub(super) const fn new(io: Io, pulse: Arc<Pulse>, surface: Surface, place: ConnectionPlace) -> Self {
        Self {
            io,
            pulse,
            surface,
            answer: None,
            linger: None,
            line: RequestLine { length: 0, has_ended: false },
            ahead: Bytes::new(),
            is_broken: false,
            _place: place,
        }
    }

    /// Nobody but hyper itself writes while no request is being worked on: a refusal of the header.
    fn is_refusing(&self) -> bool {
        self.answer.is_some() || matches!(self.pulse.phase(), Phase::Header | Phase::Idle)
    }

    /// Looks at bytes that have come, for the line of a request.
    fn note_read(&mut self, bytes: &[u8]) {
        match self.pulse.phase() {
            Phase::Idle if !bytes.is_empty() => {
                self.pulse.enter(Phase::Header);
                self.line = RequestLine::default();
            }
            Phase::Busy | Phase::Writing => self.line = RequestLine { length: 0, has_ended: true },
            Phase::Header | Phase::Idle => {}
        }
        if !self.line.has_ended {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            self.line.length += end.unwrap_or(bytes.len());
            self.line.has_ended = end.is_some();
        }
    }

    /// The status of our answer in place of hyper's, which begins with its own and does not distinguish a line from a header.
    fn refusal(&self, offered: &[u8]) -> StatusCode {
        let status = offered.get(9..12).and_then(|digits| StatusCode::from_bytes(digits).ok());
        match status {
            Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)
                if self.line.length >= self.surface.limits().header_bytes =>
            {
                StatusCode::URI_TOO_LONG
            }
            Some(status) => status,
            None => StatusCode::BAD_REQUEST,
        }
    }

    fn note_written(&self, written: &io::Result<usize>) {
        if matches!(written, Ok(1..)) && self.pulse.phase() == Phase::Writing {
            self.pulse.enter(Phase::Writing);
        }
    }
}

/// Bytes that a short read gives at the most: fewer than any line of a request has.
const SHORT: usize = 7;

/// Reads, perhaps less than has come.
fn poll_some<Io: AsyncRead + Unpin>(
    io: &mut Io,
    cx: &mut Context<'_>,
    buffer: &mut ReadBuf<'_>,
) -> Poll<io::Result<()>> {
    if buffer.remaining() <= SHORT || !rare::happens(Point::ShortRead) {
        return Pin::new(io).poll_read(cx, buffer);
    }
    let mut space = [0; SHORT];
    let mut part = ReadBuf::new(&mut space);
    let read = ready!(Pin::new(io).poll_read(cx, &mut part));
    buffer.put_slice(part.filled());
    Poll::Ready(read)
}

/// As much of `bytes` as a connection takes at once: all of them, or half.
fn taken_at_once(bytes: &[u8]) -> &[u8] {
    if bytes.len() > 1 && rare::happens(Point::ShortWrite) { &bytes[..bytes.len().div_ceil(2)] } else { bytes }
}

/// Bytes read at once while a handler works.
const AHEAD: usize = 1024;

impl<Io: AsyncRead + AsyncWrite + Unpin> Watched<Io> {
    /// While a handler works, nobody else reads: looks whether the other side has ended, and keeps what came instead.
    fn look_ahead(&mut self, cx: &mut Context<'_>) {
        if self.pulse.phase() != Phase::Busy || !self.ahead.is_empty() || self.pulse.has_input_ended() {
            return;
        }
        let mut space = [0; AHEAD];
        let mut buffer = ReadBuf::new(&mut space);
        match Pin::new(&mut self.io).poll_read(cx, &mut buffer) {
            Poll::Ready(Ok(())) if !buffer.filled().is_empty() => self.ahead = Bytes::copy_from_slice(buffer.filled()),
            Poll::Ready(_) => self.pulse.end_input(),
            Poll::Pending => {}
        }
    }

    /// Sends our answer in place of the `offered` bytes, which count as written when ours are.
    fn poll_refuse(&mut self, cx: &mut Context<'_>, first: &[u8], offered: usize) -> Poll<io::Result<usize>> {
        if self.answer.is_none() {
            self.answer = Some((self.surface.refuse_header(self.refusal(first)), 0));
        }
        let (bytes, sent) = self.answer.get_or_insert_default();
        while *sent < bytes.len() {
            let n = ready!(Pin::new(&mut self.io).poll_write(cx, &bytes[*sent..]))?;
            if n == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            *sent += n;
        }
        Poll::Ready(Ok(offered))
    }

    /// Writes the first half of `bytes`; from then on every write fails.
    fn poll_break(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.is_broken {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let half = bytes.len().div_ceil(2);
        let written = ready!(Pin::new(&mut self.io).poll_write(cx, &bytes[..half]));
        self.is_broken = true;
        Poll::Ready(written)
    }

    /// Reads and forgets, until the other side has closed or the bounds are met.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let linger = self.linger.get_or_insert_with(|| Linger {
            until: Box::pin(tokio::time::sleep(self.surface.limits().linger)),
            left: self.surface.limits().linger_bytes,
        });
        let mut space = [0; 8 * 1024];
        while linger.left > 0 && linger.until.as_mut().poll(cx).is_pending() {
            let mut buffer = ReadBuf::new(&mut space);
            match ready!(Pin::new(&mut self.io).poll_read(cx, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {
                    linger.left = linger.left.saturating_sub(buffer.filled().len())
                }
                _ => break,
            }
        }
        Poll::Ready(())
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for Watched<Io> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        if !self.ahead.is_empty() {
            let most = self.ahead.len().min(buffer.remaining());
            buffer.put_slice(&self.ahead.split_to(most));
            self.note_read(&buffer.filled()[before..]);
            return Poll::Ready(Ok(()));
        }
        let read = ready!(poll_some(&mut self.io, cx, buffer));
        self.note_read(&buffer.filled()[before..]);
        Poll::Ready(read)
    }
}

impl<Io: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Watched<Io> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.is_refusing() {
            return self.poll_refuse(cx, bytes, bytes.len());
        }
        if self.pulse.breaks() {
            return self.poll_break(cx, bytes);
        }
        let written = ready!(Pin::new(&mut self.io).poll_write(cx, taken_at_once(bytes)));
        self.note_written(&written);
        Poll::Ready(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.is_refusing() {
            let first = slices.first().map_or(&[][..], |slice| slice);
            return self.poll_refuse(cx, first, slices.iter().map(|slice| slice.len()).sum());
        }
        let first = slices.iter().find(|slice| !slice.is_empty()).map_or(&[][..], |slice| slice);
        if self.pulse.breaks() {
            return self.poll_break(cx, first);
        }
        let taken = taken_at_once(first);
        let written = match taken.len() < first.len() {
            true => ready!(Pin::new(&mut self.io).poll_write(cx, taken)),
            false => ready!(Pin::new(&mut self.io).poll_write_vectored(cx, slices)),
        };
        self.note_written(&written);
        Poll::Ready(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.look_ahead(cx);
        let flushed = ready!(Pin::new(&mut self.io).poll_flush(cx));
        if flushed.is_ok() && self.pulse.phase() == Phase::Writing {
            self.pulse.enter(Phase::Idle);
        }
        Poll::Ready(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.linger.is_none() {
            ready!(Pin::new(&mut self.io).poll_shutdown(cx))?;
        }
        if self.pulse.has_unread() || self.answer.is_some() {
            ready!(self.poll_linger(cx));
        }
        Poll::Ready(Ok(()))
    }
}
