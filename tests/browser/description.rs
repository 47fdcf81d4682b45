//! The pages of the description of the API: read, filtered, and requests sent as they are filled in.
//!
//! That what is filled in leads to success is tested for every operation without a browser (`site/docs/tests/forms.rs`);
//! here the script sends some of them. Absent on purpose: what the pages say.

use std::time::{Duration, Instant};

use fantoccini::Locator;
use serde_json::{Value, json};

use crate::driver::{Browser, Screen, Setting, in_browsers};
use crate::pages;
use crate::site::Site;

/// A page of each kind.
const PAGES: [&str; 10] = [
    "",
    "/createOrder",
    "/createJourney",
    "/readOrder",
    "/makeWorld",
    "/schemas",
    "/schemas/Owner",
    "/webhooks",
    "/webhooks/order.create",
    "/rules/orders",
];

/// Operations that are sent as they are filled in, in this order.
const SENT: [&str; 7] =
    ["ping", "issueToken", "listAccounts", "createOrder", "readOrder", "readAgreement", "listWorlds"];

fn settings(scripts: bool) -> Vec<Setting> {
    Screen::ALL.into_iter().map(|screen| Setting { screen, lang: "en", scripts }).collect()
}

async fn open(browser: &Browser, site: &Site, page: &str) {
    pages::visit(browser, &format!("{}/docs{page}", site.base)).await;
}

async fn press(browser: &Browser, selector: &str) {
    let found = browser.client.find(Locator::Css(selector)).await;
    found.unwrap_or_else(|error| panic!("{selector}: {error}")).click().await.expect("a click");
}

/// Waits until `script` gives something but null.
async fn waited(browser: &Browser, script: &str) -> Value {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let found = browser.run(script).await;
        if !found.is_null() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited for {script} in {:?}", browser.setting);
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn the_description_opens_without_another_host_and_without_barriers() {
    let site = Site::open().await;
    in_browsers([settings(true), settings(false)].concat(), |browser| {
        let site = &site;
        async move {
            for page in PAGES {
                open(&browser, site, page).await;
                let script = "return {
                    origins: [...new Set(performance.getEntriesByType('resource').map(e => new URL(e.name).origin))],
                    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
                    headings: document.querySelectorAll('h1').length }";
                let found = browser.run(script).await;
                let expected = json!({ "origins": [site.base], "wide": 0, "headings": 1 });
                assert_eq!(found, expected, "{page} in {:?}", browser.setting);
                pages::check_part(&browser, "document", pages::ALL).await;
            }
            open(&browser, site, "/createOrder").await;
            let script = "return [...document.querySelectorAll('.sample')].filter(it => it.checkVisibility()).length";
            assert_eq!(browser.run(script).await, 1, "one language is shown");
            press(&browser, "label[for=language-python]").await;
            let script = "return [...document.querySelectorAll('.sample')].find(it => it.checkVisibility()).innerText";
            let shown = browser.run(script).await;
            assert!(shown.as_str().is_some_and(|code| code.contains("requests.post(")), "{shown}");
            if browser.setting.screen == Screen::Phone {
                press(&browser, ".menu").await;
                assert_eq!(browser.run("return document.querySelector('#index').matches(':popover-open')").await, true);
                pages::check_part(&browser, "document", pages::ALL).await;
            }
            pages::picture(&browser, "description").await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn what_a_page_of_an_operation_is_filled_in_with_is_sent_with_success() {
    let site = Site::open().await;
    in_browsers(settings(true), |browser| {
        let site = &site;
        async move {
            for id in SENT {
                let status = sent(&browser, site, id).await;
                let answer = browser.run("return document.querySelector('#answer').innerText").await;
                assert_eq!(status, "200", "{id}: {answer}");
                pages::check_part(&browser, "document", pages::ALL).await;
            }
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn the_code_follows_the_form_and_the_language_is_remembered() {
    let site = Site::open().await;
    in_browsers(settings(true), |browser| {
        let site = &site;
        async move {
            open(&browser, site, "/createOrder").await;
            press(&browser, "label[for=language-python]").await;
            let field = browser.client.find(Locator::Css("#body")).await.expect("a body");
            pages::write(&field, r#"{"account": null, "clientRef": "true"}"#).await;
            let code = browser.run("return document.querySelector('.of-python code').innerText").await;
            let code = code.as_str().expect("code");
            assert!(code.contains(r#"{"account": None, "clientRef": "true"}"#), "{code}");
            open(&browser, site, "/readAccount").await;
            assert_eq!(browser.run("return document.querySelector('#language-python').checked").await, true);
            let filter = "const filter = document.querySelector('#filter');
                filter.value = 'savings plan'; filter.dispatchEvent(new Event('input'));
                return [...document.querySelectorAll('#index details li')].filter(it => !it.hidden).length";
            assert_eq!(browser.run(filter).await, 2);
        }
    })
    .await;
}

/// What a script of the page keeps for the tab.
const KEPT: &str = "return JSON.parse(sessionStorage.getItem('fundsim-docs-token'))?.token ?? null";

async fn sent(browser: &Browser, site: &Site, id: &str) -> Value {
    open(browser, site, &format!("/{id}")).await;
    press(browser, ".send").await;
    waited(browser, "return document.querySelector('#answer').dataset.status ?? null").await
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_token_is_kept_from_page_to_page_and_renewed_when_it_is_no_longer_taken() {
    let site = Site::open().await;
    in_browsers(settings(true), |browser| {
        let site = &site;
        async move {
            assert_eq!(sent(&browser, site, "listAccounts").await, "200");
            let first = browser.run(KEPT).await;
            assert!(first.is_string(), "{first}");
            assert_eq!(sent(&browser, site, "readAccount").await, "200");
            assert_eq!(browser.run(KEPT).await, first, "another page asks for no token");
            let spoil = "const kept = JSON.parse(sessionStorage.getItem('fundsim-docs-token'));
                sessionStorage.setItem('fundsim-docs-token', JSON.stringify({ ...kept, token: 'ended' })); return true";
            browser.run(spoil).await;
            assert_eq!(sent(&browser, site, "listAccounts").await, "200", "a token that has ended is renewed");
            let renewed = browser.run(KEPT).await;
            assert!(renewed.is_string() && renewed != "ended", "{renewed}");
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_value_with_marks_leaves_the_quotes_of_the_code_whole() {
    let site = Site::open().await;
    in_browsers(settings(true), |browser| {
        let site = &site;
        async move {
            open(&browser, site, "/readAccount").await;
            let write = "const input = document.querySelector('[data-in=path]');
                input.value = \"it's (a) b*!\"; input.dispatchEvent(new Event('input', { bubbles: true }));
                return document.querySelector('.of-curl code').innerText";
            let code = browser.run(write).await;
            let code = code.as_str().expect("code");
            assert!(code.contains("it%27s%20%28a%29%20b%2A%21"), "{code}");
            assert_eq!(code.matches('\'').count(), 2, "{code}");
        }
    })
    .await;
}
