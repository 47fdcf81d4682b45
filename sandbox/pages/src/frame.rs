//! The frame around every page: banner, mark, language, steps, foot; and the style sheet.
//!
//! Invariant: every page says that it is a sandbox, names its language, has exactly one `h1`, and asks for no other file. A page
//! is whole without its script. Absent on purpose: what a page is about.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::lang::Lang;
use super::links::ExternalLink;
use super::{marks, words};

/// A step in the way through a journey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepLink {
    /// Short name.
    pub name: String,
    /// Where it can be seen again, once it is behind.
    pub link: Option<String>,
    /// Whether it is the one shown.
    pub now: bool,
}

/// The way through a journey.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepList {
    /// What the person came for.
    pub journey: String,
    /// All steps in order.
    pub stops: Vec<StepLink>,
}

/// What the frame has to know.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// Language of the page.
    pub lang: Lang,
    /// Title of the tab.
    pub title: &'a str,
    /// Who sent the person here, as a customer knows it.
    pub client: Option<&'a str>,
    /// Business day, written out.
    pub day: Option<&'a str>,
    /// Steps, on pages that are one.
    pub way: Option<&'a StepList>,
    /// The same page in the other language.
    pub other: Option<&'a str>,
    /// Where the browser goes at once.
    pub onward: Option<&'a ExternalLink>,
    /// Whether the page waits for something that happens elsewhere: it looks again by its script, or anew without scripts.
    pub waits: bool,
}

/// Seconds after which a browser without scripts loads a waiting page anew.
const LOOKS_AGAIN: u32 = 5;

/// The whole page around `body`.
#[must_use]
pub fn page(frame: &Frame<'_>, body: &Markup) -> Markup {
    let Frame { lang, title, client, day, way, other, onward, waits } = frame;
    let lang = *lang;
    html! {
        (DOCTYPE)
        html lang=(lang.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex, nofollow";
                @if let Some(onward) = onward { meta http-equiv="refresh" content=(format!("0;url={}", onward.as_str())); }
                @if *waits { noscript { meta http-equiv="refresh" content=(LOOKS_AGAIN); } }
                title { (title) " \u{2013} " (words::SANDBOX.say(lang)) }
                link rel="icon" href=(look::icon());
                @for style in STYLES.iter().filter(|style| style.suits(&body.0)) { style { (PreEscaped(style.text.as_str())) } }
            }
            body {
                a.skip href="#content" { (words::SKIP.say(lang)) }
                aside.sandbox aria-label=(words::SANDBOX.say(lang)) { strong { (words::SANDBOX.say(lang)) } " " (words::SANDBOX_NOTE.say(lang)) }
                header.top {
                    div.brand { (marks::brand()) span { (client.unwrap_or("fundsim")) } }
                    @if let Some(other) = other {
                        a.lang href=(other) lang=(lang.other().tag()) hreflang=(lang.other().tag()) { (lang.other().own_name()) }
                    }
                }
                div.frame.two[way.is_some()] {
                    @if let Some(way) = way { (steps(lang, way)) }
                    main #content tabindex="-1" { (body) }
                }
                footer.foot { p { (foot(lang, *client, *day)) } }
            }
        }
    }
}

fn foot(lang: Lang, client: Option<&str>, day: Option<&str>) -> String {
    match (client, day) {
        (Some(client), Some(day)) => words::FOOT.fill(lang, &[("client", client), ("day", day)]),
        _ => words::FOOT_BARE.say(lang).to_owned(),
    }
}

fn steps(lang: Lang, way: &StepList) -> Markup {
    let total = way.stops.len().to_string();
    let now = way.stops.iter().position(|stop| stop.now);
    html! {
        nav.way aria-label=(words::STEPS.say(lang)) {
            p.journey { (way.journey) }
            @if let Some(now) = now {
                p.where { (words::STEP_OF.fill(lang, &[("n", &(now + 1).to_string()), ("total", &total), ("name", &way.stops[now].name)])) }
            }
            ol.steps {
                @for (at, stop) in way.stops.iter().enumerate() {
                    @let done = now.is_some_and(|now| at < now);
                    li.done[done].now[stop.now] {
                        @match &stop.link {
                            Some(link) if !stop.now => a href=(link) { (stop.name) @if done { span.quiet { " " (words::DONE_MARK.say(lang)) } } },
                            _ => span aria-current=[stop.now.then_some("step")] { (stop.name) },
                        }
                    }
                }
            }
        }
    }
}

/// A style sheet as it is sent, with the hash that allows it.
pub struct Style {
    /// The class of the only pages that it goes with; every page has one without.
    class: Option<&'static str>,
    text: String,
    /// Source expression for `style-src`.
    pub source: String,
}

