//! One generated step about journeys: what a partner, a customer or an outsider does.
//!
//! Invariant: a step names what it uses by the journey that made it, so that taking steps away leaves the meaning of the
//! others; a step about what was never made does nothing. Absent on purpose: ids, and the texts that are filled in.

use crate::shrink::Plainer;
use sim::command::{CustodianAct, Decision, ScreeningHit, SignOutcome};

/// Name of a journey: the number its starting step carries.
pub type JourneyNo = u16;

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// The partner starts a journey.
    Start(Start),
    /// The customer opens it.
    Open(JourneyNo),
    /// The customer follows its link, as often as it leads anywhere.
    Link(JourneyNo),
    /// The customer fills in the step it stands at; 0 takes what is suggested, other numbers choose for themselves.
    Answer(JourneyNo, u16),
    /// The customer uses the electronic identity.
    Sign(JourneyNo, SignOutcome),
    /// The customer walks all that remains, with answers chosen as in `Answer`.
    Complete(JourneyNo, u16),
    /// The customer leaves.
    Cancel(JourneyNo),
    /// Something else stops it, by the place of the code.
    Fail(JourneyNo, u8),
    /// Its time is up.
    Expire(JourneyNo),
    /// The platform decides about the account that it opened.
    Decide(JourneyNo, Decision),
    /// The bank checks the newest bank account of that account.
    Check(JourneyNo, bool),
    /// The bank advises of its mandate, by the place of the code.
    Advise(JourneyNo, u8),
    /// A custodian moves a transfer of the account that is under way.
    Custodian(JourneyNo, CustodianAct),
    /// A person is found on a list, by the place among the regular customers.
    Screen(u8, ScreeningHit),
    /// The partner orders for the account.
    Buy(JourneyNo),
    /// The partner closes the account.
    Close(JourneyNo),
    /// So many hours and milliseconds pass.
    Wait(u16, u32),
}

/// A journey to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// How later steps call it.
    pub name: JourneyNo,
    /// Place of its type among the eight.
    pub kind: u8,
    /// Place of the account type: ISK, depot, insurance.
    pub account: u8,
    /// Place among the regular customers; the first is whoever comes.
    pub person: u8,
    /// The journey whose account or submission it is about.
    pub of: JourneyNo,
    /// What else is configured, a bit each.
    pub options: u16,
}

/// The bits of `Start::options`.
pub mod options {
    /// A mandate must be signed.
    pub const MANDATE: u16 = 1;
    /// A mandate may be signed.
    pub const MANDATE_OFFERED: u16 = 1 << 1;
    /// The bank account must be a new one.
    pub const NEW_BANK: u16 = 1 << 2;
    /// Something moves over from a custodian.
    pub const TRANSFER: u16 = 1 << 3;
    /// The customer may skip that.
    pub const TRANSFER_OPTIONAL: u16 = 1 << 4;
    /// The account there may be left out.
    pub const SOURCE_OPTIONAL: u16 = 1 << 5;
    /// A first page tells of it.
    pub const WELCOME: u16 = 1 << 6;
    /// An allocation plan is asked for.
    pub const ALLOCATION: u16 = 1 << 7;
    /// A savings plan is asked for.
    pub const SAVINGS: u16 = 1 << 8;
    /// The partner's data are as long as they may be.
    pub const LONG_SCOPE: u16 = 1 << 9;
    /// They are one character longer.
    pub const TOO_LONG_SCOPE: u16 = 1 << 10;
    /// How many bits there are.
    pub const COUNT: u32 = 11;
}

impl Plainer for Walk {
    fn plainer(&self) -> Vec<Self> {
        match *self {
            Self::Start(start) => start_plainer(start).into_iter().map(Self::Start).collect(),
            Self::Answer(journey, pick) if pick != 0 => vec![Self::Answer(journey, 0)],
            Self::Complete(journey, pick) if pick != 0 => vec![Self::Complete(journey, 0)],
            Self::Sign(journey, outcome) if outcome != SignOutcome::Sign => {
                vec![Self::Complete(journey, 0), Self::Sign(journey, SignOutcome::Sign)]
            }
            Self::Sign(journey, _) => vec![Self::Complete(journey, 0), Self::Open(journey)],
            Self::Cancel(journey) | Self::Fail(journey, _) => vec![Self::Open(journey), Self::Complete(journey, 0)],
            _ => Vec::new(),
        }
    }

    fn weight(&self) -> u32 {
        match *self {
            Self::Start(start) => {
                let chosen = [start.kind, start.account, start.person].map(|place| u32::from(place.min(1)));
                start.options.count_ones() * 2 + chosen.iter().sum::<u32>()
            }
            Self::Open(_) | Self::Link(_) | Self::Wait(..) => 0,
            Self::Complete(_, pick) => 1 + u32::from(pick.min(1)),
            Self::Answer(_, pick) => 3 + u32::from(pick.min(1)),
            Self::Sign(_, outcome) => 3 + u32::from(outcome != SignOutcome::Sign),
            _ => 2,
        }
    }

    fn numbers(&self) -> Vec<(u64, u64)> {
        match *self {
            Self::Wait(hours, ms) => vec![(u64::from(hours), 0), (u64::from(ms), 0)],
            _ => Vec::new(),
        }
    }

    fn with_number(&self, at: usize, value: u64) -> Self {
        match (*self, at) {
            (Self::Wait(_, ms), 0) => Self::Wait(u16::try_from(value).unwrap_or(u16::MAX), ms),
            (Self::Wait(hours, _), _) => Self::Wait(hours, u32::try_from(value).unwrap_or(u32::MAX)),
            (other, _) => other,
        }
    }

    fn folded(&self, next: &Self) -> Option<Self> {
        match (*self, *next) {
            (Self::Wait(one, ms), Self::Wait(other, _)) => Some(Self::Wait(one.saturating_add(other), ms)),
            _ => None,
        }
    }
}

fn start_plainer(start: Start) -> Vec<Start> {
    let mut plainer = vec![
        Start { kind: 0, account: 0, person: 0, options: 0, ..start },
        Start { options: 0, ..start },
        Start { account: 0, ..start },
        Start { person: 0, ..start },
    ];
    let set = (0..options::COUNT).filter(|bit| start.options >> bit & 1 == 1);
    plainer.extend(set.clone().map(|bit| Start { kind: 0, account: 0, person: 0, options: 1 << bit, ..start }));
    plainer.extend(set.map(|bit| Start { options: start.options & !(1 << bit), ..start }));
    plainer
}
