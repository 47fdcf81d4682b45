//! The WebSocket at `/v2/partner/client/{clientId}/subscribe`: carries a subscription's steps out over a connection.
//!
//! Invariant: what the client sends is bounded and ignored, pings aside, and never keeps events waiting; a client
//! that closes, or breaks the protocol, is answered with a close frame (RFC 6455, sections 5.5.1 and 7.4.1).

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts as _, Request, State};
use axum::http::HeaderMap;
use axum::http::header::{HeaderValue, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION};
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::SinkExt as _;
use rare::Point;
use sim::ids::ClientId;
use tokio_tungstenite::tungstenite::Error as Broken;
use tokio_tungstenite::tungstenite::error::ProtocolError;

use super::subscription::{Next, Subscription};
use feed::session::Close;
use surface::App;
use surface::auth::Caller;
use surface::extract::Ids;
use surface::server::Breaker;
use wire::error::ApiError;

/// Largest message a client may send, in bytes; larger ones end the connection.
const LARGEST_FRAME: usize = 64 * 1024;

/// Bytes read at once: clients send pings and little else, and every socket holds this much.
const READ_BUFFER: usize = 4 * 1024;

/// Bytes that are written at once, when there are so many: what happens at one moment is one write, not one for each event.
const WRITE_BUFFER: usize = 16 * 1024;

/// How long our half of the closing handshake may take, and the wait for theirs.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Upgrades to the feed of a client.
///
/// # Errors
/// 401 and 403 as everywhere; 400 for another version of the protocol or without a key; 503 when closing or when too many sockets are open.
pub async fn subscribe(State(app): State<App>, request: Request) -> Result<Response, ApiError> {
    let (mut parts, _) = request.into_parts();
    let caller = Caller::from_request_parts(&mut parts, &app).await?;
    let Ids(client) = Ids::<ClientId>::from_request_parts(&mut parts, &app).await?;
    caller.scope(client)?;
    check_handshake(&parts.headers)?;
    if app.is_closing() {
        return Err(ApiError::try_again("the server is closing", 2));
    }
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &app)
        .await
        .map_err(|refused| ApiError::invalid_request(format!("the connection cannot be upgraded: {refused}")))?;
    let feed = Subscription::open(&caller, client, app.limits.closing_notice)?;
    let upgrade = upgrade.max_message_size(LARGEST_FRAME).max_frame_size(LARGEST_FRAME);
    let upgrade = upgrade.read_buffer_size(READ_BUFFER).write_buffer_size(WRITE_BUFFER);
    let breaker = parts.extensions.get::<Breaker>().cloned();
    Ok(upgrade.on_upgrade(|socket| async move {
        let record = Arc::clone(feed.record());
        run(socket, feed, breaker).await;
        record.gone.raise();
    }))
}

