//! How the pages behave towards people: keyboards, slips, second thoughts, old links, ways back to the partner.

use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::json;
use sim::Command;
use sim::records::{Configuration, JourneyType};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::driver::{Browser, Screen, Setting, in_browsers};
use crate::pages::{self, outcome};
use crate::site::{Ended, Site};
use crate::walks::{configuration, open_at, walk_to};

const COMPLETE: Ended = Ended { status: "complete", code: None, context: None };

fn phone(lang: &'static str, scripts: bool) -> Setting {
    Setting { screen: Screen::Phone, lang, scripts }
}

fn desk(lang: &'static str) -> Setting {
    Setting { screen: Screen::Desktop, lang, scripts: true }
}

async fn text(browser: &Browser, selector: &str) -> String {
    let element =
        browser.client.find(Locator::Css(selector)).await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    element.text().await.expect("a text")
}

async fn value(browser: &Browser, name: &str) -> String {
    let field = pages::field(browser, name).await;
    field.prop("value").await.expect("a field").unwrap_or_default()
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_keyboard_is_enough() {
    let site = Site::open().await;
    in_browsers(vec![desk("en")], |browser| {
        let site = &site;
        async move {
            let configuration =
                Configuration { account: Some(site.isk().id), ..Configuration::empty(JourneyType::AddBankAccount) };
            let (journey, link) = site.start(configuration);
            pages::visit(&browser, &link).await;
            for _ in 0..3 {
                tab_to_the_button(&browser).await;
            }
            assert_eq!(site.ended(journey), COMPLETE);
        }
    })
    .await;
}

/// Tabs to the first button, sees its way there, and presses Enter.
async fn tab_to_the_button(browser: &Browser) {
    let script = "const e = document.activeElement, s = getComputedStyle(e), p = e.closest('.pick, .unit');
        return { tag: e.tagName, kind: e.className, text: e.innerText || e.value || '',
                 seen: s.outlineStyle !== 'none' || (p && getComputedStyle(p).outlineStyle !== 'none') }";
    let mut way = Vec::new();
    for _ in 0..40 {
        browser
            .client
            .active_element()
            .await
            .expect("an element")
            .send_keys(&Key::Tab.to_string())
            .await
            .expect("a key");
        let focus = browser.run(script).await;
        assert_eq!(focus["seen"], true, "the focus can be seen on {focus}");
        way.push(focus["kind"].as_str().unwrap_or_default().to_owned());
        if focus["tag"] == "BUTTON" {
            assert_eq!(way[0], "skip", "the way past the frame comes first: {way:?}");
            browser.run("document.documentElement.dataset.left = 'yes'").await;
            browser
                .client
                .active_element()
                .await
                .expect("a button")
                .send_keys(&Key::Enter.to_string())
                .await
                .expect("a key");
            pages::loaded(browser).await;
            return;
        }
    }
    panic!("no button is reached: {way:?}");
}

/// (rule: journeys/long-steps)
#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn the_return_key_submits_also_below_another_button() {
    let site = Site::open().await;
    in_browsers(vec![phone("sv", false), desk("en")], |browser| {
        let site = &site;
        async move {
            let (journey, _) = site.start(configuration(site, JourneyType::CreateAccount));
            for (page, field) in [("kyc", "taxResidency"), ("allocationPlan", "allocation.SE0SBX000016SEK")] {
                open_at(&browser, site, journey, page).await;
                if page == "kyc" {
                    pages::fill(&browser).await;
                    pages::press(&browser, "button.go").await;
                }
                let stand = pages::stand(&browser).await;
                browser.run("document.documentElement.dataset.left = 'yes'").await;
                let field = pages::field(&browser, field).await;
                field.send_keys(&format!("?{}", Key::Enter)).await.expect("a key");
                pages::loaded(&browser).await;
                // Problems were looked for, and shown on the same part.
                assert_eq!(pages::stand(&browser).await, stand);
                assert!(!text(&browser, ".problems").await.is_empty(), "{stand:?}");
            }
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn problems_are_shown_beside_their_fields_and_typed_values_are_kept() {
    let site = Site::open().await;
    in_browsers(vec![phone("sv", true), desk("en")], |browser| {
        let site = &site;
        async move {
            let kind = JourneyType::CreateLegalEntityAccount;
            let (journey, _) = site.start(configuration(site, kind));
            open_at(&browser, site, journey, "accountDetails").await;
            let evil = r#"<script>alert("1")</script>'"&amp;"#;
            pages::write(&pages::field(&browser, "crn").await, "123").await;
            pages::write(&pages::field(&browser, "email").await, evil).await;
            pages::write(&pages::field(&browser, "accountName").await, evil).await;
            pages::press(&browser, "button.go").await;
            assert_eq!(pages::name(&browser).await, "accountDetails");
            pages::check(&browser).await;
            pages::check_access(&browser).await;
            let script = "const wrong = [...document.querySelectorAll('[aria-invalid=true]')];
                return { focus: document.activeElement.classList[0], title: document.title,
                    wrong: wrong.map(e => e.name).sort(),
                    described: wrong.every(e => e.getAttribute('aria-describedby').split(' ').some(id => document.getElementById(id).classList.contains('wrong'))),
                    links: [...document.querySelectorAll('.problems a')].every(a => document.querySelector(a.hash)) }";
            let page = browser.run(script).await;
            assert_eq!(page["focus"], "problems", "{page}");
            assert_eq!(page["wrong"], serde_json::json!(["crn", "email"]), "{page}");
            assert_eq!((&page["described"], &page["links"]), (&true.into(), &true.into()), "{page}");
            let error = if browser.setting.lang == "sv" { "Fel: " } else { "Error: " };
            assert!(page["title"].as_str().expect("a title").starts_with(error), "{page}");
            for (name, typed) in [("crn", "123"), ("email", evil), ("accountName", evil)] {
                assert_eq!(value(&browser, name).await, typed);
            }
            pages::picture(&browser, "slip").await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn going_back_loses_nothing_and_sending_twice_changes_nothing() {
    let site = Site::open().await;
    in_browsers(vec![phone("sv", true), phone("en", false)], |browser| {
        let site = &site;
        async move {
            let (journey, link) = site.start(configuration(site, JourneyType::CreateAccount));
            open_at(&browser, site, journey, "accountDetails").await;
            pages::write(&pages::field(&browser, "accountName").await, "Till Göteborg & åter").await;
            pages::press(&browser, "button.go").await;
            assert_eq!(pages::name(&browser).await, "kyc");
            let answered = site.journey(journey);
            // The page's own way back, and the same form once more.
            pages::press(&browser, "a.back").await;
            assert_eq!(value(&browser, "accountName").await, "Till Göteborg & åter");
            pages::press(&browser, "button.go").await;
            assert_eq!(pages::name(&browser).await, "kyc");
            assert_eq!(site.journey(journey).progress, answered.progress);
            // The browser's way back past the identity, and an old form of it.
            browser.client.goto(&format!("{link}/authentication")).await.expect("a page");
            assert_eq!(
                pages::name(&browser).await,
                "accountDetails",
                "a person who has identified need not do so again"
            );
            // On to the end, then back into the last form.
            open_at(&browser, site, journey, "signing").await;
            pages::press(&browser, &outcome("sign")).await;
            assert_eq!(site.ended(journey), COMPLETE);
            let accounts = |site: &Site| {
                site.read(|world| {
                    sim::query::accounts(world, site_client(world), &sim::store::Window::default(), None).len()
                })
            };
            let opened = accounts(site);
            browser.client.back().await.expect("a page before");
            if pages::name(&browser).await == "signing" {
                pages::press(&browser, &outcome("sign")).await;
            }
            assert_eq!(pages::name(&browser).await, "end");
            assert_eq!((site.ended(journey), accounts(site)), (COMPLETE, opened));
        }
    })
    .await;
}

fn site_client(world: &sim::World) -> sim::ids::ClientId {
    sim::query::clients(world).next().expect("a client").id
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn links_that_are_wrong_used_or_old_end_in_plain_words() {
    let site = Site::open().await;
    in_browsers(Setting::all(true), |browser| {
        let site = &site;
        async move {
            let (journey, link) = site.start(configuration(site, JourneyType::SignWithdrawal));
            let mistyped = format!("{}{}", &link[..link.len() - 1], if link.ends_with('A') { 'B' } else { 'A' });
            pages::visit(&browser, &mistyped).await;
            pages::check(&browser).await;
            pages::check_access(&browser).await;
            assert_eq!(site.ended(journey).status, "new", "another link opens nothing");
            site.submit(Command::ExpireJourney { partner: site.scope().partner, journey });
            pages::visit(&browser, &link).await;
            assert_eq!(pages::name(&browser).await, "end");
            pages::check(&browser).await;
            pages::check_access(&browser).await;
            assert_eq!(site.ended(journey).status, "expired");
            pages::picture(&browser, &format!("expired-{}", browser.setting.lang)).await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn the_language_is_changed_on_the_page_and_stays() {
    let site = Site::open().await;
    in_browsers(vec![phone("sv", true), phone("en", false)], |browser| {
        let site = &site;
        async move {
            let (_, link) = site.start(configuration(site, JourneyType::KycRenewal));
            pages::visit(&browser, &link).await;
            pages::press(&browser, "a.lang").await;
            let other = if browser.setting.lang == "sv" { "en" } else { "sv" };
            for page in ["authentication", "kyc", "kyc", "signing"] {
                assert_eq!(pages::name(&browser).await, page);
                assert_eq!(browser.run("return document.documentElement.lang").await, other);
                pages::fill(&browser).await;
                let onward = if page == "kyc" { "button.go".to_owned() } else { outcome("sign") };
                pages::press(&browser, &onward).await;
            }
            assert_eq!(pages::name(&browser).await, "end");
            assert_eq!(browser.run("return document.documentElement.lang").await, other);
        }
    })
    .await;
}

/// Another server: sends `hello` to the first connection, and records the requests.
async fn partner() -> (String, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let asked = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a browser");
        let mut head = vec![0; 4096];
        let length = stream.read(&mut head).await.expect("a request");
        let answer =
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello";
        stream.write_all(answer.as_bytes()).await.expect("an answer");
        String::from_utf8_lossy(&head[..length]).into_owned()
    });
    (base, asked)
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn completion_leads_to_the_partners_address_and_passes_nothing_more() {
    let site = Site::open().await;
    in_browsers(vec![phone("sv", true), phone("en", false)], |browser| {
        let site = &site;
        async move {
            let (base, asked) = partner().await;
            let goal = format!("{base}/thanks?a=1&b=%22");
            let (journey, link) = site.start_with(configuration(site, JourneyType::SignWithdrawal), None, Some(&goal));
            open_at(&browser, site, journey, "signing").await;
            pages::press(&browser, &outcome("sign")).await;
            assert_eq!(browser.until(|address| address.starts_with(&base)).await, goal);
            let asked = asked.await.expect("a request");
            assert!(asked.starts_with("GET /thanks?a=1&b=%22 "), "{asked}");
            assert!(!asked.to_lowercase().contains("referer"), "{asked}");
            assert_eq!(site.ended(journey), COMPLETE);
            // The link itself is a dead end from now on, with the way back as a button.
            pages::visit(&browser, &link).await;
            assert_eq!(pages::name(&browser).await, "end");
            let button = browser.client.find(Locator::Css("a.go")).await.expect("a button");
            assert_eq!(button.attr("href").await.expect("an attribute").as_deref(), Some(goal.as_str()));
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn apps_are_reached_by_their_own_schemes() {
    let site = Site::open().await;
    in_browsers(vec![phone("sv", true), desk("en")], |browser| {
        let site = &site;
        async move {
            let addresses = (Some("myapp://identified"), Some("myapp://done?x=1"));
            let (journey, link) =
                site.start_with(configuration(site, JourneyType::SignWithdrawal), addresses.0, addresses.1);
            pages::visit(&browser, &link).await;
            pages::check(&browser).await;
            pages::check_access(&browser).await;
            pages::press(&browser, &outcome("sign")).await;
            // No app answers here, so the page stays, and both ways are open.
            assert_eq!(pages::name(&browser).await, "returned");
            pages::check_access(&browser).await;
            let to_app = browser.client.find(Locator::Css("a.alt")).await.expect("a link");
            assert_eq!(to_app.attr("href").await.expect("an attribute").as_deref(), addresses.0);
            let refresh = browser.run("return document.querySelector('meta[http-equiv=refresh]').content").await;
            assert_eq!(refresh, "0;url=myapp://identified");
            // Chromium's own question whether to open the app lies over this tab and takes its clicks.
            let here = browser.run("return document.querySelector('a.go').href").await;
            browser.new_tab().await;
            pages::visit(&browser, here.as_str().expect("an address")).await;
            assert_eq!(pages::name(&browser).await, "signing");
            pages::field(&browser, "_device").await;
            browser
                .client
                .find(Locator::Css("input[value=other]"))
                .await
                .expect("a choice")
                .click()
                .await
                .expect("a click");
            pages::press(&browser, &outcome("sign")).await;
            assert_eq!(pages::name(&browser).await, "done");
            pages::check(&browser).await;
            pages::check_access(&browser).await;
            let refresh = browser.run("return document.querySelector('meta[http-equiv=refresh]').content").await;
            assert_eq!(refresh, "0;url=myapp://done?x=1");
            assert_eq!(site.ended(journey), COMPLETE);
            assert!(!text(&browser, "h1").await.is_empty());
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn dark_rooms_and_large_letters_are_served_too() {
    let site = Site::open().await;
    in_browsers(vec![phone("sv", true), desk("en")], |browser| {
        let site = &site;
        async move {
            let dark = serde_json::json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
            browser.devtools("Emulation.setEmulatedMedia", dark).await;
            let (_, link) = site.start(configuration(site, JourneyType::CreateAccount));
            walk_to(&browser, &link, "agreement").await;
            pages::picture(&browser, "agreement-dark").await;
            // Letters twice as large on a narrow screen: nothing sticks out sideways.
            browser.run("document.documentElement.style.fontSize = '200%'").await;
            let wide =
                browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
            let who = browser.run("return [...document.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(e => `${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 40)}`)").await;
            assert_eq!(wide, 0, "{who}");
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn agreements_open_as_documents() {
    let site = Site::open().await;
    in_browsers(vec![desk("en")], |browser| {
        let site = &site;
        async move {
            let (journey, link) = site.start(configuration(site, JourneyType::CreateAccount));
            open_at(&browser, site, journey, "agreement").await;
            let script = "const done = arguments[arguments.length - 1];
                Promise.all([...document.querySelectorAll('.papers a')].map(a => a.getAttribute('href'))).then(done)";
            let papers = browser.client.execute_async(script, Vec::new()).await.expect("links");
            let papers: Vec<_> =
                papers.as_array().expect("a list").iter().filter_map(|one| one.as_str().map(str::to_owned)).collect();
            assert_eq!(papers, ["account.pdf?lang=en", "power-of-attorney.pdf?lang=en", "autogiro.pdf?lang=en"]);
            for paper in papers {
                let address = link.strip_prefix("http://").expect("an address");
                let (host, path) = address.split_once('/').expect("a path");
                let mut stream = tokio::net::TcpStream::connect(host).await.expect("the server");
                let asked = format!("GET /{path}/{paper} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
                stream.write_all(asked.as_bytes()).await.expect("a request");
                let mut answer = Vec::new();
                stream.read_to_end(&mut answer).await.expect("an answer");
                let answer = String::from_utf8_lossy(&answer);
                assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("application/pdf"), "{}", &answer[..200]);
                assert!(answer.contains("%PDF-"));
            }
        }
    })
    .await;
}

/// Pictures of the main pages, for the README.
#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn pictures_are_taken() {
    let site = Site::open().await;
    in_browsers(vec![phone("en", true), desk("en")], |browser| {
        let site = &site;
        async move {
            let (journey, _) = site.start(configuration(site, JourneyType::CreateAccount));
            for page in [
                "welcome",
                "authentication",
                "accountDetails",
                "kyc",
                "transfer",
                "bankAccount",
                "allocationPlan",
                "savingsPlan",
                "agreement",
                "signing",
            ] {
                open_at(&browser, site, journey, page).await;
                if page != "authentication" {
                    pages::fill(&browser).await;
                }
                browser.run("document.activeElement.blur(); scrollTo(0, 0)").await;
                pages::picture(&browser, page).await;
            }
            pages::press(&browser, &outcome("sign")).await;
            pages::picture(&browser, "end").await;
            let (journey, _) = site.start(configuration(site, JourneyType::SignSubmission));
            open_at(&browser, site, journey, "signing").await;
            pages::picture(&browser, "signing-company").await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn the_first_page_opens_without_barriers() {
    let site = Site::open().await;
    in_browsers(vec![desk("en"), phone("en", true)], |browser| {
        let site = &site;
        async move {
            pages::visit(&browser, &site.base).await;
            assert!(text(&browser, "main").await.contains("What to try first"));
            pages::check_access(&browser).await;
            pages::picture(&browser, "landing").await;
        }
    })
    .await;
}

/// (rule: journeys/identity-on-another-device)
#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn a_page_that_waits_for_another_device_continues_when_the_identity_there_is_used() {
    let site = Site::open().await;
    in_browsers(vec![phone("sv", true), desk("en"), phone("en", false)], |browser| {
        let site = &site;
        async move {
            let (_, link) = site.start(configuration(site, JourneyType::SignWithdrawal));
            pages::visit(&browser, &link).await;
            pages::press(&browser, ".elsewhere a").await;
            assert_eq!(pages::name(&browser).await, "waiting");
            pages::check(&browser).await;
            pages::check_access(&browser).await;
            pages::picture(&browser, "waiting").await;
            let app = browser.client.find(Locator::Css("main a[target=_blank]")).await.expect("a link");
            let app = app.prop("href").await.expect("a link").expect("an address");
            let waiting = browser.client.window().await.expect("a window");
            let tab = browser.client.new_window(true).await.expect("a tab").handle;
            browser.client.switch_to_window(tab).await.expect("the tab");
            pages::visit(&browser, &app).await;
            pages::check(&browser).await;
            pages::check_access(&browser).await;
            pages::press(&browser, &outcome("sign")).await;
            assert_eq!(pages::name(&browser).await, "app");
            pages::check(&browser).await;
            pages::check_access(&browser).await;
            browser.client.close_window().await.expect("it closes");
            browser.client.switch_to_window(waiting).await.expect("the page that waits");
            // Nobody presses anything here.
            for _ in 0..400 {
                if pages::name(&browser).await == "signing" {
                    return;
                }
                tokio::time::sleep(std::time::Duration::from_millis(25)).await;
            }
            panic!("it still waits at {} in {:?}", pages::name(&browser).await, browser.setting);
        }
    })
    .await;
}

/// (rule: journeys/funds-on-pages)
#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn shares_are_added_up_while_they_are_typed_where_scripts_run() {
    let site = Site::open().await;
    in_browsers(vec![phone("sv", true), desk("en"), phone("en", false)], |browser| {
        let site = &site;
        async move {
            let (journey, _) = site.start(configuration(site, JourneyType::UpdateAllocationPlan));
            open_at(&browser, site, journey, "allocationPlan").await;
            let rows = browser.client.find_all(Locator::Css("input[name^='allocation.']")).await.expect("rows");
            let total = browser.client.find(Locator::Css(".total")).await.expect("a total");
            if !browser.setting.scripts {
                assert!(!total.is_displayed().await.expect("an element"));
                return;
            }
            let is_swedish = browser.setting.lang == "sv";
            let typed =
                if is_swedish { ["33,33", "66,67 %", "1 000", "x"] } else { ["33.33", "66.67 %", "1,000", "x"] };
            let sums = if is_swedish { ["33,33", "100", "1\u{a0}066,67"] } else { ["33.33", "100", "1,066.67"] };
            let says = |sum: &str| match is_swedish {
                true => format!("Tillsammans {sum} % av 100 %"),
                false => format!("Together {sum} % of 100 %"),
            };
            for (row, text, sum) in [
                (0, typed[0], Some(sums[0])),
                (1, typed[1], Some(sums[1])),
                (0, typed[2], Some(sums[2])),
                (1, typed[3], None),
            ] {
                pages::write(&rows[row], text).await;
                let total_text = browser.run("return document.querySelector('.total').textContent").await;
                assert_eq!(total_text, sum.map_or_else(String::new, says), "{text} in {:?}", browser.setting);
                let is_whole = browser.run("return document.querySelector('.total').classList.contains('whole')").await;
                assert_eq!(is_whole, sum == Some("100"), "{text}");
            }
        }
    })
    .await;
}

/// Whether the words of main buttons and the bars of steps differ from what they are on. A browser that forces colours puts its own behind the
/// words of a button unless the page says that it has seen to that.
const SEEN: &str = "
    const of = (element, part) => getComputedStyle(element, part);
    const canvas = of(document.body).backgroundColor;
    const main = [...document.querySelectorAll('button.main:not(:disabled)')];
    const steps = [...document.querySelectorAll('.steps li > *')];
    return {
        words: main.every(it => of(it).color !== of(it).backgroundColor && of(it).backgroundColor !== canvas && of(it).forcedColorAdjust === 'none'),
        bars: steps.every(it => of(it, '::before').backgroundColor !== canvas),
        some: main.length > 0 }";

#[tokio::test]
#[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
async fn with_forced_colours_buttons_keep_their_words_and_steps_their_shapes() {
    let site = Site::open().await;
    in_browsers(vec![phone("en", true), desk("en")], |browser| {
        let site = &site;
        async move {
            let features = [("forced-colors", "active"), ("prefers-color-scheme", "dark")];
            let features = features.map(|(name, value)| json!({ "name": name, "value": value }));
            browser.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
            let (_, link) = site.start(configuration(site, JourneyType::CreateAccount));
            for page in [link, format!("{}/look", site.base)] {
                pages::visit(&browser, &page).await;
                let seen = browser.run(SEEN).await;
                assert_eq!(seen, json!({ "words": true, "bars": true, "some": true }), "{page}");
            }
        }
    })
    .await;
}
