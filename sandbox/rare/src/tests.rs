//! Points as a seed draws them, and as the documentation lists them.

use super::*;
use std::fmt::Write as _;
use std::path::Path;

/// The page that lists the points.
const PAGE: &str = "../../docs/testing.md";
/// What is between these two lines is made of [`POINTS`].
const MARKS: [&str; 2] = ["<!-- points -->\n", "<!-- end of points -->\n"];

#[test]
fn the_table_has_a_row_for_each_point_in_order() {
    for (place, row) in POINTS.iter().enumerate() {
        assert_eq!((row.point.place(), row.point.row().name), (place, row.name));
    }
    let mut names: Vec<_> = POINTS.iter().map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), POINTS.len(), "each point has a name of its own");
}

#[test]
fn the_documentation_lists_the_points() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).expect("the page");
    let [begin, end] = MARKS;
    let (before, rest) = page.split_once(begin).expect("the table begins");
    let (listed, after) = rest.split_once(end).expect("the table ends");
    let mut table = "| point | crate | what happens |\n|---|---|---|\n".to_owned();
    for PointRow { name, package, what, .. } in POINTS {
        writeln!(table, "| `{name}` | `{package}` | {what} |").expect("a text");
    }
    if std::env::var_os("FUNDSIM_TEST_BLESS").is_some() {
        return std::fs::write(&path, format!("{before}{begin}{table}{end}{after}")).expect("written");
    }
    assert_eq!(listed, table, "FUNDSIM_TEST_BLESS=1 writes it anew");
}

#[cfg(not(feature = "points"))]
#[test]
fn without_the_feature_nothing_happens() {
    const HAPPENS: bool = happens(Point::BatchOfOne);
    let _scope = begin(1);
    assert!(!HAPPENS);
    assert_eq!(tally(), Tally::new());
}

#[cfg(feature = "points")]
mod drawn {
    use super::*;

    /// What happens at `point` in a scope of `seed`, asked so many times, after `others` at another point.
    fn drawn(seed: u64, point: Point, times: usize, others: usize) -> Vec<bool> {
        let _scope = begin(seed);
        let elsewhere: Vec<bool> = (0..others).map(|_| happens(Point::ShortRead)).collect();
        assert_eq!(elsewhere.len(), others);
        (0..times).map(|_| happens(point)).collect()
    }

    #[test]
    fn a_seed_draws_the_same_whatever_is_asked_elsewhere() {
        for seed in 0..50 {
            let first = drawn(seed, Point::BatchOfOne, 100, 0);
            assert_eq!(first, drawn(seed, Point::BatchOfOne, 100, 30), "seed {seed}");
        }
        let mut different: Vec<_> = (0..50).map(|seed| drawn(seed, Point::BatchOfOne, 100, 0)).collect();
        different.sort_unstable();
        different.dedup();
        assert!(different.len() > 25, "{} of 50 seeds draw something of their own", different.len());
    }

    #[test]
    fn each_point_is_off_in_some_seeds_and_frequent_in_others() {
        for row in POINTS {
            let counts: Vec<usize> =
                (0..60).map(|seed| drawn(seed, row.point, 400, 0).iter().filter(|hit| **hit).count()).collect();
            let with = |wanted: &dyn Fn(usize) -> bool| counts.iter().filter(|count| wanted(**count)).count();
            assert!(with(&|count| count == 0) >= 5, "{}: {counts:?}", row.name);
            assert!(with(&|count| count > 150) >= 5, "{}: {counts:?}", row.name);
            assert!(with(&|count| (1..100).contains(&count)) >= 10, "{}: {counts:?}", row.name);
        }
    }

    #[test]
    fn nothing_happens_outside_of_a_scope_or_in_a_seed_without_points_and_the_outer_scope_continues() {
        assert!((0..100).all(|_| !happens(Point::BatchOfOne)));
        let frequent = (0..).find(|seed| drawn(*seed, Point::BatchOfOne, 9, 0).contains(&true)).expect("a seed");
        let alone = drawn(frequent, Point::BatchOfOne, 60, 0);
        let outer = begin(frequent);
        let mut interrupted: Vec<bool> = (0..30).map(|_| happens(Point::BatchOfOne)).collect();
        for point in [None, Some(Point::BatchOfOne)] {
            let _never = point.map_or_else(|| never_in(frequent), |point| never_at(frequent, point));
            assert!(drawn(frequent, Point::BatchOfOne, 60, 0).iter().all(|happened| !happened));
        }
        let _other = never_at(frequent, Point::ShortRead);
        assert_eq!(drawn(frequent, Point::BatchOfOne, 60, 0), alone);
        interrupted.extend((0..30).map(|_| happens(Point::BatchOfOne)));
        assert_eq!(interrupted, alone);
        assert_eq!(tally().counts().map(|(_, count)| count.asked).sum::<u64>(), 60);
        let hits = alone.iter().filter(|happened| **happened).count() as u64;
        assert_eq!(tally().counts().next().map(|(_, count)| count.happened), Some(hits));
        assert!(tally().never_happened(&["store"]).iter().all(|(name, asked)| (*name, *asked) != ("batch-of-one", 60)));
        drop(outer);
        assert_eq!(tally(), Tally::new());
    }
}
