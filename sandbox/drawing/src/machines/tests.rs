//! The picture of state tables, read back.

use super::Facts;
use crate::frame::{Picture as _, Width};
use sim::machines::{MACHINES, Machine};
use sim::time::Instant;

/// A machine with how often each of its rows was taken.
type Counted = (&'static dyn Machine, Vec<u64>);

/// Counts of each row: none of the first, and more and more of the others.
fn facts() -> (Facts, Vec<Counted>) {
    let counts = |machine: &'static dyn Machine| {
        let rows = (0..machine.rows().len() as u64).map(|row| row * row * 7).collect();
        (machine, rows)
    };
    let counted: Vec<(_, Vec<u64>)> = MACHINES.iter().copied().map(counts).collect();
    let entered: Vec<Vec<u64>> = MACHINES.iter().map(|machine| vec![5; machine.states().len()]).collect();
    let all = counted.iter().zip(&entered).map(|((machine, rows), states)| (*machine, &states[..], &rows[..]));
    (Facts::of(Instant::MIN, all), counted)
}

#[test]
fn every_row_is_drawn_with_its_count_and_those_never_taken_with_a_hatch() {
    let (facts, counted) = facts();
    let rows: usize = counted.iter().map(|(_, rows)| rows.len()).sum();
    for width in [Width::USUAL, Width::PHONE] {
        let svg = facts.svg(width);
        let spots = svg.matches(" leads to ").count();
        assert_eq!(spots, rows, "each row says what it is");
        for (machine, counts) in &counted {
            for ([from, on, to, _], count) in machine.rows().iter().zip(counts) {
                let times = match count {
                    0 => "never".to_owned(),
                    1 => "once".to_owned(),
                    many => format!("{many} times"),
                };
                assert!(svg.contains(&format!("<title>{from} on {on} leads to {to}: {times}</title>")), "{from} {on}");
                assert!(
                    svg.split('<').any(|part| part.trim_end().ends_with(&format!(">\n{count}"))),
                    "{count} is written"
                );
            }
        }
        // A hatch is many short strokes in the colour of rules; nothing else of this picture has that colour.
        assert!(svg.matches(" stroke=\"#AEB8C3\"").count() > counted.len(), "never taken is hatched");
    }
}

#[test]
fn where_every_row_was_taken_nothing_is_hatched() {
    let ones: Vec<(Vec<u64>, Vec<u64>)> =
        MACHINES.iter().map(|machine| (vec![1; machine.states().len()], vec![1; machine.rows().len()])).collect();
    let all = MACHINES.iter().zip(&ones).map(|(machine, (states, rows))| (*machine, &states[..], &rows[..]));
    let svg = Facts::of(Instant::MIN, all).svg(Width::USUAL);
    assert_eq!(svg.matches(" stroke=\"#AEB8C3\"").count(), 0);
    assert!(svg.contains("<title>Received on Accept leads to Pending: once</title>"), "{svg}");
}

#[test]
fn a_text_has_every_row_with_its_count_within_a_hundred_columns() {
    let (facts, counted) = facts();
    let text = facts.text();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    for (machine, counts) in counted {
        for ([from, on, to, _], count) in machine.rows().iter().zip(counts) {
            let count = count.to_string();
            let is_row = |line: &Vec<&str>| line.starts_with(&[from.as_str(), on, to, &count]);
            assert!(lines.iter().any(is_row), "{from} {on} {to} {count} in {text}");
        }
    }
}
