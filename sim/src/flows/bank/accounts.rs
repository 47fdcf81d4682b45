//! Bank accounts that owners connect: the account check and the autogiro mandate (rule: bank/bank-account-check,
//! bank/mandate-answer).
//!
//! Invariant: `validated` and the check agree; a bank account has at most one pending answer of each kind. Absent on
//! purpose: payments, which are `payments::charges`.

use crate::calendar::add_bank_days;
use crate::canary::Canary;
use crate::command::OpenBankAccount;
use crate::flows::journey_changes;
use crate::identity::{Iban, IbanOutcome};
use crate::ids::{AccountId, BankAccountId, ClientId, JourneyId, PartnerId};
use crate::machines::Current;
use crate::machines::bank_account::{Effect as CheckEffect, State as Check, Trigger as CheckTrigger};
use crate::machines::mandate::{self, Effect as MandateEffect, Trigger as MandateTrigger};
use crate::records::{BankAccount, BankFile, MandateStatus, OwnerKey, PaymentReason, Signature, Stamp};
use crate::refusal::{Class, Fault, Refusal};
use crate::reply::Reply;
use crate::scope;
use crate::time::stockholm;
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// Local hour at which banks answer on mandates.
const ANSWER_HOUR: i8 = 8;

/// A record and a file for a new bank account; the caller adds it to the owner's list.
pub(crate) fn file(world: &mut World, owner: (ClientId, OwnerKey), new: &OpenBankAccount) -> Arc<BankAccount> {
    let check = if new.validated { Check::Active } else { Check::Pending };
    let id = world.banks.insert_new(|_| BankFile {
        client: owner.0,
        owner: owner.1,
        check: Current::first(check),
        check_timer: None,
        mandate_timer: None,
        mandate_signed: None,
        journeys: Vec::new(),
        attempts: 0,
        charges: 0,
    });
    world.visits.begun(owner.0, check);
    world.visits.begun(owner.0, new.mandate);
    Arc::new(BankAccount {
        id,
        iban: new.iban,
        name: new.name.clone(),
        stamp: Stamp::new(world.now),
        validated: new.validated,
        mandate: Current::first(new.mandate),
    })
}

/// Gives every account of an owner the new list of bank accounts, and emits its event. A deleted account keeps those that it had, as
/// they are now (rule: accounts/deleted-accounts); a purged client has no events.
pub(crate) fn share(world: &mut World, key: (ClientId, OwnerKey), all: Vec<Arc<BankAccount>>) {
    let shared = Arc::new(all);
    let file = world.owners.get_mut(&key).expect("an owner with an account has a file");
    file.bank_accounts = Arc::clone(&shared);
    let accounts = file.accounts.clone();
    if scope::client(world, key.0).is_none() {
        return;
    }
    for account in accounts {
        let known = world.accounts.known(account);
        let list =
            if known.deleted.is_none() { Arc::clone(&shared) } else { as_they_are(&known.bank_accounts, &shared) };
        world.change_account(account, |world| world.accounts.change(account).bank_accounts = list);
    }
}

/// The bank accounts of one list as they are in another.
fn as_they_are(these: &[Arc<BankAccount>], now: &[Arc<BankAccount>]) -> Arc<Vec<Arc<BankAccount>>> {
    let current = |bank: &Arc<BankAccount>| now.iter().find(|other| other.id == bank.id).unwrap_or(bank).clone();
    Arc::new(these.iter().map(current).collect())
}

/// Connects a bank account to the owner of `account`, and has it checked; one that is known already is left as it is.
pub(crate) fn connect(world: &mut World, account: AccountId, iban: Iban, name: Option<Arc<str>>) -> BankAccountId {
    let record = world.accounts.known(account);
    let key = (record.client, record.owner.key());
    if let Some(known) = world.owners[&key].bank_accounts.iter().find(|bank| bank.iban == iban) {
        return known.id;
    }
    let new = OpenBankAccount { iban, name, validated: false, mandate: MandateStatus::Missing };
    let bank = file(world, key, &new);
    let id = bank.id;
    let mut all = world.owners[&key].bank_accounts.to_vec();
    all.push(bank);
    if iban.outcome() != IbanOutcome::CheckPending {
        let at = world.now.plus(world.setup.settings.journeys.account_check_delay);
        let timer = world.timers.set(at, Timer::CheckBankAccount(id));
        change_file(world, id, |file| file.check_timer = Some(timer));
    }
    share(world, key, all);
    id
}

fn change_file(world: &mut World, id: BankAccountId, f: impl FnOnce(&mut BankFile)) {
    f(world.banks.change(id));
}

