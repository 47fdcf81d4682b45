//! Allocation plans and savings plans: created by journeys, read, patched, deleted.

use crate::common::{Bench, DAILY, GLOBAL, amount, id};
use crate::journeys::{ANNA, START, about, answers, opening_by};
use sim::command::{Decision, OpenBankAccount, Patch};
use sim::identity::Iban;
use sim::money::Percent;
use sim::query;
use sim::records::{
    Account, AccountType, Allocation, AllocationPlanConfiguration, Configuration, DepositType, JourneyStep,
    JourneyType, MandateStatus, Periodicity, SavingsPlanConfiguration,
};
use sim::{Class, Command, Reply};
use std::sync::Arc;

const HAPPY: &str = "SE8150000000050000000019";

/// A share of an allocation plan.
pub fn share(fund: &str, percent: &str) -> Allocation {
    Allocation { instrument: id(fund), percent: Percent::parse(percent).expect("a percent") }
}

fn monthly() -> Option<SavingsPlanConfiguration> {
    Some(SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None })
}

/// The opening of an account with both plans, which its customer is to walk.
pub fn with_both_plans() -> Configuration {
    Configuration {
        payment_account: Some(Iban::parse(HAPPY).expect("an iban")),
        allocation_plan: Some(AllocationPlanConfiguration {
            deposit_type: Some(DepositType::Autogiro),
            instruments: Some(vec![share(DAILY, "33.33"), share(GLOBAL, "66.67")]),
            ..AllocationPlanConfiguration::default()
        }),
        savings_plan: monthly(),
        ..opening_by(ANNA, AccountType::Depot)
    }
}

/// Somebody with an account and a bank account with an active mandate.
fn anna(bench: &mut Bench) -> Arc<Account> {
    let mut open = bench.open("0");
    open.owner = Some(bench.owner(ANNA));
    let mut bank = bench.bank(HAPPY);
    bank.mandate = MandateStatus::Active;
    open.bank_accounts = vec![bank];
    bench.account(open)
}

/// (rule: plans/savings-plan-start)
#[test]
fn an_account_is_opened_with_both_plans_and_the_result_shows_them() {
    let mut bench = Bench::new(1, START);
    let configuration = with_both_plans();
    let amounts = answers(&[("amount.SE0SBX000016SEK", "500"), ("amount.LU0SBX000058EUR", "750.50"), ("day", "5")]);
    let done = bench.walk(configuration, &[(JourneyStep::SavingsPlan, amounts)]);
    let account = bench.account_of(&done);
    let result = done.result.as_ref().expect("complete");
    let plan = result.allocation_plan.as_ref().expect("an allocation plan");
    assert_eq!(plan.payment_account, Some(Iban::parse(HAPPY).expect("an iban")));
    assert_eq!(plan.instruments, [share(DAILY, "33.33"), share(GLOBAL, "66.67")]);
    let savings = result.savings_plan.as_ref().expect("a savings plan");
    assert_eq!((savings.day, savings.start.to_string().as_str()), (5, "2026-03-06"));
    let mut bought = savings.instruments.clone();
    bought.sort();
    assert_eq!(bought, [(id(GLOBAL), amount("750.50")), (id(DAILY), amount("500"))]);

    let stored = query::allocation_plan_of(&bench.world, account.id).expect("stored");
    assert_eq!(stored.instruments, plan.instruments);
    assert_eq!(stored.bank_account, Some(account.bank_accounts[0].id));
    assert_eq!(query::allocation_plans(&bench.world, bench.scope.client).len(), 1);
    let stored = query::savings_plan_of(&bench.world, account.id).expect("stored");
    assert_eq!((stored.day, stored.bank_account), (5, account.bank_accounts[0].id));
    assert_eq!(account.bank_accounts[0].mandate, MandateStatus::Pending);
}

