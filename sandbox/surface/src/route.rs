//! A route in one row: its method and path, who may call it, its handler, and what the description of the API says.
//!
//! Owns: the form of a row, and the check before a handler (`Authorization`). Invariant: a handler of a row that needs a
//! right is called only with a token that has it; the description of a route comes from its row alone.
//! Absent on purpose: which routes there are, which `planes` says; and what handlers check by what they take: a `Caller`
//! comes with a token only, an operator's handler takes nobody else, and a client in the path is looked at with its world.

use std::net::IpAddr;
use std::pin::Pin;

use axum::extract::Request;
use axum::handler::Handler;
use axum::http::header::{CONNECTION, UPGRADE};
use axum::http::{HeaderMap, HeaderName, Method};
use axum::response::{IntoResponse as _, Response};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, OneOfBuilder, Schema, SchemaFormat, Type};
use utoipa::openapi::{ContentBuilder, RefOr, Required, ResponseBuilder};
use utoipa::{PartialSchema as _, ToSchema};

use crate::App;
use crate::auth::{Access, Caller, RequestContext, Resource, Right, ScopeDemand};
use hosting::current;
use hosting::guesses;
use hosting::partners_may::WorldAct;
use wire::error::ApiError;
use wire::json::Node;
use wire::query::{self, Parameters};
use wire::rows::fields::{self, Unknown};
use wire::rows::shape::{Schemas, Shape, describe, plain, reference};
use wire::values::text::{Id, InstrumentId};
use wire::words::{AgreementKey, schema_of};

const JSON: &str = "application/json";
/// Where the operator shows its token when it moves what partners see of the market (rule: auth/market-levers).
const OPERATOR_TOKEN: HeaderName = HeaderName::from_static("operator-token");

/// What a caller of a route must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authorization {
    /// Everybody.
    Nothing,
    /// A partner.
    Token,
    /// A partner whose token has this right.
    Right(Right),
    /// A partner whose token may read one of these.
    AnyRead(&'static [Resource]),
    /// A partner whose token may write something.
    AnyWrite,
    /// The operator (rule: auth/operator-token).
    Operator,
    /// The operator and no partner, since it concerns more than one world (rule: auth/operator-token).
    AllWorlds,
    /// The operator, or a partner of the world in the path whose token meets this (rule: auth/machinery-scope).
    OwnWorld(ScopeDemand),
}

/// Who owns what a route reaches, where several partners share its world (rule: auth/shared-worlds).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteOwner {
    /// The server's: the operator's alone, whatever its worlds say.
    Operator,
    /// The whole world's: the operator's, and that of partners for whom the world names this act.
    World(WorldAct),
    /// Of the whole world too, and each partner's unless the operator keeps it (rule: auth/market-levers).
    Market,
    /// Everybody's in the world: what it shows is the same for all partners and names none of them.
    Everybody,
    /// Each partner's: a partner reaches what is its own, and learns of nothing else.
    Partner,
}

/// One route.
pub struct Route {
    /// Its method.
    pub method: Method,
    /// Its path, with names in braces for ids.
    pub path: &'static str,
    /// Who may call it.
    pub authorization: Authorization,
    /// Whether it answers WebSocket upgrades only; every other request gets 404.
    is_socket: bool,
    /// Whose what it reaches is; a test fails while a row of the machinery or of the levers does not say so.
    pub whose: Option<RouteOwner>,
    /// Its place among those whose answers are counted as what a partner has met (rule: wire/coverage).
    pub counted: Option<u16>,
    /// What the description of the API says; a test fails while a row has none.
    pub operation: Option<Operation>,
    /// Query parameters that its handler reads.
    parameters: Vec<&'static str>,
    /// Reads a JSON body as the handler does.
    reads_body: Option<BodyReader>,
    serve: Serve,
}

/// Calls a handler.
type Serve = Box<dyn Fn(Request, App) -> Answering + Send + Sync>;

