//! Mobile payment sessions: by their id for a partner, by their token for a payer. References of payments, money in suspense, and
//! what would refuse a withdrawal.

use crate::command::Withdraw;
use crate::flows::payments::withdrawals;
use crate::ids::{ClientId, MobilePaymentId, PartnerId};
use crate::records::{MobilePayment, SuspenseItem};
use crate::refusal::{Class, Fault, Refusal};
use crate::scope;
use crate::world::World;
use std::sync::Arc;

pub use crate::flows::bank::payouts::has_withdrawal_grant;
pub use crate::flows::bank::withdrawal_limits::{WithdrawalLimits, shown as withdrawal_limits};
pub use crate::flows::payments::bankgiro::PLATFORM_NUMBER;
pub use crate::flows::payments::instructions::{
    MAX_PAYMENTS, of_client as instruction, payments_of, problems as instruction_problems,
};
pub use crate::flows::payments::mobile::problems as mobile_payment_problems;
pub use crate::flows::payments::withdrawals::problems as withdrawal_problems;

/// A session of a client of `partner` (rule: payments/mobile-payment-session).
///
/// # Errors
/// `Unknown` when there is none, `OutOfScope` when it is another partner's.
pub fn mobile_payment(world: &World, partner: PartnerId, id: MobilePaymentId) -> Result<&Arc<MobilePayment>, Refusal> {
    let Some(payment) = world.mobile_payments.get(id) else {
        return Err(Refusal::one(Class::Unknown, "mobilepayId", Fault::NotFound));
    };
    match scope::client(world, payment.client) {
        Some(client) if client.partner == partner => Ok(payment),
        _ => Err(Refusal::one(Class::OutOfScope, "mobilepayId", Fault::NotYours)),
    }
}

/// A session by its id alone, for the payer who has opened it.
#[must_use]
pub fn mobile_payment_by_id(world: &World, id: MobilePaymentId) -> Option<&Arc<MobilePayment>> {
    world.mobile_payments.get(id)
}

/// A session by its token; the newest are looked at first.
#[must_use]
pub fn mobile_payment_by_token<'w>(world: &'w World, token: &str) -> Option<&'w Arc<MobilePayment>> {
    world.mobile_payments.iter().rev().find(|payment| *payment.token == *token)
}

/// All sessions in order of creation.
pub fn mobile_payments(world: &World) -> impl Iterator<Item = &Arc<MobilePayment>> {
    world.mobile_payments.iter()
}

/// Whether a payment of `client` ever had this `clientRef` (rule: payments/payment-client-ref).
#[must_use]
pub fn has_payment_ref(world: &World, client: ClientId, client_ref: &str) -> bool {
    world.payment_refs.contains_key(&(client, Arc::from(client_ref)))
}

/// Money that no account could take, in the order in which it came.
pub fn suspense(world: &World) -> impl ExactSizeIterator<Item = &Arc<SuspenseItem>> {
    world.suspense.iter()
}

/// Why this withdrawal would be refused if it came now; none when it would be taken.
#[must_use]
pub fn withdrawal_refusal(world: &World, withdrawal: &Withdraw) -> Option<Refusal> {
    withdrawals::check(world, withdrawal).err()
}
