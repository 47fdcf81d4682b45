//! An exercise as a scenario file: what happens, and what the application must say at rest.
//!
//! Invariant: the file is what is played. An application is right where it holds what the service says, to the last digit, and where the
//! service has as many orders as its customers have asked for. Absent on purpose: how the file is played (`runner`).

use super::bad_days::BAD_DAYS;
use super::map::ApplicationMap;
use super::step::{ExerciseStep, MOST_CUSTOMERS, MOVES};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

/// What no customer spends: fees may be charged.
const RESERVE: u32 = 100;
/// How often what is spent at once is there: an application that asks twice is not refused for want of cash, but found at rest.
const ROOM: u32 = 3;
/// Bank days after which a purchase has settled.
const SETTLED_AFTER: u32 = 5;
/// Bank days after which a payout has been paid, at whatever time of day it was asked for.
const PAID_AFTER: u32 = 3;
/// For how long the application is asked at rest.
const WITHIN: &str = "2 seconds";

/// Something that must be so at rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// As many orders of a customer as were asked for.
    Orders(usize),
    /// The cash of a customer.
    Cash(usize),
    /// The units of a customer in a fund.
    Units(usize, usize),
}

/// A scenario file, and which lines of it are which check.
pub(super) struct Written {
    pub(super) text: String,
    pub(super) checks: Vec<(Range<u32>, Check)>,
    /// How many of the steps did something.
    pub(super) steps: usize,
}

/// How a file that is used is written.
pub(super) type PathOf<'p> = &'p dyn Fn(&Path) -> String;

/// What is known of a customer so far.
#[derive(Default)]
struct Person {
    /// Kronor that are there at least.
    cash: u32,
    is_connected: bool,
    orders: usize,
    /// Funds that were bought, with the day of the last purchase; `None` once they are sold.
    funds: BTreeMap<usize, Option<u32>>,
}

struct Story<'m> {
    map: &'m ApplicationMap,
    path_of: PathOf<'m>,
    text: String,
    people: Vec<Person>,
    /// Whether there is more than one customer, so that names have numbers.
    is_crowd: bool,
    /// Bank days that have passed at least.
    days: u32,
    /// The day of the last payout that did not come back.
    payout: Option<u32>,
    /// Funds that can be neither bought nor sold, with the day from which they can be.
    closed: BTreeMap<usize, u32>,
    keys: usize,
    has_rule: bool,
}

/// The file; with `only` one check at its end, otherwise all.
pub(super) fn written(
    map: &ApplicationMap,
    head: &str,
    drawn: &[ExerciseStep],
    only: Option<&Check>,
    path_of: PathOf<'_>,
) -> Written {
    let people = drawn.iter().filter(|step| matches!(step, ExerciseStep::Customer(_))).count();
    let mut story = Story {
        map,
        path_of,
        text: head.to_owned(),
        people: Vec::new(),
        is_crowd: people > 1,
        days: 0,
        payout: None,
        closed: BTreeMap::new(),
        keys: 0,
        has_rule: false,
    };
    if let Some(fresh) = map.fragment("fresh") {
        story.line(&format!("  - use: {}", quoted(&(path_of)(fresh))));
        // What fails is tried again while the story waits.
        story.line("  - call: PATCH /_sandbox/worlds/current/settings\n    body: { deliveryWaitsSeconds: [1, 1, 1] }");
    }
    let steps = drawn.iter().filter(|step| story.step(**step)).count();
    if story.has_rule {
        story.line("  - remove faults");
    }
    if !matches!(drawn.last(), Some(ExerciseStep::Night)) {
        story.night();
    }
    let mut checks = Vec::new();
    for check in story.checks() {
        if only.is_none_or(|only| *only == check) {
            let begin = story.next_line();
            story.check(&check);
            checks.push((begin..story.next_line(), check));
        }
    }
    Written { text: story.text, checks, steps }
}

