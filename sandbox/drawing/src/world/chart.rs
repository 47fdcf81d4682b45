//! The drawing: the value of all accounts over the days above, and four lists below, beside each other on a desk.
//!
//! Owns: the layout. Invariant: a bar is as long as its number, and the number is written beside it.

use super::facts::{Facts, HookHealth, WorldFacts};
use super::words::{failing, health, more, next, requests, subtitle, title, value};
use crate::frame::canvas::{Across, Canvas, UNIT, Words, fitted, width_of};
use crate::frame::document::{Drawn, Spot};
use crate::frame::heading::Heading;
use crate::frame::ink::{self, Ink};
use crate::frame::numbers::{Scale, grouped};
use crate::frame::time_axis::{begins, in_words, next as day_after};
use crate::frame::{Width, axis};

const EDGE: i32 = 12;
const GAP: i32 = 32;
/// The panel of values.
const PANEL: i32 = 200;
/// Its figures are to the left of it.
const FIGURES: i32 = 84;
const LINE: i32 = 22;
const HEADING: i32 = 30;

/// Draws the world.
pub(super) fn draw(facts: &Facts, width: Width) -> Drawn {
    let layout = Layout::of(facts, width);
    Drawn::of((layout.width, layout.height), |canvas, spots| {
        let mut chart = Chart { canvas, layout: &layout, spots };
        chart.head(facts);
        chart.values(facts);
        for (list, (x, y)) in layout.lists.iter().zip(&layout.corners) {
            chart.list(list, (*x, *y));
        }
    })
}

