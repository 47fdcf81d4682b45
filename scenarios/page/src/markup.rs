//! From HTML to a tree.
//!
//! The tokens are a library's, by the HTML standard; the tree is ours and strict: an end tag must close what is open.
//! Browsers forgive what this does not, so a page whose tags are not well nested is a fault worth telling.
//! Absent on purpose: scripts, styles, and repairs.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

/// Elements that have no contents.
#[rustfmt::skip]
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
];

/// Elements deeper than this are no page of ours.
const DEEPEST: usize = 200;

/// What an element holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Element(Element),
    Text(String),
}

/// An element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Node>,
}

impl Element {
    /// An attribute; an empty text where it has no value.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn has(&self, attribute: &str) -> bool {
        self.attribute(attribute).is_some()
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    pub(crate) fn has_class(&self, class: &str) -> bool {
        self.attribute("class").is_some_and(|classes| classes.split_whitespace().any(|known| known == class))
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|child| match child {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// Itself and everything below it, in the order of the page.
    pub(crate) fn all(&self) -> Vec<&Element> {
        let mut found = vec![self];
        for child in self.elements() {
            found.extend(child.all());
        }
        found
    }

    /// The first element, itself included, for which `wanted` holds.
    pub(crate) fn find(&self, wanted: impl Fn(&Element) -> bool + Copy) -> Option<&Element> {
        self.all().into_iter().find(|element| wanted(element))
    }

    /// Its text with white space as a person sees it.
    pub(crate) fn text(&self) -> String {
        self.text_without(|_| false)
    }

    /// Its text without that of elements for which `left_out` holds.
    pub(crate) fn text_without(&self, left_out: impl Fn(&Element) -> bool + Copy) -> String {
        let mut text = String::new();
        self.gather(&mut text, left_out);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn gather(&self, text: &mut String, left_out: impl Fn(&Element) -> bool + Copy) {
        for child in &self.children {
            match child {
                Node::Text(more) => text.push_str(more),
                Node::Element(element) if left_out(element) => {}
                Node::Element(element) => {
                    if !is_inline(&element.name) {
                        text.push(' ');
                    }
                    element.gather(text, left_out);
                    if !is_inline(&element.name) {
                        text.push(' ');
                    }
                }
            }
        }
    }
}

/// Whether the words of an element continue the line around it.
pub(crate) fn is_inline(name: &str) -> bool {
    matches!(name, "a" | "b" | "em" | "i" | "strong" | "sup" | "sub")
}

/// The tree of a page; its root is the `html` element.
///
/// # Errors
/// In words, when the tags are not well nested or there is no `html` element.
pub(crate) fn read(html: &str) -> Result<Element, String> {
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    let mut open = vec![Element::default()];
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let attributes = tag.attributes.iter().map(|(name, value)| (text(name), text(&value.value))).collect();
                let element = Element { name: text(&tag.name), attributes, children: Vec::new() };
                if VOID.contains(&element.name.as_str()) || tag.self_closing {
                    add(&mut open, Node::Element(element));
                } else if open.len() > DEEPEST {
                    return Err(format!("its elements are more than {DEEPEST} deep"));
                } else {
                    open.push(element);
                }
            }
            Token::EndTag(tag) => close(&mut open, &String::from_utf8_lossy(&tag.name))?,
            Token::String(text) => {
                add(&mut open, Node::Text(String::from_utf8_lossy(&text.value).into_owned()));
            }
            Token::Comment(_) | Token::Doctype(_) => {}
            Token::Error(error) => return Err(format!("it is not well-formed: {}", error.value.as_str())),
        }
    }
    match open.as_slice() {
        [root] => {
            let found = root.elements().find(|element| element.is("html")).cloned();
            found.ok_or_else(|| "it has no `html` element".to_owned())
        }
        [.., last] => Err(format!("`<{}>` is not closed", last.name)),
        [] => Err("nothing is open".to_owned()),
    }
}

fn add(open: &mut [Element], node: Node) {
    if let Some(parent) = open.last_mut() {
        parent.children.push(node);
    }
}

fn close(open: &mut Vec<Element>, name: &str) -> Result<(), String> {
    match open.pop() {
        Some(element) if element.name == name && !open.is_empty() => {
            add(open, Node::Element(element));
            Ok(())
        }
        Some(element) if !element.name.is_empty() => Err(format!("`</{name}>` closes `<{}>`", element.name)),
        _ => Err(format!("`</{name}>` closes nothing")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_becomes_a_tree_with_its_texts_as_a_person_sees_them() {
        let page = "<!DOCTYPE html><html lang=en><head><title>A &amp; B</title></head>\
                    <body><p class='x y'>one<br>two <b>th</b>ree</p><input name=q value=\"&lt;\" checked></body></html>";
        let root = read(page).expect("a page");
        assert_eq!(root.attribute("lang"), Some("en"));
        assert_eq!(root.find(|it| it.is("title")).map(Element::text), Some("A & B".to_owned()));
        let paragraph = root.find(|it| it.has_class("y")).expect("a paragraph");
        assert_eq!(paragraph.text(), "one two three");
        let input = root.find(|it| it.is("input")).expect("an input");
        assert_eq!((input.attribute("value"), input.has("checked"), input.has("name")), (Some("<"), true, true));
    }

    #[test]
    fn tags_that_are_not_well_nested_are_reported() {
        let rows = [
            ("<html><p></html>", "`</html>` closes `<p>`"),
            ("<html>", "`<html>` is not closed"),
            ("</p>", "`</p>` closes nothing"),
            ("<p></p>", "it has no `html` element"),
        ];
        for (page, fault) in rows {
            assert_eq!(read(page).err().as_deref(), Some(fault), "{page}");
        }
    }
}
