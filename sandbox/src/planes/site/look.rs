//! `/look`: every colour with its contrast, the type, and every part in each of its states, in light and in dark.
//!
//! Invariant: what the page shows is the sheet that all surfaces have; states that need a pointer or a keyboard are the sheet's own rules
//! under a class. The page is public, the same for every caller, and has no script. Absent on purpose: colours, which are `look`'s.

use super::file::file;
use super::guide::HEADERS;
use super::head::head;
use ::look::{COLOURS, IDENTITY, PairUse, SHEET, pairs_of, picture};
use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::response::IntoResponse;
use axum::routing::get;
use maud::{DOCTYPE, Markup, html};
use pages::marks;
use std::sync::LazyLock;
use surface::App;

/// The sizes of type: class, what has it.
const SIZES: [(&str, &str); 6] = [
    ("text-1", "Marks and labels"),
    ("text-2", "Code, tables of numbers, notes"),
    ("text-3", "The console, lists beside a text"),
    ("text-4", "Text"),
    ("text-5", "Headings of sections"),
    ("text-6", "The heading of a page"),
];

/// Steps of space.
const GAPS: [&str; 6] = ["gap-1", "gap-2", "gap-3", "gap-4", "gap-5", "gap-6"];

/// The states that a control can be in: its class, its name, whether it is disabled.
const STATES: [(&str, &str, bool); 4] =
    [("", "default", false), ("is-hover", "hover", false), ("is-focus", "focus", false), ("", "disabled", true)];

/// The sheet once more, with classes for what a pointer is over and what has the focus, and the rules of the page. All of the sheet, since
/// the order of rules decides.
static STATE_RULES: LazyLock<String> = LazyLock::new(|| {
    let states = SHEET.replace(":hover", ".is-hover").replace(":focus-visible", ".is-focus");
    [&states, include_str!("look.css")].concat()
});

/// The page, the sheet, and the few rules of the page.
pub(super) fn routes() -> Router<App> {
    let style = |text: fn() -> &'static str| {
        let kept = [(CACHE_CONTROL, "no-cache"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
        get(async move || ([(CONTENT_TYPE, "text/css; charset=utf-8")], kept, text()))
    };
    file("/look", get(show))
        .merge(file("/look/style.css", style(|| SHEET)))
        .merge(file("/look/page.css", style(|| &STATE_RULES)))
}

/// `GET /look`
async fn show() -> impl IntoResponse {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head("Look", "", &html! { link rel="stylesheet" href="look/page.css"; }))
            body {
                a.skip href="#main" { "To the text" }
                header {
                    a.brand href="." { (marks::brand()) "fundsim" }
                    nav aria-label="On this page" {
                        @for (id, name) in [("colours", "Colours"), ("type", "Type"), ("parts", "Parts"), ("pictures", "Pictures")] {
                            a href={ "#" (id) } { (name) }
                        }
                    }
                }
                main #main tabindex="-1" {
                    h1 { "Look" }
                    p { "What every page of fundsim is made of. Rules name a colour as " code { "var(--name)" } " and declare none of their own; \
                        tables and sheet are in " code { "sandbox/look" } "." }
                    (colours())
                    (sizes())
                    section #parts {
                        h2 { "Parts" }
                        div.sides {
                            @for scheme in ["light", "dark"] { div.side.(scheme) { h3 { (scheme) } (parts()) } }
                        }
                        div.side.eid { h3 { "simulated identity" } (buttons()) (fields()) }
                    }
                    (pictures())
                }
            }
        }
    };
    (HEADERS, page.into_string())
}

/// A square of a colour, which the scheme around it decides.
fn square(colour: &str) -> Markup {
    html! { svg.square viewBox="0 0 1 1" aria-hidden="true" focusable="false" { rect width="1" height="1" fill=(colour) {} } }
}

