//! Where a link leads, seen from the page that it is on (RFC 3986, 5.2, as far as pages of a sandbox use it).

/// The end of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A path of the sandbox, with its query.
    Here(String),
    /// An address elsewhere, or of an app.
    Elsewhere(String),
}

/// Where `link` leads from the page at `path`.
pub fn resolve(path: &str, link: &str) -> Target {
    if has_scheme(link) || link.starts_with("//") {
        return Target::Elsewhere(link.to_owned());
    }
    let link = link.split('#').next().unwrap_or_default();
    let (base, _) = path.split_once('?').unwrap_or((path, ""));
    if link.starts_with('/') {
        return Target::Here(link.to_owned());
    }
    if link.is_empty() || link.starts_with('?') {
        return Target::Here(format!("{base}{link}"));
    }
    let (link, query) = link.split_once('?').map_or((link, None), |(link, query)| (link, Some(query)));
    let mut parts: Vec<&str> = base.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." => {}
            // The first part is what is before the root's slash.
            ".." if parts.len() > 1 => drop(parts.pop()),
            ".." => {}
            part => parts.push(part),
        }
    }
    let mut found = parts.join("/");
    if let Some(query) = query {
        found = format!("{found}?{query}");
    }
    Target::Here(found)
}

/// Whether a link begins with a scheme and its colon.
fn has_scheme(link: &str) -> bool {
    let Some((scheme, _)) = link.split_once(':') else { return false };
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_seen_from_their_page() {
        let here = "/journey/token/kyc?lang=en";
        let rows = [
            ("end?lang=sv", "/journey/token/end?lang=sv"),
            ("../token?lang=en", "/journey/token?lang=en"),
            ("?lang=sv", "/journey/token/kyc?lang=sv"),
            ("", "/journey/token/kyc"),
            ("/ping", "/ping"),
            ("#content", "/journey/token/kyc"),
            ("../../../x", "/x"),
            ("leave?lang=en&from=kyc", "/journey/token/leave?lang=en&from=kyc"),
        ];
        for (link, path) in rows {
            assert_eq!(resolve(here, link), Target::Here(path.to_owned()), "{link}");
        }
        for link in ["https://partner.example/done", "partner-app://done", "//partner.example"] {
            assert_eq!(resolve(here, link), Target::Elsewhere(link.to_owned()));
        }
        assert_eq!(resolve("/journey/token", "token/end"), Target::Here("/journey/token/end".to_owned()));
    }
}
