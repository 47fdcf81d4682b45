//! Laws of the queue, by rows of data and by generated runs against a receiver that recovers in the end.

use std::sync::Arc;

use bytes::Bytes;
use proptest::collection::vec;
use proptest::prelude::*;
use sim::ids::ClientId;
use sim::time::Instant;

use super::super::outcome::{AttemptOutcome, Failure};
use super::super::signing_keys::SigningKeys;
use super::*;
use crate::change::Change;
use crate::signature::SigningKey;

const OK: AttemptOutcome = AttemptOutcome::Answered(200);
const NO: AttemptOutcome = AttemptOutcome::Answered(400);
const DOWN: AttemptOutcome = AttemptOutcome::Failed(Failure::Unreachable);

const fn at(seconds: u64) -> TransportTime {
    TransportTime(seconds * 1_000)
}

fn ordering_key(resource: u128) -> OrderingKey {
    OrderingKey { webhook: None, resource: Uuid::from_u128(resource) }
}

fn notification(id: u128, ordering_key: OrderingKey) -> Notification {
    Notification {
        id: Uuid::from_u128(id),
        webhook_id: Uuid::from_u128(id),
        ordering_key,
        event_type: "journey.callback",
        client: ClientId::from_u128(1),
        partner: None,
        occurred: Instant::MIN,
        url: Arc::from("http://receiver.test/"),
        keys: Arc::new(SigningKeys::new(SigningKey::from_bytes([0; 32]))),
        body: Bytes::from_static(&[b'x'; 100]),
    }
}

fn queue_of(notifications: &[(u128, u128)]) -> Queue {
    let mut queue = Queue::new(Policy::default());
    for (id, resource) in notifications {
        queue.add(at(0), notification(*id, ordering_key(*resource)));
    }
    queue
}

fn take(queue: &mut Queue, now: u64) -> Vec<(Number, u128)> {
    std::iter::from_fn(|| queue.begin(at(now)))
        .map(|(number, notification)| (number, notification.id.as_u128()))
        .collect()
}

fn ids(taken: &[(Number, u128)]) -> Vec<u128> {
    taken.iter().map(|(_, id)| *id).collect()
}

fn status(queue: &Queue, id: u128) -> Status {
    *queue.get(Uuid::from_u128(id)).expect("kept").status
}

/// Lets every attempt end at once with `outcome` and notes the moments of the attempts, until nothing is due.
fn run(queue: &mut Queue, outcome: AttemptOutcome) -> Vec<u64> {
    let mut moments = Vec::new();
    while let Some(due) = queue.wake_at() {
        let (number, _) = queue.begin(due).expect("something is due when the queue says so");
        moments.push(due.0 / 1_000);
        queue.report(number, due, outcome);
    }
    moments
}

/// (rule: events/delivery-retries)
#[test]
fn a_delivery_is_tried_nine_times_at_growing_distance_and_is_then_a_dead_letter() {
    let mut queue = queue_of(&[(1, 1)]);
    let expected = [0, 10, 40, 100, 400, 1_300, 4_900, 26_500, 112_900];
    assert_eq!(run(&mut queue, DOWN), expected);
    assert_eq!(status(&queue, 1), Status::DeadLetter);
    let row = queue.get(Uuid::from_u128(1)).expect("kept");
    assert_eq!((row.made, row.attempts.len(), row.next_attempt()), (9, 9, None));
}

#[test]
fn an_answer_ends_a_delivery_or_has_it_tried_again() {
    let rows = [
        (OK, Status::Delivered, None),
        (AttemptOutcome::Answered(204), Status::Delivered, None),
        (NO, Status::Refused, None),
        (AttemptOutcome::Answered(302), Status::Queued, Some(at(15))),
        (AttemptOutcome::Answered(500), Status::Queued, Some(at(15))),
        (AttemptOutcome::Failed(Failure::Timeout), Status::Queued, Some(at(15))),
    ];
    for (outcome, expected, next) in rows {
        let mut queue = queue_of(&[(1, 1)]);
        let (number, _) = queue.begin(at(3)).expect("due");
        assert_eq!(queue.wake_at(), None, "one under way is not due");
        queue.report(number, at(5), outcome);
        let row = queue.get(Uuid::from_u128(1)).expect("kept");
        assert_eq!((*row.status, row.next_attempt(), queue.wake_at()), (expected, next, next), "{outcome:?}");
        assert_eq!(
            row.attempts,
            [Attempt {
                began: at(3),
                ended: at(5),
                outcome,
                retry_after: None,
                fault: None,
                put_off: None,
                signed_at: None
            }]
        );
    }
}

