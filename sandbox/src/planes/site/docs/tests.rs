//! Every page exists, every link leads somewhere, and what a form is filled in with is accepted.
//!
//! The pages are read as a browser would: links, anchors and forms are taken from their HTML, and forms are sent as they are.

mod forms;
mod html;

use super::chapters::CHAPTERS;
use super::description::{operations, schemas, webhooks};
use crate::testing::{Answer, Bench, START, at, request};
use axum::http::Method;
use hosting::secrets::Secret;
use hosting::worlds::{NewWorld, WorldOrigin};
use html::{attributes, resolved};
use serde_json::Value;
use sim::rng::Seed;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use surface::SurfaceConfig;

/// A surface over the demo world.
fn demo(config: SurfaceConfig) -> Bench {
    let setup = Arc::new(hosting::setup::demo());
    let origin = WorldOrigin { setup, seed: Seed(42), start: at(START) };
    Bench::over(NewWorld::frozen(origin), config)
}

async fn page(bench: &Bench, path: &str) -> Answer {
    bench.ask(request(Method::GET, path, None, None)).await
}

async fn text(bench: &Bench, path: &str, token: Option<&str>) -> String {
    let answer = bench.ask(request(Method::GET, path, token, None)).await;
    assert_eq!(answer.status, 200, "{path}");
    answer.body.as_str().map_or_else(|| answer.body.to_string(), str::to_owned)
}

/// The address of every page.
fn addresses() -> Vec<String> {
    let operations = operations().map(|operation| format!("/docs/{}", operation.id));
    let schemas = schemas().map(|(name, _)| format!("/docs/schemas/{name}"));
    let webhooks = webhooks().map(|(event, _)| format!("/docs/webhooks/{event}"));
    let chapters = CHAPTERS.iter().map(|(topic, _)| format!("/docs/rules/{topic}"));
    let fixed = ["/docs", "/docs/schemas", "/docs/webhooks", "/docs/rules"].map(str::to_owned);
    fixed.into_iter().chain(operations).chain(schemas).chain(webhooks).chain(chapters).collect()
}

/// (rule: wire/description-pages)
#[tokio::test]
async fn everything_that_is_described_has_a_page_and_nothing_else_has() {
    let bench = demo(SurfaceConfig::default());
    for operation in operations() {
        let shown = text(&bench, &format!("/docs/{}", operation.id), None).await;
        for wanted in [operation.path, operation.method, operation.summary] {
            assert!(shown.contains(&html::escaped(wanted)), "{}: {wanted}", operation.id);
        }
    }
    for path in ["/docs/x", "/docs/schemas/X", "/docs/webhooks/x", "/docs/rules/x", "/docs/rules/README", "/docs/%ff"] {
        let answer = page(&bench, path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.body.as_str().is_some_and(|page| page.contains("This page does not exist")), "{path}");
    }
    let own = ["schemas", "webhooks", "rules", "style.css", "try.js"];
    assert!(operations().all(|operation| !own.contains(&operation.id)), "an operation has the address of another page");
}

#[tokio::test]
async fn every_link_of_every_page_leads_to_a_page_and_to_an_anchor_in_it() {
    let bench = demo(SurfaceConfig::default());
    let mut pages = BTreeMap::new();
    let mut links = BTreeSet::new();
    for address in addresses() {
        let shown = text(&bench, &address, None).await;
        for to in attributes(&shown, "href").into_iter().filter(|to| !to.starts_with("data:")) {
            links.insert((resolved(&address, &to), address.clone()));
        }
        pages.insert(address, shown);
    }
    assert!(links.iter().any(|(to, _)| to.starts_with("/docs/rules/wire#")), "no page links to a rule");
    for (to, from) in links {
        let (path, anchor) = to.split_once('#').map_or((to.as_str(), None), |(path, anchor)| (path, Some(anchor)));
        if !pages.contains_key(path) {
            let shown = text(&bench, path, None).await;
            pages.insert(path.to_owned(), shown);
        }
        let found = anchor.is_none_or(|anchor| attributes(&pages[path], "id").iter().any(|id| id == anchor));
        assert!(found, "{from} links to {to}");
    }
}

