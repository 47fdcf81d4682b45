//! Paper: pages of A4, filled from the top, with text that can be selected.
//!
//! Owns: where the pen is, when a page is full, and the parts of the file. Invariant: the same calls make the same bytes;
//! nothing is drawn below the margin, a new page is begun instead; what belongs to no element of the tree is marked as an
//! artifact. Absent on purpose: a claim of PDF/UA, which the built-in fonts rule out.

use pdf_writer::types::TabOrder;
use pdf_writer::{Content, Date, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr};

use super::tags::{Role, Tags};
use super::text::{self, Font};

/// A4, in points.
const PAPER: (f32, f32) = (595.0, 842.0);
/// Left and right margin.
pub(super) const LEFT: f32 = 64.0;
/// Where lines end.
pub(super) const RIGHT: f32 = PAPER.0 - 64.0;
const TOP: f32 = PAPER.1 - 64.0;
const BOTTOM: f32 = 92.0;

/// A colour, each part from 0 to 1.
pub(super) type Colour = (f32, f32, f32);
pub(super) const INK: Colour = (0.12, 0.14, 0.18);
pub(super) const GREY: Colour = (0.38, 0.41, 0.46);
pub(super) const ACCENT: Colour = (0.05, 0.36, 0.38);
pub(super) const TINT: Colour = (0.93, 0.96, 0.96);
pub(super) const WHITE: Colour = (1.0, 1.0, 1.0);

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub font: Font,
    pub size: f32,
    pub colour: Colour,
}

impl Look {
    /// How wide `text` is, in points.
    pub(super) fn width(self, text: &str) -> f32 {
        points(text::width(self.font, &text::encode(text).bytes), self.size)
    }

    /// Lines of at most `most` points.
    pub(super) fn wrap(self, text: &str, most: f32) -> Vec<String> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "widths on paper are small")]
        let most = (most * 1_000.0 / self.size) as u32;
        text::wrap(self.font, text, most)
    }
}

#[expect(clippy::cast_precision_loss, reason = "widths on paper are small")]
fn points(thousandths: u32, size: f32) -> f32 {
    thousandths as f32 * size / 1_000.0
}

/// Pages being filled.
pub(super) struct Paper {
    pages: Vec<Content>,
    tags: Tags,
    /// Where the next line's top is, from the bottom of the page.
    pub y: f32,
}

/// What the file says of itself.
pub(super) struct About<'a> {
    /// Its language, as a tag of BCP 47.
    pub language: &'a str,
    pub title: &'a str,
    pub author: &'a str,
    pub date: Date,
}

impl Paper {
    pub(super) fn new() -> Self {
        Self { pages: vec![Content::new()], tags: Tags::default(), y: TOP }
    }

    fn page(&mut self) -> &mut Content {
        self.pages.last_mut().expect("there is always a page")
    }

    /// Begins a new page unless there is room for `height` points on this one.
    pub(super) fn need(&mut self, height: f32) {
        if self.y - height < BOTTOM && self.y < TOP {
            self.pages.push(Content::new());
            self.y = TOP;
        }
    }

    /// Fills a box whose top is `above` points above the pen.
    pub(super) fn fill(&mut self, colour: Colour, x: f32, above: f32, width: f32, height: f32) {
        let bottom = self.y + above - height;
        let (r, g, b) = colour;
        let page = artifact(self.page());
        page.set_fill_rgb(r, g, b).rect(x, bottom, width, height).fill_nonzero().end_marked_content();
    }

    /// Draws a hairline at the pen.
    pub(super) fn rule(&mut self, colour: Colour) {
        let ((r, g, b), y) = (colour, self.y);
        let page = artifact(self.page()).set_stroke_rgb(r, g, b).set_line_width(0.6);
        page.move_to(LEFT, y).line_to(RIGHT, y).stroke().end_marked_content();
    }

    /// An element of the tree, with what `inside` writes.
    pub(super) fn element(&mut self, role: Role, inside: impl FnOnce(&mut Self)) {
        self.tags.open(role);
        inside(self);
        self.tags.close();
    }

