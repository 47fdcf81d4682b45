//! What a page of another origin achieves, in a real browser: nothing (rule: auth/host-names, auth/other-origins).

use crate::driver::{Browser, Screen, Setting, in_browsers};
use crate::site::Site;
use crate::walks::configuration;
use sim::records::JourneyType;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// Names that the browser of these tests takes to this machine (`driver`).
const OTHER: &str = "other.example";
const REBOUND: &str = "rebound.example";

/// All that a script can do to a server: requests that need no leave of it, requests that do, and a socket. Leaves the
/// outcome of each in a field of `window`.
const ATTACK: &str = r#"
    const base = arguments_base, outcomes = window.outcomes = {}, world = base + '/_sandbox/worlds/world-1';
    const note = (name, promise) => promise.then(
        async answer => { outcomes[name] = answer.type + ' ' + answer.status + ' ' + await answer.text(); },
        error => { outcomes[name] = 'failed'; });
    note('plain', fetch(world + '/reset', { method: 'POST', mode: 'no-cors', body: '{}', headers: { 'content-type': 'text/plain' } }));
    note('json', fetch(world + '/reset', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }));
    note('drop', fetch(world, { method: 'DELETE' }));
    note('read', fetch(base + '/_sandbox/worlds/world-1'));
    note('opaque', fetch(base + '/_sandbox/worlds/world-1', { mode: 'no-cors' }));
    const socket = new WebSocket(base.replace('http', 'ws') + '/v2/partner/client/00000000-0000-4000-8000-000000000000/subscribe');
    socket.onopen = () => { outcomes.socket = 'open'; };
    socket.onerror = () => { outcomes.socket = 'failed'; };
    return true;
"#;

/// Somebody else's web server, which answers every request with an empty page.
async fn elsewhere() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut head = vec![0; 8192];
                let page = "<!doctype html><title>Elsewhere</title><p>Elsewhere";
                let answer = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{page}",
                    page.len()
                );
                if stream.read(&mut head).await.is_ok_and(|length| length > 0) {
                    // A browser that has gone needs no answer.
                    drop(stream.write_all(answer.as_bytes()).await);
                }
            });
        }
    });
    port
}

/// The answers to the attack, once all of its requests have one.
async fn attacked(browser: &Browser, base: &str) -> serde_json::Value {
    browser.run(&ATTACK.replace("arguments_base", &format!("'{base}'"))).await;
    for _ in 0..600 {
        let outcomes = browser.run("return window.outcomes").await;
        if outcomes.as_object().is_some_and(|outcomes| outcomes.len() == 6) {
            return outcomes;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the attack does not end: {}", browser.run("return window.outcomes").await)
}

fn words<'j>(outcomes: &'j serde_json::Value, name: &str) -> &'j str {
    outcomes[name].as_str().unwrap_or_default()
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_page_of_another_origin_changes_nothing_and_reads_nothing_also_when_its_name_leads_here() {
    let site = Site::open().await;
    let desk = Setting { screen: Screen::Desktop, lang: "en", scripts: true };
    in_browsers(vec![desk], |browser| {
        let site = &site;
        async move {
            // Something that a reset would undo.
            site.start(configuration(site, JourneyType::SignWithdrawal));
            let before = site.read(|world| world.digest().to_string());
            let secret = site.world.identity.credentials()[0].secret.known().expect("a secret").reveal().to_owned();
            let port = site.base.rsplit(':').next().expect("a port").to_owned();

            let own = elsewhere().await;
            browser.client.goto(&format!("http://{OTHER}:{own}/")).await.expect("a page");
            let outcomes = attacked(&browser, &site.base).await;
            for name in ["json", "drop", "read", "socket"] {
                assert_eq!(words(&outcomes, name), "failed", "{outcomes}");
            }
            for name in ["plain", "opaque"] {
                assert_eq!(words(&outcomes, name), "opaque 0 ", "{outcomes}");
            }
            let form = format!(
                "const form = document.createElement('form'); form.method = 'post'; form.enctype = 'text/plain';
                 form.action = '{}/_sandbox/worlds/world-1/reset'; document.body.append(form); form.submit()",
                site.base
            );
            browser.run(&form).await;
            browser.until(|address| address.starts_with(&site.base)).await;
            let page = browser.run("return document.body.innerText").await.to_string();
            assert!(page.contains("another origin"), "{page}");

            // The same with a name that leads here: to the browser this server's answers are the page's own.
            let rebound = format!("http://{REBOUND}:{port}");
            browser.client.goto(&format!("{rebound}/_sandbox/worlds")).await.expect("a page");
            let outcomes = attacked(&browser, &rebound).await;
            for name in ["plain", "json", "drop", "read"] {
                assert!(words(&outcomes, name).starts_with("basic 421 "), "{outcomes}");
            }
            assert_eq!(words(&outcomes, "socket"), "failed", "{outcomes}");
            let all = format!("{outcomes}{}", browser.run("return document.body.innerText").await);
            assert!(!all.contains(&secret) && !all.contains("clientId"), "{all}");

            assert_eq!(site.read(|world| world.digest().to_string()), before);
            // A page of its own still may.
            browser.client.goto(&format!("{}/_sandbox/worlds", site.base)).await.expect("a page");
            browser.run(&ATTACK.replace("arguments_base", &format!("'{}'", site.base))).await;
            for _ in 0..600 {
                // Which of its requests comes first is open: a world that was dropped is not reset any more.
                if site.is_dropped() || site.read(|world| world.digest().to_string()) != before {
                    return;
                }
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            panic!("the attack could not have worked anyway");
        }
    })
    .await;
}
