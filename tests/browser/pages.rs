//! What every page must be, and how a person gets through it.
//!
//! Invariant: nothing here knows a page's wording beyond what all pages share. Absent on purpose: which journey it is.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use fantoccini::Locator;
use fantoccini::elements::Element;
use serde_json::Value;

use crate::driver::{Browser, Screen};

/// Largest page, in bytes.
const LARGEST: u64 = 30 * 1024;

/// The last part of the present address: the page's name.
pub async fn name(browser: &Browser) -> String {
    let address = browser.client.current_url().await.expect("an address");
    address.path_segments().and_then(|mut parts| parts.next_back().map(str::to_owned)).unwrap_or_default()
}

/// The page with the part of its step that is shown, where it has parts.
pub async fn stand(browser: &Browser) -> (String, Value) {
    let part =
        browser.run("return (document.querySelector('.part-of') || document.createElement('p')).innerText").await;
    (name(browser).await, part)
}

/// Goes to a link and waits for the page behind it.
pub async fn visit(browser: &Browser, link: &str) {
    browser.client.goto(link).await.expect("the link opens");
}

/// What holds for every page: its frame, its size, and that nothing was asked of anybody else.
pub async fn check(browser: &Browser) {
    let script = r"
        const entry = performance.getEntriesByType('navigation')[0];
        return {
            lang: document.documentElement.lang,
            banner: (document.querySelector('.sandbox') || {}).innerText || '',
            headings: document.querySelectorAll('h1').length,
            scripts: document.querySelectorAll('script[src], script + script, iframe, object, embed, link[rel=stylesheet]').length,
            handlers: [...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length,
            size: entry ? entry.decodedBodySize : -1,
            others: performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith('data:') && n !== location.href + '&look'),
            wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
            skip: document.querySelector('a') && document.querySelector('a').getAttribute('href'),
            title: document.title,
        }";
    let page = browser.run(script).await;
    let whole = format!("{page} in {:?}", browser.setting);
    assert_eq!(page["lang"], browser.setting.lang, "{whole}");
    let banner = if browser.setting.lang == "sv" { "sandlåda" } else { "sandbox" };
    assert!(page["banner"].as_str().expect("text").to_lowercase().contains(banner), "{whole}");
    assert_eq!((&page["headings"], &page["scripts"], &page["handlers"]), (&1.into(), &0.into(), &0.into()), "{whole}");
    let size = page["size"].as_u64().expect("the browser knows the size");
    assert!(size > 0 && size < LARGEST, "{size} bytes: {whole}");
    assert_eq!(page["others"], Value::Array(Vec::new()), "{whole}");
    assert_eq!(page["wide"], 0, "nothing sticks out: {whole}");
    assert_eq!(page["skip"], "#content", "{whole}");
}

/// On the narrowest phone, and in a wider letter than the page asks for, no word is broken and nothing sticks out.
async fn check_words(browser: &Browser) {
    browser.narrow(320).await;
    let script = r"
        document.body.style.fontFamily = 'Liberation Sans, Arial';
        const broken = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node; (node = walker.nextNode());) {
            if (!node.parentElement.checkVisibility()) continue;
            for (const word of node.data.matchAll(/\p{L}{2,}/gu)) {
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].filter(r => r.width > 0).map(r => Math.round(r.top)));
                if (lines.size > 1) broken.push(word[0]);
            }
        }
        const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
        document.body.style.fontFamily = '';
        return { broken, wide };";
    let found = browser.run(script).await;
    browser.size().await;
    let expected = serde_json::json!({ "broken": [], "wide": 0 });
    assert_eq!(found, expected, "on {} in {:?}", name(browser).await, browser.setting);
}

/// axe-core finds nothing at all, where scripts may run: by the levels A and AA and by its own best practices; and words
/// stay whole on a narrow phone.
pub async fn check_access(browser: &Browser) {
    if browser.setting.scripts && browser.setting.screen == Screen::Phone {
        check_words(browser).await;
    }
    check_part(browser, "document", &["minor", "moderate", "serious", "critical"]).await;
}

/// Every impact that axe-core knows.
pub(crate) const ALL: &[&str] = &["minor", "moderate", "serious", "critical"];

