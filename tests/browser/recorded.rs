//! What people did in their browsers, written down as a scenario file and played again.

use std::process::Command;

use http::Method;
use serde_json::{Value, json};

use crate::driver::{Screen, Setting, in_browsers};
use crate::pages;
use crate::site::Site;
use crate::walks::walk_to;

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn what_people_did_in_browsers_is_written_down_and_answered_the_same_again() {
    let site = Site::open().await;
    let client = site.scope().client;
    let settings = [
        Setting { screen: Screen::Phone, lang: "sv", scripts: false },
        Setting { screen: Screen::Desktop, lang: "en", scripts: true },
    ];
    in_browsers(settings.to_vec(), |browser| {
        let site = &site;
        async move {
            let opening = json!({
                "journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly",
                "accountCategories": ["retail"], "savingsPlan": { "periodicity": "monthly" },
            });
            let journey = json!({ "journey": opening, "callbackUrl": "http://127.0.0.1:9/callback" });
            let journey = site.ask(Method::POST, &format!("/v2/partner/client/{client}/journey"), Some(&journey)).await;
            let journey: Value = serde_json::from_str(&journey).expect("JSON");
            let link = journey["url"].as_str().expect("a link").to_owned();
            walk_to(&browser, &link, "accountDetails").await;
            // A wrong value, reported and corrected.
            pages::write(&pages::field(&browser, "email").await, "nobody").await;
            pages::press(&browser, "button.go").await;
            assert_eq!(pages::name(&browser).await, "accountDetails");
            walk_to(&browser, &link, "end").await;
        }
    })
    .await;

    let text = site.ask(Method::GET, "/_sandbox/worlds/current/scenario", None).await;
    assert!(!text.contains("missing"), "{text}");
    let file = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("people.yaml");
    std::fs::write(&file, &text).expect("a file");
    for driver in ["in-process", "turmoil"] {
        let played = Command::new(env!("CARGO_BIN_EXE_fundsim")).args(["run", "--driver", driver]).arg(&file).output();
        let played = played.expect("the program starts");
        assert!(played.status.success(), "{driver}: {}\n{text}", String::from_utf8_lossy(&played.stdout));
    }
}
