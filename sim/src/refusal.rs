//! Why a world says no.
//!
//! `Class` is closed and its order is the precedence: a flow checks class by class and reports the first that fails, with
//! all problems of that class and none of a later one (rule: orders/precedence, wire/error-body). A refused command has
//! changed nothing. Absent on purpose: status codes, which are one table of the surface.

use crate::money::{Amount, Units};
use std::borrow::Cow;
use std::fmt;

/// Classes of refusal, first reported first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A client or resource of another partner.
    OutOfScope,
    /// Fields wrong by themselves, whatever the world's state.
    Malformed,
    /// No such resource here.
    Unknown,
    /// The account takes no business.
    AccountNotActive,
    /// Not a person who may act for the owner.
    ExecutorMismatch,
    /// No such fund.
    InstrumentUnknown,
    /// The client does not offer the fund.
    NotInUniverse,
    /// The fund is closed on that side.
    NotTradable,
    /// Account type or category forbids the fund.
    NotEligible,
    /// Below a minimum, too fine, or worth nothing.
    OutsideLimits,
    /// Target of the money is not usable.
    BadTarget,
    /// Not enough cash or units.
    Insufficient,
    /// The resource's state does not allow the move (partner API).
    NotAllowedNow,
    /// The resource's state does not allow the move (lever).
    Conflict,
}

impl Class {
    /// What is refused so.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::OutOfScope => "a client or resource of another partner",
            Self::Malformed => "fields that are wrong by themselves, whatever the world's state",
            Self::Unknown => "no such resource",
            Self::AccountNotActive => "the account takes no business",
            Self::ExecutorMismatch => "not a person who may act for the owner",
            Self::InstrumentUnknown => "no such fund",
            Self::NotInUniverse => "the client does not offer the fund",
            Self::NotTradable => "the fund is closed on that side",
            Self::NotEligible => "account type or category forbids the fund",
            Self::OutsideLimits => "below a minimum, too fine, or worth nothing",
            Self::BadTarget => "the target of the money is not usable",
            Self::Insufficient => "not enough cash or units",
            Self::NotAllowedNow => "the resource's state does not allow the move (partner API)",
            Self::Conflict => "the resource's state does not allow the move (lever)",
        }
    }
}

/// Every class, in order of precedence.
pub const CLASSES: &[Class] = &[
    Class::OutOfScope,
    Class::Malformed,
    Class::Unknown,
    Class::AccountNotActive,
    Class::ExecutorMismatch,
    Class::InstrumentUnknown,
    Class::NotInUniverse,
    Class::NotTradable,
    Class::NotEligible,
    Class::OutsideLimits,
    Class::BadTarget,
    Class::Insufficient,
    Class::NotAllowedNow,
    Class::Conflict,
];

/// A refusal: one class, all its problems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which class failed first.
    pub class: Class,
    /// What is wrong, at least one.
    pub problems: Vec<Problem>,
    /// For `Class::Conflict`: the state of the resource and what would be allowed.
    pub conflict: Option<Box<Conflict>>,
}

/// The state of a resource that a lever cannot move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Present state, in the API's spelling where it has one.
    pub current: String,
    /// Levers that would be allowed now.
    pub allowed: Vec<&'static str>,
}

/// One problem of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Path of the field in the request, such as `positions[1].units`.
    pub field: Cow<'static, str>,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What can be wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's sentence below says what it is")]
