//! From bytes to a handler and back: connections, what is done around every request, who calls, and how requests are read.
//!
//! Absent on purpose: what is answered, which the handlers of `planes` say.
//!
//! # The way of a request
//!
//! `server` (bytes, bounds) -> `admission` (is it for this server, and from no page of another origin?) -> `service`
//! (number, caller, fault rules, request log, headers) -> the row of the path and method
//! (`routes`; `sandbox/src/planes/router.rs` has all of them) -> the guard of the route (`route`: has the token the right that the row names?) -> a handler (`planes/`):
//! extract (`extract`, `wire::rows::fields`, `wire::query`), submit or read (`hosting/src/worlds/handle`), render (`wire`).
//!
//! `server` speaks TLS where it has a certificate (`tls`), and keeps places for connections and spare file descriptors (`accept`): without them new connections get 503, and the
//! operator's plane stays reachable. A stop waits for nobody longer than the notice.
//!
//! `openapi/` makes the description of all planes from the rows: `document` the frame, `variants` the shapes of what has several, `part` one plane, `failures`, `rights` and `tags` what operations
//! share, `requests` closes bodies that refuse unknown fields, `links` follow from ids, `events` has webhooks, the callback and AsyncAPI,
//! `examples.json` is what stories, and the conversation in `tests/openapi/conversation.rs`, have sent. Answers of the machinery are typed beside their handlers. Every answer that a test or a
//! story gets is held against it (`sandbox/tests/conformance`).
//!
//! What happens is logged and counted beside that way (`hosting::telemetry`: events of `tracing`, which `log` makes lines of, and
//! `metrics`), under locks but without waiting;
//! `src/serve/printer.rs` writes the lines. `src/serve/running.rs` keeps the note by which the next start
//! says what a kill has taken. `hosting::current` knows the request that is being answered, for events to name it.
//!
//! A route is one row (`sandbox/src/planes/partner/routes.rs`, and in `levers/mod.rs` and `operator/mod.rs` beside it): method, path, handler, who may call it,
//! parameters, body, answers and failures. It is served, guarded, described (OpenAPI) and tested by that row:
//! `sandbox/src/planes/router/tests/access.rs` asks every route as everybody who might.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! admission, body, reference
//! shared
//! auth
//! extract, route
//! routes
//! service
//! server, token_endpoint
//! openapi, testing
//! ```

pub mod admission;
pub mod auth;
pub mod body;
pub mod extract;
pub mod openapi;
pub mod reference;
pub mod route;
pub mod routes;
pub mod server;
pub mod service;
pub mod shared;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod token_endpoint;

pub use self::routes::Routes;
pub use self::server::{serve, serve_by};
pub use self::service::Surface;
pub use self::shared::{App, Shared, SurfaceConfig};
