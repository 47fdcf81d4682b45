//! What partners can be made to forget, and what not (rule: accounts/purging).

use crate::common::{Bench, DAILY, amount, id, units};
use crate::journeys::{ANNA, START, moving, opening, opening_by, ssn, transfer_of};
use sim::command::{
    Book, Booked, CreateClient, CreateMobilePayment, CustodianAct, Decision, OpenBankAccount, Purgeable, ScreeningHit,
    SignOutcome,
};
use sim::identity::{Ocr, OrganisationNumber};
use sim::ids::PartnerId;
use sim::query::{self, TransactionFilter};
use sim::records::{
    AccountType, Answers, CashRefType, CashType, Client, Configuration, ErrorCode, JourneyStep, MandateStatus,
    MobilePaymentError, MobilePaymentType, OwnerKey, PaymentReason, ServiceType,
};
use sim::store::Window;
use sim::{Class, Command, Reply};
use std::sync::Arc;

/// Somebody whose account is rejected.
const REJECTED: &str = "197001022388";

fn new_client(bench: &Bench, crn: &str) -> CreateClient {
    CreateClient {
        partner: bench.scope.partner,
        id: None,
        name: Arc::from("Second AB"),
        display_name: Arc::from("Second"),
        crn: OrganisationNumber::parse(crn).expect("a number"),
        country: Arc::from("SE"),
        bank_accounts: Vec::new(),
        service_types: vec![ServiceType::ExecutionOnly],
    }
}

fn created(bench: &mut Bench, crn: &str) -> Arc<Client> {
    let create = new_client(bench, crn);
    match bench.does(Command::CreateClient(Box::new(create))) {
        Ok(Reply::Client(client)) => client,
        other => panic!("no client: {other:?}"),
    }
}

fn purge(bench: &mut Bench, what: Purgeable) -> Result<Reply, (Class, String)> {
    let partner = bench.scope.partner;
    let before = bench.world.digest();
    bench.does(Command::Purge { partner, what }).map_err(|refusal| {
        assert_eq!(bench.world.digest(), before, "a refusal changes nothing");
        (refusal.class, refusal.to_string())
    })
}

fn conflict(field: &str, status: &str) -> Result<Reply, (Class, String)> {
    Err((Class::Conflict, format!("{field} does not allow this while it is {status}")))
}

fn unknown(field: &str) -> Result<Reply, (Class, String)> {
    Err((Class::Unknown, format!("{field} is not known")))
}

/// (rule: accounts/purging)
#[test]
fn a_client_is_forgotten_once_its_accounts_are_closed_and_its_journeys_have_ended() {
    let (accounts, journeys) = ("in use: it has accounts that are not closed", "in use: a journey is under way");
    for (left, keeps) in [
        ("nothing", None),
        ("an active account", Some(accounts)),
        ("a closed account", None),
        ("a rejected account", None),
        ("a running journey", Some(journeys)),
        ("an ended journey", None),
        ("an active account and a running journey", Some(accounts)),
    ] {
        let mut bench = Bench::new(1, START);
        let client = created(&mut bench, "5599900015");
        bench.scope.client = client.id;
        if left.contains("an active account") || left == "a closed account" {
            let account = bench.account(bench.open("0"));
            if left == "a closed account" {
                let close = Command::CloseAccount { scope: bench.scope, account: account.id };
                bench.does(close).expect("an empty account closes");
            }
        }
        if left == "a rejected account" {
            bench.walk(opening_by(REJECTED, AccountType::Depot), &[]);
            bench.wait("2026-03-02T08:00:05+01:00");
        }
        if left.contains("journey") {
            let journey = bench.opened(opening(AccountType::Depot));
            if left == "an ended journey" {
                bench.does(Command::AbortJourney { journey, context: None }).expect("leaves");
            }
        }
        bench.event_kinds();
        let (what, answer) = (Purgeable::Client(client.id), purge(&mut bench, Purgeable::Client(client.id)));
        match keeps {
            Some(status) => {
                assert_eq!(answer, conflict("clientId", status), "{left}");
                assert!(query::client(&bench.world, client.id).is_some(), "{left}");
            }
            None => {
                assert_eq!(
                    (answer, bench.event_kinds()),
                    (Ok(Reply::Client(Arc::clone(&client))), vec!["client.delete"])
                );
                assert_eq!(query::client(&bench.world, client.id), None, "{left}");
                assert!(query::clients(&bench.world).all(|other| other.id != client.id), "{left}");
                let again = Err((Class::OutOfScope, "clientId is not within the scope of this token".to_owned()));
                assert_eq!(purge(&mut bench, what), again, "{left}");
                let taken = Command::CreateClient(Box::new(new_client(&bench, "5599900015")));
                assert_eq!(bench.does(taken).expect_err("it stays taken").to_string(), "crn is already taken");
            }
        }
    }
}

