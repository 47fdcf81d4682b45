//! Mobile payments: asked for, looked at.

use crate::planes::responses::{HandlerResult, json, settings, strictness, submitted};
use sim::command::PartialMobilePayment;
use sim::ids::{AccountId, ClientId, MobilePaymentId};
use sim::{Command, World, query};
use surface::auth::Caller;
use surface::extract::{Ids, Json};
use wire::payments::mobile::{MobilePayment, MobilePaymentRequest};
use wire::rows::shape::Shape as _;

/// `POST /v2/partner/client/{clientId}/account/{accountId}/deposit/mobilepay`
pub async fn create(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>, body: Json) -> HandlerResult {
    let scope = caller.scope_that_may(client, |permissions| permissions.mobile_payment)?;
    let create = body.read_whole(
        strictness(&caller),
        |body| {
            let request = MobilePaymentRequest::rows(body)?;
            Some(PartialMobilePayment { scope: Some(scope), account: Some(account), ..request })
        },
        |create| Ok(query::mobile_payment_problems(create)),
    )?;
    submitted(&caller, Command::CreateMobilePayment(create)).await
}

/// `GET /v2/partner/deposit/mobilepay/{mobilepayId}`
pub async fn read(caller: Caller, Ids(payment): Ids<MobilePaymentId>) -> HandlerResult {
    let found = |world: &World| (query::mobile_payment(world, caller.partner, payment).cloned(), settings(world));
    let (found, settings) = caller.world.read(found)?;
    let payment = found.map_err(|refusal| caller.world.refusal(refusal))?;
    Ok(json(&MobilePayment::of(&payment, &settings)))
}
