//! What one page shows of a step that asks much: a part of its questions, or the funds that are looked for.
//!
//! Owns: where long steps are cut, and how few of many funds stand on a page. Invariant: what was typed on one page goes
//! with its form to the next and is never lost; the world hears a step's answers all at once. Absent on purpose: memory of
//! its own, and whether an answer is right.

use sim::query::{FieldKind, FieldView, StepState, StepView};
use sim::records::JourneyStep;

use super::intake::Sent;

/// The field that says which part a form is.
pub const PART: &str = "_part";
/// The highest part that the customer has seen.
pub const SEEN: &str = "_seen";
/// What a button does beside going on.
pub const ACT: &str = "_act";
/// `ACT` that goes to the part before.
pub const ACT_BACK: &str = "back";
/// `ACT` that looks for funds.
pub const ACT_FIND: &str = "find";
/// Words that funds are looked for by.
pub const FIND: &str = "_find";
/// The words that the page was made for.
pub const FOUND: &str = "_found";

/// Questions that begin a further part of their step.
const CUTS: &[(JourneyStep, &[&str])] = &[(JourneyStep::Kyc, &["pep"])];
/// Questions that one page may ask; steps with more are cut.
const MOST_QUESTIONS: usize = 6;
/// Funds that one page shows beside those that are chosen.
const MOST_FUNDS: usize = 20;

/// What a page shows of a step.
pub struct Excerpt {
    /// The step with the fields of this page.
    pub view: StepView,
    /// Answers of the other parts, which go along.
    pub carried: Vec<(String, String)>,
    /// Which part it is, from 1, and of how many.
    pub part: (usize, usize),
    /// The highest part that has been seen.
    pub seen: usize,
    /// What was looked for, where there is much to choose from.
    pub search: Option<Search>,
    /// Whether its fields were never shown before.
    pub fresh: bool,
}

/// A search among funds.
pub struct Search {
    /// Words.
    pub words: String,
    /// How many are shown of those that fit.
    pub shown: usize,
    /// How many fit.
    pub fit: usize,
}

/// What a form asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// To see another part, or other funds; nothing is checked.
    Look(usize),
    /// To go on to this part, if the ones before it are right.
    Next(usize),
    /// To answer the step.
    Answer,
}

/// In how many parts a step is shown.
fn count(view: &StepView) -> usize {
    parts(view).map(|(part, _)| part).max().unwrap_or(1)
}

fn begins_part(step: JourneyStep, field: &FieldView) -> bool {
    CUTS.iter().any(|(of, keys)| *of == step && keys.contains(&field.key))
}

/// The part that each field stands in, from 1.
fn parts(view: &StepView) -> impl Iterator<Item = (usize, &FieldView)> {
    let is_cut = view.fields.iter().filter(|field| !field.read_only).count() > MOST_QUESTIONS;
    let mut part = 1;
    view.fields.iter().enumerate().map(move |(at, field)| {
        part += usize::from(is_cut && at > 0 && begins_part(view.step, field));
        (part, field)
    })
}

/// What a form of this step asks for.
#[must_use]
pub fn turn(view: &StepView, sent: &Sent) -> Turn {
    let of = count(view);
    // A form that does not say which part it is, brings all answers.
    let part = if sent.one(PART).is_empty() { of } else { number(sent.one(PART)).clamp(1, of) };
    let searches = sent.one(ACT).is_empty() && sent.one(FIND) != sent.one(FOUND);
    match sent.one(ACT) {
        ACT_BACK => Turn::Look(part.saturating_sub(1).max(1)),
        ACT_FIND => Turn::Look(part),
        _ if searches => Turn::Look(part),
        _ if part < of => Turn::Next(part + 1),
        _ => Turn::Answer,
    }
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or(1)
}

/// The first part before `part` in which something is wrong.
#[must_use]
pub fn first_wrong(view: &StepView, before: usize) -> Option<usize> {
    parts(view).filter(|(part, field)| *part < before && field.error.is_some()).map(|(part, _)| part).next()
}

/// What a page shows of a step: one part of it, with what a form has said so far.
#[must_use]
pub fn excerpt(view: &StepView, part: usize, sent: Option<&Sent>) -> Excerpt {
    let of = count(view);
    let part = part.clamp(1, of);
    let (mut shown, mut carried) = (Vec::new(), Vec::new());
    for (at, field) in parts(view) {
        if at == part {
            shown.push(field.clone());
        } else if !field.read_only {
            let texts = match sent {
                Some(sent) => sent.many(&field.name).map(str::to_owned).collect(),
                None => field.values.iter().map(ToString::to_string).collect::<Vec<_>>(),
            };
            carried.extend(texts.into_iter().map(|text| (field.name.to_string(), text)));
        }
    }
    let before = sent.map_or(0, |sent| number(sent.one(SEEN)));
    let answered =
        view.state != StepState::Current || view.fields.iter().any(|it| !it.read_only && !it.values.is_empty());
    let words = sent.map_or("", |sent| sent.one(FIND)).trim().to_owned();
    let (fields, search) = narrowed(shown, &words, sent);
    Excerpt {
        view: StepView { step: view.step, state: view.state, fields },
        carried,
        part: (part, of),
        seen: before.max(part),
        search,
        fresh: if sent.is_some() { before < part } else { !answered },
    }
}

