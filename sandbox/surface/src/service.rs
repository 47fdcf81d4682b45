//! What every request passes, whatever carries it: a number, its caller, the fault rules, and the headers that all answers
//! share.
//!
//! Invariant: each answer has `request-id` and `Date`, also those of unknown routes and of panics; a panic costs one
//! request. Absent on purpose: layers and boxes of its own; the router is called directly.

mod bodies;
mod faults;
mod listener;
mod refusals;

use std::fmt;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::http::header::DATE;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response};
use axum::response::IntoResponse as _;
use futures_util::FutureExt as _;
use sim::Class;
use sim::ids::PartnerId;
use tokio::time::Instant;
use tracing::field::{Empty, display};
use tracing::{Instrument as _, Span};

use self::bodies::{Copied, Copying};
pub use self::faults::Dropped;
pub use self::faults::is_machinery;
pub(crate) use self::faults::judged;
use self::faults::{Broken, FaultDone, Judgement, WATCHED};
use self::listener::Listener;
use crate::App;
use crate::auth::{self, RequestContext};
use crate::routes::{Routes, StatefulRoutes};
use feed::transport::{Limits, TransportTime};
use hosting::coverage::CountedRequest;
use hosting::current::{self, NotedRefusal};
use hosting::log::{LINKS, REQUESTS, target_of};
use hosting::request_log::{KeptBody, LoggedRequest};
use hosting::telemetry::Answer;
use hosting::worlds::WorldHandle;
use wire::error::ApiError;

/// The header that numbers an answer.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("request-id");

/// Set to `true` on a read by an observer: it leaves no trace in the world (rule: wire/observers).
const OBSERVER: HeaderName = HeaderName::from_static("fundsim-observer");

/// The whole surface of a process, without a network. Clones share it.
#[derive(Clone)]
pub struct Surface {
    shared: Arc<Shared>,
}

struct Shared {
    app: App,
    routes: StatefulRoutes,
    requests: AtomicU64,
}

/// Set on an answer whose world was not known from a token.
#[derive(Clone)]
pub struct ServedBy {
    /// The world.
    pub world: Arc<WorldHandle>,
    /// The partner whose business it was, where that is known.
    pub partner: Option<PartnerId>,
}

impl Surface {
    /// The surface of `app` with these routes.
    #[must_use]
    pub fn new(app: App, routes: Routes) -> Self {
        let routes = routes.with_state(app.clone());
        // Inputs of an earlier process keep the numbers of their requests.
        let requests = AtomicU64::new(app.worlds.last_request());
        Self { shared: Arc::new(Shared { app, routes, requests }) }
    }

    /// What the surface serves.
    #[must_use]
    pub fn app(&self) -> &App {
        &self.shared.app
    }

