//! Names of things: one type a kind, so that an order's id is never taken for an account's.
//!
//! Owns: the text of every id, the three ways of making one (drawn, counted up, derived), and where a look-up by an id tries first.
//! Invariant: what `Display` writes, `parse` reads back as the same id; sorted ids only ever increase; a place hint is never
//! compared, hashed, ordered or written. Absent on purpose: any other meaning inside an id, and look-ups.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use ulid::Ulid;
use uuid::Uuid;

use crate::recorded::as_text;
use crate::rng::{Seed, Stream};
use crate::time::Instant;

/// The text is not an id of the expected kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct IdError;

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an id of this kind")
    }
}

impl std::error::Error for IdError {}

/// What entries of a list are found by.
pub trait LookupKey: Clone + Eq + Hash {
    /// Where in the list a look-up tries first; beyond every list where nothing is known.
    fn place_hint(&self) -> u32 {
        PlaceHint::NONE.number()
    }
}

/// An id that is drawn.
pub trait Drawn: Copy + LookupKey {
    /// A fresh version 4 id, without a hint.
    fn draw(stream: &mut Stream) -> Self;

    /// The same id with a hint, if its kind has one.
    #[must_use]
    fn with_place_hint(self, place: u32) -> Self;
}

impl<A: Clone + Eq + Hash, B: Clone + Eq + Hash> LookupKey for (A, B) {}

/// The place that a list has given an id when it drew it, so that its record is found without an index. A look-up checks which
/// id is there. Ids that come from a text have none: those of requests, and all of a world that was read from a file. So a new record
/// keeps the id of the account that was found, and not the one that was given.
///
/// One more than the place is kept, so that an optional id is no larger.
#[derive(Clone, Copy)]
struct PlaceHint(NonZeroU32);

impl PlaceHint {
    const NONE: Self = Self(NonZeroU32::MAX);

    const fn of(place: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(place))
    }

    const fn number(self) -> u32 {
        self.0.get() - 1
    }
}

/// For ids that no list draws, and for clients: every record has a client's id, and there are so few that their index is
/// always in the processor's cache.
#[derive(Clone, Copy)]
struct NoHint;

impl NoHint {
    const NONE: Self = Self;

    const fn of(_place: u32) -> Self {
        Self
    }

    const fn number(self) -> u32 {
        PlaceHint::NONE.number()
    }
}

macro_rules! uuid_ids {
    ($($(#[$doc:meta])* $name:ident with $hint:ident),* $(,)?) => {$(
        $(#[$doc])*
        ///
        /// A UUID; text is the 36-character lower-case form with hyphens.
        #[derive(Clone, Copy)]
        pub struct $name {
            uuid: Uuid,
            /// Neither compared nor written.
            hint: $hint,
        }

        impl $name {
            /// The id with these 128 bits.
            pub const fn from_u128(bits: u128) -> $name {
                $name::from_uuid(Uuid::from_u128(bits))
            }

            /// The id that is this UUID.
            pub const fn from_uuid(uuid: Uuid) -> $name {
                $name { uuid, hint: $hint::NONE }
            }

            /// The bare UUID.
            pub const fn as_uuid(&self) -> Uuid {
                self.uuid
            }

            /// Reads the hyphenated form of 36 characters, in either case.
            ///
            /// # Errors
            /// `IdError` for any other form.
            pub fn parse(text: &str) -> Result<$name, IdError> {
                parse_uuid(text).map($name::from_uuid)
            }

            /// The id as other records refer to it.
            #[must_use]
            pub fn text(self) -> Arc<str> {
                Arc::from(&*self.uuid.hyphenated().encode_lower(&mut Uuid::encode_buffer()))
            }
        }

        impl Drawn for $name {
            fn draw(stream: &mut Stream) -> $name {
                $name::from_uuid(draw_uuid(stream))
            }

            fn with_place_hint(self, place: u32) -> $name {
                $name { hint: $hint::of(place), ..self }
            }
        }

        impl LookupKey for $name {
            fn place_hint(&self) -> u32 {
                self.hint.number()
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                self.uuid == other.uuid
            }
        }

        impl Eq for $name {}

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.uuid.hash(state);
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &$name) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &$name) -> Ordering {
                self.uuid.cmp(&other.uuid)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.uuid.hyphenated().encode_lower(&mut Uuid::encode_buffer()))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.uuid)
            }
        }

        as_text!($name, IdError);
    )*};
}

