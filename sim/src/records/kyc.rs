//! What is known of a customer: the catalogue of questions and the answers (rule: journeys/kyc-catalogue).
//!
//! Invariant: an answer's question is in the catalogue. Absent on purpose: the wording of questions, which is the
//! pages'.

use crate::identity::is_country;
use crate::partial::partly;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a question is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answering {
    /// One of the choices.
    One(&'static [&'static str]),
    /// One or several of the choices.
    Some(&'static [&'static str]),
    /// One or several countries, ISO 3166-1 alpha-2.
    Countries,
}

/// A question of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its `qid`.
    pub qid: &'static str,
    /// How it is answered.
    pub answering: Answering,
    /// What most people answer.
    pub usual: &'static str,
}

impl Question {
    /// Whether `text` is an answer that the page could give (rule: journeys/prefilled-answers).
    #[must_use]
    pub fn offers(&self, text: &str) -> bool {
        match self.answering {
            Answering::One(choices) | Answering::Some(choices) => choices.contains(&text),
            Answering::Countries => is_country(text),
        }
    }
}

const YES_NO: &[&str] = &["no", "yes"];

/// Every question, in the order of asking.
#[rustfmt::skip]
pub const QUESTIONS: &[Question] = &[
    Question { qid: "purpose",          answering: Answering::One(&["savings", "pension", "children", "housing", "other"]), usual: "savings" },
    Question { qid: "originOfFunds",    answering: Answering::Some(&["salary", "savings", "pension", "inheritance", "property", "business", "other"]), usual: "salary" },
    Question { qid: "expectedDeposits", answering: Answering::One(&["under100000", "100000to500000", "500000to1000000", "over1000000"]), usual: "under100000" },
    Question { qid: "employment",       answering: Answering::One(&["employed", "selfEmployed", "student", "retired", "unemployed"]), usual: "employed" },
    Question { qid: "income",           answering: Answering::One(&["under250000", "250000to500000", "500000to1000000", "over1000000"]), usual: "250000to500000" },
    Question { qid: "pep",              answering: Answering::One(YES_NO), usual: "no" },
    Question { qid: "taxResidency",     answering: Answering::Countries, usual: "SE" },
    Question { qid: "usPerson",         answering: Answering::One(YES_NO), usual: "no" },
    Question { qid: "fundKnowledge",    answering: Answering::One(YES_NO), usual: "yes" },
    Question { qid: "riskTolerance",    answering: Answering::One(&["low", "medium", "high"]), usual: "medium" },
];

/// The question with that `qid`.
#[must_use]
pub fn question(qid: &str) -> Option<&'static Question> {
    QUESTIONS.iter().find(|question| question.qid == qid)
}

partly! {
    /// An answer to one question.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub struct KycAnswer or PartialKycAnswer {
        /// Which question.
        pub qid: Arc<str>,
        /// One text, or several.
        pub answer: Vec<Arc<str>>,
        /// Whether it was given as a list; echoed as such.
        pub is_list: bool,
    }
}

/// Where an account's KYC stands (rule: accounts/kyc-renewal).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KycStatus {
    /// In force.
    Valid,
    /// In force for 60 more days at most.
    Expiring,
    /// No longer in force: new orders go to hold.
    Expired,
    /// Being renewed, or the account is not yet approved.
    Pending,
}

impl KycStatus {
    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Expiring => "expiring",
            Self::Expired => "expired",
            Self::Pending => "pending",
        }
    }
}