/// axe-core finds nothing of those impacts in a part of the page, a context as it takes them.
pub async fn check_part(browser: &Browser, part: &str, impacts: &[&str]) {
    if !browser.setting.scripts {
        return;
    }
    browser.run(&axe()).await;
    let script = format!(
        "const done = arguments[arguments.length - 1];
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
        axe.run({part}, {{ resultTypes: ['violations'], runOnly: tags }}).then(
            found => done(found.violations.map(v => ({{ id: v.id, impact: v.impact, nodes: v.nodes.map(n => n.html) }}))),
            error => done([{{ id: 'axe', impact: 'critical', nodes: [String(error)] }}]))"
    );
    let found = browser.client.execute_async(&script, Vec::new()).await.expect("axe runs");
    let found = found.as_array().expect("a list");
    let counts = |fault: &&Value| fault["impact"].as_str().is_none_or(|impact| impacts.contains(&impact));
    let bad: Vec<_> = found.iter().filter(counts).collect();
    assert!(bad.is_empty(), "on {} in {:?}: {bad:#?}", name(browser).await, browser.setting);
}

fn target() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |given| root.join(given))
}

fn axe() -> String {
    let file = target().join("browser/node_modules/axe-core/axe.min.js");
    fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; run tests/browser/install.sh", file.display()))
}

/// The pictures that the README shows.
const SHOWN: [&str; 8] = [
    "welcome-phone",
    "authentication-phone",
    "allocationPlan-phone",
    "end-phone",
    "agreement-desktop",
    "console-desktop",
    "console-phone",
    "console-faults-desktop",
];

/// Keeps a picture of what the screen shows: in the target folder, and in the README's folder when that is asked for.
pub async fn picture(browser: &Browser, name: &str) {
    let screen = if browser.setting.screen == Screen::Phone { "phone" } else { "desktop" };
    let name = format!("{name}-{screen}");
    let picture = browser.client.screenshot().await.expect("a picture");
    let mut folders = vec![target().join("browser/screenshots")];
    if std::env::var_os("FUNDSIM_SCREENSHOTS").is_some() && SHOWN.contains(&name.as_str()) {
        folders.push(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/screenshots"));
    }
    for folder in folders {
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(format!("{name}.png")), &picture).expect("a picture is kept");
    }
}

async fn all(browser: &Browser, selector: &str) -> Vec<Element> {
    browser.client.find_all(Locator::Css(selector)).await.expect("a selector")
}

async fn names(elements: &[Element]) -> Vec<String> {
    let mut names = Vec::new();
    for element in elements {
        names.push(element.attr("name").await.expect("an attribute").unwrap_or_default());
    }
    names
}

/// The first of all choices. What is folded is optional, such as one more owner of a company.
const CHOICES: &str = "main fieldset.field:not(:has(:checked)) label.pick:first-child input:not(details:not([open]) *)";
/// A share and an amount: the first field of each kind, and what is written there.
const TEXTS: [(&str, &str); 2] = [("input[name^='allocation.']", "100"), ("input[name^='amount.']", "1500")];
/// A yes.
const TICKS: &str = "input[name=accept]:not(:checked), input[name=confirmed]:not(:checked)";

/// Fills in what a person has to.
pub async fn fill(browser: &Browser) {
    for choice in all(browser, CHOICES).await {
        choice.click().await.expect("a choice");
    }
    for (selector, text) in TEXTS {
        if let [first, ..] = all(browser, selector).await.as_slice() {
            write(first, text).await;
        }
    }
    for tick in all(browser, TICKS).await {
        tick.click().await.expect("a box");
    }
}

/// Replaces what a field holds.
pub async fn write(field: &Element, text: &str) {
    field.clear().await.expect("a field");
    field.send_keys(text).await.expect("a field");
}

/// The field with that name.
pub async fn field(browser: &Browser, name: &str) -> Element {
    let selector = format!("[name='{name}']");
    browser.client.find(Locator::Css(&selector)).await.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Presses what leads on, and waits for another page or the same one anew.
pub async fn press(browser: &Browser, selector: &str) {
    let pressed = all(browser, selector).await;
    let [first, ..] = pressed.as_slice() else {
        panic!(
            "nothing to press at {} ({selector}), only {:?}",
            name(browser).await,
            names(&all(browser, "button").await).await
        )
    };
    browser.run("document.documentElement.dataset.left = 'yes'").await;
    first.click().await.expect("a click");
    loaded(browser).await;
}

/// Waits until the page that was left is gone and the next one is there whole.
pub async fn loaded(browser: &Browser) {
    let script = "return document.readyState === 'complete' && !document.documentElement.dataset.left";
    for _ in 0..400 {
        // In between there is no page to ask.
        if browser.client.execute(script, Vec::new()).await.is_ok_and(|there| there == true) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let state = browser
        .client
        .execute("return [location.href, document.readyState, document.documentElement.dataset.left || '']", Vec::new())
        .await;
    panic!("no next page after {}: {state:?}", name(browser).await);
}

/// The button that leads on.
pub const GO: &str = "button.go";

/// The button of the simulated identity.
pub fn outcome(word: &str) -> String {
    format!("button[value={word}]")
}