/// (rule: accounts/purging)
#[test]
fn an_order_is_forgotten_once_it_has_settled_or_was_canceled() {
    let mut bench = Bench::new(1, START);
    let anna = bench.account(bench.open("10000"));
    let (settles, falls) = (bench.order(bench.buy(&anna, DAILY, "600")), bench.order(bench.buy(&anna, DAILY, "700")));
    bench.does(Command::CancelOrder { scope: bench.scope, order: falls.id }).expect("in time");
    let balance = |bench: &Bench| (bench.again(&anna).balance, bench.again(&anna).reserved);
    for (instant, status) in [
        ("2026-03-02T08:00:00+01:00", "received"),
        ("2026-03-02T08:00:01+01:00", "pending"),
        ("2026-03-02T15:00:00+01:00", "sent"),
    ] {
        bench.to(instant);
        assert_eq!(purge(&mut bench, Purgeable::Order(settles.id)), conflict("orderId", status), "at {instant}");
    }
    bench.to("2026-03-04T09:00:00+01:00");
    for order in [&settles, &falls] {
        let (what, before) = (Purgeable::Order(order.id), balance(&bench));
        let foreign = Command::Purge { partner: PartnerId::from_u128(1), what };
        assert_eq!(bench.does(foreign).expect_err("not theirs").class, Class::Unknown);
        bench.event_kinds();
        let last = bench.read(order);
        assert_eq!((purge(&mut bench, what), bench.event_kinds()), (Ok(Reply::Order(last)), vec!["order.delete"]));
        assert_eq!(balance(&bench), before);
        assert_eq!(query::order(&bench.world, bench.scope.client, order.id), None);
        assert_eq!(purge(&mut bench, what), unknown("orderId"));
    }
    let listed = query::orders(&bench.world, bench.scope.client, &Window::default(), &query::OrderFilter::default());
    assert_eq!(listed, []);
}

/// (rule: accounts/purging)
#[test]
fn of_transactions_only_aborted_ones_are_forgotten() {
    let mut bench = Bench::new(1, START);
    let mut open = bench.open("10000");
    open.positions = vec![(id(DAILY), units("100"))];
    let anna = bench.account(open);
    bench.order(bench.buy(&anna, DAILY, "600"));
    bench.order(bench.sell(&anna, DAILY, "10"));
    let canceled = [bench.order(bench.buy(&anna, DAILY, "700")), bench.order(bench.sell(&anna, DAILY, "20"))];
    bench.to("2026-03-02T08:00:01+01:00");
    for order in canceled {
        bench.does(Command::CancelOrder { scope: bench.scope, order: order.id }).expect("in time");
    }
    let client = bench.scope.client;
    let filter = TransactionFilter::default();
    let cash = query::cash_transactions(&bench.world, client, &Window::default(), &filter);
    let funds = query::fund_transactions(&bench.world, client, &Window::default(), &filter);
    let standing = |settled, aborted| match (settled, aborted) {
        (true, false) => "settled",
        (false, false) => "not settled",
        (_, true) => "aborted",
    };
    let cash = cash.iter().map(|one| {
        let standing = standing(one.settlement.is_some(), one.aborted.is_some());
        (Purgeable::CashTransaction(one.id), standing, "cashTransaction.delete", Reply::CashTransaction(one.clone()))
    });
    let funds = funds.iter().map(|one| {
        let standing = standing(one.settlement.is_some(), one.aborted.is_some());
        (Purgeable::FundTransaction(one.id), standing, "fundTransaction.delete", Reply::FundTransaction(one.clone()))
    });
    let rows: Vec<_> = cash.chain(funds).collect();
    let standings: Vec<&str> = rows.iter().map(|row| row.1).collect();
    assert_eq!(standings, ["settled", "not settled", "aborted", "settled", "not settled", "aborted"]);
    for (what, standing, kind, reply) in rows {
        let foreign = Command::Purge { partner: PartnerId::from_u128(1), what };
        assert_eq!(bench.does(foreign).expect_err("not theirs").class, Class::Unknown);
        bench.event_kinds();
        let answer = purge(&mut bench, what);
        if standing == "aborted" {
            assert_eq!((answer, bench.event_kinds()), (Ok(reply), vec![kind]));
            assert_eq!(purge(&mut bench, what), unknown("transactionId"));
        } else {
            assert_eq!(answer, conflict("transactionId", standing), "{what:?}");
        }
    }
    assert_eq!(bench.again(&anna).balance, amount("9400"));
    assert_eq!(query::cash_transactions(&bench.world, client, &Window::default(), &filter).len(), 2);
    assert_eq!(query::fund_transactions(&bench.world, client, &Window::default(), &filter).len(), 2);
}

