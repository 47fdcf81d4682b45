//! How a delivery proves where it comes from: the Standard Webhooks scheme (rule: events/signatures).
//!
//! Owns: the key of a subscriber, its `whsec_` text, and the three headers of a signed message.
//! Invariant: what is signed is exactly `id.timestamp.body` with the bytes that are sent; a key is never printed by
//! `Debug`. Absent on purpose: checking signatures (we only send), and the scheme's asymmetric keys.

use std::fmt;

use axum::http::{HeaderMap, HeaderValue};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// Prefix of a key's text.
const PREFIX: &str = "whsec_";
/// Fewest bytes of a key, by the scheme.
pub const KEY_MIN: usize = 24;
/// Most bytes of a key, by the scheme.
pub const KEY_MAX: usize = 64;

/// A symmetric signing key.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey(Vec<u8>);

/// Why a text is no signing key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAKey;

impl fmt::Display for NotAKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be {PREFIX} followed by {KEY_MIN} to {KEY_MAX} bytes in base64")
    }
}

impl std::error::Error for NotAKey {}

impl SigningKey {
    /// A key of 32 bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes.to_vec())
    }

    /// Reads `whsec_` and base64.
    ///
    /// # Errors
    /// When the form or the length is not the scheme's.
    pub fn parse(text: &str) -> Result<Self, NotAKey> {
        let encoded = text.strip_prefix(PREFIX).ok_or(NotAKey)?;
        let bytes = BASE64_STANDARD.decode(encoded).map_err(|_| NotAKey)?;
        if (KEY_MIN..=KEY_MAX).contains(&bytes.len()) { Ok(Self(bytes)) } else { Err(NotAKey) }
    }

    /// The text that a receiver hands to its verifying library.
    #[must_use]
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(&self.0))
    }

    /// The signature of a message: `v1,` and base64.
    #[must_use]
    pub fn sign(&self, id: &str, timestamp: u64, body: &[u8]) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(id.as_bytes());
        mac.update(format!(".{timestamp}.").as_bytes());
        mac.update(body);
        format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
    }

    /// A key that no receiver has: its signatures do not verify.
    #[must_use]
    pub fn of_nobody() -> Self {
        Self(vec![0; KEY_MIN])
    }
}

/// Puts the scheme's headers for `body`, sent at `timestamp` (unix seconds), on a request: one signature a key.
///
/// # Panics
/// When `id` is not visible ASCII: ids are UUIDs.
pub fn put(keys: &[SigningKey], headers: &mut HeaderMap, id: &str, timestamp: u64, body: &[u8]) {
    let value = |text: &str| HeaderValue::from_str(text).expect("ids, digits and base64 are header text");
    let signatures: Vec<String> = keys.iter().map(|key| key.sign(id, timestamp, body)).collect();
    headers.insert("webhook-id", value(id));
    headers.insert("webhook-timestamp", HeaderValue::from(timestamp));
    headers.insert("webhook-signature", value(&signatures.join(" ")));
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(masked)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `whsec_`, then 24 bytes.
    const KEY: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

    /// (rule: events/signatures)
    #[test]
    fn signatures_agree_with_those_of_the_public_library() {
        // Made with the Python library `standardwebhooks` 1.1.0: Webhook(key).sign(id, timestamp, body).
        for (id, timestamp, body, signature) in VECTORS {
            let key = SigningKey::parse(KEY).expect("a key");
            assert_eq!(key.sign(id, timestamp, body.as_bytes()), signature, "{id}");
        }
    }

    const VECTORS: [(&str, u64, &str, &str); 3] = [
        (
            "6f2b4c9e-8d1a-5c37-9b40-2e7f5a613d08",
            1772434800,
            r#"{"id":"1","status":"complete","result":null}"#,
            "v1,nEcdrIU2h7eVM/m+yrzffaQY6WaLxtRzTHvToFwgK6Q=",
        ),
        (
            "0b4d1b1e-6f3c-5a5e-9d0a-0f6f5b0d6c11",
            1772434801,
            r#"{"owner":"Åsa Öberg","sum":"5 €"}"#,
            "v1,FRLIys5SGzq9vog7shq+syUsvYEC5OnzWXx58Pj4XE0=",
        ),
        ("x", 0, r#""#, "v1,TakqZoO2HDp7kRTnTeDZhGmQ5/fpzWTPSjvstlnd4OE="),
    ];

    #[test]
    fn each_part_of_a_message_is_signed() {
        let key = SigningKey::from_bytes([7; 32]);
        let whole = key.sign("id", 1, b"body");
        assert_ne!(whole, key.sign("ie", 1, b"body"));
        assert_ne!(whole, key.sign("id", 2, b"body"));
        assert_ne!(whole, key.sign("id", 1, b"bodz"));
        assert_ne!(whole, SigningKey::from_bytes([8; 32]).sign("id", 1, b"body"));
    }

    #[test]
    fn a_key_is_read_back_from_its_text() {
        for key in [SigningKey::from_bytes([0; 32]), SigningKey::from_bytes([255; 32]), SigningKey(vec![1; 64])] {
            assert_eq!(SigningKey::parse(&key.reveal()), Ok(key));
        }
        assert_eq!(SigningKey::parse(KEY).expect("a key").reveal(), KEY);
    }

    #[test]
    fn what_is_not_a_key_is_refused() {
        let of = |length: usize| format!("whsec_{}", BASE64_STANDARD.encode(vec![1; length]));
        let longest = of(64);
        assert!(SigningKey::parse(&longest).is_ok());
        let rows = ["", "whsec_", &KEY[6..], "WHSEC_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", "whsec_*", &of(23), &of(65)];
        for text in rows {
            assert_eq!(SigningKey::parse(text), Err(NotAKey), "{text}");
        }
    }

    /// (rule: events/signatures)
    #[test]
    fn a_request_carries_the_three_headers_and_no_log_shows_the_key() {
        let mut headers = HeaderMap::new();
        let key = SigningKey::parse(KEY).expect("a key");
        let older = SigningKey::from_bytes([1; 32]);
        put(&[key.clone(), older.clone()], &mut headers, "id", 5, b"{}");
        assert_eq!(headers["webhook-id"], "id");
        assert_eq!(headers["webhook-timestamp"], "5");
        let both = format!("{} {}", key.sign("id", 5, b"{}"), older.sign("id", 5, b"{}"));
        assert_eq!(headers["webhook-signature"], both);
        assert_eq!(format!("{key:?}"), "SigningKey(masked)");
    }
}
