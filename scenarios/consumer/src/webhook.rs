//! A webhook as the partner's own server takes it: checked first, then stored, then answered.
//!
//! Invariant: nothing of a post is looked at before its signature holds, and none is answered 2xx before it is in the copy
//! (Standard Webhooks). Absent on purpose: the HTTP server in front of it, and where secrets are kept.

use super::copy::Copy;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::cell::RefCell;
use std::fmt;

/// How far the moment of signing may be from now, in seconds, either way: what is older may be a recording.
const TOLERANCE: u64 = 300;

/// The secret of a webhook.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// Reads `whsec_` and base64; `None` when it is something else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        BASE64_STANDARD.decode(text.strip_prefix("whsec_")?).ok().map(Self)
    }

    /// Whether this secret has made `signature` of `post`. Takes as long for a near miss as for any other.
    fn has_made(&self, signature: &[u8], post: &WebhookRequest) -> bool {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return false };
        mac.update(format!("{}.{}.", post.id, post.timestamp).as_bytes());
        mac.update(&post.body);
        mac.verify_slice(signature).is_ok()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(masked)")
    }
}

/// One request to the partner's own server, with the headers that count.
#[derive(Clone, Debug)]
pub struct WebhookRequest {
    /// `webhook-id`: the event's id.
    pub id: String,
    /// `webhook-timestamp`: when it was signed, in seconds since 1970.
    pub timestamp: String,
    /// `webhook-signature`: one or several, with spaces between them.
    pub signatures: String,
    /// `event-type`.
    pub event_type: String,
    /// The body, byte for byte.
    pub body: Vec<u8>,
}

impl WebhookRequest {
    /// Whether one of `secrets` has signed it, not long before `now`.
    #[must_use]
    pub fn is_signed(&self, secrets: &[Secret], now: u64) -> bool {
        let is_recent = self.timestamp.parse::<u64>().is_ok_and(|signed| signed.abs_diff(now) <= TOLERANCE);
        let signatures =
            self.signatures.split(' ').filter_map(|one| BASE64_STANDARD.decode(one.strip_prefix("v1,")?).ok());
        is_recent && signatures.into_iter().any(|one| secrets.iter().any(|secret| secret.has_made(&one, self)))
    }
}

/// Takes a post at `now`, in seconds since 1970, and says how it is to be answered: 401 when none of `secrets` (two of them
/// during a rotation) has signed it, 400 when it is signed and cannot be read, 200 once the copy has it.
pub fn receive(copy: &RefCell<Copy>, secrets: &[Secret], now: u64, post: &WebhookRequest) -> u16 {
    if !post.is_signed(secrets, now) {
        return 401;
    }
    let Ok(payload) = serde_json::from_slice(&post.body) else { return 400 };
    copy.borrow_mut().take_event(&post.event_type, &post.id, &payload);
    200
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::RecordKind;

    /// `whsec_`, then 24 bytes.
    const KEY: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
    const SIGNED: u64 = 1_772_434_801;

    /// Signed by the Python library `standardwebhooks` 1.1.0: Webhook(key).sign(id, timestamp, body).
    fn post() -> WebhookRequest {
        WebhookRequest {
            id: "0b4d1b1e-6f3c-5a5e-9d0a-0f6f5b0d6c11".to_owned(),
            timestamp: SIGNED.to_string(),
            signatures: "v1,FRLIys5SGzq9vog7shq+syUsvYEC5OnzWXx58Pj4XE0=".to_owned(),
            event_type: "order.create".to_owned(),
            body: r#"{"owner":"Åsa Öberg","sum":"5 €"}"#.into(),
        }
    }

    fn keys() -> Vec<Secret> {
        vec![Secret::parse(KEY).expect("a key")]
    }

    /// (rule: events/signatures)
    #[test]
    fn what_the_public_library_signs_holds_for_five_minutes_and_any_change_to_it_does_not() {
        assert!(post().is_signed(&keys(), SIGNED));
        assert!(post().is_signed(&keys(), SIGNED + 300) && post().is_signed(&keys(), SIGNED - 300));
        assert!(!post().is_signed(&keys(), SIGNED + 301) && !post().is_signed(&keys(), SIGNED - 301));
        let spoiled: [fn(&mut WebhookRequest); 6] = [
            |post| post.id.push('x'),
            |post| post.timestamp = (SIGNED + 1).to_string(),
            |post| post.timestamp = "now".to_owned(),
            |post| post.body.push(b' '),
            |post| post.signatures = post.signatures.replace("v1,", "v2,"),
            |post| post.signatures.truncate(20),
        ];
        for (number, spoil) in spoiled.into_iter().enumerate() {
            let mut post = post();
            spoil(&mut post);
            assert!(!post.is_signed(&keys(), SIGNED), "{number}");
        }
    }

    #[test]
    fn during_a_rotation_either_secret_and_either_signature_will_do() {
        let other = Secret::parse("whsec_BBECAwQFBgcICQoLDA0ODxAREhMUFRYX").expect("a key");
        assert!(!post().is_signed(std::slice::from_ref(&other), SIGNED));
        assert!(post().is_signed(&[other, keys().remove(0)], SIGNED));
        let both = WebhookRequest { signatures: format!("v1,b2xk {}", post().signatures), ..post() };
        assert!(both.is_signed(&keys(), SIGNED));
    }

    /// (rule: events/signatures)
    #[test]
    fn a_post_is_stored_before_it_is_answered_well_and_never_when_nobody_signed_it() {
        let copy = RefCell::new(Copy::of("c"));
        let forged = WebhookRequest { signatures: String::new(), ..post() };
        assert_eq!(receive(&copy, &keys(), SIGNED, &forged), 401);
        assert_eq!(receive(&copy, &keys(), SIGNED + 3_600, &post()), 401);
        assert_eq!(copy.borrow().events(), 0);
        let key = deliveries::signature::SigningKey::parse(KEY).expect("a key");
        let signed = |id: &str, body: &str| WebhookRequest {
            id: id.to_owned(),
            signatures: key.sign(id, SIGNED, body.as_bytes()),
            body: body.into(),
            ..post()
        };
        assert_eq!(receive(&copy, &keys(), SIGNED, &signed("1", "no JSON")), 400);
        for _ in 0..2 {
            assert_eq!(receive(&copy, &keys(), SIGNED, &signed("2", r#"{"current":{"id":"o"}}"#)), 200);
        }
        let copy = copy.borrow();
        assert_eq!((copy.events(), copy.held().keys().next()), (1, Some(&(RecordKind::Order, "o".to_owned()))));
    }

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", keys()), "[Secret(masked)]");
        assert!(Secret::parse("AAECAwQFBgcICQoLDA0ODxAREhMUFRYX").is_none());
    }
}
