//! What a fault rule does: read, shown and described (rule: events/fault-rules).
//!
//! Owns: the five verdicts, each with an example that the description and every refusal show.
//! Absent on purpose: what a rule hits, and whether what it hits can meet the verdict.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use super::super::inspect::ENDINGS;
use deliveries::fault::DeliveryFault;
use feed::sockets::Ending;
use hosting::faults::FaultEffect;
use wire::json::Node;
use wire::rows::fields::{Cursor, FieldRow, Fields};
use wire::rows::shape::{Schemas, Shape, describe, integer, object, with_example};
use wire::words::of_words;

/// An example of each verdict: `answer`, `delay`, `drop`, `sockets`, `deliveries`.
const EXAMPLES: [&str; 5] = [
    r#"{"answer":{"status":503,"retryAfter":30}}"#,
    r#"{"delay":{"ms":2000}}"#,
    r#"{"drop":"after"}"#,
    r#"{"sockets":"close"}"#,
    r#"{"deliveries":"delay","ms":60000}"#,
];

/// Longest delay of a request or a delivery, in milliseconds.
const LONGEST_DELAY: u64 = 600_000;

/// How late a delivery comes when the rule does not name it, in milliseconds.
const USUAL_DELAY: u64 = 5_000;

/// Reads a verdict.
pub(super) fn read(cursor: Cursor<'_, '_>) -> Option<FaultEffect> {
    match cursor.node() {
        Node::Object(_) => cursor.object(|given| only(cursor, given)),
        other => cursor.wrong(format_args!("must be an object, not {}, as in {}", other.kind(), EXAMPLES[0])),
    }
}

/// The one effect of a rule; none and several are refused.
fn only(cursor: Cursor<'_, '_>, given: &mut Fields<'_, '_>) -> Option<FaultEffect> {
    let (all, ms) = verdicts(given)?;
    let mut given = all.into_iter().flatten();
    let (Some(verdict), None) = (given.next(), given.next()) else {
        let example = EXAMPLES[0];
        return cursor.wrong(format_args!(
            "must have exactly one of answer, delay, drop, sockets and deliveries, as in {example}"
        ));
    };
    let Some(span) = ms.map(Duration::from_millis) else { return Some(verdict) };
    match verdict {
        FaultEffect::Deliveries(DeliveryFault::Delay(_)) => Some(FaultEffect::Deliveries(DeliveryFault::Delay(span))),
        FaultEffect::Deliveries(DeliveryFault::Reorder(_)) => {
            Some(FaultEffect::Deliveries(DeliveryFault::Reorder(span)))
        }
        _ => cursor
            .wrong(format_args!("has ms only with deliveries that are to `delay` or `reorder`, as in {}", EXAMPLES[4])),
    }
}

/// What is done to sockets; of words that mean the same only the one that is shown.
const SOCKET_FAULTS: [&str; 5] = ["graceful", "close", "stall", "cutInFrame", "cap"];

fn ending_of(word: &str) -> Ending {
    ENDINGS.into_iter().find(|(known, _)| *known == word).map_or(Ending::Cut, |(_, ending)| ending)
}

