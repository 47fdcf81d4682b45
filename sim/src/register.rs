//! The simulated company register: what it says of a number (rule: accounts/company-register).
//!
//! Owns the draw and the numbers with a fixed outcome. Invariant: an extract depends on the seed and the number alone, so
//! the order of look-ups makes no difference. Absent on purpose: state.

use crate::identity::{OrganisationNumber, PersonalNumber};
use crate::money::Percent;
use crate::people;
use crate::records::{BeneficialOwner, BoardMember, BoardRole, Extract, OwnerControl, OwnerIdentity, SigningRule};
use crate::rng::{Seed, Stream};
use std::sync::Arc;

/// What the register does with a company, decided by the last four digits of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegisterOutcome {
    /// Everything is drawn.
    Drawn,
    /// A company whose signatories sign alone.
    SignsAlone,
    /// The register has no such company.
    NotFound,
    /// The company is in liquidation.
    InLiquidation,
    /// Its signatories have changed by the time of signing.
    SignatoriesChanged,
    /// Two sign together.
    SignsTogether,
    /// It has no beneficial owner.
    NoOwner,
    /// A board member is on a sanctions list.
    SanctionedMember,
    /// A beneficial owner is politically exposed.
    ExposedOwner,
}

/// Last four digits with a fixed outcome: digits, outcome, a fictive number that ends so, description.
#[rustfmt::skip]
pub const REGISTER_OUTCOMES: &[(&str, RegisterOutcome, &str, &str)] = &[
    ("0007", RegisterOutcome::SignsAlone,         "5599900007", "signatories sign alone"),
    ("0015", RegisterOutcome::SignsAlone,         "5599900015", "signatories sign alone"),
    ("0023", RegisterOutcome::SignsAlone,         "5599900023", "signatories sign alone"),
    ("0049", RegisterOutcome::NotFound,           "5599900049", "not in the company register"),
    ("0056", RegisterOutcome::InLiquidation,      "5599900056", "in liquidation: the journey ends with KYC_ERROR"),
    ("0064", RegisterOutcome::SignatoriesChanged, "5599900064", "signatories have changed: the journey ends with SIGN_ERROR"),
    ("0072", RegisterOutcome::SignsTogether,      "5599900072", "two signatories sign together"),
    ("0080", RegisterOutcome::NoOwner,            "5599900080", "no beneficial owner: the board is named instead"),
    ("0098", RegisterOutcome::SanctionedMember,   "5599900098", "a board member is on a sanctions list"),
    ("0106", RegisterOutcome::ExposedOwner,       "5599900106", "a beneficial owner is politically exposed"),
];

/// The board member of [`RegisterOutcome::SanctionedMember`].
const SANCTIONED: &str = "197001022388";
/// The owner of [`RegisterOutcome::ExposedOwner`].
const EXPOSED: &str = "197001012389";
/// Where owners without a personal number live.
const ABROAD: [&str; 4] = ["NO", "DK", "FI", "DE"];

/// What the register does with that number.
#[must_use]
pub fn outcome(crn: OrganisationNumber) -> RegisterOutcome {
    let text = crn.to_string();
    let row = REGISTER_OUTCOMES.iter().find(|row| text.ends_with(row.0));
    row.map_or(RegisterOutcome::Drawn, |row| row.1)
}

/// What the register says of that number; also of one that it does not have, which callers ask `outcome` about.
#[must_use]
pub fn extract(seed: Seed, crn: OrganisationNumber) -> Extract {
    let mut stream = seed.child("company register", crn.to_string().parse().expect("ten digits"));
    let outcome = outcome(crn);
    let (together, size, count) = (stream.chance(1, 4), stream.below(3), stream.below(5));
    let signing = match outcome {
        RegisterOutcome::SignsTogether => SigningRule::Together,
        RegisterOutcome::Drawn if together => SigningRule::Together,
        _ => SigningRule::Alone,
    };
    // Two who sign together are two.
    let size = if signing == SigningRule::Together { size.max(1) } else { size };
    let mut board: Vec<_> = (0..=size).map(|at| member(seed, PersonalNumber::draw(&mut stream), at == 0)).collect();
    if outcome == RegisterOutcome::SanctionedMember {
        board.push(member(seed, fixed(SANCTIONED), false));
    }
    let count = match (outcome, count) {
        (RegisterOutcome::NoOwner, _) | (RegisterOutcome::Drawn, 0) => 0,
        (_, 0..=2) => 1,
        _ => 2,
    };
    Extract {
        crn,
        name: people::company_name(seed, crn),
        form: Arc::from(people::legal_form(crn)),
        address: people::company_address(seed, crn),
        owners: owners(seed, &mut stream, &board, count, outcome),
        board,
        signing,
    }
}

fn fixed(ssn: &str) -> PersonalNumber {
    PersonalNumber::parse(ssn).expect("a constant")
}

