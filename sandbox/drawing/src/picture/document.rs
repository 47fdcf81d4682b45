//! A chart as a document that reads by itself: in the light and in the dark, by eye and by ear.
//!
//! Invariant: nothing in it is fetched or run. Absent on purpose: what it says (`words`), and what is drawn (`chart`).

use super::chart::{Drawn, UNIT};
use super::facts::Facts;
use super::ink;
use super::words::{description, title};
use maud::{PreEscaped, html};

/// The whole document.
pub(super) fn whole(facts: &Facts, drawn: &Drawn) -> String {
    // What the library opens the document with is replaced by a head that names and describes it.
    let body = drawn.svg.split_once('\n').map_or("", |(_, rest)| rest);
    let body = body.trim_end().strip_suffix("</svg>").unwrap_or(body);
    let (wide, high) = drawn.size;
    let (width, height) = (wide * UNIT, high * UNIT);
    let ids = [format!("title-{}", facts.reference), format!("desc-{}", facts.reference)];
    let document = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(wide) height=(high) viewBox={ "0 0 " (width) " " (height) }
            role="img" aria-labelledby={ (ids[0]) " " (ids[1]) } {
            title id=(ids[0]) { (title(facts)) }
            desc id=(ids[1]) { (description(facts)) }
            style { (PreEscaped(style())) }
            (PreEscaped(body))
            g fill="none" pointer-events="all" {
                @for spot in &drawn.spots {
                    rect x=(spot.left) y=(spot.top) width=(spot.width) height=(spot.height) { title { (spot.says) } }
                }
            }
        }
    };
    let mut text = document.into_string();
    text.push('\n');
    text
}

/// In the dark every colour has its counterpart.
fn style() -> String {
    let rules = ink::ALL.iter().map(|ink| {
        let (light, dark) = (ink.in_light(), ink.in_dark());
        format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
    });
    format!(
        "text{{font-variant-numeric:tabular-nums}}polyline{{stroke-linejoin:round}}\
         @media(prefers-color-scheme:dark){{{}}}",
        rules.collect::<String>()
    )
}
