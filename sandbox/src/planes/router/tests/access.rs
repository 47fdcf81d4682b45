//! The access matrix: every route of every plane, asked by everybody who might.
//!
//! Owns: the answer that each kind of caller must get, from the authorization of the route's row. A new route is tested as soon as it is a row.

use super::super::*;
use crate::testing::{Answer, Bench, FUND, new_world, request};
use axum::http::HeaderValue;
use axum::http::Request;
use hosting::clock::Mode;
use hosting::secrets::Secret;
use std::time::Duration;
use surface::SurfaceConfig;
use surface::auth::{Access, Resource, Right, ScopeDemand};
use surface::route::{Authorization, RouteOwner};
use testing::Now as _;

/// The operator's token, where there is one.
const OPERATOR_TOKEN: &str = "operator";

/// Who asks, and how.
#[derive(Clone, Debug, PartialEq)]
enum AccessCase {
    /// A caller without a token.
    Nobody,
    /// With an invalid token.
    Garbage,
    /// With a token that was good an hour ago.
    Expired,
    /// The partner that the client in the path belongs to, with these rights.
    Partner(Vec<Right>),
    /// Another partner of the same world, with every right.
    OtherPartner,
    /// The partner, of another world than the one in the path.
    OtherWorld,
    /// A caller with the operator's token.
    Operator,
    /// A caller that may, from a page of another origin.
    OtherOrigin,
    /// A caller that may, from a page of another origin that sends no `Origin`.
    OtherSite,
    /// A caller that may, by a name that is not this server's.
    OtherHost,
    /// A caller that may, with a body of another content type than JSON.
    PlainText,
}

/// The status that it must get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExpectedAnswer {
    /// Any answer of the handler: neither 401 nor 403 nor 421.
    Admitted,
    /// This status.
    Status(u16),
}

const UNAUTHORIZED: ExpectedAnswer = ExpectedAnswer::Status(401);
const FORBIDDEN: ExpectedAnswer = ExpectedAnswer::Status(403);

fn every_right() -> Vec<Right> {
    Right::all().collect()
}

fn all_but(left_out: Right) -> Vec<Right> {
    Right::all().filter(|right| *right != left_out).collect()
}

/// Everybody who asks for a route. An operator's token makes no difference to what a partner's must have.
fn everybody(is_guarded: bool) -> Vec<AccessCase> {
    let mut all = vec![
        AccessCase::Nobody,
        AccessCase::Garbage,
        AccessCase::Expired,
        AccessCase::Partner(every_right()),
        AccessCase::OtherPartner,
        AccessCase::OtherWorld,
        AccessCase::Operator,
        AccessCase::OtherOrigin,
        AccessCase::OtherSite,
        AccessCase::OtherHost,
        AccessCase::PlainText,
    ];
    let narrow = if is_guarded { Right::all().count() } else { 1 };
    all.extend(Right::all().take(narrow).map(|right| AccessCase::Partner(vec![right])));
    all.extend(Right::all().take(narrow).map(|right| AccessCase::Partner(all_but(right))));
    all
}

/// The status for a partner with these rights.
fn partner(authorization: Authorization, rights: &[Right], is_guarded: bool) -> ExpectedAnswer {
    let reads = |resource: &Resource| rights.contains(&Right { resource: *resource, access: Access::Read });
    let has_all = rights.len() == Right::all().count();
    let may = match authorization {
        Authorization::Nothing | Authorization::Token | Authorization::OwnWorld(ScopeDemand::Token) => true,
        Authorization::Right(right) => rights.contains(&right),
        Authorization::AnyRead(resources) => resources.iter().any(reads),
        Authorization::AnyWrite => rights.iter().any(|right| right.access == Access::Write),
        Authorization::OwnWorld(ScopeDemand::EveryRead) => {
            Right::all().filter(|right| right.access == Access::Read).all(|right| rights.contains(&right))
        }
        Authorization::OwnWorld(ScopeDemand::Everything) => has_all,
        Authorization::Operator => has_all && !is_guarded,
        // A caller who shows a partner's token is that partner.
        Authorization::AllWorlds => false,
    };
    if may { ExpectedAnswer::Admitted } else { FORBIDDEN }
}

