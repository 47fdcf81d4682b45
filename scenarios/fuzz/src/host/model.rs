//! What a host must hold beside a world: settings, rules, webhooks, snapshots, and the past.
//!
//! Invariant: everything here follows from what was asked, and from the settings that a new world begins with (rule:
//! calendar/what-goes-back, events/fault-rules, events/deliveries-and-resets). Absent on purpose: requests.

use crate::story::Moment;
use language::ast::Actor;
use serde_json::{Value as Json, json};
use sim::records::Permissions;
use sim::settings::Settings;
use sim::time::{Instant, Millis};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Settings of the surface that are changed, with their values.
pub(super) const SURFACE: &[(&str, [i64; 2])] = &[
    ("heartbeatSeconds", [30, 45]),
    ("tokenLifeSeconds", [3_600, 7_200]),
    ("requestsKept", [1_000, 900]),
    ("tokensPerPartner", [100_000, 90_000]),
    ("socketsPerClient", [100, 90]),
];

/// Where a setting is.
type Setting = fn(&mut Settings) -> &mut Millis;
/// Where a permission is.
type Permission = fn(&mut Permissions) -> &mut bool;

/// Settings of the world that are changed, with their values in milliseconds.
pub(super) const WORLD: &[(&str, [i64; 3], Setting)] = &[
    ("acceptanceDelayMs", [1_000, 0, 5_000], |settings| &mut settings.acceptance_delay),
    ("routingDelayMs", [60_000, 0, 600_000], |settings| &mut settings.routing_delay),
    ("confirmationDelayMs", [300_000, 0, 3_600_000], |settings| &mut settings.confirmation_delay),
];

/// Permissions that are changed.
pub(super) const PERMISSIONS: &[(&str, Permission)] = &[
    ("withdrawals", |permissions| &mut permissions.withdrawals),
    ("transfers", |permissions| &mut permissions.transfers),
    ("autogiro", |permissions| &mut permissions.autogiro),
    ("mobilePayment", |permissions| &mut permissions.mobile_payment),
];

/// Settings that only the operator decides: going back leaves them as they are.
const OPERATORS: &[&str] = &["operatorMarket", "partnersMay", "allowlist"];

/// How a clock is set going: world seconds for each second, and for how many seconds.
pub(super) const PACES: &[(i64, u64)] = &[(1, 3), (60, 5), (3_600, 7), (86_400, 3), (1_000_000, 2)];

/// One change of something, as an explanation shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChangeSeen {
    pub(super) at: Instant,
    /// The type of its event.
    pub(super) event: String,
    /// The timer that made it, where one did.
    pub(super) timer: Option<String>,
}

impl ChangeSeen {
    /// In words.
    pub(super) fn shown(&self) -> String {
        let by = self.timer.as_deref().unwrap_or("the input");
        format!("{} at {} by {by}", self.event, self.at)
    }
}

/// Something that was made by a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) id: Uuid,
    /// Whose it is.
    pub(super) actor: Actor,
    /// The number of the input that made it.
    pub(super) input: u64,
    /// The command, in the program's words.
    pub(super) command: &'static str,
}

/// A rule that answers 503 to reads of plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) id: u64,
    pub(super) times: u64,
    pub(super) hits: u64,
}

/// A webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Webhook {
    pub(super) id: String,
    /// The number of its partner, who alone sees it.
    pub(super) partner: usize,
    pub(super) client: String,
    pub(super) url: String,
    pub(super) events: Json,
    pub(super) enabled: bool,
}

/// A moment of the world, and what goes back with it.
#[derive(Clone)]
pub(super) struct Past {
    /// The number of the last input.
    pub(super) input: u64,
    pub(super) at: Instant,
    pub(super) moment: Moment,
    pub(super) settings: Json,
    /// How many steps the story had then.
    pub(super) steps: usize,
    /// What was made by then, oldest first.
    pub(super) made: Vec<Made>,
    /// What had changed by then, in order.
    pub(super) changes: BTreeMap<Uuid, Vec<ChangeSeen>>,
}

