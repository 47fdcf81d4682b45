//! The book: its parts with their pages, what comes before and after each, and which headings have some words.
//!
//! Absent on purpose: pages that the program makes of its own tables, which are no documents.

use crate::links::{address, target};
use crate::markdown::{self, Heading};
use crate::{SOURCES, SUMMARY, summary};
use std::sync::LazyLock;

/// A page of the book.
#[derive(Debug)]
pub struct Page {
    /// Its address, without the first slash: `guide/rules/orders`.
    pub address: String,
    /// Its title in the contents.
    pub title: &'static str,
    /// The document below `docs` that it shows.
    pub document: &'static str,
    /// What it says.
    pub html: String,
    /// Its headings, in order.
    pub headings: Vec<Heading>,
}

/// A part of the contents.
#[derive(Debug)]
pub struct PartContents {
    /// Its heading; empty for what comes before the first one.
    pub title: &'static str,
    /// Where its pages are in the book.
    pub pages: std::ops::Range<usize>,
}

/// All pages.
#[derive(Debug)]
pub struct Book {
    /// The parts, in order.
    pub parts: Vec<PartContents>,
    /// The pages, in order.
    pub pages: Vec<Page>,
}

/// A heading that has the words of a search.
#[derive(Debug)]
pub struct Hit<'b> {
    /// Its page.
    pub page: &'b Page,
    /// The heading.
    pub heading: &'b Heading,
}

/// The book, whose pages are made when it is first asked for.
pub fn book() -> &'static Book {
    static BOOK: LazyLock<Book> = LazyLock::new(|| {
        let (mut parts, mut pages) = (Vec::new(), Vec::new());
        for part in summary::parts(SUMMARY) {
            let first = pages.len();
            pages.extend(part.entries.into_iter().filter_map(|(title, document)| page(title, document)));
            parts.push(PartContents { title: part.title, pages: first..pages.len() });
        }
        Book { parts, pages }
    });
    &BOOK
}

fn text_of(document: &str) -> Option<&'static str> {
    SOURCES.iter().find(|(name, _)| *name == document).map(|(_, text)| *text)
}

fn page(title: &'static str, document: &'static str) -> Option<Page> {
    let to = |link: &str| target(document, link, |file| text_of(file).is_some());
    let (html, headings) = markdown::page(text_of(document)?, to);
    Some(Page { address: address(document), title, document, html, headings })
}

/// Whether `text` has each of the words, whatever their case.
pub(crate) fn has_words(text: &str, words: &[String]) -> bool {
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

impl Book {
    /// The place of the page at an address.
    #[must_use]
    pub fn at(&self, address: &str) -> Option<usize> {
        self.pages.iter().position(|page| page.address == address)
    }

    /// The first `most` headings that have each word of `text`; none when it has no word. The title of a page counts for all its headings.
    #[must_use]
    pub fn search(&self, text: &str, most: usize) -> Vec<Hit<'_>> {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        if words.is_empty() {
            return Vec::new();
        }
        let all = self.pages.iter().flat_map(|page| page.headings.iter().map(move |heading| Hit { page, heading }));
        let has = |hit: &Hit<'_>| {
            let whole = if hit.heading.level == 1 { hit.page.title } else { "" };
            has_words(&format!("{} {whole}", hit.heading.text), &words)
        };
        all.filter(has).take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::book;
    use crate::{SOURCES, links::root_of};
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    /// Each document below a folder, by its path there.
    fn documents(folder: &Path, below: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path: PathBuf = entry.expect("an entry").path();
            if path.is_dir() {
                documents(&path, below, found);
            } else if path.extension().is_some_and(|end| end == "md") {
                found.insert(path.strip_prefix(below).expect("below it").display().to_string());
            }
        }
    }

    #[test]
    fn each_document_is_one_line_of_the_summary() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let mut found = BTreeSet::new();
        documents(&docs, &docs, &mut found);
        found.remove("SUMMARY.md");
        for document in &found {
            let times = SOURCES.iter().filter(|(name, _)| name == document).count();
            assert_eq!(
                times, 1,
                "docs/{document} has {times} lines in docs/SUMMARY.md: write one, `- [Its title]({document})`, below the part that it \
                 belongs to; nothing else is needed"
            );
        }
        assert_eq!(book().pages.len(), found.len());
    }

    #[test]
    fn each_page_begins_with_its_title_and_each_link_leads_to_a_page_and_an_anchor() {
        let book = book();
        let mut links = 0;
        for page in &book.pages {
            assert_eq!(page.headings.iter().filter(|heading| heading.level == 1).count(), 1, "{}", page.document);
            let root = root_of(&page.address);
            for to in page.html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let (path, anchor) = to.split_once('#').unwrap_or((to, ""));
                if path.starts_with("http") {
                    continue;
                }
                let address = if path.is_empty() { &*page.address } else { path.strip_prefix(&*root).expect("a root") };
                let at = book.at(address).unwrap_or_else(|| panic!("{} links to {to}", page.document));
                let found = anchor.is_empty() || book.pages[at].headings.iter().any(|heading| heading.id == anchor);
                assert!(found, "{} links to {to}, and there is no such heading", page.document);
                links += 1;
            }
        }
        assert!(links > 300, "{links} links were read");
    }

    #[test]
    fn a_search_finds_headings_by_words_in_any_case_and_has_a_bound() {
        let found = book().search("CANCEL-window", 9);
        assert!(found.iter().any(|hit| hit.page.document == "rules/orders.md"), "{found:?}");
        assert_eq!(book().search("e", 7).len(), 7);
        assert!(book().search("  ", 9).is_empty() && book().search("no-heading-has-this", 9).is_empty());
    }
}
