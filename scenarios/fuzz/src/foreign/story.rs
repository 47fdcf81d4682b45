//! A conversation as a scenario file: what is asked, and what must follow by the rules.
//!
//! Invariant: the file is what is played. What a rule leaves open while time passes (when a cut-off comes, an order is no longer
//! received) is left open here. Absent on purpose: how the file is played (`runner`).

use super::server_facts::{Accounts, CASH, Fund, ServerFacts};
use super::step::{ForeignStep, Wrong};
use language::ast::Scenario;
use language::diagnostic::{Diagnostic, Source};
use language::parse::{OnDisk, parse};
use std::fmt::Write as _;

/// What an order can have become that was taken a moment ago.
const TAKEN: &str = "{ one of: [received, hold, pending, sent] }";

/// An error as the API says it.
const AN_ERROR: &str = "{ error: any, error_description: any }";

/// How an id is refused that is not there, or not for everybody: as a wrong field, or as nothing that there is.
const NOT_THERE: &str = "{ one of: [400, 403, 404] }";

/// An id that nobody has.
const NOBODY: &str = "00000000-0000-4000-8000-00000000dead";

/// What the file knows so far.
struct Story<'g> {
    ground: &'g ServerFacts,
    out: String,
    /// Whole kronor that are free on each account, and whether it was named.
    free: Vec<(u64, bool)>,
    orders: Vec<Order>,
    journeys: usize,
}

#[derive(Clone, Copy)]
struct Order {
    account: usize,
    is_canceled: bool,
}

/// The file.
pub(super) fn written(seed: u64, ground: &ServerFacts, drawn: &[ForeignStep]) -> String {
    let free = match &ground.accounts {
        Accounts::Opened => vec![(CASH, false); 3],
        Accounts::Found(found) => found.iter().map(|(_, free)| (*free, false)).collect(),
    };
    let mut story = Story { ground, out: String::new(), free, orders: Vec::new(), journeys: 0 };
    story.line(format_args!("fundsim: 1\nscenario: A conversation of seed {seed}\nworld: {{ seed: {seed} }}\nsteps:"));
    story.line(format_args!("  - call: GET /ping"));
    drawn.iter().for_each(|step| story.step(*step));
    story.booked();
    story.free_again();
    story.out
}

/// The story in a file.
pub(super) fn read(text: &str) -> Result<Scenario, String> {
    let source = Source::new("conversation.yaml", text);
    let text_of = |faults: Vec<Diagnostic>| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    parse(&source, &OnDisk).map_err(text_of)
}

