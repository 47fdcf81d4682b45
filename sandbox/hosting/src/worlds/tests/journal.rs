//! Worlds whose journal has to be waited for, and worlds that are made again from one.

use super::*;
use crate::testing::{MemoryJournal, clock, continued};
use sim::ids::AccountId;

/// A frozen world whose journal keeps nothing until `keep` is called.
async fn waiting() -> (Arc<MemoryJournal>, Hosted) {
    with_journal(Mode::Frozen).await
}

/// A world with a journal.
async fn with_journal(mode: Mode) -> (Arc<MemoryJournal>, Hosted) {
    let journal = Arc::new(MemoryJournal::default());
    let worlds = continued(&MemoryJournal::default(), Arc::clone(&journal), clock(), 0).await;
    let world = worlds.make(new_world(mode)).await.expect("a world");
    (journal, Hosted { worlds, world })
}

/// What is kept in `journal` makes the world of `hosted` again.
async fn is_made_again(hosted: &Hosted, journal: &MemoryJournal) {
    let again = continued(journal, Arc::default(), hosted.worlds.clock().clone(), 1).await;
    let world = again.default_world().expect("a world");
    assert_eq!((digest(&world), world.last_now()), (digest(&hosted.world), hosted.world.last_now()));
}

pub(super) fn digest(world: &WorldHandle) -> sim::digest::Digest {
    world.copy().expect("a world").digest()
}

pub(super) fn orders(hosted: &Hosted) -> usize {
    hosted.world.read(|world| sim::query::every_order(world).count()).expect("a world")
}

/// Has somebody place an order and answers what becomes of it.
pub(super) fn placing(hosted: &Hosted, account: AccountId) -> tokio::task::JoinHandle<Result<usize, u16>> {
    let (world, order) = (Arc::clone(&hosted.world), hosted.order(0, account));
    tokio::spawn(async move {
        let placed = world.submit(order, |world, _| sim::query::every_order(world).count()).await;
        placed.map_err(|error| error.status.as_u16())
    })
}

