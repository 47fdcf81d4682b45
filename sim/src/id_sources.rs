//! Where names that no store draws come from: references of accounts, activation codes, made-up people, partners and clients.
//!
//! Invariant: what is drawn depends on the seed, the purpose and how often it was drawn before. Absent on purpose: ids of
//! what a store keeps, which it draws itself.

use crate::identity::{AccountRef, make_ref};
use crate::ids::{ClientId, Drawn as _, PartnerId, SortedId, SortedIdSource};
use crate::rng::{Seed, Stream};
use crate::time::Instant;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What tokens are made of.
const ALPHANUMERICS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Sources of names: one labelled stream a purpose, so that a draw in one place shifts nothing elsewhere.
#[derive(Clone, Debug, Hash, Serialize, Deserialize)]
pub(crate) struct IdSources {
    clients: (Stream, SortedIdSource),
    codes: Stream,
    last_ref: Option<AccountRef>,
    mobile_payments: Stream,
    pub(crate) people: Stream,
}

impl IdSources {
    pub(crate) fn new(seed: Seed) -> Self {
        Self {
            clients: (seed.stream("partner and client ids"), SortedIdSource::new(seed.stream("client sorted ids"))),
            codes: seed.stream("activation codes"),
            last_ref: None,
            mobile_payments: seed.stream("mobile payment tokens"),
            people: seed.stream("people"),
        }
    }

    pub(crate) fn account_ref(&mut self, now: Instant) -> AccountRef {
        let reference = make_ref(now, self.last_ref);
        self.last_ref = Some(reference);
        reference
    }

    pub(crate) fn partner(&mut self) -> PartnerId {
        PartnerId::draw(&mut self.clients.0)
    }

    pub(crate) fn client(&mut self, now: Instant) -> (ClientId, SortedId) {
        (ClientId::draw(&mut self.clients.0), self.clients.1.next(now))
    }

    /// A six-digit activation code; whether it is new is the caller's question.
    pub(crate) fn code(&mut self) -> Arc<str> {
        Arc::from(format!("{:06}", self.codes.below(1_000_000)))
    }

    /// Token and payment id of a mobile payment (rule: payments/mobile-payment-session).
    pub(crate) fn mobile_payment(&mut self) -> (Arc<str>, Arc<str>) {
        let token: String = (0..32).map(|_| char::from(*self.mobile_payments.pick(ALPHANUMERICS))).collect();
        let payment = u128::from_be_bytes(self.mobile_payments.bytes());
        (Arc::from(token), Arc::from(format!("{payment:032X}")))
    }
}
