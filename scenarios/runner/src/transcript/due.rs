//! What came due while the clock moved, in few lines.
//!
//! Invariant: every instant can be read. What comes due three times or more at one time of day is one line, where the first of
//! them would be: on how many days, and on which. What comes due for several resources at the same instants is one line, too.

use std::collections::BTreeMap;

/// From so many on, equal things share a line.
const FOLDED: usize = 3;

/// Something that came due on the way of the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    /// When.
    pub at: String,
    /// What, in the server's words.
    pub what: String,
    /// To which resource, if to one.
    pub resource: String,
}

impl Happening {
    /// Whether it may have moved orders or accounts that it does not name: prices come and go without moving anything.
    #[must_use]
    pub fn concerns_many(&self) -> bool {
        self.what != "price published"
    }

    /// The day, and the time of that day.
    fn parts(&self) -> (&str, &str) {
        self.at.split_once('T').unwrap_or(("", &self.at))
    }
}

/// What came due, in one line.
pub(super) struct DueLine<'h> {
    /// The instant, or the time of day with the days.
    pub(super) when: String,
    pub(super) what: &'h str,
    pub(super) resources: Vec<&'h str>,
    /// All that it shows.
    pub(super) all: Vec<&'h Happening>,
}

/// Lines in the order of the first happening that each shows.
pub(super) fn lines<'h>(happened: &[&'h Happening]) -> Vec<DueLine<'h>> {
    let mut alike = BTreeMap::<_, Vec<&Happening>>::new();
    for &it in happened {
        alike.entry((it.parts().1, &*it.what, &*it.resource)).or_default().push(it);
    }
    let mut lines: Vec<DueLine<'h>> = Vec::new();
    for &it in happened {
        let kind = (it.parts().1, &*it.what, &*it.resource);
        let Some(group) = alike.get(&kind) else { continue };
        let (when, all) = if group.len() < FOLDED {
            (it.at.clone(), vec![it])
        } else {
            let group = alike.remove(&kind).unwrap_or_default();
            let days: Vec<_> = group.iter().map(|it| it.parts().0).collect();
            (format!("{} of {} days ({})", kind.0, group.len(), in_short(&days)), group)
        };
        match lines.iter_mut().find(|line| line.when == when && line.what == it.what) {
            Some(line) => {
                line.resources.push(&it.resource);
                line.all.extend(all);
            }
            None => lines.push(DueLine { when, what: &it.what, resources: vec![&it.resource], all }),
        }
    }
    lines
}

/// Days in order, a range where several follow each other; of year and month what is not as it was.
fn in_short(days: &[&str]) -> String {
    let mut out = String::new();
    let mut before = "";
    let mut rest = days;
    while let Some((&first, _)) = rest.split_first() {
        let follow = |pair: &&[&str]| next(pair[0]).as_deref() == Some(pair[1]);
        let length = 1 + rest.windows(2).take_while(follow).count();
        let common = match (first.get(..7), first.get(..5)) {
            (Some(month), _) if before.starts_with(month) => 8,
            (_, Some(year)) if before.starts_with(year) => 5,
            _ => 0,
        };
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(first.get(common..).unwrap_or(first));
        if length > 1 {
            out.push_str("..");
            out.push_str(rest[length - 1].get(8..).unwrap_or_default());
        }
        before = first;
        rest = &rest[length..];
    }
    out
}

/// The next day of the same month.
fn next(day: &str) -> Option<String> {
    let (month, number) = (day.get(..8)?, day.get(8..)?);
    Some(format!("{month}{:02}", number.parse::<u8>().ok()? + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(at: &str, what: &str) -> Happening {
        Happening { at: at.to_owned(), what: what.to_owned(), resource: "A".to_owned() }
    }

    #[test]
    fn three_of_a_kind_share_a_line_and_so_do_equal_things_of_several_resources() {
        let all = [
            at("2026-03-30T13:00Z", "cut-off"),
            at("2026-03-30T17:30Z", "price"),
            at("2026-03-31T13:00Z", "cut-off"),
            at("2026-04-01T13:00Z", "cut-off"),
            at("2026-04-02T10:00Z", "cut-off"),
            at("2026-04-02T17:30Z", "price"),
            at("2026-04-03T13:00Z", "cut-off"),
        ];
        let other = Happening { resource: "B".to_owned(), ..all[1].clone() };
        let all: Vec<_> = all.iter().take(2).chain([&other]).chain(&all[2..]).collect();
        let shown: Vec<_> = lines(&all)
            .into_iter()
            .map(|line| format!("{}  {} {} ({})", line.when, line.what, line.resources.join(", "), line.all.len()))
            .collect();
        assert_eq!(
            shown,
            [
                "13:00Z of 4 days (2026-03-30..31, 04-01, 03)  cut-off A (4)",
                "2026-03-30T17:30Z  price A, B (2)",
                "2026-04-02T10:00Z  cut-off A (1)",
                "2026-04-02T17:30Z  price A (1)",
            ]
        );
    }

    #[test]
    fn a_day_that_is_missing_or_another_shows() {
        for (days, shown) in [
            (&["2026-12-30", "2026-12-31", "2027-01-04"][..], "2026-12-30..31, 2027-01-04"),
            (&["2026-03-02", "2026-03-03", "2026-03-05"], "2026-03-02..03, 05"),
            (&["2026-03-02", "2026-03-02"], "2026-03-02, 02"),
            (&["2026-03-31", "2026-04-01", "2026-04-02"], "2026-03-31, 04-01..02"),
        ] {
            assert_eq!(in_short(days), shown);
        }
    }
}