#[tokio::test]
async fn every_rule_that_the_document_names_is_a_link_to_it() {
    let bench = demo(SurfaceConfig::default());
    let of_schemas = schemas()
        .map(|(name, schema)| (format!("/docs/schemas/{name}"), "../../docs/rules", schema["description"].as_str()));
    let of_operations = operations()
        .map(|operation| (format!("/docs/{}", operation.id), "../docs/rules", operation.value["description"].as_str()));
    let mut cited = [0, 0];
    for (page, root, about) in of_schemas.chain(of_operations) {
        let Some((_, rules)) = about.unwrap_or_default().split_once("(rule: ") else { continue };
        let shown = text(&bench, &page, None).await;
        for rule in rules.split(')').next().unwrap_or_default().split(',') {
            let (topic, rule) = rule.trim().split_once('/').expect("a chapter and a name");
            assert!(shown.contains(&format!("href=\"{root}/{topic}#{rule}\"")), "{page}: {topic}/{rule}");
            cited[usize::from(root == "../docs/rules")] += 1;
        }
    }
    assert!(cited[0] > 3 && cited[1] > 150, "{cited:?} rules were found in descriptions");
}

#[tokio::test]
async fn the_index_has_every_operation_once_and_the_page_of_a_schema_names_all_that_use_it() {
    let bench = demo(SurfaceConfig::default());
    let start = text(&bench, "/docs", None).await;
    let index = attributes(html::between(&start, "<nav id=\"index\"", "</nav>").expect("an index"), "href");
    for operation in operations() {
        let link = format!("./docs/{}", operation.id);
        assert_eq!(index.iter().filter(|to| **to == link).count(), 1, "{link}");
    }
    let mut found = [0, 0, 0];
    for (name, _) in schemas() {
        let reference = format!("\"#/components/schemas/{name}\"");
        let uses = |value: &Value| value.to_string().contains(&reference);
        let of_operations = operations().filter(|it| uses(it.value)).map(|it| format!("../../docs/{}", it.id));
        let of_webhooks =
            webhooks().filter(|(_, it)| uses(it)).map(|(event, _)| format!("../../docs/webhooks/{event}"));
        let of_schemas = schemas().filter(|(_, it)| uses(it)).map(|(whole, _)| format!("../../docs/schemas/{whole}"));
        let expected = [of_operations.collect(), of_webhooks.collect(), of_schemas.collect::<Vec<_>>()];
        for (count, links) in found.iter_mut().zip(&expected) {
            *count += links.len();
        }
        let shown = text(&bench, &format!("/docs/schemas/{name}"), None).await;
        let used = html::between(&shown, "Where it is used", "As JSON Schema").unwrap_or_default();
        let links: BTreeSet<_> = attributes(used, "href").into_iter().collect();
        assert_eq!(links, expected.into_iter().flatten().collect(), "{name}");
    }
    assert!(found.into_iter().all(|count| count > 10), "{found:?} uses were found");
}

#[test]
fn every_operation_of_the_partner_api_names_the_rules_that_it_keeps() {
    demo(SurfaceConfig::default());
    let of_partners: Vec<_> = operations().filter(|operation| operation.path.starts_with("/v2")).collect();
    assert!(of_partners.len() >= 45, "only {} operations were looked at", of_partners.len());
    let without: Vec<_> = of_partners
        .into_iter()
        .filter(|operation| !operation.value["description"].as_str().is_some_and(|about| about.contains("(rule: ")))
        .map(|operation| operation.id)
        .collect();
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn the_chapters_are_those_of_the_folder() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules");
    let files = std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").file_name());
    let names: BTreeSet<_> =
        files.map(|name| name.into_string().expect("text")).filter(|name| name != "README.md").collect();
    assert_eq!(names, CHAPTERS.iter().map(|(topic, _)| format!("{topic}.md")).collect());
}

