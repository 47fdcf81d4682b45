//! What one page shows of a step that asks much: a part of its questions, or the funds that are looked for.
//!
//! Owns: where long steps are cut, and how many funds are on a page. Invariant: what was typed on one page goes
//! with its form to the next and is never lost; the world receives a step's answers all at once. Absent on purpose: memory of
//! its own, and whether an answer is right.

use std::collections::BTreeSet;
use std::sync::Arc;

use sim::query::{FieldKind, FieldView, StepState, StepView};
use sim::records::JourneyStep;

use super::intake::Sent;

/// The field that says which part a form is.
pub const PART: &str = "_part";
/// The highest part that the customer has seen.
pub const SEEN: &str = "_seen";
/// What a button does other than continuing.
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
const CUTS: &[(JourneyStep, &[&str])] = &[(JourneyStep::Kyc, &["pep", "crsClassification"])];
/// Questions that one page may ask; steps with more are cut.
const MOST_QUESTIONS: usize = 6;
/// Funds that one page shows beside those that are chosen.
const MOST_FUNDS: usize = 20;

/// Bytes that rows of funds may take of a page; their names may be long.
const ROWS_BYTES: usize = 13_000;
/// Accounts that one page asks about; steps with more are cut.
const MOST_SUBJECTS: usize = 3;

/// Hidden answers of the other parts.
type Carried = Vec<(String, String)>;

