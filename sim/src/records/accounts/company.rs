//! A company as the register describes it, and what its customer confirms of it (rule: accounts/companies).
//!
//! Invariant: a `Company` holds the extract as it was drawn; what the customer confirmed or corrected is beside it.
//! Absent on purpose: the draw, which is `register`'s.

use crate::identity::{OrganisationNumber, PersonalNumber};
use crate::money::Percent;
use crate::records::Address;
use crate::time::{Date, Instant};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How the signatories of a company sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SigningRule {
    /// Each of them alone.
    Alone,
    /// Two or more of them together.
    Together,
}

impl SigningRule {
    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Together => "together",
        }
    }
}

/// The role of a member of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum BoardRole {
    /// Leads the board.
    Chair,
    /// Any other member.
    Member,
    /// Signs for the company without a seat on its board.
    Signatory,
}

impl BoardRole {
    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chair => "chair",
            Self::Member => "member",
            Self::Signatory => "signatory",
        }
    }
}

/// A person whom the register names for a company.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BoardMember {
    /// Full name.
    pub name: Arc<str>,
    /// Personal number.
    pub ssn: PersonalNumber,
    /// What the person is.
    pub role: BoardRole,
}

/// How a beneficial owner controls a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OwnerControl {
    /// Owns more than 25 % of the shares.
    Shares,
    /// Holds more than 25 % of the votes.
    Votes,
    /// Appoints or removes more than half of the board.
    Board,
    /// Decides by an agreement or otherwise.
    Other,
}

impl OwnerControl {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Shares, Self::Votes, Self::Board, Self::Other];

    /// The public word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shares => "shares",
            Self::Votes => "votes",
            Self::Board => "board",
            Self::Other => "other",
        }
    }

    /// Whether it rests on a share of more than 25 %.
    #[must_use]
    pub const fn needs_share(self) -> bool {
        matches!(self, Self::Shares | Self::Votes)
    }
}

/// By what a beneficial owner is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OwnerIdentity {
    /// A Swedish personal number.
    Ssn(PersonalNumber),
    /// Somebody without one.
    Born {
        /// Date of birth.
        date: Date,
        /// Country, ISO 3166-1 alpha-2.
        country: Arc<str>,
    },
}

impl OwnerIdentity {
    /// The personal number, if the person has one.
    #[must_use]
    pub const fn ssn(&self) -> Option<PersonalNumber> {
        match self {
            Self::Ssn(ssn) => Some(*ssn),
            Self::Born { .. } => None,
        }
    }
}

/// A natural person who owns or controls a company.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BeneficialOwner {
    /// Full name.
    pub name: Arc<str>,
    /// By what the person is known.
    pub identity: OwnerIdentity,
    /// Share of the company, where the control rests on one.
    pub share: Option<Percent>,
    /// Kind of control.
    pub control: OwnerControl,
}

/// What the register says of a company: a pure function of the world's seed and the number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Extract {
    /// The company's number.
    pub crn: OrganisationNumber,
    /// Registered name.
    pub name: Arc<str>,
    /// Legal form, one of the public words.
    pub form: Arc<str>,
    /// Registered address.
    pub address: Address,
    /// Board members, the chair first.
    pub board: Vec<BoardMember>,
    /// How they sign.
    pub signing: SigningRule,
    /// Registered beneficial owners.
    pub owners: Vec<BeneficialOwner>,
}

/// Whether a person declares to hold a high public office.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PepAnswer {
    /// Full name.
    pub name: Arc<str>,
    /// Personal number, if the person has one.
    pub ssn: Option<PersonalNumber>,
    /// Whether the person does.
    pub exposed: bool,
}

/// What a journey established about a company; kept with its account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Company {
    /// The extract as it was drawn.
    pub extract: Extract,
    /// Name under which the company opened its account.
    pub name: Arc<str>,
    /// The board and those who sign without a seat on it.
    pub board: Vec<BoardMember>,
    /// How the signatories sign.
    pub signing: SigningRule,
    /// Who signs.
    pub signatories: Vec<PersonalNumber>,
    /// Beneficial owners as confirmed or corrected; empty when the board is named instead.
    pub owners: Vec<BeneficialOwner>,
    /// The answers about public offices, a person each.
    pub pep: Vec<PepAnswer>,
    /// When it was signed.
    pub confirmed: Instant,
}

impl Company {
    /// Whether nobody owns or controls the company, so that its board is named instead.
    #[must_use]
    pub fn names_board_instead(&self) -> bool {
        self.owners.is_empty()
    }

    /// The numbers of everybody known: the board, those who sign, the beneficial owners. A number can come twice.
    pub fn people(&self) -> impl Iterator<Item = PersonalNumber> {
        let board = self.board.iter().map(|member| member.ssn);
        let owners = self.owners.iter().filter_map(|owner| owner.identity.ssn());
        board.chain(self.signatories.iter().copied()).chain(owners)
    }
}
