//! Whether what a person filled in can be taken, in which form it is kept, and the step that the journey is then at.
//!
//! Invariant: accepted answers name every field of their step that has a value, fixed ones too, each in its normal form;
//! so what follows never looks at the configuration again. Pure. Absent on purpose: the fixed outcomes of persons.

use super::field_view::{FieldKind, FieldView, NO, YES};
use super::form::Form;
use super::{fields, fields_company, fields_money, fields_transfer, texts};
use crate::identity::{Iban, OrganisationNumber, PersonalNumber, is_country};
use crate::money::{Amount, NumberFault, Percent};
use crate::records::{Answers, JourneyStep};
use crate::refusal::{Fault, Problem};
use crate::register::{self, RegisterOutcome};
use crate::time::parse_date;
use std::sync::Arc;

/// Most texts of a field that takes several.
const MAX_TEXTS: usize = 250;
/// Most signatories, and most countries.
const MAX_PEOPLE: usize = 20;

/// The journey's present step: the first whose answers are missing or no longer hold. `Signing` comes last.
pub(crate) fn current(form: &Form<'_>) -> JourneyStep {
    let holds =
        |step: &JourneyStep| form.progress.of(*step).is_some_and(|given| check(form, *step, given, false).is_ok());
    let first = form.steps().into_iter().find(|step| *step == JourneyStep::Signing || !holds(step));
    first.expect("every journey is signed")
}

/// Checks the answers of a step; `fresh` ones may name no field that the step does not have.
pub(crate) fn check(form: &Form<'_>, step: JourneyStep, given: &Answers, fresh: bool) -> Result<Answers, Vec<Problem>> {
    check_fields(form, step, &fields::of(form, step), given, fresh)
}

