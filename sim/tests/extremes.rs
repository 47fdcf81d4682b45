//! The smallest and the largest numbers that can be read, in every command that takes numbers: whatever they come to, the
//! world answers, and what it has booked can be read.

use crate::common::{Bench, COMPLEX, DAILY, GLOBAL, T_PLUS_ONE, at, id, setup};
use crate::journeys::{ANNA, about, answers, moving, opening_by, transfer_of};
use crate::plans::changes::share;
use rust_decimal::Decimal;
use sim::command::{
    Book, Booked, CASH_BOOKINGS, CreateInstruction, CreateMobilePayment, NewPayment, OpenAccount, OpenBankAccount,
    PayByBankgiro, SetPrice, UNIT_BOOKINGS, Withdraw, WithdrawalType,
};
use sim::identity::{InstrumentId, PersonalNumber};
use sim::money::{Amount, Price, Ratio, Units};
use sim::query;
use sim::records::{
    Account, AccountType, AllocationPlanConfiguration, Configuration, CorporateAct, InstructionType, JourneyStep,
    JourneyType, MandateStatus, MobilePaymentType, Periodicity, Proceeds, SavingsPlanConfiguration, TransferInstrument,
};
use sim::rng::{Seed, Stream};
use sim::setup::Setup;
use sim::{Class, Command, Reply};
use std::sync::Arc;

const START: &str = "2026-03-02T08:00:00+01:00";
const AMOUNTS: &[&str] = &["0.01", "1", "500.50", "999999999999999", "999999999999999.99"];
const UNITS: &[&str] = &["0.0000001", "1", "1234.5678", "999999999999999", "999999999999999.9999999"];
const PRICES: &[&str] = &["0.000001", "0.01", "1", "123.45", "999999999999999", "999999999999999.999999"];
const RATES: &[&str] = &["0.0001", "1", "11.35", "999999999999999", "999999999999999.9999"];
const RATIOS: &[&str] = &["0.001", "0.0010000001", "0.5", "2", "999.9999999999", "1000"];
const FUNDS: [&str; 4] = [DAILY, T_PLUS_ONE, GLOBAL, COMPLEX];

