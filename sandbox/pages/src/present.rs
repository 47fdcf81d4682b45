//! From what a step asks to fields with words.
//!
//! Owns: which control suits which kind of field, and the label of everything. Invariant: names of fields and values go to
//! the form as the world writes them. Absent on purpose: markup, and whether an answer is right.

use sim::identity::Iban;
use sim::query::{self, FieldKind, FieldView, StepView};
use sim::records::{AccountType, JourneyStep};
use sim::refusal::Fault;

use super::controls::{Choice, Control, Field};
use super::intake::Sent;
use super::lang::Lang;
use super::templates::Section;
use super::words::faults::fault;
use super::words::{self, noun};
use drawing::pdf::in_fours;

/// More choices than this are a list to open instead of cards.
const MOST_CARDS: usize = 8;

/// Flags that are a box to tick; the others are a question with two answers.
const TICKS: &[&str] = &["skip", "selected", "mandate", "accept", "confirmed", "none"];
/// Questions whose sensible answer is filled in before the person comes: what is laborious to type, or right for most.
const FILLED: &[&str] = &["selected", "mandate", "iban", "crn", "accountNumber", "day", "startDate", "taxResidency"];

/// Questions that may be left out only together with the choice above them; "optional" would mislead.
const NEEDED: &[&str] = &["iban", "accountNumber"];

/// What is asked about each beneficial owner: "optional" would mislead, for an owner without any of it is refused.
const OF_AN_OWNER: &[&str] = &["fullName", "ssn", "birthDate", "country"];

/// The fields of a page, in groups by what they are about: `fresh` ones with the sensible answer, others with what was
/// typed, where they were sent.
#[must_use]
pub fn sections(lang: Lang, view: &StepView, sent: Option<&Sent>, fresh: bool) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for group in view.fields.chunk_by(|a, b| kindred(a) == kindred(b)) {
        let kindred = kindred(&group[0]);
        let fields = group.iter().map(|one| match sent {
            _ if fresh => filled(lang, one),
            Some(sent) if !one.read_only => typed(lang, one, sent),
            _ => field(lang, one),
        });
        let folded = is_blank_owner(view, group);
        let legend = match kindred {
            Kindred::Alone => None,
            Kindred::Subject(place) if view.step == JourneyStep::BeneficialOwners => {
                Some(words::OWNER_OF.fill(lang, &[("n", place)]))
            }
            Kindred::Subject(subject) => Some(subject.to_owned()),
            Kindred::Question(key) => Some(worded(lang, &[&format!("rows.{key}")], key)),
        };
        let rows = matches!(kindred, Kindred::Question(_));
        let fields: Vec<_> = fields.collect();
        // A field with typed text stays open.
        let folded = folded && !fields.iter().any(|field| field.values.iter().any(|value| !value.is_empty()));
        sections.push(Section { legend, fields, rows, folded });
    }
    sections
}

/// A place for a further owner that is empty and has no problem.
fn is_blank_owner(view: &StepView, group: &[FieldView]) -> bool {
    let is_blank = |field: &FieldView| field.error.is_none() && field.values.iter().all(|value| value.is_empty());
    view.step == JourneyStep::BeneficialOwners && group[0].subject.is_some() && group.iter().all(is_blank)
}

/// What makes neighbouring fields a group.
#[derive(PartialEq)]
enum Kindred<'a> {
    /// Each is on its own.
    Alone,
    /// Several questions about one thing.
    Subject(&'a str),
    /// One question about several things.
    Question(&'static str),
}

fn kindred(field: &FieldView) -> Kindred<'_> {
    match (&field.subject, field.key) {
        (None, _) => Kindred::Alone,
        (Some(_), "allocation" | "amount") => Kindred::Question(field.key),
        (Some(subject), _) => Kindred::Subject(subject),
    }
}

/// A field without an answer yet, with the sensible answer where that helps.
fn filled(lang: Lang, view: &FieldView) -> Field {
    let mut question = field(lang, view);
    if FILLED.contains(&view.key) && !view.read_only {
        question.values = shown(view.kind, &view.suggestion);
    }
    question
}

/// A field with what was typed, letter by letter.
#[must_use]
pub fn typed(lang: Lang, view: &FieldView, sent: &Sent) -> Field {
    let field = field(lang, view);
    let typed = sent.as_typed(view);
    if typed.is_empty() { field } else { Field { values: typed, as_typed: true, ..field } }
}

/// A field as it is shown where nothing can be changed: countries by their names.
#[must_use]
pub fn read_only_field(lang: Lang, view: &FieldView) -> Field {
    Field { values: read_only_values(lang, view.kind, &view.values), ..field(lang, view) }
}

/// One field.
#[must_use]
pub fn field(lang: Lang, view: &FieldView) -> Field {
    let FieldView { name, key, subject, kind, choices, values, read_only, required, suggestion: _, error } = view;
    let label = match (subject, kindred(view)) {
        (Some(subject), Kindred::Question(_)) => subject.to_string(),
        // About another person.
        (Some(_), _) => worded(lang, &[&format!("field.{key}.other"), &format!("field.{key}")], key),
        _ => worded(lang, &[&format!("field.{key}")], key),
    };
    Field {
        name: name.to_string(),
        label,
        hint: noun(&format!("hint.{key}")).map(|phrase| phrase.say(lang).to_owned()),
        control: control(lang, key, *kind, choices),
        values: if *read_only { read_only_values(lang, *kind, values) } else { shown(*kind, values) },
        locked: *read_only,
        required: *required || NEEDED.contains(key),
        // An owner is left out by leaving out the name; with a name, one of the others is needed.
        conditional: subject.is_some() && OF_AN_OWNER.contains(key),
        error: error.as_ref().map(|wrong| problem_text(lang, key, wrong, *kind)),
        as_typed: false,
        fund: None,
    }
}

