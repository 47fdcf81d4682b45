//! The console, used as people use it: what each button does is seen through the world, not through the page alone.

use crate::driver::{Browser, Screen, Setting, in_browsers};
use crate::pages::{check_part, picture};
use crate::site::Site;
use serde_json::{Value, json};
use sim::command::PlaceOrder;
use sim::identity::InstrumentId;
use sim::money::Amount;
use sim::records::{Proceeds, Side};
use sim::{Command, Reply};

const DESK: Setting = Setting { screen: Screen::Desktop, lang: "en", scripts: true };
const ALL_IMPACTS: [&str; 4] = ["minor", "moderate", "serious", "critical"];

/// Waits until a script says yes.
async fn until(browser: &Browser, what: &str, script: &str) {
    for _ in 0..200 {
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

/// Presses the button with these words, in the part that a selector names.
async fn press(browser: &Browser, part: &str, words: &str) {
    let script = format!(
        "const all = [...document.querySelectorAll({} + ' button, ' + {0} + ' summary')];
         const found = all.find(one => one.textContent.trim() === {}); if (found) found.click(); return Boolean(found)",
        json!(part),
        json!(words)
    );
    until(browser, words, &script).await;
}

async fn fill(browser: &Browser, id: &str, value: &str) {
    let script = format!(
        "const field = document.getElementById({}); if (field) field.value = {}; return Boolean(field)",
        json!(id),
        json!(value)
    );
    until(browser, id, &script).await;
}

async fn waits(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..200 {
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

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn an_orders_life_is_drawn_with_its_causes_as_the_clock_is_moved_by_its_buttons() {
    let site = Site::open().await;
    let id = order(&site);
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            opened(&browser, site).await;
            press(&browser, "#views", "Orders").await;
            press(&browser, "#list", &id.to_string()[..8]).await;
            shows(&browser, "PlaceOrder").await;
            let before = site.world.last_now();
            press(&browser, "header", "To what is next").await;
            waits("the next thing", || site.world.last_now() > before).await;
            for _ in 0..3 {
                let before = site.world.last_now();
                press(&browser, "header", "+1 day").await;
                waits("a day", || site.world.last_now() == before.plus(sim::time::Millis::days(1))).await;
            }
            shows(&browser, "Confirmed, Settle: Settled").await;
            until(&browser, "the state", "return document.querySelector('svg .now text')?.textContent === 'Settled'")
                .await;
            let taken = browser.run("return document.querySelectorAll('svg path.edge.taken').length").await;
            assert!(taken.as_u64().is_some_and(|count| count >= 4), "{taken}");
            check_part(&browser, "document", &ALL_IMPACTS).await;
            picture(&browser, "console").await;

            // What an event shows is the same life; its JSON is at hand.
            press(&browser, "#views", "Events").await;
            shows(&browser, "order.update").await;
            press(&browser, "#views", "Accounts").await;
            press(&browser, "#list", &site.isk().id.to_string()[..8]).await;
            until(
                &browser,
                "the account over time",
                "return Boolean(document.querySelector('.picture img')?.naturalWidth)",
            )
            .await;
            check_part(&browser, "document", &ALL_IMPACTS).await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn levers_faults_and_worlds_are_worked_by_their_buttons() {
    let site = Site::open().await;
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            opened(&browser, site).await;
            press(&browser, "#views", "Faults").await;
            press(&browser, "#list", "Add \u{201c}a bad day\u{201d}").await;
            waits("rules", || site.world.faults.list().len() > 5).await;
            shows(&browser, "a bad day: rules added").await;
            check_part(&browser, "document", &ALL_IMPACTS).await;
            press(&browser, "#list", "Remove all").await;
            waits("no rules", || site.world.faults.list().is_empty()).await;

            // A lever's form has the fields that the server describes; what is wrong is said beside it.
            press(&browser, "#views", "Levers").await;
            press(&browser, "#list", "Open an account at once, without a journey").await;
            fill(&browser, "openAccount-body-clientId", &site.scope().client.to_string()).await;
            fill(&browser, "openAccount-body-accountType", "isk").await;
            fill(&browser, "openAccount-body-cash", "4711").await;
            let accounts = || site.read(accounts_of);
            let before = accounts();
            press(&browser, "#list form", "Open an account at once, without a journey").await;
            waits("an account", || accounts() == before + 1).await;
            check_part(&browser, "document", &ALL_IMPACTS).await;

            press(&browser, "#views", "Worlds").await;
            let worlds = || site.worlds();
            press(&browser, "#list", "Fork").await;
            waits("a twin", || worlds() == 2).await;
            press(&browser, "#list", "Reset").await;
            shows(&browser, "will be gone").await;
            press(&browser, "dialog", "Keep it").await;
            assert_eq!(accounts(), before + 1, "who keeps it keeps it");
            press(&browser, "#list", "Reset").await;
            press(&browser, "dialog", "Reset").await;
            waits("the start", || accounts() == before).await;

            // Keys lead to the views, and the narrow screen shows all of them.
            browser.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '5', bubbles: true }))").await;
            shows(&browser, "Requests").await;
            browser.narrow(360).await;
            let wide =
                browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
            assert_eq!(wide, 0, "nothing sticks out");
            browser.size().await;
        }
    })
    .await;
}
