//! The console, used as people use it: what each button does is seen through the world, not through the page alone.
//!
//! Absent on purpose: what a button says it has done, where the world shows it.

mod access;
mod hands;
mod orders;
mod pictures;
mod trace;
mod worlds;

use crate::driver::{Browser, Screen, Setting};
use crate::site::Site;
use serde_json::{Value, json};
use sim::command::PlaceOrder;
use sim::identity::InstrumentId;
use sim::money::Amount;
use sim::records::{Proceeds, Side};
use sim::{Command, Reply};

const DESK: Setting = Setting { screen: Screen::Desktop, lang: "en", scripts: true };
const PHONE: Setting = Setting { screen: Screen::Phone, lang: "en", scripts: true };
const ALL_IMPACTS: [&str; 4] = ["minor", "moderate", "serious", "critical"];
/// The first ten in the order of their keys, from 1 on.
const VIEWS: [&str; 11] = [
    "accounts",
    "orders",
    "journeys",
    "events",
    "requests",
    "deliveries",
    "faults",
    "levers",
    "worlds",
    "webhooks",
    "pictures",
];

/// Waits until a script says yes.
async fn until(browser: &Browser, what: &str, script: &str) {
    for _ in 0..400 {
        if browser.run(script).await == Value::Bool(true) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{what} does not come: {}", browser.run("return document.body.innerText").await);
}

async fn shows(browser: &Browser, text: &str) {
    let script = format!("return document.body.innerText.includes({})", json!(text));
    until(browser, text, &script).await;
}

/// Waits until an element that a selector names holds a text.
async fn has(browser: &Browser, selector: &str, text: &str) {
    let script = format!(
        "return [...document.querySelectorAll({})].some(one => one.textContent.includes({}))",
        json!(selector),
        json!(text)
    );
    until(browser, &format!("{text} in {selector}"), &script).await;
}

/// Presses what has these words, in the part that a selector names; what is busy is waited for.
async fn press(browser: &Browser, part: &str, words: &str) {
    let script = format!(
        "const all = [...document.querySelectorAll(['button', 'summary', 'a'].map(one => {} + ' ' + one).join(', '))];
         const found = all.find(one => one.textContent.trim() === {} && !one.disabled && one.checkVisibility());
         if (found) found.click(); return Boolean(found)",
        json!(part),
        json!(words)
    );
    until(browser, words, &script).await;
}

/// Writes into the field of that name in the part that a selector names, as typing does.
async fn write(browser: &Browser, part: &str, field: &str, value: &str) {
    let script = format!(
        "const field = document.querySelector({} + ' [data-field=\"' + {} + '\"], ' + {0} + ' #' + {1});
         if (!field) return false;
         if (field.type === 'checkbox') {{ if (!field.checked) field.click(); return true; }}
         field.focus(); field.value = {};
         field.dispatchEvent(new Event('input', {{ bubbles: true }}));
         field.dispatchEvent(new Event('change', {{ bubbles: true }})); return true",
        json!(part),
        json!(field),
        json!(value)
    );
    until(browser, field, &script).await;
}

async fn waits(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..400 {
        if holds() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{what} does not come about");
}

async fn opened(browser: &Browser, site: &Site) {
    browser.client.goto(&format!("{}/console", site.base)).await.expect("a page");
    shows(browser, "Astrid Provsson").await;
}

/// Goes to a place in the console, and waits until its list is read.
async fn go(browser: &Browser, place: &str) {
    browser.run(&format!("location.hash = {}", json!(format!("#/world-1/{place}")))).await;
    let view = place.split(['/', '?']).next().unwrap_or_default();
    let script = format!(
        "return document.querySelector('#views [aria-current=page]')?.dataset.view === {} && Boolean(document.querySelector('#list h2'))
             && document.querySelector('#list h2').textContent.toLowerCase().startsWith({0})",
        json!(view)
    );
    until(browser, place, &script).await;
}

/// Presses a key, as if nothing had the focus.
async fn key(browser: &Browser, key: &str) {
    let script = format!(
        "(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', {{ key: {}, bubbles: true, cancelable: true }}))",
        json!(key)
    );
    browser.run(&script).await;
}

fn order(site: &Site) -> sim::ids::OrderId {
    let place = PlaceOrder {
        scope: site.scope(),
        account: site.isk().id,
        side: Side::Subscription,
        instrument: InstrumentId::parse("SE0SBX000016SEK").expect("an instrument"),
        amount: Some(Amount::parse("1000").expect("an amount")),
        units: None,
        client_ref: None,
        executor: None,
        proceeds: Proceeds::Keep,
    };
    match site.submit(Command::PlaceOrder(place)) {
        Reply::Order(order) => order.id,
        other => panic!("no order: {other:?}"),
    }
}

fn accounts_of(world: &sim::World) -> usize {
    let clients = sim::query::clients(world).map(|client| client.id).collect::<Vec<_>>();
    let of = |client| sim::query::accounts(world, client, &sim::store::Window::default(), None).len();
    clients.into_iter().map(of).sum()
}

/// What the machinery answers to a read.
async fn read(site: &Site, path: &str) -> Value {
    serde_json::from_str(&site.ask(http::Method::GET, &format!("/_sandbox/worlds/current{path}"), None).await)
        .expect("JSON")
}
