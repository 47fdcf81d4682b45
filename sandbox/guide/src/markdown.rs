//! A document as HTML, with an anchor for each heading, as GitHub names it.
//!
//! Invariant: HTML in a document is shown as it is written and never becomes part of the page, and a page asks for nothing: of a picture
//! it has the description. Absent on purpose: where a link leads, which `links` says.

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;

/// A heading of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// From 1 to 6.
    pub level: u8,
    /// Its anchor.
    pub id: String,
    /// Its words.
    pub text: String,
}

/// The anchor that GitHub gives a heading: small letters, figures, `-` and `_`, with `-` for each space.
#[must_use]
pub fn slug(text: &str) -> String {
    let kept = text.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The HTML of `text`, and its headings. `target` says where a link leads; nowhere leaves its words.
pub(crate) fn page(text: &str, target: impl Fn(&str) -> Option<String>) -> (String, Vec<Heading>) {
    let mut events: Vec<Event<'_>> =
        Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES).collect();
    leave_out_no_level(&mut events);
    let headings = headings(&events);
    let (mut next, mut leads, mut out) = (headings.iter(), Vec::new(), Vec::new());
    for event in events.drain(..) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let id = next.next().map(|heading| heading.id.clone()).unwrap_or_default();
                let (classes, attrs) = (Vec::new(), Vec::new());
                out.push(Event::Start(Tag::Heading { level, id: Some(id.clone().into()), classes, attrs }));
                if level != HeadingLevel::H1 {
                    out.push(link(format!("#{id}")));
                }
            }
            Event::End(TagEnd::Heading(level)) => {
                if level != HeadingLevel::H1 {
                    out.push(Event::End(TagEnd::Link));
                }
                out.push(Event::End(TagEnd::Heading(level)));
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let to = target(&dest_url);
                leads.push(to.is_some());
                out.extend(to.map(link));
            }
            Event::End(TagEnd::Link) => {
                out.extend(leads.pop().unwrap_or_default().then_some(Event::End(TagEnd::Link)));
            }
            // The words of a picture stay.
            Event::Start(Tag::Image { .. }) => out.push(Event::Text("Picture: ".into())),
            Event::End(TagEnd::Image) => {}
            Event::Html(html) | Event::InlineHtml(html) => out.push(described(html)),
            // What is wider than the page scrolls, also by keys.
            Event::Start(Tag::CodeBlock(_)) => out.push(own("<pre tabindex=\"0\"><code>")),
            Event::End(TagEnd::CodeBlock) => out.push(own("</code></pre>\n")),
            Event::Start(Tag::Table(columns)) => {
                out.push(own("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">"));
                out.push(Event::Start(Tag::Table(columns)));
            }
            Event::End(TagEnd::Table) => out.extend([Event::End(TagEnd::Table), own("</div>\n")]),
            event => out.push(event),
        }
    }
    let mut html = String::with_capacity(text.len() * 3 / 2);
    pulldown_cmark::html::push_html(&mut html, out.into_iter());
    (html, headings)
}

/// HTML of ours.
fn own(html: &'static str) -> Event<'static> {
    Event::Html(html.into())
}

/// HTML of a document as text; a picture by its description.
fn described(html: CowStr<'_>) -> Event<'_> {
    let alt = html.trim_start().starts_with("<img ").then(|| html.split_once("alt=\"")?.1.split_once('"')).flatten();
    alt.map_or(Event::Text(html.clone()), |(alt, _)| Event::Text(format!("Picture: {alt}. ").into()))
}

fn link<'t>(to: String) -> Event<'t> {
    let (title, id) = (CowStr::Borrowed(""), CowStr::Borrowed(""));
    Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url: to.into(), title, id })
}

/// Gives each heading the level that is one below the heading above it, where a document leaves a level out: readers of screens count levels.
fn leave_out_no_level(events: &mut [Event<'_>]) {
    let mut above: Vec<HeadingLevel> = Vec::new();
    for event in events {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                while above.last().is_some_and(|last| last >= level) {
                    above.pop();
                }
                above.push(*level);
                *level = HeadingLevel::try_from(above.len()).unwrap_or(*level);
            }
            Event::End(TagEnd::Heading(level)) => *level = HeadingLevel::try_from(above.len()).unwrap_or(*level),
            _ => {}
        }
    }
}

/// The headings among `events`; of equal ones each but the first has a number.
fn headings(events: &[Event<'_>]) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut open: Option<Heading> = None;
    for event in events {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                open = Some(Heading { level: *level as u8, id: String::new(), text: String::new() });
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut open {
                    heading.text.push_str(text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let Some(mut heading) = open.take() else { continue };
                heading.id = slug(&heading.text);
                let times = seen.entry(heading.id.clone()).or_default();
                if *times > 0 {
                    heading.id = format!("{}-{times}", heading.id);
                }
                *times += 1;
                found.push(heading);
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{page, slug};

    #[test]
    fn html_of_a_document_is_shown_and_does_nothing() {
        let text = "# <b>A</b>\n\n<script>alert(1)</script>\n\nx <i onclick=\"a()\">y</i> [z](javascript:alert(2)) `<u>`\n\n```\n</code><s>\n```\n";
        let (html, _) = page(text, |_| None);
        for harmful in ["<script", "<i ", "<b>", "<u>", "<s>", "javascript:"] {
            assert!(!html.contains(harmful), "{harmful}: {html}");
        }
        assert!(html.contains("&lt;script&gt;") && html.contains("&lt;/code&gt;&lt;s&gt;"), "{html}");
    }

    #[test]
    fn no_level_of_headings_is_left_out() {
        let (html, headings) = page("# One\n\n### Two\n\n### Three\n\n#### Four\n\n## Five\n\n### Six\n", |_| None);
        assert_eq!(headings.iter().map(|heading| heading.level).collect::<Vec<_>>(), [1, 2, 2, 3, 2, 3]);
        assert!(html.contains("<h2 id=\"two\">") && html.contains("</h2>") && !html.contains("<h4"), "{html}");
    }

    #[test]
    fn a_heading_has_the_anchor_that_github_gives_it() {
        assert_eq!(slug("What `--app` says, and when"), "what---app-says-and-when");
        let (html, headings) = page("# One\n\n## Two words\n\n## Two words\n", |_| None);
        assert_eq!(
            headings.iter().map(|heading| &*heading.id).collect::<Vec<_>>(),
            ["one", "two-words", "two-words-1"]
        );
        assert!(html.contains("<h2 id=\"two-words-1\"><a href=\"#two-words-1\">Two words</a></h2>"), "{html}");
    }

    #[test]
    fn a_picture_is_shown_by_its_description() {
        let (html, _) = page("<img src=\"a.png\" width=\"9\" alt=\"A report\">\n\n![A curve](b.svg)\n", |_| None);
        assert!(html.contains("Picture: A report.") && html.contains("Picture: A curve"), "{html}");
        assert!(!html.contains("<img"), "{html}");
    }
}
