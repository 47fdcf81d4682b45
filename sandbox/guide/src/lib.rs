//! The documents of this project as a book: its contents, its pages, and a search over its headings.
//!
//! Invariant: `docs/SUMMARY.md` alone says which documents are in the book, and in which order; each page is made once. Never knows
//! routes, and the frame of a page.
//!
//! | file | owns |
//! |---|---|
//! | `build.rs` beside `src` | which documents the program carries |
//! | `summary.rs` | `docs/SUMMARY.md` as parts and entries |
//! | `links.rs` | addresses of pages, and where links between documents lead |
//! | `markdown.rs` | Markdown as HTML, with an anchor for each heading |
//! | `book.rs` | the pages, in order, and what is found in them |
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! links, markdown, summary
//! book
//! ```

mod book;
mod links;
mod markdown;
mod summary;

pub use book::{Book, Hit, Page, PartContents, book};
pub use links::root_of;
pub use markdown::{Heading, slug};

/// Every document of the book: its path below `docs`, and its text.
pub static SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));
/// The contents of the book, as they are written.
pub static SUMMARY: &str = include_str!("../../../docs/SUMMARY.md");
