//! What a company's journey asks about the company: the register's extract to confirm, the beneficial owners, and who all
//! its people are (rule: journeys/company-steps).
//!
//! Invariant: the extract is drawn anew at each look; an account, a submission or an earlier answer decides name and
//! signatories. Pure. Absent on purpose: the questions about the business, which are `fields`'.

use super::field_view::{Choice, FieldKind, FieldView, NO, YES};
use super::form::Form;
use super::people::{signatory, signers};
use crate::identity::PersonalNumber;
use crate::money::Percent;
use crate::records::{
    Address, Answers, BeneficialOwner, BoardMember, BoardRole, Company, Extract, JourneyStep, OwnerControl,
    OwnerIdentity, PepAnswer, SigningRule,
};
use crate::refusal::{Fault, Problem};
use crate::register;
use crate::time::parse_date;
use std::sync::Arc;

/// Longest name of an owner.
const MAX_NAME: usize = 100;
/// How many beneficial owners can be named.
const OWNERS: usize = 4;
/// Longest texts that are only shown.
const SHOWN: usize = 255;

/// Somebody whom the questions about public offices are asked about.
pub(crate) struct KnownPerson {
    pub(crate) name: Arc<str>,
    ssn: Option<PersonalNumber>,
    /// Row of the beneficial owner without a personal number.
    row: usize,
}

impl KnownPerson {
    /// The name of the question about this person.
    pub(crate) fn pep_field(&self) -> Arc<str> {
        match self.ssn {
            Some(ssn) => Arc::from(format!("pep.{ssn}")),
            None => Arc::from(format!("pep.owners[{}]", self.row)),
        }
    }

    /// What was answered for this person.
    pub(crate) fn is_exposed(&self, form: &Form<'_>) -> bool {
        form.is_yes(JourneyStep::Kyc, &self.pep_field())
    }
}

/// What is known of the company before its customer confirms anything.
struct Known {
    extract: Extract,
    name: Arc<str>,
    signing: SigningRule,
    signatories: Vec<PersonalNumber>,
    board: Vec<BoardMember>,
}

/// None before the company and the person who signs are known.
fn known(form: &Form<'_>) -> Option<Known> {
    let extract = register::extract(form.world.seed, form.crn()?);
    let (name, signatories) = match form.known_entity() {
        Some(entity) => (Arc::clone(&entity.name), entity.signatories.iter().map(|one| one.ssn).collect()),
        None => {
            let given = form.answer(JourneyStep::AccountDetails, "companyName");
            (given.map_or_else(|| Arc::clone(&extract.name), Arc::from), signers(form, form.signer()?))
        }
    };
    let named = form.known_entity().is_some() || names_signatories(form);
    let signing = match (named, signatories.len()) {
        (true, 2..) => SigningRule::Together,
        (true, _) => SigningRule::Alone,
        (false, _) => extract.signing,
    };
    let mut board = extract.board.clone();
    for &ssn in &signatories {
        if !board.iter().any(|member| member.ssn == ssn) {
            let name = signatory(form, ssn).name;
            board.push(BoardMember { name, ssn, role: BoardRole::Signatory });
        }
    }
    Some(Known { extract, name, signing, signatories, board })
}

/// Whether the account's details name further people who sign.
fn names_signatories(form: &Form<'_>) -> bool {
    let signer = form.signer().map(|ssn| ssn.to_string());
    let named = form.answers(JourneyStep::AccountDetails, "signatories");
    named.iter().any(|text| Some(text.as_ref()) != signer.as_deref())
}

