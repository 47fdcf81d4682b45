//! Configurations of journeys with one thing that is wrong, or that only looks so.
//!
//! Owns: which things. Which journey has which follows from the step that starts it, so that all other steps of a seed stay as they are.
//! Absent on purpose: whether it is wrong, which the oracle decides from the request alone.

use crate::generate::step::Start;
use rust_decimal::Decimal;
use sim::identity::{Iban, InstrumentId};
use sim::ids::CustodianId;
use sim::money::{Percent, Units};
use sim::records::{
    AccountType, Allocation, AllocationPlanConfiguration, Autogiro, AutogiroEnforce, Configuration, DepositType,
    KycAnswer, Output, Periodicity, SavingsPlanConfiguration, TransferAccount, TransferEnforce, TransferInstrument,
    WelcomeScreen,
};
use std::sync::Arc;

/// One journey in so many.
const EVERY: usize = 7;

/// A Norwegian and a Swedish bank account.
const NORWEGIAN: &str = "NO9386011117947";
const SWEDISH: &str = "SE8150000000050000000019";

/// The number of an account at a custodian.
pub(super) const ACCOUNT_NUMBER: &str = "1234-567";

/// Changes a configuration; one without that part stays as it is. The funds are ones that the client offers.
type Change = fn(&mut Configuration, &[InstrumentId]);

