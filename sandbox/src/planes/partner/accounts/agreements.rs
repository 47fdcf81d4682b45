//! What an account's owner has signed: the kinds of agreement, and each as a PDF.
//!
//! Absent on purpose: the look of the document, which is `pdf`.

use crate::planes::responses::{HandlerResult, json, unknown};
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use axum::response::IntoResponse;
use drawing::pdf;
use pages::lang::Lang;
use sim::ids::{AccountId, ClientId};
use sim::query;
use sim::records;
use surface::auth::Caller;
use surface::extract::Ids;
use wire::accounts::standing::AgreementType;

/// `GET /v2/partner/client/{clientId}/account/{accountId}/agreement-types`
pub async fn types(caller: Caller, Ids((client, account)): Ids<(ClientId, AccountId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let kinds = caller
        .world
        .read(|world| query::account(world, scope.client, account).map(|account| query::agreement_types(account)))?;
    let kinds = kinds.ok_or_else(|| unknown(&caller, "accountId"))?;
    Ok(json(&kinds.into_iter().map(AgreementType::of).collect::<Vec<_>>()))
}

/// `GET /v2/partner/client/{clientId}/account/{accountId}/agreement/{agreementTypeKey}`
pub async fn read(
    caller: Caller,
    headers: HeaderMap,
    Ids((client, account, kind)): Ids<(ClientId, AccountId, records::AgreementType)>,
) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller.world.read(|world| {
        query::account(world, scope.client, account).map(|account| query::agreement(world, account, kind))
    })?;
    let facts =
        found.ok_or_else(|| unknown(&caller, "accountId"))?.ok_or_else(|| unknown(&caller, "agreementTypeKey"))?;
    let name = format!("inline; filename=\"{}-{}.pdf\"", kind.key(), facts.account.reference);
    let accept = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let language = Lang::negotiated(accept).on_paper();
    let headers = [
        (CONTENT_TYPE, "application/pdf".to_owned()),
        (CONTENT_DISPOSITION, name),
        (VARY, ACCEPT_LANGUAGE.as_str().to_owned()),
    ];
    Ok((headers, pdf::render(&pdf::AgreementFacts::of(&facts, language))).into_response())
}
