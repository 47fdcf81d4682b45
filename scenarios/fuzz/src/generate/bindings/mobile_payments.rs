//! Mobile payments: what a step asks for, and what happens to what was asked for.

use super::{Bindings, signed};
use crate::generate::step::{Ask, Device, Name, PaymentAct, PaymentName};
use sim::Command;
use sim::command::CreateMobilePayment;
use sim::money::Amount;
use sim::records::{MobilePaymentError, MobilePaymentRefusal, MobilePaymentType, QrFormat};

impl Bindings {
    pub(super) fn ask(&self, ask: &Ask) -> Option<Command> {
        let (client, account) = self.account(ask.account)?;
        let (kind, qr_format) = match ask.device {
            Device::Same => (MobilePaymentType::SameDevice, None),
            Device::SameWithCode => (MobilePaymentType::SameDevice, Some(QrFormat::Png)),
            Device::Other => (MobilePaymentType::OtherDevice, None),
            Device::OtherBySvg => (MobilePaymentType::OtherDevice, Some(QrFormat::Svg)),
        };
        let amount = Amount::from_ore(signed(ask.ore));
        Some(Command::CreateMobilePayment(CreateMobilePayment {
            scope: self.scope(client),
            account,
            kind,
            amount,
            qr_format,
        }))
    }

    pub(super) fn refuse_payers(&self, account: Name, code: Option<u8>) -> Option<Command> {
        let (client, account) = self.account(account)?;
        let all = MobilePaymentRefusal::ALL;
        let refusal = code.map(|code| all[usize::from(code) % all.len()]);
        Some(Command::RefusePayers { partner: self.scope(client).partner, account, refusal })
    }

    pub(super) fn payment_act(&self, name: PaymentName, act: PaymentAct) -> Option<Command> {
        let (client, payment) = (*self.mobile_payments.get(usize::from(name))?)?;
        let partner = Some(self.scope(client).partner);
        Some(match act {
            PaymentAct::Open => Command::OpenMobilePayment { payment },
            PaymentAct::Pay => Command::PayMobilePayment { payment, partner },
            PaymentAct::Decline => Command::DeclineMobilePayment { payment, partner },
            PaymentAct::Fail(code) => {
                let all = MobilePaymentError::FAILURES;
                Command::FailMobilePayment { payment, error: all[usize::from(code) % all.len()], partner }
            }
        })
    }
}