impl Story<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn next_line(&self) -> u32 {
        u32::try_from(self.text.lines().count() + 1).unwrap_or(u32::MAX)
    }

    /// The names of a customer and of the account.
    fn names(&self, who: usize) -> (String, String) {
        if self.is_crowd {
            (format!("customer {}", who + 1), format!("account {}", who + 1))
        } else {
            ("customer".to_owned(), "account".to_owned())
        }
    }

    /// Uses the application for a customer.
    fn using(&mut self, key: &str, who: usize, values: &str) -> bool {
        let Some(fragment) = self.map.fragment(key) else { return false };
        let file = quoted(&(self.path_of)(fragment));
        let (customer, account) = self.names(who);
        let whose = if self.is_crowd {
            format!("customer: \"{{{customer}}}\", account: \"{{{account}}}\"")
        } else {
            String::new()
        };
        let values =
            [whose.as_str(), values].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        self.line(&format!("  - use: {file}"));
        if !values.is_empty() {
            self.line(&format!("    with: {{ {values} }}"));
        }
        true
    }

    /// A customer among those that there are.
    fn who(&self, drawn: u8) -> Option<usize> {
        (!self.people.is_empty()).then(|| usize::from(drawn) % self.people.len())
    }

    fn fund(&self, drawn: u8) -> Option<usize> {
        (!self.map.funds.is_empty()).then(|| usize::from(drawn) % self.map.funds.len())
    }

    /// Whether a fund can be neither bought nor sold at the moment.
    fn is_closed(&self, fund: usize) -> bool {
        self.closed.get(&fund).is_some_and(|opens| self.days < *opens)
    }

    /// Writes a step; whether it does anything.
    fn step(&mut self, step: ExerciseStep) -> bool {
        self.written_step(step).unwrap_or(false)
    }

    fn written_step(&mut self, step: ExerciseStep) -> Option<bool> {
        Some(match step {
            ExerciseStep::Customer(thousands) => self.customer(thousands),
            ExerciseStep::Deposit(who, amount) => {
                let who = self.who(who)?;
                let key = self.key(who);
                let is_done = self.using("deposit", who, &format!("amount: \"{amount}.00\", {key}"));
                self.people[who].cash += if is_done { u32::from(amount) } else { 0 };
                is_done
            }
            ExerciseStep::Buy(who, fund, amount, again) => {
                let (who, fund) = (self.who(who)?, self.fund(fund)?);
                self.buy(who, fund, u32::from(amount), again)
            }
            ExerciseStep::Sell(who, fund) => {
                let (who, fund) = (self.who(who)?, self.fund(fund)?);
                let bought = (*self.people[who].funds.get(&fund)?)?;
                if self.days < bought + SETTLED_AFTER || self.is_closed(fund) {
                    return None;
                }
                let key = self.key(who);
                let is_done = self.using("sell", who, &format!("fund: {}, {key}", self.map.funds[fund]));
                if is_done {
                    self.people[who].funds.insert(fund, None);
                    self.people[who].orders += 1;
                }
                is_done
            }
            ExerciseStep::Connect(who) => {
                let who = self.who(who).filter(|who| !self.people[*who].is_connected)?;
                self.people[who].is_connected = self.using("connect", who, "");
                self.people[who].is_connected
            }
            ExerciseStep::Withdraw(who, amount) => {
                let (who, amount) = (self.who(who)?, u32::from(amount));
                if !self.people[who].is_connected || self.people[who].cash < ROOM * amount + RESERVE {
                    return None;
                }
                let key = self.key(who);
                let is_done = self.using("withdraw", who, &format!("amount: \"{amount}.00\", {key}"));
                if is_done {
                    self.people[who].cash -= amount;
                    self.payout = Some(self.days);
                }
                is_done
            }
            ExerciseStep::Bounce => {
                self.payout.filter(|day| day + PAID_AFTER <= self.days)?;
                self.payout = None;
                self.line("  - bounce payout: payout");
                true
            }
            ExerciseStep::Night => self.night(),
            ExerciseStep::Move(row) => {
                let (words, days) = MOVES[usize::from(row) % MOVES.len()];
                self.days += days;
                self.line(&format!("  - advance: {words}"));
                true
            }
            ExerciseStep::Bad(row, fund) => {
                let day = &BAD_DAYS[usize::from(row) % BAD_DAYS.len()];
                let fund = self.fund(fund)?;
                if !day.is_rule && self.is_closed(fund) {
                    return None;
                }
                self.has_rule |= day.is_rule;
                if day.closes > 0 {
                    self.closed.insert(fund, self.days + day.closes);
                }
                let step = day.step.replace("{fund}", &self.map.funds[fund]);
                self.line(&format!("  # {}\n  - {step}", day.about));
                true
            }
        })
    }

    fn customer(&mut self, thousands: u8) -> bool {
        if self.people.len() >= MOST_CUSTOMERS {
            return false;
        }
        let who = self.people.len();
        let Some(fragment) = self.map.fragment("customer") else { return false };
        let file = quoted(&(self.path_of)(fragment));
        let cash = u32::from(thousands) * 1_000;
        self.line(&format!("  - use: {file}\n    with: {{ cash: \"{cash}.00\" }}"));
        self.people.push(Person { cash, ..Person::default() });
        if self.is_crowd {
            let number = who + 1;
            self.line(&format!(
                "  - let: {{ customer {number}: \"{{customer}}\", account {number}: \"{{account}}\" }}"
            ));
        }
        true
    }

    fn buy(&mut self, who: usize, fund: usize, amount: u32, again: u8) -> bool {
        if self.people[who].cash < ROOM * amount + RESERVE || self.is_closed(fund) {
            return false;
        }
        let key = self.key(who);
        let values = format!("fund: {}, amount: \"{amount}.00\", {key}", self.map.funds[fund]);
        for _ in 0..=again {
            if !self.using("buy", who, &values) {
                return false;
            }
        }
        let days = self.days;
        let person = &mut self.people[who];
        person.cash -= amount;
        person.orders += 1;
        person.funds.insert(fund, Some(days));
        true
    }

    fn night(&mut self) -> bool {
        let Some(fragment) = self.map.fragment("rest") else { return false };
        let file = quoted(&(self.path_of)(fragment));
        self.line(&format!("  - use: {file}"));
        true
    }

    /// A key that no other request of the run has, and no other run: customers are new in each.
    fn key(&mut self, who: usize) -> String {
        self.keys += 1;
        format!("key: \"{} of {{{}}}\"", self.keys, self.names(who).0)
    }

    fn checks(&self) -> Vec<Check> {
        let mut found = Vec::new();
        for (who, person) in self.people.iter().enumerate() {
            found.push(Check::Orders(who));
            found.push(Check::Cash(who));
            if self.map.units.is_some() {
                found.extend(person.funds.keys().map(|fund| Check::Units(who, *fund)));
            }
        }
        found
    }

    fn check(&mut self, check: &Check) {
        match *check {
            Check::Orders(who) => {
                let (orders, account) = (self.people[who].orders, self.names(who).1);
                self.line("  # The service has as many orders as the customer has asked for.");
                self.line("  - call: GET /order");
                self.line(&format!(
                    "    query: {{ account: \"{{{account}}}\" }}\n    expect: {{ body: {{ length: {orders} }} }}"
                ));
            }
            Check::Cash(who) => {
                let account = self.names(who).1;
                self.line(&format!("  - expect cash of {{{account}}}: any\n    save: cash"));
                let path = self.path(&self.map.cash.clone(), who, None);
                self.holds(who, &path, "\"{cash}\"", "  ");
            }
            Check::Units(who, fund) => {
                let Some(row) = self.map.units.clone() else { return };
                let (account, isin) = (self.names(who).1, self.map.funds[fund].clone());
                self.line(&format!("  - expect units of {{{account}}} in {isin}: any\n    save: units"));
                let path = self.path(&row, who, Some(&isin));
                self.line("  - when: { units: 0 }\n    steps:");
                self.holds(who, &path, "{ one of: [0, absent] }", "      ");
                self.line("    otherwise:");
                self.holds(who, &path, "\"{units}\"", "      ");
            }
        }
    }

    /// That the application's answer about a customer has this at a path.
    fn holds(&mut self, who: usize, path: &str, expected: &str, indent: &str) {
        let (holdings, path) = (quoted(&self.path(&self.map.holdings, who, None)), Json::from(path));
        let mut text = String::new();
        // A string takes everything.
        writeln!(text, "{indent}- expect app: {holdings}").unwrap_or_default();
        writeln!(text, "{indent}  expect: {{ body: {{ {path}: {expected} }} }}").unwrap_or_default();
        write!(text, "{indent}  within: {WITHIN}").unwrap_or_default();
        self.line(&text);
    }

    /// A row with the names of a customer, and a fund.
    fn path(&self, row: &str, who: usize, fund: Option<&str>) -> String {
        let (customer, account) = self.names(who);
        let row = row.replace("{account}", &format!("{{{account}}}")).replace("{customer}", &format!("{{{customer}}}"));
        match fund {
            Some(fund) => row.replace("{fund}", fund),
            None => row,
        }
    }
}

/// A text as YAML takes it wherever it stands.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | ' ');
    if text.chars().all(is_plain) { text.to_owned() } else { Json::from(text).to_string() }
}
