//! Everything that must not be guessed: credentials, access tokens, tokens of journey links, instance ids.
//!
//! Owns: one derivation, HMAC-SHA256 of (server key, world, purpose, counter). Invariant: nothing here comes from a
//! world's seed, so knowing a seed opens no door; with one server key, the same calls make the same secrets. What a partner
//! keeps (credentials, links, signing keys) comes from the lasting half of the key, what ends with the process (tokens,
//! instances, forms, drawn seeds) from the other half. Absent on purpose: storage, and any text form of a secret in logs
//! (`Debug` masks).

mod link;

pub use self::link::Links;

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use crate::world_id::WorldId;
use deliveries::signature::SigningKey;

/// Length of the token in a journey's link (rule: journeys/journey-link).
pub const JOURNEY_TOKEN_LENGTH: usize = 50;

/// A text that is compared in constant time and never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps `text` secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for the one it belongs to.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Its beginning, enough to know it again by.
    #[must_use]
    pub fn masked(&self) -> String {
        masked(&self.0)
    }

    /// Whether `guess` is the secret. Takes the same time wherever they differ; lengths are no secret.
    #[must_use]
    pub fn is(&self, guess: &str) -> bool {
        self.0.as_bytes().ct_eq(guess.as_bytes()).into()
    }
}

/// The beginning of a secret text, enough to know it again by (rule: auth/secrets-shown).
#[must_use]
pub fn masked(text: &str) -> String {
    let shown: String = text.chars().take(if text.len() > 4 * MASKED_SHOWS { MASKED_SHOWS } else { 0 }).collect();
    format!("{shown}...")
}

/// Characters of a secret that are shown where it is masked: few enough that the rest cannot be guessed.
const MASKED_SHOWS: usize = 6;

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(masked)")
    }
}

/// What a derived secret is for; no two purposes share an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    ClientId,
    ClientSecret,
    AccessToken,
    LinkMark,
    Instance,
    Seed,
    LinkMask,
    Form,
    CallbackKey,
    WebhookKey,
    WebhookId,
    NamedSecret,
    Fingerprint,
    Passphrase,
}

impl Purpose {
    /// Whether what it is for ends with the process.
    const fn is_passing(self) -> bool {
        match self {
            Self::AccessToken | Self::Instance | Self::Seed | Self::Form => true,
            Self::ClientId | Self::ClientSecret | Self::LinkMark | Self::LinkMask | Self::CallbackKey => false,
            Self::WebhookKey | Self::WebhookId | Self::NamedSecret | Self::Fingerprint | Self::Passphrase => false,
        }
    }
}

/// Length of either half of a server's key.
pub const KEY_LENGTH: usize = 32;

/// The lasting half of a server that nobody but this machine can reach: everybody knows it (rule: auth/server-key).
const PUBLIC: &[u8; KEY_LENGTH] = b"fundsim: a public key, no secret";

/// The key of this server.
#[derive(Clone)]
pub struct ServerKey {
    lasting: Hmac<Sha256>,
    passing: Hmac<Sha256>,
}

