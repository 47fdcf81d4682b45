//! Faults of the surface that only tests can plant, to prove that the checkers can fail.
//!
//! Owns: what a fault does to a request on its way and to the answer that comes back. Invariant: the server knows nothing
//! of them. Absent on purpose: faults of the world, which `sim::canary` plants.

use super::application::Application;
use super::receiver::Receiver;
use super::{Doing, Driver, NoAnswer, Outage, Request, Response, Socket};
use bytes::Bytes;
use hyper::{HeaderMap, Method};
use language::ast::{Network, Server};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An order is acknowledged and not kept, when its client has one already.
    AcknowledgedAndForgotten,
    /// The link of a journey opens the oldest journey of its client.
    LinkOpensAnother,
    /// A page that begins somewhere leaves out what follows its first item.
    PageSkipsAnItem,
    /// Two orders that are in flight together get each other's answers.
    AnswersCross,
    /// An order that is struck on its way is carried out twice.
    DoneTwiceWhenStruck,
    /// A world that is rewound is back at its start.
    RewindIsReset,
    /// A change of permissions is acknowledged and not made.
    PermissionIsForgotten,
    /// A world that is deleted lives.
    DeletedWorldLives,
    /// A clock that is set going goes twice as fast.
    ClockGoesTwiceAsFast,
    /// An explanation lacks the last change.
    ExplanationLacksAChange,
    /// A recording begins with another world.
    RecordingHasAnotherSeed,
}

static BY_SEED: Mutex<Vec<(u64, Fault)>> = Mutex::new(Vec::new());

fn by_seed() -> MutexGuard<'static, Vec<(u64, Fault)>> {
    BY_SEED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plants `fault` before every server of a run of `seed`, until the guard is dropped.
#[must_use]
pub fn plant_in_runs_of(seed: u64, fault: Fault) -> Guard {
    by_seed().push((seed, fault));
    Guard(seed)
}

/// Ends a planting.
#[derive(Debug)]
pub struct Guard(u64);

impl Drop for Guard {
    fn drop(&mut self) {
        by_seed().retain(|(seed, _)| *seed != self.0);
    }
}

/// A driver with what was planted before its server.
pub struct Planted {
    driver: Box<dyn Driver>,
    fault: Option<Fault>,
    /// The first acknowledgement of an order by the path it was posted to.
    orders: BTreeMap<String, Json>,
    /// How many acknowledgements were made up.
    made_up: u32,
    /// The links of journeys by the path they were made at, oldest first.
    links: BTreeMap<String, Vec<String>>,
}

impl Planted {
    /// `driver`, with what is planted in runs of `seed`.
    pub fn new(driver: Box<dyn Driver>, seed: u64) -> Self {
        let fault = by_seed().iter().find(|(planted, _)| *planted == seed).map(|(_, fault)| *fault);
        Self { driver, fault, orders: BTreeMap::new(), made_up: 0, links: BTreeMap::new() }
    }

    /// The second order of a client is only validated, and acknowledged like its first.
    async fn forget(&mut self, request: Request) -> Result<Response, NoAnswer> {
        if !places_order(&request) {
            return self.driver.call(request).await;
        }
        let (path, asked) = (request.path.clone(), read(&request.body));
        let Some(first) = self.orders.get(&path).cloned() else {
            let answer = self.driver.call(request).await?;
            if answer.status == 200 {
                self.orders.insert(path, read(&answer.body));
            }
            return Ok(answer);
        };
        let validation = Request { path: format!("{path}?validate-only=true"), ..request };
        let mut answer = self.driver.call(validation).await?;
        if answer.status == 204 {
            self.made_up += 1;
            answer.status = 200;
            answer.body = written(&acknowledgement(first, &asked, self.made_up));
        }
        Ok(answer)
    }

    /// Links of journeys lead to the first of their client.
    async fn confuse(&mut self, mut request: Request) -> Result<Response, NoAnswer> {
        let makes = request.method == Method::POST && request.path.ends_with("/journey");
        for links in self.links.values() {
            let (Some(first), Some(asked)) = (links.first(), links.iter().find(|link| request.path.contains(*link)))
            else {
                continue;
            };
            request.path = request.path.replace(asked, first);
            break;
        }
        let path = request.path.clone();
        let answer = self.driver.call(request).await?;
        let link = read(&answer.body)
            .get("url")
            .and_then(Json::as_str)
            .and_then(|url| Some(url.rsplit_once('/')?.1.to_owned()));
        if let Some(link) = link.filter(|_| makes) {
            self.links.entry(path).or_default().push(link);
        }
        Ok(answer)
    }

    /// A page of orders that begins somewhere lacks its second item.
    async fn skip(&mut self, request: Request) -> Result<Response, NoAnswer> {
        let page = request.method == Method::GET && request.path.contains("/order?") && request.path.contains("start=");
        let mut answer = self.driver.call(request).await?;
        if let Json::Array(mut items) = read(&answer.body)
            && page
            && items.len() > 1
        {
            items.remove(1);
            answer.body = written(&Json::Array(items));
        }
        Ok(answer)
    }
}

/// The answer to an order that nobody keeps: like `first`, about what was asked, under an id of its own.
fn acknowledgement(mut first: Json, asked: &Json, number: u32) -> Json {
    for (key, value) in asked.as_object().into_iter().flatten() {
        first[key] = value.clone();
    }
    let id = first["id"].as_str().unwrap_or_default();
    let made_up = format!("{}{number:08}", &id[..id.len().saturating_sub(8)]);
    first["id"] = Json::String(made_up);
    first
}

