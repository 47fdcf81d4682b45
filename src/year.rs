//! A year of one customer: a story that the program carries with it, played and drawn.
//!
//! Invariant: the same bytes every time. Absent on purpose: how the story is carried out, and how an account is drawn.

use language::diagnostic::Source;
use language::parse::{OnDisk, parse};
use runner::drivers::Choice;
use runner::{Extras, play};

/// The story, as it is beside the others.
const STORY: &str = include_str!("../scenarios/performance/a-year-of-one-customer.yaml");

/// The picture of the story's account.
pub(crate) fn picture() -> String {
    let source = Source::new("a-year-of-one-customer.yaml", STORY.to_owned());
    let scenario = parse(&source, &OnDisk).unwrap_or_else(|_| unreachable!("the story is checked with all the others"));
    let mut runs = play(&scenario, &Choice::InProcess, scenario.seed(), Extras { pictures: true, ..Extras::default() })
        .expect("the story needs nothing but memory");
    let pictures = runs.pop().map(|run| run.pictures).unwrap_or_default();
    pictures.into_iter().map(|(_, picture)| picture).next().expect("the story names its account")
}
