//! For everybody: axe finds nothing in any view, light or dark, wide or narrow; keys lead everywhere.

use super::{ALL_IMPACTS, DESK, PHONE, VIEWS, go, has, key, order, press, until};
use crate::driver::{Browser, in_browsers};
use crate::pages::{check_part, picture};
use crate::site::Site;
use serde_json::json;

/// What can be picked in a view.
async fn first_of(browser: &Browser) -> bool {
    browser
        .run("const row = document.querySelector('#list table.list a.row'); if (row) row.click(); return Boolean(row)")
        .await
        == true
}

async fn nothing_sticks_out(browser: &Browser, place: &str) {
    let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.run(wide).await, 0, "{place}");
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn every_view_is_open_to_everybody_light_and_dark_wide_and_narrow() {
    let site = Site::open().await;
    let id = order(&site);
    let hook = json!({ "client": site.scope().client.as_uuid().to_string(), "url": "http://127.0.0.1:9/events" });
    site.ask(http::Method::POST, "/_sandbox/worlds/current/webhooks", Some(&hook)).await;
    site.ask(http::Method::POST, "/_sandbox/worlds/current/faults/bundles", Some(&json!({ "name": "a bad day" })))
        .await;
    site.start(crate::walks::configuration(&site, sim::records::JourneyType::CreateAccount));
    site.ask(http::Method::POST, "/_sandbox/worlds/current/clock/advance", Some(&json!({ "by": "P1D" }))).await;
    super::waits("a delivery", || site.world.subscribers.deliveries.look(|queue| queue.rows().next().is_some())).await;
    in_browsers(vec![DESK, PHONE], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            for scheme in ["light", "dark"] {
                let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
                browser.devtools("Emulation.setEmulatedMedia", media).await;
                if browser.setting == PHONE {
                    browser.narrow(360).await;
                }
                for view in VIEWS {
                    go(&browser, view).await;
                    check_part(&browser, "document", &ALL_IMPACTS).await;
                    nothing_sticks_out(&browser, view).await;
                    if first_of(&browser).await {
                        until(
                            &browser,
                            "what is picked",
                            "return Boolean(document.querySelector('#detail .body .facts'))",
                        )
                        .await;
                        check_part(&browser, "document", &ALL_IMPACTS).await;
                        nothing_sticks_out(&browser, view).await;
                        browser.run(&format!("location.hash = '#/world-1/{view}'")).await;
                    }
                }
            }
            if browser.setting == PHONE {
                browser.size().await;
                go(&browser, &format!("orders/{id}")).await;
                has(&browser, "#detail .timeline", "place order").await;
                browser.run("document.activeElement.blur(); scrollTo(0, 0)").await;
                picture(&browser, "console").await;
                press(&browser, "#detail", "\u{2190} Back").await;
                until(&browser, "the list", "return document.querySelector('#list').checkVisibility()").await;
            }
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn keys_lead_to_the_views_through_the_rows_and_to_the_search() {
    let site = Site::open().await;
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            for (number, view) in VIEWS.iter().take(10).enumerate() {
                key(&browser, &((number + 1) % 10).to_string()).await;
                let script = format!("return document.querySelector('#views [aria-current=page]').dataset.view === {}", json!(view));
                until(&browser, view, &script).await;
            }
            key(&browser, "1").await;
            has(&browser, "#list", "Astrid Provsson").await;
            for (pressed, row) in [("j", 0), ("j", 1), ("ArrowDown", 2), ("k", 1)] {
                key(&browser, pressed).await;
                let script = format!("return document.activeElement === document.querySelectorAll('#list a.row')[{row}]");
                until(&browser, pressed, &script).await;
            }
            browser.run("document.activeElement.click()").await;
            has(&browser, "#detail", "Over time").await;
            key(&browser, "Escape").await;
            until(&browser, "the row again", "return document.activeElement === document.querySelectorAll('#list a.row')[1]").await;
            key(&browser, "/").await;
            until(&browser, "the search", "return document.activeElement.type === 'search'").await;
            browser
                .run("const field = document.activeElement; field.value = 'provstift'; field.dispatchEvent(new Event('input', { bubbles: true }))")
                .await;
            has(&browser, "#list .count", "1 of 5").await;
            key(&browser, "Escape").await;
            key(&browser, "?").await;
            has(&browser, "dialog", "next and previous row").await;
            press(&browser, "dialog", "Close").await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn one_search_finds_accounts_orders_events_levers_and_what_an_id_names() {
    let site = Site::open().await;
    let id = order(&site).to_string();
    in_browsers(vec![DESK, PHONE], |browser| {
        let (site, id) = (&site, id.clone());
        async move {
            super::opened(&browser, site).await;
            let seek = async |words: &str| {
                let script = format!(
                    "document.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'k', ctrlKey: true, bubbles: true, cancelable: true }}));
                     const field = document.querySelector('#everything'); field.value = {};
                     field.dispatchEvent(new Event('input', {{ bubbles: true }}))",
                    json!(words)
                );
                browser.run(&script).await;
            };
            seek("astrid").await;
            has(&browser, "dialog [data-view=accounts] a", "Astrid Provsson").await;
            check_part(&browser, "document", &ALL_IMPACTS).await;
            nothing_sticks_out(&browser, "search").await;
            seek("bankgiro").await;
            has(&browser, "dialog [data-view=levers] a", "Pay over bankgiro").await;
            seek(&id).await;
            has(&browser, "dialog [data-view=orders] a", "subscription").await;
            has(&browser, "dialog [data-view=events] a", "order.create").await;
            has(&browser, "dialog a", &format!("What happened to {id}")).await;
            browser.run("document.querySelector('dialog [data-view=orders] a').click()").await;
            has(&browser, "#detail h2", "Subscription").await;
            assert_eq!(browser.run("return document.querySelectorAll('dialog').length").await, 0);
        }
    })
    .await;
}
