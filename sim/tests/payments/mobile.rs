//! Mobile payments: requests, and their outcome by default, by the payer, by banks, and by a closing account.

use crate::common::{Bench, DAILY, amount, at, setup, tree};
use crate::journeys::START;
use sim::command::CreateMobilePayment;
use sim::ids::MobilePaymentId;
use sim::money::Percent;
use sim::records::{
    Account, Allocation, AllocationPlanConfiguration, CashRefType, CashTransaction, CashType, Configuration,
    JourneyType, MobilePayment, MobilePaymentError, MobilePaymentRefusal, MobilePaymentType, QrFormat,
};
use sim::settings::Settings;
use sim::setup::Setup;
use sim::store::Window;
use sim::time::{Instant, Millis};
use sim::{Class, Command, Refusal, Reply, query};
use std::sync::Arc;

/// A world with an account, in which nothing or everything is paid by itself.
struct Stage {
    bench: Bench,
    account: Arc<Account>,
}

impl Stage {
    fn new(change: impl Fn(&mut Settings)) -> Self {
        Self::beginning(START, change)
    }

    fn beginning(start: &str, change: impl Fn(&mut Settings)) -> Self {
        let mut setup: Setup = setup();
        change(&mut setup.settings);
        let mut bench = Bench::of(&setup, 1, start);
        let mut open = bench.open("0");
        open.bank_accounts = vec![bench.bank("SE8150000000050000000019")];
        let account = bench.account(open);
        Self { bench, account }
    }

    /// One whose payers do nothing by themselves.
    fn waiting() -> Self {
        Self::new(|settings| settings.mobile_payments.auto_pay = false)
    }

    fn request(&self, text: &str) -> CreateMobilePayment {
        CreateMobilePayment {
            scope: self.bench.scope,
            account: self.account.id,
            kind: MobilePaymentType::SameDevice,
            amount: amount(text),
            qr_format: None,
        }
    }

    fn ask(&mut self, create: CreateMobilePayment) -> Result<Arc<MobilePayment>, Refusal> {
        match self.bench.does(Command::CreateMobilePayment(create))? {
            Reply::MobilePaymentAsked(payment) => Ok(payment),
            other => panic!("no session: {other:?}"),
        }
    }

    fn asked(&mut self, text: &str) -> MobilePaymentId {
        self.ask(self.request(text)).expect("a session").id
    }

    fn look(&self, id: MobilePaymentId) -> Arc<MobilePayment> {
        let partner = self.bench.scope.partner;
        Arc::clone(query::mobile_payment(&self.bench.world, partner, id).expect("the session exists"))
    }

    /// Public status and error code.
    fn shows(&self, id: MobilePaymentId) -> (&'static str, Option<&'static str>) {
        let payment = self.look(id);
        let settings = &self.bench.world.setup().settings;
        (payment.state.shown(settings), payment.error.map(MobilePaymentError::name))
    }

    fn after(&mut self, ms: i64) {
        let start = self.account.stamp.created;
        self.bench.world.advance(start.plus(Millis(ms)));
    }

    fn cash(&self) -> Vec<Arc<CashTransaction>> {
        let filter = query::TransactionFilter { account: Some(self.account.id), ..Default::default() };
        query::cash_transactions(&self.bench.world, self.bench.scope.client, &Window::default(), &filter)
    }

    fn pay(&mut self, id: MobilePaymentId) -> Result<Reply, Refusal> {
        let partner = Some(self.bench.scope.partner);
        self.bench.does(Command::PayMobilePayment { payment: id, partner })
    }

    fn fail(&mut self, id: MobilePaymentId, error: MobilePaymentError) -> Result<Reply, Refusal> {
        let partner = Some(self.bench.scope.partner);
        self.bench.does(Command::FailMobilePayment { payment: id, error, partner })
    }

    fn close(&mut self) {
        let (scope, account) = (self.bench.scope, self.account.id);
        self.bench.does(Command::CloseAccount { scope, account }).expect("it can be closed");
    }

    /// References of the money in suspense.
    fn in_suspense(&self) -> Vec<String> {
        let tree = tree(&self.bench.world);
        let items = tree["suspense"]["records"].as_array().expect("a list");
        items.iter().map(|item| item[1]["reference"].as_str().expect("text").to_owned()).collect()
    }
}