    /// Bounds and periods of connections.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.shared.app.limits
    }

    /// Starts what runs beside requests: the clocks of paced worlds, and what waits to be delivered.
    pub fn start(&self) {
        for world in self.shared.app.worlds.all() {
            world.start_driving();
            world.subscribers.deliveries.resume();
        }
        let app = self.shared.app.clone();
        tokio::spawn(app.worlds.clone().keep_dropping_idle(move || app.is_closing()));
    }

    /// Begins to close: sockets are notified, new ones refused.
    pub fn stop(&self) {
        self.shared.app.begin_closing();
        self.shared.app.worlds.all().iter().for_each(|world| world.subscribers.feed.close_all());
    }

    /// Refuses inputs from now on, so that sockets can be sent the events of all that were taken.
    pub(crate) fn seal(&self) {
        self.shared.app.worlds.seal();
    }

    fn number(&self) -> u64 {
        self.shared.requests.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Answers one request that came from `peer`.
    ///
    /// # Errors
    /// `Dropped` when a fault rule wants the connection broken.
    pub fn handle(
        &self,
        request: Request<Body>,
        peer: Option<IpAddr>,
    ) -> impl Future<Output = Result<Response<Body>, Dropped>> + Send {
        let admitted = self.admit(&request, peer);
        self.handle_if(admitted, request, peer)
    }

    /// Lets a request pass, by its own word and before anybody knows whose it is.
    ///
    /// # Errors
    /// Those of `Admission`, and 403 for a request of a proxy to a server that was not opened to others.
    pub fn admit(&self, request: &Request<Body>, peer: Option<IpAddr>) -> Result<(), ApiError> {
        self.shared.app.admission.admit(request, peer.is_some())?;
        self.admit_proxied(request)
    }

    /// As `admit`, of a request whose host and origin were admitted elsewhere.
    ///
    /// # Errors
    /// 403 for a request of a proxy to a server that was not opened to others.
    pub fn admit_proxied(&self, request: &Request<Body>) -> Result<(), ApiError> {
        self.shared.app.admit_proxied(request.uri().path(), request.headers())
    }

    /// As `handle`, of a request that was admitted elsewhere, or was not.
    ///
    /// # Errors
    /// As `handle`.
    pub fn handle_if(
        &self,
        admitted: Result<(), ApiError>,
        request: Request<Body>,
        peer: Option<IpAddr>,
    ) -> impl Future<Output = Result<Response<Body>, Dropped>> + Send {
        let began = Instant::now();
        let summary = RequestSummary::of(self.number(), &request);
        let span = summary.span();
        let answering = self.answer(admitted, (request, peer), summary, began, span.clone());
        answering.instrument(span)
    }

    /// Answers it within its `span`.
    async fn answer(
        &self,
        admitted: Result<(), ApiError>,
        (request, peer): (Request<Body>, Option<IpAddr>),
        mut summary: RequestSummary,
        began: Instant,
        span: Span,
    ) -> Result<Response<Body>, Dropped> {
        let id = summary.id;
        if let Err(refused) = admitted {
            let trace = RequestTrace { route: UNKNOWN, took: began.elapsed(), ..RequestTrace::default() };
            return self.finish(summary, None, Ok(refused.into_response()), trace, &span);
        }
        let caller = auth::authenticate(&self.shared.app.worlds, request.headers(), peer);
        let partner = caller.as_ref().ok().map(|caller| caller.partner);
        summary.partner = partner;
        let world = caller.as_ref().ok().map(|caller| Arc::clone(&caller.world));
        note(&span, world.as_ref(), partner);
        let part_of_session = world.as_ref().filter(|_| !summary.observes);
        let judgement = if summary.observes {
            None
        } else {
            Judgement::of(&self.shared.app, world.as_ref().zip(partner), &request)
        };
        // A rule may answer in place of the route.
        let would_count = judgement.as_ref().and_then(|_| {
            let (method, path) = (request.method(), request.uri().path());
            self.shared.routes.counted(method, path)
        });
        let ended = match &caller {
            Err(auth::Denied::BadToken) if !summary.observes => {
                auth::bearer(request.headers()).ok().and_then(|text| self.shared.app.worlds.ended_bearer(text))
            }
            _ => None,
        };
        let context = RequestContext { id, peer, caller, pattern: None };
        let is_page = LINKS.iter().any(|link| request.uri().path().starts_with(link));
        // What is kept of bodies for the request log; nothing of pages and of unknown callers.
        let most = part_of_session.filter(|_| !is_page).map_or(0, |world| world.edge.settings().request_body_bytes);
        let listener =
            (!summary.observes).then(|| Listener::of(&self.shared.app, &request, world.as_ref(), partner)).flatten();
        let has_body = !request.body().is_end_stream();
        let is_text = has_body && bodies::is_text(request.headers());
        // A story sends again what was sent, whatever its content type is.
        let is_copied = has_body && (listener.is_some() || bodies::is_recorded(request.headers()));
        let most_copied = most.max(listener.as_ref().map_or(0, Listener::most));
        let (request, sent) = copied(request, if is_copied { most_copied } else { 0 });
        // In a box: what awaits it moves from hand to hand, and is small so.
        let routing = Box::pin(self.route(request, context, &summary));
        let answering = async {
            match &judgement {
                None => Ok(routing.await),
                Some(judgement) => judgement.carry_out(routing).await,
            }
        };
        let (outcome, notes) = current::within(id, answering).await;
        let (hit, fault) = judgement.map(Judgement::done).unzip();
        let fault = fault.flatten();
        let met = MetByPartner { counted: notes.counted.or(would_count), refusal: notes.refusal, fault };
        // The token endpoint knows its world only once it has read the request.
        let (outcome, hit) = match outcome {
            Ok(mut response) => match response.extensions_mut().remove::<Broken>() {
                Some(Broken(world)) => (Err(Dropped), Some(world)),
                None => (Ok(response), hit),
            },
            dropped => (dropped, hit),
        };
        let route = notes.route.unwrap_or(if is_page { PAGES } else { UNKNOWN });
        let (outcome, answered) = match outcome {
            Ok(response) if most > 0 || listener.is_some() => {
                let (response, bytes) = bodies::whole(response);
                (Ok(response), bytes)
            }
            other => (other, None),
        };
        let sent = sent.map(|sent| sent.take());
        if let Some(listener) = listener {
            listener.note(id, notes.turn, sent.as_ref(), outcome.as_ref().ok(), answered.clone());
        }
        let answered = answered.filter(|_| most > 0 && is_logged(&outcome)).and_then(|bytes| KeptBody::of(bytes, most));
        let sent = sent.filter(|_| most > 0 && is_text).and_then(|sent| sent.shortened(most).kept());
        if let Some((world, partner)) = ended {
            let status = outcome.as_ref().ok().map(|response| response.status().as_u16());
            met.request(status).into_iter().for_each(|request| world.coverage.answered(partner, request));
        }
        let trace = RequestTrace { route, took: began.elapsed(), sent, answered, met };
        self.finish(summary, world.or(hit), outcome, trace, &span)
    }

    /// Passes the request to its handler; a panic there becomes a 500.
    async fn route(
        &self,
        mut request: Request<Body>,
        context: RequestContext,
        summary: &RequestSummary,
    ) -> Response<Body> {
        request.extensions_mut().insert(context);
        AssertUnwindSafe(self.shared.routes.answer(request)).catch_unwind().await.unwrap_or_else(|panic| {
            let words = hosting::panics::words(&*panic);
            let RequestSummary { id, method, target, .. } = summary;
            tracing::error!(target: REQUESTS, request_id = id, "request-id {id}: {method} {target} panicked: {words}");
            ApiError::server_error("something went wrong; the request-id names it in the log").into_response()
        })
    }

    /// Gives the answer its common headers and notes the request in its world's request log.
    fn finish(
        &self,
        summary: RequestSummary,
        world: Option<Arc<WorldHandle>>,
        outcome: Result<Response<Body>, Dropped>,
        trace: RequestTrace,
        span: &Span,
    ) -> Result<Response<Body>, Dropped> {
        let app = &self.shared.app;
        let now = app.worlds.clock().now();
        let id = summary.id;
        let outcome = outcome.map(|mut response| {
            let headers = response.headers_mut();
            headers.insert(REQUEST_ID, number(id));
            headers.insert(DATE, app.worlds.clock().date_at(now));
            response
        });
        let status = outcome.as_ref().ok().map(|response| response.status().as_u16());
        let served = || outcome.as_ref().ok().and_then(|response| response.extensions().get::<ServedBy>());
        let partner = summary.partner.or_else(|| served().and_then(|served| served.partner));
        let world = world.or_else(|| served().map(|served| Arc::clone(&served.world)));
        if !span.is_disabled() {
            // What its token says was noted when it was read: a span keeps what is recorded twice two times.
            if summary.partner.is_none() {
                note(span, world.as_ref(), partner);
            }
            span.record("route", trace.route);
            span.record("status", status);
            span.record("otel.name", display(format_args!("{} {}", summary.method, trace.route)));
            if status.is_none_or(|status| status >= 500) {
                span.record("otel.status_code", "ERROR");
            }
        }
        app.telemetry.answered(&Answer {
            id,
            method: &summary.method,
            target: &summary.target,
            route: trace.route,
            is_watching: WATCHED.contains(&trace.route),
            world: world.as_ref().map(|world| world.identity.id()),
            partner: summary.partner,
            status,
            took: trace.took,
        });
        let counted = trace.met.request(status);
        if let Some(world) = world.filter(|_| !summary.observes) {
            world.is_used(now);
            if let (Some(partner), Some(request)) = (partner, counted) {
                world.coverage.answered(partner, request);
            }
            world.edge.request_log.note(LoggedRequest { partner, ..summary.logged(now, status, trace) });
        }
        outcome
    }
}