/// The step `company`.
pub(crate) fn company(form: &Form<'_>) -> Vec<FieldView> {
    let confirmed = FieldView::ask("confirmed", FieldKind::Flag).suggest(YES);
    let Some(Known { extract, name, signing, signatories, board }) = known(form) else { return vec![confirmed] };
    let shown = |key, values| FieldView::ask(key, FieldKind::Text { max: SHOWN }).fix(values);
    let Address { street_address, zip_code, city, country } = &extract.address;
    let members = board.iter().map(|member| Arc::from(format!("{}, {}", member.name, member.ssn)));
    let mut fields = vec![
        shown("registeredName", vec![name]),
        FieldView::ask("legalForm", FieldKind::Choice).choose([crate::people::legal_form(extract.crn)]),
        shown("address", vec![Arc::from(format!("{street_address}, {zip_code} {city}, {country}"))]),
        shown("board", members.collect()),
        FieldView::ask("signing", FieldKind::Choice).choose([signing.name()]),
    ];
    let chooses = signing == SigningRule::Together && form.known_entity().is_none() && !names_signatories(form);
    if chooses {
        let signer = form.signer();
        let others = extract
            .board
            .iter()
            .filter(|member| Some(member.ssn) != signer)
            .map(|member| Choice { value: Arc::from(member.ssn.to_string()), label: Some(Arc::clone(&member.name)) });
        fields.push(FieldView::ask("cosignatories", FieldKind::Choices).choose_named(others.collect()));
    } else {
        let numbers = signatories.iter().map(|ssn| Arc::from(ssn.to_string())).collect();
        fields.push(FieldView::ask("signatories", FieldKind::PersonalNumbers).fix(numbers));
    }
    fields.push(confirmed);
    fields
}

/// The owners that are filled in before the customer comes: those confirmed last, otherwise the register's.
fn expected_owners(form: &Form<'_>) -> Vec<BeneficialOwner> {
    let standing = form.account().and_then(|account| form.world.standings.get(&account.id));
    match standing.and_then(|standing| standing.company.as_deref()) {
        Some(company) => company.owners.clone(),
        None => form.crn().map_or_else(Vec::new, |crn| register::extract(form.world.seed, crn).owners),
    }
}

fn name_of(at: usize, key: &str) -> String {
    format!("owners[{at}].{key}")
}

/// The step `beneficialOwners`: rows to be confirmed or corrected. What was answered once is not filled in again.
pub(crate) fn beneficial_owners(form: &Form<'_>) -> Vec<FieldView> {
    let is_answered = form.progress.of(JourneyStep::BeneficialOwners).is_some();
    let expected = if is_answered { Vec::new() } else { expected_owners(form) };
    let none = FieldView::ask("none", FieldKind::Flag).optional();
    let none = if is_answered { none } else { none.suggest(if expected.is_empty() { YES } else { NO }) };
    let mut fields = vec![FieldView { values: none.suggestion.clone(), ..none }];
    for at in 0..OWNERS {
        fields.extend(row(at, expected.get(at)));
    }
    fields
}

fn row(at: usize, owner: Option<&BeneficialOwner>) -> Vec<FieldView> {
    let ask = |key: &'static str, kind, value: Option<Arc<str>>| {
        let name = Arc::from(name_of(at, key));
        let subject = Some(Arc::from((at + 1).to_string()));
        let field = FieldView::about(name, key, subject, kind).optional();
        let field = if key == "control" { field.choose(OwnerControl::ALL.map(OwnerControl::name)) } else { field };
        let values: Vec<_> = value.into_iter().collect();
        FieldView { suggestion: values.clone(), values, ..field }
    };
    let born = owner.and_then(|owner| match &owner.identity {
        OwnerIdentity::Born { date, country } => Some((Arc::from(date.to_string()), Arc::clone(country))),
        OwnerIdentity::Ssn(_) => None,
    });
    let (date, country) = born.unzip();
    let ssn = owner.and_then(|owner| owner.identity.ssn());
    let share = owner.and_then(|owner| owner.share);
    vec![
        ask("fullName", FieldKind::Text { max: MAX_NAME }, owner.map(|owner| Arc::clone(&owner.name))),
        ask("ssn", FieldKind::PersonalNumber, ssn.map(|ssn| Arc::from(ssn.to_string()))),
        ask("birthDate", FieldKind::Date, date),
        ask("country", FieldKind::Countries, country),
        ask("share", FieldKind::Percent, share.map(|share| Arc::from(share.to_string()))),
        ask("control", FieldKind::Choice, owner.map(|owner| Arc::from(owner.control.name()))),
    ]
}