/// (rule: accounts/purging, accounts/deleted-accounts)
#[test]
fn an_account_that_was_rejected_is_deleted_and_no_other_is() {
    let mut bench = Bench::new(1, START);
    bench.walk(opening_by(REJECTED, AccountType::Depot), &[]);
    let rejected = |bench: &Bench| {
        let all = query::accounts(&bench.world, bench.scope.client, &Window::default(), None);
        all.into_iter().last().expect("the journey has made one")
    };
    let waiting = rejected(&bench);
    assert_eq!(purge(&mut bench, Purgeable::Account(waiting.id)), conflict("accountId", "pending"));
    bench.wait("2026-03-02T08:00:05+01:00");
    let foreign = Command::Purge { partner: PartnerId::from_u128(1), what: Purgeable::Account(waiting.id) };
    assert_eq!(bench.does(foreign).expect_err("not theirs").class, Class::Unknown);
    bench.event_kinds();
    let answer = purge(&mut bench, Purgeable::Account(waiting.id));
    let gone = rejected(&bench);
    assert_eq!((answer, bench.event_kinds()), (Ok(Reply::Account(Arc::clone(&gone))), vec!["account.delete"]));
    assert_eq!((query::account_status(gone.status()), gone.deleted), ("rejected", Some(bench.world.now())));
    assert_eq!(purge(&mut bench, Purgeable::Account(waiting.id)), conflict("accountId", "deleted"));

    let anna = bench.account(bench.open("0"));
    assert_eq!(purge(&mut bench, Purgeable::Account(anna.id)), conflict("accountId", "active"));
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("nothing is left");
    assert_eq!(purge(&mut bench, Purgeable::Account(anna.id)), conflict("accountId", "deleted"));
}

