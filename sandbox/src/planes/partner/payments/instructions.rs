//! Payment instructions: given, read, and their payments.

use crate::planes::responses::{HandlerResult, json, strictness, submitted, unknown};
use sim::command::PartialInstruction;
use sim::ids::{ClientId, InstructionId};
use sim::{Command, query};
use surface::auth::Caller;
use surface::extract::{Ids, Json};
use wire::payments::instructions::{Instruction, InstructionRequest, Payment};
use wire::rows::shape::Shape as _;

/// `POST /v2/partner/client/{clientId}/instruction/payment`
pub async fn create(caller: Caller, Ids(client): Ids<ClientId>, body: Json) -> HandlerResult {
    let scope = caller.scope_that_may(client, |permissions| permissions.autogiro)?;
    let instruction = body.read_whole(
        strictness(&caller),
        |body| Some(PartialInstruction { scope: Some(scope), ..InstructionRequest::rows(body)? }),
        |instruction| Ok(query::instruction_problems(instruction)),
    )?;
    submitted(&caller, Command::CreateInstruction(instruction)).await
}

/// `GET /v2/partner/client/{clientId}/instruction/{instructionId}`
pub async fn read(caller: Caller, Ids((client, instruction)): Ids<(ClientId, InstructionId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller.world.read(|world| {
        let found = query::instruction(world, scope.client, instruction)?;
        Some((std::sync::Arc::clone(found), query::payments_of(world, found)))
    })?;
    let (instruction, payments) = found.ok_or_else(|| unknown(&caller, "instructionId"))?;
    Ok(json(&Instruction::of(&instruction, &payments)))
}

/// `GET /v2/partner/client/{clientId}/instruction/{instructionId}/payment`
pub async fn payments(caller: Caller, Ids((client, instruction)): Ids<(ClientId, InstructionId)>) -> HandlerResult {
    let scope = caller.scope(client)?;
    let found = caller.world.read(|world| {
        query::instruction(world, scope.client, instruction).map(|found| query::payments_of(world, found))
    })?;
    let payments = found.ok_or_else(|| unknown(&caller, "instructionId"))?;
    Ok(json(&payments.iter().map(|payment| Payment::of(payment)).collect::<Vec<_>>()))
}
