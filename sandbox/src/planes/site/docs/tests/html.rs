//! As much of HTML as the pages' own: attributes in double quotes, five entities.

/// A text as it is in a page.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A text as people see it.
pub(super) fn plain(text: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    entities.iter().fold(text.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}

/// The values of every attribute of this name.
pub(super) fn attributes(page: &str, name: &str) -> Vec<String> {
    let start = format!(" {name}=\"");
    page.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).map(plain).collect()
}

/// The value of an attribute in one tag.
pub(super) fn attribute(tag: &str, name: &str) -> Option<String> {
    attributes(tag, name).into_iter().next()
}

/// The text between `start` and `end`.
pub(super) fn between<'p>(page: &'p str, start: &str, end: &str) -> Option<&'p str> {
    page.split_once(start)?.1.split_once(end).map(|(found, _)| found)
}

/// Where a relative link of the page at `from` leads.
pub(super) fn resolved(from: &str, to: &str) -> String {
    if to.starts_with('#') {
        return format!("{from}{to}");
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in to.split('/') {
        match part {
            "." => {}
            ".." => assert!(parts.pop().is_some() && !parts.is_empty(), "{from} links above the root: {to}"),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