/// The status that `who` must get from a route of this row.
fn expected(row: &Route, authorization: Authorization, who: &AccessCase, is_guarded: bool) -> ExpectedAnswer {
    let is_machinery =
        matches!(authorization, Authorization::Operator | Authorization::AllWorlds | Authorization::OwnWorld(_));
    let is_open = authorization == Authorization::Nothing;
    match who {
        AccessCase::Nobody if is_open || (is_machinery && !is_guarded) => ExpectedAnswer::Admitted,
        AccessCase::Nobody => UNAUTHORIZED,
        AccessCase::Garbage | AccessCase::Expired if is_open => ExpectedAnswer::Admitted,
        AccessCase::Garbage | AccessCase::Expired => UNAUTHORIZED,
        AccessCase::Operator if is_open || (is_machinery && is_guarded) => ExpectedAnswer::Admitted,
        // Where no such token is set, it is one that nobody issued.
        AccessCase::Operator => UNAUTHORIZED,
        // What is the whole world's is the operator's, where partners share it.
        AccessCase::Partner(_) | AccessCase::OtherPartner if is_guarded && is_the_worlds(row) => FORBIDDEN,
        AccessCase::Partner(rights) => partner(authorization, rights, is_guarded),
        AccessCase::OtherPartner if row.path.contains("{clientId}") => FORBIDDEN,
        AccessCase::OtherPartner => partner(authorization, &every_right(), is_guarded),
        AccessCase::OtherWorld if row.path.contains("{worldId}") => FORBIDDEN,
        AccessCase::OtherWorld => partner(authorization, &every_right(), is_guarded),
        AccessCase::OtherOrigin | AccessCase::OtherSite => FORBIDDEN,
        AccessCase::OtherHost => ExpectedAnswer::Status(421),
        AccessCase::PlainText if reads_a_body(row) => ExpectedAnswer::Status(400),
        AccessCase::PlainText => ExpectedAnswer::Admitted,
    }
}

fn is_the_worlds(row: &Route) -> bool {
    matches!(row.whose, Some(RouteOwner::World(_)))
}

fn reads_a_body(row: &Route) -> bool {
    matches!(row.method, Method::POST | Method::PATCH | Method::PUT)
}

/// A path with ids of the right form; the client is the first partner's own.
fn path(bench: &Bench, row: &Route, world: &str) -> String {
    let client = bench.scope(0).client.to_string();
    let filled = row.path.split('/').map(|part| match part {
        "{clientId}" => &client,
        "{worldId}" => world,
        "{instrumentId}" => FUND,
        "{agreementTypeKey}" => "account",
        id if id.starts_with('{') => "00000000-0000-4000-8000-000000000000",
        word => word,
    });
    filled.collect::<Vec<_>>().join("/")
}

/// The token that `who` shows to a route of this row.
async fn token(
    bench: &Bench,
    row: &Route,
    authorization: Authorization,
    who: &AccessCase,
    is_guarded: bool,
) -> Option<String> {
    match who {
        AccessCase::Nobody => None,
        AccessCase::Garbage => Some("00000000-0000-4000-8000-000000000000".to_owned()),
        AccessCase::Expired => {
            let token = bench.token(0).await;
            tokio::time::sleep(Duration::from_secs(3_600)).await;
            Some(token)
        }
        AccessCase::Partner(rights) => {
            let scope: Vec<_> = rights.iter().map(ToString::to_string).collect();
            Some(bench.token_for(0, &scope.join(",")).await)
        }
        AccessCase::OtherPartner => Some(bench.token(1).await),
        AccessCase::Operator => Some(OPERATOR_TOKEN.to_owned()),
        AccessCase::OtherWorld => Some(bench.token(0).await),
        // A token that the route accepts; something else is wrong.
        AccessCase::OtherOrigin | AccessCase::OtherSite | AccessCase::OtherHost | AccessCase::PlainText => {
            match authorization {
                Authorization::AllWorlds => is_guarded.then(|| OPERATOR_TOKEN.to_owned()),
                _ if is_guarded && is_the_worlds(row) => Some(OPERATOR_TOKEN.to_owned()),
                Authorization::Operator if is_guarded => Some(OPERATOR_TOKEN.to_owned()),
                _ => Some(bench.token(0).await),
            }
        }
    }
}

