//! What can be drawn, on top of the plotting library: lines, areas, bars, marks and words, in tenths of a pixel.
//!
//! Invariant: nothing here knows what it draws. Writing to a text never fails, so nothing here can.

use super::ink::Ink;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordi64;
use plotters::prelude::{
    Cartesian2d, Circle, Cross, DrawingArea, IntoDrawingArea as _, IntoFont as _, PathElement, Polygon, Rectangle,
    SVGBackend, ShapeStyle, Text, TextStyle,
};
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use sim::time::Instant;
use std::ops::Range;

/// Tenths, so that bars of unlike heights do not look alike.
pub(crate) const UNIT: i32 = 10;
/// What every reader has.
const FAMILY: &str = "system-ui, -apple-system, 'Segoe UI', Inter, 'Liberation Sans', sans-serif";
/// The library takes a typeface's size for its line's height.
const LINE: f64 = 1.24;

const WRITTEN: &str = "a text takes what is written";

type Root<'s> = DrawingArea<SVGBackend<'s>, Shift>;
type Grid = Cartesian2d<RangedCoordi64, RangedCoordi64>;
/// In tenths of a pixel.
type TenthPixels = (i32, i32);

/// On which side of their position words are drawn.
#[derive(Clone, Copy)]
pub(crate) enum Across {
    Start,
    Middle,
    End,
}

/// The same, up and down: on it as on a line, or around it.
#[derive(Clone, Copy)]
pub(crate) enum Down {
    TextLine,
    Middle,
}

/// How words look.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    ink: &'static Ink,
    size: i32,
    bold: bool,
    across: Across,
    down: Down,
}

impl Words {
    pub(crate) const fn new(ink: &'static Ink, size: i32) -> Self {
        Self { ink, size, bold: false, across: Across::Start, down: Down::TextLine }
    }

    pub(crate) const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(crate) const fn to(self, across: Across) -> Self {
        Self { across, ..self }
    }

    pub(crate) const fn at(self, down: Down) -> Self {
        Self { down, ..self }
    }

    fn style(self) -> TextStyle<'static> {
        let font = (FAMILY, f64::from(self.size * UNIT) * LINE).into_font();
        let font = if self.bold { font.style(plotters::style::FontStyle::Bold) } else { font };
        let across = match self.across {
            Across::Start => HPos::Left,
            Across::Middle => HPos::Center,
            Across::End => HPos::Right,
        };
        let down = match self.down {
            Down::TextLine => VPos::Bottom,
            Down::Middle => VPos::Center,
        };
        TextStyle { color: self.ink.colour().to_backend_color(), ..TextStyle::from(font).pos(Pos::new(across, down)) }
    }
}

/// All that is drawn on.
pub(crate) struct Canvas<'s> {
    root: Root<'s>,
}

impl<'s> Canvas<'s> {
    /// A canvas of that width and height in pixels, which writes to `svg`.
    pub(crate) fn on(svg: &'s mut String, (width, height): (i32, i32)) -> Self {
        let side = |pixels: i32| (pixels * UNIT).unsigned_abs();
        let root = SVGBackend::with_string(svg, (side(width), side(height))).into_drawing_area();
        let canvas = Self { root };
        canvas.fill([(0, 0), (width * UNIT, height * UNIT)], &super::ink::PAPER);
        canvas
    }

    /// Ends the document.
    pub(crate) fn end(self) {
        self.root.present().expect(WRITTEN);
    }

