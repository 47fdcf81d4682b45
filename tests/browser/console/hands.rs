//! Levers, faults and webhooks: forms with the fields that the server describes, and their effects.

use super::{DESK, go, has, press, read, until, waits, write};
use crate::driver::in_browsers;
use crate::site::Site;
use serde_json::json;

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_levers_form_sends_digits_as_typed_and_shows_problems_beside_their_fields() {
    let site = Site::open().await;
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            go(&browser, "levers").await;
            has(&browser, "#list details.topic:not([open])", "Platform").await;
            go(&browser, "levers?q=open%20an%20account").await;
            let (open, form) = ("Open an account without a journey", "#list form[data-operation=openAccount]");
            press(&browser, "#list", open).await;
            write(&browser, form, "cash", "abc").await;
            let before = site.read(super::accounts_of);
            press(&browser, form, open).await;
            has(&browser, &format!("{form} [data-name=cash] .mistake"), "Write a number").await;
            has(&browser, &format!("{form} [data-name=accountType] .mistake"), "is needed").await;
            assert_eq!(site.read(super::accounts_of), before, "nothing is sent with a mistake in it");

            // Which of two shapes an owner has is chosen, and its fields come; a list has a row for each that is added.
            write(&browser, form, "accountType", "isk").await;
            write(&browser, form, "cash", "1 000,50").await;
            write(&browser, form, "owner", "0").await;
            for (field, value) in
                [("ownerType", "natural_person"), ("firstName", "Berit"), ("lastName", "Ek"), ("ssn", "199001012385")]
            {
                write(&browser, form, field, value).await;
            }
            press(&browser, form, "Add position").await;
            write(&browser, form, "instrument", "SE0SBX000016SEK").await;
            write(&browser, form, "units", "2,5").await;
            press(&browser, form, open).await;
            waits("an account", || site.read(super::accounts_of) == before + 1).await;
            let made = site.account(|account| account.balance.to_string() == "1000.50");
            assert!(format!("{:?}", made.owner).contains("Berit"), "{:?}", made.owner);
            has(&browser, ".notice", "is").await;
            let link = format!("return Boolean(document.querySelector('.notice a[href*=\"{}\"]'))", made.id);
            until(&browser, "a way to it", &link).await;

            // Typed text stays while the world changes around it.
            write(&browser, form, "name", "Half a na").await;
            browser.run("document.querySelector('form[data-operation=openAccount] [data-field=name]').focus()").await;
            super::order(site);
            press(&browser, "header", "+1 h").await;
            has(&browser, "#now", "09:00:00").await;
            browser.run("document.querySelector('form[data-operation=openAccount] [data-field=name]').focus()").await;
            super::order(site);
            tokio::time::sleep(std::time::Duration::from_millis(600)).await;
            let script = "const field = document.querySelector('form[data-operation=openAccount] [data-field=name]');
                return [field.value, document.activeElement === field]";
            assert_eq!(browser.run(script).await, json!(["Half a na", true]));
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn faults_are_added_described_in_words_and_removed() {
    let site = Site::open().await;
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            go(&browser, "faults").await;
            press(&browser, "#list", "Add \u{201c}a bad day\u{201d}").await;
            waits("rules", || site.world.edge.faults.list().len() > 5).await;
            has(&browser, ".notice", "a bad day: ").await;
            has(&browser, "#list .rules", "503, Retry-After 1 s, 5 % of requests, at most 200 times").await;
            browser.run("document.querySelectorAll('.notice').forEach(one => one.remove())").await;
            crate::pages::picture(&browser, "console-faults").await;
            let bundle = site.world.edge.faults.list().len();
            let form = "#list form[data-operation=addFault]";
            write(&browser, form, "match", "yes").await;
            for (field, value) in [("path", "/v2/**"), ("probability", "0,25"), ("status", "500")] {
                write(&browser, form, field, value).await;
            }
            press(&browser, form, "Add the rule").await;
            waits("a rule of one's own", || site.world.edge.faults.list().len() == bundle + 1).await;
            let rules = read(site, "/faults").await;
            let rule = rules.as_array().and_then(|rules| rules.last()).expect("a rule");
            assert_eq!(
                (&rule["verdict"]["answer"]["status"], &rule["match"]["probability"]),
                (&json!(500), &json!(0.25))
            );
            has(&browser, "#list .rules", "500, 25 % of requests of /v2/**").await;
            let remove =
                format!("document.querySelector('[aria-label=\"Remove rule {}\"]').click(); return true", rule["id"]);
            until(&browser, "a button of its own", &remove).await;
            waits("one rule fewer", || site.world.edge.faults.list().len() == bundle).await;
            press(&browser, "#list", "Remove all").await;
            press(&browser, "dialog", "Remove all").await;
            waits("no rules", || site.world.edge.faults.list().is_empty()).await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn webhooks_are_registered_tested_rotated_disabled_and_replayed() {
    let site = Site::open().await;
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            go(&browser, "webhooks").await;
            press(&browser, "#list", "Register a webhook").await;
            write(&browser, "#list form", "url", "http://127.0.0.1:9/events").await;
            press(&browser, "#list form", "Register").await;
            until(
                &browser,
                "a row",
                "document.querySelector('#list a.row')?.click(); return Boolean(document.querySelector('#list a.row'))",
            )
            .await;
            press(&browser, "#detail", "Send a test").await;
            has(&browser, "#detail", "webhook.test").await;
            let hook = read(site, "/webhooks").await[0].clone();
            press(&browser, "#detail", "Rotate the secret").await;
            has(&browser, ".notice", "Rotated").await;
            assert!(
                read(site, "/webhooks").await[0]["previousSecretUntil"].is_string(),
                "both secrets sign for a while"
            );
            press(&browser, "#detail", "Disable").await;
            has(&browser, "#detail h2", "disabled").await;
            assert_eq!(read(site, "/webhooks").await[0]["enabled"], false);
            press(&browser, "#detail", "Enable").await;
            has(&browser, "#detail h2", "enabled").await;
            super::order(site);
            let total = async || read(site, "/deliveries?limit=1").await["total"].as_u64();
            let before = total().await;
            press(&browser, "#detail", "Send all since an instant again").await;
            write(&browser, "#detail form[data-operation=replayWebhook]", "since", "2026-03-02 08:00").await;
            press(&browser, "#detail form[data-operation=replayWebhook]", "Replay events to a webhook").await;
            has(&browser, ".notice", "Replay events to a webhook").await;
            assert!(total().await > before);

            // A delivery shows its attempts, and is sent again.
            go(&browser, "deliveries").await;
            until(
                &browser,
                "a row",
                "document.querySelector('#list tbody tr')?.click(); return location.hash.split('/').length > 3",
            )
            .await;
            has(&browser, "#detail", "Attempts").await;
            let attempts = "document.querySelectorAll('#detail table tbody tr').length";
            let before = browser.run(&format!("return {attempts}")).await;
            press(&browser, "#detail", "Send again").await;
            has(&browser, ".notice", "Queued again").await;
            until(&browser, "its next attempt", &format!("return {attempts} > {before}")).await;
            go(&browser, &format!("webhooks/{}", hook["id"].as_str().expect("an id"))).await;
            press(&browser, "#detail", "Remove").await;
            press(&browser, "dialog", "Remove").await;
            has(&browser, "#list", "No webhooks").await;
            assert_eq!(read(site, "/webhooks").await, json!([]));
        }
    })
    .await;
}