uuid_ids!(
    /// Names a partner.
    PartnerId with NoHint,
    /// Names a client, a customer of a partner.
    ClientId with NoHint,
    /// Names an account.
    AccountId with PlaceHint,
    /// Names an order.
    OrderId with PlaceHint,
    /// Names a cash transaction.
    CashTransactionId with PlaceHint,
    /// Names a fund transaction.
    FundTransactionId with PlaceHint,
    /// Names a bank account.
    BankAccountId with PlaceHint,
    /// Names a journey.
    JourneyId with PlaceHint,
    /// Names a transfer to or from a custodian.
    TransferId with PlaceHint,
    /// Names a submission within a journey.
    SubmissionId with PlaceHint,
    /// Names an allocation plan.
    AllocationPlanId with PlaceHint,
    /// Names a savings plan.
    SavingsPlanId with PlaceHint,
    /// Names a payment instruction.
    InstructionId with PlaceHint,
    /// Names a payment of an instruction.
    PaymentId with PlaceHint,
    /// Names a mobile payment session.
    MobilePaymentId with PlaceHint,
    /// Names money that no account could take.
    SuspenseItemId with PlaceHint,
    /// Names a payment over bankgiro.
    BankgiroItemId with PlaceHint,
    /// Names a corporate action.
    CorporateActionId with PlaceHint,
    /// Names an aggregated order.
    AggregateId with PlaceHint,
    /// Names a request to change a world: a repetition because an answer was lost uses the same.
    RequestId with NoHint,
);

fn parse_uuid(text: &str) -> Result<Uuid, IdError> {
    if text.len() == 36 { Uuid::try_parse(text).map_err(|_| IdError) } else { Err(IdError) }
}

/// A random UUID of version 4.
pub fn draw_uuid(stream: &mut Stream) -> Uuid {
    uuid::Builder::from_random_bytes(stream.bytes()).into_uuid()
}

/// Names a custodian that units are transferred from or to: 1 to 64 characters, without controls or outer blanks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CustodianId(Arc<str>);

impl CustodianId {
    /// Reads a custodian's name.
    ///
    /// # Errors
    /// `IdError` when the text is empty, over 64 characters, has controls, or blanks at its ends.
    pub fn parse(text: &str) -> Result<CustodianId, IdError> {
        let fits = (1..=64).contains(&text.chars().take(65).count());
        if fits && text.trim() == text && !text.contains(char::is_control) {
            Ok(CustodianId(text.into()))
        } else {
            Err(IdError)
        }
    }

    /// The text as given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CustodianId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

as_text!(CustodianId, IdError);

/// An id whose text sorts by time of creation: a ULID, 26 upper-case Crockford characters.
///
/// Its bytes, the highest first: records that held a number of 128 bits would be padded to multiples of 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortedId([u8; 16]);

impl fmt::Debug for SortedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SortedId({self})")
    }
}

impl Hash for SortedId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_u128().hash(state);
    }
}

impl SortedId {
    /// The id with these 128 bits: 48 of milliseconds, 80 of tail.
    pub const fn from_u128(bits: u128) -> SortedId {
        SortedId(bits.to_be_bytes())
    }

    /// The 128 bits.
    pub const fn as_u128(self) -> u128 {
        u128::from_be_bytes(self.0)
    }

    /// Reads the 26 characters, in either case.
    ///
    /// # Errors
    /// `IdError` for any other length, a character outside the alphabet, or more than 128 bits.
    pub fn parse(text: &str) -> Result<SortedId, IdError> {
        // The first character holds three bits; the decoder would drop the rest of a larger one.
        if text.len() != 26 || !matches!(text.as_bytes()[0], b'0'..=b'7') {
            return Err(IdError);
        }
        Ulid::from_string(text).map(|ulid| SortedId::from_u128(ulid.0)).map_err(|_| IdError)
    }
}