impl fmt::Debug for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surface").field("worlds", &self.shared.app.worlds).finish_non_exhaustive()
    }
}

/// A number as a header: digits are always a value.
fn number(number: u64) -> HeaderValue {
    HeaderValue::from_str(itoa::Buffer::new().format(number)).unwrap_or_else(|_| HeaderValue::from(number))
}

/// Notes in a request's span what it is about, as far as that is known.
fn note(span: &Span, world: Option<&Arc<WorldHandle>>, partner: Option<PartnerId>) {
    if span.is_disabled() {
        return;
    }
    if let Some(world) = world {
        span.record("world", display(world.identity.id()));
    }
    if let Some(partner) = partner {
        span.record("partner", display(partner));
    }
}

/// A request as logs know it.
struct RequestSummary {
    id: u64,
    partner: Option<PartnerId>,
    method: Method,
    target: Box<str>,
    /// Whether it only looks on.
    observes: bool,
}

/// How a request went.
#[derive(Default)]
struct RequestTrace {
    /// The pattern of the route that answered it, or a word in its place.
    route: &'static str,
    took: Duration,
    sent: Option<KeptBody>,
    answered: Option<KeptBody>,
    met: MetByPartner,
}

/// What a partner meets with a request, as far as it is known before the answer is finished (rule: wire/coverage).
#[derive(Clone, Copy, Default)]
struct MetByPartner {
    /// The place of its route among those that are counted.
    counted: Option<u16>,
    /// Why the world refused it.
    refusal: Option<NotedRefusal>,
    /// What a fault rule did to it.
    fault: Option<FaultDone>,
}

