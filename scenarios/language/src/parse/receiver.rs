//! How the partner's own server takes posts.

use super::reader::Reader;
use crate::ast::ReceiverBehaviour;
use crate::tree::Node;
use crate::words::{self, RECEIVER_BEHAVIOURS};

/// How the partner's server behaves.
pub(super) fn receiver(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<ReceiverBehaviour>> {
    let items = reader.one_or_many(node);
    if items.is_empty() {
        reader.fault(&node.span, "how does the receiver behave?").hint = words::hint("", RECEIVER_BEHAVIOURS);
        return None;
    }
    items.iter().map(|item| behaviour(reader, item)).collect()
}

fn behaviour(reader: &mut Reader<'_>, node: &Node) -> Option<ReceiverBehaviour> {
    let text = reader.text(node, "the receiver's behaviour")?;
    let found = match text.as_str() {
        "is down" => Some(ReceiverBehaviour::Down),
        "recovers" => Some(ReceiverBehaviour::Answers(200)),
        "redirects" => Some(ReceiverBehaviour::Redirects),
        "hangs" => Some(ReceiverBehaviour::Hangs),
        "closes" => Some(ReceiverBehaviour::Closes),
        "dribbles" => Some(ReceiverBehaviour::Dribbles),
        "floods" => Some(ReceiverBehaviour::Floods),
        other => other.strip_prefix("answers ").and_then(answering),
    };
    if found.is_none() {
        reader.fault(&node.span, format!("a receiver never `{text}`")).hint = words::hint(&text, RECEIVER_BEHAVIOURS);
    }
    found
}

/// `503`, `200 after 11 seconds`.
fn answering(text: &str) -> Option<ReceiverBehaviour> {
    let (status, after) = text.split_once(" after ").map_or((text, None), |(status, after)| (status, Some(after)));
    let status = status.parse().ok().filter(|status| (200..600).contains(status))?;
    let Some(after) = after else { return Some(ReceiverBehaviour::Answers(status)) };
    let (count, unit) = after.split_once(' ')?;
    let ms = match unit.strip_suffix('s').unwrap_or(unit) {
        "minute" => 60_000,
        "second" => 1_000,
        "millisecond" => 1,
        _ => return None,
    };
    let ms = count.parse::<u32>().ok()?.checked_mul(ms).filter(|ms| *ms <= 600_000)?;
    Some(ReceiverBehaviour::Slow(status, ms))
}