fn check_handshake(headers: &HeaderMap) -> Result<(), ApiError> {
    if headers.get(SEC_WEBSOCKET_VERSION).is_none_or(|version| version != "13") {
        let refused = ApiError::invalid_request("Sec-WebSocket-Version must be 13");
        return Err(refused.with_header(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13")));
    }
    let key = headers.get(SEC_WEBSOCKET_KEY);
    let key = key.ok_or_else(|| ApiError::invalid_request("Sec-WebSocket-Key is required"))?;
    // RFC 6455, section 4.1: a nonce of 16 bytes.
    match BASE64_STANDARD.decode(key) {
        Ok(nonce) if nonce.len() == 16 => Ok(()),
        _ => Err(ApiError::invalid_request("Sec-WebSocket-Key must be 16 bytes in base64")),
    }
}

async fn run(mut socket: WebSocket, mut feed: Subscription, breaker: Option<Breaker>) {
    loop {
        match feed.step() {
            Next::Send(message) => {
                if feed.record().cut_in_frame.is_raised() {
                    let Some(breaker) = &breaker else { return };
                    match written(&mut feed, socket.flush()).await {
                        Written::Whole => {}
                        Written::GivenUp => continue,
                        Written::Lost => return,
                    }
                    breaker.break_next_write();
                }
                if matches!(written(&mut feed, socket.feed(Message::Text(message))).await, Written::Lost) {
                    return;
                }
                if rare::happens(Point::FrameByItself)
                    && matches!(written(&mut feed, socket.flush()).await, Written::Lost)
                {
                    return;
                }
            }
            Next::Close(close) => {
                if close != Close::TooSlow && matches!(written(&mut feed, socket.flush()).await, Written::Lost) {
                    return;
                }
                drop(feed);
                return close_first(socket, close).await;
            }
            Next::Wait(until) => {
                match written(&mut feed, socket.flush()).await {
                    Written::Whole => {}
                    // One that a fault stalls stays open all the same, until its reader goes.
                    Written::GivenUp if feed.is_stalled() => {}
                    Written::GivenUp => continue,
                    Written::Lost => return,
                }
                tokio::select! {
                    biased;
                    () = feed.record().cut.raised() => return,
                    () = feed.wait(until) => {}
                    frame = socket.recv() => match frame {
                        Some(Ok(Message::Close(_))) => {
                            let silent = feed.is_stalled();
                            drop(feed);
                            return if silent { drop(socket) } else { answer_close(socket).await };
                        }
                        Some(Ok(_)) => {}
                        Some(Err(error)) => {
                            let silent = feed.is_stalled();
                            let close = close_of(error);
                            if close.is_some() {
                                feed.is_broken();
                            }
                            drop(feed);
                            return if silent { drop(socket) } else { close_for_error(socket, close).await };
                        }
                        None => return,
                    },
                }
            }
        }
    }
}

/// How a write ended.
enum Written {
    /// The connection has taken all of it.
    Whole,
    /// The reader took nothing for too long: the next step closes it.
    GivenUp,
    /// The connection is gone.
    Lost,
}

/// Waits until the connection has taken what `writing` writes.
async fn written(feed: &mut Subscription, writing: impl Future<Output = Result<(), axum::Error>>) -> Written {
    let patience = feed.patience();
    tokio::select! {
        biased;
        written = tokio::time::timeout(patience, writing) => match written {
            Ok(Ok(())) => Written::Whole,
            Ok(Err(_)) => Written::Lost,
            Err(_) => {
                feed.give_up();
                Written::GivenUp
            }
        },
        () = feed.record().cut.raised() => Written::Lost,
    }
}

/// Sends the close frame and waits a little for the other side's.
async fn close_first(mut socket: WebSocket, close: Close) {
    let frame = CloseFrame { code: close.code(), reason: Utf8Bytes::from_static(close.reason()) };
    let handshake = async {
        if socket.send(Message::Close(Some(frame))).await.is_ok() {
            while let Some(Ok(_)) = socket.recv().await {}
        }
    };
    // The connection is dropped either way.
    drop(tokio::time::timeout(CLOSE_TIMEOUT, handshake).await);
}

/// Answers the close frame that has come. The answer is queued already, and reading on sends it.
async fn answer_close(mut socket: WebSocket) {
    let handshake = async { while let Some(Ok(_)) = socket.recv().await {} };
    // The connection is dropped either way.
    drop(tokio::time::timeout(CLOSE_TIMEOUT, handshake).await);
}

/// Closes with the problem of what the client sent, where that can still be sent. Nothing can be read any more, so the
/// client gets a while to take the frame before the connection goes.
async fn close_for_error(mut socket: WebSocket, close: Option<(u16, &'static str)>) {
    let Some((code, reason)) = close else { return };
    let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
    let sent = tokio::time::timeout(CLOSE_TIMEOUT, socket.send(Message::Close(Some(frame)))).await;
    if matches!(sent, Ok(Ok(()))) {
        tokio::time::sleep(CLOSE_TIMEOUT).await;
    }
}

/// The close code of a breach of the protocol; `None` when the connection itself is gone.
fn close_of(error: axum::Error) -> Option<(u16, &'static str)> {
    match *error.into_inner().downcast::<Broken>().ok()? {
        Broken::Utf8(_) => Some((1007, "text must be UTF-8")),
        Broken::Capacity(_) => Some((1009, "the message is too large")),
        Broken::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        Broken::Protocol(_) => Some((1002, "the frame breaks the protocol")),
        _ => None,
    }
}
