//! A server that is stopped at any moment and started again: every answer of the operator's plane is as it was.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use deliveries::testing::{Inbox, Reply};
use feed::transport::TransportClock;
use hosting::clock::Mode;
use hosting::journal::FORMAT;
use hosting::testing::{MemoryJournal, clock, continued, new_world, upgraded, with_snapshots};
use hosting::worlds::Worlds;
use serde_json::{Map, Value, json};
use surface::{App, Routes, Surface, SurfaceConfig};
use testing::FUND;
use testing::fixture::Fixture;

use crate::planes::router::{Plane, beside, rows};
use crate::testing::{Answer, form_request, request};

/// A server with a journal, whose deliveries arrive at an inbox.
struct Server {
    worlds: Worlds,
    surface: Surface,
    journal: Arc<MemoryJournal>,
    inbox: Inbox,
}

impl Server {
    /// The `start`th server, which continues from what `journal` has kept and goes by `clock`.
    async fn start(journal: &MemoryJournal, clock: TransportClock, start: u32) -> Self {
        let next = Arc::new(MemoryJournal::default());
        let worlds = continued(journal, Arc::clone(&next), clock, start).await;
        if worlds.all().is_empty() {
            worlds.make(new_world(Mode::Frozen)).await.expect("a world");
        }
        Self::of(worlds, next)
    }

    fn of(worlds: Worlds, journal: Arc<MemoryJournal>) -> Self {
        let inbox = Inbox::new();
        let config = SurfaceConfig { egress_client: inbox.egress_client(), ..SurfaceConfig::default() };
        let surface = Surface::new(App::new(worlds.clone(), config), Routes::new(rows(), beside()));
        Self { worlds, surface, journal, inbox }
    }

    async fn ask(&self, method: Method, path: &str, token: Option<&str>, body: Option<&Value>) -> Answer {
        Answer::of(self.surface.handle(request(method, path, token, body), None).await.expect("an answer")).await
    }

    async fn token(&self) -> String {
        let world = self.worlds.default_world().expect("a world");
        let known = &world.identity.credentials()[0];
        let secret = known.secret.known().expect("a secret").reveal();
        let form = format!("grant_type=client_credentials&client_id={}&client_secret={secret}", known.client_id);
        let answer = Answer::of(self.surface.handle(form_request(&form), None).await.expect("an answer")).await;
        answer.body["access_token"].as_str().expect("a token").to_owned()
    }
}

/// What an act of the course needs to know of those before it.
#[derive(Default)]
struct Known {
    client: String,
    account: String,
    order: String,
    webhook: String,
    delivery: String,
}

impl Known {
    fn fill(&self, text: &str) -> String {
        [
            ("{client}", &self.client),
            ("{account}", &self.account),
            ("{order}", &self.order),
            ("{webhook}", &self.webhook),
            ("{delivery}", &self.delivery),
        ]
        .into_iter()
        .fold(text.to_owned(), |text, (name, id)| text.replace(name, id))
    }

    fn note(&mut self, path: &str, body: &Value) {
        let id = |body: &Value| body["id"].as_str().map(str::to_owned);
        let known = match path {
            "/simulations/account" => &mut self.account,
            "/_sandbox/worlds/world-1/webhooks" => &mut self.webhook,
            path if path.ends_with("/order") => &mut self.order,
            path if path.ends_with("/test") => &mut self.delivery,
            _ => return,
        };
        if let Some(id) = id(body) {
            *known = id;
        }
    }
}