impl MetByPartner {
    /// What is counted of it, when its answer has this status.
    fn request(self, status: Option<u16>) -> Option<CountedRequest> {
        let route = self.counted?;
        let refused = |status: u16| match status {
            _ if self.fault == Some(FaultDone::Answered) => None,
            400.. => self.refusal.map(|refusal| refusal.class).or_else(|| class_of(status)),
            _ => None,
        };
        let fault = match self.fault {
            Some(FaultDone::Request(fault)) => Some(fault),
            Some(FaultDone::Answered) | None => None,
        };
        let repeats = self.refusal.is_some_and(|refusal| refusal.repeats);
        Some(CountedRequest { route, status, refusal: status.and_then(refused), repeats, fault })
    }
}

/// The class of what the surface refuses before the world is asked.
const fn class_of(status: u16) -> Option<Class> {
    match status {
        400 => Some(Class::Malformed),
        403 => Some(Class::OutOfScope),
        404 => Some(Class::Unknown),
        _ => None,
    }
}

/// A request whose body is copied on its way, up to `most` bytes.
fn copied(request: Request<Body>, most: usize) -> (Request<Body>, Option<Copied>) {
    if most == 0 {
        return (request, None);
    }
    let (parts, body) = request.into_parts();
    let (body, copied) = Copying::new(body, most);
    (Request::from_parts(parts, Body::new(body)), Some(copied))
}