impl Story<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // A string takes everything.
        self.out.write_fmt(text).unwrap_or_default();
        self.out.push('\n');
    }

    fn step(&mut self, step: ForeignStep) {
        match step {
            ForeignStep::Buy(account, fund, times, ore) => self.buy(account, fund, times, ore),
            ForeignStep::Refused(account, fund, wrong) => self.refused(account, fund, wrong),
            ForeignStep::Cancel(back) => self.cancel(back),
            ForeignStep::Read(back) => self.read(back),
            ForeignStep::Pages(account, limit) => self.pages(account, usize::from(limit)),
            ForeignStep::Filter(account, canceled) => self.filter(account, canceled),
            ForeignStep::Account(account) => self.account_read(account),
            ForeignStep::Missing(what) => self.missing(what),
            ForeignStep::OtherClient(account, what) => self.other_client(account, what),
            ForeignStep::Journey => self.journey(),
        }
    }

    /// The number of an account, named before it is used.
    fn account(&mut self, drawn: u8) -> usize {
        let at = usize::from(drawn) % self.free.len();
        if !self.free[at].1 {
            self.free[at].1 = true;
            match &self.ground.accounts {
                Accounts::Opened => {
                    self.line(format_args!("  - open account: {{ as: a{at}, type: isk, cash: {CASH} }}"));
                }
                Accounts::Found(found) => {
                    let id = found[at].0.clone();
                    self.line(format_args!("  - call: GET /account/{id}\n    save: a{at}"));
                }
            }
        }
        at
    }

    fn fund(&self, drawn: u8) -> Fund {
        self.ground.funds[usize::from(drawn) % self.ground.funds.len()].clone()
    }

    fn buy(&mut self, account: u8, fund: u8, times: u8, ore: u8) {
        let (at, fund) = (self.account(account), self.fund(fund));
        let (whole, name) = (fund.least * u64::from(times), self.orders.len());
        // Whatever hundredths there are beside it.
        if whole + 1 > self.free[at].0 {
            return;
        }
        self.free[at].0 -= whole + 1;
        let amount = match ore % 100 {
            0 => whole.to_string(),
            ore => format!("{whole}.{ore:02}"),
        };
        self.orders.push(Order { account: at, is_canceled: false });
        let id = fund.id;
        self.line(format_args!(
            "  - subscribe: {{ as: o{name}, account: a{at}, instrument: {id}, amount: {amount}, clientRef: o{name} }}\n    \
             expect: {{ status: 200, body: {{ id: any, orderType: subscription, status: received, account: \"{{a{at}.id}}\", \
             instrument: {id}, amount: {amount}, clientRef: o{name}, canceledDate: absent }} }}\n  \
             - expect event: {{ order.create: {{ payload.current: {{ id: \"{{o{name}.id}}\", sortedId: \"{{o{name}.sortedId}}\" }} }} }}"
        ));
    }

    fn refused(&mut self, account: u8, fund: u8, wrong: Wrong) {
        let (at, fund) = (self.account(account), self.fund(fund));
        let own = format!("\"{{a{at}.id}}\"");
        let (account, instrument, amount) = match wrong {
            Wrong::TooMuch => (own, fund.id, format!("{}", self.all(at) + 1)),
            Wrong::Nothing => (own, fund.id, "0".to_owned()),
            Wrong::Negative => (own, fund.id, "-500".to_owned()),
            Wrong::Decimals => (own, fund.id, format!("{}.001", fund.least)),
            Wrong::Fund => (own, "XX0000000000SEK".to_owned(), fund.least.to_string()),
            Wrong::Account => (NOBODY.to_owned(), fund.id, fund.least.to_string()),
            Wrong::Empty => (own, fund.id, "null".to_owned()),
            Wrong::Unreadable => (own, "[".to_owned(), String::new()),
            Wrong::TooLittle if fund.least < 2 => return,
            Wrong::TooLittle => (own, fund.id, "0.01".to_owned()),
        };
        self.line(format_args!("  - call: GET /account/{{a{at}}}\n    save: before"));
        let body = if wrong == Wrong::Unreadable {
            "text: '{\"orderType\": '".to_owned()
        } else {
            format!(
                "body: {{ orderType: subscription, account: {account}, instrument: {instrument}, amount: {amount} }}"
            )
        };
        let status = if wrong == Wrong::Account { NOT_THERE } else { "400" };
        self.line(format_args!(
            "  - call: POST /order\n    {body}\n    expect: {{ status: {status}, body: {AN_ERROR} }}"
        ));
        self.line(format_args!(
            "  - call: GET /account/{{a{at}}}\n    expect: {{ body: {{ balance: {{ at most: \"{{before.balance}}\" }}, bankAccounts: \"{{before.bankAccounts}}\" }} }}"
        ));
        self.count_orders(at);
    }

    /// All that an account can have had, whatever orders have taken.
    fn all(&self, at: usize) -> u64 {
        let of_orders = self.orders.iter().filter(|order| order.account == at).count() as u64;
        let most = self.ground.funds.iter().map(|fund| fund.least).max().unwrap_or(0);
        self.free[at].0 + of_orders * most * 4 + 1_000_000_000
    }

    fn cancel(&mut self, back: u8) {
        let Some(name) = self.chosen(back) else { return };
        let order = self.orders[name];
        if order.is_canceled {
            self.line(format_args!("  - cancel: o{name}\n    expect: {{ status: 200, body: {{ status: canceled }} }}"));
            return;
        }
        self.orders[name].is_canceled = true;
        self.line(format_args!(
            "  - cancel: o{name}\n    expect: {{ status: 200, body: {{ id: \"{{o{name}.id}}\", status: canceled, canceledDate: any }} }}\n  \
             - expect event: {{ order.update: {{ payload.current: {{ id: \"{{o{name}.id}}\", status: canceled }} }} }}\n  \
             - expect order o{name}: {{ status: canceled, canceledDate: any, sortedId: \"{{o{name}.sortedId}}\" }}\n  \
             - {{ call: \"GET /transaction/cash?ref={{o{name}.id}}\", expect: {{ body: {{ $: {{ each: {{ aborted: true }} }} }} }} }}"
        ));
    }

    fn chosen(&self, back: u8) -> Option<usize> {
        (!self.orders.is_empty()).then(|| self.orders.len() - 1 - usize::from(back) % self.orders.len())
    }

    fn read(&mut self, back: u8) {
        let Some(name) = self.chosen(back) else { return };
        let (at, status) = (self.orders[name].account, self.status(name));
        self.line(format_args!(
            "  - expect order o{name}: {{ status: {status}, createdDate: \"{{o{name}.createdDate}}\", clientRef: o{name} }}\n  \
             - call: GET /order?account={{a{at}.id}}&clientRef=o{name}\n    \
             expect: {{ body: [{{ id: \"{{o{name}.id}}\", status: {status} }}] }}"
        ));
    }

    const fn status(&self, name: usize) -> &'static str {
        if self.orders.as_slice()[name].is_canceled { "canceled" } else { TAKEN }
    }

    /// Names of the orders of an account.
    fn of_account(&self, at: usize, is_meant: impl Fn(&Order) -> bool) -> Vec<usize> {
        let orders = self.orders.iter().enumerate();
        orders.filter(|(_, order)| order.account == at && is_meant(order)).map(|(name, _)| name).collect()
    }

    /// That a list has these orders in it, and on an account of the run's own no others.
    fn listed(&self, names: &[usize]) -> String {
        let items: Vec<_> = names.iter().map(|name| format!("{{ id: \"{{o{name}.id}}\" }}")).collect();
        match self.ground.accounts {
            Accounts::Opened => format!("[{}]", items.join(", ")),
            Accounts::Found(_) => format!("{{ $: {{ contains: [{}] }} }}", items.join(", ")),
        }
    }

    fn count_orders(&mut self, at: usize) {
        let all = self.listed(&self.of_account(at, |_| true));
        self.line(format_args!("  - call: GET /order?account={{a{at}.id}}\n    expect: {{ body: {all} }}"));
    }

    /// Pages go up by `sortedId`, each from an item on, itself included.
    fn pages(&mut self, account: u8, limit: usize) {
        let at = self.account(account);
        let names = self.of_account(at, |_| true);
        if !matches!(self.ground.accounts, Accounts::Opened) {
            return self.count_orders(at);
        }
        for from in 0..names.len() {
            let page = self.listed(&names[from..names.len().min(from + limit)]);
            let start = names[from];
            self.line(format_args!(
                "  - call: GET /order?account={{a{at}.id}}&limit={limit}&start={{o{start}.sortedId}}\n    expect: {{ body: {page} }}"
            ));
        }
    }

    fn filter(&mut self, account: u8, canceled: bool) {
        let at = self.account(account);
        let names = self.of_account(at, |order| order.is_canceled);
        let (query, listed) = if canceled {
            ("status=canceled", self.listed(&names))
        } else {
            ("orderType=redemption", self.listed(&[]))
        };
        self.line(format_args!("  - call: GET /order?account={{a{at}.id}}&{query}\n    expect: {{ body: {listed} }}"));
    }

    fn account_read(&mut self, account: u8) {
        let at = self.account(account);
        self.line(format_args!(
            "  - expect account a{at}: {{ id: \"{{a{at}.id}}\", status: active, sortedId: \"{{a{at}.sortedId}}\", ref: \"{{a{at}.ref}}\", \
             createdDate: \"{{a{at}.createdDate}}\", balance: {{ at least: 0 }} }}\n  \
             - call: GET /account/{{a{at}}}/value\n    expect: {{ body: {{ value: {{ at least: 0 }}, currency: any }} }}\n  \
             - call: GET /account/{{a{at}}}/transaction/cash\n    expect: {{ body: {{ $: {{ each: {{ id: any, sortedId: any, transactionType: any }} }} }} }}\n  \
             - call: GET /account/{{a{at}}}/withdrawal/limit"
        ));
    }

    fn missing(&mut self, what: u8) {
        let path = match what % 4 {
            0 => format!("/order/{NOBODY}"),
            1 => format!("/account/{NOBODY}"),
            2 => format!("/journey/{NOBODY}"),
            _ => format!("/transaction/cash/{NOBODY}"),
        };
        self.line(format_args!("  - call: GET {path}\n    expect: {{ status: {NOT_THERE}, body: {AN_ERROR} }}"));
    }

    fn other_client(&mut self, account: u8, what: u8) {
        let at = self.account(account);
        if what.is_multiple_of(2) {
            self.line(format_args!(
                "  - call: GET /account/{{a{at}}}\n    as: nobody\n    expect: {{ status: 401, body: {{ error: any }} }}"
            ));
        } else if let Some(other_client) = self.ground.other_client {
            self.line(format_args!(
                "  - call: GET /account/{{a{at}}}\n    as: {other_client}\n    expect: {{ status: {NOT_THERE}, body: {AN_ERROR} }}"
            ));
        }
    }

    fn journey(&mut self) {
        let name = self.journeys;
        self.journeys += 1;
        self.line(format_args!(
            "  - start journey: {{ as: j{name}, type: createAccount, accountTypes: [isk], accountServiceType: executionOnly, \
             accountCategories: [retail] }}\n    \
             expect: {{ body: {{ id: any, type: createAccount, status: any, url: any }} }}\n  \
             - expect journey j{name}: {{ id: \"{{j{name}.id}}\", type: createAccount, sortedId: \"{{j{name}.sortedId}}\" }}"
        ));
    }

    /// What was accepted by the end is booked and has events, and is all that cash has gone for; when an order is accepted is
    /// left open.
    fn booked(&mut self) {
        if self.orders.iter().any(|order| !order.is_canceled) {
            self.line(format_args!("  - wait: 2 seconds"));
        }
        for at in 0..self.free.len() {
            let orders = self.of_account(at, |_| true);
            let open = self.of_account(at, |order| !order.is_canceled);
            if !open.is_empty() {
                self.line(format_args!("  - let: {{ spent{at}: 0, open{at}: 0 }}"));
                open.iter().for_each(|name| self.booking(at, *name));
            }
            match (&self.ground.accounts, orders.is_empty(), open.is_empty()) {
                (Accounts::Opened, false, true) => self.line(format_args!("  - expect cash of a{at}: {CASH}")),
                (Accounts::Opened, false, false) => self.line(format_args!(
                    "  - {{ when: {{ open{at}: 0 }}, steps: [{{ expect cash of a{at}: \"{{{CASH} - spent{at}}}\" }}] }}"
                )),
                _ => {}
            }
        }
    }

    fn booking(&mut self, at: usize, name: usize) {
        let least = if matches!(self.ground.accounts, Accounts::Opened) {
            format!(", balance: {{ at most: \"{{{CASH} - o{name}.amount}}\" }}")
        } else {
            String::new()
        };
        self.line(format_args!(
            "  - {{ call: \"GET /order/{{o{name}}}\", save: read }}\n  \
             - when: {{ read.status: {{ one of: [pending, sent] }} }}\n    steps:\n      \
             - expect event: {{ cashTransaction.create: {{ payload.current: {{ ref: \"{{o{name}.id}}\", amount: \"{{o{name}.amount}}\" }} }} }}\n      \
             - expect event: {{ account.update: {{ payload.current: {{ id: \"{{a{at}.id}}\"{least} }} }} }}\n      \
             - expect event: {{ order.update: {{ payload.current: {{ id: \"{{o{name}.id}}\", status: pending }} }} }}\n      \
             - let: {{ spent{at}: \"{{spent{at} + o{name}.amount}}\" }}\n    otherwise: [{{ let: {{ open{at}: 1 }} }}]"
        ));
    }

    /// Orders on accounts that others use are canceled, so that the next run finds the cash free.
    fn free_again(&mut self) {
        if matches!(self.ground.accounts, Accounts::Found(_)) {
            for name in 0..self.orders.len() {
                if !self.orders[name].is_canceled {
                    self.line(format_args!("  - cancel: o{name}"));
                }
            }
        }
    }
}
