//! What a world starts from. Plain data: the surface reads it from files and requests.

pub mod values;

use crate::command::OpenBankAccount;
use crate::identity::{InstrumentId, OrganisationNumber};
use crate::ids::{ClientId, CustodianId};
use crate::input::RulesVersion;
use crate::money::{Amount, Units};
use crate::records::{
    AccountType, Category, ClientBankAccount, ClientFees, FeeTerms, Instrument, Owner, Permissions, ServiceType,
    Universe,
};
use crate::settings::Settings;
use crate::time::{Instant, Millis};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use values::{Notes, RATE_DECIMALS, check_fund};

/// Latest cut-off a fund may have: rates come out at 16:00 and prices at 18:30 of the same day.
const LATEST_CUT_OFF: (i8, i8) = (15, 30);

/// Everything a world holds before its first command.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Setup {
    /// Shown name of the world.
    pub name: Arc<str>,
    /// Partners with their clients.
    pub partners: Vec<PartnerSetup>,
    /// The platform's funds.
    pub instruments: Vec<Instrument>,
    /// First rates of foreign currencies against SEK, 4 decimals.
    pub rates: Vec<RateSetup>,
    /// Custodians that transfers can come from.
    pub custodians: Vec<Custodian>,
    /// Accounts with a past that is drawn from the seed; none when absent.
    pub history: Option<HistorySetup>,
    /// Tunables.
    pub settings: Settings,
    /// The settings that never change.
    pub rules: RulesVersion,
}

/// A partner with its clients.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PartnerSetup {
    /// Company name.
    pub name: Arc<str>,
    /// Its clients, at least one.
    pub clients: Vec<ClientSetup>,
}

/// A client with the accounts it starts with.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClientSetup {
    /// Fixed id; drawn from the seed when absent.
    pub id: Option<ClientId>,
    /// Registered name.
    pub name: Arc<str>,
    /// Name shown to end customers.
    pub display_name: Arc<str>,
    /// Company registration number.
    pub crn: OrganisationNumber,
    /// ISO 3166-1 alpha-2.
    pub country: Arc<str>,
    /// Where fees are paid.
    pub bank_accounts: Vec<ClientBankAccount>,
    /// Investment services with codes drawn from the seed.
    pub service_types: Vec<ServiceType>,
    /// What it may do.
    pub permissions: Permissions,
    /// Whether its partner may only instruct withdrawals that the customer has signed (rule: journeys/sign-withdrawal).
    pub withdrawal_needs_signature: bool,
    /// What it takes from its customers besides the platform's fee (rule: fees/partner-fee).
    pub fees: ClientFees,
    /// Funds it offers.
    pub universe: Universe,
    /// Accounts open from the start.
    pub accounts: Vec<AccountSetup>,
}

/// An account that is open from the start.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AccountSetup {
    /// Kind of account.
    pub account_type: AccountType,
    /// Owner; made from the seed when absent.
    pub owner: Option<Owner>,
    /// Display name.
    pub name: Option<Arc<str>>,
    /// Investment service.
    pub service_type: ServiceType,
    /// MiFID II classification.
    pub category: Category,
    /// Opening cash.
    pub cash: Amount,
    /// Opening positions.
    pub positions: Vec<(InstrumentId, Units)>,
    /// Bank accounts of the owner.
    pub bank_accounts: Vec<OpenBankAccount>,
    /// Whether the owner has answered the appropriateness question.
    pub fund_knowledge: bool,
}

/// Accounts besides those that are named: opened, used and grown before the start, as the seed has it (rule: calendar/before-the-start).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HistorySetup {
    /// How many, shared out over all clients in turn: 1 to [`HistorySetup::MOST_ACCOUNTS`].
    pub accounts: u32,
    /// How long before the start the world begins, in days of 24 hours: 1 to [`HistorySetup::MOST_DAYS`].
    pub days: u32,
}

/// What an account of a history takes with its owner, its bank account and its first deposit.
const ACCOUNT_BYTES: u64 = 4_000;
/// What it takes for each day, on which it now and then buys, sells or pays.
const ACCOUNT_DAY_BYTES: u64 = 200;

