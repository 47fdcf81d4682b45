//! Accounts from their creation by a journey to their approval or rejection, and their KYC (rule: accounts/approval,
//! accounts/kyc-renewal).
//!
//! Invariant: an account in `Confirm` or `Pending` waits for signatures, for the approval, or for a lever. Absent on
//! purpose: closing, which is `closing`'s.

use super::submissions;
use crate::calendar::{days_later, years_later};
use crate::command::Decision;
use crate::flows::accounts::moves::{ask_approval, move_account, wait};
use crate::flows::screening;
use crate::ids::{AccountId, PartnerId};
use crate::machines::account::{State, Trigger};
use crate::people;
use crate::records::{AccountOrigin, Company, KycAnswer, Signature, SubmissionStatus};
use crate::refusal::{Fault, Refusal};
use crate::reply::Reply;
use crate::time::end_of_days;
use crate::timers::Timer;
use crate::world::World;
use std::sync::Arc;

/// A journey has created an account: the wait for signatures, or for the approval, begins.
pub(crate) fn begin(world: &mut World, id: AccountId, standing: AccountOrigin) {
    world.standings.insert(id, Arc::new(standing));
    if world.accounts.known(id).state == State::Confirm {
        let days = world.setup.settings.journeys.confirm_days;
        let at = end_of_days(days_later(world.now.local_date(), days));
        wait(world, id, Some((at, Timer::LapseAccount(id))));
    } else {
        ask_approval(world, id);
    }
}

/// Timer: KYC, PEP and sanctions are looked at.
pub(crate) fn decide_by_itself(world: &mut World, id: AccountId) {
    let sanctioned = screening::sanctioned(world, world.accounts.known(id));
    move_account(world, id, if sanctioned { Trigger::Refuse } else { Trigger::Approve });
}

/// Timer: two weeks passed without all signatures.
pub(crate) fn lapse(world: &mut World, id: AccountId) {
    move_account(world, id, Trigger::Lapse);
}

/// The application is refused.
pub(crate) fn refuse(world: &mut World, id: AccountId) {
    move_account(world, id, Trigger::Refuse);
}

/// Adds a signature to an account. The account leaves `Confirm` once no signature is missing and it awaits no insurer.
pub(crate) fn signed(world: &mut World, id: AccountId, signature: Signature) {
    let standing = Arc::make_mut(world.standings.get_mut(&id).expect("a journey's account has a standing"));
    standing.signatures.push(signature);
    go_on(world, id);
}

fn go_on(world: &mut World, id: AccountId) {
    let standing = &world.standings[&id];
    let missing = standing.submission.is_some_and(|id| world.submissions.known(id).state != SubmissionStatus::Complete);
    if !missing && !standing.awaits_insurer && world.accounts.known(id).state == State::Confirm {
        move_account(world, id, Trigger::Sign);
    }
}

/// Every missing signature is given: further signatories', then the insurer's.
fn confirm_all(world: &mut World, id: AccountId) {
    let submission = world.standings[&id].submission;
    if let Some(submission) = submission {
        let missing: Vec<_> = world.submissions.known(submission).missing().collect();
        let entity = Arc::clone(&world.submissions.known(submission).entity);
        for ssn in missing {
            let known = entity.signatories.iter().find(|one| one.ssn == ssn).map(|one| Arc::clone(&one.name));
            let name = known.unwrap_or_else(|| people::named(world.seed, ssn).last_name);
            let signature = Signature { ssn, name, at: world.now };
            submissions::sign(world, submission, signature.clone());
            Arc::make_mut(world.standings.get_mut(&id).expect("found above")).signatures.push(signature);
        }
    }
    Arc::make_mut(world.standings.get_mut(&id).expect("found above")).awaits_insurer = false;
    go_on(world, id);
}

/// `DecideAccount`.
pub(crate) fn decide(
    world: &mut World,
    partner: PartnerId,
    id: AccountId,
    decision: Decision,
) -> Result<Reply, Refusal> {
    let account = world.account_of_partner(partner, id)?;
    let on = match decision {
        Decision::Approve => Trigger::Approve,
        Decision::Reject => Trigger::Refuse,
        Decision::Confirm => Trigger::Sign,
    };
    if !account.state.allows(on) {
        let levers = [("approve", Trigger::Approve), ("reject", Trigger::Refuse), ("confirm", Trigger::Sign)];
        let allowed = levers.iter().filter(|lever| account.state.allows(lever.1));
        let allowed = allowed.map(|lever| lever.0).collect();
        let status = account.state.name();
        return Err(Refusal::conflict("accountId", Fault::NotPossibleIn { status }, status, allowed));
    }
    match decision {
        Decision::Confirm => confirm_all(world, id),
        Decision::Approve | Decision::Reject => move_account(world, id, on),
    }
    Ok(Reply::Account(Arc::clone(world.accounts.known(id))))
}

/// What a renewal has established.
pub(crate) struct Renewal {
    /// The answers.
    pub(crate) kyc: Vec<KycAnswer>,
    /// The company, where one owns the account.
    pub(crate) company: Option<Arc<Company>>,
    /// Whether the owner is politically exposed.
    pub(crate) exposed: bool,
    /// The appropriateness answer.
    pub(crate) knows_funds: bool,
}

/// The KYC questions are answered anew; not public, so there is no event.
pub(crate) fn renew(world: &mut World, id: AccountId, renewal: Renewal) {
    let Renewal { kyc, company, exposed, knows_funds } = renewal;
    if let Some(company) = &company {
        screening::note_company(world, company);
    }
    let settings = &world.setup.settings;
    let years = if exposed { settings.journeys.kyc_high_risk_years } else { settings.kyc_years };
    let until = years_later(world.now.local_date(), years);
    let account = world.accounts.change(id);
    account.kyc_valid_until = until;
    account.fund_knowledge = knows_funds;
    let now = world.now;
    let standing = Arc::make_mut(world.standings.or_default(id));
    standing.kyc = kyc;
    standing.kyc_updated = Some(now);
    standing.company = company;
}
