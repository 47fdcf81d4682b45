//! How hard generated runs go, and in which world.

use super::step::{ClientNo, FundNo};

/// What a generator must know of the world it writes for, and how hard it should go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Funds in the setup.
    pub funds: FundNo,
    /// Clients in the setup, over all partners.
    pub clients: ClientNo,
    /// Accounts opened before anything else; none means a few, drawn.
    pub accounts: Option<u16>,
    /// Steps in a thousand that are meant to be refused or to do harm.
    pub mischief: u16,
    /// Steps in a thousand that move the clock.
    pub waits: u16,
}

impl Profile {
    /// A profile of the demo world that goes into every corner.
    #[must_use]
    pub fn wide() -> Self {
        let setup = sandbox::setup::demo();
        let clients = setup.partners.iter().map(|partner| partner.clients.len()).sum::<usize>();
        Self {
            funds: narrow(setup.instruments.len()),
            clients: narrow(clients),
            accounts: None,
            mischief: 120,
            waits: 90,
        }
    }

    /// A profile of the demo world with many accounts, most of whose orders go through.
    #[must_use]
    pub fn busy(accounts: u16) -> Self {
        Self { accounts: Some(accounts), mischief: 60, waits: 25, ..Self::wide() }
    }
}

fn narrow<T: TryFrom<usize>>(count: usize) -> T {
    T::try_from(count).unwrap_or_else(|_| unreachable!("the demo world has {count} of them"))
}