impl HistorySetup {
    /// Most accounts of a history.
    pub const MOST_ACCOUNTS: u32 = 1_000_000;
    /// Most days of a history.
    pub const MOST_DAYS: u32 = 366;
    /// Most days of all accounts together, so that what they do before the start stays within minutes.
    pub const MOST_ACCOUNT_DAYS: u32 = 5_000 * Self::MOST_DAYS;

    /// About how much memory the accounts take once they are opened, in bytes.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        let each = ACCOUNT_BYTES.saturating_add((self.days as u64).saturating_mul(ACCOUNT_DAY_BYTES));
        each.saturating_mul(self.accounts as u64)
    }
}

/// First rate of a currency.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RateSetup {
    /// ISO 4217.
    pub currency: crate::identity::Currency,
    /// SEK for one unit, 4 decimals.
    #[serde(with = "crate::money::exact")]
    pub rate: Decimal,
    /// Daily volatility in basis points.
    pub volatility_bp: u32,
}

/// An institution that holdings can be transferred from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Custodian {
    /// Short stable id.
    pub id: CustodianId,
    /// Name.
    pub name: Arc<str>,
}

/// What is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// One sentence a problem, each beginning with a path.
    pub problems: Vec<String>,
}

impl std::fmt::Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.problems.join("; "))
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// Where the world begins whose clock shows `start` when it is first read: earlier by the length of its history.
    #[must_use]
    pub fn begin(&self, start: Instant) -> Instant {
        let days = self.history.map_or(0, |history| history.days);
        start.plus(Millis::days(-i64::from(days)))
    }

    /// Checks what a world relies on.
    ///
    /// # Errors
    /// Every problem, by path.
    pub fn check(&self, start: Instant) -> Result<(), SetupError> {
        if start > Instant::END {
            return Err(SetupError { problems: vec![format!("the start must not lie after {}", Instant::END)] });
        }
        let mut problems = Vec::new();
        if self.rules != RulesVersion::CURRENT {
            let [has, known] = [self.rules, RulesVersion::CURRENT].map(u32::from);
            problems.push(format!("it has rules of version {has}, and this build decides by those of version {known}"));
        }
        let begin = self.begin(start);
        if let Some(HistorySetup { accounts, days }) = self.history {
            if !(1..=HistorySetup::MOST_ACCOUNTS).contains(&accounts) {
                problems.push(format!("history.accounts must lie between 1 and {}", HistorySetup::MOST_ACCOUNTS));
            }
            if !(1..=HistorySetup::MOST_DAYS).contains(&days) {
                problems.push(format!("history.days must lie between 1 and {}", HistorySetup::MOST_DAYS));
            }
            if accounts.saturating_mul(days) > HistorySetup::MOST_ACCOUNT_DAYS {
                let most = HistorySetup::MOST_ACCOUNT_DAYS;
                problems.push(format!("history.accounts times history.days must be at most {most}"));
            }
        }
        for (at, fund) in self.instruments.iter().enumerate() {
            let mut say = |text: &str| problems.push(format!("instruments[{at}] ({}) {text}", fund.id));
            if self.instruments[..at].iter().any(|earlier| earlier.id == fund.id) {
                say("has an id that is already taken");
            }
            if !fund.first_price.is_positive() {
                say("needs a firstPrice greater than zero");
            }
            if fund.decimals_units > 7 {
                say("has more than 7 decimalsUnits");
            }
            let cut_off = (fund.cut_off_hour, fund.cut_off_minute);
            let is_time = ((0, 1)..=LATEST_CUT_OFF).contains(&cut_off) && (0..60).contains(&fund.cut_off_minute);
            if !is_time {
                say("needs a cutOffTime between 00:01 and 15:30");
            }
            let days = [fund.subscription_settlement_days, fund.redemption_settlement_days];
            if days.iter().any(|days| !(1..=5).contains(days)) || fund.nav_lag_days > 5 {
                say("needs settlement days between 1 and 5 and a navLagDays of at most 5");
            }
            let currency = fund.id.currency();
            if currency.to_string() != "SEK" && !self.rates.iter().any(|rate| rate.currency == currency) {
                say("is in a currency without a rate");
            }
            if is_time && fund.find_cut_off(begin).is_none() {
                say("has no dealing day within two years of the start");
            }
        }
        for (at, rate) in self.rates.iter().enumerate() {
            if rate.rate <= Decimal::ZERO {
                problems.push(format!("rates[{at}].rate must be greater than zero"));
            }
        }
        self.check_partners(&mut problems);
        check_values(self, &mut problems);
        if problems.is_empty() { Ok(()) } else { Err(SetupError { problems }) }
    }

    fn check_partners(&self, problems: &mut Vec<String>) {
        if self.partners.is_empty() {
            problems.push("partners must name at least one partner".to_owned());
        }
        let mut ids = Vec::new();
        for (p, partner) in self.partners.iter().enumerate() {
            if partner.clients.is_empty() {
                problems.push(format!("partners[{p}].clients must name at least one client"));
            }
            for (c, client) in partner.clients.iter().enumerate() {
                if client.id.is_some_and(|id| ids.contains(&id)) {
                    problems.push(format!("partners[{p}].clients[{c}].id is already taken"));
                }
                ids.extend(client.id);
                let fees = [("partnerFee", client.fees.partner), ("clientFee", client.fees.client)];
                for (name, _) in fees.into_iter().filter(|(_, terms)| terms.basis_points > FeeTerms::MOST) {
                    problems.push(format!("partners[{p}].clients[{c}].{name}.basisPoints must be at most 10000"));
                }
                if let Universe::Only(set) = &client.universe {
                    for unknown in set.iter().filter(|id| !self.instruments.iter().any(|fund| fund.id == **id)) {
                        problems.push(format!("partners[{p}].clients[{c}].universe names the unknown {unknown}"));
                    }
                }
            }
        }
    }
}