/// What happens, act by act: who asks for what, and what is answered. `{name}` stands for what an earlier act has made; without
/// a path, time passes.
fn course() -> Vec<(Method, &'static str, Value, u16)> {
    const W: &str = "/_sandbox/worlds/world-1";
    let (post, patch, delete) = (Method::POST, Method::PATCH, Method::DELETE);
    let at = |path: &str| -> &'static str { Box::leak(format!("{W}{path}").into_boxed_str()) };
    let account = json!({ "clientId": "{client}", "accountType": "depot", "cash": 50_000 });
    let order = json!({ "account": "{account}", "instrument": FUND, "orderType": "subscription", "amount": 1_000 });
    let place = "/v2/partner/client/{client}/order";
    let wait = || (Method::GET, "", Value::Null, 0);
    let hook = json!({ "client": "{client}", "url": "http://receiver.test/hook" });
    let busy =
        json!({ "match": { "path": "/v2/partner/*", "probability": 0.5 }, "verdict": { "answer": { "status": 503 } } });
    let lost = json!({ "match": { "event": "order.*", "times": 2 }, "verdict": { "deliveries": "fail" } });
    vec![
        (post.clone(), "/simulations/account", account.clone(), 200),
        (post.clone(), at("/webhooks"), hook, 200),
        (post.clone(), place, order.clone(), 200),
        wait(),
        (post.clone(), at("/webhooks/{webhook}/test"), Value::Null, 200),
        wait(),
        (post.clone(), at("/faults"), lost, 200),
        (post.clone(), place, order.clone(), 200),
        wait(),
        (post.clone(), at("/deliveries/{delivery}/replay"), Value::Null, 200),
        wait(),
        (post.clone(), at("/snapshots"), json!({ "name": "monday" }), 200),
        (patch.clone(), at("/settings"), json!({ "slowStart": null }), 400),
        (patch.clone(), at("/settings"), json!({ "strictBodies": false, "eventsKept": 5_000 }), 200),
        (patch.clone(), at("/settings"), json!({ "deliveryWaitsSeconds": [1, 2], "partnersMay": [] }), 200),
        (post.clone(), at("/clock/advance"), json!({ "by": "P2D" }), 200),
        wait(),
        (post.clone(), at("/faults"), busy, 200),
        (Method::GET, "/v2/partner/client/{client}/order", Value::Null, 0),
        (Method::GET, "/v2/partner/client/{client}/order", Value::Null, 0),
        (Method::GET, "/v2/partner/client/{client}/order", Value::Null, 0),
        (post.clone(), at("/fork"), json!({ "name": "a fork" }), 200),
        (delete.clone(), at("/faults"), Value::Null, 200),
        (patch.clone(), at("/clock"), json!({ "mode": "paced", "factor": 60 }), 200),
        wait(),
        (post.clone(), place, order.clone(), 200),
        (patch.clone(), at("/clock"), json!({ "mode": "frozen" }), 200),
        (post.clone(), at("/webhooks/{webhook}/replay"), json!({ "since": "2026-03-02T07:00:00Z" }), 200),
        wait(),
        (post.clone(), at("/rewind"), json!({ "to": "2026-03-03T07:00:00Z" }), 200),
        (post.clone(), place, order.clone(), 200),
        (patch, at("/webhooks/{webhook}"), json!({ "url": "http://receiver.test/gone" }), 200),
        wait(),
        (post.clone(), at("/fork"), json!({ "name": "of before", "at": "2026-03-02T09:00:00Z" }), 200),
        (post.clone(), at("/snapshots/monday/restore"), Value::Null, 200),
        (post.clone(), "/_sandbox/worlds", json!({ "seed": 9, "start": "2026-03-02T08:00:00+01:00" }), 200),
        (post.clone(), "/simulations/account", account, 200),
        (delete, "/_sandbox/worlds/world-2", Value::Null, 200),
        (post.clone(), at("/reset"), Value::Null, 200),
        wait(),
    ]
}

/// Answers of the operator's plane that are not kept: of requests, of what partners have met with them, of who is connected, and of the
/// process. Two pictures show the log of requests.
const NOT_KEPT: [&str; 9] = [
    "/metrics",
    "/healthz",
    "/readyz",
    "/requests",
    "/coverage",
    "/scenario",
    "/stream",
    "/pictures/sequence",
    "/pictures/world",
];

