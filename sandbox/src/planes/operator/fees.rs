//! Why a fee is what it is: what has accrued on an account, what was charged and for which days, what is being charged with
//! the sales for it, what is carried and in arrears, and what comes back (rule: fees/fees-shown).
//!
//! Also what was taken for clients and where it went. Absent on purpose: sums, which are the world's.

use serde::Serialize;
use sim::World;
use sim::ids::{AccountId, PaymentId};
use sim::money::Amount;
use sim::query::{self, FeesView};
use sim::records::{CashTransaction, CashType, Charge, DueCharges, DueRefund, FeeTerms, Sales, Statement};
use sim::store::Window;
use std::sync::Arc;

use super::request::{HandlerResult, Target, bad};
use crate::planes::responses::json;
use utoipa::ToSchema;
use wire::error::ApiError;
use wire::values::number::{Money, Number};
use wire::values::text::{CalendarDate, Iban, Id, InstrumentId, Timestamp};
use wire::words::{CashRefType, CashTransactionType, FeeMode, FeeType};

/// Fees taken for clients, and payments of them.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClientFees {
    clients: Vec<FeesOfClient>,
    taken: Vec<TakenFees>,
}

/// Fees of one client.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FeesOfClient {
    client: Id,
    partner_fee: Terms,
    client_fee: Terms,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeeTerms)]
struct Terms {
    basis_points: u32,
    mode: FeeMode,
}

/// Fees of one kind taken for one client.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TakenFees {
    client: Id,
    fee_type: FeeType,
    /// Taken and not yet paid to the client.
    waiting: Money,
    paid: Vec<PaidFee>,
}

#[derive(Serialize, ToSchema)]
struct PaidFee {
    amount: Money,
    iban: Iban,
    at: Timestamp,
}

/// The fees of an account, explained.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountFees {
    account: Id,
    at: Timestamp,
    accruing: Accruing,
    /// Fees that wait for sales of units.
    #[schema(required = true)]
    charging: Option<Charging>,
    refunds: Vec<Refunding>,
    #[schema(required = true)]
    last_charge: Option<Charged>,
    is_final: bool,
    retrocessions: Retrocessions,
    transactions: Vec<FeeTransaction>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeesAccruing)]
struct Accruing {
    from: CalendarDate,
    #[schema(required = true)]
    through: Option<CalendarDate>,
    #[schema(required = true)]
    charged_at: Option<Timestamp>,
    kinds: Vec<AccruingKind>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeeAccruing)]
struct AccruingKind {
    ref_type: String,
    basis_points: u32,
    #[schema(required = true)]
    mode: Option<FeeMode>,
    accrued: Number,
    /// Amount accrued in mode `calculated`. It is not part of `accrued`, and never charged.
    calculated: Number,
    carry: Number,
    arrears: Money,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FeesCharging)]
struct Charging {
    r#ref: String,
    amounts: Vec<ChargedAmount>,
    refunds: Vec<RefundedAmount>,
    reserved: Money,
    sales: Vec<FeeSale>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeeAmount)]
struct ChargedAmount {
    ref_type: String,
    amount: Money,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FeeRefund)]
struct RefundedAmount {
    payment: Id,
    amount: Money,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeeRefunding)]
struct Refunding {
    payment: Id,
    left: Money,
    in_arrears: bool,
    sales: Vec<FeeSale>,
}

/// Units that are sold for fees.
#[derive(Serialize, ToSchema)]
struct FeeSale {
    order: Id,
    instrument: InstrumentId,
    #[schema(required = true)]
    units: Option<Number>,
    status: String,
    covers: Number,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FeesCharged)]
struct Charged {
    r#ref: String,
    from: CalendarDate,
    through: CalendarDate,
    kinds: Vec<ChargedKind>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeeCharged)]
