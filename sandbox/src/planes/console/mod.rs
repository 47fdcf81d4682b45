//! `/console`: a page that shows a world and works it, over the planes that everybody else uses.
//!
//! Owns: the page's frame and its files, which are served as they are. Invariant: it has no access of its own: a person who opens it
//! signs in with a token or with credentials, kept in the tab, and sees what that token sees; it loads and asks nothing but this
//! server, and puts nothing that it receives into the page as markup. Absent on purpose: a build step, and state on the server.

use axum::Router;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::response::IntoResponse;
use axum::routing::get;
use maud::{DOCTYPE, html};
use serde_json::{Value, json};

use crate::planes::site::file;
use surface::App;

/// Scripts and styles of ours alone; pictures that were fetched with a token are shown from memory.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (CONTENT_TYPE, "text/html; charset=utf-8"),
    (CONTENT_SECURITY_POLICY, POLICY),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// The files: where they are, what they are, what is in them.
const FILES: [(&str, &str, &str); 26] = [
    ("/console/api.js", SCRIPT, include_str!("api.js")),
    ("/console/app.js", SCRIPT, include_str!("app.js")),
    ("/console/clock.js", SCRIPT, include_str!("clock.js")),
    ("/console/dom.js", SCRIPT, include_str!("dom.js")),
    ("/console/draw.js", SCRIPT, include_str!("draw.js")),
    ("/console/explained.js", SCRIPT, include_str!("explained.js")),
    ("/console/faults.js", SCRIPT, include_str!("faults.js")),
    ("/console/fields.js", SCRIPT, include_str!("fields.js")),
    ("/console/forms.js", SCRIPT, include_str!("forms.js")),
    ("/console/frame.js", SCRIPT, include_str!("frame.js")),
    ("/console/lists.js", SCRIPT, include_str!("lists.js")),
    ("/console/messages.js", SCRIPT, include_str!("messages.js")),
    ("/console/notices.js", SCRIPT, include_str!("notices.js")),
    ("/console/parts.js", SCRIPT, include_str!("parts.js")),
    ("/console/pictures.js", SCRIPT, include_str!("pictures.js")),
    ("/console/records.js", SCRIPT, include_str!("records.js")),
    ("/console/route.js", SCRIPT, include_str!("route.js")),
    ("/console/search.js", SCRIPT, include_str!("search.js")),
    ("/console/store.js", SCRIPT, include_str!("store.js")),
    ("/console/table.js", SCRIPT, include_str!("table.js")),
    ("/console/text.js", SCRIPT, include_str!("text.js")),
    ("/console/timeline.js", SCRIPT, include_str!("timeline.js")),
    ("/console/travel.js", SCRIPT, include_str!("travel.js")),
    ("/console/worlds.js", SCRIPT, include_str!("worlds.js")),
    ("/console/base.css", STYLE, include_str!("base.css")),
    ("/console/views.css", STYLE, include_str!("views.css")),
];

/// The page and its files.
pub(super) fn routes() -> Router<App> {
    let page = file("/console", get(show)).merge(file("/console/machines.json", get(machines)));
    FILES.into_iter().fold(page, |router, (path, kind, content)| {
        let kept = [(CACHE_CONTROL, "no-cache"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
        router.merge(file(path, get(async move || ([(CONTENT_TYPE, kind)], kept, content))))
    })
}

/// `GET /console/machines.json`: every state table, to be drawn.
async fn machines() -> impl IntoResponse {
    let tables = crate::machines().map(|machine| {
        let row = |[from, on, to, effect]: [String; 4]| json!({ "from": from, "on": on, "to": to, "effect": effect });
        let rows: Vec<Value> = machine.rows().into_iter().map(row).collect();
        json!({ "name": machine.name(), "topic": machine.topic(), "about": machine.about(), "rows": rows })
    });
    ([(CONTENT_TYPE, "application/json")], Value::Array(tables.collect()).to_string())
}

/// `GET /console`
async fn show() -> impl IntoResponse {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Console \u{2013} fundsim" }
                link rel="icon" href=(look::icon());
                link rel="stylesheet" href="look/style.css";
                link rel="stylesheet" href="console/base.css";
                link rel="stylesheet" href="console/views.css";
                script type="module" src="console/app.js" {}
            }
            body {
                a.skip href="#list" { "To the list" }
                header #top {}
                nav aria-label="Views" #views {}
                main {
                    section #list aria-label="List" tabindex="-1" {
                        noscript {
                            p { "The console needs its scripts. What it shows can be asked for: " a href="docs" { "every operation" } ". " a href="guide" { "The guide" } " explains the rest." }
                        }
                    }
                    section #detail aria-label="What is picked" tabindex="-1" hidden {}
                }
                div #notices {}
            }
        }
    };
    (HEADERS, page.into_string())
}