/// Whether the log of requests shows the answer's body.
fn is_logged(outcome: &Result<Response<Body>, Dropped>) -> bool {
    outcome.as_ref().is_ok_and(|response| bodies::is_text(response.headers()))
}

/// Stands for the routes of pages, whose paths hold secrets.
const PAGES: &str = "pages";

/// Stands for the route of what nobody answers to.
const UNKNOWN: &str = "unknown";

impl RequestSummary {
    fn of<B>(id: u64, request: &Request<B>) -> Self {
        let observes = is_observer(request.method(), request.headers());
        Self { id, partner: None, method: request.method().clone(), target: target_of(request.uri()), observes }
    }

    /// The span around all that the request causes.
    fn span(&self) -> Span {
        tracing::info_span!(
            target: REQUESTS,
            parent: None,
            "request",
            request_id = self.id,
            method = self.method.as_str(),
            path = &*self.target,
            otel.kind = "server",
            otel.name = Empty,
            otel.status_code = Empty,
            route = Empty,
            status = Empty,
            world = Empty,
            partner = Empty,
        )
    }

    fn logged(self, at: TransportTime, status: Option<u16>, trace: RequestTrace) -> LoggedRequest {
        let Self { id, partner, method, target, observes: _ } = self;
        let RequestTrace { took, sent, answered, .. } = trace;
        LoggedRequest { id, partner, at, method, target, status, took, sent, answered }
    }
}

