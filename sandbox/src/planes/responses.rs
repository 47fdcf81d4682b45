//! What handlers answer: a shape as JSON, what became of a command, an id that names nothing here.
//!
//! Owns: the answers to partners and levers, one line for every reply of the world. Invariant: the world is let
//! go before anything is rendered. Absent on purpose: the shapes, which are `wire`'s, and pages, which show the journey
//! instead of a reply.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use drawing::qr;
use serde::Serialize;
use sim::command::Scope;
use sim::ids::PartnerId;
use sim::query::{self, PositionView};
use sim::settings::Settings;
use sim::{Class, Command, Fault, Refusal, Reply, World, records};
use std::sync::Arc;
use surface::auth::Caller;
use wire::accounts::Account;
use wire::accounts::transactions::{CashTransaction, FundTransaction};
use wire::bank::BankAccount;
use wire::clients::Client;
use wire::error::ApiError;
use wire::journeys::Journey;
use wire::orders::Order;
use wire::payments::bankgiro::BankgiroItem;
use wire::payments::instructions::{Instruction, Payment};
use wire::payments::mobile::{MobilePayment, MobilePaymentSession};
use wire::payments::suspense::SuspenseItem;
use wire::plans::{AllocationPlan, SavingsPlan};
use wire::rows::fields::Unknown;
use wire::securities::instruments::Shown;
use wire::securities::transfers::Transfer;

/// What a handler answers.
pub type HandlerResult = Result<Response, ApiError>;

/// 200 with `shape` as JSON.
pub(super) fn json<T: Serialize>(shape: &T) -> Response {
    let mut response = Response::new(Body::from(wire::to_json(shape)));
    // Room for what the surface and the connection add, so that the headers are allocated once.
    let mut headers = HeaderMap::with_capacity(6);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    *response.headers_mut() = headers;
    response
}

/// The refusal of an id that names nothing here (rule: wire/unknown-ids).
pub(super) fn unknown(caller: &Caller, field: &'static str) -> ApiError {
    caller.world.refusal(Refusal::one(Class::Unknown, field, Fault::NotFound))
}

/// What becomes of fields that no row names, in the caller's world (rule: wire/unknown-fields).
pub(super) fn strictness(caller: &Caller) -> Unknown {
    if caller.world.edge.settings().strict_bodies { Unknown::Refused } else { Unknown::Ignored }
}

/// The tunables by which a world decides now, kept when it has been let go (rule: calendar/settings-change).
pub(super) fn settings(world: &World) -> Settings {
    world.setup().settings.clone()
}

/// Carries `command` out and answers the resource that it made or changed; 204 when it was only checked.
pub(super) async fn submitted(caller: &Caller, command: Command) -> HandlerResult {
    let render = caller.world.submit(command, |world, reply| renderer(world, caller.partner, reply)).await?;
    render(caller)
}

/// Renders a reply when the world has been let go.
type Render = Box<dyn FnOnce(&Caller) -> HandlerResult + Send>;

fn renderer(world: &World, partner: PartnerId, reply: Reply) -> Render {
    match reply {
        Reply::Valid => Box::new(|_| Ok(StatusCode::NO_CONTENT.into_response())),
        Reply::Order(order) => {
            let settings = settings(world);
            Box::new(move |_| Ok(json(&Order::of(&order, &settings))))
        }
        Reply::Account(account) => {
            let account = ValuedAccount::of(world, &account);
            Box::new(move |_| Ok(json(&account.shape())))
        }
        Reply::Accounts(accounts) => {
            let own = |client| world.client_in_scope(Scope { partner, client }).is_ok();
            let accounts = accounts.iter().filter(|account| own(account.client));
            let accounts: Vec<_> = accounts.map(|account| ValuedAccount::of(world, account)).collect();
            Box::new(move |_| Ok(json(&accounts.iter().map(ValuedAccount::shape).collect::<Vec<_>>())))
        }
        Reply::Instrument(id) => {
            let shown = query::instrument(world, id).as_ref().map(Shown::of);
            Box::new(move |caller| Ok(json(&shown.ok_or_else(|| unknown(caller, "instrumentId"))?.shape())))
        }
        Reply::CashTransaction(transaction) => Box::new(move |_| Ok(json(&CashTransaction::of(&transaction)))),
        Reply::FundTransaction(transaction) => Box::new(move |_| Ok(json(&FundTransaction::of(&transaction)))),
        Reply::Journey(journey) => {
            let settings = settings(world);
            Box::new(move |caller| Ok(journey_shown(caller, &journey, &settings)))
        }
        Reply::Client(client) => Box::new(move |_| Ok(json(&Client::of(&client)))),
        Reply::AllocationPlan(plan) => Box::new(move |_| Ok(json(&AllocationPlan::of(&plan)))),
        Reply::SavingsPlan(plan) => Box::new(move |_| Ok(json(&SavingsPlan::of(&plan)))),
        Reply::Transfer(transfer) => Box::new(move |_| Ok(json(&Transfer::of(&transfer)))),
        Reply::MobilePaymentAsked(payment) => Box::new(move |_| {
            let qr_image = payment.qr_format.map(|format| qr::data_address(&payment.token, format));
            Ok(json(&MobilePaymentSession::of(&payment, qr_image)))
        }),
        Reply::MobilePayment(payment) => {
            let settings = settings(world);
            Box::new(move |_| Ok(json(&MobilePayment::of(&payment, &settings))))
        }
        Reply::Instruction(instruction) => {
            let payments = query::payments_of(world, &instruction);
            Box::new(move |_| Ok(json(&Instruction::of(&instruction, &payments))))
        }
        Reply::Payment(payment) => Box::new(move |_| Ok(json(&Payment::of(&payment)))),
        Reply::BankgiroItem(item) => Box::new(move |_| Ok(json(&BankgiroItem::of(&item)))),
        Reply::SuspenseItem(item) => Box::new(move |_| Ok(json(&SuspenseItem::of(&item)))),
        Reply::BankAccount(bank_account) => Box::new(move |_| Ok(json(&BankAccount::of(&bank_account)))),
    }
}

/// A journey with the links of the caller's world, with its `settings`.
pub(super) fn journey_shown(caller: &Caller, journey: &records::Journey, settings: &Settings) -> Response {
    json(&Journey::of(journey, caller.world.identity.links(), settings))
}

/// An account with its positions valued, kept when the world has been let go.
pub(super) struct ValuedAccount {
    account: Arc<records::Account>,
    positions: Vec<PositionView>,
}

impl ValuedAccount {
    /// `account` at the world's present prices.
    pub(super) fn of(world: &World, account: &Arc<records::Account>) -> Self {
        Self { account: Arc::clone(account), positions: query::positions(world, account, world.now()) }
    }

    /// Its public shape.
    pub(super) fn shape(&self) -> Account<'_> {
        Account::of(&self.account, &self.positions)
    }
}
