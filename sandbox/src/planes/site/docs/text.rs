//! Texts of the document and of the rules: Markdown as HTML, with a link for each rule that is named.
//!
//! Invariant: HTML in a text is shown as it is written and never becomes part of the page. Absent on purpose: links to
//! files that the server does not serve; their words stay.

use super::chapters;
use super::place::PathToRoot;
use maud::{Markup, PreEscaped};
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

/// How a text names rules.
const CITATION: &str = "(rule: ";

/// A text of the document, as paragraphs.
pub(super) fn paragraphs(text: &str, place: PathToRoot) -> Markup {
    let text = with_links(text, place);
    html(Parser::new(&text).map(harmless))
}

/// A text of the document within a line: its paragraphs run together.
pub(super) fn line(text: &str, place: PathToRoot) -> Markup {
    let text = with_links(text, place);
    let words = Parser::new(&text).filter(|event| !matches!(event, Event::Start(Tag::Paragraph)));
    let words = words.map(|event| if event == Event::End(TagEnd::Paragraph) { Event::SoftBreak } else { event });
    let PreEscaped(text) = html(words.map(harmless));
    PreEscaped(text.trim_end().to_owned())
}

/// A chapter of the rules. Its rules become the second level of headings, each with its name as anchor.
pub(super) fn chapter(text: &str, place: PathToRoot) -> Markup {
    let text = with_links(text, place);
    // Where a chapter has sections, its rules are below them.
    let level = if text.contains("\n## ") { HeadingLevel::H3 } else { HeadingLevel::H2 };
    let mut leads = Vec::new();
    let mut events = Vec::new();
    let mut parser = Parser::new_ext(&text, Options::ENABLE_TABLES).peekable();
    while let Some(event) = parser.next() {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H3, .. }) => {
                let name = match parser.peek() {
                    Some(Event::Text(name)) => name.to_string(),
                    _ => String::new(),
                };
                events.extend([heading(level, &name), link(format!("#{name}"))]);
            }
            Event::End(TagEnd::Heading(HeadingLevel::H3)) => {
                events.extend([Event::End(TagEnd::Link), Event::End(TagEnd::Heading(level))]);
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let to = target(&dest_url, place);
                leads.push(to.is_some());
                events.extend(to.map(|to| Event::Start(Tag::Link { link_type, dest_url: to.into(), title, id })));
            }
            Event::End(TagEnd::Link) => {
                events.extend(leads.pop().unwrap_or_default().then_some(Event::End(TagEnd::Link)));
            }
            event => events.push(harmless(event)),
        }
    }
    html(events.into_iter())
}

fn heading<'t>(level: HeadingLevel, id: &str) -> Event<'t> {
    let id = Some(CowStr::from(id.to_owned()));
    Event::Start(Tag::Heading { level, id, classes: Vec::new(), attrs: Vec::new() })
}

fn link<'t>(to: String) -> Event<'t> {
    let (title, id) = (CowStr::Borrowed(""), CowStr::Borrowed(""));
    Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url: to.into(), title, id })
}

/// Where a link in a chapter leads; nowhere when the server does not serve it.
fn target(to: &str, place: PathToRoot) -> Option<String> {
    if to.starts_with("https://") || to.starts_with('#') || to.starts_with(place.root()) {
        return Some(to.to_owned());
    }
    let (file, anchor) = to.split_once('#').map_or((to, ""), |(file, anchor)| (file, anchor));
    let topic = file.strip_suffix(".md").filter(|topic| chapters::is_topic(topic))?;
    Some(if anchor.is_empty() { place.topic(topic) } else { place.rule(topic, anchor) })
}

fn harmless(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        event => event,
    }
}

fn html<'t>(events: impl Iterator<Item = Event<'t>>) -> Markup {
    let mut text = String::new();
    pulldown_cmark::html::push_html(&mut text, events);
    PreEscaped(text)
}

/// `text` with each rule in a citation as a link, where there is such a rule.
fn with_links(text: &str, place: PathToRoot) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, cited)) = rest.split_once(CITATION) {
        let Some((names, after)) = cited.split_once(')') else { break };
        out.push_str(before);
        if before.ends_with('`') {
            // An example of a citation, as it is written.
            out.push_str(&rest[before.len()..rest.len() - after.len()]);
            rest = after;
            continue;
        }
        let links = names.split(',').map(|name| linked(name.trim(), place)).collect::<Vec<_>>();
        out.extend([CITATION, &links.join(", "), ")"]);
        rest = after;
    }
    out.push_str(rest);
    out
}

fn linked(name: &str, place: PathToRoot) -> String {
    let known = name.split_once('/').filter(|(topic, rule)| chapters::is_rule(topic, rule));
    known.map_or_else(|| name.to_owned(), |(topic, rule)| format!("[{name}]({})", place.rule(topic, rule)))
}
