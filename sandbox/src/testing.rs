//! What the tests of this crate share: a small setup, a surface over it, and requests without a network.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use axum::routing::{get, post};
use http_body_util::BodyExt as _;
use serde_json::Value;
use sim::calendar::ForeignCalendar;
use sim::command::{OpenAccount, PlaceOrder, Scope};
use sim::identity::{InstrumentId, OrganisationNumber};
use sim::money::{Amount, Price};
use sim::records::{
    AccountType, Category, Cost, DealingDays, Instrument, OwnerType, Permissions, Proceeds, ServiceType, Side, Universe,
};
use sim::rng::Seed;
use sim::setup::{ClientSetup, PartnerSetup, Setup};
use sim::time::Instant;
use sim::{Command, Reply};

use crate::conformance::Exchange;
use crate::hosting::clock::Mode;
use crate::hosting::log::{Level, Log};
use crate::hosting::secrets::ServerKey;
use crate::hosting::telemetry::Telemetry;
use crate::hosting::transport::TransportClock;
use crate::hosting::worlds::{NewWorld, WorldHandle, WorldOrigin, Worlds};
use crate::http::service::Surface;
use crate::{App, SurfaceConfig};

/// The test worlds' start, a Monday morning.
pub(crate) const START: &str = "2026-03-02T07:00:00Z";

pub(crate) const FUND: &str = "SE0SBX000016SEK";

pub(crate) fn at(text: &str) -> Instant {
    Instant::parse(text).expect("an instant")
}

fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

fn fund() -> Instrument {
    let zero = rust_decimal::Decimal::ZERO;
    Instrument {
        id: InstrumentId::parse(FUND).expect("an instrument id"),
        name: "Fund".into(),
        first_price: Price::parse("100").expect("a price"),
        volatility_bp: 80,
        cut_off_hour: 14,
        cut_off_minute: 0,
        subscription_settlement_days: 2,
        redemption_settlement_days: 2,
        nav_lag_days: 0,
        dealing: DealingDays::Daily,
        calendars: Vec::<ForeignCalendar>::new(),
        closed_days: Vec::new(),
        decimals_units: 4,
        min_investment: amount("100"),
        min_initial: None,
        min_subsequent: None,
        is_complex: false,
        is_raif: false,
        is_buyable: true,
        is_sellable: true,
        is_tradable: true,
        rebate: zero,
        cost: Cost { entry_fee: zero, exit_fee: zero, ongoing_fee: zero, transaction_fee: zero, performance_fee: zero },
        kiid: Vec::new(),
    }
}

fn client(name: &str, crn: &str) -> ClientSetup {
    ClientSetup {
        id: None,
        name: name.into(),
        display_name: name.into(),
        crn: OrganisationNumber::parse(crn).expect("a number"),
        country: "SE".into(),
        bank_accounts: Vec::new(),
        service_types: vec![ServiceType::ExecutionOnly],
        permissions: Permissions {
            account_types: vec![AccountType::Isk],
            service_types: vec![ServiceType::ExecutionOnly],
            categories: vec![Category::Retail],
            owner_types: vec![OwnerType::NaturalPerson],
            journey_types: Vec::new(),
            transfers: true,
            autogiro: true,
            mobile_payment: true,
            withdrawals: true,
            partner_fee: true,
        },
        withdrawal_needs_signature: false,
        fees: sim::records::ClientFees::default(),
        universe: Universe::All,
        accounts: Vec::new(),
    }
}

/// Two partners: the first with two clients, the second with one.
pub(crate) fn setup() -> Setup {
    let partner = |name: &str, clients| PartnerSetup { name: name.into(), clients };
    Setup {
        name: "test".into(),
        partners: vec![
            partner("North", vec![client("One", "5599900007"), client("Two", "5599900015")]),
            partner("South", vec![client("Three", "5599900023")]),
        ],
        instruments: vec![fund()],
        rates: Vec::new(),
        custodians: Vec::new(),
        history: None,
        settings: sim::settings::Settings::default(),
        rules: sim::input::RulesVersion::CURRENT,
    }
}

/// Telemetry whose lines of `least` and above can be read, all at the beginning of time.
pub(crate) fn telemetry(least: Level) -> (Telemetry, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    let clock = TransportClock::given(|| Duration::ZERO);
    let log = Log::to(least, clock, move |entry| sink.lock().expect("lines").push(entry.text(false)));
    (Telemetry { log, ..Telemetry::default() }, lines)
}

pub(crate) fn new_world(mode: Mode) -> NewWorld {
    let origin = WorldOrigin { setup: Arc::new(setup()), seed: Seed(42), start: at(START) };
    NewWorld { mode, ..NewWorld::frozen(origin) }
}

/// No worlds, a fixed key, and transport time from the worlds' start on.
pub(crate) fn worlds() -> Worlds {
    let epoch = Duration::from_millis(at(START).ms().unsigned_abs());
    Worlds::new(ServerKey::fixed(&[7; 32]), TransportClock::starting_at(epoch))
}

