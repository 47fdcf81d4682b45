//! What is picked: an order's life with its causes, an account, a journey, and what can be done about them there.

use super::{ALL_IMPACTS, DESK, go, has, key, order, press, shows, until, waits};
use crate::driver::in_browsers;
use crate::pages::{check_part, picture};
use crate::site::Site;
use serde_json::json;
use sim::time::Millis;

fn status(site: &Site, id: sim::ids::OrderId) -> String {
    let found =
        site.read(|world| sim::query::every_order(world).find(|order| order.id == id).cloned()).expect("an order");
    format!("{:?}", *found.state)
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn an_orders_life_is_drawn_with_its_causes_as_the_clock_is_moved_by_its_buttons() {
    let site = Site::open().await;
    let (id, _) = (order(&site), order(&site));
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            go(&browser, "orders").await;
            // A row leads where its address says, wherever it is pressed.
            let row = json!(format!("#list tr[data-key='{id}'] td.state"));
            let pressed =
                format!("document.querySelector({row})?.click(); return location.hash.includes('/orders/{id}')");
            until(&browser, "the row", &pressed).await;
            has(&browser, "#detail .timeline", "place order").await;
            let before = site.world.last_now();
            press(&browser, "header", "To next").await;
            waits("the next thing", || site.world.last_now() > before).await;
            for (words, by) in [
                ("+1 h", Millis::hours(1)),
                ("+1 d", Millis::days(1)),
                ("+1 d", Millis::days(1)),
                ("+1 d", Millis::days(1)),
            ] {
                let before = site.world.last_now();
                press(&browser, "header", words).await;
                waits(words, || site.world.last_now() == before.plus(by)).await;
            }
            has(&browser, "#detail .timeline", "Confirmed \u{2192} Settled").await;
            until(&browser, "the state", "return document.querySelector('svg .now')?.dataset.state === 'Settled'")
                .await;
            let taken = browser.run("return document.querySelectorAll('svg path.edge.taken').length").await;
            assert!(taken.as_u64().is_some_and(|count| count >= 4), "{taken}");
            has(&browser, "#list tr.picked td.state", "settled").await;
            let (held, _) = (order(site), order(site));
            site.ask(http::Method::POST, &format!("/simulations/order/{held}/hold"), None).await;
            has(&browser, "#list td.state", "hold").await;
            check_part(&browser, "document", &ALL_IMPACTS).await;
            browser.run("document.querySelectorAll('.notice').forEach(one => one.remove())").await;
            picture(&browser, "console").await;

            // An event of it leads to its causes, and Back to the order; an address is enough after a reload.
            press(&browser, "#detail .timeline", "order.create").await;
            has(&browser, "#detail h2", "order.create").await;
            browser.client.back().await.expect("back");
            has(&browser, "#detail h2", "Subscription").await;
            browser.client.refresh().await.expect("a reload");
            has(&browser, "#detail .timeline", "Confirmed \u{2192} Settled").await;
            assert_eq!(browser.run("return document.title.startsWith('Orders ')").await, true);
            key(&browser, "Escape").await;
            until(&browser, "nothing picked", "return document.querySelector('#detail').hidden").await;

            // Its account has it, its transactions, its picture.
            let account = site.isk().id.to_string();
            go(&browser, &format!("accounts/{account}")).await;
            until(
                &browser,
                "the account over time",
                "return Boolean(document.querySelector('.picture img')?.naturalWidth)",
            )
            .await;
            let link = format!("#detail a[href*='/orders/{id}']");
            until(&browser, "its order", &format!("return Boolean(document.querySelector({}))", json!(link))).await;
            check_part(&browser, "document", &ALL_IMPACTS).await;
            shows(&browser, "Cash transactions").await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn the_actions_on_a_resource_are_shown_with_the_resource() {
    let site = Site::open().await;
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            let (first, second) = (order(site), order(site));
            let (journey, _) = site.start(crate::walks::configuration(site, sim::records::JourneyType::CreateAccount));
            super::opened(&browser, site).await;
            go(&browser, &format!("orders/{first}")).await;
            press(&browser, "#detail", "Hold").await;
            waits("a hold", || status(site, first).starts_with("Hold")).await;
            press(&browser, "#detail", "Release").await;
            waits("a release", || status(site, first) == "Pending").await;
            press(&browser, "#detail", "Cancel the order").await;
            has(&browser, "dialog", "In world \u{201c}demo\u{201d}").await;
            assert_eq!(browser.run("return document.activeElement.textContent").await, "Keep it", "the safe answer");
            press(&browser, "dialog", "Keep it").await;
            assert_eq!(status(site, first), "Pending");
            press(&browser, "#detail", "Cancel the order").await;
            press(&browser, "dialog", "Cancel the order").await;
            waits("a cancel", || status(site, first).starts_with("Canceled")).await;
            until(
                &browser,
                "nothing left to do",
                "return document.querySelectorAll('#detail .actions button').length === 0",
            )
            .await;
            go(&browser, &format!("orders/{second}")).await;
            press(&browser, "#detail", "Reject").await;
            waits("a rejection", || status(site, second).starts_with("Canceled")).await;

            go(&browser, &format!("journeys/{journey}")).await;
            press(&browser, "#detail", "Cancel").await;
            waits("a customer who leaves", || site.journey(journey).state.name() == "canceled").await;
            has(&browser, "#list tr.picked td.state", "canceled").await;

            // Cash is booked where the account is.
            let account = site.isk();
            go(&browser, &format!("accounts/{}", account.id)).await;
            press(&browser, "#detail", "Book cash or units").await;
            super::write(&browser, "#detail form[data-operation=book]", "transactionType", "deposit").await;
            super::write(&browser, "#detail form[data-operation=book]", "refType", "gift").await;
            super::write(&browser, "#detail form[data-operation=book]", "amount", "1 234,50").await;
            press(&browser, "#detail form[data-operation=book]", "Book cash or units on an account").await;
            let expected = account.balance + sim::money::Amount::parse("1234.50").expect("an amount");
            waits("the booking", || site.isk().balance == expected).await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn an_event_opened_by_its_address_is_shown_beside_the_list_of_events() {
    let site = Site::open().await;
    order(&site);
    let events = super::read(&site, "/events").await;
    let event = events["events"][0]["event"]["eventId"].as_str().expect("an id").to_owned();
    in_browsers(vec![DESK], |browser| {
        let (site, event) = (&site, &event);
        async move {
            // The stream may say how many events there are before or after the console has read the clock.
            for _ in 0..5 {
                browser.client.goto("about:blank").await.expect("an empty page");
                let address = format!("{}/console#/world-1/events/{event}", site.base);
                browser.client.goto(&address).await.expect("a page");
                has(&browser, "#detail", "What happened, and why").await;
                let listed = format!("return Boolean(document.querySelector('#list tr[data-key=\"{event}\"]'))");
                until(&browser, "the event in the list", &listed).await;
            }
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_deposit_names_the_reference_of_its_account_and_its_request_is_sent_again() {
    let site = Site::open().await;
    let isk = site.isk();
    in_browsers(vec![DESK], |browser| {
        let (site, isk) = (&site, &isk);
        async move {
            super::opened(&browser, site).await;
            go(&browser, &format!("accounts/{}", isk.id)).await;
            let (word, form) = ("A deposit by bankgiro", "#detail form[data-operation=payByBankgiro]");
            press(&browser, "#detail", word).await;
            let field = format!("return document.querySelector('{form} [data-field=ref]')?.value === {}", json!(isk.reference.to_string()));
            until(&browser, "the reference of the account", &field).await;
            super::write(&browser, form, "amount", "500").await;
            browser.run(&format!("document.querySelector('{form} button.main').click()")).await;
            has(&browser, &format!("{form} .wrapped"), "Done").await;
            go(&browser, "requests").await;
            let row = "const row = [...document.querySelectorAll('#list a.row')].find(one => one.closest('tr').textContent.includes('bankgiro'));
                row?.click(); return Boolean(row)";
            until(&browser, "the request", row).await;
            has(&browser, "#detail", "Copy as curl").await;
            check_part(&browser, "document", &ALL_IMPACTS).await;
            press(&browser, "#detail", "Send again").await;
            has(&browser, ".notice", "Sent again").await;
            site.ask(http::Method::POST, "/_sandbox/worlds/current/clock/advance", Some(&json!({ "by": "P5D" }))).await;
            let balance = |account: &sim::records::Account| account.balance.to_string();
            let after = site.account(|one| one.id == isk.id);
            assert_ne!(balance(&after), balance(isk));
            assert!(site.read(|world| sim::query::suspense(world).count()) == 0, "no money waits for an owner");
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_personal_number_with_its_hyphen_finds_its_owner() {
    let site = Site::open().await;
    let owner = std::sync::Arc::clone(&site.isk().owner);
    let sim::records::Owner::NaturalPerson(person) = &*owner else { panic!("a person owns it") };
    let number = person.ssn.to_string();
    in_browsers(vec![DESK], |browser| {
        let (site, number) = (&site, &number);
        async move {
            super::opened(&browser, site).await;
            for written in [
                number.clone(),
                format!("{}-{}", &number[..8], &number[8..]),
                format!("{}-{}", &number[2..8], &number[8..]),
            ] {
                go(&browser, &format!("accounts?q={written}")).await;
                has(&browser, "#list tbody", &person.last_name).await;
                has(&browser, "#list .count", " of 5").await;
            }
        }
    })
    .await;
}

/// (rule: events/explanations, calendar/advance-until)
#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn an_order_on_hold_shows_why_is_released_and_settles_as_time_passes() {
    let site = Site::open().await;
    let id = order(&site);
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            let lever = "/simulations/instrument/SE0SBX000016SEK/trading";
            site.ask(http::Method::POST, lever, Some(&json!({ "isBuyable": false }))).await;
            super::opened(&browser, site).await;
            go(&browser, &format!("orders/{id}")).await;
            has(&browser, "#detail .facts", "Settles, as expected").await;
            has(&browser, "#detail .reasons", "It waits for its first check.").await;
            press(&browser, "#detail .reasons", "Advance until then").await;
            has(&browser, "#detail .reasons", "The fund is closed on this side.").await;
            has(&browser, "#detail .reasons", "The order is canceled at 2026-03-09 09:00:00").await;
            check_part(&browser, "document", &ALL_IMPACTS).await;
            browser.run("document.querySelectorAll('.notice').forEach(one => one.remove())").await;
            picture(&browser, "console-hold").await;
            site.ask(http::Method::POST, lever, Some(&json!({ "isBuyable": true }))).await;
            press(&browser, "#detail .cures", "Release the order").await;
            waits("a release", || status(site, id) == "Pending").await;
            has(&browser, "#detail .reasons", "It waits for the cut-off of its fund.").await;
            press(&browser, "#detail .actions", "Advance until the cut-off").await;
            waits("the cut-off", || status(site, id) == "Aggregated").await;
            press(&browser, "#detail .actions", "Advance until it settles").await;
            waits("the settlement", || status(site, id) == "Settled").await;
            has(&browser, "#detail .facts", "Settled on").await;

            let before = site.world.last_now();
            order(site);
            go(&browser, &format!("accounts/{}", site.isk().id)).await;
            press(&browser, "#detail .actions", "Advance until the next booking").await;
            waits("a booking", || site.world.last_now() > before).await;
            let (journey, _) = site.start(crate::walks::configuration(site, sim::records::JourneyType::CreateAccount));
            go(&browser, &format!("journeys/{journey}")).await;
            has(&browser, "#detail .reasons", "It waits for the customer, at the step").await;
            press(&browser, "#detail .actions", "Advance until it expires").await;
            has(&browser, "#detail .reasons", "did not finish before the link expired").await;
        }
    })
    .await;
}

/// (rule: events/search)
#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn events_are_searched_by_the_server_and_a_refused_request_says_why() {
    let site = Site::open().await;
    let first = order(&site);
    let last = order(&site);
    for _ in 0..125 {
        let (partner, order) = (site.scope().partner, last);
        site.submit(sim::Command::HoldOrder { partner, order });
        site.submit(sim::Command::ReleaseOrder { partner, order });
    }
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            // The list itself begins with the last two hundred.
            go(&browser, &format!("events?q={first}")).await;
            has(&browser, "#list tbody", "order.create").await;
            has(&browser, "#list .count", "1").await;
            check_part(&browser, "document", &ALL_IMPACTS).await;

            let path = format!("/v2/partner/client/{}/order", site.scope().client);
            let script = format!(
                "return fetch('/v2/partner/auth/token', {{ method: 'POST', body: new URLSearchParams({}) }}).then(one => one.json())
                 .then(token => fetch({}, {{ method: 'POST', headers: {{ authorization: 'Bearer ' + token.access_token, 'content-type': 'application/json' }}, body: '{{}}' }})).then(one => one.status)",
                json!({ "grant_type": "client_credentials", "client_id": site.world.identity.credentials()[0].client_id.to_string(), "client_secret": site.world.identity.credentials()[0].secret.known().expect("a secret").reveal() }),
                json!(path)
            );
            assert_eq!(browser.run(&script).await, 400);
            go(&browser, "requests?status=4xx").await;
            until(&browser, "a row", "document.querySelector('#list tbody tr')?.click(); return location.hash.split('/').length > 3").await;
            has(&browser, "#detail .reasons", "account is required.").await;
        }
    })
    .await;
}