/// As `check`, with the step's fields at hand.
pub(crate) fn check_fields(
    form: &Form<'_>,
    step: JourneyStep,
    fields: &[FieldView],
    given: &Answers,
    fresh: bool,
) -> Result<Answers, Vec<Problem>> {
    let mut problems = Vec::new();
    if fresh {
        let known = |name: &Arc<str>| fields.iter().any(|field| field.name == *name);
        let unknown = given.0.iter().filter(|(name, _)| !known(name));
        problems.extend(unknown.map(|(name, _)| Problem::new(shortened(name), Fault::NotFound)));
    }
    let mut taken = Answers::default();
    for field in fields {
        match take(field, given.many(&field.name)) {
            Ok(values) if values.is_empty() => {}
            Ok(values) => taken.0.push((Arc::clone(&field.name), values)),
            Err(fault) => problems.push(Problem::new(field.name.to_string(), fault)),
        }
    }
    if problems.is_empty() {
        problems = rules(form, step, &taken);
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    if step == JourneyStep::BankAccount {
        let moot = fields_money::moot_of_bank_account(form, &taken);
        taken.0.retain(|(name, _)| !moot.contains(&&**name));
    }
    if step == JourneyStep::BeneficialOwners {
        fields_company::drop_moot(&mut taken);
    }
    Ok(taken)
}

fn shortened(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(80).collect()
}

/// Rules between the fields of a step.
fn rules(form: &Form<'_>, step: JourneyStep, taken: &Answers) -> Vec<Problem> {
    match step {
        JourneyStep::Transfer => fields_transfer::problems(form, taken),
        JourneyStep::BankAccount => fields_money::bank_account_problems(form, taken),
        JourneyStep::AllocationPlan => fields_money::allocation_plan_problems(form, taken),
        JourneyStep::SavingsPlan => fields_money::savings_plan_problems(form, taken),
        JourneyStep::Agreement if taken.one("accept") != Some(YES) => {
            vec![Problem::new("accept", Fault::Invalid { because: "the agreements must be accepted" })]
        }
        JourneyStep::AccountDetails => company_problems(form, taken),
        JourneyStep::Company if taken.one("confirmed") != Some(YES) => {
            vec![Problem::new("confirmed", Fault::Invalid { because: "what the register says must be confirmed" })]
        }
        JourneyStep::BeneficialOwners => fields_company::owner_problems(form, taken),
        _ => Vec::new(),
    }
}

fn company_problems(form: &Form<'_>, taken: &Answers) -> Vec<Problem> {
    let Some(crn) = taken.one("crn").and_then(|text| OrganisationNumber::parse(text).ok()) else { return Vec::new() };
    if form.world.setup.settings.strict_identifiers && !crn.luhn_ok() {
        return vec![Problem::new("crn", Fault::Invalid { because: "its check digit is wrong" })];
    }
    if register::outcome(crn) == RegisterOutcome::NotFound {
        return vec![Problem::new("crn", Fault::Invalid { because: "the company register does not have it" })];
    }
    let signer = form.signer();
    let known = form.given_submission().map(|submission| &submission.entity.signatories);
    match (known, signer) {
        (Some(signatories), Some(signer)) if !signatories.iter().any(|one| one.ssn == signer) => {
            let because = "the person who signs is not among them";
            vec![Problem::new("signatories", Fault::Invalid { because })]
        }
        _ => Vec::new(),
    }
}

/// The normal form of a field's texts.
fn take(field: &FieldView, given: &[Arc<str>]) -> Result<Vec<Arc<str>>, Fault> {
    let filled: Vec<&str> = given.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    if field.read_only {
        return take_fixed(field, &filled);
    }
    let several = match field.kind {
        FieldKind::Choices => Some(MAX_TEXTS),
        FieldKind::PersonalNumbers | FieldKind::Countries => Some(MAX_PEOPLE),
        _ => None,
    };
    if filled.is_empty() {
        return match field.kind {
            FieldKind::Flag if !field.required => Ok(vec![Arc::from(NO)]),
            _ if field.required => Err(Fault::Missing),
            _ => Ok(Vec::new()),
        };
    }
    let Some(max) = several else {
        return match filled.as_slice() {
            [one] => Ok(vec![normal(field, one)?]),
            // A form sends an unchecked and a checked box under one name; the last one counts.
            [.., last] if field.kind == FieldKind::Flag => Ok(vec![normal(field, last)?]),
            _ => Err(Fault::TooMany { max: 1 }),
        };
    };
    if filled.len() > max {
        return Err(Fault::TooMany { max });
    }
    let mut values: Vec<Arc<str>> = Vec::new();
    for text in filled.iter().flat_map(|text| separated(field.kind, text)) {
        let value = normal(field, text)?;
        if !values.contains(&value) {
            values.push(value);
        }
    }
    Ok(values)
}

/// People write several numbers or countries into one line.
fn separated(kind: FieldKind, text: &str) -> Vec<&str> {
    match kind {
        FieldKind::PersonalNumbers | FieldKind::Countries => {
            text.split([',', ';', ' ', '\n', '\r', '\t']).filter(|part| !part.is_empty()).collect()
        }
        _ => vec![text],
    }
}

/// A fixed field may be left out or repeated as it is.
fn take_fixed(field: &FieldView, filled: &[&str]) -> Result<Vec<Arc<str>>, Fault> {
    let plain = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let mut given: Vec<String> = filled.iter().map(|text| plain(text)).collect();
    let mut fixed: Vec<String> = field.values.iter().map(|text| plain(text)).collect();
    given.sort_unstable();
    given.dedup();
    fixed.sort_unstable();
    fixed.dedup();
    let same = given.is_empty() || given == fixed || (fixed.len() == 1 && normal_equal(field, filled));
    if same { Ok(field.values.clone()) } else { Err(Fault::ReadOnly) }
}

fn normal_equal(field: &FieldView, filled: &[&str]) -> bool {
    matches!(filled, [one] if normal(field, one).is_ok_and(|value| Some(&value) == field.values.first()))
}

/// One text in normal form.
fn normal(field: &FieldView, text: &str) -> Result<Arc<str>, Fault> {
    let offered = |text: &str| field.choices.iter().find(|choice| choice.value.as_ref() == text);
    let invalid = |because| Fault::Invalid { because };
    let bare = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect() };
    match field.kind {
        FieldKind::Text { max } => texts::shown(text, max).map_or_else(|| Ok(Arc::from(text)), Err),
        FieldKind::Choice | FieldKind::Choices => {
            offered(text).map(|choice| Arc::clone(&choice.value)).ok_or(Fault::NotAChoice)
        }
        FieldKind::Flag => match text.to_ascii_lowercase().as_str() {
            YES | "true" | "on" => Ok(Arc::from(YES)),
            NO | "false" | "off" => Ok(Arc::from(NO)),
            _ => Err(invalid("`yes` or `no` is expected")),
        },
        FieldKind::PersonalNumber | FieldKind::PersonalNumbers => match PersonalNumber::parse(&bare(text)) {
            Ok(ssn) => Ok(Arc::from(ssn.to_string())),
            Err(_) => Err(invalid("a valid personal number of twelve digits is expected")),
        },
        FieldKind::OrganisationNumber => match OrganisationNumber::parse(&bare(text)) {
            Ok(crn) => Ok(Arc::from(crn.to_string())),
            Err(_) => Err(invalid("an organisation number of ten digits is expected")),
        },
        FieldKind::Email => texts::email(text).map_or_else(|| Ok(Arc::from(text)), Err),
        FieldKind::Iban => match Iban::parse(&bare(text).to_ascii_uppercase()) {
            Ok(iban) if iban.country() == "SE" => Ok(Arc::from(iban.to_string())),
            Ok(_) => Err(invalid("a Swedish bank account is expected")),
            Err(_) => Err(invalid("a valid IBAN is expected")),
        },
        FieldKind::Amount => number(text, |text| Amount::parse(text).map(|amount| amount.to_string())),
        FieldKind::Percent => number(text, |text| Percent::parse(text).map(|percent| percent.to_string())),
        FieldKind::Day => match text.parse::<u8>() {
            Ok(day @ 1..=28) => Ok(Arc::from(day.to_string())),
            _ => Err(invalid("a day from 1 to 28 is expected")),
        },
        FieldKind::Date => match parse_date(text) {
            Ok(date) => Ok(Arc::from(date.to_string())),
            Err(_) => Err(invalid("a date as YYYY-MM-DD is expected")),
        },
        FieldKind::Countries => {
            let code = text.to_ascii_uppercase();
            if is_country(&code) { Ok(Arc::from(code)) } else { Err(invalid(texts::NO_COUNTRY)) }
        }
    }
}