/// A handler at work.
type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Finds the problems of a body by itself.
type BodyReader = fn(&Node<'_>) -> Result<(), ApiError>;

/// One operation of the description.
pub struct Operation {
    /// All but the path, the security and the failures.
    pub built: utoipa::openapi::path::Operation,
    /// Named schemas that it refers to.
    pub schemas: Schemas,
    /// Statuses of the failures that it shares with others.
    pub failures: Vec<&'static str>,
    /// The rules that it keeps.
    pub rules: Option<&'static str>,
}

/// A good answer: what it is, and the schema of its body with its content type.
pub struct ResponseDoc {
    status: &'static str,
    about: &'static str,
    body: Vec<(&'static str, RefOr<Schema>)>,
    schemas: Schemas,
}

macro_rules! methods {
    ($($name:ident $method:ident;)*) => {$(
        /// A route of this method that needs a token.
        pub fn $name<T: 'static>(path: &'static str, handler: impl Handler<T, App>) -> Route {
            Route::new(Method::$method, path, handler)
        }
    )*};
}

methods! {
    get GET;
    post POST;
    patch PATCH;
    put PUT;
    delete DELETE;
}

impl Route {
    fn new<H: Handler<T, App>, T: 'static>(method: Method, path: &'static str, handler: H) -> Self {
        let serve = move |request: Request, app: App| -> Answering { Box::pin(handler.clone().call(request, app)) };
        let (authorization, serve) = (Authorization::Token, Box::new(serve));
        let (is_socket, whose, counted, operation, parameters, reads_body) =
            (false, None, None, None, Vec::new(), None);
        Self { method, path, authorization, is_socket, whose, counted, operation, parameters, reads_body, serve }
    }

    /// What the handler answers, or why the request does not get to it.
    pub(crate) async fn call(&'static self, mut request: Request, app: App) -> Response {
        match (AuthGuard { row: self }).admit(&mut request, &app) {
            Ok(()) => (self.serve)(request, app).await,
            Err(refused) => refused.into_response(),
        }
    }

    /// Everybody may call it.
    #[must_use]
    pub fn open(self) -> Self {
        Self { authorization: Authorization::Nothing, ..self }
    }

    /// It needs the right to read `resource`.
    #[must_use]
    pub fn reads(self, resource: Resource) -> Self {
        Self { authorization: Authorization::Right(Right { resource, access: Access::Read }), ..self }
    }

    /// It needs the right to write `resource`.
    #[must_use]
    pub fn writes(self, resource: Resource) -> Self {
        Self { authorization: Authorization::Right(Right { resource, access: Access::Write }), ..self }
    }

    /// It needs the right to read one of `resources`.
    #[must_use]
    pub fn reads_any(self, resources: &'static [Resource]) -> Self {
        Self { authorization: Authorization::AnyRead(resources), ..self }
    }

    /// It answers to WebSocket upgrades only.
    #[must_use]
    pub fn socket(self) -> Self {
        Self { is_socket: true, ..self }
    }

    /// It needs a right to write, whatever it is.
    #[must_use]
    pub fn writes_anything(self) -> Self {
        Self { authorization: Authorization::AnyWrite, ..self }
    }

    /// Sets the owner of what it reaches.
    #[must_use]
    pub fn of(self, whose: RouteOwner) -> Self {
        Self { whose: Some(whose), ..self }
    }

    /// It is the operator's.
    #[must_use]
    pub fn operator(self) -> Self {
        Self { authorization: Authorization::Operator, whose: Some(RouteOwner::Operator), ..self }
    }

    /// It is the operator's, and concerns more than one world.
    #[must_use]
    pub fn all_worlds(self) -> Self {
        Self { authorization: Authorization::AllWorlds, whose: Some(RouteOwner::Operator), ..self }
    }

    /// It is the operator's, and for the world in its path open to partners whose token meets `demand`, as far as what it
    /// reaches is theirs.
    #[must_use]
    pub fn own_world(self, demand: ScopeDemand, whose: RouteOwner) -> Self {
        Self { authorization: Authorization::OwnWorld(demand), whose: Some(whose), ..self }
    }

    /// Its answers are counted as what a partner has met, at this place.
    #[must_use]
    pub fn counted_at(self, place: u16) -> Self {
        Self { counted: Some(place), ..self }
    }

    /// What the description calls its operation.
    #[must_use]
    pub fn operation_id(&self) -> Option<&str> {
        self.operation.as_ref()?.built.operation_id.as_deref()
    }

    /// Its description: `id` is the name that generated clients use.
    #[must_use]
    pub fn operation(self, tag: &'static str, id: &'static str, summary: &'static str) -> Self {
        let mut built = utoipa::openapi::path::Operation::new();
        built.operation_id = Some(id.to_owned());
        built.tags = Some(vec![tag.to_owned()]);
        built.summary = Some(summary.to_owned());
        let ids: Vec<_> = in_path(self.path).map(RefOr::T).collect();
        built.parameters = (!ids.is_empty()).then_some(ids);
        let mut failures = vec!["400", "401"];
        // An id may name nothing.
        failures.extend(built.parameters.is_some().then_some("404"));
        Self { operation: Some(Operation { built, schemas: Schemas::new(), failures, rules: None }), ..self }
    }

    /// More text of its description.
    #[must_use]
    pub fn about(self, about: &'static str) -> Self {
        self.described(|operation| operation.built.description = Some(about.to_owned()))
    }

    /// The rules that it keeps, by their names with commas between them: readers of the description find them in `docs/rules`.
    #[must_use]
    pub fn rules(self, rules: &'static str) -> Self {
        self.described(|operation| operation.rules = Some(rules))
    }

    /// Its query parameters, as they are read.
    #[must_use]
    pub fn query<T>(mut self, rows: impl FnOnce(&mut Parameters<'_>) -> T) -> Self {
        let (names, described) = query::describe(rows);
        self.parameters.extend(names);
        self.described(|operation| {
            operation.built.parameters.get_or_insert_default().extend(described.into_iter().map(RefOr::T));
        })
    }

    /// The words that a parameter of its path may be.
    #[must_use]
    pub fn words(self, parameter: &str, words: impl IntoIterator<Item = &'static str>) -> Self {
        self.described(|operation| {
            let mut known = operation.built.parameters.iter_mut().flatten();
            let known = known.find_map(|known| match known {
                RefOr::T(known) if known.name == parameter => Some(known),
                _ => None,
            });
            known.expect("the path has the parameter").schema = Some(schema_of(words));
        })
    }

    /// Its JSON body.
    #[must_use]
    pub fn takes<S: Shape>(self) -> Self {
        Self { reads_body: Some(read_as::<S>), ..self.takes_as(JSON, Required::True, describe::<S>) }
    }

    /// Its JSON body, which may be left out: that reads as an object without fields.
    #[must_use]
    pub fn may_take<S: Shape>(self) -> Self {
        Self { reads_body: Some(read_as::<S>), ..self.takes_as(JSON, Required::False, describe::<S>) }
    }

    /// What is wrong with a JSON body by itself, in the words of the refusal: a field that is not known, not there or
    /// cannot be read. `None` when there is no problem, and where only the handler can find it.
    #[must_use]
    pub fn problems_of(&self, body: &str) -> Option<String> {
        let read = self.reads_body?;
        let read = Node::parse(body.as_bytes()).map_or(Ok(()), |node| read(&node));
        read.err().map(|refusal| refusal.description)
    }

    /// Its JSON body, of one shape or the other.
    #[must_use]
    pub fn takes_either<S: Shape, T: Shape>(self) -> Self {
        let either =
            |known: &mut Schemas| OneOfBuilder::new().item(describe::<S>(known)).item(describe::<T>(known)).into();
        self.takes_as(JSON, Required::True, either)
    }

    /// Its JSON body: a file that this server, or another, has written.
    #[must_use]
    pub fn takes_file(self) -> Self {
        self.takes_as(JSON, Required::True, |_| plain(Type::Object).into())
    }

    /// Its form.
    #[must_use]
    pub fn takes_form<T: ToSchema>(self) -> Self {
        self.takes_as("application/x-www-form-urlencoded", Required::True, reference::<T>)
    }

    fn takes_as(
        self,
        content_type: &'static str,
        required: Required,
        schema: fn(&mut Schemas) -> RefOr<Schema>,
    ) -> Self {
        self.described(|operation| {
            let content = ContentBuilder::new().schema(Some(schema(&mut operation.schemas))).build();
            let body = RequestBodyBuilder::new().required(Some(required)).content(content_type, content);
            operation.built.request_body = Some(body.build().into());
        })
    }

    /// A good answer.
    #[must_use]
    pub fn gives(self, gives: ResponseDoc) -> Self {
        let ResponseDoc { status, about, body, schemas } = gives;
        self.described(|operation| {
            let mut response = ResponseBuilder::new().description(about);
            for (content_type, schema) in body {
                response = response.content(content_type, ContentBuilder::new().schema(Some(schema)).build());
            }
            operation.built.responses.responses.insert(status.to_owned(), response.build().into());
            operation.schemas.extend(schemas);
        })
    }

    /// The statuses of its usual failures, where they are not those of an operation with a token.
    #[must_use]
    pub fn fails(self, failures: &'static [&'static str]) -> Self {
        self.described(|operation| operation.failures = failures.to_vec())
    }

    /// It may be refused with 409 because of the resource's state.
    #[must_use]
    pub fn conflicts(self) -> Self {
        self.described(|operation| operation.failures.push("409"))
    }

    fn described(mut self, change: impl FnOnce(&mut Operation)) -> Self {
        if let Some(operation) = &mut self.operation {
            change(operation);
        }
        self
    }
}