fn read(body: &Bytes) -> Json {
    serde_json::from_slice(body).unwrap_or_default()
}

fn written(body: &Json) -> Bytes {
    Bytes::from(body.to_string())
}

impl Driver for Planted {
    fn call(&mut self, request: Request) -> Doing<'_, Result<Response, NoAnswer>> {
        Box::pin(async move {
            match self.fault {
                None | Some(Fault::AnswersCross | Fault::DoneTwiceWhenStruck) => self.driver.call(request).await,
                Some(Fault::AcknowledgedAndForgotten) => self.forget(request).await,
                Some(Fault::LinkOpensAnother) => self.confuse(request).await,
                Some(Fault::PageSkipsAnItem) => self.skip(request).await,
                Some(fault) => {
                    let path = request.path.clone();
                    let mut answer = self.driver.call(asked_of_host(fault, request)).await?;
                    answer.body = answered_by_host(fault, &path, answer.body);
                    Ok(answer)
                }
            }
        })
    }

    fn open_socket<'d>(&'d mut self, path: &'d str, headers: HeaderMap) -> Doing<'d, Result<Socket, NoAnswer>> {
        self.driver.open_socket(path, headers)
    }

    fn set_network(&mut self, network: Network) -> Doing<'_, Result<(), String>> {
        self.driver.set_network(network)
    }

    fn server(&mut self, server: Server) -> Doing<'_, Result<(), String>> {
        self.driver.server(server)
    }

    fn name(&self) -> &'static str {
        self.driver.name()
    }

    fn receiver(&self) -> &Receiver {
        self.driver.receiver()
    }

    fn operator_token(&self) -> Option<&str> {
        self.driver.operator_token()
    }

    fn pass(&mut self, span: Duration) -> Doing<'_, ()> {
        self.driver.pass(span)
    }

    fn patience(&self) -> Duration {
        self.driver.patience()
    }

    fn application(&mut self) -> Option<&mut Application> {
        self.driver.application()
    }

    fn call_application(&mut self, request: Request, patience: Duration) -> Doing<'_, Result<Response, NoAnswer>> {
        self.driver.call_application(request, patience)
    }

    fn call_at_once(&mut self, requests: Vec<(Duration, Request)>) -> Doing<'_, Vec<Result<Response, NoAnswer>>> {
        Box::pin(async move {
            let orders = requests.iter().enumerate().filter(|(_, (_, request))| places_order(request));
            let orders: Vec<usize> = orders.map(|(at, _)| at).collect();
            let mut answers = self.driver.call_at_once(requests).await;
            if let (Some(Fault::AnswersCross), [first, second, ..]) = (self.fault, orders.as_slice()) {
                answers.swap(*first, *second);
            }
            answers
        })
    }

    fn call_struck(
        &mut self,
        request: Request,
        outage: Outage,
        pause: Duration,
    ) -> Doing<'_, Result<Result<Response, NoAnswer>, String>> {
        Box::pin(async move {
            if self.fault == Some(Fault::DoneTwiceWhenStruck) && places_order(&request) {
                drop(self.driver.call(request.clone()).await);
            }
            self.driver.call_struck(request, outage, pause).await
        })
    }
}

/// What a host is asked instead where it forgets something.
fn asked_of_host(fault: Fault, mut request: Request) -> Request {
    let path = request.path.clone();
    match fault {
        Fault::RewindIsReset if path.ends_with("/rewind") => {
            (request.path, request.body) = (path.replace("/rewind", "/reset"), Bytes::new());
        }
        Fault::PermissionIsForgotten if request.method == Method::PATCH && path.ends_with("/settings") => {
            let mut asked = read(&request.body);
            if let Some(fields) = asked.as_object_mut()
                && fields.remove("permissions").is_some()
            {
                request.body = written(&asked);
            }
        }
        Fault::DeletedWorldLives if request.method == Method::DELETE && path.starts_with("/_sandbox/worlds/world-") => {
            request.method = Method::GET;
        }
        Fault::ClockGoesTwiceAsFast if request.method == Method::PATCH && path.ends_with("/clock") => {
            let mut asked = read(&request.body);
            if let Some(factor) = asked["clock"].as_str().and_then(|word| word.parse::<u64>().ok()) {
                asked["clock"] = Json::String((2 * factor).to_string());
                request.body = written(&asked);
            }
        }
        _ => {}
    }
    request
}

/// What comes back of an answer to an act of the host, or to a question about it.
fn answered_by_host(fault: Fault, path: &str, body: Bytes) -> Bytes {
    match fault {
        Fault::ExplanationLacksAChange if path.contains("/why/") => {
            let mut answer = read(&body);
            if let Some(changes) = answer["changes"].as_array_mut().filter(|changes| changes.len() > 1) {
                changes.pop();
                return written(&answer);
            }
        }
        Fault::RecordingHasAnotherSeed if path.ends_with("/scenario") => {
            let text = String::from_utf8_lossy(&body).replace("\n  seed: ", "\n  seed: 1");
            return Bytes::from(text);
        }
        _ => {}
    }
    body
}

fn places_order(request: &Request) -> bool {
    request.method == Method::POST && request.path.ends_with("/order")
}
