//! Law 34 on payments of instructions: each has the status that its charge, its attempts and its payer have led to.
//!
//! Invariant: held against the model alone, after every step that moves one and over all of them in sweeps. Absent on
//! purpose: the money itself, which is `money_in`.

use super::{Claim, Fact, Judge, Law};
use crate::model::money_files::{ExpectedInstruction, Instructed};
use sim::World;
use sim::query;
use sim::records::{Payment, PaymentReason};

impl Judge {
    /// After a step: the instructions that it has moved.
    pub(super) fn payments_stand(&mut self, world: &World) {
        for instruction in self.model.instructions_moved() {
            self.check_instruction(world, &instruction);
        }
    }

    /// All instructions, for sweeps.
    pub(super) fn sweep_payments(&mut self, world: &World) {
        let all: Vec<Instructed> = self.model.instructions().collect();
        all.iter().for_each(|instruction| self.check_instruction(world, instruction));
    }

    fn check_instruction(&mut self, world: &World, expected: &Instructed) {
        let (now, id) = (world.now(), expected.id);
        let Some(record) = query::instruction(world, expected.client, id) else {
            return self.fail(Law::EventCorrespondence, now, || format!("instruction {id} cannot be read"), None);
        };
        let payments = query::payments_of(world, record);
        for (payment, due) in payments.iter().zip(&expected.payments) {
            let got = standing(payment);
            if got != *due {
                let what = || format!("payment {} is {got}, expected: {due}", payment.id);
                let seen = (got.status, got.code) != (due.status, due.code);
                let claim = seen.then(|| Claim::Payment(expected.client, id, fields(payment, due)));
                self.fail(Law::ChargesNeedAMandate, now, what, claim);
            }
        }
        let (status, count) = (record.state.name(), payments.len());
        self.ensure(
            (status, count) == (expected.status, expected.payments.len()),
            Law::ChargesNeedAMandate,
            now,
            || format!("instruction {id} with {count} payments is {status}, not {}", expected.status),
        );
    }
}

fn standing(payment: &Payment) -> ExpectedInstruction {
    ExpectedInstruction {
        status: payment.state.name(),
        code: payment.reason.map(PaymentReason::code),
        due: payment.due,
        attempts: payment.attempts,
        bank: payment.bank_account,
    }
}

/// What a reader should see of a payment.
fn fields(payment: &Payment, due: &ExpectedInstruction) -> Vec<(&'static str, Fact)> {
    let text = |text: &str| Fact::Text(text.to_owned());
    vec![
        ("id", Fact::Text(payment.id.to_string())),
        ("status", text(due.status)),
        ("reasonCode", due.code.map_or(Fact::Null, text)),
    ]
}
