//! Spans: what happens is within the span of the request that caused it, or within the worker or the clock of its world.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::Method;
use deliveries::testing::Inbox;
use hosting::clock::Mode;
use hosting::log::{DELIVERIES, EVENTS, REQUESTS};
use serde_json::json;
use surface::SurfaceConfig;
use testing::Now as _;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

use crate::testing::{Bench, request, subscribe};

/// Targets of events, each with the spans that it stood within as they were then.
#[derive(Clone, Default)]
struct Scopes(Arc<Mutex<Vec<(&'static str, String)>>>);

/// What a span has been given.
struct Given(String);

impl Visit for Given {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).expect("room");
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Scopes {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).expect("a span");
        let mut given = Given(span.name().to_owned());
        attributes.record(&mut given);
        span.extensions_mut().insert(given);
    }

    fn on_record(&self, id: &Id, record: &Record<'_>, context: Context<'_, S>) {
        let span = context.span(id).expect("a span");
        record.record(span.extensions_mut().get_mut::<Given>().expect("it was given something"));
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let spans = context.event_scope(event).into_iter().flatten();
        let spans: Vec<_> = spans.map(|span| span.extensions().get::<Given>().expect("given").0.clone()).collect();
        self.0.lock().expect("scopes").push((event.metadata().target(), spans.join(" in ")));
    }
}

impl Scopes {
    /// Those of `target` since it was last asked.
    fn take(&self, target: &str) -> Vec<String> {
        let all = std::mem::take(&mut *self.0.lock().expect("scopes"));
        all.into_iter().filter(|(known, _)| *known == target).map(|(_, spans)| spans).collect()
    }
}

/// (rule: wire/log)
#[tokio::test(start_paused = true)]
async fn what_happens_is_in_the_span_of_its_request_or_of_its_worlds_worker_or_clock() {
    let scopes = Scopes::default();
    let _subscribed = subscribe(tracing_subscriber::registry().with(scopes.clone()));
    let inbox = Inbox::new();
    let config = SurfaceConfig { egress_client: inbox.egress_client(), ..SurfaceConfig::default() };
    let bench = Bench::with(Mode::Frozen, config);
    let (token, scope) = (bench.token(0).await, bench.scope(0));
    let partner = scope.partner;
    let within = scopes.take(REQUESTS);
    assert_eq!(within.len(), 1, "{within:#?}");
    // Its world and partner are known only once it is answered.
    let known = format!(" world=world-1 partner={partner} route=\"/v2/partner/auth/token\" status=200 ");
    assert!(
        within[0].starts_with("request request_id=1 method=\"POST\" ") && within[0].contains(&known),
        "{within:#?}"
    );

    let client = scope.client.to_string();
    let hook = json!({ "client": client, "url": "http://receiver.test/hook" });
    let send = async |path: &str, body| bench.ask(request(Method::POST, path, Some(&token), Some(&body))).await;
    assert_eq!(send("/_sandbox/worlds/current/webhooks", hook).await.status, 200);
    scopes.take(REQUESTS);
    let opening = json!({ "clientId": client, "accountType": "isk", "cash": 5000 });
    assert_eq!(send("/simulations/account", opening).await.status, 200);
    let within = scopes.take(EVENTS);
    let span = format!(
        "request request_id=3 method=\"POST\" path=\"/simulations/account\" otel.kind=\"server\" world=world-1 partner={partner}"
    );
    assert!(!within.is_empty() && within.iter().all(|spans| *spans == span), "{within:#?}");

    tokio::time::sleep(Duration::from_secs(1)).await;
    let within = scopes.take(DELIVERIES);
    assert!(!within.is_empty() && within.iter().all(|spans| spans == "deliveries world=world-1"), "{within:#?}");

    let account = bench.account(0);
    bench.subscribe(0, account);
    bench.world.set_mode("1440".parse().expect("a factor")).now().expect("a world");
    scopes.take(EVENTS);
    tokio::time::sleep(Duration::from_secs(600)).await;
    let within = scopes.take(EVENTS);
    assert!(!within.is_empty() && within.iter().all(|spans| spans == "clock world=world-1"), "{within:#?}");
}
