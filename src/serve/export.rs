//! Where the spans of requests go: to a collector, over HTTP, by the protocol of OpenTelemetry.
//!
//! Owns: the client that posts them, which goes by the server's runtime and the TLS that is there. Invariant: who answers a request
//! never waits for a collector: spans wait in a bounded queue, and what has no room there is left out. Absent on purpose: lines of
//! the log and figures, which others collect.

use axum::body::Bytes;
use axum::http::{Request, Response};
use deliveries::trust::Trust;
use hosting::log::{REQUESTS, SERVER};
use http_body_util::{BodyExt as _, Full};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use std::env;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

/// Where spans go; without it none are made.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];

/// How long the last spans may take when the program ends.
const LAST: Duration = Duration::from_secs(2);

/// The export of a process.
pub(super) struct Export(SdkTracerProvider);

impl Export {
    /// Begins one where the environment names a collector. To be called where there is a runtime.
    ///
    /// # Errors
    /// Why spans cannot be sent there.
    pub(super) fn begin(trust: &Trust) -> Result<Option<Self>, String> {
        let is_named = |name: &&'static str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let Some(name) = ENDPOINTS.into_iter().find(is_named) else { return Ok(None) };
        let why = |error: &dyn std::fmt::Display| format!("{name}: {error}");
        let exporter = SpanExporter::builder().with_http().with_http_client(Posting::new(trust)).build();
        let exporter = exporter.map_err(|error| why(&error))?;
        let resource = Resource::builder();
        let resource = match env::var_os("OTEL_SERVICE_NAME") {
            Some(_) => resource,
            None => resource.with_service_name("fundsim"),
        };
        let provider =
            SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build();
        Ok(Some(Self(provider)))
    }

    /// Takes the spans of requests.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        let is_request = |metadata: &Metadata<'_>| metadata.is_span() && metadata.target() == REQUESTS;
        let layer = tracing_opentelemetry::layer().with_tracer(self.0.tracer("fundsim"));
        // A span that is not begun as a context may still be given a name: that of its route, once it is known.
        let layer = layer.with_context_activation(false);
        let layer = layer.with_location(false).with_threads(false).with_tracked_inactivity(false).with_target(false);
        layer.with_filter(filter_fn(is_request))
    }

    /// Waits a little until what was logged so far is sent.
    pub(super) fn finish(&self) {
        // Spans that nobody takes in time are lost with the process.
        drop(self.0.shutdown_with_timeout(LAST));
    }
}

/// Posts on the server's runtime: batches are made on a thread of their own, which has none.
#[derive(Debug)]
struct Posting {
    runtime: Handle,
    /// Whether the last batch was not taken, which is logged once.
    fails: Arc<AtomicBool>,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl Posting {
    fn new(trust: &Trust) -> Self {
        let config = (*trust.client_config()).clone();
        let connector = HttpsConnectorBuilder::new().with_tls_config(config).https_or_http().enable_http1().build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Self { runtime: Handle::current(), fails: Arc::default(), client }
    }
}

impl HttpClient for Posting {
    fn send_bytes<'client, 'sending>(
        &'client self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'sending>>
    where
        'client: 'sending,
        Self: 'sending,
    {
        let client = self.client.clone();
        let sending = self.runtime.spawn(async move {
            let (head, body) = client.request(request.map(Full::new)).await?.into_parts();
            Ok(Response::from_parts(head, body.collect().await?.to_bytes()))
        });
        let fails = Arc::clone(&self.fails);
        Box::pin(async move {
            let sent: Result<Response<Bytes>, HttpError> = sending.await.map_err(Into::into).and_then(|sent| sent);
            let why = match &sent {
                Ok(answer) if answer.status().is_success() => None,
                Ok(answer) => Some(format!("it answers {}", answer.status())),
                Err(error) => Some(error.to_string()),
            };
            if fails.swap(why.is_some(), Ordering::Relaxed) {
                return sent;
            }
            if let Some(why) = why {
                tracing::warn!(target: SERVER, "the collector of spans takes none: {why}");
            }
            sent
        })
    }
}
