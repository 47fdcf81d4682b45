//! From where a server can be reached: from this machine alone, or by others too.
//!
//! Owns: the one answer to that question. Egress, the landing page, the start of `serve` and the check of each request all
//! ask it here (rule: auth/reachable-by-others). Invariant: a server that others can reach stays one until it ends.
//! Absent on purpose: what follows from the answer.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::header::{FORWARDED, VIA};
use axum::http::{HeaderMap, Uri};

/// Whether others than this machine can reach a server. Clones share the answer.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    by_others: Arc<AtomicBool>,
}

impl Reach {
    /// The reach of a server that listens on `addresses`, takes requests for `names`, and begins its links with `public_url`.
    #[must_use]
    pub fn of<'n>(
        addresses: impl IntoIterator<Item = IpAddr>,
        names: impl IntoIterator<Item = &'n str>,
        public_url: Option<&str>,
    ) -> Self {
        let public_host = public_url.and_then(|url| url.parse::<Uri>().ok()?.host().map(str::to_owned));
        let reach = Self::default();
        if addresses.into_iter().any(|address| !address.to_canonical().is_loopback())
            || names.into_iter().any(|name| !is_loopback_host(name))
            || public_host.is_some_and(|host| !is_loopback_host(&host))
        {
            reach.found();
        }
        reach
    }

    /// Whether others can reach the server.
    #[must_use]
    pub fn is_by_others(&self) -> bool {
        self.by_others.load(Ordering::Acquire)
    }

    /// Notes that others can reach the server. Answers whether that is new.
    pub fn found(&self) -> bool {
        !self.by_others.swap(true, Ordering::AcqRel)
    }
}

/// The header that shows that a proxy passed a request on.
#[must_use]
pub fn proxy_header(headers: &HeaderMap) -> Option<&str> {
    let of_proxy = |name: &str| {
        name == FORWARDED.as_str() || name == VIA.as_str() || name == "x-forwarded" || name.starts_with("x-forwarded-")
    };
    headers.keys().map(axum::http::HeaderName::as_str).find(|name| of_proxy(name))
}

/// Whether `host` names this machine on every machine.
fn is_loopback_host(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&host);
    match bare.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => bare == "localhost" || bare.ends_with(".localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: auth/reachable-by-others)
    #[test]
    fn an_address_a_name_or_a_public_url_beyond_loopback_each_make_a_server_reachable() {
        let rows: &[(&str, &[&str], Option<&str>, bool)] = &[
            ("127.0.0.1", &[], None, false),
            (
                "::ffff:127.0.0.1",
                &["localhost", "[::1]", "*.localhost", "LOCALHOST."],
                Some("http://127.0.0.1:80"),
                false,
            ),
            ("::1", &[], Some("http://[::1]:8080/base"), false),
            ("0.0.0.0", &[], None, true),
            ("192.0.2.7", &[], None, true),
            ("127.0.0.1", &["sandbox.example"], None, true),
            ("127.0.0.1", &["localhost", "*.sandbox.example"], None, true),
            ("127.0.0.1", &["notlocalhost"], None, true),
            ("127.0.0.1", &["192.0.2.7"], None, true),
            ("127.0.0.1", &[], Some("https://sandbox.example"), true),
            ("127.0.0.1", &[], Some("http://localhost.sandbox.example"), true),
        ];
        for (address, names, url, expected) in rows {
            let address = [address.parse().expect("an address")];
            let reach = Reach::of(address, names.iter().copied(), *url);
            assert_eq!(reach.is_by_others(), *expected, "{address:?} {names:?} {url:?}");
        }
    }

    /// (rule: auth/reachable-by-others)
    #[test]
    fn a_proxy_is_known_by_its_headers() {
        for (name, expected) in [
            ("forwarded", true),
            ("via", true),
            ("x-forwarded-for", true),
            ("x-forwarded-host", true),
            ("x-forwarded", true),
            ("x-forward", false),
            ("host", false),
        ] {
            let name: axum::http::HeaderName = name.parse().expect("a name");
            let headers = HeaderMap::from_iter([(name.clone(), axum::http::HeaderValue::from_static(""))]);
            assert_eq!(proxy_header(&headers).is_some(), expected, "{name}");
        }
    }

    #[test]
    fn what_is_found_once_holds_for_every_clone() {
        let (reach, other) = (Reach::default(), Reach::default());
        let clone = reach.clone();
        assert!(reach.found() && !clone.found() && clone.is_by_others() && !other.is_by_others());
    }
}