#[test]
fn a_receiver_that_is_down_for_an_hour_gets_each_letter_once() {
    let mut queue = queue_of(&[(1, 1)]);
    let mut received = Vec::new();
    while let Some(due) = queue.wake_at() {
        let (number, _) = queue.begin(due).expect("due");
        let up = due >= at(3_600);
        if up {
            received.push(due);
        }
        queue.report(number, due, if up { OK } else { DOWN });
    }
    assert_eq!(received, [at(4_900)]);
    assert_eq!(status(&queue, 1), Status::Delivered);
}

/// (rule: events/delivery-retries)
#[test]
fn letters_of_one_journey_keep_their_order_and_hold_up_no_other() {
    let mut queue = queue_of(&[(1, 1), (2, 1), (3, 2), (4, 1)]);
    let first = take(&mut queue, 0);
    assert_eq!(ids(&first), [1, 3]);
    queue.report(first[0].0, at(1), DOWN);
    assert_eq!(take(&mut queue, 10), [], "2 waits for 1, which waits for its time");
    let again = take(&mut queue, 11);
    assert_eq!(ids(&again), [1]);
    queue.report(again[0].0, at(12), OK);
    let second = take(&mut queue, 12);
    assert_eq!(ids(&second), [2]);
    queue.report(second[0].0, at(12), NO);
    assert_eq!(ids(&take(&mut queue, 12)), [4], "what was refused holds up nobody");
}

#[test]
fn no_more_are_under_way_than_may_be_and_the_rest_leave_in_the_order_they_came() {
    let mut queue = Queue::new(Policy { at_once: 2, ..Policy::default() });
    for id in 1..=5 {
        queue.add(at(0), notification(id, ordering_key(id)));
    }
    let first = take(&mut queue, 0);
    assert_eq!((ids(&first), queue.wake_at()), (vec![1, 2], None));
    queue.report(first[1].0, at(1), OK);
    assert_eq!(ids(&take(&mut queue, 1)), [3]);
    queue.report(first[0].0, at(1), OK);
    assert_eq!(ids(&take(&mut queue, 1)), [4]);
}

#[test]
fn a_receiver_that_answers_slowly_leaves_room_for_the_others() {
    let mut queue = Queue::new(Policy { at_once: 5, each: 2, ..Policy::default() });
    let to = |id: u128, host: &str| Notification {
        url: Arc::from(format!("http://{host}/{id}")),
        ..notification(id, ordering_key(id))
    };
    for id in 1..=6 {
        queue.add(at(0), to(id, "slow.test:81"));
    }
    queue.add(at(0), to(7, "slow.test:82"));
    let first = take(&mut queue, 0);
    assert_eq!((ids(&first), queue.wake_at()), (vec![1, 2, 7], None));
    queue.report(first[0].0, at(10), DOWN);
    assert_eq!(ids(&take(&mut queue, 10)), [3], "one ends, the next of its receiver comes up");
    queue.report(first[1].0, at(10), OK);
    assert_eq!(ids(&take(&mut queue, 10)), [4]);
}

#[test]
fn whatever_has_ended_or_waits_can_be_replayed_from_the_first_attempt_on() {
    for (outcome, ended) in [(OK, Status::Delivered), (NO, Status::Refused), (DOWN, Status::DeadLetter)] {
        let mut queue = queue_of(&[(1, 1)]);
        run(&mut queue, outcome);
        assert_eq!(status(&queue, 1), ended);
        queue.replay(Uuid::from_u128(1), at(200_000), None).expect("known");
        assert_eq!(status(&queue, 1), Status::Queued);
        let again = run(&mut queue, DOWN);
        assert_eq!((again[0], again.len()), (200_000, 9), "after {ended:?}");
    }
    let mut queue = queue_of(&[(1, 1)]);
    let (number, _) = queue.begin(at(0)).expect("due");
    queue.report(number, at(0), DOWN);
    queue.replay(Uuid::from_u128(1), at(2), None).expect("known");
    assert_eq!(queue.wake_at(), Some(at(2)), "one that waits is due at once");
    assert_eq!(queue.replay(Uuid::from_u128(9), at(2), None).err(), Some(NoReplay::Unknown));
}