/// Notes every value of `setup` that is out of its bounds.
fn check_values(setup: &Setup, problems: &mut Vec<String>) {
    let mut notes = Notes(problems);
    notes.line("name", &setup.name);
    for (at, fund) in setup.instruments.iter().enumerate() {
        check_fund(&mut notes, &format!("instruments[{at}]"), fund);
    }
    for (at, rate) in setup.rates.iter().enumerate() {
        notes.decimal(&format!("rates[{at}].rate"), rate.rate, RATE_DECIMALS);
        notes.volatility(&format!("rates[{at}].volatilityBp"), rate.volatility_bp);
    }
    for (at, custodian) in setup.custodians.iter().enumerate() {
        notes.line(&format!("custodians[{at}].name"), &custodian.name);
    }
    for (p, partner) in setup.partners.iter().enumerate() {
        notes.line(&format!("partners[{p}].name"), &partner.name);
        for (c, client) in partner.clients.iter().enumerate() {
            check_client(&mut notes, &format!("partners[{p}].clients[{c}]"), client);
        }
    }
    for row in Settings::ROWS {
        let value = (row.get)(&setup.settings);
        notes.unless(row.kind.holds(value), &format!("settings.{}", row.name), "is out of its bounds");
    }
}

fn check_client(notes: &mut Notes<'_>, path: &str, client: &ClientSetup) {
    notes.line(&format!("{path}.name"), &client.name);
    notes.line(&format!("{path}.displayName"), &client.display_name);
    let is_country = client.country.len() == 2 && client.country.bytes().all(|letter| letter.is_ascii_uppercase());
    notes.unless(is_country, &format!("{path}.country"), "must be two upper-case letters");
    for terms in [client.fees.partner, client.fees.client] {
        notes.unless(terms.basis_points <= FeeTerms::MOST, path, "takes more than all as a fee");
    }
    for (at, account) in client.accounts.iter().enumerate() {
        let AccountSetup { name, cash, positions, .. } = account;
        let path = format!("{path}.accounts[{at}]");
        name.iter().for_each(|name| notes.line(&format!("{path}.name"), name));
        notes.unless(*cash >= Amount::ZERO, &format!("{path}.cash"), "must not be negative");
        let whole = positions.iter().all(|(_, units)| !units.is_negative());
        notes.unless(whole, &format!("{path}.positions"), "must not be negative");
    }
}