/// (rule: accounts/purging, auth/lever-scope)
#[test]
fn to_every_lever_the_resources_of_a_purged_client_are_unknown() {
    let mut bench = Bench::new(1, START);
    bench.scope.client = created(&mut bench, "5599900015").id;
    let (partner, client) = (bench.scope.partner, bench.scope.client);
    // One of everything that a lever can name.
    let moved = Configuration {
        transfer: Some(transfer_of(vec![moving(AccountType::Depot)])),
        ..opening_by(REJECTED, AccountType::Depot)
    };
    let journey = bench.walk(moved, &[]).id;
    let owner = OwnerKey::Ssn(ssn(REJECTED));
    let rejected = query::accounts(&bench.world, client, &Window::default(), None)[0].id;
    let transfer = query::transfers(&bench.world, rejected, &Window::default())[0].id;
    bench.wait("2026-03-02T08:00:05+01:00");
    let mut open = bench.open("1000");
    open.owner = Some(bench.owner(ANNA));
    open.bank_accounts =
        vec![OpenBankAccount { mandate: MandateStatus::Active, ..bench.bank("SE8150000000050000000019") }];
    let anna = bench.account(open);
    let bank_account = anna.bank_accounts[0].id;
    let order = bench.order(bench.buy(&anna, DAILY, "600")).id;
    bench.wait("2026-03-02T08:00:07+01:00");
    bench.does(Command::RejectOrder { partner, order }).expect("refused");
    let session = CreateMobilePayment {
        scope: bench.scope,
        account: anna.id,
        amount: amount("100.02"),
        kind: MobilePaymentType::SameDevice,
        qr_format: None,
    };
    let session = match bench.does(Command::CreateMobilePayment(session)) {
        Ok(Reply::MobilePaymentAsked(session)) => session,
        other => panic!("no session: {other:?}"),
    };
    let payment = bench.instruct(&anna, &[("50", "one")]);
    let payment = bench.payments(&payment)[0].id;
    bench.does(Command::FailPayment { partner, payment, reason: PaymentReason::MandateStopped }).expect("refused");
    bench.wait("2026-03-02T08:01:00+01:00");
    bench.does(Command::CloseAccount { scope: bench.scope, account: anna.id }).expect("closes");
    bench.to("2026-03-16T12:00:00+01:00");
    let payout = bench.cash_of(&anna).last().expect("paid out").id;
    bench.pays(Ocr::parse("1234574").expect("a reference"), "5");
    bench.to("2026-03-18T12:00:00+01:00");
    let item = bench.suspense()[0].id;

    let account = anna.id;
    let fund = query::fund_transactions(&bench.world, client, &Window::default(), &TransactionFilter::default());
    assert!(fund.is_empty(), "there is none to name");
    let cash = Booked::Cash { kind: CashType::Deposit, ref_type: CashRefType::Gift, amount: amount("1") };
    let answers = Answers::default();
    let some = Some(partner);
    let levers = [
        Command::HoldOrder { partner, order },
        Command::ReleaseOrder { partner, order },
        Command::RejectOrder { partner, order },
        Command::Book(Box::new(Book { partner, account, what: cash, text: None })),
        Command::BouncePayout { partner, transaction: payout },
        Command::OpenJourney { journey, partner: some },
        Command::AnswerStep { journey, step: JourneyStep::Kyc, answers: answers.clone(), partner: some },
        Command::SignJourney { journey, signer: ssn(ANNA), outcome: SignOutcome::Sign, partner: some },
        Command::CompleteJourney { partner, journey, answers: Vec::new() },
        Command::CancelJourney { partner, journey, context: None },
        Command::FailJourney { partner, journey, code: ErrorCode::Other, context: None },
        Command::ExpireJourney { partner, journey },
        Command::DecideAccount { partner, account: rejected, decision: Decision::Approve },
        Command::CheckBankAccount { partner, bank_account, passes: true },
        Command::AdviseMandate { partner, bank_account, code: Arc::from("01") },
        Command::MoveTransfer { partner, transfer, act: CustodianAct::Accept },
        Command::PayMobilePayment { payment: session.id, partner: some },
        Command::DeclineMobilePayment { payment: session.id, partner: some },
        Command::FailMobilePayment { payment: session.id, error: MobilePaymentError::Ff10, partner: some },
        Command::FailPayment { partner, payment, reason: PaymentReason::MandateStopped },
        Command::RefundPayment { partner, payment, unauthorised: false },
        Command::AllocateSuspense { item, account },
        Command::Purge { partner, what: Purgeable::Account(rejected) },
        Command::Purge { partner, what: Purgeable::Journey(journey) },
        Command::Purge { partner, what: Purgeable::Order(order) },
        Command::Purge { partner, what: Purgeable::CashTransaction(payout) },
    ];
    for purged in [false, true] {
        for lever in &levers {
            let mut world = bench.world.clone();
            let answer = world.apply(world.now(), lever.clone()).map_err(|refusal| refusal.class);
            assert_eq!(answer == Err(Class::Unknown), purged, "{lever:?} was answered by {answer:?}");
        }
        let screen = Command::Screen { owner, hit: ScreeningHit::Clear };
        let Ok(Reply::Accounts(found)) = bench.does(screen) else { panic!("screened") };
        assert_eq!(found.is_empty(), purged, "{found:?}");
        if !purged {
            purge(&mut bench, Purgeable::Client(client)).expect("nothing keeps it");
        }
    }
}