/// 200 with a `T`.
#[must_use]
pub fn one<T: ToSchema>(about: &'static str) -> ResponseDoc {
    let mut schemas = Schemas::new();
    let schema = reference::<T>(&mut schemas);
    ResponseDoc { status: "200", about, body: vec![(JSON, schema)], schemas }
}

/// 200 with a list of `T`.
#[must_use]
pub fn many<T: ToSchema>(about: &'static str) -> ResponseDoc {
    let mut schemas = Schemas::new();
    let schema = ArrayBuilder::new().items(reference::<T>(&mut schemas)).into();
    ResponseDoc { status: "200", about, body: vec![(JSON, schema)], schemas }
}

/// 200 with a file of this type.
#[must_use]
pub fn file(content_type: &'static str, about: &'static str) -> ResponseDoc {
    ResponseDoc {
        status: "200",
        about,
        body: vec![(content_type, schema_of_file(content_type))],
        schemas: Schemas::new(),
    }
}

fn schema_of_file(content_type: &str) -> RefOr<Schema> {
    let schema = match content_type {
        "application/pdf" => plain(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary))),
        // Validators read these: a document as the value that it is, a stream as one object an event.
        JSON | "application/yaml" | "text/event-stream" => plain(Type::Object),
        _ => plain(Type::String),
    };
    schema.into()
}

