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
async fn what_can_be_done_about_a_thing_stands_where_the_thing_is() {
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