#[test]
fn an_update_replaces_the_plan_under_its_id() {
    let mut bench = Bench::new(1, START);
    let account = anna(&mut bench);
    let update = |bench: &mut Bench, shares: &[(&str, &str)]| {
        let given = [(JourneyStep::AllocationPlan, answers(shares))];
        bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &given);
        Arc::clone(query::allocation_plan_of(&bench.world, account.id).expect("stored"))
    };
    let first = update(&mut bench, &[("allocation.SE0SBX000016SEK", "100")]);
    bench.wait("2026-03-02T09:00:00+01:00");
    let shares = [("allocation.SE0SBX000016SEK", "12,5"), ("allocation.LU0SBX000058EUR", "87,5")];
    let second = update(&mut bench, &shares);
    assert_eq!((first.id, second.instruments.len()), (second.id, 2));
    assert_eq!((second.stamp.created, second.stamp.modified), (first.stamp.created, bench.world.now()));
    assert_eq!(second.bank_account, None, "deposited by the customer unless charging was chosen");
    assert_eq!(query::allocation_plans(&bench.world, bench.scope.client).len(), 1);

    let savings = Configuration { savings_plan: monthly(), ..about(&account, JourneyType::UpdateSavingsPlan) };
    let done = bench.walk(savings.clone(), &[]);
    let plan = Arc::clone(query::savings_plan_of(&bench.world, account.id).expect("stored"));
    assert_eq!(done.result.as_ref().and_then(|result| result.savings_plan.as_ref()).map(|plan| plan.day), Some(25));
    bench.walk(savings, &[(JourneyStep::SavingsPlan, answers(&[("day", "1")]))]);
    let again = query::savings_plan_of(&bench.world, account.id).expect("stored");
    assert_eq!((again.id, again.day, again.instruments.clone()), (plan.id, 1, plan.instruments.clone()));
}

/// (rule: journeys/allocation-of-plans)
#[test]
fn shares_of_a_journey_add_up_to_exactly_one_hundred() {
    let mut bench = Bench::new(1, START);
    let account = anna(&mut bench);
    for (one, other, sum) in [("33.33", "66.66", "99.99"), ("50", "50.01", "100.01")] {
        let journey = bench.journey(about(&account, JourneyType::UpdateAllocationPlan));
        let shares = [("allocation.SE0SBX000016SEK", one), ("allocation.LU0SBX000058EUR", other)];
        let given = vec![(JourneyStep::AllocationPlan, answers(&shares))];
        let partner = bench.scope.partner;
        let refusal = bench.does(Command::CompleteJourney { partner, journey, answers: given }).expect_err(sum);
        let expected = format!("must add up to exactly 100.00 percent; the sum is {sum}");
        assert_eq!(refusal.to_string(), format!("answers.allocationPlan.allocation {expected}"));
    }
}

/// (rule: plans/allocation-plan-shape)
#[test]
fn a_patch_changes_bank_account_and_shares_and_an_empty_one_nothing() {
    let mut bench = Bench::new(1, START);
    let account = anna(&mut bench);
    bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &[]);
    let plan = query::allocation_plan_of(&bench.world, account.id).expect("stored").id;
    let scope = bench.scope;
    let patch = |bank_account, instruments| Command::PatchAllocationPlan { scope, plan, bank_account, instruments };
    bench.wait("2026-03-02T10:00:00+01:00");
    let Ok(Reply::AllocationPlan(same)) = bench.does(patch(Patch::Keep, Patch::Keep)) else { panic!("patched") };
    assert_ne!(same.stamp.modified, bench.world.now());
    let bank = account.bank_accounts[0].id;
    let Ok(Reply::AllocationPlan(charged)) = bench.does(patch(Patch::Set(bank), Patch::Keep)) else {
        panic!("patched")
    };
    assert_eq!((charged.bank_account, charged.deposit_type), (Some(bank), DepositType::Autogiro));
    assert_eq!(charged.stamp.modified, bench.world.now());
    let Ok(Reply::AllocationPlan(free)) = bench.does(patch(Patch::Clear, Patch::Keep)) else { panic!("patched") };
    assert_eq!(free.bank_account, None);
    let shares = vec![share(DAILY, "1"), share(GLOBAL, "99")];
    let Ok(Reply::AllocationPlan(split)) = bench.does(patch(Patch::Keep, Patch::Set(shares.clone()))) else {
        panic!("patched")
    };
    assert_eq!(split.instruments, shares);
    let other_bank_account = sim::ids::BankAccountId::from_u128(1);
    let rows = [
        (patch(Patch::Set(other_bank_account), Patch::Keep), Class::BadTarget),
        (patch(Patch::Keep, Patch::Clear), Class::Malformed),
        (patch(Patch::Keep, Patch::Set(vec![share(DAILY, "99.99")])), Class::Malformed),
        (patch(Patch::Keep, Patch::Set(vec![share("SE0SBX000081SEK", "100")])), Class::Malformed),
    ];
    for (command, class) in rows {
        let digest = bench.world.digest();
        assert_eq!(bench.does(command).expect_err("refused").class, class);
        assert_eq!(bench.world.digest(), digest);
    }
}

