//! One generated step: what is done, to what, with which numbers.
//!
//! Owns: every step of every generated run, of orders, journeys and all else alike.
//!
//! Invariant: a step names what it uses by the step that made it, never by position, so that removing steps leaves the
//! meaning of the others as it was; a step that names what was never made does nothing. Small and `Copy`: a run is a plain
//! list of these. Absent on purpose: ids, instants and prices, which only a world knows.

mod accounts;
mod journeys;
mod orders;
mod payments;
mod securities;

pub use accounts::{Bank, ClientChange, ClientFlaw, Forgotten, HolderKind, Holdings, NewClient, Open, PlanChange};
pub use journeys::{Journey, Start, options};
pub use orders::{Buy, Limit, Proceeds, Sell, Share, Slip, Sum};
pub use payments::{
    Ask, Device, Instruct, InstructionName, Money, PaymentAct, PaymentName, Taken, Withdraw, WithdrawalSlip,
};
pub use securities::{Action, Booked, PriceDay, SetPrice, Trading};

use sim::command::{CustodianAct, Decision, ScreeningHit};
use sim::rng::Stream;
use sim::timers::Timer;

/// Name of an account, and of a journey and the account that it opens: the number of the step that made it.
pub type Name = u16;
/// Name of an order: the number its placing step carries.
pub type OrderName = u32;
/// A fund by its place in the setup.
pub type FundNo = u8;
/// A client by its place in the setup, counted over all partners; clients made in the run come after those.
pub type ClientNo = u8;
/// A person by its place among those who come again.
pub type PersonNo = u8;

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// An account at once.
    Open(Open),
    /// The partner subscribes.
    Buy(Buy),
    /// The partner redeems.
    Sell(Sell),
    /// The partner cancels.
    Cancel(OrderName),
    /// The back office parks an order.
    Hold(OrderName),
    /// The back office releases a parked order.
    Release(OrderName),
    /// The fund company refuses an order.
    Reject(OrderName),
    /// The bank sends back the payout that an order ended in.
    Bounce(OrderName),
    /// The partner takes cash out of an account.
    Withdraw(Withdraw),
    /// The bank sends back the newest withdrawal of an account.
    SendBack(Name),
    /// The fund company sets a price.
    Price(SetPrice),
    /// The fund company opens or closes trading.
    Trading(Trading),
    /// The fund company publishes its next price late.
    DelayNav {
        /// Which fund.
        fund: FundNo,
        /// How late; 0 is refused.
        bank_days: u8,
    },
    /// The fund company announces a corporate action.
    Action(FundNo, Action),
    /// The back office books something on an account.
    Book(Name, Booked),
    /// The partner closes an account.
    Close(Name),
    /// The partner starts a journey.
    Start(Start),
    /// Something happens to a journey.
    Journey(Name, Journey),
    /// The platform decides about an account that waits.
    Decide(Name, Decision),
    /// The bank checks the newest bank account of an account: whether it passes.
    Check(Name, bool),
    /// The bank advises of its mandate, by the place of the code.
    Advise(Name, u8),
    /// A custodian moves a transfer of an account that is under way.
    Custodian(Name, CustodianAct),
    /// An owner is found on a list, or cleared.
    Screen(PersonNo, ScreeningHit),
    /// The owner of an account dies.
    Death(Name),
    /// The partner changes or deletes a plan of an account.
    Plan(Name, PlanChange),
    /// A partner creates a client.
    NewClient(NewClient),
    /// A partner changes a client.
    ChangeClient(ClientNo, ClientChange),
    /// The platform forgets something.
    Purge(Forgotten),
    /// The partner asks a payer for a mobile payment.
    Ask(Ask),
    /// The payers of an account are refused, by the place of the code, or no longer.
    Payers(Name, Option<u8>),
    /// Something happens to a mobile payment.
    Payment(PaymentName, PaymentAct),
    /// Money comes in, or what brings it is stopped or undone.
    Money(Money),
    /// The clock moves.
    Wait(Wait),
}

/// A move of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// So many milliseconds.
    Ms(u32),
    /// So many calendar days, to the same local time of day.
    Days(u16),
    /// So many bank days, to the same local time of day.
    BankDays(u16),
    /// To an instant at which something changes, and so many milliseconds on (or back).
    To(Edge, i32),
}

/// An instant at which something changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edge {
    /// A fund's next cut-off.
    CutOff(FundNo),
    /// Whatever is due next.
    Due,
    /// The next timer of that kind; where none is due soon, of the next kind that has one.
    Timer(TimerKind),
    /// The next midnight in Stockholm.
    Midnight,
    /// The midnight that ends the month in Stockholm.
    Month,
    /// The next noon in Stockholm.
    Noon,
    /// The next new year in Stockholm.
    Year,
    /// The day after the answers of an account's owner expire.
    Kyc(Name),
    /// The end of a journey's link.
    Expiry(Name),
    /// The next time that something of the year comes.
    Season(Season),
}

/// What comes again every quarter or year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Season {
    /// The midnight that ends a quarter.
    QuarterEnd,
    /// Charges fall due.
    Charges,
    /// Retrocessions are paid.
    Retrocessions,
    /// Noon of Christmas Eve.
    Christmas,
    /// The midnight that begins 29 February.
    LeapDay,
    /// Clocks are put forward.
    Forward,
    /// Clocks are put back.
    Back,
}

/// A kind of timer, by its place among all kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimerKind(u8);

impl TimerKind {
    /// The kind that is said so.
    ///
    /// # Panics
    /// When no timer is of that kind: a mistake in the words.
    #[must_use]
    pub fn of(what: &str) -> Self {
        let place = Timer::ALL_WHAT.iter().position(|known| *known == what);
        Self(place.and_then(|place| u8::try_from(place).ok()).unwrap_or_else(|| panic!("no timer is `{what}`")))
    }

    /// Any kind.
    pub fn any(stream: &mut Stream) -> Self {
        Self::of(stream.pick::<&str>(Timer::ALL_WHAT))
    }

    /// How many kinds after this one, going round, another kind comes.
    #[must_use]
    pub fn steps_to(self, other: Self) -> usize {
        let (own, other, all) = (usize::from(self.0), usize::from(other.0), Timer::ALL_WHAT.len());
        (other + all - own) % all
    }
}