/// Whether a request only looks on: what could change something never does, whatever it says (rule: wire/observers).
pub fn is_observer(method: &Method, headers: &HeaderMap) -> bool {
    matches!(*method, Method::GET | Method::HEAD) && headers.get(OBSERVER).is_some_and(|value| value == "true")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, request};
    use axum::http::StatusCode;
    use feed::rights::Rights;
    use hosting::decision::HostDecision;
    use hosting::faults::{FaultEffect, Match};
    use hosting::testing::LevelFilter;
    use std::time::Duration;

    fn get(path: &str, token: Option<&str>) -> Request<Body> {
        request(Method::GET, path, token, None)
    }

    #[tokio::test(start_paused = true)]
    async fn every_answer_has_its_number_and_its_date() {
        let bench = Bench::new();
        for (number, path, status) in [("1", "/whoami", 401), ("2", "/nowhere", 404), ("3", "/panic", 500)] {
            let answer = bench.ask(get(path, None)).await;
            assert_eq!(answer.status, status);
            assert_eq!(answer.header("request-id"), Some(number));
            assert_eq!(answer.header("date"), Some("Mon, 02 Mar 2026 07:00:00 GMT"));
            assert!(answer.body["error"].is_string() && answer.body["error_description"].is_string());
        }
    }

    fn proxied(path: &str, name: &'static str) -> Request<Body> {
        let mut request = get(path, None);
        request.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static("192.0.2.9"));
        request
    }

    /// (rule: auth/reachable-by-others)
    #[tokio::test]
    async fn a_request_of_a_proxy_needs_a_server_that_others_may_reach() {
        let bench = Bench::new();
        for name in ["forwarded", "via", "x-forwarded-for", "x-forwarded-proto"] {
            for path in ["/", "/whoami", "/nowhere"] {
                let answer = bench.ask(proxied(path, name)).await;
                assert_eq!((answer.status, &answer.body["error"]), (403, &"forbidden".into()), "{path} {name}");
                let words = answer.body["error_description"].as_str().expect("words");
                assert!(words.contains(name) && words.contains("--operator-token-env"), "{words}");
            }
        }
        assert!(!bench.surface.app().reach.is_by_others(), "a refused request changes nothing");
        assert_eq!(bench.ask(get("/whoami", None)).await.status, 401);
    }

    /// (rule: auth/reachable-by-others, events/egress)
    #[tokio::test]
    async fn an_admitted_request_of_a_proxy_makes_the_server_one_that_others_can_reach() {
        use deliveries::egress::Egress;
        use hosting::secrets::Secret;
        for (token, open) in [(Some(Secret::new("operator")), false), (None, true)] {
            let config = crate::SurfaceConfig { operator_token: token, open, ..Default::default() };
            let egress = Egress::of(config.reach.clone(), Vec::new());
            let bench = Bench::with(hosting::clock::Mode::Frozen, config);
            let inner = ["127.0.0.1", "10.0.0.1"].map(|text| text.parse::<IpAddr>().expect("an address"));
            assert!(inner.iter().all(|address| egress.allows(*address, false)));
            assert_eq!(bench.ask(proxied("/whoami", "x-forwarded-for")).await.status, 401);
            assert!(bench.surface.app().reach.is_by_others() && !bench.surface.app().is_private());
            assert!(!inner.iter().any(|address| egress.allows(*address, false)));
            assert!(egress.allows("8.8.8.8".parse().expect("an address"), false));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_panic_is_logged_with_its_number_and_costs_one_request() {
        let logged = hosting::testing::telemetry(LevelFilter::ERROR);
        let bench = Bench::new();
        assert_eq!(bench.ask(get("/panic", None)).await.status, 500);
        assert_eq!(bench.ask(get("/nowhere", None)).await.status, 404);
        assert_eq!(
            logged.lines(),
            [
                "00:00:00.000 error request-id 1: GET /panic panicked: as intended",
                "00:00:00.000 error 500 GET    /panic  0.000 ms request-id=1",
            ],
        );
    }

    #[tokio::test]
    async fn a_world_remembers_what_it_was_asked_and_by_whom_it_was_not() {
        let bench = Bench::new();
        let token = bench.token(0).await;
        for (path, token) in [("/whoami?a=1", Some(token.as_str())), ("/whoami", None), ("/nowhere", Some(&token))] {
            bench.ask(get(path, token)).await;
        }
        let (total, lines) = bench.world.edge.request_log.last(10, |_| true);
        let lines: Vec<_> = lines.iter().map(|line| (line.id, line.target.to_string(), line.status)).collect();
        let line = |id, path: &str, status| (id, path.to_owned(), Some(status));
        assert_eq!(total, 3);
        assert_eq!(
            lines,
            [line(4, "/nowhere", 404), line(2, "/whoami?a=1", 200), line(1, "/v2/partner/auth/token", 200)]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn rules_answer_delay_and_drop() {
        let bench = Bench::new();
        let token = bench.token(0).await;
        let seed = bench.world.identity.origin().seed;
        let once = || Match { times: Some(1), ..Match::default() };
        for verdict in [
            FaultEffect::Answer(StatusCode::SERVICE_UNAVAILABLE, Some(7)),
            FaultEffect::DropBefore,
            FaultEffect::DropAfter,
            FaultEffect::Delay(Duration::from_secs(5)),
        ] {
            bench.world.edge.faults.add(seed, None, [(once(), verdict)]).expect("room");
        }
        let answer = bench.ask(get("/whoami", Some(&token))).await;
        assert_eq!((answer.status, answer.header("retry-after")), (503, Some("7")));
        assert_eq!(answer.body["error"], "service_unavailable");
        for _ in 0..2 {
            assert_eq!(bench.surface.handle(get("/whoami", Some(&token)), None).await.err(), Some(Dropped));
        }
        let start = tokio::time::Instant::now();
        assert_eq!(bench.ask(get("/whoami", Some(&token))).await.status, 200);
        assert_eq!(start.elapsed(), Duration::from_secs(5));
        assert_eq!(bench.ask(get("/whoami", Some(&token))).await.status, 200);
        let statuses: Vec<_> =
            bench.world.edge.request_log.last(3, |_| true).1.iter().map(|line| line.status).collect();
        assert_eq!(statuses, [Some(200), Some(200), None]);
    }

    /// (rule: wire/rate-limits)
    #[tokio::test]
    async fn a_rules_503_always_has_retry_after_and_other_answers_only_on_request() {
        let bench = Bench::new();
        let token = bench.token(0).await;
        for (status, given, header) in [
            (StatusCode::SERVICE_UNAVAILABLE, None, Some("1")),
            (StatusCode::SERVICE_UNAVAILABLE, Some(0), Some("0")),
            (StatusCode::SERVICE_UNAVAILABLE, Some(30), Some("30")),
            (StatusCode::INTERNAL_SERVER_ERROR, None, None),
            (StatusCode::TOO_MANY_REQUESTS, Some(3), Some("3")),
        ] {
            let once = Match { times: Some(1), ..Match::default() };
            let verdict = FaultEffect::Answer(status, given);
            bench.world.edge.faults.add(bench.world.identity.origin().seed, None, [(once, verdict)]).expect("room");
            let answer = bench.ask(get("/whoami", Some(&token))).await;
            assert_eq!((answer.status, answer.header("retry-after")), (status.as_u16(), header), "{given:?}");
        }
    }

    #[tokio::test]
    async fn no_fault_rule_holds_for_the_machinery() {
        let bench = Bench::new();
        let token = bench.token(0).await;
        bench
            .world
            .edge
            .faults
            .add(bench.world.identity.origin().seed, None, [(Match::default(), FaultEffect::DropBefore)])
            .expect("room");
        // It is answered, though this surface has nothing there.
        assert_eq!(bench.ask(get("/_sandbox/worlds/current/faults", Some(&token))).await.status, 404);
    }

    fn status_of(outcome: Result<Response<Body>, Dropped>) -> Option<u16> {
        outcome.ok().map(|response| response.status().as_u16())
    }

    /// (rule: events/fault-rules)
    #[tokio::test(start_paused = true)]
    async fn a_rule_hits_the_token_endpoint_only_for_right_credentials() {
        use crate::testing::form_request;
        let bench = Bench::new();
        let shown = &bench.world.identity.credentials()[0];
        let form = |id: &str, secret: &str| {
            form_request(&format!("grant_type=client_credentials&client_id={id}&client_secret={secret}"))
        };
        let (id, secret) = (shown.client_id.to_string(), shown.secret.known().expect("a secret").reveal());
        let path = Some(hosting::faults::Pattern::new("/v2/partner/auth/*"));
        let seed = bench.world.identity.origin().seed;
        let once = || Match { path: path.clone(), times: Some(1), ..Match::default() };
        let busy = FaultEffect::Answer(StatusCode::SERVICE_UNAVAILABLE, None);
        let verdicts =
            [busy, FaultEffect::DropBefore, FaultEffect::DropAfter, FaultEffect::Delay(Duration::from_secs(3))];
        bench.world.edge.faults.add(seed, None, verdicts.map(|verdict| (once(), verdict))).expect("room");
        for wrong in [form(&id, "wrong"), form("00000000-0000-4000-8000-000000000000", secret)] {
            assert_eq!(status_of(bench.surface.handle(wrong, None).await), Some(400));
        }
        assert!(bench.world.edge.faults.list().iter().all(|rule| rule.seen == 0));
        let start = tokio::time::Instant::now();
        let mut answers = Vec::new();
        for _ in 0..4 {
            answers.push(status_of(bench.surface.handle(form(&id, secret), None).await));
        }
        assert_eq!(answers, [Some(503), None, None, Some(200)]);
        assert_eq!(start.elapsed(), Duration::from_secs(3));
        let statuses: Vec<_> =
            bench.world.edge.request_log.last(9, |_| true).1.iter().map(|line| line.status).collect();
        assert_eq!(statuses[..3], [Some(200), None, None], "what was dropped is in the world's log");
    }

    /// (rule: events/fault-rules)
    #[tokio::test]
    async fn who_shows_no_good_token_meets_no_rule() {
        let bench = Bench::new();
        bench
            .world
            .edge
            .faults
            .add(bench.world.identity.origin().seed, None, [(Match::default(), FaultEffect::DropBefore)])
            .expect("room");
        for token in [None, Some("00000000-0000-4000-8000-000000000000")] {
            assert_eq!(bench.ask(get("/whoami", token)).await.status, 401);
        }
        assert_eq!(bench.world.edge.faults.list()[0].seen, 0);
    }

    /// (rule: events/fault-rules)
    #[tokio::test]
    async fn a_world_that_is_put_back_meets_the_same_faults_again() {
        let bench = Bench::new();
        let token = bench.token(0).await;
        let half = Match { chance: Some(500_000), ..Match::default() };
        let rule = (half, FaultEffect::Answer(StatusCode::BAD_GATEWAY, None));
        bench.world.decide(&HostDecision::AddFaults(None, vec![rule])).await.expect("room");
        let mut runs = Vec::new();
        for _ in 0..2 {
            let mut statuses = Vec::new();
            for _ in 0..20 {
                statuses.push(bench.ask(get("/whoami", Some(&token))).await.status);
            }
            runs.push(statuses);
            bench.world.decide(&HostDecision::Reset).await.expect("a world");
        }
        assert_eq!(runs[0], runs[1]);
        assert!(runs[0].contains(&502) && runs[0].contains(&200));
        let rule = &bench.world.edge.faults.list()[0];
        assert_eq!((rule.seen, rule.hits), (0, 0));
    }

    /// (rule: events/fault-rules)
    #[tokio::test]
    async fn a_partners_rule_ends_that_partners_sockets_alone() {
        let bench = Bench::new();
        let (one, other) = (bench.scope(0), bench.scope(2));
        let token = bench.token(0).await;
        let settings = bench.world.edge.settings();
        let enter = |scope: sim::command::Scope| {
            bench
                .world
                .subscribers
                .feed
                .enter(scope.partner, scope.client, TransportTime(0), Rights::ALL, &settings)
                .expect("room")
        };
        let sockets = [one, other].map(enter);
        let rule = (Match::default(), FaultEffect::Sockets(feed::sockets::Ending::Stall));
        bench.world.edge.faults.add(bench.world.identity.origin().seed, Some(one.partner), [rule]).expect("room");
        assert_eq!(bench.ask(get("/whoami", Some(&token))).await.status, 200);
        let stalled = sockets.map(|socket| socket.stalled.load(Ordering::Relaxed));
        assert_eq!(stalled, [true, false]);
    }

    /// (rule: wire/observers)
    #[tokio::test]
    async fn a_read_that_only_looks_on_leaves_no_trace_and_meets_no_fault() {
        let bench = Bench::new();
        let token = bench.token(0).await;
        let once = Match { times: Some(1), ..Match::default() };
        let verdict = FaultEffect::Answer(StatusCode::SERVICE_UNAVAILABLE, None);
        bench.world.edge.faults.add(bench.world.identity.origin().seed, None, [(once, verdict)]).expect("room");
        let logged = || bench.world.edge.request_log.last(0, |_| true).0;
        for (method, says, status, is_kept) in [
            (Method::GET, "true", 200, false),
            (Method::POST, "true", 503, true),
            (Method::GET, "false", 200, true),
            (Method::GET, "true", 200, false),
        ] {
            let mut sent = request(method, "/whoami", Some(&token), None);
            sent.headers_mut().insert(OBSERVER, HeaderValue::from_static(says));
            let before = logged();
            assert_eq!(bench.ask(sent).await.status, status);
            assert_eq!(logged() - before, u64::from(is_kept));
        }
        assert_eq!(bench.world.edge.faults.list()[0].seen, 2, "a rule counts those that it is meant for");
    }
}
