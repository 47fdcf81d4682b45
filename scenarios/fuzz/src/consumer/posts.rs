//! The partner's own server around the consumer: it hands over the webhooks that come, and answers as the run asks it to.
//!
//! Owns: the secrets, for the consumer as it knows them, and for the judge with the seconds in which each may have signed.
//! Invariant: what the consumer did with a post is judged by the sandbox's own signing, not by the consumer's check.
//! Absent on purpose: callbacks of journeys, which are answered well and otherwise left alone.

use super::recorder::Recorder;
use consumer::copy::Copy;
use consumer::webhook::{Secret, WebhookRequest, receive};
use deliveries::signature::SigningKey;
use feed::event_types::CALLBACK;
use runner::drivers::receiver::{Post, PostToAnswer};
use runner::remote::Remote;
use std::cell::RefCell;
use std::rc::Rc;
use tokio::sync::mpsc;

/// A secret with the first and the last second in which it may have signed.
struct Period {
    key: SigningKey,
    from: u64,
    until: u64,
}

/// What came by webhook, and what may have signed it.
#[derive(Default)]
pub(super) struct Posts {
    /// The secret as the consumer knows it.
    known: Vec<Secret>,
    periods: Vec<Period>,
    /// Posts, each with the consumer's answer.
    answered: Vec<(WebhookRequest, u16)>,
}

impl Posts {
    /// The webhook's secret is another from now on. It was asked for in the second `asked`.
    pub(super) fn rotate(&mut self, secret: &str, asked: u64) {
        let (Ok(key), Some(known)) = (SigningKey::parse(secret), Secret::parse(secret)) else { return };
        if let Some(last) = self.periods.last_mut() {
            last.until = Remote::seconds();
        }
        self.periods.push(Period { key, from: asked, until: u64::MAX });
        self.known = vec![known];
    }

    /// How many posts the consumer has refused as forged.
    pub(super) fn refused(&self) -> u64 {
        self.answered.iter().filter(|(_, status)| *status == 401).count() as u64
    }

    /// That nothing is signed by a secret that is not good, unless rules may forge; and that the consumer knows the
    /// difference.
    pub(super) fn judge(&self, may_forge: bool) -> Result<(), String> {
        for (post, status) in &self.answered {
            let at = post.timestamp.parse().unwrap_or_default();
            let good: Vec<&Period> = self.periods.iter().filter(|one| one.from <= at && at <= one.until).collect();
            let is_signed = good.iter().any(|one| {
                let right = one.key.sign(&post.id, at, &post.body);
                post.signatures.split(' ').any(|signature| signature == right)
            });
            // Around a rotation the consumer may not know the new secret yet, or may no longer know the old one.
            let is_clear = !self.periods.iter().any(|one| one.from.abs_diff(at) <= 1 || one.until.abs_diff(at) <= 1);
            let what = format!("post {} of {}", post.id, post.event_type);
            if !is_signed && !may_forge {
                return Err(format!("{what} is signed by none of the secrets that are good"));
            }
            if !is_signed && *status != 401 {
                return Err(format!("the consumer answered {status} to {what}, which has no valid signature"));
            }
            if is_signed && is_clear && *status != 200 {
                return Err(format!("the consumer answered {status} to {what}, which is signed"));
            }
        }
        Ok(())
    }
}

/// Answers what comes, until nothing more can come.
pub(super) async fn answer_all(
    mut incoming: mpsc::UnboundedReceiver<PostToAnswer>,
    posts: Rc<RefCell<Posts>>,
    copy: Rc<RefCell<Copy>>,
    recorder: Rc<RefCell<Recorder>>,
) {
    while let Some((post, answer)) = incoming.recv().await {
        let request = request(post);
        let mut status = 200;
        if request.event_type != CALLBACK {
            status = receive(&copy, &posts.borrow().known, Remote::seconds(), &request);
            if status == 200 {
                let payload = serde_json::from_slice(&request.body).unwrap_or_default();
                recorder.borrow_mut().note(&request.event_type, &request.id, &payload);
            }
            posts.borrow_mut().answered.push((request, status));
        }
        // The sender may have given up on it.
        answer.send(status).ok();
    }
}

fn request(post: Post) -> WebhookRequest {
    let text = |name: &str| post.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    WebhookRequest {
        id: text("webhook-id"),
        timestamp: text("webhook-timestamp"),
        signatures: text("webhook-signature"),
        event_type: text("event-type"),
        body: post.body.to_vec(),
    }
}
