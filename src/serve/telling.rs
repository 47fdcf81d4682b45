//! Who receives what happens in this process: the printer of lines, and a collector of spans where there is one.
//!
//! Invariant: a process decides once, before its first request, who listens. Absent on purpose: what is logged, and how it is
//! written.

use super::config::Config;
#[cfg(feature = "otel")]
use super::export::Export;
use super::printer::Printer;
use feed::transport::TransportClock;
use hosting::metrics::Metrics;
use tracing::Subscriber;
#[cfg(feature = "otel")]
use tracing_subscriber::Layer as _;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry;

/// Those who listen.
pub(super) struct Telling {
    printer: Printer,
    #[cfg(feature = "otel")]
    export: Option<Export>,
}

impl Telling {
    /// Has them listen from here on.
    ///
    /// # Errors
    /// Why spans cannot be exported as it was asked for.
    pub(super) fn begin(config: &Config, clock: TransportClock, metrics: Metrics) -> Result<Self, String> {
        let (printer, lines) = Printer::start(&config.log_level, config.log_format, clock, metrics);
        let wanted = config.log_level.clone();
        #[cfg(feature = "otel")]
        if let Some(export) = Export::begin(&config.trust)? {
            let lines = lines.map(|lines| lines.with_filter(wanted));
            subscribe(registry().with(lines).with(export.layer()));
            return Ok(Self { printer, export: Some(export) });
        }
        if let Some(lines) = lines {
            subscribe(registry().with(wanted).with(lines));
        }
        Ok(Self {
            printer,
            #[cfg(feature = "otel")]
            export: None,
        })
    }

    /// Waits a little until they have what was logged so far.
    pub(super) fn finish(&self) {
        #[cfg(feature = "otel")]
        if let Some(export) = &self.export {
            export.finish();
        }
        self.printer.finish();
    }
}

fn subscribe(subscriber: impl Subscriber + Send + Sync) {
    // A process serves once: nobody has subscribed before.
    tracing::subscriber::set_global_default(subscriber).unwrap_or_default();
}
