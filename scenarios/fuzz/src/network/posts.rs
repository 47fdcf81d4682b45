//! What the partner's own server must have got: one callback of each journey that ended, and each event of those who
//! registered for them, in order for each resource.
//!
//! Invariant: judged when nothing is left to be delivered. A post that came again under the same id is a repetition, which
//! a receiver that failed must expect. Absent on purpose: when a post came.

use super::events::ClientNumbers;
use super::expectation::expectation;
use super::readable;
use crate::story::braced;
use indexmap::IndexMap;
use language::ast::{Expect, Expected, StoryStep};
use oracle::check::Law;
use runner::remote::Posted;
use rustc_hash::FxBuildHasher;
use serde_json::Value as Json;
use sim::World;
use sim::event::Event;
use sim::ids::{ClientId, JourneyId};
use sim::outbox::Callback;
use std::collections::BTreeMap;

/// Something that must be posted.
struct Due {
    /// The journey or the resource.
    about: String,
    id: String,
    kind: &'static str,
    body: Json,
}

/// What was posted otherwise than it should have been: the law, what it was, and the journey it is about.
pub(super) struct Misposted {
    pub(super) law: Law,
    pub(super) what: String,
    pub(super) expect: Option<Box<(JourneyId, Expected)>>,
}

/// Everything that must be posted.
#[derive(Default)]
pub(super) struct Posts {
    callbacks: Vec<(JourneyId, ClientId, Json)>,
    /// By client with a webhook; none where it has none.
    events: BTreeMap<ClientNumbers, Vec<Due>>,
    /// By client with a webhook, the types of events that it asks for; empty is all.
    wanted: BTreeMap<ClientNumbers, &'static [&'static str]>,
}

/// Types of events that webhooks ask for; none is all.
pub(super) const WANTED: &[&[&str]] = &[
    &[],
    &["order.update"],
    &["account.create", "cashTransaction.create"],
    &[],
    &["account.update", "order.create"],
    &["fundTransaction.create", "cashTransaction.update", "journey.update"],
];

impl Posts {
    /// From here on the events of this client of these types are posted to a path of its own; of all, where none is named.
    pub(super) fn register(&mut self, numbers: ClientNumbers, wanted: &'static [&'static str]) {
        self.events.insert(numbers, Vec::new());
        self.wanted.insert(numbers, wanted);
    }

    /// Notes the events and callbacks that the reference world has sent.
    pub(super) fn expect(
        &mut self,
        world: &World,
        events: &[Event],
        callbacks: &[Callback],
        client_numbers: &BTreeMap<ClientId, ClientNumbers>,
    ) {
        for callback in callbacks {
            self.callbacks.push((
                callback.journey,
                callback.client,
                Json::from(&readable::callback(world, &callback.body)),
            ));
        }
        for event in events {
            let numbers = event.client.and_then(|client| client_numbers.get(&client));
            let Some(due) = numbers.and_then(|numbers| self.events.get_mut(numbers)) else { continue };
            let wanted = numbers.and_then(|numbers| self.wanted.get(numbers)).copied().unwrap_or_default();
            if !wanted.is_empty() && !wanted.contains(&event.kind()) {
                continue;
            }
            let Some(body) = readable::payload(world, event).as_ref().map(Json::from) else { continue };
            let id = event.public_id(world.seed()).to_string();
            due.push(Due { about: about(&body), id, kind: event.kind(), body });
        }
    }

    /// Whether anything is to be posted at all.
    pub(super) fn is_empty(&self) -> bool {
        self.callbacks.is_empty() && self.events.is_empty()
    }

    /// Holds what came against what was due; how many posts came.
    pub(super) fn judge(
        &self,
        posts: &[Posted],
        client_numbers: &BTreeMap<ClientId, ClientNumbers>,
    ) -> Result<u64, Misposted> {
        if let Some(post) = posts.iter().find(|post| !post.signed) {
            let what = format!("a post to {} about {} is not signed as it should be", post.path, about(&post.body));
            return Err(Misposted { law: Law::OneCallback, what, expect: None });
        }
        self.judge_callbacks(posts)?;
        for (numbers, due) in &self.events {
            let path = path_of(*numbers);
            let came = posts.iter().filter(|post| post.path == path);
            judge_events(*numbers, due, came)?;
        }
        let paths: Vec<String> = client_numbers.values().map(|numbers| path_of(*numbers)).collect();
        match posts.iter().find(|post| post.path != CALLBACKS && !paths.contains(&post.path)) {
            Some(post) => {
                Err(Misposted { law: Law::Isolation, what: format!("a post came to {}", post.path), expect: None })
            }
            None => Ok(posts.len() as u64),
        }
    }

    fn judge_callbacks(&self, posts: &[Posted]) -> Result<(), Misposted> {
        let mut came: IndexMap<String, Vec<&Posted>, FxBuildHasher> = IndexMap::default();
        for post in posts.iter().filter(|post| post.path == CALLBACKS) {
            let of = came.entry(about(&post.body)).or_default();
            if of.iter().all(|known| known.id != post.id) {
                of.push(post);
            }
        }
        for (journey, _, body) in &self.callbacks {
            let got = came.swap_remove(&journey.to_string()).unwrap_or_default();
            let wrong = |what: String, got: &Json| {
                let expect = Some(Box::new((*journey, expectation(body, got))));
                Err(Misposted { law: Law::OneCallback, what, expect })
            };
            match got.as_slice() {
                [post] if post.body == *body => {}
                [post] => {
                    return wrong(
                        format!("the callback of {journey} has {}", language::matching::show(&post.body)),
                        &post.body,
                    );
                }
                posts => return wrong(format!("journey {journey} has {} callbacks", posts.len()), body),
            }
        }
        match came.keys().next() {
            Some(journey) => {
                let what = format!("a callback of {journey} came, which has not ended so");
                Err(Misposted { law: Law::OneCallback, what, expect: None })
            }
            None => Ok(()),
        }
    }
}