#[test]
fn a_replay_of_what_is_under_way_sends_nothing_twice_and_begins_its_round_anew() {
    let mut queue = queue_of(&[(1, 1)]);
    for moment in [0, 10] {
        let (number, _) = queue.begin(at(moment)).expect("due");
        queue.report(number, at(moment), DOWN);
    }
    let (number, _) = queue.begin(at(40)).expect("due");
    queue.replay(Uuid::from_u128(1), at(41), None).expect("known");
    assert_eq!(queue.wake_at(), None);
    queue.report(number, at(42), DOWN);
    assert_eq!(queue.wake_at(), Some(at(52)), "the first wait again");
}

#[test]
fn a_letter_that_is_already_kept_is_not_taken_in_again() {
    let mut queue = queue_of(&[(1, 1), (1, 1)]);
    assert_eq!(run(&mut queue, OK), [0]);
    queue.add(at(9), notification(1, ordering_key(1)));
    assert_eq!((queue.wake_at(), queue.rows().count()), (None, 1));
}

#[test]
fn the_log_forgets_what_ended_first_and_never_what_is_queued() {
    for policy in [Policy { rows: 3, ..Policy::default() }, Policy { bytes: 300, ..Policy::default() }] {
        let mut queue = Queue::new(policy);
        queue.add(at(0), notification(1, ordering_key(1)));
        queue.begin(at(0)).expect("1 is under way");
        for id in 2..=6 {
            queue.add(at(0), notification(id, ordering_key(id)));
            let (number, _) = queue.begin(at(0)).expect("due");
            queue.report(number, at(0), OK);
        }
        let kept: Vec<u128> = queue.rows().map(|row| row.notification.id.as_u128()).collect();
        assert_eq!((kept, queue.forgotten()), (vec![6, 5, 1], 3));
    }
}

/// (rule: auth/quotas)
#[test]
fn a_partner_that_has_as_much_queued_as_may_be_takes_no_room_of_another() {
    let of = |partner: u128, id| Notification {
        partner: Some(sim::ids::PartnerId::from_u128(partner)),
        ..notification(id, ordering_key(id))
    };
    for policy in [Policy { rows: 2, ..Policy::default() }, Policy { bytes: 200, ..Policy::default() }] {
        let mut queue = Queue::new(policy);
        queue.add(at(0), of(2, 100));
        (1..=4).for_each(|id| queue.add(at(0), of(1, id)));
        queue.add(at(0), of(2, 101));
        let ended = queue.rows().filter(|row| row.status == Status::DeadLetter);
        assert_eq!(ended.map(|row| row.notification.id.as_u128()).collect::<Vec<_>>(), [4]);
        assert_eq!(queue.replay(Uuid::from_u128(4), at(1), None).err(), Some(NoReplay::NoRoom));
        let (number, _) = queue.begin(at(1)).expect("due");
        assert_eq!(queue.numbered(number).map(|row| row.notification.id.as_u128()), Some(100));
        queue.report(number, at(1), OK);
        queue.add(at(2), of(2, 102));
        assert_eq!(queue.get(Uuid::from_u128(102)).map(|row| *row.status), Some(Status::Queued));
        assert_eq!((queue.get(Uuid::from_u128(100)).is_some(), queue.get(Uuid::from_u128(4)).is_some()), (false, true));
    }
}

#[test]
fn what_comes_while_everything_kept_is_queued_is_a_dead_letter_that_can_be_replayed_later() {
    let mut queue = Queue::new(Policy { rows: 2, ..Policy::default() });
    for id in 1..=4 {
        queue.add(at(0), notification(id, ordering_key(id)));
    }
    let kept: Vec<_> = queue.rows().map(|row| (row.notification.id.as_u128(), *row.status)).collect();
    assert_eq!(kept, [(4, Status::DeadLetter), (2, Status::Queued), (1, Status::Queued)]);
    assert_eq!(queue.replay(Uuid::from_u128(4), at(1), None).err(), Some(NoReplay::NoRoom));
    let (number, _) = queue.begin(at(1)).expect("due");
    queue.report(number, at(1), OK);
    queue.replay(Uuid::from_u128(4), at(1), None).expect("there is room now");
    assert_eq!(run(&mut queue, OK).len(), 2);
}