fn drawn(stream: &mut Stream, texts: &[&'static str]) -> &'static str {
    stream.pick::<&'static str>(texts)
}

fn setup_of(stream: &mut Stream) -> Setup {
    let mut setup = setup();
    for fund in &mut setup.instruments {
        fund.first_price = Price::parse(drawn(stream, PRICES)).expect("a price");
        fund.volatility_bp = *stream.pick(&[0, 80, 2_000]);
        fund.decimals_units = *stream.pick(&[0, 4, 7]);
        (fund.min_investment, fund.min_initial) = (Amount::ZERO, None);
    }
    setup.rates[0].rate = drawn(stream, RATES).parse().expect("a rate");
    setup
}

fn amount(stream: &mut Stream) -> Amount {
    Amount::parse(drawn(stream, AMOUNTS)).expect("an amount")
}

fn units(stream: &mut Stream) -> Units {
    Units::parse(drawn(stream, UNITS)).expect("units")
}

fn fund(stream: &mut Stream) -> InstrumentId {
    id(drawn(stream, &FUNDS))
}

fn opened(bench: &Bench, stream: &mut Stream) -> OpenAccount {
    OpenAccount {
        owner: Some(bench.owner(ANNA)),
        account_type: *stream.pick(&[AccountType::Depot, AccountType::Insurance]),
        cash: amount(stream),
        positions: vec![(fund(stream), units(stream))],
        bank_accounts: vec![OpenBankAccount {
            mandate: MandateStatus::Active,
            ..bench.bank("SE8150000000050000000019")
        }],
        ..bench.open("0")
    }
}

/// A command with numbers, about the account.
fn command(bench: &Bench, account: &Account, stream: &mut Stream, no: usize) -> Command {
    let (scope, partner) = (bench.scope, bench.scope.partner);
    let instrument = fund(stream);
    let ratio = |stream: &mut Stream| Ratio::parse(drawn(stream, RATIOS)).expect("a ratio");
    match stream.below(13) {
        0 | 1 => {
            let close_price = Price::parse(drawn(stream, PRICES)).expect("a price");
            let bounded = query::instrument(&bench.world, instrument).and_then(|view| view.close_price);
            let twice = bounded.and_then(|close| Price::parse(&(close + close).to_string()).ok());
            let close_price = if stream.chance(1, 2) { twice.unwrap_or(close_price) } else { close_price };
            let price_date = Some(bench.world.now().local_date());
            Command::SetPrice(SetPrice { instrument, close_price, price_date })
        }
        2 => Command::OpenAccount(opened(bench, stream)),
        3 | 4 => {
            let mut place = bench.buy(account, DAILY, "1");
            (place.instrument, place.amount) = (instrument, Some(amount(stream)));
            Command::PlaceOrder(place)
        }
        5 => {
            let held = bench.again(account).positions.first().map(|held| (held.instrument, held.units));
            let (fund, all) = held.unwrap_or((instrument, units(stream)));
            let mut place = bench.sell(account, DAILY, "1");
            (place.instrument, place.units) = (fund, Some(*stream.pick(&[all, units(&mut stream.clone())])));
            if stream.chance(1, 3) {
                place.proceeds = Proceeds::PayOut(account.bank_accounts[0].id);
                place.executor = Some(PersonalNumber::parse(ANNA).expect("a number"));
            }
            Command::PlaceOrder(place)
        }
        6 => {
            let terms = stream.pick(CASH_BOOKINGS).terms();
            let what = Booked::Cash { kind: terms.kind, ref_type: terms.ref_type, amount: amount(stream) };
            Command::Book(Box::new(Book { partner, account: account.id, what, text: None }))
        }
        7 | 8 => {
            let terms = stream.pick(UNIT_BOOKINGS).terms();
            let cost =
                (terms.kind == sim::records::FundType::Subscription && stream.chance(1, 2)).then(|| amount(stream));
            let (kind, ref_type) = (terms.kind, terms.ref_type);
            let what = Booked::Units { kind, ref_type, instrument, units: units(stream), cost };
            Command::Book(Box::new(Book { partner, account: account.id, what, text: None }))
        }
        9 => {
            let act = match stream.below(4) {
                0 => CorporateAct::Split { factor: ratio(stream) },
                1 => CorporateAct::Merge { into: fund(stream), ratio: Some(ratio(stream)) },
                2 => CorporateAct::Merge { into: fund(stream), ratio: None },
                _ => CorporateAct::Liquidate { price: None },
            };
            Command::Announce { instrument, act }
        }
        10 => {
            let client_ref = Arc::from(format!("payment {no}"));
            let payments = vec![NewPayment { account: account.id, amount: amount(stream), client_ref }];
            let kind = *stream.pick(&[InstructionType::Autogiro, InstructionType::BankTransfer]);
            Command::CreateInstruction(CreateInstruction { scope, kind, payments })
        }
        11 => match stream.below(2) {
            0 => Command::PayByBankgiro(PayByBankgiro {
                partner,
                reference: account.reference.into(),
                amount: amount(stream),
            }),
            _ => Command::CreateMobilePayment(CreateMobilePayment {
                scope,
                account: account.id,
                kind: MobilePaymentType::SameDevice,
                amount: amount(stream),
                qr_format: None,
            }),
        },
        _ => Command::Withdraw(Withdraw {
            scope,
            account: account.id,
            kind: WithdrawalType::Amount,
            amount: Some(amount(stream)),
            bank_account: account.bank_accounts[0].id,
            client_ref: None,
            executor: PersonalNumber::parse(ANNA).expect("a number"),
        }),
    }
}

/// Reads all that is reckoned from what was booked.
fn read(bench: &Bench) {
    for account in query::accounts(&bench.world, bench.scope.client, &Default::default(), None) {
        let now = bench.world.now();
        let read = (
            query::value(&bench.world, &account).to_string(),
            query::positions(&bench.world, &account, now).len(),
            query::account_performance(&bench.world, account.id, None).len(),
            query::withdrawal_limits(&bench.world, &account).max.to_string(),
        );
        assert!(!read.0.is_empty() && !read.3.is_empty());
    }
}

/// A plan over two funds, so that what comes in is divided and charged by the month.
fn plans(bench: &mut Bench, account: &Account) {
    let allocation = AllocationPlanConfiguration {
        instruments: Some(vec![share(DAILY, "0.01"), share(GLOBAL, "99.99")]),
        ..AllocationPlanConfiguration::default()
    };
    let configuration =
        Configuration { allocation_plan: Some(allocation), ..about(account, JourneyType::UpdateAllocationPlan) };
    bench.walk(configuration, &[]);
    let monthly = SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None };
    let configuration = Configuration { savings_plan: Some(monthly), ..about(account, JourneyType::UpdateSavingsPlan) };
    let amounts = [(format!("amount.{DAILY}"), AMOUNTS[4]), (format!("amount.{GLOBAL}"), "0.01")];
    let mut given: Vec<_> = amounts.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    given.push(("day", "5"));
    bench.walk(configuration, &[(JourneyStep::SavingsPlan, answers(&given))]);
}

/// (rule: accounts/how-accounts-open, accounts/corrections, journeys/untransferable-units)
#[test]
fn no_number_that_can_be_read_makes_the_world_panic() {
    let mut accepted = 0;
    for seed in 0..48 {
        let mut stream = Seed(seed).stream("extremes");
        let mut bench = Bench::of(&setup_of(&mut stream), seed, START);
        let mut open = opened(&bench, &mut stream);
        open.positions.clear();
        let account = bench.account(open);
        plans(&mut bench, &account);
        let most = Units::parse("1000000000").expect("the most that a transfer may list");
        let listed = TransferInstrument { instrument: fund(&mut stream), units: Some(units(&mut stream).min(most)) };
        let moved = sim::records::TransferAccount { instruments: Some(vec![listed]), ..moving(AccountType::Depot) };
        let transfer = Some(transfer_of(vec![moved]));
        bench.walk(Configuration { transfer, ..opening_by(ANNA, AccountType::Depot) }, &[]);
        for no in 0..60 {
            let command = command(&bench, &account, &mut stream, no);
            accepted += usize::from(bench.does(command).is_ok());
            if stream.chance(1, 3) {
                let hours = i64::try_from(1 + stream.below(30)).expect("few");
                let later = bench.world.now().plus(sim::time::Millis(hours * 3_600_000));
                bench.world.advance(later);
            }
            if no % 10 == 9 {
                read(&bench);
            }
        }
        let close = Command::CloseAccount { scope: bench.scope, account: account.id };
        accepted += usize::from(bench.does(close).is_ok());
        bench.to("2026-07-10T12:00:00+02:00");
        read(&bench);
    }
    assert!(accepted > 500, "{accepted} commands with numbers at their ends were accepted");
}

/// (rule: accounts/how-accounts-open)
#[test]
fn an_account_is_not_opened_with_units_worth_more_than_the_api_can_show() {
    for (price, held, opens) in [
        ("1000", "999999999999.9999", true),
        ("1000", "1000000000000", false),
        ("999999999999999", "999999999999999", false),
        ("0.000001", "999999999999999", true),
    ] {
        let mut setup = setup();
        setup.instruments[0].first_price = Price::parse(price).expect("a price");
        setup.instruments[0].volatility_bp = 0;
        let mut bench = Bench::of(&setup, 1, START);
        let held = Units::parse(held).expect("units");
        let open = OpenAccount { positions: vec![(id(T_PLUS_ONE), held)], ..bench.open("1") };
        let open = OpenAccount { positions: vec![(id(DAILY), held)], ..open };
        match bench.does(Command::OpenAccount(open)) {
            Ok(Reply::Account(account)) => {
                assert!(opens, "{held} at {price}");
                let close: Decimal = price.parse().expect("a number");
                assert_eq!(account.positions[0].cost, held.get() * close);
            }
            refused => {
                let refusal = refused.expect_err("an account or a refusal");
                let complaint = "positions[0].units is not acceptable: units worth less than 10^15 SEK are expected";
                assert_eq!((refusal.class, refusal.to_string().as_str()), (Class::OutsideLimits, complaint));
                assert!(!opens, "{held} at {price}");
            }
        }
        assert!(bench.world.now() == at(START));
    }
}