impl ServerKey {
    /// A key from the operating system.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn random() -> Result<Self, getrandom::Error> {
        Self::kept(&drawn()?)
    }

    /// A key whose lasting half is `bytes`; the other half comes from the operating system.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn kept(bytes: &[u8; KEY_LENGTH]) -> Result<Self, getrandom::Error> {
        Ok(Self { lasting: hmac(bytes), passing: hmac(&drawn()?) })
    }

    /// The key of these halves, which an earlier server had.
    #[must_use]
    pub fn of_halves(lasting: &[u8; KEY_LENGTH], passing: &[u8; KEY_LENGTH]) -> Self {
        Self { lasting: hmac(lasting), passing: hmac(passing) }
    }

    /// A key whose lasting half everybody knows, so that credentials are the same at each start.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn public() -> Result<Self, getrandom::Error> {
        Self::kept(PUBLIC)
    }

    /// A known key, for runs that must repeat.
    #[must_use]
    pub fn fixed(bytes: &[u8; KEY_LENGTH]) -> Self {
        Self { lasting: hmac(bytes), passing: hmac(bytes) }
    }

    fn half(&self, purpose: Purpose) -> Hmac<Sha256> {
        if purpose.is_passing() { self.passing.clone() } else { self.lasting.clone() }
    }

    /// The check by which a file recognises the lasting half; it reveals nothing of the key.
    #[must_use]
    pub fn fingerprint(&self) -> Check {
        Check(self.derive(WorldId::from_number(0), Purpose::Fingerprint, 0, 0))
    }

    /// What servers of one key know each other by.
    #[must_use]
    pub fn passphrase(&self) -> Secret {
        Secret(BASE64_URL_SAFE_NO_PAD.encode(self.derive(WorldId::from_number(0), Purpose::Passphrase, 0, 0)))
    }

    /// The check by which the secret that a setup names for its `index`th partner is recognised.
    #[must_use]
    pub fn check_of(&self, index: u64, secret: &str) -> Check {
        let mut mac = self.half(Purpose::NamedSecret);
        mac.update(&[Purpose::NamedSecret as u8]);
        mac.update(&index.to_be_bytes());
        mac.update(secret.as_bytes());
        Check(mac.finalize().into_bytes().into())
    }

    /// The `client_id` of a world's `index`th partner.
    #[must_use]
    pub fn client_id(&self, world: WorldId, index: u64) -> Uuid {
        uuid_of(&self.derive(world, Purpose::ClientId, index, 0))
    }

    /// The `client_secret` of a world's `index`th partner: 43 URL-safe characters.
    #[must_use]
    pub fn client_secret(&self, world: WorldId, index: u64) -> Secret {
        Secret(BASE64_URL_SAFE_NO_PAD.encode(self.derive(world, Purpose::ClientSecret, index, 0)))
    }

    /// The `count`th access token of a world.
    #[must_use]
    pub fn access_token(&self, world: WorldId, count: u64) -> Uuid {
        uuid_of(&self.derive(world, Purpose::AccessToken, count, 0))
    }

    /// What `hello` calls the `count`th instance that serves a world.
    #[must_use]
    pub fn instance_id(&self, world: WorldId, count: u64) -> Uuid {
        uuid_of(&self.derive(world, Purpose::Instance, count, 0))
    }

    /// The `count`th seed for worlds that are made without one: no secret, only as random as the key. 32 bits are easy to
    /// repeat by hand and survive every JSON reader.
    #[must_use]
    pub fn seed(&self, count: u64) -> u64 {
        let bytes = self.derive(WorldId::from_number(0), Purpose::Seed, count, 0);
        bytes[..4].iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte))
    }

    /// What signs the journey callbacks of a world's `index`th partner.
    #[must_use]
    pub fn callback_key(&self, world: WorldId, index: u64) -> SigningKey {
        SigningKey::from_bytes(self.derive(world, Purpose::CallbackKey, index, 0))
    }

    /// What signs for the `count`th webhook of a world, unless it was registered with a key.
    #[must_use]
    pub fn webhook_key(&self, world: WorldId, count: u64) -> SigningKey {
        SigningKey::from_bytes(self.derive(world, Purpose::WebhookKey, count, 0))
    }

    /// The id of the `count`th webhook of a world.
    #[must_use]
    pub fn webhook_id(&self, world: WorldId, count: u64) -> Uuid {
        uuid_of(&self.derive(world, Purpose::WebhookId, count, 0))
    }

    fn derive(&self, world: WorldId, purpose: Purpose, count: u64, part: u8) -> [u8; 32] {
        let mut mac = self.half(purpose);
        mac.update(&[purpose as u8, part]);
        mac.update(&world.number().to_be_bytes());
        mac.update(&count.to_be_bytes());
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerKey(masked)")
    }
}

fn hmac(bytes: &[u8; KEY_LENGTH]) -> Hmac<Sha256> {
    Hmac::new_from_slice(bytes).expect("HMAC takes keys of any length")
}

