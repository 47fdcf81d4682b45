//! `docs/SUMMARY.md`, which mdBook reads, too: a heading for each part, and a line for each page.
//!
//! Absent on purpose: pages below pages.

/// A part of the book.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its heading; empty for what comes before the first one.
    pub(crate) title: &'static str,
    /// Its pages: the title in the contents, and the document below `docs`.
    pub(crate) entries: Vec<(&'static str, &'static str)>,
}

/// The parts of a summary, in order.
pub(crate) fn parts(summary: &'static str) -> Vec<Part> {
    let mut parts = vec![Part { title: "", entries: Vec::new() }];
    // The first heading is that of the summary itself.
    for line in summary.lines().skip(1) {
        if let Some(title) = line.strip_prefix("# ") {
            parts.push(Part { title: title.trim(), entries: Vec::new() });
        } else if let Some(entry) = entry(line) {
            parts.last_mut().expect("the first part is there").entries.push(entry);
        }
    }
    parts.retain(|part| !part.entries.is_empty());
    parts
}

/// The title and the document of a line that names a page.
fn entry(line: &'static str) -> Option<(&'static str, &'static str)> {
    let (title, rest) = line.trim_start_matches("- ").strip_prefix('[')?.split_once("](")?;
    Some((title, rest.split_once(')')?.0))
}

#[cfg(test)]
mod tests {
    use super::{Part, parts};

    #[test]
    fn a_summary_has_parts_with_pages_in_order() {
        let found = parts("# Summary\n\n[Start](README.md)\n\n# One\n\n- [A](a.md)\n- [B](b/c.md)\n\n# Empty\n");
        let first = Part { title: "", entries: vec![("Start", "README.md")] };
        assert_eq!(found, [first, Part { title: "One", entries: vec![("A", "a.md"), ("B", "b/c.md")] }]);
    }
}