/// Every change; those that are in order are there to be accepted.
const CHANGES: &[Change] = &[
    |it, _| it.account_types = it.account_types.as_ref().map(|_| Vec::new()),
    |it, _| it.account_types.iter_mut().for_each(|types| types.extend_from_within(..)),
    |it, _| it.account_types = Some(vec![AccountType::Depot]),
    |it, _| it.account_service_type = None,
    |it, _| it.account_categories = None,
    |it, _| it.account_categories.iter_mut().for_each(|all| all.extend_from_within(..)),
    |it, _| it.account_name = Some(Arc::from("x".repeat(50))),
    |it, _| it.account_name = Some(Arc::from("x".repeat(51))),
    |it, _| it.account_name = Some(Arc::from("  ")),
    |it, _| it.email = Some(Arc::from("anna@customers.example")),
    |it, _| it.email = Some(Arc::from("customers.example")),
    |it, _| it.welcome_screen = Some(WelcomeScreen::Transfer),
    |it, _| it.payment_account = iban(NORWEGIAN),
    |it, _| it.payment_account = iban(SWEDISH),
    |it, _| it.autogiro = Some(Autogiro { enforce: AutogiroEnforce::None, force_new_bank_account: true }),
    |it, _| {
        it.savings_plan = Some(SavingsPlanConfiguration { periodicity: Some(Periodicity::Once), instruments: None })
    },
    |it, _| it.savings_plan = Some(SavingsPlanConfiguration { periodicity: None, instruments: None }),
    |it, funds| it.savings_plan = savings_in(funds),
    |it, funds| it.savings_plan = savings_in(&funds.repeat(2)),
    |it, funds| it.instruments = Some(funds.to_vec()),
    |it, funds| it.instruments = Some(funds.repeat(2)),
    |it, _| it.instruments = Some(Vec::new()),
    |it, _| it.allocation_plan = plan(Some(DepositType::Autogiro), None, None),
    |it, _| it.allocation_plan = plan(Some(DepositType::Manual), iban(SWEDISH), None),
    |it, _| {
        it.allocation_plan = plan(None, iban("SE5950000000050000000027"), None);
        it.payment_account = iban(SWEDISH);
    },
    |it, funds| it.allocation_plan = plan(None, None, Some(shares(funds, &[5_000, 5_000]))),
    |it, funds| it.allocation_plan = plan(None, None, Some(shares(funds, &[5_000, 4_999]))),
    |it, funds| it.allocation_plan = plan(None, None, Some(shares(funds, &[10_000, 0]))),
    |it, funds| it.allocation_plan = plan(None, None, Some(shares(&funds.repeat(2), &[2_500, 2_500, 2_500, 2_500]))),
    |it, _| it.allocation_plan = plan(None, None, Some(Vec::new())),
    |it, _| it.kycs = answers(&[("pep", "no")]),
    |it, _| it.kycs = answers(&[("pep", "no"), ("pep", "no")]),
    |it, _| it.kycs = answers(&[("purpose", "other"), ("fundKnowledge", "no")]),
    |it, _| it.kycs = answers(&[("purpose", "reserves")]),
    |it, _| it.kycs = answers(&[("taxResidency", "NO"), ("riskTolerance", "high")]),
    |it, _| it.kycs = answers(&[("riskTolerance", "highest")]),
    |it, _| {
        let answer = ["salary", "other"].map(Arc::from).to_vec();
        it.kycs = Some(vec![KycAnswer { qid: Arc::from("originOfFunds"), answer, is_list: true }]);
    },
    |it, _| {
        let answer = ["low", "high"].map(Arc::from).to_vec();
        it.kycs = Some(vec![KycAnswer { qid: Arc::from("riskTolerance"), answer, is_list: true }]);
    },
    |it, _| it.kycs = answers(&[("turnover", "1")]),
    |it, _| it.kycs = answers(&[("shoeSize", "43")]),
    |it, _| it.kycs = Some(vec![KycAnswer { qid: Arc::from("pep"), answer: Vec::new(), is_list: true }]),
    |it, _| it.account_options.iter_mut().for_each(|options| options.account_types = Some(vec![AccountType::Isk])),
    |it, _| it.account_options.iter_mut().for_each(|options| options.service_types = None),
    |it, _| it.account_options.iter_mut().for_each(|options| options.owner_type = None),
    |it, _| it.account_options.iter_mut().for_each(|options| options.account_categories = Some(Vec::new())),
    |it, _| it.transfer.iter_mut().for_each(|transfer| transfer.transfers.clear()),
    |it, _| it.transfer.iter_mut().for_each(|transfer| transfer.transfers.extend_from_within(..)),
    |it, _| it.transfer.iter_mut().flat_map(|all| &mut all.transfers).for_each(|entry| entry.accounts.clear()),
    |it, _| another_account(it, Some(ACCOUNT_NUMBER)),
    |it, _| another_account(it, Some("765.4321")),
    |it, _| {
        another_account(it, None);
        it.transfer.iter_mut().for_each(|transfer| transfer.enforce = TransferEnforce::Optional);
    },
    |it, _| {
        it.transfer.iter_mut().for_each(|transfer| {
            transfer.transfers.extend_from_within(..1);
            let other = CustodianId::parse("grastensbanken").expect("a constant");
            transfer.transfers.iter_mut().skip(1).for_each(|entry| entry.custodian = other.clone());
        })
    },
    |it, _| {
        each_account(it, |account| {
            account.default_units_output = vec![Output::Ignore];
            account.balance_output = vec![Output::Ignore];
        })
    },
    |it, _| {
        let unknown = CustodianId::parse("nobody").expect("a constant");
        it.transfer.iter_mut().flat_map(|all| &mut all.transfers).for_each(|entry| entry.custodian = unknown.clone());
    },
    |it, _| each_account(it, |account| account.source_account_type = vec![AccountType::Isk, AccountType::Depot]),
    |it, _| each_account(it, |account| account.source_account_type.clear()),
    |it, _| each_account(it, |account| account.account_number = Some(Arc::from(" 12"))),
    |it, _| each_account(it, |account| account.account_number = Some(Arc::from("1".repeat(34)))),
    |it, _| each_account(it, |account| account.account_number = Some(Arc::from("1".repeat(35)))),
    |it, _| each_account(it, |account| account.balance_output = vec![Output::Units]),
    |it, _| each_account(it, |account| account.balance_output = vec![Output::Cash, Output::Ignore]),
    |it, _| each_account(it, |account| account.untransferable_units_output = vec![Output::Cash, Output::Cash]),
    |it, _| each_account(it, |account| account.default_units_output = vec![Output::Units]),
    |it, _| each_account(it, |account| account.default_units_output = vec![Output::Ignore]),
    |it, _| each_account(it, |account| account.default_units_output.clear()),
    |it, _| each_account(it, |account| account.allow_instrument_selection = true),
    |it, funds| each_account(it, |account| account.instruments = Some(moved(funds, 1))),
    |it, funds| each_account(it, |account| account.instruments = Some(moved(&funds.repeat(2), 1))),
    |it, funds| each_account(it, |account| account.instruments = Some(moved(funds, 0))),
    |it, funds| each_account(it, |account| account.instruments = Some(moved(funds, 1_000_000_001))),
];