/// One row as it was filled in.
struct OwnerRow<'a> {
    at: usize,
    answers: &'a Answers,
}

impl<'a> OwnerRow<'a> {
    fn all(answers: &'a Answers) -> impl Iterator<Item = Self> {
        (0..OWNERS).map(move |at| Self { at, answers })
    }

    fn one(&self, key: &str) -> Option<&'a str> {
        self.answers.one(&name_of(self.at, key))
    }

    fn ssn(&self) -> Option<PersonalNumber> {
        self.one("ssn").and_then(|text| PersonalNumber::parse(text).ok())
    }

    fn share(&self) -> Option<Percent> {
        self.one("share").and_then(|text| Percent::parse(text).ok())
    }

    fn control(&self) -> Option<OwnerControl> {
        let word = self.one("control")?;
        OwnerControl::ALL.into_iter().find(|control| control.name() == word)
    }

    /// The owner, once the row was found to be right.
    fn owner(&self) -> Option<BeneficialOwner> {
        let name = Arc::from(self.one("fullName")?);
        let identity = match self.ssn() {
            Some(ssn) => OwnerIdentity::Ssn(ssn),
            None => OwnerIdentity::Born {
                date: parse_date(self.one("birthDate")?).ok()?,
                country: Arc::from(self.one("country")?),
            },
        };
        Some(BeneficialOwner { name, identity, share: self.share(), control: self.control()? })
    }

    fn problem(&self, key: &str, fault: Fault) -> Problem {
        Problem::new(name_of(self.at, key), fault)
    }

    /// The problems of a row that names a person.
    fn problems(&self, form: &Form<'_>) -> Vec<Problem> {
        let mut found = self.identity_problems(form);
        let least = Percent::parse("25").expect("a share");
        let control = self.control();
        match self.share() {
            Some(share) if share > Percent::WHOLE => {
                found.push(self.problem("share", Fault::Invalid { because: "it is more than 100 %" }));
            }
            Some(share) if share <= least && control.is_some_and(OwnerControl::needs_share) => {
                found.push(self.problem("share", Fault::Invalid { because: "more than 25 % is expected" }));
            }
            None if control.is_some_and(OwnerControl::needs_share) => {
                found.push(self.problem("share", Fault::Missing));
            }
            _ => {}
        }
        if control.is_none() {
            found.push(self.problem("control", Fault::Missing));
        }
        found
    }

    fn identity_problems(&self, form: &Form<'_>) -> Vec<Problem> {
        if let Some(ssn) = self.ssn() {
            let before = OwnerRow::all(self.answers).take(self.at).filter(|row| row.one("fullName").is_some());
            let twice = before.filter_map(|row| row.ssn()).any(|other| other == ssn);
            return if twice { vec![self.problem("ssn", Fault::Duplicate)] } else { Vec::new() };
        }
        let countries = self.answers.many(&name_of(self.at, "country")).len();
        let date = self.one("birthDate").and_then(|text| parse_date(text).ok());
        let mut found = Vec::new();
        match date {
            None if countries == 0 => return vec![self.problem("ssn", Fault::Missing)],
            None => found.push(self.problem("birthDate", Fault::Missing)),
            Some(date) if date > form.world.now.local_date() => {
                found.push(self.problem("birthDate", Fault::Invalid { because: "a day that has been is expected" }));
            }
            Some(_) => {}
        }
        match countries {
            0 => found.push(self.problem("country", Fault::Missing)),
            1 => {}
            _ => found.push(self.problem("country", Fault::TooMany { max: 1 })),
        }
        found
    }
}

/// Whether the form showed a person in that row.
fn was_filled(form: &Form<'_>, at: usize) -> bool {
    match form.progress.of(JourneyStep::BeneficialOwners) {
        Some(before) => before.one(&name_of(at, "fullName")).is_some(),
        None => at < expected_owners(form).len(),
    }
}

