//! How hard generated runs go, and in which world.

use super::meeting::Meeting;
use super::step::{ClientNo, FundNo};
use sim::identity::InstrumentId;
use sim::records::Instrument;
use sim::setup::Setup;
use std::sync::LazyLock;

/// Most clients that generated runs act for.
pub const MOST_CLIENTS: usize = 8;

/// What a generator must know of the world it writes for, and how hard it should go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Funds in the setup.
    pub funds: FundNo,
    /// Clients in the setup, over all partners.
    pub clients: ClientNo,
    /// The funds that each client offers, a bit a fund; clients beyond the last place are left alone.
    pub universes: [u64; MOST_CLIENTS],
    /// The funds whose later purchases may be smaller than the first, a bit a fund.
    pub tiered: u64,
    /// Accounts opened before anything else; none means a few, drawn.
    pub accounts: Option<u16>,
    /// Steps in a thousand that are meant to be refused or to do harm.
    pub adverse_step: u16,
    /// Steps in a thousand that move the clock.
    pub waits: u16,
    /// Steps in a thousand that are about journeys and accounts that wait.
    pub journeys: u16,
    /// Steps in a thousand that are about mobile payments, besides what follows from them.
    pub payments: u16,
    /// One far move of the clock in so many goes to a new year, one to the end of somebody's answers.
    pub far: u16,
    /// One move of the clock in so many goes to an instant of the year.
    pub seasons: u16,
    /// Steps in a thousand that begin a rare meeting, while none is under way.
    pub meetings: u16,
    /// The meetings that the run begins again and again.
    pub forced: [Meeting; Meeting::OF_A_RUN],
}

/// Shares of journeys in a thousand steps: seeds take them in turn.
const JOURNEYS: [u16; 4] = [40, 120, 350, 850];

/// How rarely a move of the clock goes to an instant of the year: seeds take them in turn, so that one in three runs for
/// years.
const SEASONS: [u16; 3] = [60, 3, 12];

impl Profile {
    /// A profile of the demo world that goes into every corner.
    #[must_use]
    pub fn wide() -> Self {
        static WIDE: LazyLock<Profile> = LazyLock::new(|| Profile::of(&hosting::setup::demo()));
        *WIDE
    }

    fn of(setup: &Setup) -> Self {
        let mut universes = [0; MOST_CLIENTS];
        let clients = setup.partners.iter().flat_map(|partner| &partner.clients);
        for (universe, client) in universes.iter_mut().zip(clients.clone()) {
            let offered = |fund: &InstrumentId| client.universe.contains(*fund);
            let bits = setup.instruments.iter().map(|fund| u64::from(offered(&fund.id)));
            *universe = bits.enumerate().fold(0, |all, (at, bit)| all | bit << at);
        }
        let tiers = |fund: &Instrument| {
            fund.min_subsequent.is_some_and(|later| later < fund.min_initial.unwrap_or(fund.min_investment))
        };
        let tiered = setup.instruments.iter().enumerate().filter(|(_, fund)| tiers(fund));
        Self {
            tiered: tiered.fold(0, |all, (at, _)| all | 1 << at),
            meetings: 12,
            forced: Meeting::of_seed(0),
            funds: narrow(setup.instruments.len()),
            clients: narrow(clients.count().min(MOST_CLIENTS)),
            universes,
            accounts: None,
            adverse_step: 120,
            waits: 90,
            journeys: JOURNEYS[0],
            payments: 25,
            far: 5,
            seasons: SEASONS[0],
        }
    }

    /// As `wide`, with the share of journeys that a seed has.
    #[must_use]
    pub fn of_seed(seed: u64) -> Self {
        let turn = usize::try_from(seed % JOURNEYS.len() as u64).unwrap_or(0);
        let years = usize::try_from(seed / 3 % SEASONS.len() as u64).unwrap_or(0);
        Self { journeys: JOURNEYS[turn], seasons: SEASONS[years], forced: Meeting::of_seed(seed), ..Self::wide() }
    }

    /// A profile of the demo world with many accounts, most of whose orders go through.
    #[must_use]
    pub fn busy(accounts: u16) -> Self {
        Self {
            accounts: Some(accounts),
            adverse_step: 60,
            waits: 8,
            journeys: 20,
            payments: 5,
            meetings: 0,
            ..Self::wide()
        }
    }
}

fn narrow<T: TryFrom<usize>>(count: usize) -> T {
    T::try_from(count).unwrap_or_else(|_| unreachable!("the demo world has {count} of them"))
}
