//! Worlds: back and forth in time, snapshots, stories; and how the console finds its way when worlds come and go.

use super::{DESK, go, has, order, press, read, until, waits, write};
use crate::driver::in_browsers;
use crate::site::Site;
use serde_json::json;

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn worlds_are_forked_rewound_kept_restored_reset_and_dropped_by_their_buttons() {
    let site = Site::open().await;
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            go(&browser, "worlds").await;
            let start = site.world.last_now();
            press(&browser, "header", "+1 d").await;
            waits("a day", || site.world.last_now() > start).await;
            order(site);

            press(&browser, "#list", "Fork").await;
            waits("a fork", || site.worlds() == 2).await;
            has(&browser, "dialog", "clientSecret").await;
            press(&browser, "dialog", "Close").await;
            press(&browser, "#list", "Compare").await;
            has(&browser, "#list", "They are equal").await;

            // An impossible value has a problem beside the field, before a request is sent.
            write(&browser, "#list", "moment", "2027-01-01 00:00").await;
            press(&browser, "#list", "Rewind to it").await;
            has(&browser, "#moment-mistake", "The world has seen").await;
            assert_eq!(browser.run("return document.querySelectorAll('dialog').length").await, 0);

            let keep = "#list form[data-operation=keepSnapshot]";
            write(&browser, keep, "name", "evening").await;
            press(&browser, keep, "Take a snapshot").await;
            has(&browser, "#list", "evening").await;
            assert_eq!(read(site, "/snapshots").await[0]["id"], "evening");

            write(&browser, "#list", "moment", "2026-03-02 08:00").await;
            press(&browser, "#list", "Rewind to it").await;
            has(&browser, "dialog", "Rewind \u{201c}demo\u{201d}?").await;
            press(&browser, "dialog", "Rewind").await;
            waits("the morning", || site.world.last_now() == start).await;
            press(&browser, "#list", "Restore").await;
            press(&browser, "dialog", "Restore").await;
            waits("the evening", || site.world.last_now() > start).await;
            press(&browser, "#list", "Reset").await;
            press(&browser, "dialog", "Keep it").await;
            press(&browser, "#list", "Reset").await;
            press(&browser, "dialog", "Reset").await;
            waits("the start", || site.world.last_now() == start).await;
            assert_eq!(site.read(|world| sim::query::every_order(world).count()), 0);

            press(&browser, "#list", "Create a world").await;
            write(&browser, "#list form[data-operation=makeWorld]", "seed", "999999999999999").await;
            press(&browser, "#list form[data-operation=makeWorld]", "Make the world").await;
            waits("a third", || site.worlds() == 3).await;
            press(&browser, "dialog", "Close").await;
            has(&browser, "#list", "999999999999999").await;

            // A story is shown, to be copied or kept.
            press(&browser, "#list", "Record as a story").await;
            has(&browser, "dialog pre", "fundsim: 1").await;
            press(&browser, "dialog", "Close").await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_world_that_is_dropped_by_another_is_left_and_one_that_is_made_elsewhere_appears() {
    let site = Site::open().await;
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            for mode in ["600", "frozen"] {
                let change = json!({ "clock": mode });
                site.ask(http::Method::PATCH, "/_sandbox/worlds/current/clock", Some(&change)).await;
                let shown = format!("return document.querySelector('#mode').value === {}", json!(mode));
                until(&browser, "how time passes", &shown).await;
            }
            let fork = site
                .ask(http::Method::POST, "/_sandbox/worlds/current/fork", Some(&json!({ "name": "elsewhere" })))
                .await;
            let fork: serde_json::Value = serde_json::from_str(&fork).expect("JSON");
            has(&browser, "#world", "elsewhere").await;
            let id = fork["worldId"].as_str().expect("an id");
            browser.run(&format!("location.hash = '#/{id}/accounts'")).await;
            until(&browser, "the fork", &format!("return document.querySelector('#world').value === {}", json!(id)))
                .await;
            site.drop_world(id);
            until(&browser, "the first world", "return document.querySelector('#world').value === 'world-1'").await;
            has(&browser, ".notice", "any more").await;
            has(&browser, "#list", "Astrid Provsson").await;

            // The last one goes, too; and the next one is shown as soon as it is there.
            go(&browser, "worlds").await;
            press(&browser, "#list", "Drop").await;
            press(&browser, "dialog", "Drop").await;
            waits("no world", || site.worlds() == 0).await;
            has(&browser, "#list h2", "There is no world").await;
        }
    })
    .await;
}

