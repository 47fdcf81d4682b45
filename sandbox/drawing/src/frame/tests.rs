//! Numbers, scales and axes of pictures. The whole picture is judged against the ledger from outside (`tests/pictures`).

use super::labels::Labels;
use super::numbers::{Scale, grouped};
use super::time_axis::{quarter_ends, stretches};
use sim::time::parse_date;

fn day(text: &str) -> jiff::civil::Date {
    parse_date(text).expect("a date")
}

#[test]
fn numbers_stand_in_groups_of_three_digits_and_show_ore_only_where_there_are_any() {
    for (ore, shown) in [
        (0, "0"),
        (5, "0.05"),
        (99_900, "999"),
        (100_000, "1 000"),
        (123_456_789, "1 234 567.89"),
        (-100_050, "−1 000.50"),
        (i64::MIN, "−92 233 720 368 547 758.08"),
    ] {
        assert_eq!(grouped(ore).replace('\u{a0}', " "), shown);
    }
}

#[test]
fn a_scale_has_round_lines_zero_among_them_and_holds_what_it_was_made_for() {
    for (least, most, lines) in [
        (0, 0, vec![0, 1]),
        (0, 4_321, vec![0, 2_000, 4_000, 6_000]),
        (-7_838, 30_000, vec![-10_000, 0, 10_000, 20_000, 30_000]),
        (-500, -100, vec![-600, -400, -200, 0]),
    ] {
        let scale = Scale::over(least * 100, most * 100, 4);
        assert_eq!(scale.lines().map(|ore| ore / 100).collect::<Vec<_>>(), lines, "{least} {most}");
    }
}

#[test]
fn the_time_axis_marks_mondays_months_quarters_or_years_as_there_is_room() {
    let names_of = |first: &str, last: &str, is_narrow: bool| {
        let names = stretches(day(first), day(last), is_narrow).into_iter().map(|stretch| {
            format!("{}{}", stretch.name, stretch.year.map(|year| format!(" {year}")).unwrap_or_default())
        });
        names.collect::<Vec<_>>().join(", ")
    };
    let named = |first: &str, last: &str| names_of(first, last, false);
    assert_eq!(named("2026-03-05", "2026-03-17"), "5 Mar 2026, 9 Mar, 16 Mar");
    assert_eq!(named("2026-11-20", "2027-02-03"), "Nov 2026, Dec, Jan 2027, Feb");
    assert_eq!(named("2026-05-01", "2027-12-31"), "Q2 2026, Q3, Q4, Q1 2027, Q2, Q3, Q4");
    assert_eq!(named("2026-05-01", "2030-01-01"), "2026, 2027, 2028, 2029, 2030");
    assert_eq!(names_of("2026-03-05", "2026-05-02", true), "Mar 2026, Apr, May");
    assert_eq!(names_of("2026-02-01", "2026-12-31", true), "Q1 2026, Q2, Q3, Q4");
    let ends = quarter_ends(day("2026-01-01"), day("2026-12-31"));
    let named: Vec<_> = ends.iter().map(|(day, name)| format!("{day} {name}")).collect();
    assert_eq!(named, ["2026-04-01 Q1 ends", "2026-07-01 Q2 ends", "2026-10-01 Q3 ends", "2027-01-01 Q4 ends"]);
}

#[test]
fn a_figure_is_drawn_where_there_is_room_or_left_out() {
    let mut labels = Labels::default();
    let sides = (0, 10_000);
    labels.keep_clear((4_000, 400), (4_100, 1_000));
    let first = labels.place("1 500", (4_050, 400), false, sides).expect("there is room");
    let second = labels.place("12", (4_060, 400), false, sides).expect("a line above");
    assert!(second.1 < first.1, "{second:?} {first:?}");
    assert_eq!(labels.place("12", (4_070, 400), false, sides), None);
    assert!(labels.place("1 500", (10, 400), false, sides).expect("at the side").0 > 100, "it stays within the sides");
}