/// What a host must hold.
#[derive(Clone, Default)]
pub(super) struct Host {
    pub(super) settings: Json,
    pub(super) rules: Vec<Rule>,
    pub(super) webhooks: Vec<Webhook>,
    /// With the line that led to each.
    pub(super) snapshots: Vec<(String, Vec<Past>)>,
    /// The moments on the line to the present, the present included.
    pub(super) past: Vec<Past>,
    /// Sockets that are open.
    pub(super) sockets: usize,
    /// What was made on the line to the present, oldest first.
    pub(super) made: Vec<Made>,
    /// What has changed on it, in order.
    pub(super) changes: BTreeMap<Uuid, Vec<ChangeSeen>>,
}

impl Host {
    /// A change of settings, as the operator sends it.
    pub(super) fn set(&mut self, patch: &Json) {
        merge(&mut self.settings, patch);
    }

    /// The world is put back to `past`.
    pub(super) fn goes_back(&mut self, past: &Past) {
        self.settings = self.settings_after(past);
        self.rules.iter_mut().for_each(|rule| rule.hits = 0);
        self.sockets = 0;
        self.made.clone_from(&past.made);
        self.changes.clone_from(&past.changes);
    }

    /// The settings of a world that is as it was then.
    pub(super) fn settings_after(&self, past: &Past) -> Json {
        let mut settings = past.settings.clone();
        for name in OPERATORS {
            settings[*name] = self.settings[*name].clone();
        }
        settings
    }

    /// Whether it holds anything beside its world that goes its own way where that is put back or forked.
    pub(super) fn holds_anything(&self) -> bool {
        !self.rules.is_empty() || !self.webhooks.is_empty() || self.sockets > 0
    }

    /// Whether a rule would hit the next read of plans.
    pub(super) fn may_hit(&self) -> bool {
        self.rules.iter().any(|rule| rule.hits < rule.times)
    }

    /// Whether a rule hits the next read of plans; it counts.
    pub(super) fn hit(&mut self) -> bool {
        let standing = self.rules.iter_mut().find(|rule| rule.hits < rule.times);
        standing.map(|rule| rule.hits += 1).is_some()
    }

    /// The moment so many before the present one.
    pub(super) fn back(&self, back: u8) -> Option<Past> {
        self.past.len().checked_sub(1 + usize::from(back)).map(|place| self.past[place].clone())
    }

    /// The last moment of its instant: what an instant names.
    pub(super) fn last_of_its_instant(&self, past: &Past) -> Past {
        self.past.iter().rev().find(|other| other.at == past.at).unwrap_or(past).clone()
    }

    /// The moments that led to `past`, it included.
    pub(super) fn line_to(&self, past: &Past) -> Vec<Past> {
        let place = self.past.iter().position(|other| other.input == past.input).unwrap_or(self.past.len() - 1);
        self.past[..=place].to_vec()
    }

    /// Rules as the operator lists them.
    pub(super) fn rules_shown(&self) -> Vec<Json> {
        self.rules.iter().map(|rule| json!({ "id": rule.id, "hits": rule.hits })).collect()
    }

    /// Webhooks as their partner lists them.
    pub(super) fn webhooks_shown(&self, partner: usize) -> Vec<Json> {
        let shown = |hook: &Webhook| {
            let Webhook { id, partner: _, client, url, events, enabled } = hook;
            json!({ "id": id, "client": client, "url": url, "events": events, "enabled": enabled })
        };
        self.webhooks.iter().filter(|hook| hook.partner == partner).map(shown).collect()
    }
}

/// Puts what `patch` says over `settings`.
fn merge(settings: &mut Json, patch: &Json) {
    match patch {
        Json::Object(fields) => fields.iter().for_each(|(name, value)| merge(&mut settings[name.as_str()], value)),
        value => *settings = value.clone(),
    }
}
