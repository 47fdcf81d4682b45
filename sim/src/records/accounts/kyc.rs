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
const DEPOSITS: &[&str] = &["under100000", "100000to500000", "500000to1000000", "over1000000"];
const FUND_KNOWLEDGE: Question = Question { qid: "fundKnowledge", answering: Answering::One(YES_NO), usual: "yes" };
const RISK_TOLERANCE: Question =
    Question { qid: "riskTolerance", answering: Answering::One(&["low", "medium", "high"]), usual: "medium" };

/// What a person is asked, in the order of asking.
#[rustfmt::skip]
const OF_A_PERSON: &[Question] = &[
    Question { qid: "purpose",          answering: Answering::One(&["savings", "pension", "children", "housing", "other"]), usual: "savings" },
    Question { qid: "originOfFunds",    answering: Answering::Some(&["salary", "savings", "pension", "inheritance", "property", "business", "other"]), usual: "salary" },
    Question { qid: "expectedDeposits", answering: Answering::One(DEPOSITS), usual: "under100000" },
    Question { qid: "employment",       answering: Answering::One(&["employed", "selfEmployed", "student", "retired", "unemployed"]), usual: "employed" },
    Question { qid: "income",           answering: Answering::One(&["under250000", "250000to500000", "500000to1000000", "over1000000"]), usual: "250000to500000" },
    Question { qid: "pep",              answering: Answering::One(YES_NO), usual: "no" },
    Question { qid: "taxResidency",     answering: Answering::Countries, usual: "SE" },
    Question { qid: "usPerson",         answering: Answering::One(YES_NO), usual: "no" },
    FUND_KNOWLEDGE,
    RISK_TOLERANCE,
];

/// What a company is asked, in the order of asking; `pep` is asked for each person of the company.
#[rustfmt::skip]
const OF_A_COMPANY: &[Question] = &[
    Question { qid: "businessActivity",    answering: Answering::One(&["consulting", "trade", "construction", "manufacturing", "realEstate", "holding", "nonProfit", "other"]), usual: "consulting" },
    Question { qid: "purpose",             answering: Answering::One(&["surplus", "reserves", "pensionCommitments", "other"]), usual: "surplus" },
    Question { qid: "originOfFunds",       answering: Answering::Some(&["operations", "ownerContribution", "assetSale", "loan", "dividends", "other"]), usual: "operations" },
    Question { qid: "turnover",            answering: Answering::One(&["under1000000", "1000000to10000000", "10000000to100000000", "over100000000"]), usual: "1000000to10000000" },
    Question { qid: "expectedDeposits",    answering: Answering::One(DEPOSITS), usual: "100000to500000" },
    Question { qid: "taxResidency",        answering: Answering::Countries, usual: "SE" },
    Question { qid: "crsClassification",   answering: Answering::One(&["activeNfe", "passiveNfe", "financialInstitution"]), usual: "activeNfe" },
    Question { qid: "fatcaClassification", answering: Answering::One(&["activeNffe", "passiveNffe", "financialInstitution", "usEntity"]), usual: "activeNffe" },
    FUND_KNOWLEDGE,
    RISK_TOLERANCE,
    Question { qid: "pep",                 answering: Answering::One(YES_NO), usual: "no" },
];

/// Who is asked (rule: journeys/kyc-catalogue).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Questionnaire {
    /// A natural person.
    Person,
    /// A legal entity.
    Company,
}

impl Questionnaire {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Person, Self::Company];

    /// Its questions, in the order of asking.
    #[must_use]
    pub const fn questions(self) -> &'static [Question] {
        match self {
            Self::Person => OF_A_PERSON,
            Self::Company => OF_A_COMPANY,
        }
    }

    /// Its question with that `qid`.
    #[must_use]
    pub fn question(self, qid: &str) -> Option<&'static Question> {
        self.questions().iter().find(|question| question.qid == qid)
    }
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

/// The status of an account's KYC (rule: accounts/kyc-renewal).
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