/// (rule: payments/mobile-payment-session)
#[test]
fn a_session_has_a_payment_id_of_capitals_and_a_token_of_letters_and_digits() {
    let mut stage = Stage::waiting();
    let (first, second) = (stage.asked("100"), stage.asked("100"));
    let (first, second) = (stage.look(first), stage.look(second));
    for payment in [&first, &second] {
        assert_eq!((payment.token.len(), payment.payment_id.len()), (32, 32));
        assert!(payment.token.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{}", payment.token);
        assert!(payment.payment_id.bytes().all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte)));
        let found = query::mobile_payment_by_token(&stage.bench.world, &payment.token).expect("found by its token");
        assert_eq!(found.id, payment.id);
    }
    assert!(first.token != second.token && first.payment_id != second.payment_id);
    assert!(query::mobile_payment_by_token(&stage.bench.world, "nothing").is_none());
    let mut other = Stage::waiting();
    let same = other.asked("100");
    assert_eq!(other.look(same).token, first.token, "what is drawn depends on the seed");
}

/// (rule: payments/mobile-payment-session, payments/limits-are-inclusive)
#[test]
fn what_is_asked_for_has_bounds_that_are_themselves_allowed() {
    let stage = Stage::waiting();
    let other = |kind, qr_format| CreateMobilePayment { kind, qr_format, ..stage.request("100") };
    let rows = [
        (stage.request("1"), ""),
        (stage.request("150000"), ""),
        (stage.request("0.99"), "amount must lie between 1.00 and 150000.00 SEK"),
        (stage.request("150000.99"), "amount must lie between 1.00 and 150000.00 SEK"),
        (stage.request("-1"), "amount must lie between 1.00 and 150000.00 SEK"),
        (other(MobilePaymentType::OtherDevice, None), ""),
        (other(MobilePaymentType::OtherDevice, Some(QrFormat::Svg)), ""),
        (
            other(MobilePaymentType::SameDevice, Some(QrFormat::Png)),
            "qrFormat must be left out: a payment on the same device has no QR code",
        ),
        (
            CreateMobilePayment { qr_format: Some(QrFormat::Jpg), ..stage.request("0.50") },
            "amount must lie between 1.00 and 150000.00 SEK; qrFormat must be left out: a payment on the same device \
             has no QR code",
        ),
    ];
    for (create, complaint) in rows {
        let mut world = stage.bench.world.clone();
        let digest = world.digest();
        let answer = world.apply(world.now(), Command::CreateMobilePayment(create.clone()));
        let got = answer.err().map(|refusal| (refusal.class, refusal.to_string()));
        let expected = (!complaint.is_empty()).then(|| (Class::Malformed, complaint.to_owned()));
        assert_eq!(got, expected, "{create:?}");
        assert_eq!(world.digest() == digest, !complaint.is_empty(), "a refused request changes nothing");
    }
}

/// (rule: payments/mobile-payment-session)
#[test]
fn a_code_is_a_png_unless_it_is_named_and_only_for_another_device() {
    let mut stage = Stage::waiting();
    for (kind, asked, kept) in [
        (MobilePaymentType::SameDevice, None, None),
        (MobilePaymentType::OtherDevice, None, Some(QrFormat::Png)),
        (MobilePaymentType::OtherDevice, Some(QrFormat::Jpg), Some(QrFormat::Jpg)),
        (MobilePaymentType::OtherDevice, Some(QrFormat::Svg), Some(QrFormat::Svg)),
    ] {
        let create = CreateMobilePayment { kind, qr_format: asked, ..stage.request("10") };
        assert_eq!(stage.ask(create).expect("a session").qr_format, kept);
    }
}

/// (rule: payments/payment-permissions)
#[test]
fn a_client_without_the_permission_is_refused_before_anything_is_read() {
    let mut without = setup();
    without.partners[0].clients[0].permissions.mobile_payment = false;
    let mut bench = Bench::of(&without, 1, START);
    let account = bench.account(bench.open("0"));
    let mut stage = Stage { bench, account };
    for text in ["100", "0.01"] {
        let refusal = stage.ask(stage.request(text)).expect_err("not permitted");
        assert_eq!(
            (refusal.class, refusal.to_string()),
            (Class::OutOfScope, "clientId is not permitted for this client".to_owned())
        );
    }
}