    /// Writes one line whose baseline is `below` points below the pen. The pen stays.
    pub(super) fn write(&mut self, look: Look, x: f32, below: f32, text: &str) {
        let y = self.y - below;
        let number = self.tags.mark(self.pages.len() - 1);
        let page = self.page();
        match number {
            Some(number) => {
                page.begin_marked_content_with_properties(Name(b"P")).properties().identify(number);
            }
            None => _ = artifact(page),
        }
        show(page, look, x, y, text);
        page.end_marked_content();
    }

    /// Writes lines from the pen down and moves it below them.
    pub(super) fn lines(&mut self, look: Look, x: f32, leading: f32, lines: &[String]) {
        for line in lines {
            self.need(leading);
            self.write(look, x, look.size, line);
            self.y -= leading;
        }
    }

    /// The file. `foot` draws the foot of a page, given its number and how many there are.
    pub(super) fn finish(mut self, about: &About<'_>, foot: impl Fn(&mut Foot<'_>, usize, usize)) -> Vec<u8> {
        let count = self.pages.len();
        for (page, number) in self.pages.iter_mut().zip(1..) {
            foot(&mut Foot(page), number, count);
        }
        let mut refs = (1..).map(Ref::new);
        let mut next = move || refs.next().expect("there are more numbers than objects");
        let (catalog, tree, info, regular, bold) = (next(), next(), next(), next(), next());
        let (tags, document) = (next(), next());
        let names: Vec<Ref> = self.pages.iter().map(|_| next()).collect();
        let mut pdf = Pdf::new();
        let mut root = pdf.catalog(catalog);
        root.pages(tree).lang(TextStr(about.language)).pair(Name(b"StructTreeRoot"), tags);
        root.mark_info().marked(true);
        root.viewer_preferences().display_doc_title(true);
        root.finish();
        let count = i32::try_from(count).expect("a document of few pages");
        pdf.pages(tree).kids(names.iter().copied()).count(count);
        for ((content, id), number) in self.pages.into_iter().zip(&names).zip(0..) {
            let contents = next();
            let mut page = pdf.page(*id);
            page.parent(tree).media_box(Rect::new(0.0, 0.0, PAPER.0, PAPER.1)).contents(contents);
            page.struct_parents(number).tab_order(TabOrder::StructureOrder);
            page.resources().fonts().pair(Name(b"R"), regular).pair(Name(b"B"), bold);
            page.finish();
            pdf.stream(contents, &content.finish());
        }
        self.tags.write(&mut pdf, tags, document, &names, next);
        for (id, name) in [(regular, "Helvetica"), (bold, "Helvetica-Bold")] {
            pdf.type1_font(id).base_font(Name(name.as_bytes())).encoding_predefined(Name(b"WinAnsiEncoding"));
        }
        let mut document = pdf.document_info(info);
        document.title(TextStr(about.title)).author(TextStr(about.author)).creator(TextStr("fundsim"));
        document.creation_date(about.date);
        document.finish();
        pdf.finish()
    }
}

/// The foot of one page.
pub(super) struct Foot<'a>(&'a mut Content);

impl Foot<'_> {
    /// Writes one line whose baseline is `y` points above the paper's edge.
    pub(super) fn write(&mut self, look: Look, x: f32, y: f32, text: &str) {
        show(artifact(self.0), look, x, y, text);
        self.0.end_marked_content();
    }
}

/// Begins what a reader leaves out: decoration, and feet of pages.
fn artifact(page: &mut Content) -> &mut Content {
    page.begin_marked_content(Name(b"Artifact"))
}

fn show(page: &mut Content, look: Look, x: f32, y: f32, text: &str) {
    let encoded = text::encode(text);
    let name = match look.font {
        Font::Regular => Name(b"R"),
        Font::Bold => Name(b"B"),
    };
    let (r, g, b) = look.colour;
    if !encoded.exact {
        let mut mark = page.begin_marked_content_with_properties(Name(b"Span"));
        mark.properties().actual_text(TextStr(text));
    }
    page.begin_text()
        .set_fill_rgb(r, g, b)
        .set_font(name, look.size)
        .next_line(x, y)
        .show(Str(&encoded.bytes))
        .end_text();
    if !encoded.exact {
        page.end_marked_content();
    }
}
