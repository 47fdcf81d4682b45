//! The guide and `/look` in a browser: light and dark, on a desk and on a telephone, with scripts and without, since they have none.
//!
//! Absent on purpose: what the pages say, and the pages that the program makes, which are made of the same parts.

use std::iter;

use fantoccini::Locator;
use serde_json::json;

use crate::driver::{Screen, Setting, in_browsers};
use crate::pages;
use crate::site::Site;

/// Pages of each kind: with tables, with wide code, with pictures, with many headings, and none.
const PAGES: [&str; 9] = [
    "",
    "/tutorials/partner",
    "/guide/stories",
    "/reference",
    "/rules/wire",
    "/explanations/log",
    "/performance",
    "/search?q=order",
    "/nowhere",
];

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn the_guide_opens_without_another_host_and_without_barriers() {
    let site = Site::open().await;
    let settings =
        [true, false].map(|scripts| Screen::ALL.map(|screen| Setting { screen, lang: "en", scripts })).concat();
    in_browsers(settings, |browser| {
        let site = &site;
        async move {
            for scheme in ["light", "dark"] {
                let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
                browser.devtools("Emulation.setEmulatedMedia", media).await;
                let guide = PAGES.map(|page| format!("/guide{page}"));
                for page in iter::once("/look".to_owned()).chain(guide) {
                    pages::visit(&browser, &format!("{}{page}", site.base)).await;
                    let script = "return {
                        origins: [...new Set(performance.getEntriesByType('resource').map(e => new URL(e.name).origin))],
                        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
                        headings: document.querySelectorAll('h1').length,
                        scripts: document.scripts.length }";
                    let found = browser.run(script).await;
                    let expected = json!({ "origins": [site.base], "wide": 0, "headings": 1, "scripts": 0 });
                    assert_eq!(found, expected, "{page}, {scheme}, in {:?}", browser.setting);
                    pages::check_part(&browser, "document", pages::ALL).await;
                }
            }
            if browser.setting.screen == Screen::Phone {
                let menu = browser.client.find(Locator::Css(".menu")).await.expect("a button");
                menu.click().await.expect("a click");
                assert_eq!(browser.run("return document.querySelector('#index').matches(':popover-open')").await, true);
                pages::check_part(&browser, "document", pages::ALL).await;
            }
            pages::picture(&browser, "guide").await;
            pages::visit(&browser, &format!("{}/guide", site.base)).await;
            let search = browser.client.find(Locator::Css(".search input")).await.expect("a field");
            search.send_keys("cancel-window\u{e007}").await.expect("words");
            let first = browser.client.wait().for_element(Locator::Css(".hits a")).await.expect("a hit");
            first.click().await.expect("a click");
            browser.client.wait().for_element(Locator::Css("#cancel-window")).await.expect("the rule");
        }
    })
    .await;
}
