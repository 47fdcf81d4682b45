//! Credentials of partners: what a setup names, what a server makes of its key, and what a snapshot file keeps of both.
//!
//! Invariant: a snapshot file holds no secret; it names the key and the world that secrets were made of, and has a check of
//! each secret that a setup named (rule: auth/server-key, auth/named-credentials). Absent on purpose: who may see a secret.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sim::ids::PartnerId;
use uuid::Uuid;

use super::secrets::{Check, Secret, ServerKey};
use super::world_id::WorldId;
use deliveries::signature::SigningKey;

/// What a setup names for one of its partners; the rest comes from the server's key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// Public half.
    pub client_id: Option<Uuid>,
    /// Secret half.
    pub secret: Option<Secret>,
}

/// Where the credentials of a world come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A setup: what it names for each partner, in its order. A partner that is not named gets all of them from the key.
    Setup(Vec<Named>),
    /// A snapshot file of a world that was made with the same key.
    File(Kept),
}

impl Default for Source {
    fn default() -> Self {
        Self::Setup(Vec::new())
    }
}

/// What a snapshot file keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// The fingerprint of the key that secrets were made of.
    key: Check,
    /// The number of the world that they were made for.
    world: u64,
    /// What the setup named for each partner, in its order.
    named: Vec<KeptOfPartner>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptOfPartner {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<Check>,
}

impl Kept {
    /// Whether `key` is the one that the secrets were made of.
    #[must_use]
    pub fn is_of(&self, key: &ServerKey) -> bool {
        self.key == key.fingerprint()
    }

    /// The number of the world that the secrets were made for.
    #[must_use]
    pub const fn world(&self) -> u64 {
        self.world
    }

    /// The client ids that a setup had named; secrets are another key's.
    #[must_use]
    pub fn ids_only(&self) -> Vec<Named> {
        self.named.iter().map(|named| Named { client_id: named.client_id, secret: None }).collect()
    }
}

/// The secret half of a partner's credentials.
#[derive(Clone, Debug)]
pub enum ClientSecret {
    /// The secret itself.
    Known(Secret),
    /// What it is known again by: a setup had named it, and a snapshot file keeps no secret.
    Checked {
        /// The key that the check was made with.
        key: Box<ServerKey>,
        /// The place of the partner in its setup.
        index: u64,
        /// The check.
        check: Check,
    },
}

impl ClientSecret {
    /// Whether `guess` is the secret, in constant time.
    #[must_use]
    pub fn is(&self, guess: &str) -> bool {
        match self {
            Self::Known(secret) => secret.is(guess),
            Self::Checked { key, index, check } => key.check_of(*index, guess) == *check,
        }
    }

    /// The secret, where the server knows it.
    #[must_use]
    pub const fn known(&self) -> Option<&Secret> {
        match self {
            Self::Known(secret) => Some(secret),
            Self::Checked { .. } => None,
        }
    }
}

/// What the surface gives a partner of a world.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// The partner in the world.
    pub partner: PartnerId,
    /// Company name.
    pub name: Arc<str>,
    /// Public half; unique in the process.
    pub client_id: Uuid,
    /// Secret half.
    pub secret: ClientSecret,
    /// What its journey callbacks are signed with.
    pub callback_key: Arc<SigningKey>,
    /// What of this a setup had named.
    named: KeptOfPartner,
}

/// The credentials of all partners of a world.
#[derive(Clone, Debug)]
pub struct CredentialsOfWorld {
    /// In the order of the setup.
    pub partners: Vec<Credentials>,
    /// The number of the world that the key has made secrets for.
    made_for: u64,
}

