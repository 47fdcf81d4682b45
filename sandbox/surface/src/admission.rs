//! Which requests are looked at at all: those that name this server, and that no page of another origin sent.
//!
//! Owns: the check that runs before every other (rule: auth/host-names, auth/other-origins). A browser sends whatever a
//! page asks it to, also to this machine; what it cannot forge are `Host`, `Origin` and `Sec-Fetch-Site`. Invariant: a page
//! of another origin changes nothing and reads nothing, also when its own name was made to lead here. Absent on purpose:
//! ports, which proxies and containers change at will, and the forms of hosted pages, which carry tokens of their own.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{PoisonError, RwLock};

use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, Request, Uri, Version};

use wire::error::ApiError;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Ports that are not written.
const HTTP: u16 = 80;
const HTTPS: u16 = 443;

/// Pages that customers come to from other sites; their forms have tokens.
const CUSTOMER_PAGES: &[&str] = &["/journey", "/pay"];
/// Pages that people may be led to by a link somewhere else; they only show.
const PAGES: &[&str] = &["/", "/docs", "/guide", "/console"];

/// A name that requests may be sent to: a host, or all below one (`*.sandbox.example`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(Box<str>);

impl std::str::FromStr for HostName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "a host name or address without scheme and port, or *. and a name";
        let name = text.strip_prefix("*.").unwrap_or(text);
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        if bare.parse::<Ipv6Addr>().is_ok() {
            return if text == name { Ok(Self(bare.into())) } else { Err(FORM) };
        }
        let is_host = name.parse::<Authority>().is_ok_and(|authority| authority.as_str() == authority.host());
        if is_host && !name.contains('*') { Ok(Self(normal(text).into_owned().into())) } else { Err(FORM) }
    }
}

impl HostName {
    /// The name as it is compared.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn covers(&self, host: &str) -> bool {
        match self.0.strip_prefix('*') {
            Some(below) => host.len() > below.len() && host.ends_with(below),
            None => *self.0 == *host,
        }
    }
}

/// What this server is called.
#[derive(Clone, Debug, Default)]
pub struct HostNames {
    /// The address that is listened on; `None` where there is no network.
    pub listening: Option<IpAddr>,
    /// Names beside that address, those of this machine and the public URL's.
    pub allowed: Vec<HostName>,
}

/// The check of one server.
#[derive(Debug)]
pub struct Admission {
    names: HostNames,
    public: Option<Authority>,
    /// The `Host` that was last found to be this server's: most requests have the same.
    last_own: RwLock<Option<Box<str>>>,
}

impl Admission {
    /// The check of a server with these names, whose links begin with `public_url`.
    #[must_use]
    pub fn new(names: HostNames, public_url: &str) -> Self {
        let public = public_url.parse::<Uri>().ok().and_then(|url| url.authority().cloned());
        Self { names, public, last_own: RwLock::default() }
    }

    /// Lets a request pass.
    ///
    /// # Errors
    /// 400 for a `Host` that is missing or given twice, 421 for one that is not this server's, 403 for what a page of another
    /// origin sent.
    pub fn admit<B>(&self, request: &Request<B>, is_remote: bool) -> Result<(), ApiError> {
        let host = named(request, is_remote)?;
        if let Some(host) = host.filter(|host| !self.is_last_own(host)) {
            let authority = host.parse().map_err(|_| unreadable_host())?;
            self.admit_authority(&authority)?;
            *self.last_own.write().unwrap_or_else(PoisonError::into_inner) = Some(host.into());
        }
        request.uri().authority().map_or(Ok(()), |authority| self.admit_authority(authority))?;
        self.admit_origin(request.method(), request.uri().path(), request.headers(), host)
    }

    fn is_last_own(&self, host: &str) -> bool {
        self.last_own.read().unwrap_or_else(PoisonError::into_inner).as_deref() == Some(host)
    }

    fn admit_authority(&self, authority: &Authority) -> Result<(), ApiError> {
        if self.is_own(authority) {
            return Ok(());
        }
        Err(ApiError::misdirected("the Host is none of this server's; `fundsim serve --allow-host NAME` adds one"))
    }