/// (rule: wire/comparison)
#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_comparison_names_the_fields_that_differ_and_leaves_prices_out_unless_it_is_asked_for_them() {
    let site = Site::open().await;
    let id = order(&site);
    let fork = site.ask(http::Method::POST, "/_sandbox/worlds/current/fork", Some(&json!({}))).await;
    let fork: serde_json::Value = serde_json::from_str(&fork).expect("JSON");
    let other = fork["worldId"].as_str().expect("an id").to_owned();
    site.ask(http::Method::POST, "/_sandbox/worlds/current/clock/advance", Some(&json!({ "by": "P2D" }))).await;
    let kinds = async |flags: &str| {
        let path = format!("/_sandbox/worlds/world-1/compare/{other}?limit=1000{flags}");
        let got = site.operate(http::Method::GET, &path, None).await;
        let got: serde_json::Value = serde_json::from_str(&got).expect("JSON");
        let all = got["differences"].as_array().expect("differences").iter();
        all.map(|one| one["resource"].as_str().expect("a word").to_owned()).collect::<Vec<_>>()
    };
    assert!(kinds("").await.iter().any(|kind| kind == "instrument"));
    let without = kinds("&withoutPrices=true").await;
    assert!(
        without.iter().any(|kind| kind == "order") && !without.iter().any(|kind| kind == "instrument"),
        "{without:?}"
    );
    in_browsers(vec![DESK], |browser| {
        let id = id.to_string();
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            go(&browser, "worlds").await;
            press(&browser, "#list", "Compare").await;
            let differences = "#list table[data-key=Differences]";
            has(&browser, differences, "status: ").await;
            has(&browser, differences, &id[..8]).await;
            let text = format!("return document.querySelector({}).textContent", json!(differences));
            let got = browser.run(&text).await;
            let got = got.as_str().expect("a text");
            assert!(!got.contains("undefined") && !got.contains("closePrice"), "{got}");
            browser.run("document.querySelector('#with-prices').click()").await;
            press(&browser, "#list", "Compare").await;
            has(&browser, differences, "closePrice: ").await;
        }
    })
    .await;
}

/// (rule: calendar/fork-names)
#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_fork_is_named_as_one_and_a_recording_that_has_lost_its_end_says_so_where_it_is_seen() {
    let site = Site::open().await;
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            go(&browser, "worlds").await;
            press(&browser, "#list", "Fork").await;
            press(&browser, "dialog", "Close").await;
            has(&browser, "#world option", "fork of demo (world-2)").await;
            has(&browser, "#list table", "(fork of world-1)").await;
            assert_eq!(browser.run("return document.querySelectorAll('.warning').length").await, 0);

            let bound = json!({ "recordingBytes": 1 });
            site.ask(http::Method::PATCH, "/_sandbox/worlds/current/settings", Some(&bound)).await;
            order(site);
            site.ask(http::Method::GET, "/v2/partner/client", None).await;
            site.ask(http::Method::GET, "/v2/partner/client", None).await;
            browser.client.refresh().await.expect("a reload");
            has(&browser, "#list .warning", "The recording is full.").await;
            press(&browser, "#list", "Record as a story").await;
            has(&browser, "dialog .warning", "are missing at its end").await;
            has(&browser, "dialog pre", "incomplete: ").await;
        }
    })
    .await;
}