/// What is done to deliveries, by its word; those that come late come as late as usual.
fn delivery_faults() -> [(&'static str, FaultEffect); 7] {
    let usual = Duration::from_millis(USUAL_DELAY);
    let all = [
        DeliveryFault::Refuse,
        DeliveryFault::Fail,
        DeliveryFault::Drop,
        DeliveryFault::Duplicate,
        DeliveryFault::Delay(usual),
        DeliveryFault::Reorder(usual),
        DeliveryFault::CorruptSignature,
    ];
    all.map(|fault| (fault.word(), FaultEffect::Deliveries(fault)))
}

/// Each verdict by its word as far as it is given, and the milliseconds of a late delivery.
fn verdicts(given: &mut Fields<'_, '_>) -> Option<([Option<FaultEffect>; 5], Option<u64>)> {
    let row = |name, about| FieldRow { name, about };
    let drop = [("before", FaultEffect::DropBefore), ("after", FaultEffect::DropAfter)];
    let sockets = SOCKET_FAULTS.map(|word| (word, FaultEffect::Sockets(ending_of(word))));
    let answer = given.optional(
        row("answer", "The server answers with this status instead."),
        with_example(EXAMPLES[0], object::<FaultAnswer>()),
    );
    let delay =
        given.optional(row("delay", "The answer comes late."), with_example(EXAMPLES[1], object::<FaultDelay>()));
    let about = "The connection breaks before or after the request is executed.";
    let drop = given.optional(row("drop", about), with_example(EXAMPLES[2], of_words(drop)));
    let about =
        "How event sockets close: with `match.event` the socket that is about to send such an event, otherwise all.";
    let sockets = given.optional(row("sockets", about), with_example(EXAMPLES[3], of_words(sockets)));
    let about = "What happens to callbacks and webhooks.";
    let deliveries = given.optional(row("deliveries", about), with_example(EXAMPLES[4], of_words(delivery_faults())));
    let about = "Milliseconds by which `delay` and `reorder` put a delivery off; 5000 when left out.";
    let ms = given.optional(row("ms", about), with_example(EXAMPLES[4], integer(1..=LONGEST_DELAY)));
    Some(([answer?, delay?, drop?, sockets?, deliveries?], ms?))
}

/// Describes a verdict, with an example of each.
pub(super) fn schema(known: &mut Schemas) -> RefOr<Schema> {
    let reference = describe::<FaultVerdict>(known);
    let described = known.iter_mut().find(|(name, _)| name == FaultVerdict::NAME);
    if let Some((_, RefOr::T(Schema::Object(object)))) = described {
        object.examples = EXAMPLES.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    }
    reference
}

/// What a rule does, for the description.
struct FaultVerdict;

impl Shape for FaultVerdict {
    type Value = ();
    const NAME: &'static str = "FaultVerdict";
    const ABOUT: &'static str = "Effect of a rule: exactly one of these.";

    fn rows(given: &mut Fields<'_, '_>) -> Option<()> {
        verdicts(given).map(drop)
    }
}

/// A status to answer with.
struct FaultAnswer;

impl Shape for FaultAnswer {
    type Value = FaultEffect;
    const NAME: &'static str = "FaultAnswer";
    const ABOUT: &'static str = "A status to answer with.";

    fn rows(given: &mut Fields<'_, '_>) -> Option<FaultEffect> {
        let status = given.required("status", integer(400..=599_u16));
        let after = FieldRow { name: "retryAfter", about: "Seconds for the header `retry-after`." };
        let retry_after = given.optional(after, integer(0..=u32::MAX));
        Some(FaultEffect::Answer(StatusCode::from_u16(status?).ok()?, retry_after?))
    }
}

/// Delay of an answer.
struct FaultDelay;

impl Shape for FaultDelay {
    type Value = FaultEffect;
    const NAME: &'static str = "FaultDelay";
    const ABOUT: &'static str = "Delay of an answer.";

    fn rows(given: &mut Fields<'_, '_>) -> Option<FaultEffect> {
        let ms = given.required("ms", integer(0..=LONGEST_DELAY));
        Some(FaultEffect::Delay(Duration::from_millis(ms?)))
    }
}

/// A verdict as it is shown: what `read` takes.
pub(super) fn shown(verdict: FaultEffect) -> Value {
    let millis = feed::transport::millis;
    match verdict {
        FaultEffect::Answer(status, retry_after) => {
            serde_json::json!({ "answer": { "status": status.as_u16(), "retryAfter": retry_after } })
        }
        FaultEffect::Delay(span) => serde_json::json!({ "delay": { "ms": millis(span) } }),
        FaultEffect::DropBefore => serde_json::json!({ "drop": "before" }),
        FaultEffect::DropAfter => serde_json::json!({ "drop": "after" }),
        FaultEffect::Sockets(ending) => {
            let word = ENDINGS.into_iter().find(|(_, known)| *known == ending).map(|(word, _)| word);
            serde_json::json!({ "sockets": word })
        }
        FaultEffect::Deliveries(fault @ (DeliveryFault::Delay(span) | DeliveryFault::Reorder(span))) => {
            serde_json::json!({ "deliveries": fault.word(), "ms": millis(span) })
        }
        FaultEffect::Deliveries(fault) => serde_json::json!({ "deliveries": fault.word() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::rows::fields::{self, Unknown};
    use wire::rows::shape::described;

    fn verdict_of(text: &str) -> Result<FaultEffect, String> {
        let body = format!(r#"{{"verdict":{text}}}"#);
        let node = Node::parse(body.as_bytes()).expect("a body");
        let rows = |given: &mut Fields<'_, '_>| given.required("verdict", described(read, schema));
        fields::read(&node, Unknown::Refused, rows).map_err(|refused| refused.description)
    }

    #[test]
    fn every_example_is_read_and_shown_as_written_and_is_in_the_rules() {
        let rules = include_str!("../../../../../docs/rules/events.md");
        for example in EXAMPLES {
            let shown = shown(verdict_of(example).expect(example)).to_string();
            assert_eq!(shown, example);
            assert!(rules.contains(&format!("`{example}`")), "docs/rules/events.md lacks {example}");
        }
    }

    #[test]
    fn a_verdict_that_cannot_be_read_is_refused_with_an_example_of_it() {
        for (given, problem) in [
            (r#"{"answer":503}"#, "verdict.answer must be an object, not a number, as in "),
            (r#"{"answer":{"status":200}}"#, "verdict.answer.status must lie between 400 and 599, as in "),
            (r#"{"delay":"2s"}"#, "verdict.delay must be an object, not a string, as in "),
            (r#"{"drop":"now"}"#, "verdict.drop must be one of `before` or `after`, as in "),
            (r#""drop""#, "verdict must be an object, not a string, as in "),
            (
                r#"{"answer":{"status":503,"retry_after":3}}"#,
                "verdict.answer.retry_after is not a known field, as in {\"answer\"",
            ),
            (r#"{"deliveries":"delay","ms":-5}"#, "verdict.ms must lie between 1 and 600000, as in {\"deliveries\""),
            (
                r#"{"sockets":"close","ms":5}"#,
                "verdict has ms only with deliveries that are to `delay` or `reorder`, as in ",
            ),
            (r#"{}"#, "verdict must have exactly one of answer, delay, drop, sockets and deliveries, as in "),
        ] {
            let refusal = verdict_of(given).expect_err(given);
            assert!(
                refusal.starts_with(problem) && EXAMPLES.iter().any(|example| refusal.ends_with(example)),
                "{refusal}"
            );
        }
    }
}