struct ChargedKind {
    ref_type: String,
    mode: FeeMode,
    carried: Number,
    accrued: Number,
    amount: Money,
    /// Amount accrued in mode `calculated`. It is not part of `amount`.
    calculated: Money,
    arrears: Money,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Retrocessions {
    #[schema(required = true)]
    paid_at: Option<Timestamp>,
    accrued: Vec<AccruedRetrocession>,
}

#[derive(Serialize, ToSchema)]
struct AccruedRetrocession {
    quarter: String,
    instrument: InstrumentId,
    accrued: Number,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FeeTransaction {
    id: Id,
    transaction_type: CashTransactionType,
    ref_type: CashRefType,
    #[schema(required = true)]
    r#ref: Option<String>,
    amount: Money,
    created_date: Timestamp,
}

/// `GET /_sandbox/worlds/{worldId}/fees`: what was taken for each client.
pub(super) async fn of_clients(target: Target) -> HandlerResult {
    let shown = target.world.read(|world| {
        let taken = query::fee_pots(world, |partner| target.sees(partner)).map(|(client, kind, pot)| TakenFees {
            client: Id(client.as_uuid()),
            fee_type: FeeType(kind),
            waiting: Money(pot.waiting),
            paid: pot
                .paid
                .iter()
                .map(|paid| PaidFee { amount: Money(paid.amount), iban: Iban(paid.iban), at: Timestamp(paid.at) })
                .collect(),
        });
        let clients = query::clients(world).filter(|client| target.sees(client.partner)).map(|client| FeesOfClient {
            client: Id(client.id.as_uuid()),
            partner_fee: terms(client.fees.partner),
            client_fee: terms(client.fees.client),
        });
        ClientFees { clients: clients.collect(), taken: taken.collect() }
    })?;
    Ok(json(&shown))
}

/// `GET /_sandbox/worlds/{worldId}/fees/{accountId}`
pub(super) async fn of_account(target: Target) -> HandlerResult {
    let text = target.item.as_deref().unwrap_or_default();
    let id = AccountId::parse(text).map_err(|_| bad("accountId", "must be a UUID"))?;
    let shown = target.world.read(|world| {
        let own = query::clients(world).filter(|client| target.sees(client.partner));
        let account = own.into_iter().find_map(|client| query::account(world, client.id, id))?;
        let booked = query::cash_transactions(world, account.client, &Window::default(), &of(id));
        Some(query::fees(world, id).map(|view| account_fees(world, id, &view, &booked)))
    })?;
    match shown {
        None => Err(ApiError::not_found("accountId names no account")),
        Some(None) => Err(ApiError::not_found("accountId names an account that was never active")),
        Some(Some(shown)) => Ok(json(&shown)),
    }
}

fn of(account: AccountId) -> query::TransactionFilter {
    query::TransactionFilter { account: Some(account), ..query::TransactionFilter::default() }
}

fn account_fees(world: &World, id: AccountId, view: &FeesView<'_>, booked: &[Arc<CashTransaction>]) -> AccountFees {
    let file = view.file;
    let taken = booked.iter().filter(|cash| matches!(cash.kind, CashType::Fee | CashType::Retrocession));
    let transactions = taken.map(|cash| FeeTransaction {
        id: Id(cash.id.as_uuid()),
        transaction_type: CashTransactionType(cash.kind),
        ref_type: CashRefType(cash.ref_type),
        r#ref: cash.reference.as_deref().map(str::to_owned),
        amount: Money(cash.amount),
        created_date: Timestamp(cash.stamp.created),
    });
    AccountFees {
        account: Id(id.as_uuid()),
        at: Timestamp(world.now()),
        accruing: accruing(view),
        charging: file.due.as_ref().map(|due| charging(world, due)),
        refunds: file.refunds.iter().map(|refund| refunding(world, refund)).collect(),
        last_charge: file.statement.as_deref().map(charged),
        is_final: file.is_final,
        retrocessions: retrocessions(view),
        transactions: transactions.collect(),
    }
}

/// What is accruing, kind by kind.
fn accruing(view: &FeesView<'_>) -> Accruing {
    let file = view.file;
    let kinds = Charge::ALL.iter().enumerate().map(|(at, kind)| AccruingKind {
        ref_type: kind.name().to_owned(),
        basis_points: view.rates[at],
        mode: view.terms[at].map(|terms| FeeMode(terms.mode)),
        accrued: Number(view.accrued[at]),
        calculated: Number(view.calculated[at]),
        carry: Number(file.owed[at].carry - file.owed[at].accrued),
        arrears: Money(file.owed[at].arrears),
    });
    Accruing {
        from: CalendarDate(file.since),
        through: (view.through >= file.since).then_some(CalendarDate(view.through)),
        charged_at: view.next.map(|next| Timestamp(next.0)),
        kinds: kinds.collect(),
    }
}

fn retrocessions(view: &FeesView<'_>) -> Retrocessions {
    let accrued = view.retrocessions.iter().map(|(quarter, fund, accrued)| AccruedRetrocession {
        quarter: quarter.to_string(),
        instrument: InstrumentId(*fund),
        accrued: Number(*accrued),
    });
    Retrocessions { paid_at: view.next.map(|next| Timestamp(next.1)), accrued: accrued.collect() }
}

/// Charges that wait for sales.
fn charging(world: &World, due: &DueCharges) -> Charging {
    let amounts = Charge::ALL.iter().zip(due.amounts).filter(|(_, amount)| amount.is_positive());
    let amounts =
        amounts.map(|(kind, amount)| ChargedAmount { ref_type: kind.name().to_owned(), amount: Money(amount) });
    let refund = |(payment, amount): &(PaymentId, Amount)| RefundedAmount {
        payment: Id(payment.as_uuid()),
        amount: Money(*amount),
    };
    Charging {
        r#ref: due.quarter.to_string(),
        amounts: amounts.collect(),
        refunds: due.refunds.iter().map(refund).collect(),
        reserved: Money(due.reserved),
        sales: sales(world, &due.sales),
    }
}

/// What a payer has back and is not booked yet.
fn refunding(world: &World, refund: &DueRefund) -> Refunding {
    Refunding {
        payment: Id(refund.payment.as_uuid()),
        left: Money(refund.left),
        in_arrears: refund.is_arrears,
        sales: sales(world, &refund.sales),
    }
}

fn sales(world: &World, sales: &Sales) -> Vec<FeeSale> {
    let sold = sales.placed.iter().map(|sale| {
        let order = query::sale(world, sale.order);
        FeeSale {
            order: Id(sale.order.as_uuid()),
            instrument: InstrumentId(order.instrument),
            units: order.units.map(Number::from),
            status: order.state.name().to_owned(),
            covers: Number(sale.covers()),
        }
    });
    sold.collect()
}

/// How the last charges came about.
fn charged(statement: &Statement) -> Charged {
    let kinds = Charge::ALL.iter().zip(&statement.kinds).map(|(kind, of)| ChargedKind {
        ref_type: kind.name().to_owned(),
        mode: FeeMode(of.mode),
        carried: Number(of.carried),
        accrued: Number(of.accrued),
        amount: Money(of.amount),
        calculated: Money(of.calculated),
        arrears: Money(of.arrears),
    });
    Charged {
        r#ref: statement.quarter.to_string(),
        from: CalendarDate(statement.first),
        through: CalendarDate(statement.last),
        kinds: kinds.collect(),
    }
}

fn terms(terms: FeeTerms) -> Terms {
    Terms { basis_points: terms.basis_points, mode: FeeMode(terms.mode) }
}