/// A number as people write it: blanks between the thousands, a comma before the decimals.
fn number(text: &str, parse: impl Fn(&str) -> Result<String, NumberFault>) -> Result<Arc<str>, Fault> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| if c == ',' { '.' } else { c }).collect();
    match parse(&plain) {
        Ok(number) if number.starts_with('-') => Err(Fault::NotPositive),
        Ok(number) => Ok(Arc::from(number)),
        Err(NumberFault::TooManyDecimals { max }) => Err(Fault::TooManyDecimals { max }),
        Err(NumberFault::NotANumber) => Err(Fault::Invalid { because: "a number is expected" }),
        Err(NumberFault::TooLarge) => Err(Fault::Invalid { because: "it is too large" }),
    }
}

/// The answers of a step with sensible ones where none are given and none were given before. Shares and amounts are one
/// question over several fields: one answer is enough.
pub(crate) fn completed(fields: &[FieldView], given: Option<&Answers>) -> Answers {
    let given = given.cloned().unwrap_or_default();
    let divided = |field: &FieldView| matches!(field.key, "allocation" | "amount");
    let alike = |field: &FieldView, has: &dyn Fn(&FieldView) -> bool| {
        fields
            .iter()
            .any(|other| has(other) && (other.name == field.name || (divided(field) && other.key == field.key)))
    };
    let mut all = given.clone();
    for field in fields.iter().filter(|field| !field.read_only) {
        if alike(field, &|other| given.has(&other.name)) {
            continue;
        }
        let values = match alike(field, &|other| !other.values.is_empty()) {
            true => &field.values,
            false => &field.suggestion,
        };
        if !values.is_empty() {
            all.set(Arc::clone(&field.name), values.clone());
        }
    }
    all
}