/// (rule: payments/mobile-payment-states)
#[test]
fn a_payment_is_one_deposit_on_that_very_day_also_on_a_sunday() {
    let mut stage = Stage::beginning("2026-03-08T23:00:00+01:00", |_| {});
    let id = stage.asked("250.50");
    stage.bench.event_kinds();
    stage.after(3_999);
    assert_eq!((stage.shows(id), stage.cash().len()), (("pending", None), 0));
    stage.after(4_000);
    assert_eq!(stage.shows(id), ("paid", None));
    assert_eq!(stage.bench.event_kinds(), ["cashTransaction.create", "account.update"]);
    let cash = stage.cash();
    let [deposit] = &cash[..] else { panic!("one deposit: {cash:?}") };
    assert_eq!((deposit.kind, deposit.ref_type), (CashType::Deposit, CashRefType::Payment));
    assert_eq!(deposit.reference, Some(stage.look(id).payment_id.clone()));
    assert_eq!(
        (deposit.amount, deposit.settlement),
        (amount("250.50"), Some(sim::time::parse_date("2026-03-08").expect("a day")))
    );
    let account = stage.bench.again(&stage.account);
    assert_eq!((account.balance, account.deposited), (amount("250.50"), amount("250.50")));
    stage.after(400_000);
    assert_eq!((stage.shows(id), stage.cash().len()), (("paid", None), 1));
}

/// (rule: payments/mobile-payment-outcomes)
#[test]
fn the_ore_decide_the_outcome_of_a_payment() {
    // At 3.999, 4, 63.999, 64, 179.999 and 180 seconds: nothing, paid, or an error.
    let rows: [(&str, [&str; 6]); 10] = [
        ("20.02", ["", "RF07", "RF07", "RF07", "RF07", "RF07"]),
        ("20.03", ["", "BANKIDCL", "BANKIDCL", "BANKIDCL", "BANKIDCL", "BANKIDCL"]),
        ("20.04", ["", "BANKIDONGOING", "BANKIDONGOING", "BANKIDONGOING", "BANKIDONGOING", "BANKIDONGOING"]),
        ("20.05", ["", "BANKIDUNKN", "BANKIDUNKN", "BANKIDUNKN", "BANKIDUNKN", "BANKIDUNKN"]),
        ("20.06", ["", "FF10", "FF10", "FF10", "FF10", "FF10"]),
        ("20.07", ["", "", "", "", "", "TM01"]),
        ("20.08", ["", "DS24", "DS24", "paid", "paid", "paid"]),
        ("20.09", ["", "DS24", "DS24", "DS24", "DS24", "DS24"]),
        ("20.10", ["", "DECLINED", "DECLINED", "DECLINED", "DECLINED", "DECLINED"]),
        ("20.11", ["", "paid", "paid", "paid", "paid", "paid"]),
    ];
    for auto_pay in [true, false] {
        for (text, expected) in rows {
            let mut stage = Stage::new(|settings| settings.mobile_payments.auto_pay = auto_pay);
            let id = stage.asked(text);
            let mut seen = Vec::new();
            for ms in [3_999, 4_000, 63_999, 64_000, 179_999, 180_000] {
                stage.after(ms);
                seen.push(match stage.shows(id) {
                    ("paid", None) => "paid",
                    ("pending", error) => error.unwrap_or_default(),
                    other => panic!("{other:?}"),
                });
            }
            // Without a payer who pays by himself, what has no fixed outcome waits.
            let unpaid = !auto_pay && text == "20.11";
            assert_eq!(seen, if unpaid { ["", "", "", "", "", "TM01"] } else { expected }, "{text} {auto_pay}");
            stage.after(10_000_000);
            let paid = usize::from(seen[5] == "paid");
            assert_eq!(stage.cash().len(), paid, "{text}");
            assert_eq!(stage.shows(id).0, ["pending", "paid"][paid], "what has failed stays so");
        }
    }
}