/// A surface over two worlds.
fn bench(is_guarded: bool) -> Bench {
    let operator_token = is_guarded.then(|| Secret::new(OPERATOR_TOKEN));
    let bench = Bench::with(Mode::Frozen, SurfaceConfig { operator_token, ..SurfaceConfig::default() });
    bench.surface.app().worlds.make(new_world(Mode::Frozen)).now().expect("a second world");
    bench
}

async fn ask(bench: &Bench, row: &Route, authorization: Authorization, who: &AccessCase, is_guarded: bool) -> Answer {
    let token = token(bench, row, authorization, who, is_guarded).await;
    let world = if *who == AccessCase::OtherWorld { "world-2" } else { "world-1" };
    let path = path(bench, row, world);
    let mut asked: Request<_> = request(row.method.clone(), &path, token.as_deref(), Some(&serde_json::json!({})));
    let mut header = |name: &'static str, value: &'static str| {
        asked.headers_mut().insert(name, HeaderValue::from_static(value));
    };
    header("host", "localhost:8080");
    if row.path.ends_with("/subscribe") {
        header("connection", "upgrade");
        header("upgrade", "websocket");
        header("sec-websocket-version", "13");
    }
    match who {
        AccessCase::OtherOrigin => header("origin", "https://other.example"),
        AccessCase::OtherSite => header("sec-fetch-site", "cross-site"),
        AccessCase::OtherHost => header("host", "rebound.example:8080"),
        AccessCase::PlainText => header("content-type", "text/plain"),
        _ => {}
    }
    bench.ask(asked).await
}

/// How a route treats callers otherwise than `authorization` has it.
async fn faults(row: &Route, authorization: Authorization) -> Vec<String> {
    let mut faults = Vec::new();
    for is_guarded in [true, false] {
        let mut shared = bench(is_guarded);
        for who in everybody(is_guarded) {
            // A call may purge the client or remove the world.
            if row.method != Method::GET {
                shared = bench(is_guarded);
            }
            let answer = ask(&shared, row, authorization, &who, is_guarded).await;
            let holds = match expected(row, authorization, &who, is_guarded) {
                ExpectedAnswer::Admitted => ![401, 403, 421].contains(&answer.status),
                ExpectedAnswer::Status(status) => answer.status == status && answer.body["error"].is_string(),
            };
            if !holds {
                let world = if is_guarded { "with" } else { "without" };
                faults.push(format!(
                    "{} {} by {who:?} {world} an operator's token: {} {}",
                    row.method, row.path, answer.status, answer.body
                ));
            }
        }
    }
    faults
}

/// (rule: auth/token-scope, auth/lever-scope, auth/client-scope, auth/operator-token, auth/machinery-scope, auth/host-names,
/// auth/other-origins, wire/content-type)
#[tokio::test(start_paused = true)]
async fn every_route_admits_the_callers_of_its_row_and_no_others() {
    let mut found = Vec::new();
    for row in rows() {
        found.extend(faults(row, row.authorization).await);
    }
    assert_eq!(found, [""; 0]);
}

