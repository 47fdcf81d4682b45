//! Texts that a partner hands in with a journey: partner data, addresses, e-mail.
//!
//! Invariant: what passes here is echoed byte for byte. Each function answers what is wrong, or nothing. Absent on
//! purpose: looking anything up; where a callback may really go is the surface's egress rule.

use crate::refusal::Fault;

/// Longest `scope` (rule: journeys/partner-scope).
pub(crate) const MAX_SCOPE: usize = 768;
/// Longest address.
const MAX_URL: usize = 2_048;
/// What is wrong with a country that there is none of.
pub(crate) const NO_COUNTRY: &str = "country codes of ISO 3166-1 are expected";
/// Schemes of addresses with `//` to which browsers and systems give a meaning of their own: they run or show what the address
/// carries, read local files, open connections that are no pages, or show a part of the browser (rule: journeys/redirect-urls).
const MEANT_OTHERWISE: &[&str] = &[
    "about",
    "acap",
    "afp",
    "android-app",
    "app",
    "blob",
    "brave",
    "callto",
    "cid",
    "data",
    "dav",
    "dict",
    "dns",
    "edge",
    "facetime",
    "feed",
    "file",
    "filesystem",
    "ftp",
    "ftps",
    "git",
    "gopher",
    "imap",
    "intent",
    "ipfs",
    "ipns",
    "irc",
    "ircs",
    "itms",
    "jar",
    "javascript",
    "ldap",
    "ldaps",
    "livescript",
    "magnet",
    "mailto",
    "mhtml",
    "mid",
    "mms",
    "mocha",
    "news",
    "nfs",
    "nntp",
    "opera",
    "pop",
    "res",
    "resource",
    "rlogin",
    "rtsp",
    "search",
    "sftp",
    "shell",
    "sip",
    "sips",
    "sms",
    "smb",
    "ssh",
    "tel",
    "telnet",
    "tn3270",
    "urn",
    "vbscript",
    "view-source",
    "vivaldi",
    "vnc",
    "webcal",
    "ws",
    "wss",
    "wyciwyg",
    "xmpp",
];

/// Beginnings of names of such schemes, of which there are many.
const FAMILIES: &[&str] = &["chrome", "itms-", "moz-", "ms-", "safari-", "search-", "web+", "x-apple", "x-webkit"];

/// Whether a page may lead to this address (rule: journeys/redirect-urls).
#[must_use]
pub fn is_redirect(address: &str) -> bool {
    redirect_url(address).is_none()
}

/// Base64 in the standard or the URL-safe alphabet, padded (RFC 4648).
pub(crate) fn scope(text: &str) -> Option<Fault> {
    if text.chars().count() > MAX_SCOPE {
        return Some(Fault::TooLong { max: MAX_SCOPE });
    }
    let body = text.trim_end_matches('=');
    let plain = body.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/'));
    let url_safe = body.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_'));
    let because = if !plain && !url_safe {
        "base64 in the standard or the URL-safe alphabet is expected"
    } else if !text.len().is_multiple_of(4) || text.len() - body.len() > 2 {
        "base64 with correct padding is expected"
    } else {
        return None;
    };
    Some(Fault::Invalid { because })
}

/// An absolute http or https address without fragment (rule: journeys/callback-url).
pub(crate) fn callback_url(text: &str, https_only: bool) -> Option<Fault> {
    let invalid = |because| Some(Fault::Invalid { because });
    let Some((scheme, rest)) = split(text) else { return absolute(text) };
    match scheme.as_str() {
        "https" => {}
        "http" if !https_only => {}
        "http" => return invalid("it must be https in production"),
        _ => return invalid("an http or https address is expected"),
    }
    if text.contains('#') {
        return invalid("it must have no fragment");
    }
    web_host(rest)
}

/// An absolute http or https address, or one of an app: a scheme of its own, `//`, and something behind it
/// (rule: journeys/redirect-urls).
pub(crate) fn redirect_url(text: &str) -> Option<Fault> {
    let invalid = |because| Some(Fault::Invalid { because });
    let Some((scheme, rest)) = split(text) else { return absolute(text) };
    if matches!(scheme.as_str(), "http" | "https") {
        return web_host(rest);
    }
    if MEANT_OTHERWISE.contains(&&*scheme) || FAMILIES.iter().any(|family| scheme.starts_with(family)) {
        return invalid("this scheme is refused because browsers give it a meaning of their own");
    }
    match rest.strip_prefix("//") {
        Some(behind) if !behind.is_empty() => None,
        _ => invalid("an http or https address is expected, or one of an app, such as myapp://done"),
    }
}

/// An e-mail address of the usual form.
pub(crate) fn email(text: &str) -> Option<Fault> {
    let invalid = Some(Fault::Invalid { because: "an e-mail address is expected" });
    if text.len() > 254 || !text.bytes().all(|c| c.is_ascii_graphic() && !b"<>()[]\\,;:\"".contains(&c)) {
        return invalid;
    }
    match text.split_once('@') {
        Some((local, domain)) if (1..=64).contains(&local.len()) && is_host(domain) && domain.contains('.') => None,
        _ => invalid,
    }
}

/// Free text that a person will read: not blank, not too long, no controls.
pub(crate) fn shown(text: &str, max: usize) -> Option<Fault> {
    if text.trim().is_empty() {
        Some(Fault::Empty)
    } else if text.chars().count() > max {
        Some(Fault::TooLong { max })
    } else if text.chars().any(char::is_control) {
        Some(Fault::Invalid { because: "it must have no control characters" })
    } else {
        None
    }
}

fn absolute(text: &str) -> Option<Fault> {
    if text.len() > MAX_URL {
        return Some(Fault::TooLong { max: MAX_URL });
    }
    Some(Fault::Invalid { because: "an absolute address in printable ASCII is expected" })
}

