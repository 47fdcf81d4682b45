//! Worlds for tests that run side by side: nothing of one is seen in another, however many are driven at once.

use serde_json::{Value, json};

use std::time::Duration;

use axum::http::Method;
use feed::transport::TransportClock;
use hosting::secrets::ServerKey;
use hosting::worlds::Worlds;

use crate::testing::{Answer, form_request, request};
use surface::{Surface, SurfaceConfig};

/// Worlds at once.
const WORLDS: u64 = 200;

fn surface() -> Surface {
    let worlds = Worlds::new(ServerKey::fixed(&[7; 32]), TransportClock::starting_at(Duration::ZERO));
    crate::planes::app(worlds, SurfaceConfig::default())
}

async fn ask(surface: &Surface, method: Method, path: &str, token: Option<&str>, body: Option<Value>) -> Answer {
    Answer::of(surface.handle(request(method, path, token, body.as_ref()), None).await.expect("an answer")).await
}

/// A tester: a world in one call, an account, orders, a lever, a journey and the clock, each a little otherwise by seed; the
/// world's fingerprint; and the world gone in one call.
async fn tested(surface: &Surface, seed: u64) -> String {
    let made = json!({ "name": "of a test", "seed": seed, "start": "2026-03-02T08:00:00+01:00", "clock": "frozen" });
    let made = ask(surface, Method::POST, "/_sandbox/worlds", None, Some(made)).await;
    assert_eq!(made.status, 200, "{}", made.body);
    let world = format!("/_sandbox/worlds/{}", made.body["worldId"].as_str().expect("an id"));
    let partner = &made.body["partners"][0];
    let client = partner["clients"][0]["id"].as_str().expect("an id").to_owned();
    let text = |name: &str| partner[name].as_str().expect("a text").to_owned();
    let (id, secret) = (text("clientId"), text("clientSecret"));
    let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    let token = Answer::of(surface.handle(form_request(&form), None).await.expect("an answer")).await;
    let token = token.body["access_token"].as_str().expect("a token").to_owned();
    let token = Some(token.as_str());
    let done = async |method: Method, path: &str, body: Value| {
        let answer = ask(surface, method, path, token, Some(body).filter(|body| !body.is_null())).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        tokio::task::yield_now().await;
        answer.body
    };
    let account = json!({ "clientId": client, "accountType": "isk", "cash": 10_000 + seed });
    let account = done(Method::POST, "/simulations/account", account).await["id"].clone();
    let orders = format!("/v2/partner/client/{client}/order");
    for number in 0..3 + seed % 3 {
        let order = json!({ "orderType": "subscription", "account": account, "instrument": "SE0SBX000016SEK", "amount": 100 + number });
        done(Method::POST, &orders, order).await;
        let span = format!("PT{}H", 1 + (seed + number) % 30);
        // Credentials alone lead to the world.
        done(Method::POST, "/_sandbox/worlds/current/clock/advance", json!({ "by": span })).await;
    }
    let journey = json!({ "journey": { "journeyType": "kycRenewal", "account": account }, "callbackUrl": "http://receiver.test/callback" });
    done(Method::POST, &format!("/v2/partner/client/{client}/journey"), journey).await;
    done(Method::POST, "/_sandbox/worlds/current/clock/advance", json!({ "by": "P2D" })).await;
    let digest = done(Method::GET, "/_sandbox/worlds/current/digest", Value::Null).await["digest"].to_string();
    let dropped = ask(surface, Method::DELETE, &world, None, None).await;
    assert_eq!(dropped.status, 200, "{}", dropped.body);
    let after = ask(surface, Method::GET, &orders, token, None).await;
    assert_eq!(after.status, 401, "its credentials mean nothing any more");
    digest
}

/// (rule: auth/worlds-apart)
#[test]
fn two_hundred_worlds_driven_at_once_end_as_each_of_them_does_alone() {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(4).enable_all().build().expect("a runtime");
    let together = surface();
    let digests: Vec<String> = runtime.block_on(async {
        let testers = (0..WORLDS).map(|seed| {
            let surface = together.clone();
            tokio::spawn(async move { tested(&surface, seed).await })
        });
        let mut digests = Vec::new();
        for tester in testers.collect::<Vec<_>>() {
            digests.push(tester.await.expect("a tester ends"));
        }
        digests
    });
    assert!(together.app().worlds.all().is_empty(), "each has dropped its own");
    let alone = surface();
    for (seed, digest) in (0..WORLDS).zip(&digests) {
        assert_eq!(*digest, runtime.block_on(tested(&alone, seed)), "seed {seed}");
    }
    let different: std::collections::BTreeSet<&String> = digests.iter().collect();
    assert_eq!(different.len(), digests.len(), "each seed is a world of its own");
}
