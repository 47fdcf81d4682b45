//! `/`: what runs here, what to try first, and where to read on.
//!
//! Invariant: seeds and secrets are shown only where every caller is the operator anyway: on a server without an operator's
//! token that others cannot reach. Absent on purpose: anything that moves a world.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use hosting::secrets::Secret;
use hosting::worlds::WorldHandle;
use maud::{Markup, html};
use pages::answer;
use pages::frame::{self, Frame};
use pages::lang::Lang;
use surface::App;

/// Worlds that are listed; a server may hold many.
const MOST_WORLDS: usize = 20;

/// Where to read on: address, name, sentence.
const LINKS: &[(&str, &str, &str)] = &[
    ("console", "The console", "Worlds, clock, accounts, orders, journeys and events as they happen, and every lever."),
    ("docs", "Every operation, to read and to try", "Partner API, levers and machinery, with examples."),
    ("guide", "The guide", "Tutorials, how-tos, the reference, the rules, and explanations."),
    ("openapi.json", "openapi.json", "The same as OpenAPI 3.1, for generators and validators."),
    ("asyncapi.json", "asyncapi.json", "The event socket as AsyncAPI 3: every message, and how it closes."),
    ("llms.txt", "llms.txt", "What an assistant reads first."),
    ("_sandbox/worlds", "Worlds as JSON", "What the machinery knows of them; the operator's."),
];

/// Commands for the command line: command, sentence.
const COMMANDS: &[(&str, &str)] = &[
    ("fundsim explain", "state tables, settings, magic values, words and levers"),
    ("fundsim explain invariants", "what always holds, and is checked after every step of a generated run"),
    ("fundsim run story.yaml", "plays scenario files"),
    ("fundsim --help", "everything else, with examples"),
];

/// `GET /`
pub(crate) async fn show(State(app): State<App>) -> Response {
    let worlds = app.worlds.all();
    // Other requests do not show who sent them.
    let is_operator = app.is_private();
    let body = html! {
        div.card {
            h1 { "A fund platform, simulated" }
            p.lead { "Accounts, orders, prices, settlement, hosted journeys, events and callbacks: a whole partner fund-distribution \
                service in memory. Nothing here is real, and no money moves." }
            h2 { "What runs here" }
            @if worlds.is_empty() { p { "No world at the moment." } }
            @for world in worlds.iter().take(MOST_WORLDS) { (world_facts(world, is_operator)) }
            @if worlds.len() > MOST_WORLDS { p { "And " (worlds.len() - MOST_WORLDS) " more." } }
            h2 { "What to try first" }
            (first_calls(&app, worlds.first().map(|world| &**world), is_operator))
            h2 { "Where to read on" }
            dl.facts {
                @for (address, name, about) in LINKS { div { dt { a href=(address) { (name) } } dd { (about) } } }
            }
            h2 { "On the command line" }
            dl.facts {
                @for (command, about) in COMMANDS { div { dt { code { (command) } } dd { (about) } } }
            }
        }
    };
    let frame = Frame {
        lang: Lang::En,
        title: "fundsim",
        client: None,
        day: None,
        way: None,
        other: None,
        onward: None,
        waits: false,
    };
    answer::page(StatusCode::OK, Lang::En, frame::page(&frame, &body))
}

/// One world.
fn world_facts(world: &WorldHandle, is_operator: bool) -> Markup {
    html! {
        dl.facts {
            div { dt { "World" } dd { (world.identity.name()) " (" code { (world.identity.id()) } ")" } }
            div { dt { "Its time" } dd { (world.last_now()) ", " (world.mode().name()) } }
            @if is_operator { div { dt { "Seed" } dd { (world.identity.origin().seed.0) } } }
            @if world.failure().is_some() { div { dt { "State" } dd { "failed; its record is kept for inspection" } } }
        }
    }
}

/// Three calls that work as they are, once the first has given a token.
fn first_calls(app: &App, world: Option<&WorldHandle>, is_operator: bool) -> Markup {
    let shown = world.filter(|_| is_operator).and_then(|world| world.identity.credentials().first());
    let (id, secret) = match shown {
        Some(partner) => {
            let secret = partner.secret.known().map_or("$CLIENT_SECRET", Secret::reveal);
            (partner.client_id.to_string(), secret.to_owned())
        }
        None => ("$CLIENT_ID".to_owned(), "$CLIENT_SECRET".to_owned()),
    };
    let url = &app.public_url;
    let token = format!(
        "curl -s {url}/v2/partner/auth/token -d grant_type=client_credentials \\\n  -d client_id={id} \\\n  -d client_secret={secret}"
    );
    let clients = format!("curl -s {url}/v2/partner/client -H \"Authorization: Bearer $TOKEN\"");
    let advance = format!(
        "curl -s {url}/_sandbox/worlds/current/clock/advance \\\n  -H \"Authorization: Bearer $TOKEN\" \
         -H 'content-type: application/json' -d '{{\"by\":\"P1D\"}}'"
    );
    html! {
        @if shown.is_none() { p { "The person who started this server has the partner's credentials." } }
        p { "A token:" }
        pre tabindex="0" { (token) }
        p { "With it in " code { "TOKEN" } ", the clients that the partner speaks for:" }
        pre tabindex="0" { (clients) }
        p { "Advance the clock by a day:" }
        pre tabindex="0" { (advance) }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Bench, request};
    use axum::http::Method;
    use hosting::clock::Mode;
    use surface::SurfaceConfig;

    /// (rule: auth/reachable-by-others)
    #[tokio::test]
    async fn secrets_and_seeds_are_shown_on_this_machine_and_on_no_server_that_others_can_reach() {
        let bench = Bench::with(Mode::Frozen, SurfaceConfig { open: true, ..SurfaceConfig::default() });
        let secret = bench.world.identity.credentials()[0].secret.known().expect("a secret").reveal().to_owned();
        let shows = async || {
            let answer = bench.ask(request(Method::GET, "/", None, None)).await;
            let page = answer.body.as_str().expect("a page").to_owned();
            (answer.status, page.contains(&secret), page.contains("Seed"))
        };
        assert_eq!(shows().await, (200, true, true));
        bench.surface.app().reach.found();
        assert_eq!(shows().await, (200, false, false));
    }
}