#[tokio::test]
async fn no_page_has_styles_scripts_or_handlers_of_its_own_or_asks_another_host() {
    let bench = demo(SurfaceConfig::default());
    for address in addresses() {
        let answer = page(&bench, &address).await;
        let policy = answer.header("content-security-policy").expect("a policy").to_owned();
        for part in
            ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "form-action 'none'"]
        {
            assert!(policy.split(';').any(|given| given.trim() == part), "{address}: {policy}");
        }
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{address}");
        let shown = answer.body.as_str().expect("a page");
        assert_eq!(shown.matches("<h1").count(), 1, "{address}");
        assert_eq!((shown.matches("<script").count(), shown.matches("<script type=\"module\" src=").count()), (1, 1));
        assert!(!shown.contains("<style") && !shown.contains(" style=\"") && !shown.contains(" onclick"), "{address}");
        let ids = attributes(shown, "id");
        let different: BTreeSet<_> = ids.iter().collect();
        assert_eq!(ids.len(), different.len(), "{address} has an id twice");
        for name in ["src", "href"] {
            let loads = |to: &String| !to.starts_with("../") && !to.starts_with("./") && !to.starts_with(['#', 'd']);
            let foreign: Vec<_> = attributes(shown, name).into_iter().filter(loads).collect();
            assert!(foreign.is_empty(), "{address}: {foreign:?}");
        }
    }
}

/// (rule: auth/reachable-by-others, wire/description-values)
#[tokio::test]
async fn ids_and_secrets_are_shown_to_their_partner_and_to_the_operator_of_a_private_server() {
    let secret_of =
        |bench: &Bench| bench.world.identity.credentials()[0].secret.known().expect("a secret").reveal().to_owned();
    let client_of = |bench: &Bench, index| bench.scope(index).client.to_string();

    // The document's examples have ids of clients too, so only the form and the code are looked at.
    let call = async |bench: &Bench, token: Option<&str>| {
        let shown = text(bench, "/docs/listAccounts", token).await;
        shown.split_once("id=\"prefilled\"").expect("the call").1.to_owned()
    };
    let private = demo(SurfaceConfig { open: true, ..SurfaceConfig::default() });
    let shown = call(&private, None).await;
    assert!(shown.contains(&secret_of(&private)) && shown.contains(&client_of(&private, 0)));
    assert!(!shown.contains("data-by="), "no token came with the request");
    private.surface.app().reach.found();
    let shown = call(&private, None).await;
    assert!(!shown.contains(&secret_of(&private)) && !shown.contains(&client_of(&private, 0)));

    let shared = demo(SurfaceConfig { operator_token: Some(Secret::new("operator")), ..SurfaceConfig::default() });
    let shown = call(&shared, None).await;
    assert!(!shown.contains(&secret_of(&shared)) && !shown.contains(&client_of(&shared, 0)));
    for (partner, scope, sees) in [(0, "", vec![0]), (1, "", vec![2]), (0, "account:read", vec![])] {
        let token = shared.token_for(partner, scope).await;
        let shown = call(&shared, Some(&token)).await;
        let seen: Vec<_> = (0..3).filter(|index| shown.contains(&client_of(&shared, *index))).collect();
        assert_eq!(seen, sees, "partner {partner} with the scope {scope:?}");
        assert!(!shown.contains(&secret_of(&shared)) && !shown.contains(&token), "{partner} {scope}");
        // The script asks for a new token where this is absent.
        assert_eq!(shown.contains("data-by=\"token\""), !sees.is_empty(), "{partner} {scope}");
    }
}

#[test]
fn the_files_are_small() {
    let sizes = super::FILES.map(|(path, _, content)| (path, content.len()));
    for ((path, size), most) in sizes.into_iter().zip([12_000, 20_000]) {
        assert!(size < most, "{path} has {size} bytes");
    }
}
