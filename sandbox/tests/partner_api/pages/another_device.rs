//! The identity on another device: a code, a page that waits, an app, and a time limit by the world's clock
//! (rule: journeys/identity-on-another-device).

use super::{Api, PERSON, Page, Visitor, opening, pair};
use serde_json::{Value, json};

/// The address of a page in a link of this page.
fn link(page: &Page, name: &str) -> String {
    let links = page.text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut links = links.filter(|link| link.starts_with(&format!("{name}?lang=en")) && link.contains("order="));
    links.next().unwrap_or_else(|| panic!("no link to {name}: {}", page.text)).replace("&amp;", "&")
}

/// The page that waits, by way of the link on the page of the identity.
async fn waiting(visitor: &Visitor<'_>, step: &str) -> Page {
    let here = visitor.walk(step, &[]).await;
    assert!(here.text.contains("href=\"waiting?lang=en\""), "{}", here.text);
    let begun = visitor.see("waiting?lang=en").await;
    assert_eq!(begun.status, 303, "{}", begun.text);
    let page = visitor.see(begun.header("location")).await;
    page.check("waiting");
    page
}

async fn use_app(visitor: &Visitor<'_>, app: &str, outcome: &str) -> Page {
    let shown = visitor.see(app).await;
    shown.check("the app");
    assert_eq!(shown.status, 200, "{}", shown.text);
    let mut form = vec![pair("_person", "another"), pair("_number", PERSON), pair("_outcome", outcome)];
    form.push(pair("_form", &shown.token()));
    form.push(pair("order", &shown.hidden("order").expect("an order")));
    form.extend(shown.hidden("_shown").map(|shown| pair("_shown", &shown)));
    visitor.send("app", &form).await
}

#[tokio::test]
async fn a_page_waits_with_a_code_until_the_app_on_another_device_is_used() {
    let api = Api::new().await;
    let visitor = Visitor::of(&api, &opening(), "en").await;
    for step in ["authentication", "signing"] {
        let page = waiting(&visitor, step).await;
        assert!(page.status == 200 && page.text.contains("data:image/png;base64,"), "{}", page.text);
        assert!(page.text.contains("<noscript><meta http-equiv=\"refresh\""), "it looks again without scripts, too");
        let again = link(&page, "waiting");
        assert_eq!(visitor.see(&again).await.status, 200, "it waits");
        let used = use_app(&visitor, &link(&page, "app"), "sign").await;
        let done = visitor.see(used.header("location")).await;
        done.check("the app is done");
        assert!(done.text.contains("You are done here"), "{}", done.text);
        // The page that has waited continues.
        let on = visitor.see(&again).await;
        assert_eq!(on.leads_to(), if step == "signing" { "end" } else { "accountDetails" });
    }
    assert_eq!(visitor.status().await, (json!("complete"), Value::Null));
}

#[tokio::test]
async fn an_order_ends_after_three_minutes_of_the_worlds_clock_and_another_one_can_begin() {
    let api = Api::new().await;
    let visitor = Visitor::of(&api, &opening(), "en").await;
    let page = waiting(&visitor, "authentication").await;
    let (again, app) = (link(&page, "waiting"), link(&page, "app"));
    let shown = visitor.see(&app).await;
    let now = api.world.read(|world| world.now()).expect("a world");
    api.advance_to(&now.plus(sim::time::Millis::seconds(179)).to_string()).await;
    assert_eq!((visitor.see(&again).await.status, visitor.see(&app).await.status), (200, 200));
    api.advance_to(&now.plus(sim::time::Millis::minutes(3)).to_string()).await;
    for (path, words) in [(&again, "It took too long"), (&app, "The code is too old")] {
        let late = visitor.see(path).await;
        late.check(path);
        assert!(late.status == 410 && late.text.contains(words), "{}", late.text);
    }
    // A form that was open all the time changes nothing, either.
    let before = api.digest();
    let mut form = vec![pair("_person", "another"), pair("_number", PERSON), pair("_outcome", "sign")];
    form.extend([pair("_form", &shown.token()), pair("order", &shown.hidden("order").expect("an order"))]);
    assert_eq!(visitor.send("app", &form).await.status, 410);
    assert_eq!(api.digest(), before);
    let page = waiting(&visitor, "authentication").await;
    assert_eq!(use_app(&visitor, &link(&page, "app"), "sign").await.status, 303);
    assert_eq!(visitor.see(&link(&page, "waiting")).await.leads_to(), "accountDetails");
}

#[tokio::test]
async fn the_waiting_person_can_cancel_and_the_app_shows_it() {
    let api = Api::new().await;
    let visitor = Visitor::of(&api, &opening(), "en").await;
    let page = waiting(&visitor, "authentication").await;
    let canceled = vec![pair("_form", &page.token()), pair("_outcome", "abort")];
    let end = visitor.send("authentication", &canceled).await;
    assert_eq!(end.leads_to(), "end");
    assert_eq!(visitor.status().await, (json!("canceled"), json!("USER_ERROR")));
    let app = visitor.see(&link(&page, "app")).await;
    assert!(app.status == 200 && app.text.contains("You are done here"), "{}", app.text);
}

#[tokio::test]
async fn the_app_can_fail_and_ends_the_journey_as_on_this_device() {
    let api = Api::new().await;
    let visitor = Visitor::of(&api, &opening(), "en").await;
    let page = waiting(&visitor, "authentication").await;
    assert_eq!(use_app(&visitor, &link(&page, "app"), "fail").await.status, 303);
    assert_eq!(visitor.see(&link(&page, "waiting")).await.leads_to(), "end");
    assert_eq!(visitor.status().await, (json!("error"), json!("AUTH_ERROR")));
}

#[tokio::test]
async fn an_order_counts_for_its_own_link_step_and_instant_alone() {
    let api = Api::new().await;
    let (mine, other) = (Visitor::of(&api, &opening(), "en").await, Visitor::of(&api, &opening(), "en").await);
    other.walk("authentication", &[]).await;
    let page = waiting(&mine, "authentication").await;
    let app = link(&page, "app");
    let (path, order) = app.split_once("order=").expect("an order");
    let (facts, seal) = order.rsplit_once('.').expect("a seal");
    let (step, began) = facts.split_once('.').expect("an instant");
    let later = began.parse::<i64>().expect("milliseconds") + 60_000;
    let token = page.token();
    let forged = [
        format!("{step}.{later}.{seal}"),
        format!("signing.{began}.{seal}"),
        format!("{facts}.{token}"),
        String::new(),
    ];
    for order in forged {
        let answer = mine.see(&format!("{path}order={order}")).await;
        answer.check(&order);
        assert_eq!(answer.status, 404, "{order}");
    }
    assert_eq!(other.see(&app).await.status, 404, "another link's");
    assert_eq!(mine.see(&app).await.status, 200);
}
