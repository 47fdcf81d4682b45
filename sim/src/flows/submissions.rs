//! Submissions of legal entities: who signs, and what the last signature means (rule: journeys/submissions).
//!
//! Absent on purpose: the journeys that sign, and the account that waits.

use crate::ids::{AccountId, SubmissionId};
use crate::records::{Signature, Submission, SubmissionStatus};
use crate::world::World;
use std::sync::Arc;

fn change(world: &mut World, id: SubmissionId, f: impl FnOnce(&mut Submission)) {
    let now = world.now;
    let submission = Arc::make_mut(world.submissions.get_mut(&id).expect("a submission that others refer to exists"));
    f(submission);
    submission.stamp.touch(now);
}

/// One more signature; complete when nobody is missing.
pub(crate) fn sign(world: &mut World, id: SubmissionId, signature: Signature) -> SubmissionStatus {
    change(world, id, |submission| {
        submission.signed.push(signature);
        let complete = submission.missing().next().is_none();
        submission.status = if complete { SubmissionStatus::Complete } else { SubmissionStatus::Pending };
    });
    world.submissions[&id].status
}

/// Notes the account that the first signature opened.
pub(crate) fn open(world: &mut World, id: SubmissionId, account: AccountId) {
    change(world, id, |submission| submission.account = Some(account));
}

/// It is refused, or its time is up; a complete one stays complete.
pub(crate) fn reject(world: &mut World, id: SubmissionId) {
    if world.submissions[&id].status == SubmissionStatus::Pending {
        change(world, id, |submission| submission.status = SubmissionStatus::Rejected);
    }
}