pub enum Fault {
    NotYours,
    NotFound,
    Missing,
    Forbidden { because: &'static str },
    NotPositive,
    TooLong { max: usize },
    TooManyDecimals { max: u32 },
    NotActive { status: &'static str },
    NotTheOwner,
    NotInUniverse,
    ClosedForSubscription,
    ClosedForRedemption,
    Suspended,
    TakesOverAnother,
    OnlyForProfessionals,
    NotForThisAccountType { because: &'static str },
    BelowMinimum { min: Amount },
    WorthNothing,
    SameAccount,
    DifferentOwner,
    BankAccountNotValidated,
    NotEnoughCash { available: Amount },
    NotEnoughUnits { available: Units },
    TooLate { status: &'static str },
    NotPossibleIn { status: &'static str },
    OutsideWalk { low: crate::money::Price, high: crate::money::Price },
    AlreadyExecuted,
    NotADealingDay,
    NoPriceYet,
    TooFar,
    Duplicate,
    Invalid { because: &'static str },
    NotPermitted,
    Empty,
    NotAChoice,
    TooMany { max: usize },
    ReadOnly,
    Unwritable,
    SumNotHundred { sum: crate::money::Percent },
    Taken,
    NotReached { current: &'static str },
    NotBetween { min: Amount, max: Amount },
    AwaitsPayments { instructions: String },
    BelowLimit { min: Amount },
    AboveLimit { max: Amount },
}

impl Refusal {
    /// A refusal with one problem.
    #[must_use]
    pub fn one(class: Class, field: impl Into<Cow<'static, str>>, fault: Fault) -> Self {
        Self { class, problems: vec![Problem { field: field.into(), fault }], conflict: None }
    }

    /// A refusal with all `problems` of one class; `Ok` when there are none.
    ///
    /// # Errors
    /// The refusal, when there is at least one problem.
    pub fn unless_empty(class: Class, problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self { class, problems, conflict: None }) }
    }

    /// A lever's conflict.
    #[must_use]
    pub fn conflict(field: &'static str, fault: Fault, current: impl Into<String>, allowed: Vec<&'static str>) -> Self {
        let conflict = Some(Box::new(Conflict { current: current.into(), allowed }));
        Self { class: Class::Conflict, problems: vec![Problem { field: Cow::Borrowed(field), fault }], conflict }
    }
}

impl Problem {
    /// A problem of `field`.
    pub fn new(field: impl Into<Cow<'static, str>>, fault: Fault) -> Self {
        Self { field: field.into(), fault }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            if at > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.field, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotYours => f.write_str("is not within the scope of this token"),
            Self::NotFound => f.write_str("is not known"),
            Self::Missing => f.write_str("is required"),
            Self::Forbidden { because } => write!(f, "must be left out: {because}"),
            Self::NotPositive => f.write_str("must be greater than zero"),
            Self::TooLong { max } => write!(f, "must be at most {max} characters long"),
            Self::TooManyDecimals { max } => write!(f, "must have at most {max} decimals"),
            Self::NotActive { status } => write!(f, "must be an active account; it is {status}"),
            Self::NotTheOwner => f.write_str("must be the account's owner or one of its signatories"),
            Self::NotInUniverse => f.write_str("is not in the client's instrument universe"),
            Self::ClosedForSubscription => f.write_str("is closed for subscriptions"),
            Self::ClosedForRedemption => f.write_str("is closed for redemptions"),
            Self::Suspended => f.write_str("is suspended from trading"),
            Self::TakesOverAnother => {
                f.write_str("takes no orders before midnight, since another fund is merged into it")
            }
            Self::OnlyForProfessionals => f.write_str("is open to professional clients only"),
            Self::NotForThisAccountType { because } => write!(f, "does not fit the account type: {because}"),
            Self::BelowMinimum { min } => write!(f, "must be at least {min} SEK for this purchase"),
            Self::WorthNothing => f.write_str("is worth nothing at the last published price"),
            Self::SameAccount => f.write_str("must be another account"),
            Self::DifferentOwner => f.write_str("must belong to the same owner and client"),
            Self::BankAccountNotValidated => f.write_str("must be a validated bank account of the owner"),
            Self::NotEnoughCash { available } => write!(f, "exceeds the available cash of {available} SEK"),
            Self::NotEnoughUnits { available } => write!(f, "exceeds the available {available} units"),
            Self::TooLate { status } => write!(f, "can no longer be canceled; it is {status}"),
            Self::NotPossibleIn { status } => write!(f, "does not allow this while it is {status}"),
            Self::OutsideWalk { low, high } => write!(f, "must lie between {low} and {high}"),
            Self::AlreadyExecuted => f.write_str("already has executions at its price"),
            Self::NotADealingDay => f.write_str("is not a dealing day of this fund"),
            Self::NoPriceYet => f.write_str("has no published price yet"),
            Self::TooFar => f.write_str("is too far away"),
            Self::Duplicate => f.write_str("is given twice"),
            Self::Invalid { because } => write!(f, "is not acceptable: {because}"),
            Self::NotPermitted => f.write_str("is not permitted for this client"),
            Self::Empty => f.write_str("must not be empty"),
            Self::NotAChoice => f.write_str("is not one of the choices"),
            Self::TooMany { max: 1 } => f.write_str("must have at most one entry"),
            Self::TooMany { max } => write!(f, "must have at most {max} entries"),
            Self::ReadOnly => f.write_str("is fixed and cannot be changed"),
            Self::Unwritable => f.write_str("cannot be changed"),
            Self::SumNotHundred { sum } => write!(f, "must add up to exactly 100.00 percent; the sum is {sum}"),
            Self::Taken => f.write_str("is already taken"),
            Self::NotReached { current } => write!(f, "has not been reached; the journey is at {current}"),
            Self::NotBetween { min, max } => write!(f, "must lie between {min} and {max} SEK"),
            Self::AwaitsPayments { instructions } => {
                write!(f, "still awaits payments of the instructions {instructions}")
            }
            Self::BelowLimit { min } => write!(f, "must be at least {min} SEK"),
            Self::AboveLimit { max } => write!(f, "must be at most {max} SEK"),
        }
    }
}