/// Bytes from the operating system.
///
/// # Errors
/// When it has no randomness to give.
pub fn drawn() -> Result<[u8; KEY_LENGTH], getrandom::Error> {
    let mut bytes = [0; KEY_LENGTH];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// What a secret is known again by, and cannot be read from. Compared in constant time.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Check([u8; 32]);

impl PartialEq for Check {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Check {}

impl From<Check> for String {
    fn from(check: Check) -> Self {
        BASE64_URL_SAFE_NO_PAD.encode(check.0)
    }
}

impl TryFrom<String> for Check {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok();
        bytes.and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or("must be 43 characters of base64url")
    }
}

fn uuid_of(bytes: &[u8; 32]) -> Uuid {
    let mut half = [0; 16];
    half.copy_from_slice(&bytes[..16]);
    uuid::Builder::from_random_bytes(half).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::ids::JourneyId;
    use std::collections::BTreeSet;

    fn all(key: &ServerKey, world: WorldId, count: u64) -> Vec<String> {
        vec![
            key.client_id(world, count).to_string(),
            key.client_secret(world, count).reveal().to_owned(),
            key.access_token(world, count).to_string(),
            key.journey_token(world, JourneyId::from_u128(count.into())).reveal().to_owned(),
            key.instance_id(world, count).to_string(),
            key.callback_key(world, count).reveal(),
            key.webhook_key(world, count).reveal(),
            key.webhook_id(world, count).to_string(),
        ]
    }

    #[test]
    fn each_key_world_purpose_and_count_makes_another_secret() {
        let keys = [[1; 32], [2; 32]].map(|bytes| ServerKey::fixed(&bytes));
        let mut seen = BTreeSet::new();
        for key in &keys {
            for world in [1, 2].map(WorldId::from_number) {
                for count in [0, 1, 256] {
                    seen.extend(all(key, world, count));
                }
            }
        }
        assert_eq!(seen.len(), 2 * 2 * 3 * 8);
    }

    #[test]
    fn one_key_makes_the_same_secrets_again() {
        let make = || all(&ServerKey::fixed(&[7; 32]), WorldId::from_number(3), 4);
        assert_eq!(make(), make());
        assert_ne!(
            ServerKey::random().expect("randomness").client_id(WorldId::from_number(1), 0),
            ServerKey::random().expect("randomness").client_id(WorldId::from_number(1), 0),
        );
    }

    /// (rule: auth/server-key)
    #[test]
    fn a_kept_key_keeps_credentials_links_and_signing_keys_and_no_token() {
        let start = || all(&ServerKey::kept(&[7; 32]).expect("randomness"), WorldId::from_number(1), 0);
        let (first, second) = (start(), start());
        let same: Vec<bool> = first.iter().zip(&second).map(|(first, second)| first == second).collect();
        // Client id and secret, token, link, instance, the keys of callbacks and webhooks, the id of a webhook.
        assert_eq!(same, [true, true, false, true, false, true, true, true]);
        let [public, again, random] = [ServerKey::public(), ServerKey::public(), ServerKey::random()];
        let [public, again, random] = [public, again, random].map(|key| key.expect("randomness"));
        assert_eq!(public.fingerprint(), again.fingerprint());
        assert_ne!(public.fingerprint(), random.fingerprint());
        assert_ne!(public.seed(0), again.seed(0), "seeds are drawn anew");
    }

    /// (rule: auth/server-key)
    #[test]
    fn a_named_secret_is_known_by_its_check_under_its_key_and_place_only() {
        let (key, other) = (ServerKey::fixed(&[1; 32]), ServerKey::fixed(&[2; 32]));
        let check = key.check_of(0, "a-secret-of-a-setup");
        let text = String::from(check);
        assert!(text.len() == 43 && !text.contains("secret"));
        assert_eq!(Check::try_from(text), Ok(check));
        assert!(Check::try_from("a-secret-of-a-setup".to_owned()).is_err());
        assert_eq!(check, key.check_of(0, "a-secret-of-a-setup"));
        for wrong in [
            key.check_of(0, "a-secret-of-a-setuq"),
            key.check_of(0, ""),
            key.check_of(1, "a-secret-of-a-setup"),
            other.check_of(0, "a-secret-of-a-setup"),
        ] {
            assert_ne!(check, wrong);
        }
    }

    /// (rule: journeys/journey-link, auth/token-life)
    #[test]
    fn forms_are_those_that_are_promised() {
        let made = all(&ServerKey::fixed(&[0; 32]), WorldId::from_number(1), 0);
        assert_eq!(made.iter().map(String::len).collect::<Vec<_>>(), [36, 43, 36, 50, 36, 50, 50, 36]);
        assert_eq!(Uuid::try_parse(&made[2]).expect("a UUID").get_version_num(), 4);
        let safe = |text: &String| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        assert!(made[..5].iter().all(safe));
        assert!(made[5..7].iter().all(|text| text.starts_with("whsec_")));
    }

    #[test]
    fn secrets_compare_whole_and_print_masked() {
        let secret = Secret::new("abc");
        assert!(secret.is("abc"));
        for guess in ["", "ab", "abd", "abcd", "ABC"] {
            assert!(!secret.is(guess), "{guess}");
        }
        assert_eq!(format!("{secret:?} {:?}", ServerKey::fixed(&[0; 32])), "Secret(masked) ServerKey(masked)");
    }
}