/// Of many funds, those that are chosen, wrong or looked for.
fn narrowed(fields: Vec<FieldView>, words: &str, sent: Option<&Sent>) -> (Vec<FieldView>, Option<Search>) {
    let rows = fields.iter().filter(|field| is_row(field)).count();
    let most = fields.iter().map(|field| field.choices.len() * usize::from(field.kind == FieldKind::Choices)).max();
    if rows.max(most.unwrap_or(0)) <= MOST_FUNDS {
        return (fields, None);
    }
    let (mut shown, mut fit) = (0, 0);
    let mut take = |fits: bool, is_kept: bool| {
        let is_taken = is_kept || (fits && shown < MOST_FUNDS);
        fit += usize::from(fits);
        shown += usize::from(fits && is_taken);
        is_taken
    };
    let fields = fields.into_iter().filter_map(|mut field| {
        if is_row(&field) {
            let typed = sent.is_some_and(|sent| sent.many(&field.name).any(|text| !text.trim().is_empty()));
            let held = field.values.iter().any(|value| !value.trim().is_empty());
            let is_kept = field.read_only || field.error.is_some() || typed || held;
            let fits = is_like(words, &[field.subject.as_deref().unwrap_or_default(), &field.name]);
            return take(fits, is_kept).then_some(field);
        }
        if field.kind == FieldKind::Choices && field.choices.len() > MOST_FUNDS {
            let values = field.values.clone();
            field.choices.retain(|choice| {
                let fits = is_like(words, &[choice.label.as_deref().unwrap_or_default(), &choice.value]);
                take(fits, values.contains(&choice.value))
            });
        }
        Some(field)
    });
    let fields = fields.collect();
    (fields, Some(Search { words: words.to_owned(), shown, fit }))
}

/// One question about one of several funds.
fn is_row(field: &FieldView) -> bool {
    field.subject.is_some() && matches!(field.kind, FieldKind::Amount | FieldKind::Percent)
}

/// Whether each of the words stands in one of the texts, small letters or large.
fn is_like(words: &str, texts: &[&str]) -> bool {
    let texts: Vec<_> = texts.iter().map(|text| text.to_lowercase()).collect();
    words.to_lowercase().split_whitespace().all(|word| texts.iter().any(|text| text.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn field(name: &str, key: &'static str, subject: Option<&str>, kind: FieldKind) -> FieldView {
        FieldView {
            name: name.into(),
            key,
            subject: subject.map(Arc::from),
            kind,
            choices: Vec::new(),
            values: Vec::new(),
            read_only: false,
            required: true,
            suggestion: Vec::new(),
            error: None,
        }
    }

    fn kyc() -> StepView {
        let keys = ["purpose", "employment", "income", "pep", "usPerson", "fundKnowledge", "riskTolerance"];
        let fields = keys.map(|key| field(key, key, None, FieldKind::Choice));
        StepView { step: JourneyStep::Kyc, state: StepState::Current, fields: fields.into() }
    }

    fn names(excerpt: &Excerpt) -> Vec<&str> {
        excerpt.view.fields.iter().map(|field| &*field.name).collect()
    }

    #[test]
    fn a_long_step_is_cut_and_what_was_typed_goes_along() {
        let sent = Sent::read(b"_part=1&_seen=1&purpose=pension&income=over1000000").expect("a form");
        assert_eq!(turn(&kyc(), &sent), Turn::Next(2));
        let second = excerpt(&kyc(), 2, Some(&sent));
        assert_eq!((second.part, second.seen, second.fresh), ((2, 2), 2, true));
        assert_eq!(names(&second), ["pep", "usPerson", "fundKnowledge", "riskTolerance"]);
        let carried = [("purpose", "pension"), ("income", "over1000000")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(second.carried, carried);
        let rows = [
            (&b"_part=2&_act=back"[..], Turn::Look(1)),
            (b"_part=2", Turn::Answer),
            (b"_part=9", Turn::Answer),
            (b"", Turn::Answer),
            (b"_part=1&_act=back", Turn::Look(1)),
        ];
        let mut decided = kyc();
        decided.fields[0].read_only = true;
        assert_eq!((turn(&decided, &sent), excerpt(&decided, 2, None).part), (Turn::Answer, (1, 1)));
        for (form, expected) in rows {
            assert_eq!(turn(&kyc(), &Sent::read(form).expect("a form")), expected);
        }
    }

    #[test]
    fn of_many_funds_the_chosen_and_the_wanted_are_shown() {
        let row = |n: usize| {
            field(&format!("amount.SE{n:04}"), "amount", Some(&format!("Fund {n:04} Nord")), FieldKind::Amount)
        };
        let view = StepView {
            step: JourneyStep::SavingsPlan,
            state: StepState::Current,
            fields: (0..1000).map(row).collect(),
        };
        let first = excerpt(&view, 1, None);
        let search = first.search.as_ref().expect("a search");
        assert_eq!((first.view.fields.len(), search.shown, search.fit), (20, 20, 1000));
        let sent = Sent::read(b"amount.SE0500=100&_find=nord+0007&_found=&_part=1").expect("a form");
        assert_eq!(turn(&view, &sent), Turn::Look(1));
        let found = excerpt(&view, 1, Some(&sent));
        assert_eq!(names(&found), ["amount.SE0007", "amount.SE0500"]);
        assert_eq!(found.search.as_ref().map(|search| (search.shown, search.fit)), Some((1, 1)));
        let few = StepView { fields: (0..20).map(row).collect(), ..view };
        assert!(excerpt(&few, 1, None).search.is_none());
    }
}