/// (rule: auth/market-levers)
#[tokio::test(start_paused = true)]
async fn what_acts_on_the_whole_world_is_the_operators_where_it_keeps_that_to_itself() {
    let mut kept = Vec::new();
    for row in rows() {
        let bench = bench(true);
        let mut settings = bench.world.edge.settings();
        settings.operator_market = true;
        bench.world.set_settings(settings);
        let who = AccessCase::Partner(every_right());
        let answer = ask(&bench, row, row.authorization, &who, true).await;
        let is_kept = row.whose == Some(RouteOwner::Market);
        let expectation = if is_kept { FORBIDDEN } else { expected(row, row.authorization, &who, true) };
        let holds = match expectation {
            ExpectedAnswer::Admitted => ![401, 403, 421].contains(&answer.status),
            ExpectedAnswer::Status(status) => answer.status == status && answer.body["error"].is_string(),
        };
        assert!(holds, "{} {}: {} {}", row.method, row.path, answer.status, answer.body);
        if is_kept {
            kept.push(row.path.rsplit('/').next().unwrap_or_default());
            assert_eq!(answer.body["error"], "forbidden");
            let token = bench.token(0).await;
            for (shown, admitted) in [(OPERATOR_TOKEN, true), ("another", false)] {
                let path = path(&bench, row, "world-1");
                let mut asked = request(row.method.clone(), &path, Some(&token), Some(&serde_json::json!({})));
                asked.headers_mut().insert("operator-token", HeaderValue::from_static(shown));
                assert_eq!(bench.ask(asked).await.status != 403, admitted, "{} with {shown}", row.path);
            }
        }
    }
    kept.sort_unstable();
    assert_eq!(kept, ["death", "delay-nav", "liquidate", "merge", "price", "screening", "split", "trading"]);
}

/// (rule: auth/market-levers)
#[tokio::test(start_paused = true)]
async fn only_the_operator_says_who_moves_the_market() {
    for (is_guarded, status) in [(true, 403), (false, 200)] {
        let bench = bench(is_guarded);
        let path = "/_sandbox/worlds/world-1/settings";
        let change = serde_json::json!({ "operatorMarket": true, "tokenLifeSeconds": 77 });
        let token = bench.token(0).await;
        let answer = bench.ask(request(Method::PATCH, path, Some(&token), Some(&change))).await;
        assert_eq!(answer.status, status, "{}", answer.body);
        let settings = bench.world.edge.settings();
        assert_eq!((settings.operator_market, settings.token_life.as_secs() == 77), (!is_guarded, !is_guarded));
        let operator = is_guarded.then_some(OPERATOR_TOKEN);
        assert_eq!(bench.ask(request(Method::PATCH, path, operator, Some(&change))).await.status, 200);
        let shown = bench.ask(request(Method::PATCH, path, Some(&token), Some(&change))).await;
        assert_eq!(
            (shown.status, &shown.body["operatorMarket"]),
            (200, &serde_json::json!(true)),
            "what is so can be sent back"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_route_that_admits_others_than_its_row_says_is_found_out() {
    let right = |resource, access| Authorization::Right(Right { resource, access });
    let all = [
        Authorization::Nothing,
        Authorization::Token,
        right(Resource::Instruction, Access::Read),
        Authorization::AllWorlds,
        Authorization::Operator,
        Authorization::OwnWorld(ScopeDemand::Token),
        Authorization::OwnWorld(ScopeDemand::Everything),
    ];
    for (index, row) in rows().enumerate().step_by(7) {
        // One wrong guess a row is enough, and the rows differ enough.
        let wrong = all[index % all.len()];
        if wrong != row.authorization {
            assert!(!faults(row, wrong).await.is_empty(), "{} {} as {wrong:?}", row.method, row.path);
        }
    }
}

/// (rule: auth/host-names, auth/other-origins)
#[tokio::test]
async fn what_is_no_row_answers_its_own_names_only_and_pages_of_customers_are_open_to_other_sites() {
    let bench = Bench::new();
    for (path, from_elsewhere) in [
        ("/openapi.json", 403),
        ("/asyncapi.json", 403),
        ("/llms.txt", 403),
        ("/", 403),
        ("/docs", 403),
        ("/guide", 403),
        ("/nowhere", 403),
        ("/whoami", 403),
        ("/journey/none", 404),
        ("/pay/none", 404),
    ] {
        for (header, value, expected) in [
            ("host", "rebound.example", 421),
            ("origin", "https://other.example", from_elsewhere),
            ("sec-fetch-site", "cross-site", from_elsewhere),
        ] {
            let mut asked = request(Method::GET, path, None, None);
            asked.headers_mut().insert("host", HeaderValue::from_static("127.0.0.1:8080"));
            asked.headers_mut().insert(header, HeaderValue::from_static(value));
            assert_eq!(bench.ask(asked).await.status, expected, "{path} with {header}: {value}");
        }
    }
}