/// The record of a bank account.
pub(crate) fn record(world: &World, id: BankAccountId) -> &Arc<BankAccount> {
    let file = world.banks.known(id);
    let all = &world.owners[&(file.client, file.owner)].bank_accounts;
    all.iter().find(|bank| bank.id == id).expect("a filed bank account is in its owner's list")
}

/// Changes a bank account in every account of its owner, and emits events; not where `f` says that nothing has changed.
fn change<R>(
    world: &mut World,
    id: BankAccountId,
    f: impl FnOnce(&mut World, &mut BankAccount) -> Option<R>,
) -> Option<R> {
    let key = (world.banks.known(id).client, world.banks.known(id).owner);
    let mut all = world.owners[&key].bank_accounts.to_vec();
    let bank = all.iter_mut().find(|bank| bank.id == id).expect("a filed bank account is in its owner's list");
    let bank = Arc::make_mut(bank);
    let changed = f(world, bank)?;
    bank.stamp.touch(world.now);
    share(world, key, all);
    Some(changed)
}

/// Whether a bank account can be charged now.
pub(crate) fn can_be_charged(world: &World, id: BankAccountId) -> bool {
    record(world, id).mandate == MandateStatus::Active
}

/// The owner's newest bank account that can be charged now.
pub(crate) fn newest_chargeable(world: &World, account: AccountId) -> Option<BankAccountId> {
    let all = &world.accounts.known(account).bank_accounts;
    let any = world.planted.is(Canary::ChargedWithoutMandate);
    all.iter().rev().find(|bank| any || bank.mandate == MandateStatus::Active).map(|bank| bank.id)
}

/// The bank is asked for money: it has some, or says why not. Its account's fixed outcome decides, by how often it was
/// asked before.
pub(crate) fn charge(world: &mut World, id: BankAccountId) -> Result<(), PaymentReason> {
    let bank = record(world, id);
    match *bank.mandate {
        _ if world.planted.is(Canary::ChargedWithoutMandate) => {}
        MandateStatus::Active => {}
        MandateStatus::Missing | MandateStatus::Pending => return Err(PaymentReason::NoMandate),
        MandateStatus::Invalid => return Err(PaymentReason::NotApproved),
    }
    let outcome = bank.iban.outcome();
    let file = world.banks.change(id);
    file.attempts += 1;
    match outcome {
        IbanOutcome::ChargesFail => return Err(PaymentReason::NoMoneyYet),
        IbanOutcome::FirstChargeFails if file.attempts == 1 => return Err(PaymentReason::NoMoneyYet),
        _ => {}
    }
    file.charges += 1;
    Ok(())
}

/// A charge of the bank account was booked: a payer with that fixed outcome revokes the mandate after the first.
pub(crate) fn charge_paid(world: &mut World, id: BankAccountId) {
    let bank = record(world, id);
    let revokes = bank.iban.outcome() == IbanOutcome::RevokesAfterFirstCharge && world.banks.known(id).charges == 1;
    if revokes && bank.mandate.allows(MandateTrigger::Revoke) {
        move_mandate(world, id, MandateTrigger::Revoke);
    }
}

/// The bank account that plans name where the customer picks none: the owner's newest that can be charged, or will be once
/// its bank has answered.
pub(crate) fn of_new_plans(world: &World, account: AccountId) -> Option<BankAccountId> {
    let all = &world.accounts.known(account).bank_accounts;
    let with = |status| all.iter().rev().find(|bank| bank.mandate == status);
    with(MandateStatus::Active).or_else(|| with(MandateStatus::Pending)).map(|bank| bank.id)
}

/// The customer signs a mandate; one that is active or under way stays.
pub(crate) fn sign_mandate(world: &mut World, id: BankAccountId, signature: &Signature) {
    let bank = record(world, id);
    if bank.mandate.allows(MandateTrigger::Sign) {
        move_mandate(world, id, MandateTrigger::Sign);
        change_file(world, id, |file| file.mandate_signed = Some(signature.clone()));
    }
}

/// Takes the mandate table's row for `on`. A move that changes nothing has no event.
fn move_mandate(world: &mut World, id: BankAccountId, on: MandateTrigger) {
    let client = world.banks.known(id).client;
    let changed = change(world, id, |world, bank| {
        let row = world.visits.take(&mut bank.mandate, on, Some(client));
        (row.to != row.from).then_some(row)
    });
    let Some(row) = changed else { return };
    if let Some(key) = world.banks.change(id).mandate_timer.take() {
        world.timers.cancel(key);
    }
    match row.effect {
        MandateEffect::Nothing => {}
        MandateEffect::Register => await_answer(world, id),
    }
}