/// The part of a step that one page shows.
pub struct StepPart {
    /// The step with the fields of this page.
    pub view: StepView,
    /// Answers of the other parts, which go along.
    pub carried: Carried,
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
    /// To show this part next, if the ones before it are right.
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

/// The part that each field is in, from 1.
fn parts(view: &StepView) -> impl Iterator<Item = (usize, &FieldView)> {
    let is_cut = view.fields.iter().filter(|field| !field.read_only).count() > MOST_QUESTIONS;
    let (mut part, mut subjects, mut last) = (1, 0, None);
    view.fields.iter().enumerate().map(move |(at, field)| {
        // Of one question about several people, the first begins it.
        let continues = at > 0 && view.fields[at - 1].key == field.key;
        part += usize::from(is_cut && at > 0 && !continues && begins_part(view.step, field));
        if view.step == JourneyStep::Transfer && field.subject != last {
            last.clone_from(&field.subject);
            subjects += 1;
            part += usize::from(subjects > MOST_SUBJECTS && subjects % MOST_SUBJECTS == 1);
        }
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

/// What a page shows of a step: one part of it, with what a form has answered so far.
#[must_use]
pub fn excerpt(view: &StepView, part: usize, sent: Option<&Sent>) -> StepPart {
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
    let (fields, search) = narrowed(shown, &words, sent, &mut carried);
    StepPart {
        view: StepView { step: view.step, state: view.state, fields },
        carried,
        part: (part, of),
        seen: before.max(part),
        search,
        fresh: if sent.is_some() { before < part } else { !answered },
    }
}

/// Of many funds, those that are wrong, chosen or looked for, as far as a page holds them; what is filled in beside these goes along.
fn narrowed(
    fields: Vec<FieldView>,
    words: &str,
    sent: Option<&Sent>,
    carried: &mut Carried,
) -> (Vec<FieldView>, Option<Search>) {
    let rows: Vec<&FieldView> = fields.iter().filter(|field| is_row(field)).collect();
    let most = fields.iter().map(|field| field.choices.len() * usize::from(field.kind == FieldKind::Choices)).max();
    let bytes: usize = rows.iter().map(|row| row_bytes(row)).sum();
    if rows.len().max(most.unwrap_or(0)) <= MOST_FUNDS && bytes <= ROWS_BYTES {
        return (fields, None);
    }
    let (kept, mut shown, mut fit) = rows_of_page(&rows, words, sent);
    let mut narrowed = Vec::new();
    for mut field in fields {
        if is_row(&field) {
            if !kept.contains(&field.name) {
                carried.extend(filled(&field, sent).into_iter().map(|text| (field.name.to_string(), text)));
                continue;
            }
        } else if field.kind == FieldKind::Choices && field.choices.len() > MOST_FUNDS {
            let values = field.values.clone();
            field.choices.retain(|choice| {
                let fits = is_like(words, &[choice.label.as_deref().unwrap_or_default(), &choice.value]);
                let is_taken = values.contains(&choice.value) || (fits && shown < MOST_FUNDS);
                fit += usize::from(fits);
                shown += usize::from(fits && is_taken);
                is_taken
            });
        }
        narrowed.push(field);
    }
    (narrowed, Some(Search { words: words.to_owned(), shown, fit }))
}

/// The rows that a page shows, by name; how many of them fit the words, and how many of all.
fn rows_of_page(rows: &[&FieldView], words: &str, sent: Option<&Sent>) -> (BTreeSet<Arc<str>>, usize, usize) {
    let fits = |row: &FieldView| is_like(words, &[row.subject.as_deref().unwrap_or_default(), &row.name]);
    let is_kept = |row: &FieldView| !filled(row, sent).is_empty();
    let must = |row: &FieldView| row.read_only || row.error.is_some();
    // What is looked for comes before what is filled in; without words, it is the other way round.
    let rank = |row: &FieldView| match (must(row), is_kept(row), fits(row)) {
        (true, ..) => Some(0),
        (_, _, true) if !words.is_empty() => Some(1),
        (_, true, _) => Some(2),
        (_, _, true) => Some(3),
        _ => None,
    };
    let mut ranked: Vec<_> = rows.iter().filter_map(|row| Some((rank(row)?, *row))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let (mut kept, mut shown, mut bytes) = (BTreeSet::new(), 0, 0);
    for (_, row) in ranked {
        let has_room = bytes + row_bytes(row) <= ROWS_BYTES && (is_kept(row) || shown < MOST_FUNDS);
        if must(row) || has_room {
            bytes += row_bytes(row);
            shown += usize::from(fits(row));
            kept.insert(Arc::clone(&row.name));
        }
    }
    (kept, shown, rows.iter().filter(|row| fits(row)).count())
}

/// What was typed, or is known.
fn filled(field: &FieldView, sent: Option<&Sent>) -> Vec<String> {
    let texts: Vec<String> = match sent {
        Some(sent) => sent.many(&field.name).map(str::to_owned).collect(),
        None => field.values.iter().map(ToString::to_string).collect(),
    };
    texts.into_iter().filter(|text| !text.trim().is_empty()).collect()
}

/// About what a row takes of a page.
fn row_bytes(field: &FieldView) -> usize {
    560 + 2 * field.subject.as_deref().map_or(0, str::len)
}

/// One question about one of several funds.
fn is_row(field: &FieldView) -> bool {
    field.subject.is_some() && matches!(field.key, "allocation" | "amount")
}

/// Whether each of the words is in one of the texts, in any case.
fn is_like(words: &str, texts: &[&str]) -> bool {
    let texts: Vec<_> = texts.iter().map(|text| text.to_lowercase()).collect();
    words.to_lowercase().split_whitespace().all(|word| texts.iter().any(|text| text.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn names(excerpt: &StepPart) -> Vec<&str> {
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
            fields: (0..1000).map(&row).collect(),
        };
        let first = excerpt(&view, 1, None);
        let search = first.search.as_ref().expect("a search");
        assert_eq!((first.view.fields.len(), search.shown, search.fit), (20, 20, 1000));
        let sent = Sent::read(b"amount.SE0500=100&_find=nord+0007&_found=&_part=1").expect("a form");
        assert_eq!(turn(&view, &sent), Turn::Look(1));
        let found = excerpt(&view, 1, Some(&sent));
        assert_eq!(names(&found), ["amount.SE0007", "amount.SE0500"]);
        assert_eq!(found.search.as_ref().map(|search| (search.shown, search.fit)), Some((1, 1)));
        // Names as long as people make them, and dozens filled in: as many as a page holds, and the rest goes along.
        let long =
            |n: usize| field(&format!("amount.SE{n:04}"), "amount", Some(&"Nord ".repeat(30)), FieldKind::Amount);
        let view = StepView { fields: (0..1000).map(long).collect(), ..view };
        let form = (0..60).map(|n| format!("amount.SE{n:04}=100")).collect::<Vec<_>>().join("&");
        let sent = Sent::read(form.as_bytes()).expect("a form");
        let many = excerpt(&view, 1, Some(&sent));
        assert_eq!((many.view.fields.len(), many.carried.len()), (15, 45));
        let few = StepView { fields: (0..20).map(&row).collect(), ..view };
        assert!(excerpt(&few, 1, None).search.is_none());
    }

    #[test]
    fn a_page_asks_about_three_accounts_that_move() {
        let about =
            |n: usize| field(&format!("{n}.selected"), "selected", Some(&format!("Account {n}")), FieldKind::Flag);
        let view =
            StepView { step: JourneyStep::Transfer, state: StepState::Current, fields: (0..7).map(about).collect() };
        let counts: Vec<_> = (1..=3).map(|part| excerpt(&view, part, None).view.fields.len()).collect();
        assert_eq!((counts, excerpt(&view, 1, None).part), (vec![3, 3, 1], (1, 3)));
    }
}
