//! The reference of the guide as the program makes it: of its own tables, for the server to show.
//!
//! Absent on purpose: the tables, of which some are those of crates that serve nothing.

/// Makes all pages of the reference, once.
pub type Reference = fn() -> &'static [ReferencePage];

/// A page of the reference.
#[derive(Clone, Debug)]
pub struct ReferencePage {
    /// Its name in addresses.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What it is about, in a sentence.
    pub about: String,
    /// What it says.
    pub sections: Vec<ReferenceSection>,
}

/// A part of such a page: preformatted text below a heading.
#[derive(Clone, Debug)]
pub struct ReferenceSection {
    /// The heading; empty where the page is all about one thing.
    pub heading: String,
    /// The text.
    pub text: String,
}
