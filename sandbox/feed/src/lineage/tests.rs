//! Where a present came from, over resets, rewinds, imports and forks; and what is forgotten when.

use super::*;

fn ms(ms: i64) -> Instant {
    Instant::from_ms(ms)
}

fn point(input: u64) -> RestoreTarget {
    RestoreTarget::Point(Point::after(Position(input)))
}

/// Inputs that put the world back: to what, and what the clock shows there.
fn put_back(lineage: &mut Lineage, at: u64, to: RestoreTarget, now: i64) {
    lineage.branch(Position(at), Restored { to, now: ms(now), events: at });
}

fn holds(lineage: &Lineage, inputs: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let path = lineage.path_to_present();
    inputs.into_iter().filter(|input| path.holds(Position(*input))).collect()
}

/// Where a plan begins, and its ranges.
type Planned = (Option<u64>, Vec<(u64, u64)>);

fn plan(lineage: &Lineage, input: u64, snapshots: &'static [u64]) -> Planned {
    let kept = |most: Position| snapshots.iter().rev().find(|at| **at <= most.0).map(|at| Position(*at));
    let plan = lineage.plan(Point::after(Position(input)), kept);
    (plan.begin.map(|begin| begin.0), plan.ranges.iter().map(|range| (range.after.0, range.to.0)).collect())
}

/// (rule: calendar/history)
#[test]
fn an_instant_lies_on_the_range_that_led_to_the_present() {
    let mut lineage = Lineage::default();
    let at = |lineage: &Lineage, at, head| {
        let found = lineage.range_at(ms(at), Position(head), ms(100));
        found.map(|(from, to)| (from.0, to.0))
    };
    let early = Err(NotReachable::BeforeStart);
    assert_eq!([at(&lineage, 99, 9), at(&lineage, 100, 9), at(&lineage, 500, 9)], [early, Ok((0, 9)), Ok((0, 9))]);
    // Rewound at 10 to what there was after input 4, when the clock showed 300.
    put_back(&mut lineage, 10, point(4), 300);
    assert_eq!([at(&lineage, 299, 12), at(&lineage, 300, 12)], [Ok((0, 4)), Ok((10, 12))]);
    // Back to the start at 20: nothing before it leads to the present.
    put_back(&mut lineage, 20, RestoreTarget::Start, 100);
    assert_eq!([at(&lineage, 99, 22), at(&lineage, 100, 22)], [early, Ok((20, 22))]);
    // And rewound to before that.
    put_back(&mut lineage, 30, point(11), 350);
    let found = [at(&lineage, 100, 33), at(&lineage, 320, 33), at(&lineage, 350, 33)];
    assert_eq!(found, [Ok((0, 4)), Ok((10, 11)), Ok((30, 33))]);
    // An imported world has no past here.
    put_back(&mut lineage, 40, RestoreTarget::Imported, 700);
    assert_eq!([at(&lineage, 99, 41), at(&lineage, 699, 41)], [early, Err(NotReachable::BeforeImport(ms(700)))]);
    assert_eq!(at(&lineage, 700, 41), Ok((40, 41)));
    lineage.forget(Position(20), []);
    assert_eq!(at(&lineage, 350, 33), Ok((30, 33)));
}

