//! Submissions of legal entities: who signs, and what the last signature means (rule: journeys/submissions).
//!
//! Owns every move of the submission table. Absent on purpose: the journeys that sign, and the account that waits.

use crate::ids::{AccountId, SubmissionId};
use crate::machines::submission::{Effect, State, Trigger};
use crate::records::Signature;
use crate::world::World;

/// Takes the table's row for `on`.
fn move_submission(world: &mut World, id: SubmissionId, on: Trigger) {
    let (now, submission) = (world.now, world.submissions.change(id));
    let row = world.visits.take(&mut submission.state, on, Some(submission.client));
    submission.stamp.touch(now);
    match row.effect {
        Effect::Nothing => {}
    }
}

/// One more signature; complete when nobody is missing.
pub(crate) fn sign(world: &mut World, id: SubmissionId, signature: Signature) -> State {
    let (now, submission) = (world.now, world.submissions.change(id));
    submission.signed.push(signature);
    let on = if submission.missing().next().is_none() { Trigger::Finish } else { Trigger::Begin };
    if submission.state.allows(on) {
        move_submission(world, id, on);
    } else {
        submission.stamp.touch(now);
    }
    *world.submissions.known(id).state
}

/// Notes the account that the first signature opened.
pub(crate) fn open(world: &mut World, id: SubmissionId, account: AccountId) {
    let (now, submission) = (world.now, world.submissions.change(id));
    submission.account = Some(account);
    submission.stamp.touch(now);
}

/// It is refused, or its time is up; a complete one stays complete.
pub(crate) fn reject(world: &mut World, id: SubmissionId) {
    if world.submissions.known(id).state.allows(Trigger::Refuse) {
        move_submission(world, id, Trigger::Refuse);
    }
}