/// Where the journeys of generated runs have their callbacks sent.
const CALLBACKS: &str = "/callback";

/// Where the events of a client are posted.
pub(super) fn path_of((partner, client): ClientNumbers) -> String {
    format!("/webhook-{partner}-{client}")
}

fn judge_events<'a>(
    numbers: ClientNumbers,
    due: &[Due],
    came: impl Iterator<Item = &'a Posted>,
) -> Result<(), Misposted> {
    let wrong = |what: String| Err(Misposted { law: Law::EventCorrespondence, what, expect: None });
    let whose = format!("the webhook of client {} of partner {}", numbers.1, numbers.0);
    let mut once: IndexMap<&str, &Posted, FxBuildHasher> = IndexMap::default();
    came.for_each(|post| {
        once.entry(&post.id).or_insert(post);
    });
    once.retain(|_, post| post.kind != "instrument.reloaded");
    let mut expected: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut got: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    due.iter().for_each(|due| expected.entry(&due.about).or_default().push(&due.id));
    once.iter().for_each(|(id, post)| got.entry(about(&post.body)).or_default().push(id));
    for due in due {
        let Some(post) = once.get(due.id.as_str()) else {
            return wrong(format!("{whose} did not receive `{}`", due.kind));
        };
        let mut body = post.body.clone();
        readable::take_links(&mut body);
        if body != due.body || post.kind != due.kind {
            return wrong(format!("{whose} received `{}`: {}", post.kind, language::matching::show(&body)));
        }
    }
    if !expected.iter().map(|(about, ids)| (*about, ids)).eq(got.iter().map(|(about, ids)| (about.as_str(), ids))) {
        return wrong(format!("{whose} received too many events, or out of order"));
    }
    Ok(())
}

/// The journey or the resource that a post is about.
fn about(body: &Json) -> String {
    let places = ["/current/id", "/previous/id", "/id"];
    places.iter().find_map(|place| body.pointer(place)).and_then(Json::as_str).unwrap_or_default().to_owned()
}

/// What a story expects of a callback.
pub(super) fn expected(name: &str, body: Expected) -> StoryStep {
    StoryStep::from(Expect::Callback(braced(name), body))
}