/// Scheme in lower case, and what follows its colon; nothing when the text is no absolute address.
fn split(text: &str) -> Option<(String, &str)> {
    let printable = |c: u8| c.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&c);
    if text.len() > MAX_URL || !text.bytes().all(printable) {
        return None;
    }
    let (scheme, rest) = text.split_once(':')?;
    let mut letters = scheme.bytes();
    let formed = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c));
    formed.then(|| (scheme.to_ascii_lowercase(), rest))
}

/// What is wrong with the part of a web address that names its host.
fn web_host(rest: &str) -> Option<Fault> {
    let authority = rest.strip_prefix("//").map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    let because = match authority {
        None | Some("") => "an address with a host is expected",
        Some(authority) if authority.contains('@') => "it must carry no user name or password",
        Some(authority) => {
            let (host, port) = match authority.rsplit_once(':') {
                Some((host, port)) if !port.contains(']') => (host, Some(port)),
                _ => (authority, None),
            };
            let port_ok = port.is_none_or(|port| {
                port.bytes().all(|c| c.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0)
            });
            let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
            let host_ok = match bracketed {
                Some(v6) => v6.parse::<std::net::Ipv6Addr>().is_ok(),
                None => is_host(host),
            };
            if port_ok && host_ok {
                return None;
            }
            "its host or port is not well formed"
        }
    };
    Some(Fault::Invalid { because })
}

fn is_host(host: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    host.len() <= 253 && host.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: journeys/partner-scope)
    #[test]
    fn a_scope_is_padded_base64_of_at_most_768_characters() {
        let (fits, long) = ("a".repeat(768), "a".repeat(769));
        let rows = [
            ("", true),
            ("YQ==", true),
            ("YWI=", true),
            ("YWJj", true),
            ("-_-_", true),
            ("+/+/", true),
            ("+/-_", false),
            ("YQ", false),
            ("YQ=", false),
            ("Y===", false),
            ("====", false),
            ("Y Q=", false),
            ("YQ=a", false),
            ("åäöå", false),
            (fits.as_str(), true),
            (long.as_str(), false),
        ];
        for (text, fine) in rows {
            assert_eq!(scope(text).is_none(), fine, "{text:.20}");
        }
    }

    /// (rule: journeys/callback-url)
    #[test]
    fn callbacks_are_web_addresses_and_https_in_production() {
        let rows = [
            ("https://partner.example/cb?x=1", true, true),
            ("http://127.0.0.1:9000/cb", true, false),
            ("http://[::1]:9000/", true, false),
            ("HTTP://LOCALHOST/cb", true, false),
            ("https://partner.example/cb#part", false, false),
            ("https://", false, false),
            ("https:///path", false, false),
            ("https://user:pw@host/", false, false),
            ("https://host:0/", false, false),
            ("https://host:99999/", false, false),
            ("https://-host/", false, false),
            ("ftp://host/", false, false),
            ("/relative", false, false),
            ("", false, false),
            ("https://ho st/", false, false),
            ("https://host/å", false, false),
            ("javascript:alert(1)", false, false),
        ];
        for (text, sandbox, production) in rows {
            assert_eq!(callback_url(text, false).is_none(), sandbox, "{text} in the sandbox");
            assert_eq!(callback_url(text, true).is_none(), production, "{text} in production");
        }
    }

    /// (rule: journeys/redirect-urls)
    #[test]
    fn redirects_lead_to_the_web_or_to_an_app_and_nowhere_else() {
        let rows = [
            ("https://partner.example/done#part", true),
            ("HTTP://127.0.0.1:1/x", true),
            ("myapp://done", true),
            ("my-app+x.1://done?x=1", true),
            ("com.partner.app://x", true),
            ("aboutus://blank", true),
            ("my-app+x.1:done", false),
            ("com.partner.app:/x", false),
            ("myapp:", false),
            ("myapp://", false),
            ("mailto:me@example.com", false),
            ("tel:+4680000000", false),
            ("javascript:alert(1)", false),
            ("javascript://%0aalert(1)", false),
            ("JaVaScRiPt://x/%0aalert(1)", false),
            (" javascript:alert(1)", false),
            ("java\nscript:alert(1)", false),
            ("data:text/html,x", false),
            ("data://text/html,x", false),
            ("vbscript:x", false),
            ("file:///etc/passwd", false),
            ("blob:https://partner.example/1", false),
            ("filesystem:https://partner.example/temporary/x", false),
            ("about:blank", false),
            ("about://blank", false),
            ("View-Source:https://partner.example/", false),
            ("ws://partner.example/", false),
            ("WSS://partner.example/", false),
            ("ftp://partner.example/x", false),
            ("intent://x#Intent;scheme=https;end", false),
            ("chrome-extension://x/y", false),
            ("ms-msdt://x", false),
            ("search-ms://query=x", false),
            ("smb://host/share", false),
            ("https://", false),
            ("https:/x", false),
            ("1app://x", false),
            ("//host/path", false),
            ("done", false),
        ];
        for (text, fine) in rows {
            assert_eq!(redirect_url(text).is_none(), fine, "{text}");
        }
    }

    #[test]
    fn an_email_has_one_local_part_and_a_domain() {
        let rows = [
            ("anna@example.com", true),
            ("a.b+c@sub.example.se", true),
            ("anna@example", false),
            ("anna", false),
            ("@example.com", false),
            ("anna@@example.com", false),
            ("anna@exa mple.com", false),
            ("<anna@example.com>", false),
            ("anna@.com", false),
        ];
        for (text, fine) in rows {
            assert_eq!(email(text).is_none(), fine, "{text}");
        }
    }
}
