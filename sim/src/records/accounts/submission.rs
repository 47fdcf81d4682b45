//! A submission: the application of a legal entity, signed by all its signatories (rule: journeys/submissions).
//! Its life is the table in `machines/submission.rs`.
//!
//! Invariant: `signed` names each signatory at most once; the submission is complete when nobody is missing.

use crate::identity::PersonalNumber;
use crate::ids::{AccountId, ClientId, JourneyId, SubmissionId};
use crate::machines::Current;
use crate::machines::submission::State;
use crate::records::{LegalEntity, Signature, Stamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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
    /// Place in the table.
    pub state: Current<State>,
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
