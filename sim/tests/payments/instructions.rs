//! Taking payment instructions.

use super::HAPPY;
use crate::common::{Bench, amount, setup};
use crate::journeys::START;
use sim::command::{CreateInstruction, NewPayment};
use sim::ids::AccountId;
use sim::machines::instruction::State;
use sim::records::{InstructionType, MandateStatus};
use sim::{Class, Command, Refusal, Reply};
use std::sync::Arc;

fn refused(bench: &mut Bench, create: CreateInstruction) -> (Class, String) {
    let before = bench.world.digest();
    let refusal: Refusal = bench.does(Command::CreateInstruction(create)).expect_err("refused");
    assert_eq!(bench.world.digest(), before, "a refused instruction changes nothing");
    (refusal.class, refusal.to_string())
}

/// (rule: payments/payment-instruction, payments/payment-permissions, payments/payment-client-ref)
#[test]
fn an_instruction_is_checked_in_order_and_refused_as_a_whole() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    let closed = bench.account(bench.open("0"));
    bench.does(Command::CloseAccount { scope: bench.scope, account: closed.id }).expect("closed");
    bench.instruct(&account, &[("10", "used")]);
    let pay = |account: AccountId, sum: &str, text: &str| NewPayment {
        account,
        amount: amount(sum),
        client_ref: Arc::from(text),
    };
    let nobody = AccountId::parse("00000000-0000-4000-8000-000000000001").expect("an id");
    // Each row keeps the faults of all rows below it.
    let mut payments = vec![
        pay(account.id, "0", "new"),
        pay(account.id, "10", "twice"),
        pay(account.id, "10", "twice"),
        pay(account.id, "10", "used"),
        pay(nobody, "10", "unknown"),
        pay(closed.id, "10", "closed"),
    ];
    let scope = bench.scope;
    let create = |payments: &[NewPayment]| CreateInstruction {
        scope,
        kind: InstructionType::Autogiro,
        payments: payments.to_vec(),
    };
    let refusal = refused(&mut bench, create(&payments));
    assert_eq!(refusal, (Class::Malformed, "payments[0].amount must be greater than zero".to_owned()));
    payments.remove(0);
    let refusal = refused(&mut bench, create(&payments));
    assert_eq!(refusal, (Class::Malformed, "payments[1].clientRef is given twice".to_owned()));
    payments.remove(0);
    let refusal = refused(&mut bench, create(&payments));
    assert_eq!(refusal, (Class::Malformed, "payments[1].clientRef is already taken".to_owned()));
    payments.remove(1);
    let refusal = refused(&mut bench, create(&payments));
    assert_eq!(refusal, (Class::Unknown, "payments[1].account is not known".to_owned()));
    payments.remove(1);
    let refusal = refused(&mut bench, create(&payments));
    assert_eq!(refusal.0, Class::AccountNotActive);
    payments.remove(1);
    let Ok(Reply::Instruction(taken)) = bench.does(Command::CreateInstruction(create(&payments))) else {
        panic!("what was refused has used up nothing")
    };
    assert_eq!((taken.payments.len(), *taken.state, taken.reference), (1, State::New, None));
    assert_eq!(refused(&mut bench, create(&[])), (Class::Malformed, "payments must not be empty".to_owned()));
    let many: Vec<_> = (0..1_001).map(|at| pay(account.id, "1", &format!("many {at}"))).collect();
    assert_eq!(
        refused(&mut bench, create(&many)),
        (Class::Malformed, "payments must have at most 1000 entries".to_owned())
    );
    assert!(bench.does(Command::CreateInstruction(create(&many[1..]))).is_ok(), "a thousand are taken");
    let (length, empty) = (pay(account.id, "1", &"å".repeat(256)), pay(account.id, "1", ""));
    assert_eq!(
        refused(&mut bench, create(&[length, empty])).1,
        "payments[0].clientRef must be at most 255 characters long; payments[1].clientRef must not be empty"
    );
}

/// (rule: payments/payment-permissions)
#[test]
fn a_missing_permission_is_refused_before_anything_else() {
    let mut setup = setup();
    setup.partners[0].clients[0].permissions.autogiro = false;
    let mut bench = Bench::of(&setup, 1, START);
    let create = CreateInstruction { scope: bench.scope, kind: InstructionType::BankTransfer, payments: Vec::new() };
    let refusal = refused(&mut bench, create);
    assert_eq!(refusal, (Class::OutOfScope, "clientId is not permitted for this client".to_owned()));
}

/// (rule: accounts/delete-with-instructions)
#[test]
fn an_account_is_not_closed_while_a_payment_is_to_come() {
    let mut bench = Bench::new(1, START);
    let account = bench.payer(HAPPY, MandateStatus::Active);
    let first = bench.instruct(&account, &[("100", "a"), ("100", "b")]);
    let second = bench.instruction(InstructionType::BankTransfer, &account, &[("5", "c")]).expect("taken");
    let close = Command::CloseAccount { scope: bench.scope, account: account.id };
    let refusal = bench.does(close.clone()).expect_err("payments are to come");
    assert_eq!(refusal.class, Class::NotAllowedNow);
    let reference = second.reference.expect("an OCR");
    let (first, second) = (first.id, second.id);
    let expected = format!("accountId still awaits payments of the instructions {first}, {second}");
    assert_eq!(refusal.to_string(), expected);
    bench.to("2026-03-03T12:00:00+01:00");
    assert!(bench.does(close.clone()).expect_err("one is").to_string().ends_with(&format!("instructions {second}")));
    bench.pays(reference, "5");
    bench.to("2026-03-04T12:00:00+01:00");
    assert!(bench.does(close).is_ok());
}
