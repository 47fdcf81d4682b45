//! An event socket as a story reads it.
//!
//! Owns: reading frames up to a point that both sides agree on, without a guess about how long events take. The server
//! reads from a socket only when it has no event left to send. So once it has read one ping, it sends all events that
//! were there before that ping before it reads another: the pong to the second of two pings, sent together, is the point.
//! (The first pong is not: the server may look for events, find none, and read the ping just after some have come.)
//! Absent on purpose: what events mean.

use super::{NoAnswer, Stream};
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::HeaderMap;
use serde_json::Value as Json;
use std::time::Duration;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

/// Most frames that one reading takes in; a story that makes more is cut short rather than fill the memory.
const MOST_FRAMES: usize = 1_000_000;

/// Bytes read at once, which are cleared for every reading.
const READ_BUFFER: usize = 4 << 10;

/// A frame as a value: JSON, or the text it is.
pub(crate) fn value_of(frame: &Utf8Bytes) -> Json {
    serde_json::from_str(frame).unwrap_or_else(|_| Json::String(frame.to_string()))
}

/// How a socket ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The server closed it with this code.
    Closed(u16),
    /// The connection was cut.
    Cut,
}

/// An open, or formerly open, event socket.
pub struct Socket {
    stream: WebSocketStream<Box<dyn Stream>>,
    pings: u64,
    ended: Option<Ended>,
}

impl Socket {
    /// Performs the opening handshake on a stream to `host`.
    ///
    /// # Errors
    /// When the server refuses; the text holds its status.
    pub(super) async fn open(
        stream: Box<dyn Stream>,
        host: &str,
        path: &str,
        headers: HeaderMap,
        patience: Duration,
    ) -> Result<Self, NoAnswer> {
        let mut request = hyper::Request::builder()
            .uri(format!("ws://{host}{path}"))
            .header("host", host)
            .header("upgrade", "websocket")
            .header("connection", "Upgrade")
            .header("sec-websocket-version", "13")
            // Any 16 bytes will do; fixed ones keep runs equal.
            .header("sec-websocket-key", "ZnVuZHNpbSBzdG9yaWVzIQ==");
        if let Some(all) = request.headers_mut() {
            all.extend(headers);
        }
        let request = request.body(()).map_err(|error| NoAnswer(format!("this cannot be sent: {error}")))?;
        let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER);
        let handshake = tokio_tungstenite::client_async_with_config(request, stream, Some(config));
        match tokio::time::timeout(patience, handshake).await {
            Ok(Ok((stream, _))) => Ok(Self { stream, pings: 0, ended: None }),
            Ok(Err(Error::Http(answer))) => {
                Err(NoAnswer(format!("the socket was refused with {}", answer.status().as_u16())))
            }
            Ok(Err(error)) => Err(NoAnswer(format!("the socket did not open: {error}"))),
            Err(_) => Err(NoAnswer("the socket did not open in time".to_owned())),
        }
    }

    /// How it ended, if it did.
    #[must_use]
    pub const fn ended(&self) -> Option<Ended> {
        self.ended
    }

    /// Takes it for cut: nothing more is expected of it.
    pub fn give_up(&mut self) {
        self.ended = self.ended.or(Some(Ended::Cut));
    }

    /// The next message, as soon as there is one; dropping the future before that loses nothing.
    ///
    /// # Errors
    /// How the socket has ended.
    pub async fn next(&mut self) -> Result<Json, Ended> {
        loop {
            if let Some(ended) = self.ended {
                return Err(ended);
            }
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => return Ok(value_of(&text)),
                Some(Ok(Message::Close(frame))) => {
                    let code = frame.map_or(CloseCode::Status, |frame| frame.code);
                    self.ended = Some(Ended::Closed(code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => self.ended = Some(Ended::Cut),
            }
        }
    }

    /// All frames that the server had before this call.
    ///
    /// # Errors
    /// When the server neither answers nor closes in time.
    pub async fn catch_up(&mut self, patience: Duration) -> Result<Vec<Utf8Bytes>, NoAnswer> {
        let mut frames = Vec::new();
        if self.ended.is_none() {
            self.until_second_pong(patience, &mut frames).await?;
        }
        Ok(frames)
    }

    async fn until_second_pong(&mut self, patience: Duration, frames: &mut Vec<Utf8Bytes>) -> Result<(), NoAnswer> {
        let (mut sent, mut ping) = (true, Vec::new());
        for _ in 0..2 {
            self.pings += 1;
            ping = self.pings.to_be_bytes().to_vec();
            // A socket that is already closed on the other side still has frames to read.
            sent = self.stream.send(Message::Ping(ping.clone().into())).await.is_ok();
        }
        // Frames that trickle in do not put it off.
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            match tokio::time::timeout_at(deadline, self.stream.next()).await {
                Err(_) => return Err(NoAnswer("the socket is silent".to_owned())),
                Ok(Some(Ok(Message::Text(text)))) => {
                    if frames.len() < MOST_FRAMES {
                        frames.push(text);
                    }
                }
                Ok(Some(Ok(Message::Pong(pong)))) if sent && pong == ping => return Ok(()),
                Ok(Some(Ok(Message::Close(frame)))) => {
                    let code = frame.map_or(CloseCode::Status, |frame| frame.code);
                    self.ended = Some(Ended::Closed(code.into()));
                    return Ok(());
                }
                Ok(Some(Ok(_))) => {}
                Ok(Some(Err(_)) | None) => {
                    self.ended = Some(Ended::Cut);
                    return Ok(());
                }
            }
        }
    }

    /// Reads until the server has closed the socket.
    ///
    /// # Errors
    /// When it does not within `patience`.
    pub async fn until_closed(&mut self, patience: Duration) -> Result<Vec<Utf8Bytes>, NoAnswer> {
        let mut frames = Vec::new();
        let deadline = tokio::time::Instant::now() + patience;
        while self.ended.is_none() {
            frames.extend(self.catch_up(patience).await?);
            if self.ended.is_none() {
                if tokio::time::Instant::now() >= deadline {
                    return Err(NoAnswer("the socket is still open".to_owned()));
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        Ok(frames)
    }

    /// Closes it from this side.
    pub async fn close(mut self, patience: Duration) {
        if self.ended.is_none() {
            // The server may be gone already; then there is nothing left to close.
            drop(tokio::time::timeout(patience, self.stream.close(None)).await);
        }
    }
}