impl SortedId {
    /// The text, written into `space`.
    pub fn write_to(self, space: &mut [u8; ulid::ULID_LEN]) -> &str {
        Ulid(self.as_u128()).array_to_str(space)
    }
}

impl fmt::Display for SortedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.write_to(&mut [0; ulid::ULID_LEN]))
    }
}

as_text!(SortedId, IdError);

/// Hands out the sorted ids of one collection, each larger than all before.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SortedIdSource {
    last: u128,
    stream: Stream,
}

impl SortedIdSource {
    /// A source that draws its tails from `stream`.
    pub fn new(stream: Stream) -> SortedIdSource {
        SortedIdSource { last: 0, stream }
    }

    /// The next id: a random tail in a new millisecond, else the last id plus one, also when the clock was set back.
    pub fn next(&mut self, now: Instant) -> SortedId {
        let floor = u128::from(now.ms().unsigned_abs()) << 80;
        self.last = if floor > self.last {
            let tail = u128::from_le_bytes(self.stream.bytes()) >> 48;
            floor | tail
        } else {
            self.last + 1
        };
        SortedId::from_u128(self.last)
    }
}

/// The namespace of the ids this project derives; drawn once, never to change.
const EVENTS: Uuid = Uuid::from_u128(0x3f0c_9a52_7d1e_4b86_a1c4_5e27_d90b_6f13);