/// The configuration of a journey, changed where its number says so. It is given one of the changes that it has the part for; its
/// options count, too, since the few numbers of a run would reach only the first changes.
pub(super) fn changed(configuration: Configuration, start: &Start, funds: &[InstrumentId]) -> Configuration {
    let number = usize::from(start.name);
    if number % EVERY != 3 {
        return configuration;
    }
    let after = |change: &Change| {
        let mut other = configuration.clone();
        change(&mut other, funds);
        (other != configuration).then_some(other)
    };
    let mut all: Vec<Configuration> = CHANGES.iter().filter_map(after).collect();
    let place = (number / EVERY + usize::from(start.options)).checked_rem(all.len());
    place.map_or(configuration, |place| all.swap_remove(place))
}

fn iban(text: &str) -> Option<Iban> {
    Some(Iban::parse(text).expect("a constant"))
}

fn savings_in(funds: &[InstrumentId]) -> Option<SavingsPlanConfiguration> {
    Some(SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: Some(funds.to_vec()) })
}

fn plan(
    deposit_type: Option<DepositType>,
    payment_account: Option<Iban>,
    instruments: Option<Vec<Allocation>>,
) -> Option<AllocationPlanConfiguration> {
    Some(AllocationPlanConfiguration { deposit_type, payment_account, instruments, periodicity: None })
}

/// Shares in hundredths of a percent, of one fund after the other.
fn shares(funds: &[InstrumentId], hundredths: &[i64]) -> Vec<Allocation> {
    let share = |(fund, part): (&InstrumentId, &i64)| {
        let percent = Percent::from_decimal_exact(Decimal::new(*part, 2)).expect("two decimals");
        Allocation { instrument: *fund, percent }
    };
    funds.iter().zip(hundredths).map(share).collect()
}

fn answers(all: &[(&str, &str)]) -> Option<Vec<KycAnswer>> {
    let answer =
        |(qid, text): &(&str, &str)| KycAnswer { qid: Arc::from(*qid), answer: vec![Arc::from(*text)], is_list: false };
    Some(all.iter().map(answer).collect())
}

fn each_account(it: &mut Configuration, change: impl Fn(&mut TransferAccount)) {
    let entries = it.transfer.iter_mut().flat_map(|all| &mut all.transfers);
    entries.flat_map(|entry| &mut entry.accounts).for_each(change);
}

/// One more account at each custodian, which the customer may leave out.
pub(super) fn another_account(it: &mut Configuration, number: Option<&str>) {
    for entry in it.transfer.iter_mut().flat_map(|all| &mut all.transfers) {
        let Some(first) = entry.accounts.first().cloned() else { continue };
        entry.accounts.push(TransferAccount { account_number: number.map(Arc::from), required: false, ..first });
    }
}

fn moved(funds: &[InstrumentId], units: i64) -> Vec<TransferInstrument> {
    let units = Units::from_decimal_exact(Decimal::from(units)).expect("whole units");
    funds.iter().map(|fund| TransferInstrument { instrument: *fund, units: Some(units) }).collect()
}