fn colours() -> Markup {
    html! {
        section #colours {
            h2 { "Colours" }
            p.note { "Contrast by WCAG 2.2, in light and in dark. Text needs 4.5 to 1; edges, rings and marks 3 to 1. Where a person has forced \
                colours, the system\u{2019}s take their place." }
            div.wide tabindex="0" role="region" aria-label="Colours" {
                table {
                    thead { tr { @for head in ["Name", "Light", "Dark", "Forced", "For", "Contrast"] { th scope="col" { (head) } } } }
                    tbody {
                        @for colour in COLOURS {
                            tr {
                                th scope="row" { code { (colour.name) } }
                                td.light { (square(colour.light)) " " code { (colour.light) } }
                                td.dark { (square(colour.dark)) " " code { (colour.dark) } }
                                td { (colour.forced) }
                                td.about { (colour.about) }
                                td.pairs {
                                    @for (on, [light, dark], kind) in pairs_of(colour.name) {
                                        span { (on) " " (format!("{light:.1} \u{b7} {dark:.1}")) @if kind == PairUse::Shape { " (shape)" } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            h3 { "Simulated identity" }
            ul.inks { @for (name, value) in IDENTITY { li { (square(value)) " " (name) " " code { (value) } } } }
        }
    }
}

fn sizes() -> Markup {
    html! {
        section #type {
            h2 { "Type and space" }
            @for (class, about) in SIZES { p class=(class) { code { (class) } " " (about) } }
            p.mono { "Codes, ids and amounts: 1 234,56 SEK 0O 1lI" }
            ul.inks { @for gap in GAPS { li { span.gap.(gap) {} code { (gap) } } } }
        }
    }
}

fn buttons() -> Markup {
    html! {
        @for (kind, name) in [("main", "Continue"), ("", "Cancel"), ("danger", "Delete"), ("plain", "More")] {
            div.states {
                @for (state, about, disabled) in STATES {
                    span { button type="button" class={ (kind) " " (state) } disabled[disabled] { (name) } small { (about) } }
                }
            }
        }
    }
}

fn fields() -> Markup {
    html! {
        div.states.of-fields {
            @for (state, about, disabled) in STATES {
                label { "Amount" input.(state) type="text" value="100" disabled[disabled]; small { (about) } }
            }
            label { "Amount" input type="text" value="-1" aria-invalid="true"; span.mistake { "Give an amount above 0." } small { "error" } }
            label { "Kind" select { option { "Subscription" } option { "Redemption" } } small { "a choice" } }
        }
        p { label { input type="checkbox" checked; " A box" } " " label { input type="radio" checked; " A choice of several" } }
    }
}

/// Every part in every state.
fn parts() -> Markup {
    html! {
        h4 { "Buttons" }
        (buttons())
        h4 { "Fields" }
        (fields())
        h4 { "Links and code" }
        p.states {
            @for (state, about, _) in &STATES[..3] { span { a.(state) href="#parts" { "A link" } small { (about) } } }
        }
        p { code { "GET /v2/partner/client" } ", press " kbd { "Esc" } }
        pre tabindex="0" { "{ \"status\": \"settled\", \"units\": 2.5000 }" }
        h4 { "Status marks" }
        p.marks {
            span.status.good { "\u{2713} settled" } span.status.bad { "\u{2715} rejected" } span.status.held { "\u{2016} held" }
            span.status { "\u{25cb} received" }
        }
        h4 { "Table" }
        table {
            thead { tr { th scope="col" { "Fund" } th scope="col" { "Status" } th.num scope="col" { "Amount" } } }
            tbody {
                tr { td { "Indexfond Global" } td { span.status.good { "\u{2713} settled" } } td.num { "1 000.00" } }
                tr { td { "Rantefond Kort" } td { span.status { "\u{25cb} sent" } } td.num { "250.00" } }
            }
        }
        h4 { "Card and notices" }
        div.card { p { "A card holds what belongs together." } p.note { "A note explains." } }
        @for (tone, text) in [("", "What is worth knowing."), ("good", "It is done."), ("held", "It waits for the bank."), ("bad", "It failed.")] {
            p.notice.(tone) { (text) }
        }
    }
}

fn pictures() -> Markup {
    html! {
        section #pictures {
            h2 { "Pictures" }
            p.note { "Drawings that are files of their own have these, beside each other for light and for dark." }
            ul.inks {
                @for ink in picture::INKS {
                    li { @for side in [ink.light, ink.dark] { (square(&side.to_string())) } " " (ink.name) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, request};
    use axum::http::Method;
    use hosting::clock::Mode;
    use surface::SurfaceConfig;

    async fn read(path: &str) -> String {
        let bench = Bench::with(Mode::Frozen, SurfaceConfig::default());
        let answer = bench.ask(request(Method::GET, path, None, None)).await;
        assert_eq!(answer.status, 200, "{path}");
        answer.body.as_str().expect("a text").to_owned()
    }

    #[tokio::test]
    async fn the_page_shows_every_colour_and_every_part_in_each_of_its_states() {
        let page = read("/look").await;
        for name in COLOURS.iter().map(|colour| colour.name).chain(SIZES.map(|(name, _)| name)).chain(GAPS) {
            assert!(page.contains(&format!(">{name}</code>")), "{name}");
        }
        for part in [
            "is-hover",
            "is-focus",
            " disabled",
            "aria-invalid",
            "status held",
            "notice bad",
            "\"card\"",
            "<pre",
            "<kbd",
        ] {
            assert!(page.matches(part).count() >= 2, "{part} is there in light and in dark");
        }
        assert!(
            !page.contains("<script") && !page.contains(" style=\""),
            "the policy of the page lets no other through"
        );
    }

    #[tokio::test]
    async fn the_sheet_is_served_as_it_is_and_states_are_rules_of_the_sheet() {
        assert_eq!(read("/look/style.css").await, SHEET);
        let rules = read("/look/page.css").await;
        for rule in [".main.is-hover { background: var(--accent-strong)", ":where(.is-focus) { outline: 2px solid"] {
            assert!(rules.contains(rule), "{rule}: {rules}");
        }
    }
}