/// The id of an event, derived (UUID version 5) from what the event is about, so that it need not be stored.
pub fn event_id(seed: Seed, event_type: &str, resource: &Uuid, revision: u64) -> Uuid {
    let mut name = Vec::with_capacity(32 + event_type.len());
    name.extend_from_slice(&seed.0.to_le_bytes());
    name.extend_from_slice(&revision.to_le_bytes());
    name.extend_from_slice(resource.as_bytes());
    name.extend_from_slice(event_type.as_bytes());
    Uuid::new_v5(&EVENTS, &name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::digest::digest_of;
    use crate::laws::{self, recorded, replayed};
    use crate::time::Millis;

    #[test]
    fn an_id_reads_36_characters_in_either_case_and_shows_lower() {
        let id = OrderId::from_u128(0x0123_4567_89ab_4def_8123_4567_89ab_cdef);
        let text = "01234567-89ab-4def-8123-456789abcdef";
        assert_eq!(id.to_string(), text);
        assert_eq!(format!("{id:?}"), format!("OrderId({text})"));
        assert_eq!(OrderId::parse(&text.to_uppercase()), Ok(id));
        assert_eq!(OrderId::from_uuid(id.as_uuid()), id);
        for text in [
            "",
            "0123456789ab4def8123456789abcdef",
            "{01234567-89ab-4def-8123-456789abcdef}",
            "urn:uuid:01234567-89ab-4def-8123-456789abcdef",
            "01234567-89ab-4def-8123-456789abcdeg",
            "01234567-89ab-4def-81234-56789abcdef",
            "0123456789-ab-4def-8123-456789abcdef",
            "01234567-89ab-4def-8123-456789abcde\u{e5}",
            " 1234567-89ab-4def-8123-456789abcdef",
        ] {
            assert_eq!(OrderId::parse(text), Err(IdError), "{text}");
        }
    }

    #[test]
    fn ids_survive_their_text_and_their_record() {
        laws::quick(|bits: u128| {
            let (id, sorted) = (AccountId::from_u128(bits), SortedId::from_u128(bits));
            AccountId::parse(&id.to_string()) == Ok(id)
                && replayed(&recorded(&id)) == Ok(id)
                && SortedId::parse(&sorted.to_string()) == Ok(sorted)
                && replayed(&recorded(&sorted)) == Ok(sorted)
        });
    }

    #[test]
    fn the_place_of_an_id_is_no_part_of_it() {
        laws::quick(|(bits, place): (u128, u32)| {
            let (id, placed) = (OrderId::from_u128(bits), OrderId::from_u128(bits).with_place_hint(place));
            let beyond = id.place_hint() == u32::MAX - 1
                && ClientId::from_u128(bits).with_place_hint(place).place_hint() == u32::MAX - 1;
            let remembered = placed.place_hint() == place.min(u32::MAX - 1);
            let same = id == placed && id.cmp(&placed).is_eq() && digest_of(&id) == digest_of(&placed);
            beyond
                && remembered
                && same
                && recorded(&id) == recorded(&placed)
                && format!("{id:?}") == format!("{placed:?}")
        });
    }

    #[test]
    fn drawn_ids_are_version_4_and_follow_the_stream() {
        let draw = |seed| draw_uuid(&mut Seed(seed).stream("ids"));
        assert_eq!(draw(1).get_version_num(), 4);
        assert_eq!(draw(1).get_variant(), uuid::Variant::RFC4122);
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_eq!(OrderId::draw(&mut Seed(1).stream("ids")).as_uuid(), draw(1));
    }

    #[test]
    fn sorted_ids_sort_by_text_as_by_number() {
        laws::quick(|(a, b): (u128, u128)| {
            let (a, b) = (SortedId::from_u128(a), SortedId::from_u128(b));
            a.cmp(&b) == a.to_string().cmp(&b.to_string())
        });
    }

    /// (rule: wire/ids)
    #[test]
    fn a_sorted_id_is_26_characters_of_at_most_128_bits() {
        assert_eq!(SortedId::parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ"), Ok(SortedId::from_u128(u128::MAX)));
        for text in [
            "",
            "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "7ZZZZZZZZZZZZZZZZZZZZZZZZ",
            "7ZZZZZZZZZZZZZZZZZZZZZZZZU",
            "7ZZZZZZZZZZZZZZZZZZZZZZZ\u{e5}",
        ] {
            assert_eq!(SortedId::parse(text), Err(IdError), "{text}");
        }
    }

    /// (rule: wire/ids)
    #[test]
    fn a_source_only_counts_up_whatever_the_clock_does() {
        let steps = proptest::collection::vec(prop_oneof![Just(0_i64), -5_000..5_000_i64], 1..50);
        laws::holds((any::<u64>(), steps), |(seed, steps)| {
            let mut source = SortedIdSource::new(Seed(seed).stream("sorted"));
            let mut now = Instant::parse("2026-03-02T13:00:00Z").unwrap();
            let mut latest = now;
            let mut last = source.next(now);
            for step in steps {
                now = now.plus(Millis(step));
                latest = latest.max(now);
                let id = source.next(now);
                prop_assert!(id > last);
                prop_assert_eq!(i64::try_from(id.as_u128() >> 80).unwrap(), latest.ms());
                last = id;
            }
            Ok(())
        });
    }

    /// (rule: events/event-id)
    #[test]
    fn an_event_id_depends_on_everything_the_event_is_about() {
        let (a, b) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let ids = [
            event_id(Seed(1), "order.created", &a, 1),
            event_id(Seed(2), "order.created", &a, 1),
            event_id(Seed(1), "order.settled", &a, 1),
            event_id(Seed(1), "order.created", &b, 1),
            event_id(Seed(1), "order.created", &a, 2),
        ];
        assert_eq!(ids[0].to_string(), "2d4d3a9f-e8c6-509d-af18-555f3d7b8b16");
        for (i, id) in ids.iter().enumerate() {
            assert_eq!(id.get_version_num(), 5);
            assert!(!ids[i + 1..].contains(id), "event {i} comes twice");
        }
    }

    #[test]
    fn a_custodian_is_a_short_plain_text() {
        for text in ["x", "fjord-bank_2", "Fjord Banken"] {
            assert_eq!(CustodianId::parse(text).map(|id| id.to_string()), Ok(text.to_string()));
        }
        for text in ["", " a", "a ", "a\nb", &"x".repeat(65)] {
            assert_eq!(CustodianId::parse(text), Err(IdError), "{text}");
        }
    }
}
