//! The page of stories that were really played.

use super::*;
use crate::drivers::Choice;
use crate::suite::{self, Options, StoryFile};
use language::diagnostic::Source;
use language::parse::{OnDisk, parse};
use std::collections::BTreeMap;
use std::path::Path;

const ABOUT: About<'_> = About {
    version: "9.8.7",
    began: Instant::from_ms(1_772_434_800_000),
    took: Duration::from_millis(12_345),
    file: None,
};

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
    played_with(text, &Options::new(Choice::InProcess))
}

fn played_with(text: &str, options: &Options) -> FileResult {
    let path = Path::new("a story.yaml");
    let scenario = parse(&Source::new("a story.yaml", text), &OnDisk).expect("it is a story");
    suite::play_file(&StoryFile { path: path.to_owned(), scenario }, options)
}

/// The values of `attribute` in the page, in its order.
fn all<'p>(page: &'p str, attribute: &str) -> Vec<&'p str> {
    page.split(&format!("{attribute}=\"")).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_mark_leads_to_a_line_of_its_own_transcript() {
    let results = [played(GOOD), played(&GOOD.replace("status: settled }", "status: sent }"))];
    assert!(matches!(&results[..], [good, bad] if word(&good.outcome) == "passed" && word(&bad.outcome) == "failed"));
    let page = page(&results, None, &ABOUT);
    let ids: Vec<_> = all(&page, " id");
    let links: Vec<_> = all(&page, " href").into_iter().filter_map(|link| link.strip_prefix('#')).collect();
    assert!(links.len() > 20, "{} links", links.len());
    assert!(links.iter().all(|link| ids.contains(link)), "{links:?} lead to {ids:?}");
    let mut once = BTreeMap::<&str, usize>::new();
    ids.iter().for_each(|id| *once.entry(id).or_default() += 1);
    assert!(once.values().all(|count| *count == 1), "{once:?}");
}

#[test]
fn a_story_that_failed_shows_who_did_what_with_whom_and_one_that_passed_does_not() {
    let options = Options { sequences: true, ..Options::new(Choice::InProcess) };
    let rows = "examples:\n  - { paid: 1000 }\n  - { paid: 2000 }\n";
    let bad = GOOD.replace("status: settled }", "status: sent }").replace("amount: 1000", "amount: \"{paid}\"") + rows;
    let [good, bad] = [GOOD, &bad].map(|text| played_with(text, &options));
    assert!(good.rows.iter().all(|row| row.sequence.is_none()), "nobody draws it");
    let page = page(&[good, bad], None, &ABOUT);
    let (failed, passed) = page.split_once("class=\"rest\"").expect("one has passed");
    let count = |part: &str| part.matches("<summary>Who did what with whom</summary>").count();
    assert_eq!([count(failed), count(passed)], [2, 0], "one for each row of examples");
    let title = "partner to platform, request: POST /order</title>";
    assert_eq!(failed.matches(title).count(), 4, "{failed}");
    let ids = all(&page, " id");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    let names = all(&page, " aria-labelledby");
    assert!(names.iter().flat_map(|both| both.split(' ')).all(|id| ids.contains(&id)), "{names:?}");
    assert!(!page.contains("http://"), "nothing is fetched");
}

#[test]
fn failures_come_first_and_states_are_written_and_drawn() {
    let results = [played(GOOD), played(&GOOD.replace("status: settled }", "status: sent }").replace("well", "ill"))];
    let page = page(&results, None, &ABOUT);
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
fn the_policy_names_the_script_of_the_page() {
    let page = page(&[], None, &ABOUT);
    let script = page.split("<script>").nth(1).and_then(|rest| rest.split("</script>").next()).expect("a script");
    let hash = BASE64_STANDARD.encode(Sha256::digest(script));
    assert!(page.contains(&format!("script-src 'sha256-{hash}'")), "{page}");
}

#[test]
fn the_page_says_at_its_top_what_ran_when_and_how_long() {
    let page = page(&[played(GOOD)], None, &ABOUT);
    let head = page.split("<details").next().unwrap_or_default();
    assert!(head.contains("fundsim 9.8.7, 2026-03-02 07:00 UTC, took 12.3 s."), "{head}");
}

#[test]
fn an_index_leads_to_each_failed_story_and_to_the_others_by_folder() {
    let bad = GOOD.replace("status: settled }", "status: sent }");
    let in_folder = |folder: &str, text: &str| FileResult { path: Path::new(folder).join("a.yaml"), ..played(text) };
    let results =
        [in_folder("orders", GOOD), in_folder("fees", &bad), in_folder("orders", GOOD), in_folder("fees", GOOD)];
    let page = page(&results, None, &ABOUT);
    let index = page.split("<nav").nth(1).and_then(|rest| rest.split("</nav>").next()).expect("an index");
    let links = ["#s1\">&lt;b&gt;Good&lt;/b&gt; &amp; well</a>", "#s0\">orders</a> 2", "#s3\">fees</a> 1"];
    let places: Vec<_> =
        links.iter().map(|link| index.find(link).unwrap_or_else(|| panic!("{link}: {index}"))).collect();
    assert!(places.is_sorted(), "failures come first: {index}");
    assert!(
        ["s0", "s1", "s3"].iter().all(|id| page.contains(&format!("<li id=\"{id}\""))),
        "each link leads somewhere"
    );
}

#[test]
fn failures_are_folded_after_the_first_five() {
    let bad = played(&GOOD.replace("status: settled }", "status: sent }"));
    let StoryOutcome::Failed(faults) = &bad.outcome else { panic!("it fails") };
    let many =
        FileResult { outcome: StoryOutcome::Failed(faults.iter().cycle().take(12).cloned().collect()), ..bad.clone() };
    let results: Vec<_> = std::iter::once(many).chain(std::iter::repeat_n(bad, 8)).collect();
    let page = page(&results, None, &ABOUT);
    let stories: Vec<_> = page.split("<li id=").skip(1).collect();
    assert_eq!(stories.len(), 9);
    let is_open = |story: &str| story.contains("<details open>");
    assert_eq!(stories.iter().filter(|story| is_open(story)).count(), 5);
    assert!(stories[..5].iter().all(|story| is_open(story)), "the first ones");
    let (shown, folded) = stories[0].split_once("<summary>and 7 more</summary>").expect("some are folded");
    assert_eq!((shown.matches("pre class=\"fault\"").count(), folded.matches("pre class=\"fault\"").count()), (5, 7));
}