#[test]
fn a_plan_is_deleted_once_and_a_new_one_can_follow() {
    let mut bench = Bench::new(1, START);
    let account = anna(&mut bench);
    bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &[]);
    let savings = Configuration { savings_plan: monthly(), ..about(&account, JourneyType::UpdateSavingsPlan) };
    bench.walk(savings, &[]);
    let scope = bench.scope;
    let plan = query::allocation_plan_of(&bench.world, account.id).expect("stored").id;
    let commands =
        [Command::DeleteAllocationPlan { scope, plan }, Command::DeleteSavingsPlan { scope, account: account.id }];
    for command in commands {
        bench.does(command.clone()).expect("deleted");
        assert_eq!(bench.does(command).expect_err("only once").class, Class::Unknown);
    }
    assert!(query::allocation_plan_of(&bench.world, account.id).is_none());
    assert!(query::savings_plan_of(&bench.world, account.id).is_none());
    assert!(query::allocation_plan(&bench.world, scope.client, plan).is_none());
    bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &[]);
    assert_ne!(query::allocation_plan_of(&bench.world, account.id).expect("a new one").id, plan);
}

#[test]
fn plans_charge_the_newest_bank_account_that_can_be_charged_or_will_be() {
    use MandateStatus::{Active, Invalid, Missing, Pending};
    let ibans = [HAPPY, "SE5950000000050000000027", "SE3750000000050000000035", "SE1550000000050000000043"];
    for (mandates, charged) in [
        ([Active, Active, Pending, Missing], 1),
        ([Missing, Active, Invalid, Pending], 1),
        ([Pending, Pending, Invalid, Missing], 1),
        ([Invalid, Missing, Invalid, Pending], 3),
    ] {
        let mut bench = Bench::new(1, START);
        let mut open = bench.open("0");
        open.owner = Some(bench.owner(ANNA));
        let connected = ibans.iter().zip(mandates);
        open.bank_accounts = connected.map(|(iban, mandate)| OpenBankAccount { mandate, ..bench.bank(iban) }).collect();
        let account = bench.account(open);
        let savings = Configuration { savings_plan: monthly(), ..about(&account, JourneyType::UpdateSavingsPlan) };
        bench.walk(savings, &[]);
        let expected = account.bank_accounts[charged].id;
        let plan = query::savings_plan_of(&bench.world, account.id).expect("stored");
        assert_eq!(plan.bank_account, expected, "{mandates:?}");
        let given = [(JourneyStep::AllocationPlan, answers(&[("depositType", "autogiro")]))];
        bench.walk(about(&account, JourneyType::UpdateAllocationPlan), &given);
        let plan = query::allocation_plan_of(&bench.world, account.id).expect("stored");
        assert_eq!(plan.bank_account, Some(expected), "{mandates:?}");
    }
}

/// (rule: plans/deleting-plans)
#[test]
fn an_application_that_comes_to_nothing_takes_its_plans_along() {
    for (how, kept) in [("approved", true), ("rejected", false), ("withdrawn", false), ("lapsed", false)] {
        let mut bench = Bench::new(1, START);
        // An insurer's signature is waited for, so that nothing is decided by itself.
        let configuration = Configuration { account_types: Some(vec![AccountType::Insurance]), ..with_both_plans() };
        let done = bench.walk(configuration, &[]);
        let account = bench.account_of(&done).id;
        let (partner, scope) = (bench.scope.partner, bench.scope);
        let allocation = query::allocation_plan_of(&bench.world, account).expect("stored").id;
        match how {
            "approved" => {
                bench.does(Command::DecideAccount { partner, account, decision: Decision::Confirm }).expect("signed");
                bench.does(Command::DecideAccount { partner, account, decision: Decision::Approve }).expect("approved");
            }
            "rejected" => {
                bench.does(Command::DecideAccount { partner, account, decision: Decision::Reject }).expect("rejected");
            }
            "withdrawn" => {
                bench.does(Command::CloseAccount { scope, account }).expect("deleted");
            }
            _ => bench.wait("2026-03-17T09:00:00+01:00"),
        }
        assert_eq!(query::allocation_plan_of(&bench.world, account).is_some(), kept, "{how}");
        assert_eq!(query::savings_plan_of(&bench.world, account).is_some(), kept, "{how}");
        assert_eq!(query::allocation_plan(&bench.world, scope.client, allocation).is_some(), kept, "{how}");
        assert_eq!(query::allocation_plans(&bench.world, scope.client).len(), usize::from(kept), "{how}");
    }
}
