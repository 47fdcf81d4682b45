//! One message as its receiver gets it: where it goes, its headers with the signatures, and its bytes.
//!
//! Invariant: a message that was sent is signed for the moment of its last attempt, so that its bytes and headers are those which were sent,
//! unless its secret was replaced since: only the secrets of now sign (rule: events/secret-rotation). Absent on purpose: any secret.

use std::sync::Arc;

use axum::http::HeaderMap;
use bytes::Bytes;

use super::client;
use super::delivery::Delivery;
use super::host::Host;
use crate::fault::DeliveryFault;
use crate::signature::SigningKey;

/// A message for its readers.
#[derive(Clone, Debug)]
pub struct Message {
    /// Where the last attempt went, or the next one goes.
    pub url: Arc<str>,
    /// Its headers, beside those of a connection.
    pub headers: HeaderMap,
    /// Its bytes, which are JSON.
    pub body: Bytes,
}

impl Message {
    /// The message of a delivery.
    pub(super) fn of(row: &Delivery, host: &dyn Host) -> Self {
        let notification = &row.notification;
        let last = row.attempts.last();
        let due = || host.reaches(row.due).unwrap_or(row.due).0 / 1_000;
        let sent = last.map(|attempt| attempt.signed_at.unwrap_or(attempt.began.0 / 1_000));
        let is_corrupt = last.is_some_and(|attempt| attempt.fault == Some(DeliveryFault::CorruptSignature));
        let keys = if is_corrupt { vec![SigningKey::of_nobody()] } else { notification.keys.at(host.time()) };
        Self {
            url: Arc::clone(&notification.url),
            headers: client::headers(notification, &keys, sent.unwrap_or_else(due)),
            body: notification.body.clone(),
        }
    }
}
