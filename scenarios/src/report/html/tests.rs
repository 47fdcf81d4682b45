//! The page of stories that were really played.

use super::*;
use crate::diagnostic::Source;
use crate::drivers::Choice;
use crate::parse::{OnDisk, parse};
use crate::runner::suite::{self, Options, StoryFile};
use std::collections::BTreeMap;
use std::path::Path;

const GOOD: &str = "scenario: '<b>Good</b> & well'
world: { seed: 42, start: 2026-03-02T08:00:00+01:00 }
given:
  - open account: { as: anna, cash: 10000 }
steps:
  - subscribe: { as: order, account: anna, instrument: SE0SBX000016SEK, amount: 1000 }
  - advance: to settlement of order
  - expect order {order}: { status: settled }
";

fn played(text: &str) -> FileResult {
    let path = Path::new("a story.yaml");
    let scenario = parse(&Source::new("a story.yaml", text), &OnDisk).expect("it is a story");
    suite::play_file(&StoryFile { path: path.to_owned(), scenario }, &Options::new(Choice::InProcess))
}

/// What stands in `attribute` of the page, in its order.
fn all<'p>(page: &'p str, attribute: &str) -> Vec<&'p str> {
    page.split(&format!("{attribute}=\"")).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_mark_leads_to_a_line_of_its_own_transcript() {
    let results = [played(GOOD), played(&GOOD.replace("status: settled }", "status: sent }"))];
    assert!(matches!(&results[..], [good, bad] if word(&good.outcome) == "passed" && word(&bad.outcome) == "failed"));
    let page = page(&results, None);
    let ids: Vec<_> = all(&page, " id");
    let links: Vec<_> = all(&page, " href").into_iter().filter_map(|link| link.strip_prefix('#')).collect();
    assert!(links.len() > 20, "{} links", links.len());
    assert!(links.iter().all(|link| ids.contains(link)), "{links:?} lead to {ids:?}");
    let mut once = BTreeMap::<&str, usize>::new();
    ids.iter().for_each(|id| *once.entry(id).or_default() += 1);
    assert!(once.values().all(|count| *count == 1), "{once:?}");
}

#[test]
fn failures_come_first_and_states_are_told_in_words_and_drawn() {
    let results = [played(GOOD), played(&GOOD.replace("status: settled }", "status: sent }").replace("well", "ill"))];
    let page = page(&results, None);
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is not on the page"));
    assert!(place("&amp; ill</span>") < place("&amp; well</span>"));
    assert!(!page.contains("<b>Good"));
    place("subscription order: received, pending, sent, settled");
    place("it failed here");
    for state in ["received", "pending", "sent", "settled"] {
        place(&format!("<title>subscription order: {state}</title>"));
    }
}

#[test]
fn the_policy_names_the_script_that_stands_on_the_page() {
    let page = page(&[], None);
    let script = page.split("<script>").nth(1).and_then(|rest| rest.split("</script>").next()).expect("a script");
    let hash = BASE64_STANDARD.encode(Sha256::digest(script));
    assert!(page.contains(&format!("script-src 'sha256-{hash}'")), "{page}");
}
