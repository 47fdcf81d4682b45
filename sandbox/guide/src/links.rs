//! Addresses of pages, and where links between documents lead.
//!
//! Invariant: links are relative, so they hold behind a proxy that cuts a path off. Absent on purpose: links to files that the book
//! does not have; their words stay.

/// The address of a document, without the first slash: `guide/rules/orders` for `rules/orders.md`, and that of a folder for its README.
pub(crate) fn address(document: &str) -> String {
    let path = document.strip_suffix(".md").unwrap_or(document);
    let path = path.strip_suffix("README").unwrap_or(path).trim_end_matches('/');
    if path.is_empty() { "guide".to_owned() } else { format!("guide/{path}") }
}

/// What leads from an address up to the root of the server.
#[must_use]
pub fn root_of(address: &str) -> String {
    match address.matches('/').count() {
        0 => "./".to_owned(),
        above => "../".repeat(above),
    }
}

/// The path that `to` names, as seen from the folder of `document`; `None` when it leaves `docs`.
fn resolved(document: &str, to: &str) -> Option<String> {
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in to.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Where a link of a document leads on the server; nowhere when the book has no such page.
pub(crate) fn target(document: &str, to: &str, is_in_book: impl Fn(&str) -> bool) -> Option<String> {
    if to.starts_with("https://") || to.starts_with("http://") || to.starts_with('#') {
        return Some(to.to_owned());
    }
    let (file, anchor) = to.split_once('#').map_or((to, None), |(file, anchor)| (file, Some(anchor)));
    let file = resolved(document, file)?;
    is_in_book(&file).then(|| {
        let anchor = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
        format!("{}{}{anchor}", root_of(&address(document)), address(&file))
    })
}

#[cfg(test)]
mod tests {
    use super::{address, root_of, target};

    #[test]
    fn a_link_between_documents_leads_from_page_to_page() {
        assert_eq!(["README.md", "rules/README.md", "a/b.md"].map(address), ["guide", "guide/rules", "guide/a/b"]);
        assert_eq!(["guide", "guide/rules", "guide/a/b"].map(root_of), ["./", "../", "../../"]);
        let target = |document, to| target(document, to, |file| ["rules/orders.md", "README.md"].contains(&file));
        assert_eq!(target("a/b.md", "../rules/orders.md#x").as_deref(), Some("../../guide/rules/orders#x"));
        assert_eq!(target("README.md", "rules/orders.md").as_deref(), Some("./guide/rules/orders"));
        assert_eq!(target("rules/README.md", "../README.md").as_deref(), Some("../guide"));
        assert_eq!(target("a/b.md", "#here").as_deref(), Some("#here"));
        for outside in ["../none.md", "../../CONTRIBUTING.md", "../../../x.md", "javascript:alert(1)"] {
            assert_eq!(target("a/b.md", outside), None, "{outside}");
        }
    }
}