impl Style {
    fn of(class: Option<&'static str>, sheets: &[&str]) -> Self {
        let text = squeezed(&sheets.concat());
        let source = format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text.as_bytes())));
        Self { class, text, source }
    }

    fn suits(&self, body: &str) -> bool {
        self.class.is_none_or(|class| body.contains(&format!("class=\"card {class}\"")))
    }
}

const OF_ALL: &str = include_str!("style.css");
const OF_IDENTITY: &str = include_str!("identity.css");
const OF_ENDINGS: &str = include_str!("endings.css");

/// The names of the colours, and of other values, that a sheet asks for.
fn named(sheet: &str) -> impl Iterator<Item = &str> {
    sheet.split("var(--").skip(1).filter_map(|rest| rest.split([')', ',']).next())
}

/// The declarations of the colours that the hosted pages name: the others are of other surfaces.
fn colours() -> String {
    let known: BTreeSet<_> = [look::BASE, OF_ALL, OF_IDENTITY, OF_ENDINGS].into_iter().flat_map(named).collect();
    let is_kept = |line: &&str| {
        let declared = line.trim_start().strip_prefix("--").and_then(|line| line.split_once(':'));
        declared.is_none_or(|(name, _)| known.contains(name))
    };
    look::COLOURS_DECLARED.lines().filter(is_kept).collect()
}

/// The sheet of all pages, then what some of them have besides: a page carries no rules of others with it.
pub static STYLES: LazyLock<[Style; 3]> = LazyLock::new(|| {
    [
        Style::of(None, &[&colours(), look::BASE, OF_ALL]),
        Style::of(Some("eid"), &[look::IDENTITY_DECLARED, OF_IDENTITY]),
        Style::of(Some("end"), &[OF_ENDINGS]),
    ]
});

/// A script as it is sent, with the hash that allows it.
pub struct Script {
    text: String,
    /// Source expression for `script-src`.
    pub source: String,
}

impl Script {
    /// The script without comments and indentation.
    fn of(script: &str) -> Self {
        let lines = script.lines().map(str::trim).filter(|line| !line.starts_with("//"));
        let text = lines.collect::<Vec<_>>().join("\n");
        let source = format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text.as_bytes())));
        Self { text, source }
    }

    /// The script on a page.
    #[must_use]
    pub fn element(&self) -> Markup {
        html! { script { (PreEscaped(&self.text)) } }
    }
}

/// The running total of a plan.
pub static TOTAL: LazyLock<Script> = LazyLock::new(|| Script::of(include_str!("total.js")));
/// The script by which a waiting page continues by itself.
pub static WAITS: LazyLock<Script> = LazyLock::new(|| Script::of(include_str!("waits.js")));

/// The sheet without comments and without white space that means nothing in it: our own sheet has no quoted braces.
fn squeezed(sheet: &str) -> String {
    let mut text = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some((before, after)) = rest.split_once("/*") {
        text.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let mut squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let signs =
        [(" { ", "{"), ("; }", "}"), (" }", "}"), ("} ", "}"), ("; ", ";"), (": ", ":"), (", ", ","), (" > ", ">")];
    for (long, short) in signs.into_iter().chain([("@media (", "@media(")]) {
        squeezed = squeezed.replace(long, short);
    }
    squeezed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheet_is_squeezed_without_changing_its_meaning() {
        let sheet =
            "/* a */ a:hover, b { color: red; margin: 0 1px; }\n@media (min-width: 3rem) {\n  a > b { top: 0; }\n}\n";
        assert_eq!(squeezed(sheet), "a:hover,b{color:red;margin:0 1px}@media(min-width:3rem){a>b{top:0}}");
        for Style { text, .. } in STYLES.iter() {
            assert!(!text.contains("</"), "the sheet must not end its element");
            assert!(!text.contains("url(") && !text.contains("@import"), "the sheet asks for nothing");
        }
        assert!(STYLES[0].text.contains("--paper:light-dark("), "the colours of pages are there");
        for name in STYLES.iter().flat_map(|style| named(&style.text)) {
            assert!(STYLES.iter().any(|style| style.text.contains(&format!("--{name}:"))), "{name} is declared");
        }
    }

    #[test]
    fn a_sheet_goes_with_the_pages_that_have_its_class() {
        let counts = ["", "<div class=\"card\">", "<div class=\"card eid\">", "<div class=\"card end\">"]
            .map(|body| STYLES.iter().filter(|style| style.suits(body)).count());
        assert_eq!(counts, [1, 1, 2, 2]);
    }
}
