//! One use of the identity on another device (rule: journeys/identity-on-another-device).
//!
//! An order begins at an instant of the world's clock. Its text names the step and that instant, sealed by the server, so nothing is
//! kept of it. Invariant: an order counts for its own link and step, from its instant on, for `LIFE`. Absent on purpose: what it
//! shows and does.

use axum::http::Uri;
use sim::records::JourneyStep;
use sim::time::{Instant, Millis};

use super::templates::ORDER;
use super::visit::Visit;

/// The page that waits.
pub const WAITING: &str = "waiting";
/// The page that the code opens.
pub const APP: &str = "app";
/// How long an order can be used.
const LIFE: Millis = Millis::minutes(3);

/// One use of the identity on another device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// What it identifies or signs for.
    pub step: JourneyStep,
    /// When it began, by the world's clock.
    pub began: Instant,
}

impl Order {
    /// The order that `text` names; none unless this server has made it for this link.
    #[must_use]
    pub fn read(visit: &Visit, text: &str) -> Option<Self> {
        let (facts, seal) = text.rsplit_once('.')?;
        let (step, began) = facts.split_once('.')?;
        let order = Self { step: JourneyStep::named(step)?, began: Instant::from_ms(began.parse().ok()?) };
        visit.app.worlds.form_token(&visit.token, &order.facts()).is(seal).then_some(order)
    }

    /// The order that an address names.
    #[must_use]
    pub fn of(visit: &Visit, uri: &Uri) -> Option<Self> {
        let query = uri.query().unwrap_or_default();
        let (_, text) = form_urlencoded::parse(query.as_bytes()).take(16).find(|(name, _)| name == ORDER)?;
        Self::read(visit, &text)
    }

    fn facts(&self) -> String {
        format!("{}.{}", self.step.name(), self.began.ms())
    }

    /// Its name, sealed. No page is called like its facts, so that no form's token is a seal.
    #[must_use]
    pub fn text(&self, visit: &Visit) -> String {
        let facts = self.facts();
        let seal = visit.app.worlds.form_token(&visit.token, &facts);
        format!("{facts}.{}", seal.reveal())
    }

    /// A page about it.
    #[must_use]
    pub fn link(&self, visit: &Visit, page: &str) -> String {
        format!("{}&{ORDER}={}", visit.link(page), self.text(visit))
    }

    /// When it is too late.
    #[must_use]
    pub const fn ends(&self) -> Instant {
        self.began.plus(LIFE)
    }

    /// Whether it is too late; an order from a future that was rewound is, too.
    #[must_use]
    pub fn is_over(&self, now: Instant) -> bool {
        now < self.began || self.ends() <= now
    }
}