impl CredentialsOfWorld {
    /// The credentials of `partners` from `source`, where `id` is free for secrets made of `key`.
    #[must_use]
    pub fn new(key: &ServerKey, id: WorldId, source: &Source, partners: &[(PartnerId, Arc<str>)]) -> Self {
        let made_for = match source {
            Source::Setup(_) => id,
            Source::File(kept) => WorldId::from_number(kept.world),
        };
        let of = |index: usize| match source {
            Source::Setup(named) => {
                let Named { client_id, secret } = named.get(index).cloned().unwrap_or_default();
                let place = index as u64;
                let check = secret.as_ref().map(|secret| key.check_of(place, secret.reveal()));
                (KeptOfPartner { client_id, check }, secret.map(ClientSecret::Known))
            }
            Source::File(kept) => {
                let named = kept.named.get(index).cloned();
                let named = named.unwrap_or(KeptOfPartner { client_id: None, check: None });
                let checked = named.check.map(|check| ClientSecret::Checked {
                    key: Box::new(key.clone()),
                    index: index as u64,
                    check,
                });
                (named, checked)
            }
        };
        let credentials = partners.iter().enumerate().map(|(index, (partner, name))| {
            let (named, secret) = of(index);
            let place = index as u64;
            Credentials {
                partner: *partner,
                name: Arc::clone(name),
                client_id: named.client_id.unwrap_or_else(|| key.client_id(made_for, place)),
                secret: secret.unwrap_or_else(|| ClientSecret::Known(key.client_secret(made_for, place))),
                callback_key: Arc::new(key.callback_key(made_for, place)),
                named,
            }
        });
        Self { partners: credentials.collect(), made_for: made_for.number() }
    }

    /// The client ids that the key has made for the world `id`.
    pub fn ids_made_for(&self, id: WorldId) -> impl Iterator<Item = Uuid> {
        let partners = if self.made_for == id.number() { self.partners.as_slice() } else { &[] };
        partners.iter().filter(|partner| partner.named.client_id.is_none()).map(|partner| partner.client_id)
    }

    /// What a snapshot file keeps of them.
    #[must_use]
    pub fn kept(&self, key: &ServerKey) -> Kept {
        let named = self.partners.iter().map(|partner| partner.named.clone()).collect();
        Kept { key: key.fingerprint(), world: self.made_for, named }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partners(count: u128) -> Vec<(PartnerId, Arc<str>)> {
        (0..count).map(|id| (PartnerId::from_u128(id), Arc::from("A partner"))).collect()
    }

    fn named() -> Source {
        let secret = Some(Secret::new("a-secret-of-a-setup"));
        let both = Named { client_id: Some(Uuid::from_u128(7)), secret: secret.clone() };
        Source::Setup(vec![Named::default(), both, Named { client_id: None, secret }])
    }

    /// (rule: auth/named-credentials)
    #[test]
    fn what_a_setup_names_is_taken_and_the_rest_is_made_of_the_key() {
        let key = ServerKey::fixed(&[7; 32]);
        let id = WorldId::from_number(1);
        let made = CredentialsOfWorld::new(&key, id, &named(), &partners(4)).partners;
        let ids: Vec<Uuid> = made.iter().map(|partner| partner.client_id).collect();
        assert_eq!(ids, [key.client_id(id, 0), Uuid::from_u128(7), key.client_id(id, 2), key.client_id(id, 3)]);
        for (partner, is_named) in made.iter().zip([false, true, true, false]) {
            assert_eq!(partner.secret.is("a-secret-of-a-setup"), is_named);
        }
        assert!(made[3].secret.is(key.client_secret(id, 3).reveal()));
    }

    /// (rule: auth/server-key, auth/named-credentials)
    #[test]
    fn a_file_brings_all_credentials_back_under_the_same_key_and_holds_no_secret() {
        let key = ServerKey::fixed(&[7; 32]);
        let before = CredentialsOfWorld::new(&key, WorldId::from_number(3), &named(), &partners(4));
        let text = serde_json::to_string(&before.kept(&key)).expect("JSON");
        for partner in &before.partners {
            let secret = partner.secret.known().expect("it is known");
            assert!(!text.contains(secret.reveal()), "{text}");
        }
        let kept: Kept = serde_json::from_str(&text).expect("what was written");
        assert!(kept.is_of(&key) && !kept.is_of(&ServerKey::fixed(&[8; 32])));
        let after = CredentialsOfWorld::new(&key, WorldId::from_number(1), &Source::File(kept.clone()), &partners(4));
        for (before, after) in before.partners.iter().zip(&after.partners) {
            let secret = before.secret.known().expect("it is known");
            assert_eq!(
                (before.client_id, before.callback_key.reveal()),
                (after.client_id, after.callback_key.reveal())
            );
            assert!(after.secret.is(secret.reveal()) && !after.secret.is("another-secret-of-no-setup"));
        }
        assert_eq!(after.kept(&key), kept, "and a file of that world keeps the same");
        let ids: Vec<_> = kept.ids_only().into_iter().map(|named| named.client_id).collect();
        assert_eq!(ids, [None, Some(Uuid::from_u128(7)), None, None]);
    }
}
