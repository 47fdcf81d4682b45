//! Pictures in the console: each is drawn, on a desk and on a phone, and what has happened to an order leads to its sequence.

use super::{ALL_IMPACTS, DESK, PHONE, go, has, order, press, until};
use crate::driver::in_browsers;
use crate::pages::check_part;
use crate::site::Site;
use serde_json::json;

/// The picture that is shown has been read by the browser, and says what it is.
const DRAWN: &str = "const image = document.querySelector('#detail .drawing img'); return Boolean(image?.complete && image.naturalWidth > 0 && image.alt.length > 40)";

const WIDER: &str = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";

/// Names and titles.
const PICTURES: [(&str, &str); 4] = [
    ("account", "An account over time"),
    ("sequence", "Who did what with whom"),
    ("world", "A world at a glance"),
    ("calendar", "Calendar"),
];

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn every_picture_is_drawn_and_an_order_leads_to_its_sequence() {
    let site = Site::open().await;
    let id = order(&site);
    in_browsers(vec![DESK, PHONE], |browser| {
        let (site, id) = (&site, &id);
        async move {
            super::opened(&browser, site).await;
            for scheme in ["light", "dark"] {
                let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
                browser.devtools("Emulation.setEmulatedMedia", media).await;
                for (name, title) in PICTURES {
                    go(&browser, "pictures").await;
                    has(&browser, "#list", title).await;
                    go(&browser, &format!("pictures/{name}")).await;
                    has(&browser, "#detail h2", title).await;
                    until(&browser, name, DRAWN).await;
                    check_part(&browser, "document", &ALL_IMPACTS).await;
                    assert_eq!(browser.run(WIDER).await, 0, "{name} is wider than the page");
                }
            }
            go(&browser, &format!("orders/{id}")).await;
            press(&browser, "#detail", "As a sequence").await;
            until(&browser, "the sequence", DRAWN).await;
            has(&browser, "#detail", &format!("fundsim picture sequence id={id}")).await;
        }
    })
    .await;
}