/// A bar of parts, each with its colour.
type Parts = Vec<(usize, &'static Ink)>;

/// A row of a list: its words, its number, and its bar.
struct ListRow {
    words: String,
    figure: String,
    parts: Parts,
}

/// A list with a heading.
struct List {
    heading: String,
    about: String,
    rows: Vec<ListRow>,
    closing: Option<String>,
}

impl List {
    /// Lines that it needs.
    fn lines(&self) -> i32 {
        let closing = usize::from(self.closing.is_some()) + usize::from(!self.about.is_empty());
        i32::try_from(self.rows.len() + closing).unwrap_or(0)
    }

    fn height(&self) -> i32 {
        HEADING + self.lines() * LINE + GAP
    }

    /// The longest bar.
    fn most(&self) -> usize {
        let sum = |row: &ListRow| row.parts.iter().map(|(count, _)| count).sum();
        self.rows.iter().map(sum).max().unwrap_or(0)
    }
}

fn lists(facts: &Facts) -> Vec<List> {
    let world = &facts.world;
    vec![orders(world), failures(facts), deliveries(facts), planned(world)]
}

fn orders(world: &WorldFacts) -> List {
    let ink = |state: &str| match state {
        "settled" => &ink::GOOD,
        "canceled" => &ink::BAD,
        "hold" => &ink::WAIT,
        _ => &ink::BUY,
    };
    let rows = world.orders.iter().map(|row| ListRow {
        words: row.state.to_owned(),
        figure: row.count.to_string(),
        parts: vec![(row.count, ink(row.state))],
    });
    List { heading: "Orders by state".to_owned(), about: String::new(), rows: rows.collect(), closing: None }
}

fn failures(facts: &Facts) -> List {
    let all = &facts.requests.failing;
    let rows = all.iter().take(Facts::MOST_ROWS).map(|row| ListRow {
        words: failing(row),
        figure: row.count.to_string(),
        parts: vec![(row.count, &ink::BAD)],
    });
    List {
        heading: "Failing requests".to_owned(),
        about: requests(facts),
        rows: rows.collect(),
        closing: more(all.len(), Facts::MOST_ROWS, "kinds"),
    }
}

fn deliveries(facts: &Facts) -> List {
    let row = |hook: &HookHealth| ListRow {
        words: if hook.enabled { hook.name.clone() } else { format!("{} (disabled)", hook.name) },
        figure: format!("{} of {}", hook.delivered, hook.total()),
        parts: vec![
            (hook.delivered, &ink::GOOD),
            (hook.queued, &ink::WAIT),
            (hook.refused, &ink::SELL),
            (hook.dead_letters, &ink::BAD),
        ],
    };
    let all = &facts.webhooks;
    let about = match all.as_slice() {
        [] => "nothing is sent: there are no webhooks and no callbacks".to_owned(),
        [one] => health(one),
        several => {
            let sum = |of: fn(&HookHealth) -> usize| several.iter().map(of).sum();
            health(&HookHealth {
                delivered: sum(|one| one.delivered),
                queued: sum(|one| one.queued),
                refused: sum(|one| one.refused),
                dead_letters: sum(|one| one.dead_letters),
                ..HookHealth::new(String::new(), true)
            })
        }
    };
    List {
        heading: "Webhooks and callbacks".to_owned(),
        about,
        rows: all.iter().take(Facts::MOST_ROWS).map(row).collect(),
        closing: more(all.len(), Facts::MOST_ROWS, "receivers"),
    }
}

fn planned(world: &WorldFacts) -> List {
    let rows = world.next.iter().map(|thing| ListRow { words: next(thing), figure: String::new(), parts: Vec::new() });
    let closing = match (world.next.is_empty(), world.next_left_out) {
        (true, _) => Some("nothing is planned".to_owned()),
        (false, 0) => None,
        (false, more) => Some(format!("{more} later ones are left out")),
    };
    List { heading: "What comes next".to_owned(), about: String::new(), rows: rows.collect(), closing }
}

struct Layout {
    width: i32,
    height: i32,
    heading: Heading,
    small: i32,
    is_narrow: bool,
    /// The head of the panel.
    top: i32,
    /// Width of a list.
    column: i32,
    lists: Vec<List>,
    corners: Vec<(i32, i32)>,
}

impl Layout {
    fn of(facts: &Facts, width: Width) -> Self {
        let wide = width.pixels();
        let (small, columns) = if width.is_narrow() { (11, 1) } else { (12, 2) };
        let heading = Heading::on_one_line(&title(facts), &subtitle(facts), EDGE, width);
        // What the accounts are worth is written beside the heading, or below it.
        let top = heading.foot() + if width.is_narrow() { 58 } else { 40 };
        let has_days = !facts.world.days.is_empty();
        let below = if has_days { top + PANEL + 58 } else { top + 8 };
        let column = (wide - 2 * EDGE - (columns - 1) * GAP) / columns;
        let lists = lists(facts);
        let mut feet = vec![below; usize::try_from(columns).unwrap_or(1)];
        let mut corners = Vec::new();
        for list in &lists {
            // The list goes where there is room first.
            let (at, foot) = feet.iter_mut().enumerate().min_by_key(|(at, foot)| (**foot, *at)).expect("a column");
            corners.push((EDGE + i32::try_from(at).unwrap_or(0) * (column + GAP), *foot));
            *foot += list.height();
        }
        let height = feet.into_iter().max().unwrap_or(below) - GAP + EDGE;
        let is_narrow = width.is_narrow();
        Self { width: wide, height, heading, small, is_narrow, top, column, lists, corners }
    }
}

struct Chart<'c, 's> {
    canvas: &'c Canvas<'s>,
    layout: &'c Layout,
    spots: &'c mut Vec<Spot>,
}

impl Chart<'_, '_> {
    fn head(&self, facts: &Facts) {
        let Layout { small, width, top, .. } = *self.layout;
        let room = width - 2 * EDGE;
        self.layout.heading.draw(self.canvas);
        let heading = "Value of all accounts, SEK";
        let taken = if self.layout.is_narrow { 0 } else { width_of(heading, 14) / UNIT + 14 };
        let base = if self.layout.is_narrow { top - 30 } else { top - 12 };
        self.canvas.text((EDGE, base), heading, Words::new(&ink::TEXT, 13).bold());
        let words = fitted(&value(facts), small, room - taken);
        self.canvas.text((EDGE + taken, top - 12), &words, Words::new(&ink::QUIET, small));
    }

    fn values(&mut self, facts: &Facts) {
        let days = &facts.world.days;
        let (Some(first), Some(last)) = (days.first(), days.last()) else { return };
        let Layout { width, top, .. } = *self.layout;
        let sides = EDGE + FIGURES..width - EDGE;
        let values = || days.iter().map(|day| day.value);
        let scale = Scale::over(values().min().unwrap_or(0), values().max().unwrap_or(0), 4);
        let span = (first.date, last.date);
        let times = begins(first.date)..begins(day_after(last.date));
        let panel = self.canvas.panel(times, scale.from..scale.to, sides.clone(), top..top + PANEL);
        let points = || days.iter().map(|day| (begins(day_after(day.date)), day.value));
        let start = (begins(first.date), first.value);
        let ground = [(begins(day_after(last.date)), 0), (begins(first.date), 0)];
        panel.area([start].into_iter().chain(points()).chain(ground).collect(), &ink::VALUE_BELOW);
        axis::scale(self.canvas, &panel, scale, first.date, &sides);
        axis::days(self.canvas, &panel, span, (top + PANEL) * UNIT, self.layout.is_narrow);
        panel.line([start].into_iter().chain(points()).collect(), &ink::VALUE, 18);
        for day in days {
            let [(left, _), (right, _)] = [begins(day.date), begins(day_after(day.date))].map(|at| panel.place(at, 0));
            self.spots.push(Spot {
                left,
                top: top * UNIT,
                width: right - left,
                height: PANEL * UNIT,
                says: format!("{}: {} SEK", in_words(day.date), grouped(day.value)),
            });
        }
    }

    fn list(&mut self, list: &List, (x, y): (i32, i32)) {
        let Layout { small, column, .. } = *self.layout;
        self.canvas.text((x, y + 14), &list.heading, Words::new(&ink::TEXT, 13).bold());
        let mut y = y + HEADING;
        let quiet = |words: &str, y: &mut i32| {
            self.canvas.text((x, *y + 8), &fitted(words, small, column), Words::new(&ink::QUIET, small));
            *y += LINE;
        };
        if !list.about.is_empty() {
            quiet(&list.about, &mut y);
        }
        let most = list.most();
        let has_bars = list.rows.iter().any(|row| !row.parts.is_empty());
        // Words have the left of a row, the bar the middle, the figure the right.
        let words_room = if has_bars { column / 2 - 8 } else { column };
        let figure_room = 70;
        let bar_room = column - words_room - 8 - figure_room;
        for row in &list.rows {
            let words = fitted(&row.words, small, words_room);
            self.canvas.text((x, y + 8), &words, Words::new(&ink::TEXT, small));
            let mut left = (x + words_room + 8) * UNIT;
            for (count, ink) in &row.parts {
                let [count, most, room] = [*count, most.max(1), usize::try_from(bar_room * UNIT).unwrap_or(0)];
                let wide = i32::try_from(count.saturating_mul(room) / most).unwrap_or(0);
                if count > 0 {
                    self.canvas.fill([(left, (y - 5) * UNIT), (left + wide, (y + 7) * UNIT)], ink);
                    // Parts of a bar are apart without colours, too.
                    left += wide + if row.parts.len() > 1 { 10 } else { 0 };
                }
            }
            let look = Words::new(&ink::TEXT, small).bold().to(Across::End);
            self.canvas.text((x + column, y + 8), &row.figure, look);
            self.spots.push(Spot {
                left: x * UNIT,
                top: (y - 8) * UNIT,
                width: column * UNIT,
                height: LINE * UNIT,
                says: format!("{} {}", row.words, row.figure).trim_end().to_owned(),
            });
            y += LINE;
        }
        if let Some(closing) = &list.closing {
            self.canvas.text((x, y + 8), &fitted(closing, small, column), Words::new(&ink::QUIET, small));
        }
    }
}
