//! A drawing as a document that reads by itself: in the light and in the dark, by eye and by ear.
//!
//! Invariant: nothing in it is fetched or run. Absent on purpose: what it says, and what is drawn.

use super::canvas::{Canvas, UNIT};
use super::ink::Ink;
use super::picture::{Picture, Width};
use maud::{PreEscaped, html};
use serde::Serialize;

/// A place that says something when it is pointed at, in tenths of a pixel.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) says: String,
}

/// A drawing as the library wrote it, and the places in it that say more.
pub(crate) struct Drawn {
    /// Width and height in pixels.
    pub(crate) size: (i32, i32),
    pub(crate) svg: String,
    pub(crate) spots: Vec<Spot>,
}

impl Drawn {
    /// What is drawn on a canvas of that width and height in pixels.
    pub(crate) fn of(size: (i32, i32), draw: impl FnOnce(&Canvas<'_>, &mut Vec<Spot>)) -> Self {
        let (mut svg, mut spots) = (String::new(), Vec::new());
        let canvas = Canvas::on(&mut svg, size);
        draw(&canvas, &mut spots);
        canvas.end();
        Self { size, svg, spots }
    }
}

/// What a document says of itself.
pub(crate) struct Head<'d> {
    /// What distinguishes it from others on the same page: letters, digits and hyphens.
    pub(crate) id: &'d str,
    pub(crate) title: String,
    /// What the picture shows, for those who do not see it.
    pub(crate) description: String,
    /// The colours that it may have.
    pub(crate) inks: &'d [&'static Ink],
}

/// What every form of a picture is made of.
pub(crate) trait Drawing: Serialize {
    fn head(&self) -> Head<'_>;

    fn draw(&self, width: Width) -> Drawn;

    fn as_text(&self) -> String;
}

impl<D: Drawing> Picture for D {
    fn svg(&self, width: Width) -> String {
        written(&self.head(), &self.draw(width), Some("http://www.w3.org/2000/svg")) + "\n"
    }

    fn part(&self, id: &str, width: Width) -> String {
        // A page knows by itself what it holds.
        written(&Head { id, ..self.head() }, &self.draw(width), None)
    }

    fn text(&self) -> String {
        self.as_text()
    }
}

fn written(head: &Head<'_>, drawn: &Drawn, namespace: Option<&str>) -> String {
    // What the library opens the document with is replaced by a head that names and describes it.
    let body = drawn.svg.split_once('\n').map_or("", |(_, rest)| rest);
    let body = body.trim_end().strip_suffix("</svg>").unwrap_or(body);
    let (wide, high) = drawn.size;
    let (width, height) = (wide * UNIT, high * UNIT);
    let ids = [format!("title-{}", head.id), format!("desc-{}", head.id)];
    let document = html! {
        svg xmlns=[namespace] width=(wide) height=(high) viewBox={ "0 0 " (width) " " (height) }
            role="img" aria-labelledby={ (ids[0]) " " (ids[1]) } {
            title id=(ids[0]) { (head.title) }
            desc id=(ids[1]) { (head.description) }
            style { (PreEscaped(style(head.inks))) }
            (PreEscaped(body))
            g fill="none" pointer-events="all" {
                @for spot in &drawn.spots {
                    rect x=(spot.left) y=(spot.top) width=(spot.width) height=(spot.height) { title { (spot.says) } }
                }
            }
        }
    };
    document.into_string()
}

/// In the dark every colour has its counterpart.
fn style(inks: &[&Ink]) -> String {
    let rules = inks.iter().map(|ink| {
        let (light, dark) = (ink.in_light(), ink.in_dark());
        format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
    });
    format!(
        "text{{font-variant-numeric:tabular-nums}}polyline{{stroke-linejoin:round}}\
         @media(prefers-color-scheme:dark){{{}}}",
        rules.collect::<String>()
    )
}