/// (rule: payments/mobile-payment-outcomes)
#[test]
fn one_ore_is_refused_and_without_magic_amounts_every_payment_is_paid() {
    let mut stage = Stage::waiting();
    let digest = stage.bench.world.digest();
    let refusal = stage.ask(stage.request("100.01")).expect_err("not enrolled");
    assert_eq!(refusal.class, Class::BadTarget);
    assert_eq!(refusal.to_string(), "amount is not acceptable: ACMT07, the payee is not enrolled");
    assert_eq!(stage.bench.world.digest(), digest);
    let mut stage = Stage::new(|settings| settings.mobile_payments.magic_amounts = false);
    let ids: Vec<_> = (1..=10).map(|ore| stage.asked(&format!("7.{ore:02}"))).collect();
    stage.after(4_000);
    assert!(ids.iter().all(|id| stage.shows(*id) == ("paid", None)));
}

/// (rule: payments/mobile-payment-refused-payers)
#[test]
fn payers_of_an_account_are_refused_with_the_code_that_was_set_until_it_is_lifted() {
    let mut stage = Stage::new(|_| {});
    let before = stage.asked("50");
    let (partner, account) = (stage.bench.scope.partner, stage.account.id);
    for (code, text) in [
        ("ACMT03", "the payer is not enrolled"),
        ("ACMT07", "the payee is not enrolled"),
        ("BE18", "the payer's number is not valid"),
        ("RP06", "another request to the payer is active"),
    ] {
        let refusal = MobilePaymentRefusal::ALL.into_iter().find(|refusal| refusal.name() == code);
        stage.bench.does(Command::RefusePayers { partner, account, refusal }).expect("an active account");
        let digest = stage.bench.world.digest();
        // The account's word comes before the amount's.
        for sum in ["100", "100.01", "100.02"] {
            let refused = stage.ask(stage.request(sum)).expect_err("refused at creation");
            assert_eq!(refused.class, Class::BadTarget);
            assert_eq!(refused.to_string(), format!("accountId is not acceptable: {code}, {text}"), "{sum}");
        }
        assert_eq!(stage.bench.world.digest(), digest);
    }
    let other = stage.bench.account(stage.bench.open("0"));
    let elsewhere = CreateMobilePayment { account: other.id, ..stage.request("100") };
    stage.ask(elsewhere).expect("another account's payers are asked as before");
    stage.after(4_000);
    assert_eq!(stage.shows(before), ("paid", None), "what was asked for before goes on");
    stage.bench.does(Command::RefusePayers { partner, account, refusal: None }).expect("lifted");
    stage.asked("100");
}

/// (rule: payments/mobile-payment-outcomes)
#[test]
fn opening_the_page_stops_only_what_would_be_paid_by_itself() {
    let mut stage = Stage::new(|_| {});
    let (opened, other, magic) = (stage.asked("30"), stage.asked("30"), stage.asked("30.02"));
    for payment in [opened, magic, opened] {
        stage.bench.does(Command::OpenMobilePayment { payment }).expect("it can be looked at");
    }
    stage.after(4_000);
    assert_eq!(
        [opened, other, magic].map(|id| stage.shows(id)),
        [("pending", None), ("paid", None), ("pending", Some("RF07"))]
    );
    for payment in [opened, other, magic] {
        let (before, digest) = (stage.look(payment), stage.bench.world.digest());
        stage.bench.does(Command::OpenMobilePayment { payment }).expect("looking is harmless");
        assert_eq!((stage.look(payment), stage.bench.world.digest()), (before, digest));
    }
    stage.after(180_000);
    assert_eq!(stage.shows(opened), ("pending", Some("TM01")));
    let unknown = stage.bench.does(Command::OpenMobilePayment { payment: MobilePaymentId::from_u128(1) });
    assert_eq!(unknown.expect_err("none").class, Class::Unknown);
}

