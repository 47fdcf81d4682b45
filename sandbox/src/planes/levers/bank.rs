//! The banks: the account check, what they advise on a mandate, and a payout that comes back.

use crate::planes::responses::{HandlerResult, submitted};
use sim::Command;
use sim::ids::{BankAccountId, CashTransactionId};
use std::sync::Arc;
use surface::auth::Caller;
use surface::extract::{Ids, Json, NoFields};
use utoipa::openapi::schema::Type;
use wire::rows::fields::{self, Unknown};
use wire::rows::shape::{Shape as _, described, plain, shape};
use wire::words::of_words;

shape! {
    /// The result of the account check.
    pub(crate) struct AccountCheckRequest {
        passes: bool = required "outcome" as of_words([("pass", true), ("fail", false)]);
    }
}

shape! {
    /// The bank's answer on a mandate.
    pub(crate) struct MandateAdviceRequest {
        /// The scheme's code.
        code: Arc<str> = required "code"
            as described(fields::free_text, |_| plain(Type::String).pattern(Some("^[0-9]{2}$")).into());
    }
}

/// `POST /simulations/bankaccount/{bankAccountId}/check`
pub async fn check(caller: Caller, Ids(bank_account): Ids<BankAccountId>, body: Json) -> HandlerResult {
    let AccountCheckRequest { passes } = body.read(Unknown::Refused, AccountCheckRequest::rows)?;
    submitted(&caller, Command::CheckBankAccount { partner: caller.partner, bank_account, passes }).await
}

/// `POST /simulations/bankaccount/{bankAccountId}/mandate`
pub async fn mandate(caller: Caller, Ids(bank_account): Ids<BankAccountId>, body: Json) -> HandlerResult {
    let MandateAdviceRequest { code } = body.read(Unknown::Refused, MandateAdviceRequest::rows)?;
    submitted(&caller, Command::AdviseMandate { partner: caller.partner, bank_account, code }).await
}

/// `POST /simulations/withdrawal/{transactionId}/bounce`: answers the transaction that brings the money back.
pub async fn bounce(caller: Caller, Ids(transaction): Ids<CashTransactionId>, _: NoFields) -> HandlerResult {
    submitted(&caller, Command::BouncePayout { partner: caller.partner, transaction }).await
}