/// What partners have met of the first world as far as it follows from inputs, which is counted again (rule: wire/coverage).
async fn met_by_inputs(server: &Server) -> Vec<Value> {
    let coverage = server.ask(Method::GET, "/_sandbox/worlds/world-1/coverage", None, None).await.body;
    let groups = coverage["groups"].as_array().expect("groups").iter();
    let follows = |group: &&Value| ["states", "moves", "reasons", "days"].iter().any(|name| group["name"] == *name);
    groups.filter(follows).cloned().collect()
}

/// Fields that are not kept: how much was recorded, who is connected, and of the process.
fn without_what_is_not_kept(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for name in ["recording", "sockets", "request"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(without_what_is_not_kept);
        }
        Value::Array(values) => values.iter_mut().for_each(without_what_is_not_kept),
        _ => {}
    }
}

/// Where two answers differ first, and what both say there.
fn difference(before: &Value, after: &Value) -> Option<String> {
    let within =
        |name: String, before: &Value, after: &Value| difference(before, after).map(|at| format!("{name}.{at}"));
    match (before, after) {
        _ if before == after => None,
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
            one.iter().find_map(|(name, value)| within(name.clone(), value, other.get(name)?))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            (0..).zip(one.iter().zip(other)).find_map(|(at, (one, other)): (u32, _)| within(at.to_string(), one, other))
        }
        _ => Some(format!(" {before} before, {after} after")),
    }
}

/// Ids under `name` in lists of a server's answers.
async fn ids(server: &Server, path: &str, name: &str) -> Vec<String> {
    let body = server.ask(Method::GET, path, None, None).await.body;
    let lists = body.as_array().or_else(|| body.as_object()?.values().find_map(Value::as_array)).cloned();
    let id = |row: Value| match &row[name] {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    };
    lists.unwrap_or_default().into_iter().filter_map(id).collect()
}

/// The paths that `path` names, with every id in place of a name in braces.
async fn paths(server: &Server, path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let (name, after) = rest.split_once('}').expect("a name");
    let of_world = before.split('/').take(4).collect::<Vec<_>>().join("/");
    let found = match name {
        "worldId" | "otherId" => ids(server, "/_sandbox/worlds", "worldId").await,
        "deliveryId" => ids(server, &format!("{of_world}/deliveries"), "id").await,
        "webhookId" => ids(server, &format!("{of_world}/webhooks"), "id").await,
        "faultId" => ids(server, &format!("{of_world}/faults"), "id").await,
        "snapshotId" => ids(server, &format!("{of_world}/snapshots"), "name").await,
        "accountId" => ids(server, &format!("{of_world}/books"), "account").await,
        "id" => ids(server, &format!("{of_world}/events"), "eventId").await,
        "pictureName" => ids(server, &format!("{of_world}/pictures"), "name").await,
        other => panic!("{path}: nobody knows ids for {other}"),
    };
    let mut all = BTreeSet::new();
    for id in found {
        all.extend(Box::pin(paths(server, &format!("{before}{id}{after}"))).await);
    }
    all.into_iter().collect()
}

/// Every answer of the operator's plane, by its path.
async fn answers(server: &Server) -> Vec<(String, u16, Value)> {
    let mut all = Vec::new();
    for row in Plane::Machinery.rows().iter().filter(|row| row.method == Method::GET) {
        let is_kept = |path: &str| !NOT_KEPT.iter().any(|end| path.ends_with(end));
        if !is_kept(row.path) {
            continue;
        }
        for path in paths(server, row.path).await.into_iter().filter(|path| is_kept(path)) {
            let mut answer = server.ask(Method::GET, &path, None, None).await;
            without_what_is_not_kept(&mut answer.body);
            if let Some(capsule) = answer.body.as_object_mut().filter(|_| path.ends_with("/capsule")) {
                capsule.remove("requests");
            }
            all.push((path, answer.status, answer.body));
        }
    }
    all
}