/// (rule: calendar/history)
#[test]
fn the_plan_for_a_point_leaves_out_what_was_undone_before_it() {
    let mut lineage = Lineage::default();
    assert_eq!(plan(&lineage, 7, &[]), (None, vec![(0, 7)]));
    assert_eq!(plan(&lineage, 7, &[5]), (Some(5), vec![(5, 7)]));
    put_back(&mut lineage, 10, point(4), 300);
    assert_eq!(plan(&lineage, 12, &[]), (None, vec![(0, 4), (10, 12)]));
    let undone = "a snapshot of what was undone leads nowhere";
    assert_eq!(plan(&lineage, 12, &[3, 8]), (Some(3), vec![(3, 4), (10, 12)]), "{undone}");
    assert_eq!(plan(&lineage, 9, &[]), (None, vec![(0, 9)]), "what was undone can be asked for");
    put_back(&mut lineage, 20, RestoreTarget::Start, 100);
    assert_eq!(plan(&lineage, 22, &[3, 15]), (None, vec![(20, 22)]));
    put_back(&mut lineage, 30, point(12), 300);
    assert_eq!(plan(&lineage, 31, &[]), (None, vec![(0, 4), (10, 12), (30, 31)]));
    put_back(&mut lineage, 40, RestoreTarget::Imported, 300);
    assert_eq!(plan(&lineage, 42, &[40]), (Some(40), vec![(40, 42)]));
}

/// (rule: calendar/history)
#[test]
fn putting_a_world_back_again_and_again_makes_nothing_longer() {
    let again = |lineage: &mut Lineage, at: u64, to: Point| {
        lineage.branch(Position(at), Restored { to: RestoreTarget::Point(to), now: ms(500), events: 7 });
    };
    for at in [None, Some(ms(500))] {
        let mut lineage = Lineage::default();
        let mut last = Point { input: Position(40), at };
        for number in 41..1_041 {
            again(&mut lineage, number, last);
            last = Point { input: Position(number), at };
        }
        let range = LogRange { after: Position(0), to: Position(40), until: at };
        assert_eq!(lineage.plan(last, |_| None).ranges.len(), 1 + usize::from(at.is_some()));
        assert_eq!(lineage.plan(last, |_| None).ranges[0], range);
        assert_eq!((lineage.path_to_present().0.len(), lineage.has_left(last)), (2, false));
        assert!(lineage.branches.iter().all(|branch| !branch.is_abandoned));
        lineage.forget(Position(1_040), []);
        assert_eq!(lineage.branches(), 1, "those that lead to no other are forgotten");
    }
    let mut lineage = Lineage::default();
    (1..=1_000).for_each(|number| put_back(&mut lineage, 10 * number, RestoreTarget::Start, 100));
    assert_eq!(lineage.plan(Point::after(Position(10_005)), |_| None).inputs(), 5);
}

/// (rule: calendar/history)
#[test]
fn time_that_passes_after_a_point_is_no_part_of_another_way_to_it() {
    let mut lineage = Lineage::default();
    put_back(&mut lineage, 10, point(4), 300);
    let later = Point { input: Position(10), at: Some(ms(400)) };
    lineage.branch(Position(12), Restored { to: RestoreTarget::Point(later), now: ms(400), events: 9 });
    let plan = lineage.plan(Point::after(Position(13)), |_| None);
    let range =
        |after, to, until: Option<i64>| LogRange { after: Position(after), to: Position(to), until: until.map(ms) };
    assert_eq!(plan.ranges, [range(0, 4, None), range(10, 10, Some(400)), range(12, 13, None)]);
    assert_eq!(lineage.range_at(ms(350), Position(13), ms(0)), Ok((Position(10), Position(10))));
}

/// (rule: calendar/history)
#[test]
fn what_leads_to_the_present_is_all_but_what_was_undone() {
    let mut lineage = Lineage::default();
    assert_eq!(holds(&lineage, 0..=9), Vec::from_iter(0..=9));
    put_back(&mut lineage, 10, point(4), 0);
    assert_eq!(holds(&lineage, 0..=12), [0, 1, 2, 3, 4, 10, 11, 12]);
    let has_left = |lineage: &Lineage, input| lineage.has_left(Point::after(Position(input)));
    assert_eq!([4, 5, 9, 10, 12].map(|input| has_left(&lineage, input)), [false, true, true, false, false]);
    put_back(&mut lineage, 13, point(10), 0);
    assert_eq!([4, 10, 11, 13].map(|input| has_left(&lineage, input)), [false, false, true, false]);
    put_back(&mut lineage, 15, point(8), 0);
    assert!(lineage.present().is_some_and(|branch| branch.is_abandoned));
    assert_eq!(holds(&lineage, 0..=16), [0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16]);
    put_back(&mut lineage, 20, RestoreTarget::Start, 0);
    assert_eq!((holds(&lineage, 0..=21), has_left(&lineage, 8)), (vec![20, 21], true));
    assert_eq!(lineage.begun_after(Position(13)).iter().map(|branch| branch.at.0).collect::<Vec<_>>(), [15, 20]);
}