/// Lets everybody go on who can.
async fn settle() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn nothing_is_shown_or_answered_before_it_is_kept_and_each_answer_is_of_its_own_turn() {
    let (journal, hosted) = waiting().await;
    let account = hosted.account(0);
    journal.wait();
    let answers: Vec<_> = (0..5).map(|_| placing(&hosted, account)).collect();
    settle().await;
    assert_eq!((orders(&hosted), journal.waiting()), (0, 5), "they were written and not carried out");
    journal.keep(2);
    settle().await;
    assert_eq!((orders(&hosted), answers.iter().filter(|answer| answer.is_finished()).count()), (2, 2));
    journal.keep(3);
    let mut counts = Vec::new();
    for answer in answers {
        counts.push(answer.await.expect("no panic").expect("an order"));
    }
    assert_eq!(counts, [1, 2, 3, 4, 5], "each has its answer from the state that it led to");
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn what_is_kept_at_once_waits_for_its_turn_behind_what_was_kept_just_before() {
    let (journal, hosted) = waiting().await;
    let account = hosted.account(0);
    for leaves in [false, true] {
        let before = orders(&hosted);
        journal.wait();
        let first = placing(&hosted, account);
        settle().await;
        // The first has not woken yet when the second is kept.
        journal.keep_at_once();
        let mut second =
            Box::pin(hosted.world.submit(hosted.order(0, account), |world, _| sim::query::every_order(world).count()));
        let is_early = feed::input_log::if_ready(second.as_mut()).is_some();
        assert!(!is_early, "it goes before the first");
        if leaves {
            drop(second);
        } else {
            assert_eq!(second.await.expect("an order"), before + 2);
        }
        assert_eq!(first.await.expect("no panic"), Ok(before + 1));
        settle().await;
        assert_eq!(orders(&hosted), before + 2, "leaves: {leaves}");
    }
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn an_input_whose_caller_has_gone_is_carried_out_all_the_same_and_others_do_not_wait_for_it() {
    let (journal, hosted) = waiting().await;
    let account = hosted.account(0);
    journal.wait();
    let gone = placing(&hosted, account);
    let stays = placing(&hosted, account);
    let last = placing(&hosted, account);
    settle().await;
    gone.abort();
    last.abort();
    settle().await;
    journal.keep(3);
    assert_eq!(stays.await.expect("no panic"), Ok(2), "the one before it was carried out, too");
    settle().await;
    assert_eq!(orders(&hosted), 3, "also the last one, which nobody comes after");
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn a_journal_that_fails_refuses_what_waits_and_what_comes_and_the_world_is_as_it_was_kept() {
    let (journal, hosted) = waiting().await;
    let account = hosted.account(0);
    journal.wait();
    let (kept, lost) = (placing(&hosted, account), placing(&hosted, account));
    settle().await;
    journal.keep(1);
    journal.fail();
    assert_eq!((kept.await.expect("no panic"), lost.await.expect("no panic")), (Ok(1), Err(503)));
    assert_eq!(placing(&hosted, account).await.expect("no panic"), Err(503));
    assert_eq!(orders(&hosted), 1, "it can still be read");
    is_made_again(&hosted, &journal).await;
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn what_a_busy_journal_refuses_at_once_has_no_place_in_the_log() {
    let (journal, hosted) = waiting().await;
    let account = hosted.account(0);
    journal.wait();
    journal.fail();
    assert_eq!(placing(&hosted, account).await.expect("no panic"), Err(503));
    journal.recover();
    journal.keep_at_once();
    assert_eq!(placing(&hosted, account).await.expect("no panic"), Ok(1));
    is_made_again(&hosted, &journal).await;
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn who_waits_too_long_is_asked_to_try_again_and_the_input_is_carried_out_when_it_is_kept() {
    let (journal, hosted) = waiting().await;
    let account = hosted.account(0);
    journal.wait();
    assert_eq!(placing(&hosted, account).await.expect("no panic"), Err(503), "virtual time passes");
    assert_eq!(orders(&hosted), 0);
    journal.keep(1);
    settle().await;
    assert_eq!(orders(&hosted), 1);
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn a_world_a_fork_and_a_token_are_there_once_they_are_kept_and_a_dropped_world_takes_nothing_from_then_on() {
    let (journal, hosted) = waiting().await;
    let (worlds, first) = (hosted.worlds.clone(), Arc::clone(&hosted.world));
    let rights = feed::rights::Rights::ALL;
    let partner = first.identity.credentials()[0].partner;
    journal.wait();
    let issuing = tokio::spawn({
        let (worlds, first) = (worlds.clone(), Arc::clone(&first));
        async move { worlds.issue_token(&first, partner, rights).await.expect("a journal").expect("a token").0 }
    });
    let forking = tokio::spawn({
        let (worlds, first) = (worlds.clone(), Arc::clone(&first));
        async move { worlds.fork(&first, None).await.expect("a fork").identity.id() }
    });
    settle().await;
    assert!(!issuing.is_finished() && worlds.all().len() == 1);
    journal.keep(1);
    let token = issuing.await.expect("no panic").to_string();
    assert!(worlds.bearer(&token).is_some());
    journal.keep(1);
    settle().await;
    assert!(!forking.is_finished() && worlds.all().len() == 1, "that it was asked for is kept, and the fork is not");
    journal.keep(1);
    let fork = forking.await.expect("no panic");
    let dropping = tokio::spawn({
        let worlds = worlds.clone();
        async move { worlds.remove(fork).await.expect("a journal") }
    });
    settle().await;
    let dropped = worlds.get(fork).expect("it is not gone yet");
    let refused = dropped.decide(&HostDecision::Reset).await.expect_err("it takes nothing");
    assert_eq!((refused.status.as_u16(), dropping.is_finished()), (503, false));
    journal.keep(1);
    assert!(dropping.await.expect("no panic") && worlds.get(fork).is_none());
    let again = continued(&journal, Arc::default(), clock(), 1).await;
    let ids: Vec<_> = again.all().iter().map(|world| world.identity.id().number()).collect();
    assert_eq!((ids, again.bearer(&token).is_some()), (vec![1], true), "the token is alive, the fork is not");
    let next = again.make(new_world(Mode::Frozen)).await.expect("a world");
    assert_eq!(next.identity.id().number(), 3, "no id is given again");
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn a_real_clock_has_moved_while_no_server_ran_and_a_paced_one_continues_from_where_it_was() {
    for (mode, seconds) in [("real", 60), ("60", 0), ("frozen", 0)] {
        let journal = Arc::new(MemoryJournal::default());
        let worlds = continued(&MemoryJournal::default(), Arc::clone(&journal), clock(), 0).await;
        let mode: Mode = mode.parse().expect("a mode");
        let world = worlds.make(new_world(mode)).await.expect("a world");
        tokio::time::sleep(Duration::from_secs(10)).await;
        worlds.stopped().await;
        let before = world.read(World::now).expect("a world");
        worlds.seal();
        tokio::time::sleep(Duration::from_secs(60)).await;
        let again = continued(&journal, Arc::default(), worlds.clock().clone(), 1).await;
        let after = again.default_world().expect("a world").read(World::now).expect("a world");
        assert_eq!(after.since(before), Millis(seconds * 1_000), "{mode}");
    }
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn what_is_read_while_an_input_waits_leaves_no_trace_in_it() {
    let (journal, hosted) = with_journal(Mode::REAL).await;
    let account = hosted.account(0);
    journal.wait();
    let mut placed = Vec::new();
    for _ in 0..3 {
        placed.push(placing(&hosted, account));
        tokio::time::sleep(Duration::from_millis(7)).await;
        hosted.world.read(World::now).expect("a world");
    }
    let mut changing = Box::pin(hosted.world.set_mode(Mode::Frozen));
    assert!(feed::input_log::if_ready(changing.as_mut()).is_none());
    tokio::time::sleep(Duration::from_millis(7)).await;
    journal.keep_at_once();
    changing.await.expect("a mode");
    for placed in placed {
        placed.await.expect("no panic").expect("an order");
    }
    hosted.worlds.seal();
    is_made_again(&hosted, &journal).await;
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn after_a_restart_timers_fire_by_themselves() {
    let (journal, hosted) = with_journal(Mode::REAL).await;
    hosted.subscribe(0, hosted.account(0));
    hosted.worlds.seal();
    let again = continued(&journal, Arc::default(), hosted.worlds.clock().clone(), 1).await;
    let world = again.default_world().expect("a world");
    let begun = world.last_now();
    let due = world.read(|world| world.next_timer().expect("an order waits").0).expect("a world");
    tokio::time::sleep(Duration::from_millis(due.since(begun).0.unsigned_abs() + 1_000)).await;
    let now = world.read(World::now).expect("a world");
    assert!(now > due, "the clock stands at {now}, before what is due at {due}");
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn a_driver_whose_journal_has_failed_rests_and_the_world_can_be_read() {
    let (journal, hosted) = with_journal(Mode::REAL).await;
    hosted.subscribe(0, hosted.account(0));
    journal.wait();
    journal.fail();
    let before = hosted.world.last_input();
    // In virtual time a driver that does not rest never lets this end.
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    hosted.world.read(World::now).expect("a world");
    assert_eq!(hosted.world.last_input(), before);
}

/// (rule: wire/kept)
#[tokio::test(start_paused = true)]
async fn a_world_that_cannot_be_dropped_takes_inputs_again_and_none_is_forked_from_one_that_is_being_dropped() {
    let (journal, hosted) = waiting().await;
    let id = hosted.world.identity.id();
    journal.wait();
    journal.fail();
    assert_eq!(hosted.worlds.remove(id).await.expect_err("it is not kept").status.as_u16(), 503);
    journal.recover();
    journal.keep_at_once();
    hosted.account(0);
    journal.wait();
    let (worlds, world) = (hosted.worlds.clone(), Arc::clone(&hosted.world));
    let forking =
        tokio::spawn(async move { worlds.fork(&world, None).await.map(drop).map_err(|error| error.status.as_u16()) });
    settle().await;
    let worlds = hosted.worlds.clone();
    let dropping = tokio::spawn(async move { worlds.remove(id).await.expect("a journal") });
    settle().await;
    journal.keep_at_once();
    assert_eq!((forking.await.expect("no panic"), dropping.await.expect("no panic")), (Err(503), true));
    assert!(continued(&journal, Arc::default(), clock(), 1).await.all().is_empty());
}
