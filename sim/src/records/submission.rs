//! A submission: the application of a legal entity, signed by all its signatories (rule: journeys/submissions).
//!
//! Invariant: `signed` names each signatory at most once; the submission is complete when nobody is missing.

use super::{LegalEntity, Signature, Stamp};
use crate::identity::PersonalNumber;
use crate::ids::{AccountId, ClientId, JourneyId, SubmissionId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where a submission stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SubmissionStatus {
    /// Filled in, signed by nobody.
    New,
    /// Some signatures are missing.
    Pending,
    /// Signed by all.
    Complete,
    /// Refused, or not signed in time.
    Rejected,
}

impl SubmissionStatus {
    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Pending => "pending",
            Self::Complete => "complete",
            Self::Rejected => "rejected",
        }
    }
}

/// The application of a legal entity.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Submission {
    /// Public id.
    pub id: SubmissionId,
    /// Client it was handed to.
    pub client: ClientId,
    /// The journey that last filled it in.
    pub journey: JourneyId,
    /// Who applies.
    pub entity: Arc<LegalEntity>,
    /// Where it stands.
    pub status: SubmissionStatus,
    /// Who has signed, in order.
    pub signed: Vec<Signature>,
    /// The account it opens, from the first signature on.
    pub account: Option<AccountId>,
    /// Creation and change.
    pub stamp: Stamp,
}

impl Submission {
    /// The signatories who have not signed.
    pub fn missing(&self) -> impl Iterator<Item = PersonalNumber> {
        let signed = |ssn: PersonalNumber| self.signed.iter().any(|signature| signature.ssn == ssn);
        self.entity.signatories.iter().map(|signatory| signatory.ssn).filter(move |&ssn| !signed(ssn))
    }
}