/// (rule: payments/mobile-payment-late)
#[test]
fn an_unknown_outcome_outlives_every_time_and_is_paid_once() {
    for (text, by_timer) in [("40.08", true), ("40.09", false)] {
        let mut stage = Stage::waiting();
        let id = stage.asked(text);
        stage.after(4_000);
        assert_eq!(stage.shows(id), ("pending", Some("DS24")));
        stage.after(if by_timer { 63_999 } else { 90_000_000 });
        assert_eq!(stage.shows(id), ("pending", Some("DS24")), "nothing overtakes it");
        let decline = Command::DeclineMobilePayment { payment: id, partner: None };
        let conflict = stage.bench.does(decline).expect_err("too late").conflict.expect("a conflict");
        assert_eq!((conflict.current.as_str(), conflict.allowed), ("DS24", vec!["pay"]));
        if by_timer {
            stage.after(64_000);
        } else {
            stage.pay(id).expect("late money");
        }
        assert_eq!((stage.shows(id), stage.cash().len()), (("paid", None), 1));
        let again = stage.pay(id).expect_err("once");
        let conflict = again.conflict.expect("a conflict");
        assert_eq!((again.class, conflict.current.as_str(), conflict.allowed), (Class::Conflict, "paid", Vec::new()));
        assert_eq!(stage.cash().len(), 1);
    }
}

/// (rule: payments/mobile-payment-late)
#[test]
fn a_late_payment_by_lever_leaves_nothing_to_be_paid_by_the_clock() {
    let mut stage = Stage::new(|_| {});
    let id = stage.asked("40.08");
    stage.fail(id, MobilePaymentError::Ds24).expect("banks may fall silent before");
    stage.after(59_999);
    assert_eq!(stage.shows(id), ("pending", Some("DS24")));
    stage.pay(id).expect("late money");
    stage.after(400_000);
    assert_eq!((stage.shows(id), stage.cash().len()), (("paid", None), 1));
}

/// (rule: payments/mobile-payment-states, payments/mobile-payment-late)
#[test]
fn a_finished_mobile_payment_refuses_every_lever_with_its_status() {
    type Act = fn(&mut Stage, MobilePaymentId) -> Result<Reply, Refusal>;
    let decline: Act = |stage, payment| {
        let partner = Some(stage.bench.scope.partner);
        stage.bench.does(Command::DeclineMobilePayment { payment, partner })
    };
    let rows: [(Act, &str, &[&str]); 5] = [
        (|stage, id| stage.pay(id), "paid", &[]),
        (decline, "DECLINED", &[]),
        (|stage, id| stage.fail(id, MobilePaymentError::Ff10), "FF10", &[]),
        (|stage, id| stage.fail(id, MobilePaymentError::Tm01), "TM01", &[]),
        (|stage, id| stage.fail(id, MobilePaymentError::Ds24), "DS24", &["pay"]),
    ];
    for (first, status, allowed) in &rows {
        for (at, (second, _, _)) in rows.iter().enumerate() {
            let mut stage = Stage::new(|_| {});
            let id = stage.asked("50");
            first(&mut stage, id).expect("a waiting session can be moved");
            let digest = stage.bench.world.digest();
            let answer = second(&mut stage, id);
            if at == 0 && *status == "DS24" {
                assert!(answer.is_ok(), "late money");
                continue;
            }
            let refusal = answer.expect_err("it has ended");
            let conflict = refusal.conflict.expect("a conflict");
            assert_eq!((conflict.current.as_str(), &conflict.allowed[..]), (*status, *allowed));
            assert_eq!(stage.bench.world.digest(), digest);
            assert_eq!(stage.cash().len(), usize::from(*status == "paid"));
        }
    }
    let mut stage = Stage::new(|_| {});
    let id = stage.asked("50");
    for error in [MobilePaymentError::Declined, MobilePaymentError::Cancelled] {
        assert_eq!(stage.fail(id, error).expect_err("no failure of banks").class, Class::Malformed);
    }
}

/// (rule: payments/mobile-payment-states)
#[test]
fn a_world_may_show_failures_as_errors() {
    for (exposed, shown) in [(false, "pending"), (true, "error")] {
        let mut stage = Stage::new(|settings| settings.mobile_payments.expose_error = exposed);
        let (failed, unknown, waits) = (stage.asked("5.06"), stage.asked("5.09"), stage.asked("5.07"));
        stage.after(4_000);
        assert_eq!(stage.shows(failed), (shown, Some("FF10")));
        assert_eq!(stage.shows(unknown), (shown, Some("DS24")));
        assert_eq!(stage.shows(waits), ("pending", None));
    }
}

