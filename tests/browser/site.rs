//! A real server in this process, and journeys in its world.
//!
//! Invariant: the world's clock is frozen and its secrets are known, so every run sees the same. Absent on purpose:
//! browsers.

use std::sync::Arc;
use std::time::Duration;

use feed::transport::TransportClock;
use hosting::secrets::ServerKey;
use hosting::worlds::{NewWorld, WorldHandle, WorldOrigin, Worlds};
use http::{Method, Request};
use http_body_util::BodyExt as _;
use serde_json::Value;
use sim::command::{CreateJourney, Scope};
use sim::ids::JourneyId;
use sim::query;
use sim::records::{Account, AccountType, Answers, Configuration, Journey};
use sim::rng::Seed;
use sim::time::Instant;
use sim::{Command, Reply};
use surface::{Surface, SurfaceConfig};
use testing::Now as _;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A Monday morning.
const START: &str = "2026-03-02T08:00:00+01:00";

/// A server with the demo world.
pub struct Site {
    surface: Surface,
    pub world: Arc<WorldHandle>,
    /// Where it listens.
    pub base: String,
    _stop: oneshot::Sender<()>,
}

/// Where a journey ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Ended {
    pub status: &'static str,
    pub code: Option<&'static str>,
    pub context: Option<&'static str>,
}