/// (rule: calendar/history)
#[test]
fn a_fork_has_the_lineage_of_its_world_up_to_where_it_begins() {
    let mut lineage = Lineage::default();
    put_back(&mut lineage, 10, point(4), 0);
    put_back(&mut lineage, 20, point(15), 0);
    let fork = lineage.fork(Point::after(Position(12)), Position(13), ms(0), 3);
    assert_eq!(holds(&fork, 0..=14), [0, 1, 2, 3, 4, 10, 11, 12, 13, 14]);
    assert!(fork.has_left(Point::after(Position(7))), "what its world had undone");
    assert_eq!(plan(&fork, 14, &[]), (None, vec![(0, 4), (10, 12), (13, 14)]));
}

/// (rule: events/events-kept)
#[test]
fn an_event_leads_to_a_point_where_its_branch_does_and_it_had_happened_by_then() {
    let mut lineage = Lineage::default();
    // Four events had happened when input 6 was carried out, one of them before input 4 ended; 5 was an advance that was left after
    // two of its events.
    lineage.branch(
        Position(9),
        Restored { to: RestoreTarget::Point(Point { input: Position(4), at: Some(ms(5)) }), now: ms(5), events: 3 },
    );
    let path = lineage.path_to_present();
    let held = [(4, 0), (5, 1), (5, 2), (5, 3), (6, 3), (9, 3), (10, 3), (12, 9)];
    let held: Vec<_> = held.into_iter().filter(|(input, number)| path.holds_event(*input, *number)).collect();
    assert_eq!(held, [(4, 0), (5, 1), (5, 2), (9, 3), (10, 3), (12, 9)]);
    let abandoned = lineage.path_to(Position(6), 4);
    assert!(abandoned.holds_event(5, 3) && !abandoned.holds_event(6, 4) && !abandoned.holds_event(10, 3));
}

/// (rule: calendar/history)
#[test]
fn a_branch_is_forgotten_once_neither_the_log_nor_a_snapshot_leads_to_it() {
    let mut lineage = Lineage::default();
    put_back(&mut lineage, 10, point(4), 300);
    put_back(&mut lineage, 20, point(12), 310);
    put_back(&mut lineage, 30, point(3), 200);
    put_back(&mut lineage, 40, point(33), 400);
    let forgotten = |pinned: Option<u64>| {
        let mut lineage = lineage.clone();
        lineage.forget(Position(35), pinned.map(Position));
        lineage.branches.iter().map(|branch| branch.at.0).collect::<Vec<_>>()
    };
    assert_eq!(forgotten(None), [30, 40]);
    assert_eq!(forgotten(Some(22)), [10, 20, 30, 40], "what leads to a snapshot is kept");
    assert_eq!(forgotten(Some(2)), [30, 40]);
}

#[test]
fn time_that_stopped_on_its_way_is_known_by_where_it_stopped() {
    let mut lineage = Lineage::default();
    lineage.stopped(Position(3), ms(300));
    lineage.stopped(Position(5), ms(500));
    assert_eq!([3, 4, 5].map(|at| lineage.reached(Position(at), ms(900)).ms()), [300, 900, 500]);
    lineage.forget(Position(4), []);
    assert_eq!([3, 5].map(|at| lineage.reached(Position(at), ms(900)).ms()), [900, 500]);
}