fn full_name(seed: Seed, ssn: PersonalNumber) -> Arc<str> {
    let person = people::named(seed, ssn);
    Arc::from(format!("{} {}", person.first_name, person.last_name))
}

fn member(seed: Seed, ssn: PersonalNumber, chairs: bool) -> BoardMember {
    let role = if chairs { BoardRole::Chair } else { BoardRole::Member };
    BoardMember { name: full_name(seed, ssn), ssn, role }
}

/// The beneficial owners: the chair first, as in most small companies, then another person, now and then from abroad.
fn owners(
    seed: Seed,
    stream: &mut Stream,
    board: &[BoardMember],
    count: usize,
    outcome: RegisterOutcome,
) -> Vec<BeneficialOwner> {
    let mut left = 100;
    let mut made = Vec::new();
    for at in 0..count {
        let least = 26;
        // The second owner needs a share, too.
        let most = if at + 1 < count { left - least } else { left };
        let share = stream.between(least, most);
        left -= share;
        let (other, lives_abroad) = (PersonalNumber::draw(stream), stream.chance(1, 4));
        let country = *stream.pick(&ABROAD);
        let control = if stream.chance(1, 5) { OwnerControl::Votes } else { OwnerControl::Shares };
        let ssn = match (outcome, at, board.first()) {
            (RegisterOutcome::ExposedOwner, 0, _) => fixed(EXPOSED),
            (_, 0, Some(chair)) => chair.ssn,
            _ => other,
        };
        let identity = if at > 0 && lives_abroad {
            OwnerIdentity::Born { date: ssn.birth_date(), country: Arc::from(country) }
        } else {
            OwnerIdentity::Ssn(ssn)
        };
        let share = Some(Percent::parse(&share.to_string()).expect("a whole number of percent"));
        made.push(BeneficialOwner { name: full_name(seed, ssn), identity, share, control });
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn crn(text: &str) -> OrganisationNumber {
        OrganisationNumber::parse(text).expect("ten digits")
    }

    /// (rule: accounts/company-register)
    #[test]
    fn the_order_of_look_ups_makes_no_difference() {
        let numbers: Vec<_> = (0..40).map(|n| crn(&format!("55888{n:05}"))).collect();
        let forwards: Vec<_> = numbers.iter().map(|one| extract(Seed(3), *one)).collect();
        let backwards: Vec<_> = numbers.iter().rev().map(|one| extract(Seed(3), *one)).collect();
        assert!(forwards.iter().eq(backwards.iter().rev()));
        let other = extract(Seed(4), numbers[0]);
        assert_ne!(forwards[0].board, other.board, "another seed draws other people");
    }

    /// (rule: accounts/company-register)
    #[test]
    fn companies_differ_in_board_signing_and_owners() {
        let all: Vec<_> = (0..300).map(|n| extract(Seed(1), crn(&format!("55888{n:05}")))).collect();
        let boards: BTreeSet<_> = all.iter().map(|one| one.board.len()).collect();
        let owners: BTreeSet<_> = all.iter().map(|one| one.owners.len()).collect();
        let signing: BTreeSet<_> = all.iter().map(|one| one.signing).collect();
        assert_eq!((boards, owners, signing.len()), (BTreeSet::from([1, 2, 3]), BTreeSet::from([0, 1, 2]), 2));
        for one in &all {
            assert!(one.signing == SigningRule::Alone || one.board.len() > 1, "{one:?}");
            let shares: Percent = one.owners.iter().filter_map(|owner| owner.share).sum();
            assert!(shares <= Percent::WHOLE, "{one:?}");
            let more = Percent::parse("25").expect("a share");
            assert!(one.owners.iter().all(|owner| owner.share.is_some_and(|share| share > more)), "{one:?}");
        }
        let abroad = all.iter().flat_map(|one| &one.owners).filter(|owner| owner.identity.ssn().is_none()).count();
        assert!(abroad > 5, "{abroad}");
    }

    /// (rule: accounts/company-register)
    #[test]
    fn every_row_of_fixed_outcomes_is_a_fictive_number_that_ends_so() {
        for (digits, expected, number, _) in REGISTER_OUTCOMES {
            let number = crn(number);
            assert!(number.luhn_ok() && number.third_digit_ok(), "{number}");
            assert!(number.to_string().ends_with(digits), "{number}");
            assert_eq!(outcome(number), *expected);
        }
        let people = |number| {
            let made = extract(Seed(9), crn(number));
            let owners: Vec<_> = made.owners.iter().filter_map(|owner| owner.identity.ssn()).collect();
            let board: Vec<_> = made.board.iter().map(|member| member.ssn).collect();
            (board, owners, made.signing)
        };
        assert_eq!(people("5599900072").2, SigningRule::Together);
        assert!(people("5599900080").1.is_empty());
        assert!(people("5599900098").0.contains(&fixed(SANCTIONED)));
        assert!(people("5599900106").1.contains(&fixed(EXPOSED)));
    }
}
