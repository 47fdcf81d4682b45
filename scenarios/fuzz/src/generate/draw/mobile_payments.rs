//! Mobile payments: asked for, then waited for, paid, refused or left alone. They are drawn from a stream of their own, so that
//! the other steps of a seed stay as they are.

use super::{Generator, small};
use crate::generate::step::{Ask, Device, PaymentAct, PaymentName, Step, Wait};

/// Milliseconds that make a difference to a payment: its answer, the late answer, the end of its time.
const MOMENTS: [u32; 3] = [4_000, 60_000, 180_000];
/// The place of the code that leaves the outcome unknown.
const SILENCE: u8 = 6;

impl Generator {
    /// A step about mobile payments, now and then.
    pub(super) fn about_payments(&mut self) -> Option<Step> {
        if !self.payment_plot.is_empty() && self.money.chance(1, 2) {
            return self.payment_plot.pop();
        }
        if self.money.below(1_000) >= u64::from(self.profile.payments) || self.open.is_empty() {
            return None;
        }
        if self.payments > 0 && self.money.chance(1, 4) {
            let back = 1 + self.money.below(6);
            return Some(self.payment_act(self.payments.saturating_sub(small(back))));
        }
        Some(if self.payments % 16 == 7 { self.refuse_payers() } else { self.ask() })
    }

    /// The banks refuse the payers of an account before one is asked, and most often they are taken again afterwards.
    /// Nothing is drawn for it, so that the other steps of a seed stay as they are.
    fn refuse_payers(&mut self) -> Step {
        let ask = self.ask();
        let Step::Ask(Ask { account, name, .. }) = ask else { return ask };
        if name / 16 % 8 != 7 {
            self.payment_plot.push(Step::Payers(account, None));
        }
        self.payment_plot.push(ask);
        Step::Payers(account, Some(small(u64::from(name / 16 % 4))))
    }

    fn ask(&mut self) -> Step {
        let name = self.payments;
        self.payments = self.payments.saturating_add(1);
        let account = *self.money.pick(&self.open);
        let whole = (1 + self.money.below(2_000)) * 100;
        let ore = match self.money.below(20) {
            0 => *self.money.pick(&[0, 99, 100, 15_000_000, 15_000_001]),
            1..11 => whole + 1 + self.money.below(10),
            _ => whole + self.money.below(100),
        };
        let device = match self.money.below(12) {
            0 => Device::SameWithCode,
            1 | 2 => Device::Other,
            3 => Device::OtherBySvg,
            _ => Device::Same,
        };
        self.after_asking(name);
        Step::Ask(Ask { name, account, ore, device })
    }

    /// What comes next, last first.
    fn after_asking(&mut self, name: PaymentName) {
        let (first, second) = (self.payment_act(name), self.payment_act(name));
        let (wait, again) = (self.moment(), self.moment());
        let silence = Step::Payment(name, PaymentAct::Fail(SILENCE));
        let paid = Step::Payment(name, PaymentAct::Pay);
        let plot = match self.money.below(40) {
            0..8 => vec![wait],
            8..14 => vec![again, wait],
            14..20 => vec![second, wait, first],
            20..26 => vec![first, wait],
            26..30 => vec![paid, wait, silence],
            30 if self.open.len() > 2 => vec![paid, self.close(), silence],
            31 if self.open.len() > 2 => vec![wait, self.close()],
            _ => vec![first],
        };
        self.payment_plot.extend(plot);
    }

    fn payment_act(&mut self, name: PaymentName) -> Step {
        let act = match self.money.below(8) {
            0 | 1 => PaymentAct::Open,
            2 | 3 => PaymentAct::Decline,
            4 => PaymentAct::Fail(small(self.money.below(7))),
            _ => PaymentAct::Pay,
        };
        Step::Payment(name, act)
    }

    /// To an instant at which a payment may change, or a millisecond beside it.
    fn moment(&mut self) -> Step {
        let beside = small::<u32>(self.money.below(3));
        Step::Wait(Wait::Ms(*self.money.pick(&MOMENTS) + beside - 1))
    }
}