#[test]
fn only_the_newest_attempts_are_kept_and_all_are_counted() {
    let mut queue = Queue::new(Policy { attempts: 2, ..Policy::default() });
    queue.add(at(0), notification(1, ordering_key(1)));
    run(&mut queue, DOWN);
    let row = queue.get(Uuid::from_u128(1)).expect("kept");
    let began: Vec<_> = row.attempts.iter().map(|attempt| attempt.began).collect();
    assert_eq!((row.made, began), (9, vec![at(26_500), at(112_900)]));
}

#[test]
fn what_was_under_way_when_the_queue_was_cleared_reports_to_nobody() {
    let mut queue = queue_of(&[(1, 1)]);
    let (number, _) = queue.begin(at(0)).expect("due");
    queue.clear();
    queue.add(at(1), notification(1, ordering_key(1)));
    queue.report(number, at(1), OK);
    assert_eq!(status(&queue, 1), Status::Queued);
    assert_eq!(run(&mut queue, OK), [1]);
}

#[test]
fn what_was_under_way_when_its_carrier_was_lost_is_sent_again_at_once() {
    let mut queue = queue_of(&[(1, 1), (2, 1), (3, 2)]);
    let lost = take(&mut queue, 0);
    queue.recover(at(5));
    assert_eq!(ids(&take(&mut queue, 5)), [1, 3]);
    queue.report(lost[0].0, at(6), OK);
    assert_eq!(ids(&take(&mut queue, 6)), [2], "2 still comes after 1");
}

#[test]
fn a_webhook_that_is_given_up_is_sent_nothing_more() {
    let webhook = Uuid::from_u128(77);
    let hook = |resource| OrderingKey { webhook: Some(webhook), resource: Uuid::from_u128(resource) };
    let mut queue = Queue::new(Policy::default());
    for (id, ordering_key) in [(1, hook(1)), (2, hook(1)), (3, hook(2)), (4, ordering_key(1))] {
        queue.add(at(0), notification(id, ordering_key));
    }
    let (number, _) = queue.begin(at(0)).expect("1 is under way");
    queue.give_up(webhook);
    queue.report(number, at(1), DOWN);
    assert_eq!(ids(&take(&mut queue, 1_000)), [4]);
    for id in 1..=3 {
        assert_eq!(status(&queue, id), Status::DeadLetter, "{id}");
    }
}

/// A notification of a webhook.
fn of_webhook(id: u128, webhook: u128, resource: u128, url: &str) -> Notification {
    let ordering_key = OrderingKey { webhook: Some(Uuid::from_u128(webhook)), resource: Uuid::from_u128(resource) };
    Notification { url: Arc::from(url), ..notification(id, ordering_key) }
}