/// What is wrong with an answer; some questions have their own words for a missing one.
fn problem_text(lang: Lang, key: &str, wrong: &Fault, kind: FieldKind) -> String {
    // A value that cannot be read is not missing.
    match (wrong, kind) {
        (Fault::Invalid { .. }, FieldKind::Amount) => return words::UNREADABLE_AMOUNT.say(lang).to_owned(),
        (Fault::Invalid { .. }, FieldKind::Percent) if key != "share" => {
            return words::UNREADABLE_SHARE.say(lang).to_owned();
        }
        _ => {}
    }
    let own = noun(&format!("problem.{key}")).filter(|_| matches!(wrong, Fault::Missing | Fault::Invalid { .. }));
    own.map_or_else(|| fault(lang, wrong, Some(kind)), |phrase| phrase.say(lang).to_owned())
}

/// The first wording there is for one of `keys`; `otherwise` as it is when there is none.
fn worded(lang: Lang, keys: &[&str], otherwise: &str) -> String {
    keys.iter().find_map(|key| noun(key)).map_or_else(|| otherwise.to_owned(), |phrase| phrase.say(lang).to_owned())
}

/// The values on a page where nothing can be changed: countries by their names.
fn read_only_values(lang: Lang, kind: FieldKind, values: &[std::sync::Arc<str>]) -> Vec<String> {
    match kind {
        FieldKind::Countries => {
            vec![values.iter().map(|code| words::countries::name(lang, code)).collect::<Vec<_>>().join(", ")]
        }
        _ => shown(kind, values),
    }
}

/// Several texts are shown on one line when they are written on one line.
fn shown(kind: FieldKind, values: &[std::sync::Arc<str>]) -> Vec<String> {
    match kind {
        FieldKind::Countries | FieldKind::PersonalNumbers => vec![values.join(", ")],
        FieldKind::Text { .. }
        | FieldKind::Choice
        | FieldKind::Choices
        | FieldKind::Flag
        | FieldKind::PersonalNumber
        | FieldKind::OrganisationNumber
        | FieldKind::Email
        | FieldKind::Iban
        | FieldKind::Amount
        | FieldKind::Percent
        | FieldKind::Day
        | FieldKind::Date => values.iter().map(ToString::to_string).collect(),
    }
}

fn control(lang: Lang, key: &str, kind: FieldKind, choices: &[query::Choice]) -> Control {
    let text = |keys, purpose| Control::Text { keys, purpose };
    match kind {
        FieldKind::Text { .. } => text("text", "off"),
        FieldKind::PersonalNumber | FieldKind::PersonalNumbers | FieldKind::OrganisationNumber => {
            text("numeric", "off")
        }
        FieldKind::Email => text("email", "email"),
        FieldKind::Iban | FieldKind::Date | FieldKind::Countries => text("text", "off"),
        FieldKind::Amount => Control::Number { unit: words::KRONOR.say(lang) },
        FieldKind::Percent => Control::Number { unit: words::SHARE_UNIT.say(lang) },
        FieldKind::Day => Control::List((1..=28).map(|day: u8| plain(day.to_string())).collect()),
        FieldKind::Flag if TICKS.contains(&key) => Control::Tick,
        FieldKind::Flag => Control::One(
            [("yes", &words::YES), ("no", &words::NO)]
                .map(|(value, wording)| labelled(value, wording.say(lang)))
                .into(),
        ),
        FieldKind::Choices => Control::Many(choices.iter().map(|one| choice(lang, key, one)).collect()),
        FieldKind::Choice => {
            let choices: Vec<_> = choices.iter().map(|one| choice(lang, key, one)).collect();
            if choices.len() > MOST_CARDS { Control::List(choices) } else { Control::One(choices) }
        }
    }
}

/// The word of a kind of account.
#[must_use]
pub const fn account_type(kind: AccountType) -> &'static str {
    match kind {
        AccountType::Isk => "isk",
        AccountType::Depot => "depot",
        AccountType::Insurance => "insurance",
    }
}

/// Questions that share their answers.
fn family(key: &str) -> &str {
    match key {
        "sourceAccountType" => "accountType",
        "untransferableUnitsOutput" | "defaultUnitsOutput" => "output",
        _ => "value",
    }
}

fn choice(lang: Lang, key: &str, choice: &query::Choice) -> Choice {
    let query::Choice { value, label } = choice;
    let keys = [format!("{key}.{value}"), format!("{}.{value}", family(key))];
    let keys = keys.each_ref().map(String::as_str);
    let wording = label.as_ref().map_or_else(|| worded(lang, &keys, value), |label| with_iban(label));
    let note = noun(&format!("note.{key}.{value}")).map(|phrase| phrase.say(lang).to_owned());
    Choice { value: value.to_string(), label: wording, note }
}

/// A label whose last word is an IBAN has it as it is printed, so that it fits and is read.
fn with_iban(label: &str) -> String {
    let (before, last) = label.rsplit_once(' ').map_or(("", label), |(before, last)| (before, last));
    match Iban::parse(last) {
        Ok(_) => format!("{before} {}", in_fours(last)).trim_start().to_owned(),
        Err(_) => label.to_owned(),
    }
}

fn plain(value: String) -> Choice {
    Choice { label: value.clone(), value, note: None }
}

fn labelled(value: &str, label: &str) -> Choice {
    Choice { value: value.to_owned(), label: label.to_owned(), note: None }
}