    fn is_own(&self, authority: &Authority) -> bool {
        if authority.as_str().contains('@') {
            return false;
        }
        let host = normal(authority.host());
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&host);
        let is_here = match bare.parse::<IpAddr>() {
            Ok(address) => self.is_here(address),
            Err(_) => bare == "localhost" || bare.ends_with(".localhost"),
        };
        let is_public = || self.public.as_ref().is_some_and(|public| normal(public.host()) == host);
        is_here || is_public() || self.names.allowed.iter().any(|name| name.covers(bare))
    }

    /// No page can have an address of this machine for a name, unless this machine served the page.
    fn is_here(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_loopback()
            || self.names.listening.is_some_and(|listening| listening.is_unspecified() || listening == address)
    }

    fn admit_origin(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
        host: Option<&str>,
    ) -> Result<(), ApiError> {
        let is_of = |pages: &[&str]| {
            pages.iter().any(|page| path == *page || path.strip_prefix(page).is_some_and(|rest| rest.starts_with('/')))
        };
        if is_of(CUSTOMER_PAGES) {
            return Ok(());
        }
        let is_read = matches!(*method, Method::GET | Method::HEAD);
        let follows_link = || is_read && single(headers, &SEC_FETCH_MODE) == Some("navigate");
        if self.is_same_origin(headers, host) || (is_of(PAGES) && follows_link()) {
            return Ok(());
        }
        Err(ApiError::forbidden("a page of another origin sent this request"))
    }

    /// Whether a form of a hosted page was sent by a page of another origin.
    pub fn is_foreign_form(&self, headers: &HeaderMap) -> bool {
        let host = single(headers, &HOST);
        // A browser that names no origin sends `Sec-Fetch-Site`, which shows where the form came from.
        let is_nameless = single(headers, &ORIGIN) == Some("null");
        !(is_own_site(headers) && (is_nameless || self.is_own_origin_or_none(headers, host)))
    }

    fn is_same_origin(&self, headers: &HeaderMap, host: Option<&str>) -> bool {
        is_own_site(headers) && self.is_own_origin_or_none(headers, host)
    }

    fn is_own_origin_or_none(&self, headers: &HeaderMap, host: Option<&str>) -> bool {
        !headers.contains_key(ORIGIN) || single(headers, &ORIGIN).is_some_and(|origin| self.is_own_origin(origin, host))
    }

    /// Whether a page of `origin` came from here: from where the request went, or from the public URL when a proxy changes
    /// `Host`.
    fn is_own_origin(&self, origin: &str, host: Option<&str>) -> bool {
        let Some(authority) = origin.parse::<Uri>().ok().and_then(|url| url.authority().cloned()) else { return false };
        let usual = if origin.starts_with("https:") { HTTPS } else { HTTP };
        let port = authority.port_u16().unwrap_or(usual);
        let same = |other: &Authority| {
            let is_port = other.port_u16().map_or(matches!(port, HTTP | HTTPS), |other| other == port);
            is_port && normal(other.host()) == normal(authority.host())
        };
        host.and_then(|host| host.parse().ok()).as_ref().is_some_and(same) || self.public.as_ref().is_some_and(same)
    }
}

/// Whether a browser says that no other site had to do with it; programs say nothing.
fn is_own_site(headers: &HeaderMap) -> bool {
    !headers.contains_key(SEC_FETCH_SITE) || matches!(single(headers, &SEC_FETCH_SITE), Some("same-origin" | "none"))
}

/// The `Host` of a request. Programs without a network send none, and those of HTTP/1.0 need not.
fn named<B>(request: &Request<B>, is_remote: bool) -> Result<Option<&str>, ApiError> {
    let wrong = |what| Err(ApiError::invalid_request(what));
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if is_remote && request.version() > Version::HTTP_10 => wrong("a Host header is required"),
        (None, _) => Ok(None),
        (Some(host), None) => host.to_str().map(Some).map_err(|_| unreadable_host()),
        _ => wrong("there must be one Host header"),
    }
}

fn unreadable_host() -> ApiError {
    ApiError::invalid_request("the Host header cannot be read")
}

fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// A host as it is compared: names know no case, and the dot at their end says nothing.
fn normal(host: &str) -> Cow<'_, str> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_lower = !host.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(host) } else { Cow::Owned(host.to_ascii_lowercase()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(listening: &str, allowed: &[&str]) -> Admission {
        let allowed = allowed.iter().map(|name| name.parse().expect("a host name")).collect();
        let names = HostNames { listening: listening.parse().ok(), allowed };
        Admission::new(names, "https://Sandbox.example/funds")
    }

    fn request(method: &str, target: &str, headers: &[(&str, &str)]) -> Request<()> {
        let request = Request::builder().method(method).uri(target);
        headers
            .iter()
            .fold(request, |request, (name, value)| request.header(*name, *value))
            .body(())
            .expect("a request")
    }

    fn status(admission: &Admission, request: &Request<()>) -> u16 {
        admission.admit(request, true).map_or_else(|refused| refused.status.as_u16(), |()| 200)
    }

    /// (rule: auth/host-names)
    #[test]
    fn a_request_names_this_server_or_is_not_looked_at() {
        let rows: &[(&str, &[&str], &str, u16)] = &[
            ("127.0.0.1", &[], "127.0.0.1:8080", 200),
            ("127.0.0.1", &[], "127.0.0.1", 200),
            ("127.0.0.1", &[], "127.9.9.9:1", 200),
            ("127.0.0.1", &[], "[::1]:8080", 200),
            ("127.0.0.1", &[], "[::ffff:127.0.0.1]:8080", 200),
            ("127.0.0.1", &[], "localhost:9000", 200),
            ("127.0.0.1", &[], "LOCALHOST.", 200),
            ("127.0.0.1", &[], "fundsim.localhost:8080", 200),
            ("127.0.0.1", &[], "sandbox.example", 200),
            ("127.0.0.1", &[], "SANDBOX.example.:8443", 200),
            ("127.0.0.1", &[], "rebound.example:8080", 421),
            ("127.0.0.1", &[], "localhost.rebound.example:8080", 421),
            ("127.0.0.1", &[], "notlocalhost", 421),
            ("127.0.0.1", &[], "127.0.0.1.rebound.example", 421),
            ("127.0.0.1", &[], "sandbox.example.rebound.example", 421),
            ("127.0.0.1", &[], "localhost@rebound.example", 421),
            ("127.0.0.1", &[], "rebound.example@localhost", 421),
            ("127.0.0.1", &[], "192.0.2.7:8080", 421),
            ("127.0.0.1", &[], "0.0.0.0:8080", 421),
            ("127.0.0.1", &[], "[::]:8080", 421),
            ("127.0.0.1", &[], "2130706433", 421),
            ("127.0.0.1", &[], "", 400),
            ("127.0.0.1", &[], "a b", 400),
            ("127.0.0.1", &[], "localhost/", 400),
            ("192.0.2.7", &[], "192.0.2.7:8080", 200),
            ("192.0.2.7", &[], "192.0.2.8:8080", 421),
            ("0.0.0.0", &[], "192.0.2.8:8080", 200),
            ("::", &[], "[2001:db8::1]:8080", 200),
            ("0.0.0.0", &[], "rebound.example:8080", 421),
            ("", &[], "localhost", 200),
            ("", &[], "192.0.2.8", 421),
            ("127.0.0.1", &["fundsim"], "fundsim:8080", 200),
            ("127.0.0.1", &["Fundsim."], "fundsim", 200),
            ("127.0.0.1", &["*.test.example"], "a.test.example", 200),
            ("127.0.0.1", &["*.test.example"], "test.example", 421),
            ("127.0.0.1", &["*.test.example"], "atest.example", 421),
            ("127.0.0.1", &["192.0.2.9", "[2001:db8::2]"], "[2001:db8::2]:1", 200),
            ("127.0.0.1", &["192.0.2.9"], "192.0.2.9:1", 200),
        ];
        for (listening, allowed, host, expected) in rows {
            let asked = request("GET", "/ping", &[("host", host)]);
            assert_eq!(status(&admission(listening, allowed), &asked), *expected, "{host} at {listening} {allowed:?}");
        }
    }

    /// (rule: auth/host-names)
    #[test]
    fn a_host_is_given_once_and_the_target_names_this_server_too() {
        let admission = admission("127.0.0.1", &[]);
        let local = ("host", "localhost");
        for (target, headers, expected) in [
            ("/ping", &[local, local][..], 400),
            ("/ping", &[], 400),
            ("http://localhost:8080/ping", &[local], 200),
            ("http://rebound.example/ping", &[local], 421),
            ("http://localhost/ping", &[("host", "rebound.example")], 421),
        ] {
            assert_eq!(status(&admission, &request("GET", target, headers)), expected, "{target} {headers:?}");
        }
        let mut old = request("GET", "/ping", &[]);
        *old.version_mut() = Version::HTTP_10;
        assert_eq!(status(&admission, &old), 200);
        assert_eq!(admission.admit(&request("GET", "/ping", &[]), false), Ok(()));
    }

    type Row<'r> = (&'r str, &'r str, &'r [(&'r str, &'r str)], u16);

    /// (rule: auth/other-origins)
    #[test]
    fn what_a_page_of_another_origin_sends_is_not_looked_at() {
        let admission = admission("127.0.0.1", &[]);
        let rows: &[Row<'_>] = &[
            ("POST", "/_sandbox/worlds", &[], 200),
            ("POST", "/_sandbox/worlds", &[("origin", "http://localhost:8080")], 200),
            ("POST", "/_sandbox/worlds", &[("origin", "http://LOCALHOST:8080")], 200),
            ("POST", "/_sandbox/worlds", &[("origin", "https://sandbox.example")], 200),
            ("POST", "/_sandbox/worlds", &[("origin", "http://localhost:3000")], 403),
            ("POST", "/_sandbox/worlds", &[("origin", "http://127.0.0.1:8080")], 403),
            ("POST", "/_sandbox/worlds", &[("origin", "https://other.example")], 403),
            ("POST", "/_sandbox/worlds", &[("origin", "null")], 403),
            ("POST", "/_sandbox/worlds", &[("origin", "")], 403),
            ("POST", "/_sandbox/worlds", &[("origin", "http://localhost:8080"), ("origin", "null")], 403),
            ("POST", "/_sandbox/worlds", &[("sec-fetch-site", "same-origin")], 200),
            ("GET", "/_sandbox/worlds", &[("sec-fetch-site", "none"), ("sec-fetch-mode", "navigate")], 200),
            ("GET", "/_sandbox/worlds", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], 403),
            ("GET", "/_sandbox/worlds", &[("sec-fetch-site", "same-site")], 403),
            ("GET", "/_sandbox/worlds", &[("sec-fetch-site", "elsewhere")], 403),
            ("GET", "/v2/partner/client", &[("sec-fetch-site", "cross-site")], 403),
            ("POST", "/simulations/bankgiro", &[("sec-fetch-site", "cross-site")], 403),
            ("GET", "/", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], 200),
            ("GET", "/docs", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], 200),
            ("GET", "/docs/createOrder", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], 200),
            ("GET", "/docs", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")], 403),
            ("POST", "/docs", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")], 403),
            ("GET", "/journey/x", &[("sec-fetch-site", "cross-site")], 200),
            ("POST", "/journey/x/y", &[("origin", "https://other.example")], 200),
            ("GET", "/journeys", &[("sec-fetch-site", "cross-site")], 403),
        ];
        for (method, path, headers, expected) in rows {
            let all = [&[("host", "localhost:8080")], *headers].concat();
            assert_eq!(status(&admission, &request(method, path, &all)), *expected, "{method} {path} {headers:?}");
        }
    }

    #[test]
    fn names_are_host_names_and_nothing_else() {
        for (text, is_name) in [
            ("fundsim", true),
            ("fundsim.test.example", true),
            ("*.test.example", true),
            ("192.0.2.1", true),
            ("::1", true),
            ("[::1]", true),
            ("", false),
            ("*", false),
            ("*.", false),
            ("a.*.example", false),
            ("fundsim:8080", false),
            ("http://fundsim", false),
            ("user@fundsim", false),
            ("fund sim", false),
            ("*.::1", false),
        ] {
            assert_eq!(text.parse::<HostName>().is_ok(), is_name, "{text}");
        }
    }

    /// (rule: auth/other-origins)
    #[test]
    fn a_form_of_a_hosted_page_comes_from_a_page_of_this_server() {
        let rows: &[(&[(&str, &str)], bool)] = &[
            (&[], false),
            (&[("origin", "http://127.0.0.1:8080")], false),
            (&[("origin", "null")], false),
            (&[("origin", "null"), ("sec-fetch-site", "same-origin")], false),
            (&[("origin", "null"), ("sec-fetch-site", "cross-site")], true),
            (&[("sec-fetch-site", "same-site")], true),
            (&[("origin", "https://elsewhere.example")], true),
            (&[("origin", "https://elsewhere.example"), ("sec-fetch-site", "same-origin")], true),
            (&[("origin", "http://127.0.0.1:8081")], true),
        ];
        let admission = admission("127.0.0.1", &[]);
        for (headers, foreign) in rows {
            let request = request("POST", "/journey/x/kyc", &[&[("host", "127.0.0.1:8080")][..], headers].concat());
            assert_eq!(admission.is_foreign_form(request.headers()), *foreign, "{headers:?}");
        }
    }
}