    /// A part of the canvas, in pixels, with a time axis and amounts in ore.
    pub(crate) fn panel(
        &self,
        times: Range<Instant>,
        ore: Range<i64>,
        across: Range<i32>,
        down: Range<i32>,
    ) -> Panel<'s> {
        let tenths = |pixels: Range<i32>| pixels.start * UNIT..pixels.end * UNIT;
        // Amounts grow upwards, pixels downwards.
        let rows = down.end * UNIT..down.start * UNIT;
        let grid = Grid::new(times.start.ms()..times.end.ms(), ore, (tenths(across), rows));
        Panel { area: self.root.apply_coord_spec(grid) }
    }

    /// Words at a place in pixels.
    pub(crate) fn text(&self, (x, y): (i32, i32), words: &str, look: Words) {
        self.exact_text((x * UNIT, y * UNIT), words, look);
    }

    pub(crate) fn exact_text(&self, place: TenthPixels, words: &str, look: Words) {
        self.root.draw(&Text::new(words, place, look.style())).expect(WRITTEN);
    }

    pub(crate) fn stroke(&self, ends: [TenthPixels; 2], ink: &Ink, tenths: u32) {
        self.root.draw(&PathElement::new(ends.to_vec(), stroke(ink, tenths))).expect(WRITTEN);
    }

    /// An upright line of dashes.
    pub(crate) fn dashes(&self, [(x, from), (_, to)]: [TenthPixels; 2], ink: &Ink) {
        for y in (from..to).step_by(80) {
            self.stroke([(x, y), (x, (y + 45).min(to))], ink, 13);
        }
    }

    pub(crate) fn fill(&self, corners: [TenthPixels; 2], ink: &Ink) {
        self.root.draw(&Rectangle::new(corners, ink.colour().filled())).expect(WRITTEN);
    }

    pub(crate) fn dot(&self, place: TenthPixels, pixels: i32, ink: &Ink) {
        self.root.draw(&Circle::new(place, pixels * UNIT, ink.colour().filled())).expect(WRITTEN);
    }

    /// A dot that is not filled.
    pub(crate) fn ring(&self, place: TenthPixels, pixels: i32, ink: &Ink) {
        self.dot(place, pixels, &super::ink::PAPER);
        self.root.draw(&Circle::new(place, pixels * UNIT, stroke(ink, 13))).expect(WRITTEN);
    }

    pub(crate) fn cross(&self, place: TenthPixels, ink: &Ink) {
        self.root.draw(&Cross::new(place, 4 * UNIT, stroke(ink, 16))).expect(WRITTEN);
    }

    /// The edge of a box, which is not filled.
    pub(crate) fn outline(&self, [(left, top), (right, bottom)]: [TenthPixels; 2], ink: &Ink, tenths: u32) {
        // The library's own box has no width of its line.
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        self.root.draw(&PathElement::new(corners, stroke(ink, tenths))).expect(WRITTEN);
    }

    /// Slanted lines across a box, for what colour alone is not to say.
    pub(crate) fn hatch(&self, [(left, top), (right, bottom)]: [TenthPixels; 2], ink: &Ink) {
        let (wide, high) = (right - left, bottom - top);
        for begin in (-high..wide).step_by(60) {
            // The line x = left + begin + down, as far as it is within the box.
            let (from, to) = ((-begin).max(0), (wide - begin).min(high));
            if from < to {
                let at = |down: i32| (left + begin + down, top + down);
                self.stroke([at(from), at(to)], ink, 10);
            }
        }
    }

    /// The head of an arrow that points left or right, with its tip there.
    pub(crate) fn arrow_head(&self, (x, y): TenthPixels, to_the_right: bool, ink: &Ink) {
        let back = if to_the_right { x - 70 } else { x + 70 };
        let corners = vec![(back, y - 40), (back, y + 40), (x, y)];
        self.root.draw(&Polygon::new(corners, ink.colour().filled())).expect(WRITTEN);
    }

    /// A line of dashes from side to side.
    pub(crate) fn level_dashes(&self, [(from, y), (to, _)]: [TenthPixels; 2], ink: &Ink) {
        let (from, to) = (from.min(to), from.max(to));
        for x in (from..to).step_by(80) {
            self.stroke([(x, y), ((x + 45).min(to), y)], ink, 13);
        }
    }

    /// A band between two upright edges, each at an `x` from a top to a bottom; what it lies on can be seen through it.
    pub(crate) fn ribbon(&self, (left, begin): (i32, [i32; 2]), (right, end): (i32, [i32; 2]), ink: &Ink) {
        const PIECES: i64 = 24;
        let point = |piece: i64, edge: usize| {
            // Level at both ends: 3t² - 2t³.
            let eased = piece * piece * (3 * PIECES - 2 * piece);
            let between = |from: i32, to: i32, share: i64, all: i64| {
                let moved = i64::from(to - from) * share / all;
                from + i32::try_from(moved).unwrap_or(0)
            };
            let x = between(left, right, piece, PIECES);
            (x, between(begin[edge], end[edge], eased, PIECES * PIECES * PIECES))
        };
        let above = (0..=PIECES).map(|piece| point(piece, 0));
        let below = (0..=PIECES).rev().map(|piece| point(piece, 1));
        let corners: Vec<_> = above.chain(below).collect();
        self.root.draw(&Polygon::new(corners, ink.colour().mix(0.35).filled())).expect(WRITTEN);
    }

    /// Points up or down.
    pub(crate) fn triangle(&self, (x, y): TenthPixels, up: bool, ink: &Ink) {
        let (wide, high) = (48, if up { -56 } else { 56 });
        let corners = vec![(x - wide, y - high * 2 / 3), (x + wide, y - high * 2 / 3), (x, y + high)];
        self.root.draw(&Polygon::new(corners, ink.colour().filled())).expect(WRITTEN);
    }
}

fn stroke(ink: &Ink, tenths: u32) -> ShapeStyle {
    ink.colour().stroke_width(tenths)
}

/// A part of the canvas with coordinates: instants, and ore.
pub(crate) struct Panel<'s> {
    area: DrawingArea<SVGBackend<'s>, Grid>,
}

