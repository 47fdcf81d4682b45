//! Mobile payment sessions: by their id for a partner, by their token for a payer.

use crate::ids::{MobilePaymentId, PartnerId};
use crate::records::MobilePayment;
use crate::refusal::{Class, Fault, Refusal};
use crate::scope;
use crate::world::World;
use std::sync::Arc;

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

/// A session by its token, for whoever holds that; the newest are looked at first.
#[must_use]
pub fn mobile_payment_by_token<'w>(world: &'w World, token: &str) -> Option<&'w Arc<MobilePayment>> {
    world.mobile_payments.iter().rev().find(|payment| *payment.token == *token)
}

/// All sessions in order of creation.
pub fn mobile_payments(world: &World) -> impl Iterator<Item = &Arc<MobilePayment>> {
    world.mobile_payments.iter()
}
