//! Who only looks on leaves no trace: the console is no part of what it shows.

use super::{DESK, go, has, order, press, until};
use crate::driver::in_browsers;
use crate::site::Site;
use serde_json::json;

/// (rule: wire/observers)
#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn what_the_console_reads_is_in_no_log_meets_no_fault_and_makes_no_news() {
    let site = Site::open().await;
    in_browsers(vec![DESK], |browser| {
        let site = &site;
        async move {
            super::opened(&browser, site).await;
            let rule = json!({ "match": { "times": 1 }, "verdict": { "answer": { "status": 503 } } });
            site.ask(http::Method::POST, "/_sandbox/worlds/current/faults", Some(&rule)).await;
            go(&browser, "requests").await;
            has(&browser, "#list tbody", "/faults").await;
            until(&browser, "a row", "document.querySelector('#list tbody tr')?.click(); return location.hash.split('/').length > 3").await;
            has(&browser, "#detail", "What was sent").await;
            let total = || site.world.edge.request_log.last(0, |_| true).0;
            let before = total();
            // What the last press loads may still be under way, however slow the machine is: the console falls silent once it has it.
            let silent = "return performance.getEntriesByType('resource').filter(one => !one.name.endsWith('/_sandbox/worlds'))\
                          .every(one => performance.now() - one.responseEnd > 2000)";
            until(&browser, "a console that asks nothing for two seconds", silent).await;
            assert_eq!(total(), before, "what a console asks is no request of the world");
            order(site);
            for place in super::VIEWS {
                go(&browser, place).await;
            }
            assert_eq!(total(), before);
            assert_eq!((site.world.edge.faults.list()[0].seen, site.world.edge.faults.list()[0].hits), (0, 0));
            go(&browser, "worlds").await;
            press(&browser, "#list", "Record as a story").await;
            has(&browser, "dialog pre", "fundsim: 1").await;
            let story = browser.run("return document.querySelector('dialog pre').textContent").await;
            assert!(!story.as_str().expect("text").contains("/account"), "{story}");
        }
    })
    .await;
}