/// An answer without a body.
#[must_use]
pub fn nothing(status: &'static str, about: &'static str) -> ResponseDoc {
    ResponseDoc { status, about, body: Vec::new(), schemas: Schemas::new() }
}

impl ResponseDoc {
    /// Or a `T` instead.
    #[must_use]
    pub fn or_one<T: ToSchema>(mut self) -> Self {
        let other = reference::<T>(&mut self.schemas);
        for (_, schema) in &mut self.body {
            *schema = OneOfBuilder::new().item(schema.clone()).item(other.clone()).into();
        }
        self
    }

    /// Or the same as a file of another type, for those who accept it.
    #[must_use]
    pub fn or_file(mut self, content_type: &'static str) -> Self {
        self.body.push((content_type, schema_of_file(content_type)));
        self
    }

    /// The same with another status.
    #[must_use]
    pub fn with_status(self, status: &'static str) -> Self {
        Self { status, ..self }
    }
}

/// Reads a body of the levers or the machinery, which refuse fields that they do not know.
fn read_as<S: Shape>(body: &Node<'_>) -> Result<(), ApiError> {
    fields::read(body, Unknown::Refused, S::rows).map(drop)
}

/// The parameters that a path names in braces.
fn in_path(path: &str) -> impl Iterator<Item = Parameter> + '_ {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        let (description, schema) = match name {
            "instrumentId" => ("Id of the instrument.", InstrumentId::schema()),
            "clientId" => ("Id of the client.", Id::schema()),
            "accountId" => ("Id of the account.", Id::schema()),
            "journeyId" => ("Id of the journey.", Id::schema()),
            "allocationPlanId" => ("Id of the allocation plan.", Id::schema()),
            "agreementTypeKey" => ("Key of the agreement type.", AgreementKey::schema()),
            "mobilepayId" => ("Id of the mobile payment.", Id::schema()),
            "instructionId" => ("Id of the instruction.", Id::schema()),
            "orderId" => ("Id of the order.", Id::schema()),
            "transactionId" => ("Id of the transaction.", Id::schema()),
            "bankAccountId" => ("Id of the bank account.", Id::schema()),
            "transferId" => ("Id of the transfer.", Id::schema()),
            "paymentId" => ("Id of the payment.", Id::schema()),
            "worldId" => ("Id of the world; `current` is that of the token.", plain(Type::String).into()),
            "id" => ("Id of an event, a resource or a delivery.", Id::schema()),
            "otherId" => ("Id of the other world.", plain(Type::String).into()),
            "snapshotId" => ("Name of the snapshot.", plain(Type::String).into()),
            "faultId" => ("Number of the rule.", plain(Type::Integer).into()),
            "deliveryId" => ("Id of the delivery.", Id::schema()),
            "webhookId" => ("Id of the webhook.", Id::schema()),
            "pictureName" => ("Name of the picture, as the list of pictures has it.", plain(Type::String).into()),
            "suspenseId" => ("Id of the money in suspense.", Id::schema()),
            unnamed => panic!("nothing describes the parameter {unnamed}"),
        };
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some(description))
            .schema(Some(schema))
            .build()
    })
}

