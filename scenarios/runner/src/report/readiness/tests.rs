//! A server's answer as text and as a page.

use super::*;
use serde_json::json;

fn coverage() -> Coverage {
    let advance = json!({
        "operation": "advance", "method": "POST", "path": "/_sandbox/worlds/{worldId}/clock/advance",
        "about": "Advance the clock", "body": { "until": "cutOff" },
    });
    let read = json!({
        "operation": "readOrder", "method": "GET", "path": "/v2/partner/client/{clientId}/order/{orderId}",
        "about": "Read an order",
    });
    let never = |of: &str, what: &str, tries: Json| json!({ "of": of, "what": what, "try": tries });
    let many: Vec<_> = (0..12).map(|at| never("order", &format!("State{at}"), json!([advance]))).collect();
    Coverage::read(json!({
        "at": "2026-03-02T07:00:00.000Z", "partners": ["p-1"], "share": 41, "met": 3, "rows": 17,
        "groups": [
            {
                "name": "answers", "about": "Statuses.", "share": 50,
                "never": [never("GET /v2/partner/client/{clientId}/order/{orderId}", "400", json!([read]))],
                "met": [{ "of": "GET /v2/partner/client/{clientId}/order/{orderId}", "what": "200", "count": 12 }],
            },
            {
                "name": "moves", "about": "Rows.", "share": 50,
                "never": [{
                    "of": "order", "what": "Pending on CutOff -> Aggregated",
                    "about": "Pending was entered 2 times and never left", "try": [advance],
                }],
                "met": [{ "of": "order", "what": "Received on Accept -> Pending", "count": 2 }],
            },
            {
                "name": "states", "about": "States.", "share": 7, "never": many,
                "met": [{ "of": "order", "what": "<Received>", "count": 2, "about": "so to say" }],
            },
        ],
    }))
    .expect("a coverage")
}

/// (rule: wire/coverage)
#[test]
fn the_text_has_the_shares_and_then_what_was_never_met_with_words_of_stories() {
    let text = text(&coverage(), "world-1", false);
    assert!(
        text.starts_with("41 % ready: 3 of 17 met in world-1 at 2026-03-02T07:00:00.000Z\npartner p-1\n"),
        "{text}"
    );
    assert!(text.contains("  answers      50 %    1 of   2  Statuses.\n"), "{text}");
    let row = "  order: Pending on CutOff -> Aggregated\n      Pending was entered 2 times and never left\n      \
               try `advance` (POST /_sandbox/worlds/{worldId}/clock/advance {\"until\":\"cutOff\"})\n";
    assert!(text.contains(row), "{text}");
    assert!(
        text.contains("  GET /v2/partner/client/{clientId}/order/{orderId}: 400\n\nmoves"),
        "a row names itself once: {text}"
    );
    assert!(text.contains("State7") && !text.contains("State8") && text.ends_with("  ... 4 more; --all shows them\n"));
    assert!(super::text(&coverage(), "world-1", true).contains("State11"));
}

/// (rule: wire/coverage)
#[test]
fn the_page_fetches_nothing_shows_every_row_and_marks_a_share_that_is_too_small() {
    let about = |wanted| html::About { world: "world-1", url: "http://127.0.0.1:1", version: "1", wanted };
    let page = html::page(&coverage(), &about(Some(60)));
    assert!(page.contains("default-src 'none'") && !page.contains("<script") && !page.contains("src="));
    assert!(
        page.contains(r#"<dd class="bad">60 %</dd>"#)
            && !html::page(&coverage(), &about(Some(41))).contains(r#"class="bad""#)
    );
    assert!(page.find("Never met") < page.find(r#"<section id="answers">"#), "what was never met comes first");
    assert!((0..12).all(|at| page.contains(&format!("State{at}<"))), "every row is there");
    assert!(page.contains("&lt;Received&gt;") && page.contains(r#"title="Pending on CutOff -&gt; Aggregated">0</td>"#));
    assert!(page.contains(r#"<td class="heat-2">12</td>"#), "a count has the shade of its magnitude");
}

#[test]
fn an_answer_that_is_none_is_named() {
    let fault = Coverage::read(json!({ "share": "much" })).expect_err("no coverage");
    assert!(fault.starts_with("it cannot be read as coverage of a world: "), "{fault}");
}