/// A surface over one frozen world with all routes, and three of its own: `/panic`,
/// `/echo` and `/whoami`.
pub(crate) struct Bench {
    pub(crate) surface: Surface,
    pub(crate) world: Arc<WorldHandle>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(Mode::Frozen, SurfaceConfig::default())
    }

    pub(crate) fn with(mode: Mode, config: SurfaceConfig) -> Self {
        Self::over(new_world(mode), config)
    }

    /// A surface over this world.
    pub(crate) fn over(new: NewWorld, config: SurfaceConfig) -> Self {
        let worlds = worlds();
        let world = worlds.make(new).expect("a world");
        let surface = Surface::new(App::new(worlds, config), routes());
        Self { surface, world }
    }

    /// The `index`th client of the world.
    pub(crate) fn scope(&self, index: usize) -> Scope {
        let scope = |world: &sim::World| {
            let client = sim::query::clients(world).nth(index).expect("a client");
            Scope { partner: client.partner, client: client.id }
        };
        self.world.read(scope).expect("a world")
    }

    /// A token of the `index`th partner, by the endpoint.
    pub(crate) async fn token(&self, index: usize) -> String {
        self.token_for(index, "").await
    }

    /// The same with the rights of `scope`.
    pub(crate) async fn token_for(&self, index: usize, scope: &str) -> String {
        let credentials = &self.world.credentials()[index];
        let form = format!(
            "grant_type=client_credentials&client_id={}&client_secret={}&scope={scope}",
            credentials.client_id,
            credentials.secret.known().expect("a secret").reveal()
        );
        let answer = self.ask(form_request(&form)).await;
        assert_eq!(answer.status, 200, "{:?}", answer.body);
        answer.body["access_token"].as_str().expect("a token").to_owned()
    }

    /// Asks, and looks whether the answer is as the description of the API has it.
    pub(crate) async fn ask(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().to_string(), request.uri().to_string());
        let answer = Answer::of(self.surface.handle(request, None).await.expect("an answer")).await;
        let body = Some(&answer.body).filter(|_| answer.header("content-type") == Some("application/json"));
        let exchange = Exchange { method: &method, path: &path, request: None, status: answer.status, answer: body };
        assert_eq!(exchange.fault(), None);
        answer
    }

    /// An account with cash for the `index`th client.
    pub(crate) fn account(&self, index: usize) -> sim::ids::AccountId {
        let open = OpenAccount {
            scope: self.scope(index),
            account_type: AccountType::Isk,
            owner: None,
            name: None,
            service_type: ServiceType::ExecutionOnly,
            category: Category::Retail,
            cash: amount("10000"),
            positions: Vec::new(),
            bank_accounts: Vec::new(),
            fund_knowledge: false,
        };
        match self.world.submit(Command::OpenAccount(open), |_, reply| reply).expect("an account") {
            Reply::Account(account) => account.id,
            other => panic!("not an account: {other:?}"),
        }
    }

    /// A subscription on an account of the `index`th client.
    pub(crate) fn subscribe(&self, index: usize, account: sim::ids::AccountId) -> sim::ids::OrderId {
        match self.world.submit(self.order(index, account), |_, reply| reply).expect("an order") {
            Reply::Order(order) => order.id,
            other => panic!("not an order: {other:?}"),
        }
    }

    /// The same, to be submitted.
    pub(crate) fn order(&self, index: usize, account: sim::ids::AccountId) -> Command {
        Command::PlaceOrder(PlaceOrder {
            scope: self.scope(index),
            account,
            side: Side::Subscription,
            instrument: InstrumentId::parse(FUND).expect("an instrument id"),
            amount: Some(amount("1000")),
            units: None,
            client_ref: None,
            executor: None,
            proceeds: Proceeds::Keep,
        })
    }
}

fn routes() -> Router<App> {
    crate::planes::router::router()
        .route("/panic", get(panicking))
        .route("/echo", post(echo))
        .route("/whoami", get(whoami))
        .fallback(|| async { crate::wire::error::ApiError::not_found("there is nothing here") })
}

async fn panicking() -> StatusCode {
    panic!("as intended")
}

async fn whoami(caller: crate::http::auth::Caller) -> String {
    caller.partner.to_string()
}

async fn echo(
    axum::extract::State(app): axum::extract::State<App>,
    request: axum::extract::Request,
) -> Result<bytes::Bytes, crate::wire::error::ApiError> {
    crate::http::body::read(request.into_body(), app.limits.body_bytes, app.limits.body).await
}

/// An answer, read whole.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) async fn of(response: axum::response::Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let text = || Value::String(String::from_utf8_lossy(&bytes).into_owned());
        let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| text());
        Self { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }
}

pub(crate) fn form_request(form: &str) -> Request<Body> {
    Request::post("/v2/partner/auth/token")
        .header("host", "localhost")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()))
        .expect("a request")
}

/// A request with a bearer token and, where given, a JSON body.
pub(crate) fn request(method: Method, path: &str, token: Option<&str>, body: Option<&Value>) -> Request<Body> {
    let mut builder = Request::builder().method(method).uri(path).header("host", "localhost");
    if let Some(token) = token {
        builder = builder.header("authorization", format!("Bearer {token}"));
    }
    match body {
        None => builder.body(Body::empty()),
        Some(body) => builder.header("content-type", "application/json").body(Body::from(body.to_string())),
    }
    .expect("a request")
}