/// (rule: events/webhooks)
#[test]
fn what_is_queued_goes_to_the_address_that_its_webhook_has_by_then() {
    let (old, new) = ("http://old.test/", "http://new.test/");
    let mut queue = Queue::new(Policy { each: 1, ..Policy::default() });
    for id in 1..=3 {
        queue.add(at(0), of_webhook(id, 7, id, old));
    }
    queue.add(at(0), of_webhook(4, 8, 4, old));
    let first = queue.begin(at(0)).expect("due").0;
    assert_eq!(queue.begin(at(0)).map(|(number, _)| number), None, "one at a time");
    queue.redirect(Uuid::from_u128(7), at(1), &Arc::from(new));
    let urls = |queue: &Queue| {
        (1..=4).map(|id| queue.get(Uuid::from_u128(id)).expect("kept").notification.url.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(urls(&queue), [new, new, new, old]);
    assert_eq!(ids(&take(&mut queue, 1)), [2], "there is room at the new address");
    // 410 from where it no longer is says nothing of the webhook: it is tried at once where it is.
    queue.report(first, at(2), AttemptOutcome::Answered(410));
    assert_eq!(
        (status(&queue, 1), queue.get(Uuid::from_u128(1)).and_then(Delivery::next_attempt)),
        (Status::Queued, Some(at(2)))
    );
    assert_eq!(ids(&take(&mut queue, 2)), [4], "the old address is free for the others");
}

/// (rule: events/webhook-gone)
#[test]
fn a_410_that_was_asked_for_before_a_webhook_was_enabled_once_more_is_a_failure_like_any() {
    for (is_enabled, expected) in [(false, Status::DeadLetter), (true, Status::Queued)] {
        let mut queue = Queue::new(Policy::default());
        queue.add(at(0), of_webhook(1, 7, 1, "http://x.test/"));
        let (number, _) = queue.begin(at(0)).expect("due");
        if is_enabled {
            queue.mark_stale(Uuid::from_u128(7));
        }
        queue.report(number, at(1), AttemptOutcome::Answered(410));
        assert_eq!(status(&queue, 1), expected);
    }
}

/// (rule: events/webhooks)
#[test]
fn replayed_notifications_keep_their_order_whatever_their_status() {
    let all = |queue: &mut Queue, now: u64| {
        for id in 1..=3 {
            assert!(queue.resend(at(now), of_webhook(id, 7, 1, "http://x.test/")));
        }
    };
    let mut queue = Queue::new(Policy::default());
    for id in 1..=3 {
        queue.add(at(0), of_webhook(id, 7, 1, "http://x.test/"));
    }
    let (first, _) = queue.begin(at(0)).expect("due");
    queue.report(first, at(0), OK);
    let (second, _) = queue.begin(at(0)).expect("due");
    queue.report(second, at(0), DOWN);
    all(&mut queue, 1);
    let mut sent = Vec::new();
    while let Some((number, notification)) = queue.begin(at(1)) {
        sent.push(notification.id.as_u128());
        queue.report(number, at(1), OK);
    }
    assert_eq!(sent, [1, 2, 3], "the one that waited for another attempt has not gone first");

    // And with the second under way it is sent once more, since the first would come after it.
    all(&mut queue, 2);
    let (number, _) = queue.begin(at(2)).expect("due");
    queue.report(number, at(2), OK);
    let (under_way, _) = queue.begin(at(2)).expect("due");
    all(&mut queue, 3);
    assert_eq!(queue.begin(at(3)).map(|(number, _)| number), None);
    queue.report(under_way, at(3), OK);
    let mut sent = Vec::new();
    while let Some((number, notification)) = queue.begin(at(3)) {
        sent.push(notification.id.as_u128());
        queue.report(number, at(3), OK);
    }
    assert_eq!((sent, queue.queued()), (vec![1, 2, 3], 0));
}

/// (rule: events/delivery-retries)
#[test]
fn a_receiver_that_asks_for_it_is_left_alone_by_everything_that_is_for_it() {
    let url = "http://x.test/";
    let mut queue = Queue::new(Policy::default());
    for (id, webhook, resource) in [(1, 7, 1), (2, 7, 1), (3, 7, 2), (4, 8, 1)] {
        queue.add(at(0), of_webhook(id, webhook, resource, url));
    }
    let (first, _) = queue.begin(at(0)).expect("due");
    let busy =
        |seconds| Ended { retry_after: Some(Duration::from_secs(seconds)), ..AttemptOutcome::Answered(503).into() };
    queue.report(first, at(0), busy(100));
    assert_eq!(ids(&take(&mut queue, 0)), [4], "another webhook's is not concerned");
    queue.add(at(50), of_webhook(5, 7, 3, url));
    assert_eq!((ids(&take(&mut queue, 99)), queue.wake_at()), (vec![], Some(at(100))));
    let then = take(&mut queue, 100);
    assert_eq!(ids(&then), [1, 3, 5], "and then in order for each resource");

    queue.report(then[0].0, at(100), busy(1_000));
    assert_eq!(ids(&take(&mut queue, 200)), []);
    queue.replay(Uuid::from_u128(1), at(200), None).expect("kept");
    assert_eq!(ids(&take(&mut queue, 200)), [1], "unless somebody asks");
    queue.report(then[1].0, at(201), busy(1_000));
    queue.redirect(Uuid::from_u128(7), at(202), &Arc::from("http://elsewhere.test/"));
    assert_eq!(ids(&take(&mut queue, 202)), [3], "or it has gone elsewhere");
}

/// (rule: events/fault-rules)
#[test]
fn what_a_rule_has_put_off_can_be_put_off_again_once_it_is_sent_again() {
    let mut queue = queue_of(&[(1, 1)]);
    let late = DeliveryFault::Delay(Duration::from_secs(5));
    let (number, _) = queue.begin(at(0)).expect("due");
    queue.put_off(number, at(0), late);
    let shown = |queue: &Queue| queue.get(Uuid::from_u128(1)).map(|row| (row.was_put_off, row.put_off)).expect("kept");
    assert_eq!((shown(&queue), queue.wake_at()), ((true, Some(late)), Some(at(5))));
    let (number, _) = queue.begin(at(5)).expect("due");
    queue.report(number, at(5), DOWN);
    assert_eq!(shown(&queue), (true, None), "once a round");
    let row = queue.get(Uuid::from_u128(1)).expect("kept");
    assert_eq!((row.attempts[0].put_off, row.fault()), (Some(late), Some(late)));
    queue.replay(Uuid::from_u128(1), at(6), None).expect("kept");
    assert_eq!(shown(&queue), (false, None));
}

/// One step of a run of a queue.
#[derive(Clone, Debug)]
enum Step {
    Add { resource: u8 },
    Wait { seconds: u16 },
    Begin,
    End { which: u8, outcome: AttemptOutcome },
    Replay { which: u8 },
    GiveUp,
    Redirect { to: u8 },
}

fn step() -> impl Strategy<Value = Step> {
    let outcome = prop_oneof![Just(OK), Just(NO), Just(DOWN), Just(AttemptOutcome::Answered(503))];
    prop_oneof![
        4 => (0..4_u8).prop_map(|resource| Step::Add { resource }),
        2 => (0..2_000_u16).prop_map(|seconds| Step::Wait { seconds }),
        4 => Just(Step::Begin),
        4 => (any::<u8>(), outcome).prop_map(|(which, outcome)| Step::End { which, outcome }),
        1 => any::<u8>().prop_map(|which| Step::Replay { which }),
        1 => Just(Step::GiveUp),
        1 => (0..2_u8).prop_map(|to| Step::Redirect { to }),
    ]
}

/// A queue and what an onlooker knows of it.
struct Watched {
    queue: Queue,
    now: TransportTime,
    added: u128,
    under_way: Vec<(Number, Notification)>,
}

impl Watched {
    fn new() -> Self {
        let policy = Policy { at_once: 3, each: 2, rows: 12, ..Policy::default() };
        Self { queue: Queue::new(policy), now: at(0), added: 0, under_way: Vec::new() }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Add { resource } => {
                self.added += 1;
                let webhook = (*resource == 0).then(Uuid::nil);
                let ordering_key = OrderingKey { webhook, resource: Uuid::from_u128(u128::from(*resource)) };
                let url = Arc::from(format!("http://receiver{}.test/", resource % 2));
                self.queue.add(self.now, Notification { url, ..notification(self.added, ordering_key) });
            }
            Step::Wait { seconds } => self.now = self.now.plus(Duration::from_secs((*seconds).into())),
            Step::Begin => self.begin(),
            Step::End { which, outcome } if !self.under_way.is_empty() => {
                let (number, _) = self.under_way.remove(usize::from(*which) % self.under_way.len());
                let is_busy = *outcome == AttemptOutcome::Answered(503);
                let retry_after = is_busy.then(|| Duration::from_secs(60));
                self.queue.report(number, self.now, Ended { retry_after, ..(*outcome).into() });
            }
            Step::End { .. } => {}
            Step::Replay { which } => {
                let replayed = self.queue.replay(Uuid::from_u128(u128::from(*which) % 40), self.now, None);
                assert!(replayed.is_err() || replayed.is_ok_and(|row| row.status == Status::Queued));
            }
            Step::GiveUp => self.queue.give_up(Uuid::nil()),
            Step::Redirect { to } => {
                self.queue.redirect(Uuid::nil(), self.now, &Arc::from(format!("http://receiver{to}.test/")));
            }
        }
        self.check();
    }

    fn begin(&mut self) {
        if let Some((number, notification)) = self.queue.begin(self.now) {
            let waiting = |row: &&Delivery| row.status == Status::Queued && row.under_way.is_none();
            let mut others = self
                .queue
                .rows()
                .filter(waiting)
                .filter(|row| row.notification.ordering_key == notification.ordering_key);
            assert!(
                others.all(|row| row.notification.id > notification.id),
                "the oldest of its ordering key leaves first"
            );
            assert!(
                self.under_way.iter().all(|(_, other)| other.ordering_key != notification.ordering_key),
                "one of an ordering key at once"
            );
            self.under_way.push((number, notification));
        }
    }

    fn check(&self) {
        let Policy { at_once, each, rows, .. } = *self.queue.policy();
        assert!(self.under_way.len() <= at_once);
        for host in ["http://receiver0.test/", "http://receiver1.test/"] {
            let calls = self.under_way.iter().filter(|(_, notification)| &*notification.url == host).count();
            assert!(calls <= each, "{calls} at {host}");
        }
        assert!(self.queue.rows().count() <= rows + 1);
        let shares = self.queue.shares.values();
        let (kept, bytes) = shares.fold((0, 0), |(rows, bytes), share| (rows + share.rows, bytes + share.bytes));
        assert_eq!(kept, self.queue.rows().count());
        assert_eq!(bytes, self.queue.rows().map(|row| row.notification.body.len()).sum::<usize>());
        assert_eq!(self.queue.rows().filter(|row| row.under_way.is_some()).count(), self.under_way.len());
        let queued = self.queue.rows().filter(|row| row.status == Status::Queued).count();
        let ended = self.queue.shares.values().map(|share| share.ended.len()).sum::<usize>();
        assert_eq!(queued + ended, self.queue.rows().count());
    }

    /// From now on every receiver is well: all that is queued must arrive, and soon.
    fn heal(mut self) {
        while let Some((number, _)) = self.under_way.pop() {
            self.queue.report(number, self.now, OK);
        }
        let left = self.queue.rows().filter(|row| row.status == Status::Queued).count();
        let mut delivered = 0;
        while let Some(due) = self.queue.wake_at() {
            self.now = self.now.max(due);
            // What its receiver does not want yet is due later.
            let Some((number, _)) = self.queue.begin(self.now) else { continue };
            self.queue.report(number, self.now, OK);
            delivered += 1;
        }
        assert_eq!(delivered, left);
        assert!(self.queue.keys_waiting.is_empty() && self.queue.due.is_empty() && self.queue.busy.is_empty());
    }
}

#[test]
fn whatever_happens_order_and_bounds_hold_and_what_is_queued_arrives_once_receivers_are_well() {
    testing::laws::tried(500, vec(step(), 1..120), |steps| {
        let mut watched = Watched::new();
        steps.iter().for_each(|step| watched.take(step));
        watched.heal();
        Ok(())
    });
}

/// (rule: wire/kept)
#[test]
fn an_attempt_that_is_done_again_ends_before_the_round_that_was_asked_for_while_it_was_under_way() {
    let sent_again = |queue: &mut Queue| {
        for id in 1..=2 {
            assert!(queue.resend(at(5), of_webhook(id, 7, 1, "http://x.test/")));
        }
    };
    let shown = |queue: &mut Queue| {
        let rows = [1, 2].map(|id| {
            let row = queue.get(Uuid::from_u128(id)).expect("kept");
            (*row.status, row.made, row.attempts.len(), row.next_attempt())
        });
        (rows, queue.wake_at(), ids(&take(queue, 9)))
    };
    for outcome in [OK, DOWN, NO] {
        let of = || {
            let mut queue = Queue::new(Policy::default());
            (1..=2).for_each(|id| queue.add(at(0), of_webhook(id, 7, 1, "http://x.test/")));
            queue
        };
        let (mut first, mut again) = (of(), of());
        let (number, _) = first.begin(at(5)).expect("due");
        sent_again(&mut first);
        let noted = Change::attempted(first.numbered(number).expect("kept"), at(7), outcome.into());
        first.report(number, at(7), outcome);
        let Change::Attempted { again: is_sent_again, .. } = noted else { panic!("{noted:?}") };
        assert!(is_sent_again);
        // What is done again is not under way when the round is asked for.
        sent_again(&mut again);
        let begun = BegunAgain { queued: None, began: at(5), went_to: None, is_stale: false };
        let number = again.begin_again(Uuid::from_u128(1), begun).expect("queued");
        again.report(number, at(7), outcome);
        again.go_behind_again(number, at(7));
        assert_eq!(shown(&mut again), shown(&mut first), "{outcome:?}");
    }
}
