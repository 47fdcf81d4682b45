//! Pictures on the page: the sequence of each run that has failed, and links to the files of pictures and worlds.
//!
//! Owns: how much of pictures is in the page. Invariant: all of them have at most `MOST_BYTES` together; a story that finds no room says
//! so. A picture is drawn here from what the server describes, so that no markup of a server is in the page. Absent on purpose: how
//! a sequence is drawn (`drawing::sequence`).

use crate::report::picture;
use crate::suite::StoryRun;
use drawing::Picture as _;
use maud::{Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::cell::Cell;
use std::fs;
use std::path::{Component, Path};

/// Most bytes of all pictures of a page.
const MOST_BYTES: usize = 8 << 20;
/// What a name in an address is written without.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// What the page has room for, and where it is.
pub(super) struct Pictures<'p> {
    room: Cell<usize>,
    /// The file that the page becomes.
    page: Option<&'p Path>,
}

impl<'p> Pictures<'p> {
    /// Those of a page, which may become a file.
    pub(super) const fn new(page: Option<&'p Path>) -> Self {
        Self::within(MOST_BYTES, page)
    }

    const fn within(bytes: usize, page: Option<&'p Path>) -> Self {
        Self { room: Cell::new(bytes), page }
    }

    /// The sequence of a run, folded, and its files.
    pub(super) fn of(&self, row: &StoryRun, id: &str) -> Markup {
        html! {
            @match &row.sequence {
                None => {},
                Some(Err(why)) => p.about { "What happened is not drawn: " (why) },
                Some(Ok(facts)) => {
                    @let drawn = picture::both(id, "Who did what with whom", |id, width| facts.part(id, width));
                    @if self.takes(drawn.0.len()) {
                        details { summary { "Who did what with whom" } (drawn) }
                    } @else {
                        p.about {
                            "Who did what with whom is not drawn: pictures of this page have at most " (MOST_BYTES >> 20) " MiB. "
                            code { "--pictures DIR" } " writes each into a file."
                        }
                    }
                },
            }
            @if !row.pictures.is_empty() {
                p.about { "Pictures: " @for (at, file) in row.pictures.iter().enumerate() { @if at > 0 { ", " } (self.link(file)) } }
            }
        }
    }

    /// Whether there is room for so many bytes, which they then have.
    fn takes(&self, bytes: usize) -> bool {
        let left = self.room.get().checked_sub(bytes);
        left.inspect(|left| self.room.set(*left)).is_some()
    }

    /// The name of a file, which leads to it where the page is a file, too.
    pub(super) fn link(&self, file: &Path) -> Markup {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        html! {
            @match self.page.and_then(|page| relative(page, file)) {
                Some(address) => a href=(address) { (name) },
                None => (name),
            }
        }
    }
}

/// The address of a file for a page that is a file, too; none where one of them is not there.
fn relative(page: &Path, file: &Path) -> Option<String> {
    let [page, file] = [page, file].map(|path| fs::canonicalize(path).ok());
    let (page, file) = (page?, file?);
    let (folder, file): (Vec<_>, Vec<_>) = (page.parent()?.components().collect(), file.components().collect());
    let shared = folder.iter().zip(&file).take_while(|(one, other)| one == other).count();
    let up = folder[shared..].iter().map(|_| "..".to_owned());
    let down = file[shared..].iter().filter_map(|part| match part {
        Component::Normal(name) => Some(utf8_percent_encode(&name.to_string_lossy(), ENCODED).to_string()),
        _ => None,
    });
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Capsule;
    use drawing::sequence::{Change, Facts, Lane, Step, StepKind};
    use sim::time::Instant;
    use std::collections::BTreeMap;

    fn failed() -> StoryRun {
        let step = Step {
            kind: StepKind::Request,
            from: Lane::Partner,
            to: Lane::Platform,
            says: "POST <order>".to_owned(),
            outcome: None,
            ore: Some(150),
        };
        let change =
            Change { at: Instant::from_ms(0), cause: "an order".to_owned(), input: Some(1), steps: vec![step] };
        let facts = Facts {
            about: "all".to_owned(),
            id: None,
            changes: vec![change],
            left_out: 0,
            refused_left_out: 0,
            forgotten: 0,
            steps_left_out: 0,
        };
        // As it comes from a server.
        let text = serde_json::to_string(&facts).expect("JSON");
        let read: Facts = serde_json::from_str(&text).expect("a sequence");
        assert_eq!(read, facts, "{text}");
        StoryRun {
            example: None,
            failure: None,
            simulated_ms: 0,
            moments: Vec::new(),
            names: BTreeMap::new(),
            sequence: Some(Ok(read)),
            pictures: Vec::new(),
            capsule: Capsule::None,
        }
    }

    #[test]
    fn pictures_of_a_page_have_a_bound_and_those_without_room_say_so() {
        let row = failed();
        let whole = Pictures::new(None).of(&row, "a").0;
        assert!(whole.contains("POST &lt;order&gt;") && !whole.contains("POST <order>"), "{whole}");
        let drawn = |markup: &Markup| markup.0.matches("<svg").count();
        let pictures = Pictures::within(whole.len() + 100, None);
        let both = [pictures.of(&row, "a"), pictures.of(&row, "b")];
        assert_eq!(both.each_ref().map(drawn), [2, 0], "one for a desk and one for a phone");
        assert!(both[1].0.contains("pictures of this page have at most 8 MiB"), "{}", both[1].0);
    }

    #[test]
    fn a_link_leads_from_the_page_to_the_file_whatever_its_name_is() {
        let top = std::env::temp_dir().join(format!("fundsim-links-{}", std::process::id()));
        for folder in ["pages/of", "out put"] {
            fs::create_dir_all(top.join(folder)).expect("a folder");
        }
        for file in ["pages/of/a.html", "out put/100%#1?.svg", "pages/of/b.svg"] {
            fs::write(top.join(file), "").expect("a file");
        }
        let found = ["out put/100%#1?.svg", "pages/of/b.svg", "pages/of/../../pages/of/b.svg", "none.svg"]
            .map(|file| relative(&top.join("pages/of/a.html"), &top.join(file)));
        fs::remove_dir_all(&top).expect("it can go");
        let wanted = [Some("../../out%20put/100%25%231%3F.svg"), Some("b.svg"), Some("b.svg"), None];
        assert_eq!(found.each_ref().map(Option::as_deref), wanted);
    }
}