/// (rule: payments/mobile-payment-and-closing, payments/deposit-or-suspense)
#[test]
fn a_closing_account_withdraws_its_requests_and_late_money_goes_to_suspense() {
    let mut stage = Stage::new(|_| {});
    let paid = stage.asked("60");
    stage.after(4_000);
    let (waits, unknown) = (stage.asked("60"), stage.asked("60"));
    stage.fail(unknown, MobilePaymentError::Ds24).expect("the banks are silent");
    stage.close();
    assert_eq!(
        [paid, waits, unknown].map(|id| stage.shows(id)),
        [("paid", None), ("pending", Some("CANCELLED")), ("pending", Some("DS24"))]
    );
    stage.after(400_000);
    let before = stage.cash().len();
    assert_eq!(stage.pay(waits).expect_err("withdrawn").class, Class::Conflict);
    stage.pay(unknown).expect("late money");
    assert_eq!((stage.shows(unknown), stage.cash().len()), (("paid", None), before));
    assert_eq!(stage.in_suspense(), [stage.look(unknown).payment_id.to_string()]);
    let refusal = stage.ask(stage.request("60")).expect_err("it closes");
    assert_eq!(refusal.class, Class::AccountNotActive);
}

/// (rule: payments/mobile-payment-and-closing)
#[test]
fn an_account_that_is_deleted_at_once_withdraws_its_requests_too() {
    let mut stage = Stage::new(|_| {});
    let waits = stage.asked("60");
    stage.close();
    assert!(stage.bench.again(&stage.account).deleted.is_some(), "nothing was left");
    assert_eq!(stage.shows(waits), ("pending", Some("CANCELLED")));
}

/// (rule: plans/allocation-run)
#[test]
fn a_payment_runs_the_allocation_plan_of_its_account() {
    let mut stage = Stage::new(|_| {});
    let share = Allocation { instrument: crate::common::id(DAILY), percent: Percent::WHOLE };
    let shares = AllocationPlanConfiguration { instruments: Some(vec![share]), ..Default::default() };
    let configuration = crate::journeys::about(&stage.account, JourneyType::UpdateAllocationPlan);
    stage.bench.walk(Configuration { allocation_plan: Some(shares), ..configuration }, &[]);
    stage.asked("1000");
    stage.after(4_000);
    let orders =
        query::orders(&stage.bench.world, stage.bench.scope.client, &Window::default(), &query::OrderFilter::default());
    assert_eq!(orders.iter().map(|order| order.amount).collect::<Vec<_>>(), [Some(amount("1000"))]);
}

/// (rule: payments/mobile-payment-session)
#[test]
fn a_session_is_its_own_partners_to_read() {
    let mut two = setup();
    let mut other = two.partners[0].clone();
    other.name = Arc::from("Other partner");
    other.clients[0].crn = sim::identity::OrganisationNumber::parse("5599900015").expect("a number");
    two.partners.push(other);
    let mut bench = Bench::of(&two, 1, START);
    let other_partner = query::partners(&bench.world).nth(1).expect("two partners").id;
    let account = bench.account(bench.open("0"));
    let mut stage = Stage { bench, account };
    let id = stage.asked("100");
    let class = |partner, id| {
        query::mobile_payment(&stage.bench.world, partner, id).map(|_| ()).map_err(|refusal| refusal.class)
    };
    let own = stage.bench.scope.partner;
    assert_eq!(class(own, id), Ok(()));
    assert_eq!(class(other_partner, id), Err(Class::OutOfScope));
    assert_eq!(class(other_partner, MobilePaymentId::from_u128(1)), Err(Class::Unknown));
}

/// The scheme is open on every day and at every hour.
#[test]
fn a_session_lives_over_midnight() {
    let mut stage = Stage::beginning("2026-12-31T23:59:58+01:00", |_| {});
    let id = stage.asked("100");
    stage.after(4_000);
    let new_year: Instant = at("2027-01-01T00:00:02+01:00");
    assert_eq!(stage.bench.world.now(), new_year);
    assert_eq!(stage.shows(id), ("paid", None));
    assert_eq!(stage.cash()[0].settlement, Some(new_year.local_date()));
}
