//! What all handlers share.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::{HeaderMap, Uri};
use sim::time::Instant;

use crate::admission::{Admission, HostNames};
use crate::reference::Reference;
use deliveries::egress_client::EgressClient;
use deliveries::reach::{Reach, proxy_header};
use feed::transport::Limits;
use hosting::clock::Mode;
use hosting::guesses::Guesses;
use hosting::log::SERVER;
use hosting::long_work::LongWork;
use hosting::memory::Memory;
use hosting::recording::ScenarioWriter;
use hosting::secrets::Secret;
use hosting::telemetry::Telemetry;
use hosting::worlds::{WorldBounds, Worlds};
use wire::error::ApiError;

/// Proxies ask these; the answers hold no secrets.
const HEALTH_PATHS: [&str; 2] = ["/healthz", "/readyz"];

/// How the surface presents itself.
#[derive(Clone, Debug)]
pub struct SurfaceConfig {
    /// Bounds and periods of connections.
    pub limits: Limits,
    /// What links begin with, without a slash at the end.
    pub public_url: String,
    /// Opens `/_sandbox`; without one it is open to everybody who can reach it.
    pub operator_token: Option<Secret>,
    /// Whether others than this machine can reach the server; shared with the egress rule.
    pub reach: Reach,
    /// Whether others may reach a server without an operator's token.
    pub open: bool,
    /// The log and the metrics.
    pub telemetry: Telemetry,
    /// How time passes in worlds that are made without saying so.
    pub default_clock: Mode,
    /// How callbacks and webhooks leave.
    pub egress_client: EgressClient,
    /// How many worlds may exist, and for how long unused ones do.
    pub worlds: WorldBounds,
    /// What the server is called, beside the public URL's host.
    pub hosts: HostNames,
    /// Writes what a world has seen as a scenario; without it the server cannot.
    pub scenario_writer: Option<ScenarioWriter>,
    /// Makes the pages of the reference; without it the guide has none.
    pub reference: Option<Reference>,
    /// Where long calculations are carried out; a run that has to be the same twice has them on the spot.
    pub long_work: LongWork,
    /// How much memory worlds may take.
    pub memory: Memory,
}

impl SurfaceConfig {
    /// Reads what links are to begin with; slashes at the end are dropped. A path is kept: some proxies cut it off.
    ///
    /// # Errors
    /// What is wrong, in words, with anything but an http or https URL without user, query and fragment.
    pub fn read_public_url(text: &str) -> Result<String, String> {
        let is_fit = |uri: &Uri| {
            matches!(uri.scheme_str(), Some("http" | "https"))
                && uri.host().is_some_and(|host| !host.is_empty())
                && uri.authority().is_some_and(|authority| !authority.as_str().contains('@'))
                && uri.query().is_none()
                && !text.contains('#')
        };
        match text.parse::<Uri>() {
            Ok(uri) if is_fit(&uri) => Ok(text.trim_end_matches('/').to_owned()),
            _ => Err(format!("the public URL must be an http or https URL without query and fragment, not `{text}`")),
        }
    }
}

impl Default for SurfaceConfig {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            public_url: "http://127.0.0.1:8080".to_owned(),
            operator_token: None,
            reach: Reach::default(),
            open: false,
            telemetry: Telemetry::default(),
            default_clock: Mode::Frozen,
            egress_client: EgressClient::default(),
            worlds: WorldBounds::default(),
            hosts: HostNames::default(),
            scenario_writer: None,
            reference: None,
            long_work: LongWork::OnTheSpot,
            memory: Memory::default(),
        }
    }
}

/// State of every handler. Clones share it.
#[derive(Clone, Debug)]
pub struct App {
    shared: Arc<Shared>,
}

