//! The banks: the account check, and what they advise on a mandate.

use crate::http::auth::Caller;
use crate::http::extract::{Ids, Json};
use crate::planes::responses::{HandlerResult, submitted};
use crate::wire::fields::Unknown;
use crate::wire::shape::{by, of};
use sim::Command;
use sim::ids::BankAccountId;

/// `POST /simulations/bankaccount/{bankAccountId}/check`
pub async fn check(caller: Caller, Ids(bank_account): Ids<BankAccountId>, body: Json) -> HandlerResult {
    let passes = body.read(Unknown::Refused, |body| {
        body.required(
            "outcome",
            by(|spot| {
                spot.text_as("one of `pass` or `fail`", |text| match text {
                    "pass" => Some(true),
                    "fail" => Some(false),
                    _ => None,
                })
            }),
        )
    })?;
    submitted(&caller, Command::CheckBankAccount { partner: caller.partner, bank_account, passes })
}

/// `POST /simulations/bankaccount/{bankAccountId}/mandate`
pub async fn mandate(caller: Caller, Ids(bank_account): Ids<BankAccountId>, body: Json) -> HandlerResult {
    let code = body.read(Unknown::Refused, |body| body.required("code", of()))?;
    submitted(&caller, Command::AdviseMandate { partner: caller.partner, bank_account, code })
}
