//! Tags: the tree of headings, tables and paragraphs, in the order in which they are read.
//!
//! Owns: the elements, and which marked text on which page belongs to which. Invariant: every mark belongs to one element, and
//! elements are in the order of opening. Absent on purpose: what is drawn.

use pdf_writer::types::{StructRole, TableHeaderScope};
use pdf_writer::{Finish as _, Pdf, Ref};

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Heading,
    Subheading,
    Paragraph,
    Table,
    Row,
    Label,
    Value,
    Section,
}

impl Role {
    const fn name(self) -> StructRole {
        match self {
            Self::Heading => StructRole::H1,
            Self::Subheading => StructRole::H2,
            Self::Paragraph => StructRole::P,
            Self::Table => StructRole::Table,
            Self::Row => StructRole::TR,
            Self::Label => StructRole::TH,
            Self::Value => StructRole::TD,
            Self::Section => StructRole::Sect,
        }
    }
}

/// The content of an element.
#[derive(Clone, Copy, Debug)]
enum Kid {
    Element(usize),
    /// A marked text, by the place of its page and its number there.
    Mark(usize, i32),
}

#[derive(Debug)]
struct Element {
    role: Role,
    /// The element around it; none directly in the document.
    parent: Option<usize>,
    kids: Vec<Kid>,
}

/// The tree as it grows.
#[derive(Debug, Default)]
pub(super) struct Tags {
    elements: Vec<Element>,
    top: Vec<usize>,
    open: Vec<usize>,
    /// For each page, the element of each mark.
    marks: Vec<Vec<usize>>,
}

impl Tags {
    /// Opens an element in the one that is open.
    pub(super) fn open(&mut self, role: Role) {
        let (at, parent) = (self.elements.len(), self.open.last().copied());
        self.elements.push(Element { role, parent, kids: Vec::new() });
        match parent {
            Some(parent) => self.elements[parent].kids.push(Kid::Element(at)),
            None => self.top.push(at),
        }
        self.open.push(at);
    }

    pub(super) fn close(&mut self) {
        self.open.pop().expect("an element is open");
    }

    /// The number of the next text on a page, for the element that is open; none where none is.
    pub(super) fn mark(&mut self, page: usize) -> Option<i32> {
        let element = *self.open.last()?;
        self.marks.resize_with(self.marks.len().max(page + 1), Vec::new);
        let number = count(self.marks[page].len());
        self.marks[page].push(element);
        self.elements[element].kids.push(Kid::Mark(page, number));
        Some(number)
    }

    /// Writes the tree below `root`: one element for the document, all others in it. `next` gives names of objects.
    pub(super) fn write(self, pdf: &mut Pdf, root: Ref, document: Ref, pages: &[Ref], mut next: impl FnMut() -> Ref) {
        assert!(self.open.is_empty(), "every element is closed");
        let names: Vec<Ref> = self.elements.iter().map(|_| next()).collect();
        let mut whole = pdf.struct_element(document);
        whole.kind(StructRole::Document).parent(root);
        let mut children = whole.children();
        for at in self.top {
            children.struct_element(names[at]);
        }
        children.finish();
        whole.finish();
        for (element, name) in self.elements.iter().zip(&names) {
            let mut written = pdf.struct_element(*name);
            written.kind(element.role.name()).parent(element.parent.map_or(document, |at| names[at]));
            if element.role == Role::Label {
                written.attributes().push().table().scope(TableHeaderScope::Row);
            }
            let mut children = written.children();
            for kid in &element.kids {
                match *kid {
                    Kid::Element(at) => _ = children.struct_element(names[at]),
                    Kid::Mark(page, number) => {
                        children.marked_content_ref().page(pages[page]).marked_content_id(number);
                    }
                }
            }
        }
        let lists: Vec<Ref> = self.marks.iter().map(|_| next()).collect();
        for (marks, list) in self.marks.iter().zip(&lists) {
            pdf.indirect(*list).array().items(marks.iter().map(|element| names[*element]));
        }
        let mut tree = pdf.indirect(root).start::<pdf_writer::writers::StructTreeRoot<'_>>();
        tree.child(document).parent_tree_next_key(count(lists.len()));
        let mut parents = tree.parent_tree();
        let mut numbers = parents.nums();
        for (list, page) in lists.iter().zip(0..) {
            numbers.insert(page, *list);
        }
    }
}

fn count(number: usize) -> i32 {
    i32::try_from(number).expect("a document of few parts")
}