/// Somebody who plays the course.
struct Player {
    server: Server,
    token: String,
    known: Known,
}

impl Player {
    async fn begin() -> Self {
        let server = Server::start(&MemoryJournal::default(), clock(), 0).await;
        server.inbox.answer_next([Reply::Status(204), Reply::Status(500), Reply::After(503, "7"), Reply::Status(204)]);
        let token = server.token().await;
        let world = server.worlds.default_world().expect("a world");
        let client = world.read(|world| sim::query::clients(world).next().expect("a client").id).expect("a world");
        Self { server, token, known: Known { client: client.to_string(), ..Known::default() } }
    }

    /// Plays an act, until everything that follows from it is kept.
    async fn play(&mut self, (method, path, body, status): (Method, &str, Value, u16)) {
        if path.is_empty() {
            tokio::time::sleep(Duration::from_secs(5)).await;
        } else {
            let (path, body) = (self.known.fill(path), self.known.fill(&body.to_string()));
            let body: Value = serde_json::from_str(&body).expect("JSON");
            let body = Some(&body).filter(|body| !body.is_null());
            let bearer = Some(self.token.as_str()).filter(|_| !path.starts_with("/_sandbox"));
            let answer = self.server.ask(method.clone(), &path, bearer, body).await;
            assert!(status == 0 || answer.status == status, "{method} {path}: {} {}", answer.status, answer.body);
            self.known.note(&path, &answer.body);
        }
        // Events become deliveries in a task of their own.
        tokio::time::sleep(Duration::from_millis(1)).await;
        // A kill would have paced clocks continue from the entry before.
        self.server.worlds.stopped().await;
    }
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn after_a_restart_at_any_moment_every_answer_of_the_operators_plane_is_as_it_was() {
    let mut player = Player::begin().await;
    let mut seen = BTreeSet::new();
    for (number, act) in course().into_iter().enumerate() {
        let path = act.1;
        player.play(act).await;
        let Player { server, token, .. } = &player;
        let again = Server::start(&server.journal, server.worlds.clock().clone(), 1).await;
        let (before, after) = (answers(server).await, answers(&again).await);
        assert_eq!(before.len(), after.len(), "after act {number} ({path})");
        for (before, after) in before.into_iter().zip(after) {
            let place = (&before.0, before.1, difference(&before.2, &after.2));
            assert_eq!(place, (&after.0, after.1, None), "after act {number} ({path})");
            seen.insert(before.0);
        }
        assert_eq!(met_by_inputs(server).await, met_by_inputs(&again).await, "after act {number} ({path})");
        assert!(again.worlds.bearer(token).is_some(), "after act {number} ({path}): the token is alive");
        again.worlds.seal();
    }
    assert!(seen.len() > 60, "few were compared: {seen:?}");
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn all_that_is_read_of_a_world_that_cannot_be_made_again_is_answered_503_with_the_reason() {
    let mut player = Player::begin().await;
    for act in course().into_iter().take(3) {
        player.play(act).await;
    }
    let kept = |change: &dyn Fn(&mut Value)| {
        let entries = player.server.journal.kept().into_iter().map(|entry| {
            let mut entry: Value = serde_json::from_slice(&entry).expect("JSON");
            change(&mut entry);
            entry.to_string().into_bytes()
        });
        MemoryJournal::of(entries)
    };
    // It stops on the way, or is not made at all.
    let stopped = kept(&|entry| {
        if let Some(input) = entry["what"].get_mut("input") {
            input["input"]["format"] = json!(9);
        }
    });
    let unmade = kept(&|entry| {
        if let Some(made) = entry["what"].get_mut("made") {
            made["setup"]["rules"] = json!(7);
        }
    });
    for (journal, why) in [(stopped, "an input of format 9"), (unmade, "rules of version 7 are not known here")] {
        let again = Server::start(&journal, clock(), 1).await;
        let mut asked = BTreeSet::new();
        for row in Plane::Machinery.rows().iter().filter(|row| row.method == Method::GET) {
            let Some((_, rest)) = row.path.split_once("/worlds/{worldId}/") else { continue };
            let rest = rest.split('/').map(|part| if part.starts_with('{') { "1" } else { part });
            let path = format!("/_sandbox/worlds/world-1/{}", rest.collect::<Vec<_>>().join("/"));
            let answer = again.ask(Method::GET, &path, None, None).await;
            let description = answer.body["error_description"].as_str().unwrap_or_default();
            assert!(answer.status == 503 && description.contains(why), "{path}: {} {}", answer.status, answer.body);
            asked.insert(row.path);
        }
        assert!(asked.len() > 20 && asked.contains("/_sandbox/worlds/{worldId}/coverage"), "{asked:?}");
    }
}

/// What is compared of a journal that another version may have written: which worlds there are, where they stand, and what the surface
/// before them has.
async fn outline(server: &Server) -> Map<String, Value> {
    const PARTS: [&str; 6] = ["/worlds", "/digest", "/webhooks", "/faults", "/snapshots", "/deliveries"];
    let mut all = answers(server).await;
    all.retain(|(path, ..)| PARTS.iter().any(|part| path.ends_with(part)));
    all.into_iter().map(|(path, status, body)| (path, json!({ "status": status, "body": body }))).collect()
}

/// Whether `known` is in `now`, which may have more fields: later versions have them.
fn is_in(known: &Value, now: &Value) -> bool {
    match (known, now) {
        (Value::Object(known), Value::Object(now)) => {
            known.iter().all(|(name, known)| now.get(name).is_some_and(|now| is_in(known, now)))
        }
        (Value::Array(known), Value::Array(now)) => {
            known.len() == now.len() && known.iter().zip(now).all(|(known, now)| is_in(known, now))
        }
        _ => known == now,
    }
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn a_journal_of_each_format_that_was_ever_written_makes_the_worlds_that_it_made() {
    let file = |format: u16, what: &str| Fixture::of(&format!("formats/journal-{format}.{what}"));
    if file(FORMAT, "jsonl").is_to_be_written() {
        let mut player = Player::begin().await;
        for act in course() {
            player.play(act).await;
        }
        let lines = with_snapshots(&player.server.journal)
            .kept()
            .into_iter()
            .map(|entry| String::from_utf8(entry).expect("text") + "\n");
        file(FORMAT, "jsonl").write(lines.collect::<String>());
        let outline = serde_json::to_string_pretty(&outline(&player.server).await).expect("JSON");
        file(FORMAT, "worlds.json").write(outline + "\n");
    }
    for format in 1..=FORMAT {
        let [journal, worlds] = ["jsonl", "worlds.json"].map(|what| file(format, what).text());
        let kept = MemoryJournal::of(journal.lines().map(|line| line.as_bytes().to_vec()));
        // As long after the start as the last entry.
        let last: Value = serde_json::from_str(journal.lines().last().expect("entries")).expect("JSON");
        let at = last["at"].as_u64().expect("an instant");
        let clock = TransportClock::starting_at(Duration::from_millis(at));
        let server = Server::of(upgraded(&kept, Arc::default(), clock, 1).await, Arc::default());
        let known: Map<String, Value> = serde_json::from_str(&worlds).expect("JSON");
        let now = outline(&server).await;
        let paths = |outline: &Map<String, Value>| outline.keys().cloned().collect::<Vec<_>>();
        assert_eq!(paths(&known), paths(&now), "format {format}");
        for (path, known) in &known {
            assert!(
                is_in(known, &now[path]),
                "format {format}, {path}: {}",
                difference(known, &now[path]).unwrap_or_default()
            );
        }
    }
}