impl Site {
    /// Starts it on a free port.
    pub async fn open() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let start = Instant::parse(START).expect("an instant");
        let epoch = Duration::from_millis(start.ms().unsigned_abs());
        let worlds = Worlds::new(ServerKey::fixed(&[7; 32]), TransportClock::starting_at(epoch));
        let origin = WorldOrigin { setup: Arc::new(hosting::setup::demo()), seed: Seed(42), start };
        let new = NewWorld::frozen(origin);
        let world = worlds.make(new).now().expect("a world");
        let config =
            SurfaceConfig { public_url: base.clone(), scenario_writer: Some(record::file), ..SurfaceConfig::default() };
        let surface = sandbox::app(worlds, config);
        let (stop, stopped) = oneshot::channel::<()>();
        let served = surface.clone();
        tokio::spawn(async move {
            let listener = surface::server::tcp(listener);
            // Dropping the sender, when the site goes, stops the server too.
            surface::serve(listener, served, async { drop(stopped.await) }).await;
        });
        Self { surface, world, base, _stop: stop }
    }

    /// How many worlds there are.
    pub fn worlds(&self) -> usize {
        self.surface.app().worlds.all().len()
    }

    /// Drops a world, as another user would.
    pub fn drop_world(&self, id: &str) {
        let removed =
            self.surface.app().worlds.remove(id.parse().expect("an id of a world")).now().expect("no journal");
        assert!(removed, "{id} stood");
    }

    /// The demo partner's first client.
    pub fn scope(&self) -> Scope {
        let scope = |world: &sim::World| {
            let client = query::clients(world).next().expect("a client");
            Scope { partner: client.partner, client: client.id }
        };
        self.world.read(scope).expect("a world")
    }

    /// An account of the first client that `wanted` accepts.
    pub fn account(&self, wanted: impl Fn(&Account) -> bool) -> Arc<Account> {
        let all = query::accounts(&self.read(Clone::clone), self.scope().client, &sim::store::Window::default(), None);
        all.into_iter().find(|account| wanted(account)).expect("such an account")
    }

    /// A person's savings account.
    pub fn isk(&self) -> Arc<Account> {
        self.account(|account| account.account_type == AccountType::Isk)
    }

    /// What the world's partner is answered with 200, as a text.
    pub async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> String {
        let partner = &self.world.identity.credentials()[0];
        let form = [("grant_type", "client_credentials"), ("client_id", &partner.client_id.to_string())];
        let form = form.into_iter().chain([("client_secret", partner.secret.known().expect("a secret").reveal())]);
        let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let kind = "application/x-www-form-urlencoded";
        let token = self.answer(Method::POST, "/v2/partner/auth/token", (kind, form), None).await;
        let token: Value = serde_json::from_str(&token).expect("JSON");
        let body = body.map(Value::to_string).unwrap_or_default();
        self.answer(method, path, ("application/json", body), token["access_token"].as_str()).await
    }

    /// The text of a 200 for a caller without a token, who is the operator here.
    pub async fn operate(&self, method: Method, path: &str, body: Option<&Value>) -> String {
        let body = body.map(Value::to_string).unwrap_or_default();
        self.answer(method, path, ("application/json", body), None).await
    }

    async fn answer(&self, method: Method, path: &str, body: (&str, String), token: Option<&str>) -> String {
        let request = Request::builder().method(method).uri(path).header("content-type", body.0);
        let request = token
            .into_iter()
            .fold(request, |request, token| request.header("authorization", format!("Bearer {token}")));
        let request = request.body(axum::body::Body::from(body.1)).expect("a request");
        let (parts, answer) = self.surface.handle(request, None).await.expect("an answer").into_parts();
        let answer = answer.collect().await.expect("a body").to_bytes();
        let text = String::from_utf8(answer.to_vec()).expect("UTF-8");
        assert_eq!(parts.status, 200, "{path}: {text}");
        text
    }

    /// Reads the world.
    pub fn read<R>(&self, f: impl FnOnce(&sim::World) -> R) -> R {
        self.world.read(f).expect("a world")
    }

    /// Whether the world was dropped.
    pub fn is_dropped(&self) -> bool {
        self.world.is_dropped()
    }

    /// Carries a command out.
    pub fn submit(&self, command: Command) -> Reply {
        self.world.submit(command, |_, reply| reply).now().unwrap_or_else(|error| panic!("{}", error.description))
    }

    /// Starts a journey and gives its link.
    pub fn start(&self, configuration: Configuration) -> (JourneyId, String) {
        self.start_with(configuration, None, None)
    }

    /// Starts a journey with addresses to go to: the identity app's, and the browser's after completion.
    pub fn start_with(
        &self,
        configuration: Configuration,
        redirect: Option<&str>,
        completion: Option<&str>,
    ) -> (JourneyId, String) {
        let create = CreateJourney {
            scope: self.scope(),
            configuration,
            callback_url: "http://127.0.0.1:9/callback".into(),
            redirect_url: redirect.map(Into::into),
            completion_redirect_url: completion.map(Into::into),
            partner_data: None,
        };
        match self.submit(Command::CreateJourney(Box::new(create))) {
            Reply::Journey(journey) => (journey.id, self.link(journey.id)),
            other => panic!("not a journey: {other:?}"),
        }
    }

    /// Answers what a journey asks, as `CompleteJourney` would, up to the step of that name.
    pub fn answer_up_to(&self, journey: JourneyId, goal: &str) {
        self.submit(Command::OpenJourney { journey, partner: None });
        loop {
            let asked = self.read(|world| {
                let step = query::journey_current(world, journey)?;
                query::journey_step(world, journey, step)
            });
            let asked = asked.unwrap_or_else(|| panic!("{goal} is never asked"));
            if asked.step.name() == goal {
                return;
            }
            let answers = asked.fields.into_iter().filter(|field| !field.read_only).map(|field| {
                let known = if field.values.is_empty() { field.suggestion } else { field.values };
                (field.name, known)
            });
            let answers = Answers(answers.filter(|(_, known)| !known.is_empty()).collect());
            self.submit(Command::AnswerStep { journey, step: asked.step, answers, partner: None });
        }
    }

    /// The link of a journey.
    pub fn link(&self, journey: JourneyId) -> String {
        let token = self.surface.app().worlds.journey_token(self.world.identity.id(), journey);
        format!("{}/journey/{}", self.base, token.reveal())
    }

    /// A journey as it is.
    pub fn journey(&self, id: JourneyId) -> Arc<Journey> {
        self.read(|world| query::journey_by_link(world, id).cloned()).expect("a journey")
    }

    /// How a journey ended.
    pub fn ended(&self, id: JourneyId) -> Ended {
        let journey = self.journey(id);
        Ended {
            status: journey.state.name(),
            code: journey.error_code.map(sim::records::ErrorCode::name),
            context: journey.context.map(sim::records::JourneyStep::name),
        }
    }
}