/// Rules between the fields of the step `beneficialOwners`.
pub(crate) fn owner_problems(form: &Form<'_>, taken: &Answers) -> Vec<Problem> {
    if taken.one("none") == Some(YES) {
        return Vec::new();
    }
    let mut problems = Vec::new();
    let (mut count, mut sum) = (0, Percent::ZERO);
    for row in OwnerRow::all(taken) {
        if row.one("fullName").is_none() {
            // Clearing a shown name leaves that person out.
            let typed = ["ssn", "birthDate", "country", "share"].iter().any(|key| row.one(key).is_some());
            if typed && !was_filled(form, row.at) {
                problems.push(row.problem("fullName", Fault::Missing));
            }
            continue;
        }
        count += 1;
        problems.extend(row.problems(form));
        let owns = row.control() == Some(OwnerControl::Shares);
        sum += row.share().filter(|_| owns).unwrap_or(Percent::ZERO);
        if sum > Percent::WHOLE {
            problems.push(row.problem("share", Fault::Invalid { because: "the shares are more than 100 % together" }));
        }
    }
    if count == 0 && problems.is_empty() {
        let because = "an owner is to be named, or `none` to be answered with yes";
        problems.push(Problem::new("none", Fault::Invalid { because }));
    }
    problems
}

/// Takes out what is not kept: rows without a name, all rows where nobody owns the company, birth dates and countries of
/// people with a number.
pub(crate) fn drop_moot(taken: &mut Answers) {
    let nobody = taken.one("none") == Some(YES);
    let moot: Vec<String> = OwnerRow::all(taken)
        .flat_map(|row| {
            let whole = nobody || row.one("fullName").is_none();
            let keys: &[&str] = match (whole, row.ssn()) {
                (true, _) => &["fullName", "ssn", "birthDate", "country", "share", "control"],
                (false, Some(_)) => &["birthDate", "country"],
                (false, None) => &[],
            };
            keys.iter().map(move |key| name_of(row.at, key)).collect::<Vec<_>>()
        })
        .collect();
    taken.0.retain(|(name, _)| !moot.iter().any(|moot| **moot == **name));
}

/// The beneficial owners, with their rows: as answered, or as they are expected.
fn owners(form: &Form<'_>) -> Vec<(usize, BeneficialOwner)> {
    match form.progress.of(JourneyStep::BeneficialOwners) {
        Some(answers) => OwnerRow::all(answers).filter_map(|row| Some((row.at, row.owner()?))).collect(),
        None => expected_owners(form).into_iter().enumerate().collect(),
    }
}

/// Everybody whom the questions about public offices are about, nobody twice.
pub(crate) fn people(form: &Form<'_>) -> Vec<KnownPerson> {
    let board = known(form).map_or_else(Vec::new, |known| known.board);
    let mut people: Vec<_> =
        board.into_iter().map(|member| KnownPerson { name: member.name, ssn: Some(member.ssn), row: 0 }).collect();
    for (row, owner) in owners(form) {
        let ssn = owner.identity.ssn();
        if ssn.is_none() || people.iter().all(|known| known.ssn != ssn) {
            people.push(KnownPerson { name: owner.name, ssn, row });
        }
    }
    people
}

/// What the journey has established; none where it is about no company.
pub(crate) fn record(form: &Form<'_>) -> Option<Company> {
    if !form.is_of_a_company() {
        return None;
    }
    let Known { extract, name, signing, signatories, board } = known(form)?;
    let asked = people(form);
    let prefilled = form.configuration().kycs.iter().flatten().find(|answer| answer.qid.as_ref() == "pep");
    let all = prefilled.map(|answer| answer.answer.iter().any(|text| text.as_ref() == YES));
    let pep = asked.into_iter().map(|person| {
        let exposed = all.unwrap_or_else(|| person.is_exposed(form));
        PepAnswer { name: person.name, ssn: person.ssn, exposed }
    });
    Some(Company {
        extract,
        name,
        board,
        signing,
        signatories,
        owners: owners(form).into_iter().map(|(_, owner)| owner).collect(),
        pep: pep.collect(),
        confirmed: form.world.now,
    })
}
