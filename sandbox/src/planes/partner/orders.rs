//! Orders: placed in three ways, listed, read, canceled.

use crate::planes::responses::{HandlerResult, json, settings, strictness, submitted, unknown};
use sim::command::{PartialOrder, Scope};
use sim::ids::{ClientId, OrderId};
use sim::query::{self, OrderFilter};
use sim::store::Window;
use sim::{Command, World};
use std::fmt;
use surface::auth::Caller;
use surface::extract::{Ids, Json, Query};
use wire::orders::{self, Order, OrderRequest, OrderWithdrawalRequest, RedemptionTransferRequest};
use wire::query::{Parameters, window};
use wire::rows::fields::Fields;
use wire::rows::shape::Shape as _;
use wire::words::choices;

/// `POST /v2/partner/client/{clientId}/order`
pub async fn create(caller: Caller, Ids(client): Ids<ClientId>, query: Query, body: Json) -> HandlerResult {
    placed(&caller, caller.scope(client)?, &query, &body, OrderRequest::rows).await
}

/// `POST /v2/partner/client/{clientId}/order/withdrawal`
pub async fn withdraw(caller: Caller, Ids(client): Ids<ClientId>, query: Query, body: Json) -> HandlerResult {
    let scope = caller.scope_that_may(client, |permissions| permissions.withdrawals)?;
    placed(&caller, scope, &query, &body, OrderWithdrawalRequest::rows).await
}

/// `POST /v2/partner/client/{clientId}/order/redemptionTransfer`
pub async fn transfer(caller: Caller, Ids(client): Ids<ClientId>, query: Query, body: Json) -> HandlerResult {
    placed(&caller, caller.scope(client)?, &query, &body, RedemptionTransferRequest::rows).await
}

/// `GET /v2/partner/client/{clientId}/order`
pub async fn list(caller: Caller, Ids(client): Ids<ClientId>, query: Query) -> HandlerResult {
    let scope = caller.scope(client)?;
    let statuses = orders::statuses(&caller.world.read(settings)?);
    let (window, filter) = query.read(|query| filters(query, statuses))?;
    let orders = |world: &World| (query::orders(world, scope.client, &window, &filter), settings(world));
    let (orders, settings) = caller.world.read(orders)?;
    Ok(json(&orders.iter().map(|order| Order::of(order, &settings)).collect::<Vec<_>>()))
}

/// The parameters of a listing, in a world whose orders show `statuses`.
pub(crate) fn filters(query: &mut Parameters<'_>, statuses: &'static [&'static str]) -> (Window, OrderFilter) {
    let choices = fmt::from_fn(|f| write!(f, "one of {}", choices(statuses.iter().copied())));
    let form = (choices, || orders::schema_of_status(statuses));
    let status = |text: &str| statuses.contains(&text).then(|| text.to_owned());
    let page = window(query);
    let filter = OrderFilter {
        account: query.id("account", "Only of this account."),
        status: query.read("status", "Only with this status.", form, status),
        side: query.word("orderType", "Only of this type."),
        instrument: query.instrument("instrument", "Only in this instrument."),
        client_ref: query.text("clientRef", "Only with exactly this reference."),
    };
    (page, filter)
}

/// The parameter of a placement: whether the order is only checked (rule: orders/validate-only).
pub(crate) fn validate_only(query: &mut Parameters<'_>) -> bool {
    query.flag("validate-only", "Only check the order; nothing is created.")
}

/// `GET /v2/partner/client/{clientId}/order/{orderId}`
pub async fn read(caller: Caller, Ids((client, order)): Ids<(ClientId, OrderId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = |world: &World| (query::order(world, scope.client, order).cloned(), settings(world));
    let (found, settings) = caller.world.read(found)?;
    Ok(json(&Order::of(&*found.ok_or_else(|| unknown(&caller, "orderId"))?, &settings)))
}

/// `DELETE /v2/partner/client/{clientId}/order/{orderId}`
pub async fn cancel(caller: Caller, Ids((client, order)): Ids<(ClientId, OrderId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    submitted(&caller, Command::CancelOrder { scope, order }).await
}

/// How a body becomes an order.
type Rows = fn(&mut Fields<'_, '_>) -> Option<PartialOrder>;

/// Places an order, or only checks it.
async fn placed(caller: &Caller, scope: Scope, query: &Query, body: &Json, rows: Rows) -> HandlerResult {
    let only_check = query.read(validate_only)?;
    let order = body.read_whole(
        strictness(caller),
        |body| Some(PartialOrder { scope: Some(scope), ..rows(body)? }),
        |order| Ok(query::order_problems(order)),
    )?;
    submitted(caller, if only_check { Command::ValidateOrder(order) } else { Command::PlaceOrder(order) }).await
}
