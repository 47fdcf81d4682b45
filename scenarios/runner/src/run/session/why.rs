//! Why what a failed step speaks of is as it is, asked at the moment of the failure.
//!
//! Invariant: asking changes nothing that a story can see. Absent on purpose: how it is shown (`report`).

use super::Session;
use hyper::Method;
use language::ast::{Act, EventPattern, Expect, Move, StoryStep};
use language::template::{fill_ref, fill_text};
use serde_json::{Value as Json, json};

/// Resources whose changes a failure shows.
const MOST_WHYS: usize = 8;
/// Changes of each of them: the first, and as many of the last.
const MOST_CHANGES: usize = 100;
/// Changes that the server is asked for.
const ASKED: usize = 1_000;

impl Session {
    /// How what a step speaks of came to be as it is; nothing while the server cannot be asked, or of what it does not know.
    pub(crate) async fn why(&mut self, step: &StoryStep) -> Vec<(String, Json)> {
        let mut found = Vec::new();
        if self.is_offline() || self.foreign.is_some() {
            return found;
        }
        for (name, id) in self.spoken_of(step) {
            if found.len() >= MOST_WHYS {
                break;
            }
            let explained = if self.joined.is_some() {
                self.own("GET", &format!("why/{id}?limit={ASKED}"), &Json::Null).await
            } else {
                let path = format!("/_sandbox/worlds/{}/why/{id}?limit={ASKED}", self.world);
                self.operator(Method::GET, &path, &Json::Null).await
            };
            if let Ok(mut explained) = explained {
                leave_out_the_middle(&mut explained);
                found.push((name, explained));
            }
        }
        found
    }

    /// Names and ids of the resources that a step speaks of: those that it names, the one that is waited for, and where an
    /// event is expected that names none, the one of the latest event of that noun.
    fn spoken_of(&self, step: &StoryStep) -> Vec<(String, String)> {
        let mut found = self.names.named_in(&language::write::write_step(step));
        let more = match &step.act {
            Act::Advance(Move::Until { of, .. } | Move::Settlement(of)) => {
                fill_ref(of, &self.names).ok().map(|id| (of.clone(), id))
            }
            Act::Expect(Expect::Events { events, .. }) if found.is_empty() => {
                events.iter().rev().find_map(|pattern| self.latest_like(pattern))
            }
            _ => None,
        };
        found.extend(more.filter(|(_, id)| !found.iter().any(|(_, known)| known == id)));
        found
    }

    /// What the latest event of a pattern's noun is about.
    fn latest_like(&self, pattern: &EventPattern) -> Option<(String, String)> {
        let kind = fill_text(&pattern.kind, &self.names).ok()?;
        let (noun, _) = kind.split_once('.')?;
        let is_like =
            |frame: &Json| frame["eventType"].as_str().is_some_and(|kind| kind.split('.').next() == Some(noun));
        let latest = self.inbox.iter().rev().find(|event| is_like(&event.frame))?;
        let payload = &latest.frame["payload"];
        let id = payload["current"]["id"].as_str().or_else(|| payload["previous"]["id"].as_str())?;
        let name = self.names.by_id().remove(id).unwrap_or_else(|| format!("the {noun}"));
        Some((name, id.to_owned()))
    }
}

/// Leaves the first change, with which it began, and the last ones; says how many are left out between.
fn leave_out_the_middle(explained: &mut Json) {
    let total = explained["total"].as_u64().unwrap_or_default();
    let Some(changes) = explained["changes"].as_array_mut() else { return };
    if changes.len() > MOST_CHANGES {
        changes.drain(1..changes.len() + 1 - MOST_CHANGES);
    }
    let left_out = total.saturating_sub(changes.len() as u64);
    if left_out > 0 {
        explained["leftOut"] = json!(left_out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_change_with_which_it_began_is_shown_beside_the_last_ones() {
        let most = MOST_CHANGES as u64;
        let with_a_gap: Vec<u64> = std::iter::once(1).chain(6..=most + 4).collect();
        for (total, kept, left_out) in [(5, vec![1, 2, 3, 4, 5], None), (most + 4, with_a_gap, Some(4))] {
            let mut explained = json!({ "total": total, "changes": (1..=total).collect::<Vec<_>>() });
            leave_out_the_middle(&mut explained);
            assert_eq!(
                (&explained["changes"], explained.get("leftOut").and_then(Json::as_u64)),
                (&json!(kept), left_out)
            );
        }
    }
}
