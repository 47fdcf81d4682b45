//! Corporate actions, and transfers from custodians.

mod actions;
mod conflicts;
mod plans;
mod resting;
mod slices;
mod transfers;

use crate::common::{Bench, DAILY, id};
use sim::command::{Book, Booked, SetPrice};
use sim::money::{Amount, Price, Ratio};
use sim::query::{self, TransactionFilter};
use sim::records::{Account, CorporateAct};
use sim::store::Window;
use sim::{Class, Command, Reply};
use std::sync::Arc;

/// A Monday.
pub const START: &str = "2026-03-02T08:00:00+01:00";

pub fn ratio(text: &str) -> Ratio {
    Ratio::parse(text).expect("a ratio")
}

pub fn split(factor: &str) -> CorporateAct {
    CorporateAct::Split { factor: ratio(factor) }
}

pub fn merger(into: &str, given: Option<&str>) -> CorporateAct {
    CorporateAct::Merge { into: id(into), ratio: given.map(ratio) }
}

pub fn liquidation(price: Option<&str>) -> CorporateAct {
    CorporateAct::Liquidate { price: price.map(|text| Price::parse(text).expect("a price")) }
}

impl Bench {
    /// Announces an action; a refusal changes nothing, and is answered as its class and words.
    pub fn announce(&mut self, fund: &str, act: CorporateAct) -> Result<(), (Class, String)> {
        self.pull(Command::Announce { instrument: id(fund), act }).map(|_| ())
    }

    /// Pulls a lever; a refusal changes nothing, and is answered as its class and words.
    pub fn pull(&mut self, command: Command) -> Result<Reply, (Class, String)> {
        let before = self.world.digest();
        self.world.apply(self.world.now(), command).map_err(|refusal| {
            assert_eq!(self.world.digest(), before, "a refusal changes nothing");
            (refusal.class, refusal.to_string())
        })
    }

    /// Announces an action and waits for a morning.
    pub fn carry_out(&mut self, fund: &str, act: CorporateAct) {
        self.announce(fund, act).expect("it can be announced");
        let morning = sim::time::stockholm(sim::calendar::next_bank_day(self.world.now().local_date()), 9, 15);
        self.world.advance(morning);
    }

    pub fn set_price(&mut self, fund: &str, day: &str, text: &str) -> Result<Reply, (Class, String)> {
        let price_date = Some(sim::time::parse_date(day).expect("a day"));
        let close_price = Price::parse(text).expect("a price");
        self.pull(Command::SetPrice(SetPrice { instrument: id(fund), close_price, price_date }))
    }

    pub fn book(&mut self, account: &Account, what: Booked) -> Result<Reply, (Class, String)> {
        let partner = self.scope.partner;
        self.pull(Command::Book(Box::new(Book { partner, account: account.id, what, text: Some(Arc::from("why")) })))
    }

    /// Units, settled units, average acquisition value and worth of a position; `None` where there is none.
    pub fn position(&self, account: &Account, fund: &str) -> Option<[String; 4]> {
        let account = self.again(account);
        let view = query::positions(&self.world, &account, self.world.now());
        let view = view.into_iter().find(|view| view.instrument == id(fund))?;
        let value = view.value.map_or("none".to_owned(), |value| value.to_string());
        Some([view.units.to_string(), view.units_settled.to_string(), view.gav.normalize().to_string(), value])
    }

    /// The cash transactions of an account: type, `refType` and amount.
    pub fn cash(&self, account: &Account) -> Vec<String> {
        let filter = TransactionFilter { account: Some(account.id), ..TransactionFilter::default() };
        let all = query::cash_transactions(&self.world, self.scope.client, &Window::default(), &filter);
        all.iter().map(|one| format!("{:?} {:?} {}", one.kind, one.ref_type, one.amount)).collect()
    }

    /// The fund transactions of an account: fund, type, `refType`, units, price, and whether they are settled.
    pub fn funds(&self, account: &Account) -> Vec<String> {
        let filter = TransactionFilter { account: Some(account.id), ..TransactionFilter::default() };
        let all = query::fund_transactions(&self.world, self.scope.client, &Window::default(), &filter);
        let one = |one: &Arc<sim::records::FundTransaction>| {
            let price = one.price.map_or("-".to_owned(), |price| price.to_string());
            let settled = if one.settlement.is_some() { "" } else { " unsettled" };
            format!("{} {:?} {:?} {} at {price}{settled}", one.instrument, one.kind, one.ref_type, one.units)
        };
        all.iter().map(one).collect()
    }

    pub fn close(&self, fund: &str) -> String {
        let view = query::instrument(&self.world, id(fund)).expect("a fund");
        view.close_price.expect("a price").to_string()
    }

    pub fn value(&self, account: &Account) -> Amount {
        query::value(&self.world, &self.again(account))
    }
}

/// An account with cash and the position of the worked example: 64.3377 units that have cost 131.190325 each.
pub fn example(bench: &mut Bench) -> Arc<Account> {
    let anna = bench.account(bench.open("15000"));
    bench.set_price(DAILY, "2026-03-02", "123.45").expect("within bounds");
    bench.set_price(DAILY, "2026-03-03", "150.00").expect("within bounds");
    bench.order(bench.buy(&anna, DAILY, "10000"));
    bench.to("2026-03-03T08:00:00+01:00");
    bench.order(bench.buy(&anna, DAILY, "5000"));
    bench.to("2026-03-05T09:00:00+01:00");
    bench.order(bench.sell(&anna, DAILY, "50"));
    bench.to("2026-03-10T09:00:00+01:00");
    anna
}
