//! Tokens of journey links, and of the forms behind them.
//!
//! Owns: a link token says by itself which world and journey it opens, but only to this server: both are masked by
//! bytes drawn from a mark, and the mark is an HMAC over both (the shape of a synthetic initialisation vector). So there
//! is no table to keep in step with resets, forks and restored snapshots, and a guess has to hit 108 bits. Invariant:
//! exactly one token opens a journey; every other text opens nothing. Absent on purpose: expiry, which is the journey's.

use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::Mac as _;
use sim::ids::JourneyId;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::{JOURNEY_TOKEN_LENGTH, Purpose, Secret, ServerKey};
use crate::world_id::WorldId;
use wire::journeys::links::JourneyLinks;

/// World and journey: 8 and 16 bytes.
const PLACE: usize = 24;
/// Characters that carry the place.
const MASKED: usize = 32;
/// Characters of the mark.
const MARK: usize = JOURNEY_TOKEN_LENGTH - MASKED;

/// Makes the links of one world's journeys. Clones agree.
#[derive(Clone, Debug)]
pub struct Links {
    key: ServerKey,
    world: WorldId,
    public_url: Arc<OnceLock<String>>,
}

impl Links {
    /// Links of `world`, beginning with what `public_url` says once it is known.
    #[must_use]
    pub const fn new(key: ServerKey, world: WorldId, public_url: Arc<OnceLock<String>>) -> Self {
        Self { key, world, public_url }
    }
}

impl JourneyLinks for Links {
    /// The address that opens a journey (rule: journeys/journey-link).
    fn journey(&self, journey: JourneyId) -> String {
        let public_url = self.public_url.get().map_or("", String::as_str);
        format!("{public_url}/journey/{}", self.key.journey_token(self.world, journey).reveal())
    }
}

impl ServerKey {
    /// The token in the link of a journey of a world.
    #[must_use]
    pub fn journey_token(&self, world: WorldId, journey: JourneyId) -> Secret {
        let mut place = [0; PLACE];
        place[..8].copy_from_slice(&world.number().to_be_bytes());
        place[8..].copy_from_slice(journey.as_uuid().as_bytes());
        let mark = self.mark(&place);
        Secret(BASE64_URL_SAFE_NO_PAD.encode(self.mask(&mark, place)) + &mark)
    }

    /// What a link's token opens; `None` for everything this key did not make.
    #[must_use]
    pub fn read_journey_token(&self, token: &str) -> Option<(WorldId, JourneyId)> {
        if token.len() != JOURNEY_TOKEN_LENGTH || !token.is_ascii() {
            return None;
        }
        let (masked, mark) = token.split_at(MASKED);
        let masked: [u8; PLACE] = BASE64_URL_SAFE_NO_PAD.decode(masked).ok()?.try_into().ok()?;
        let place = self.mask(mark, masked);
        if !bool::from(self.mark(&place).as_bytes().ct_eq(mark.as_bytes())) {
            return None;
        }
        let (world, journey) = place.split_first_chunk::<8>()?;
        let journey = Uuid::from_slice(journey).ok()?;
        Some((WorldId::from_number(u64::from_be_bytes(*world)), JourneyId::from_uuid(journey)))
    }

    /// The token that a form of a journey's page has to bring along: 43 characters, another one for each page.
    #[must_use]
    pub fn form_token(&self, link: &str, page: &str) -> Secret {
        Secret(BASE64_URL_SAFE_NO_PAD.encode(self.over(Purpose::Form, &[link.as_bytes(), page.as_bytes()])))
    }

    fn mark(&self, place: &[u8; PLACE]) -> String {
        let mut mark = BASE64_URL_SAFE_NO_PAD.encode(self.over(Purpose::LinkMark, &[place]));
        mark.truncate(MARK);
        mark
    }

    /// Covers, or uncovers: the mask depends on the mark alone.
    fn mask(&self, mark: &str, mut place: [u8; PLACE]) -> [u8; PLACE] {
        let mask = self.over(Purpose::LinkMask, &[mark.as_bytes()]);
        place.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
        place
    }

    /// HMAC over parts, each with its length in front, so that parts cannot run into one another.
    fn over(&self, purpose: Purpose, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.half(purpose);
        mac.update(&[purpose as u8]);
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn place(world: u64, journey: u128) -> (WorldId, JourneyId) {
        (WorldId::from_number(world), JourneyId::from_u128(journey))
    }

    #[test]
    fn a_token_opens_its_own_journey_and_looks_like_nothing() {
        let key = ServerKey::fixed(&[7; 32]);
        let mut seen = BTreeSet::new();
        for (world, journey) in [(1, 1), (1, 2), (2, 1), (u64::MAX, u128::MAX), (0, 0)] {
            let (world, journey) = place(world, journey);
            let token = key.journey_token(world, journey);
            assert_eq!(token.reveal().len(), JOURNEY_TOKEN_LENGTH);
            assert!(token.reveal().chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'));
            assert_eq!(key.read_journey_token(token.reveal()), Some((world, journey)));
            assert_eq!(key.journey_token(world, journey), token, "made again, it is the same");
            assert_eq!(ServerKey::fixed(&[8; 32]).read_journey_token(token.reveal()), None, "another server's key");
            seen.insert(token.reveal()[..8].to_owned());
        }
        assert_eq!(seen.len(), 5, "neighbours have nothing in common");
    }

    #[test]
    fn no_changed_character_opens_anything() {
        let key = ServerKey::fixed(&[7; 32]);
        let (world, journey) = place(3, 0x1234_5678);
        let token = key.journey_token(world, journey);
        let token = token.reveal();
        for at in 0..token.len() {
            for other in ["A", "_", "9", "=", "%"] {
                let mut changed = token.to_owned();
                changed.replace_range(at..=at, other);
                assert!(changed == token || key.read_journey_token(&changed).is_none(), "{changed}");
            }
        }
        for wrong in ["", "a", &token[1..], &format!("{token}A"), &"å".repeat(25), &"A".repeat(50)] {
            assert_eq!(key.read_journey_token(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn each_link_and_page_has_a_form_token_of_its_own() {
        let key = ServerKey::fixed(&[7; 32]);
        let tokens =
            [("a", "kyc"), ("a", "leave"), ("ak", "yc"), ("b", "kyc")].map(|(link, page)| key.form_token(link, page));
        let distinct: BTreeSet<_> = tokens.iter().map(|token| token.reveal().to_owned()).collect();
        assert_eq!(distinct.len(), tokens.len());
        assert!(tokens[0].is(key.form_token("a", "kyc").reveal()));
    }
}
