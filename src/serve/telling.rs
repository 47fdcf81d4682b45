//! Who is told what happens in this process: the printer of lines.
//!
//! Invariant: a process says once, before its first request, who listens. Absent on purpose: what is told, and how it is written.

use super::config::Config;
use super::printer::Printer;
use sandbox::hosting::metrics::Metrics;
use sandbox::hosting::transport::TransportClock;
use tracing::Subscriber;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry;

/// Those who listen.
pub(super) struct Telling {
    printer: Printer,
}

impl Telling {
    /// Has them listen from here on.
    ///
    /// # Errors
    /// Why spans cannot be exported as it was asked for.
    pub(super) fn begin(config: &Config, clock: TransportClock, metrics: Metrics) -> Result<Self, String> {
        let (printer, lines) = Printer::start(&config.log_level, config.log_format, clock, metrics);
        let wanted = config.log_level.clone();
        if let Some(lines) = lines {
            subscribe(registry().with(wanted).with(lines));
        }
        Ok(Self { printer })
    }

    /// Waits a little until they have what was told so far.
    pub(super) fn finish(&self) {
        self.printer.finish();
    }
}

fn subscribe(subscriber: impl Subscriber + Send + Sync) {
    // A process serves once: nobody has subscribed before.
    tracing::subscriber::set_global_default(subscriber).unwrap_or_default();
}