/// The bank gets a mandate; its silence is an answer too.
fn await_answer(world: &mut World, id: BankAccountId) {
    let settings = &world.setup.settings.journeys;
    let days = match record(world, id).iban.outcome() {
        IbanOutcome::MandateUnanswered => settings.mandate_silence_bank_days,
        _ => settings.mandate_bank_days,
    };
    let at = stockholm(add_bank_days(world.now.local_date(), days), ANSWER_HOUR, 0);
    let timer = world.timers.set(at, Timer::AnswerMandate(id));
    change_file(world, id, |file| file.mandate_timer = Some(timer));
}

/// Timer: the bank answers on a mandate, or is taken to have refused by silence.
pub(crate) fn mandate_answered(world: &mut World, id: BankAccountId) {
    let code = match record(world, id).iban.outcome() {
        IbanOutcome::MandateRefused => "05",
        IbanOutcome::MandateUnanswered => "07",
        _ => "32",
    };
    move_mandate(world, id, mandate::trigger_of(code).expect("a code of the table"));
}

/// A bank account of the lever's own partner.
fn of_partner(world: &World, partner: PartnerId, id: BankAccountId) -> Result<Arc<BankFile>, Refusal> {
    match world.banks.get(id) {
        Some(file) if world.owns(partner, file.client) => Ok(Arc::clone(file)),
        _ => Err(Refusal::one(Class::Unknown, "bankAccountId", Fault::NotFound)),
    }
}

fn allowed(world: &World, id: BankAccountId) -> Vec<&'static str> {
    let mut allowed = Vec::new();
    if world.banks.known(id).check.allows(CheckTrigger::Pass) {
        allowed.push("check");
    }
    let status = *record(world, id).mandate;
    if mandate::CODES.iter().any(|row| status.allows(row.1)) {
        allowed.push("mandate");
    }
    allowed
}

/// `AdviseMandate`.
pub(crate) fn advise(world: &mut World, partner: PartnerId, id: BankAccountId, code: &str) -> Result<Reply, Refusal> {
    let Some(on) = mandate::trigger_of(code) else {
        let because = "a code of a mandate advice is expected: 32, 03, 05, 07, 20, 21, 23, 10, 01, 02, 33 or 98";
        return Err(Refusal::one(Class::Malformed, "code", Fault::Invalid { because }));
    };
    of_partner(world, partner, id)?;
    let from = *record(world, id).mandate;
    if !from.allows(on) {
        let status = from.name();
        return Err(Refusal::conflict("code", Fault::NotPossibleIn { status }, status, allowed(world, id)));
    }
    move_mandate(world, id, on);
    Ok(Reply::BankAccount(Arc::clone(record(world, id))))
}

/// `CheckBankAccount`.
pub(crate) fn check(world: &mut World, partner: PartnerId, id: BankAccountId, passes: bool) -> Result<Reply, Refusal> {
    let file = of_partner(world, partner, id)?;
    let on = if passes { CheckTrigger::Pass } else { CheckTrigger::Fail };
    if !file.check.allows(on) {
        let status = file.check.name();
        return Err(Refusal::conflict("bankAccountId", Fault::NotPossibleIn { status }, status, allowed(world, id)));
    }
    move_bank_account(world, id, on);
    Ok(Reply::BankAccount(Arc::clone(record(world, id))))
}

/// Timer: the account check ends.
pub(crate) fn checked(world: &mut World, id: BankAccountId) {
    let fails = record(world, id).iban.outcome() == IbanOutcome::CheckFails;
    move_bank_account(world, id, if fails { CheckTrigger::Fail } else { CheckTrigger::Pass });
}

/// Takes the check's row for `on`: account first, then the journeys whose result shows it; no callback is made again.
fn move_bank_account(world: &mut World, id: BankAccountId, on: CheckTrigger) {
    let file = world.banks.change(id);
    let row = world.visits.take(&mut file.check, on, Some(file.client));
    if let Some(key) = file.check_timer.take() {
        world.timers.cancel(key);
    }
    match row.effect {
        CheckEffect::Nothing => {}
        CheckEffect::Validate => {
            change(world, id, |_, bank| {
                bank.validated = true;
                Some(())
            });
        }
    }
    let file = Arc::clone(world.banks.known(id));
    // A purged journey has no more events (rule: accounts/purging).
    let kept = |journey: &&JourneyId| world.journeys.known(**journey).deleted.is_none();
    let journeys: Vec<JourneyId> = file.journeys.iter().filter(kept).copied().collect();
    for journey in journeys {
        journey_changes::change(world, journey, |journey| {
            let result = journey.result.as_mut().expect("a journey with a bank account in its result is complete");
            let shown = Arc::make_mut(result).bank_accounts.iter_mut().flatten().find(|shown| shown.id == id);
            shown.expect("the result shows it").status = row.to;
        });
    }
}