/// The parts of `App`.
#[derive(Debug)]
pub struct Shared {
    /// The worlds.
    pub worlds: Worlds,
    /// Bounds and periods of connections.
    pub limits: Limits,
    /// What links begin with, without a slash at the end.
    pub public_url: String,
    /// Opens `/_sandbox`.
    pub operator_token: Option<Secret>,
    /// Wrong secrets that have been shown.
    pub guesses: Guesses,
    /// Whether others than this machine can reach the server.
    pub reach: Reach,
    /// Whether others may reach a server without an operator's token.
    pub open: bool,
    /// The log and the metrics.
    pub telemetry: Telemetry,
    /// How time passes in worlds that are made without saying so.
    pub default_clock: Mode,
    /// Which requests are looked at.
    pub admission: Admission,
    /// Writes what a world has seen as a scenario.
    pub scenario_writer: Option<ScenarioWriter>,
    /// Makes the pages of the reference.
    pub reference: Option<Reference>,
    closing: AtomicBool,
}

impl App {
    /// The state of a surface over `worlds`.
    #[must_use]
    pub fn new(worlds: Worlds, config: SurfaceConfig) -> Self {
        let SurfaceConfig { limits, public_url, operator_token, telemetry, default_clock, egress_client, .. } = config;
        let SurfaceConfig { worlds: bounds, hosts, scenario_writer, long_work, memory, reach, open, reference, .. } =
            config;
        worlds.set_work(long_work);
        worlds.set_memory(memory);
        worlds.set_bounds(bounds);
        worlds.set_public_url(&public_url);
        worlds.observe(telemetry.clone());
        worlds.open_egress(egress_client);
        let closing = AtomicBool::new(false);
        let admission = Admission::new(hosts, &public_url);
        let shared = Shared {
            worlds,
            limits,
            public_url,
            operator_token,
            guesses: Guesses::default(),
            reach,
            open,
            telemetry,
            default_clock,
            admission,
            scenario_writer,
            reference,
            closing,
        };
        Self { shared: Arc::new(shared) }
    }

    /// Lets a request pass that no proxy sent, and one of a proxy where others may reach the server. From the first of those
    /// on, the server counts as one that others can reach (rule: auth/reachable-by-others).
    ///
    /// # Errors
    /// 403 for a request of a proxy to a server without an operator's token that was not opened to others.
    pub(crate) fn admit_proxied(&self, path: &str, headers: &HeaderMap) -> Result<(), ApiError> {
        let Some(header) = proxy_header(headers) else { return Ok(()) };
        if HEALTH_PATHS.contains(&path) {
            return Ok(());
        }
        if self.operator_token.is_none() && !self.open {
            return Err(ApiError::forbidden(format!(
                "the header {header} shows that others can reach this server through a proxy, and it has no operator's token; \
                 start `fundsim serve` with --operator-token-env NAME, or with --open"
            )));
        }
        if self.reach.found() {
            tracing::warn!(
                target: SERVER,
                "a request with the header {header}: others can reach this server, so callbacks and webhooks go to public \
                 addresses only"
            );
        }
        Ok(())
    }

    /// Whether every caller is the operator, since only this machine reaches the server.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.operator_token.is_none() && !self.reach.is_by_others()
    }

    /// Business time for a world that starts now: what transport time shows.
    #[must_use]
    pub fn present(&self) -> Instant {
        Instant::from_ms(i64::try_from(self.worlds.clock().now().0).unwrap_or(i64::MAX))
    }

    /// Whether the process is about to stop.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Acquire)
    }

    pub(crate) fn begin_closing(&self) {
        self.closing.store(true, Ordering::Release);
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_begin_with_an_http_url_and_nothing_else() {
        for (text, read) in [
            ("http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            ("https://sandbox.example/", Some("https://sandbox.example")),
            ("https://sandbox.example/funds/", Some("https://sandbox.example/funds")),
            ("HTTP://[::1]:80", Some("HTTP://[::1]:80")),
            ("zz", None),
            ("", None),
            ("/", None),
            ("//sandbox.example", None),
            ("sandbox.example:80", None),
            ("http://", None),
            ("http:///path", None),
            ("ftp://sandbox.example", None),
            ("http://user@sandbox.example", None),
            ("http://sandbox.example?a=1", None),
            ("http://sandbox.example/#a", None),
            ("http://sand box.example", None),
        ] {
            let refused = SurfaceConfig::read_public_url(text);
            assert_eq!(refused.as_deref().ok(), read, "{text}: {refused:?}");
        }
    }
}