/// The check of a row, which runs before its handler.
#[derive(Clone, Copy)]
struct AuthGuard {
    row: &'static Route,
}

impl AuthGuard {
    /// Lets a request pass, and notes its route.
    fn admit(self, request: &mut Request, app: &App) -> Result<(), ApiError> {
        if self.row.is_socket && !is_upgrade(request.headers()) {
            return Err(ApiError::not_found("this path answers to WebSocket upgrades only"));
        }
        let context = request.extensions_mut().get_mut::<RequestContext>();
        let context = context.ok_or_else(|| ApiError::server_error("the request did not come by the surface"))?;
        context.pattern = Some(self.row.path);
        current::note_route(self.row.path, self.row.counted);
        let caller = || context.caller.as_ref().map_err(|denied| denied.answer());
        match self.row.authorization {
            Authorization::Right(right) => caller()?.may(right),
            Authorization::AnyRead(resources) => caller()?.may_read_one(resources),
            Authorization::AnyWrite => caller()?.may_write_something(),
            // The handler checks a token that is not a partner's.
            Authorization::OwnWorld(demand) => context.caller.as_ref().map_or(Ok(()), |caller| caller.meets(demand)),
            Authorization::Operator => {
                context.caller.as_ref().map_or(Ok(()), |caller| caller.meets(ScopeDemand::Everything))
            }
            // A partner is never the operator here, whether or not the operator has a token.
            Authorization::AllWorlds if context.caller.is_ok() => Err(ApiError::forbidden("this is the operator's")),
            Authorization::AllWorlds => Ok(()),
            Authorization::Nothing | Authorization::Token => Ok(()),
        }?;
        let peer = context.peer;
        let refused = context.caller.as_ref().ok().and_then(|caller| self.admit_partner(caller, app).err());
        match refused {
            Some(refused) if !shows_operator_token(request.headers(), app, peer)? => return Err(refused),
            _ => {}
        }
        self.admit_query(request)
    }

    /// Refuses query parameters that the row does not name: those of levers and machinery always, as unknown fields are, those of the
    /// partner API where the caller's world wants that (rule: wire/unknown-fields).
    fn admit_query(self, request: &Request) -> Result<(), ApiError> {
        let Some(query) = request.uri().query().filter(|_| self.row.authorization != Authorization::Nothing) else {
            return Ok(());
        };
        let caller = request.extensions().get::<RequestContext>().and_then(|context| context.caller.as_ref().ok());
        let is_strict = !self.row.path.starts_with("/v2")
            || caller.is_some_and(|caller| caller.world.edge.settings().strict_bodies);
        if is_strict { query::refuse_unknown(query, &self.row.parameters) } else { Ok(()) }
    }

    /// Whether what the route reaches is the partner's, as far as its row says.
    fn admit_partner(self, caller: &Caller, app: &App) -> Result<(), ApiError> {
        match self.row.whose {
            Some(RouteOwner::World(act)) if !caller.may_act(act, app.operator_token.is_some()) => Err(
                ApiError::forbidden(format!("other partners share this world; to {} is the operator's", act.about())),
            ),
            Some(RouteOwner::Market) if caller.world.edge.settings().operator_market => {
                Err(ApiError::forbidden("this acts on the whole world, and is the operator's there"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether the request has the operator's token beside the partner's.
///
/// # Errors
/// 503 while too many wrong ones have been shown (rule: auth/wrong-secrets).
fn shows_operator_token(headers: &HeaderMap, app: &App, peer: Option<IpAddr>) -> Result<bool, ApiError> {
    let shown = headers.get(OPERATOR_TOKEN).and_then(|value| value.to_str().ok());
    let Some((token, shown)) = app.operator_token.as_ref().zip(shown) else { return Ok(false) };
    let clock = app.worlds.clock();
    let guess = app.guesses.begin(peer, guesses::SecretOwner::Operator, clock)?;
    let is_right = token.is(shown);
    if is_right {
        guess.right()
    } else {
        guess.wrong_at_once(clock)
    }
    Ok(is_right)
}

fn is_upgrade(headers: &HeaderMap) -> bool {
    has_token(headers, &CONNECTION, "upgrade") && has_token(headers, &UPGRADE, "websocket")
}

fn has_token(headers: &HeaderMap, name: &HeaderName, token: &str) -> bool {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|word| word.trim().eq_ignore_ascii_case(token))
}