impl Panel<'_> {
    /// The position of an amount at an instant, in tenths of a pixel.
    pub(crate) fn place(&self, at: Instant, ore: i64) -> TenthPixels {
        self.area.map_coordinate(&(at.ms(), ore))
    }

    pub(crate) fn line(&self, points: Vec<(Instant, i64)>, ink: &Ink, tenths: u32) {
        self.area.draw(&PathElement::new(milliseconds(points), stroke(ink, tenths))).expect(WRITTEN);
    }

    pub(crate) fn area(&self, points: Vec<(Instant, i64)>, ink: &Ink) {
        self.area.draw(&Polygon::new(milliseconds(points), ink.colour().filled())).expect(WRITTEN);
    }
}

fn milliseconds(points: Vec<(Instant, i64)>) -> Vec<(i64, i64)> {
    points.into_iter().map(|(at, ore)| (at.ms(), ore)).collect()
}

/// A row of marks with their names, one after the other.
pub(crate) struct Legend<'c, 's> {
    canvas: &'c Canvas<'s>,
    /// Where its lines begin and end.
    sides: (i32, i32),
    x: i32,
    y: i32,
}

impl<'c, 's> Legend<'c, 's> {
    /// A row that begins at `x`, with its base line at `y`, in pixels.
    pub(crate) const fn new(canvas: &'c Canvas<'s>, x: i32, y: i32) -> Self {
        Self { canvas, sides: (x, i32::MAX), x, y }
    }

    /// The same on more lines where it would go beyond `right`, in pixels.
    pub(crate) const fn up_to(self, right: i32) -> Self {
        Self { sides: (self.sides.0, right), ..self }
    }

    fn named(mut self, name: &str, mark: impl FnOnce(&Canvas<'s>, TenthPixels)) -> Self {
        let wide = i32::try_from(name.chars().count()).unwrap_or(0) * 68 / UNIT;
        if self.x > self.sides.0 && self.x + 24 + wide > self.sides.1 {
            (self.x, self.y) = (self.sides.0, self.y + 20);
        }
        mark(self.canvas, ((self.x + 9) * UNIT, (self.y - 8) * UNIT));
        self.canvas.text((self.x + 24, self.y), name, Words::new(&super::ink::QUIET, 12));
        Self { x: self.x + 24 + wide + 20, ..self }
    }

    pub(crate) fn area(self, name: &str) -> Self {
        self.named(name, |canvas, (x, y)| {
            canvas.fill([(x - 90, y), (x + 90, y + 50)], &super::ink::VALUE_BELOW);
            canvas.stroke([(x - 90, y), (x + 90, y)], &super::ink::VALUE, 18);
        })
    }

    pub(crate) fn line(self, name: &str) -> Self {
        self.named(name, |canvas, (x, y)| canvas.stroke([(x - 90, y), (x + 90, y)], &super::ink::BALANCE, 13))
    }

    pub(crate) fn square(self, name: &str, ink: &Ink) -> Self {
        self.named(name, |canvas, (x, y)| canvas.fill([(x - 50, y - 50), (x + 50, y + 50)], ink))
    }

    pub(crate) fn ring(self, name: &str, ink: &Ink) -> Self {
        self.named(name, |canvas, place| canvas.ring(place, 3, ink))
    }

    pub(crate) fn triangle(self, name: &str, up: bool, ink: &Ink) -> Self {
        self.named(name, |canvas, place| canvas.triangle(place, up, ink))
    }

    pub(crate) fn cross(self, name: &str, ink: &Ink) -> Self {
        self.named(name, |canvas, place| canvas.cross(place, ink))
    }

    pub(crate) fn dot(self, name: &str, ink: &Ink) -> Self {
        self.named(name, |canvas, place| canvas.dot(place, 2, ink))
    }
}

/// How wide words are at most, in tenths of a pixel, in the widest of the typefaces that readers have.
pub(crate) fn width_of(words: &str, size: i32) -> i32 {
    let thousandths = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 300,
        'f' | 't' | 'r' | ' ' | '\u{a0}' | '(' | ')' | '[' | ']' | '/' | '-' | '·' => 400,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '→' | '←' => 920,
        'A'..='Z' | 'Å' | 'Ä' | 'Ö' | '−' | '+' | '=' => 700,
        _ => 590,
    };
    words.chars().map(thousandths).sum::<i32>() * size / 100
}

/// As much of some words as there is room for in so many pixels, with an ellipsis where they are cut off.
pub(crate) fn fitted(words: &str, size: i32, pixels: i32) -> String {
    let room = pixels * UNIT;
    if width_of(words, size) <= room {
        return words.to_owned();
    }
    let mut text = String::new();
    for letter in words.chars() {
        text.push(letter);
        if width_of(&text, size) + width_of("…", size) > room {
            text.pop();
            break;
        }
    }
    format!("{}…", text.trim_end())
}

/// Words in lines that have room in so many pixels.
pub(crate) fn wrapped(words: &str, size: i32, pixels: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if width_of(&format!("{line} {word}"), size) <= pixels * UNIT => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
