//! The address of a log in etcd, as a URL has it.
//!
//! Invariant: no message repeats a part of the URL that may be of a password. Absent on purpose: connecting.

use percent_encoding::percent_decode_str;

/// The port of an endpoint that names none.
const PORT: u16 = 2379;
/// What keys begin with where the URL names nothing.
const PREFIX: &str = "fundsim";
const FORM: &str = "etcd://host:2379,host:2379/prefix, or etcds:// for TLS";

/// Where a log is.
#[derive(Clone)]
pub(crate) struct Address {
    /// Endpoints of members, each a host and a port.
    pub(crate) endpoints: Vec<String>,
    /// Whether they speak TLS.
    pub(crate) is_secure: bool,
    /// A name and a password.
    pub(crate) user: Option<(String, String)>,
    /// What all keys of the log begin with: a slash, names, a slash.
    pub(crate) prefix: String,
}

impl Address {
    /// Reads `etcd://[user:password@]host[:port],…[/prefix]`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn read(url: &str) -> Result<Self, String> {
        let (scheme, rest) = url.split_once("://").ok_or_else(|| format!("the URL is {FORM}"))?;
        let is_secure = match scheme {
            "etcd" => false,
            "etcds" => true,
            _ => return Err(format!("the URL is {FORM}")),
        };
        let (authority, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if prefix.contains('@') {
            return Err("a / in a user or a password is written %2F, and an @ is written %40".to_owned());
        }
        let (user, hosts) = match authority.rsplit_once('@') {
            Some((user, hosts)) => (Some(credentials(user)?), hosts),
            None => (None, authority),
        };
        let mut endpoints = Vec::new();
        for host in hosts.split(',') {
            let endpoint = endpoint(host)?;
            if !endpoints.contains(&endpoint) {
                endpoints.push(endpoint);
            }
        }
        Ok(Self { endpoints, is_secure, user, prefix: prefix_of(prefix)? })
    }
}

fn credentials(text: &str) -> Result<(String, String), String> {
    let decoded = |part: &str| percent_decode_str(part).decode_utf8().map(|part| part.into_owned());
    let parts = text.split_once(':').filter(|(name, password)| !name.is_empty() && !password.is_empty());
    let (name, password) = parts.ok_or("before the @ there are a user and a password, as in user:password@host")?;
    match (decoded(name), decoded(password)) {
        (Ok(name), Ok(password)) => Ok((name, password)),
        _ => Err("the user or the password is no UTF-8".to_owned()),
    }
}

/// A host with its port.
fn endpoint(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err("a host is empty".to_owned());
    }
    let (host, port) = match text.rsplit_once(':') {
        // The colons of an address of IPv6 are within brackets.
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    };
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    let is_name = !host.is_empty() && host.chars().all(|it| it.is_ascii_alphanumeric() || "-._".contains(it));
    let is_host = if is_bracketed { host[1..host.len() - 1].parse::<std::net::Ipv6Addr>().is_ok() } else { is_name };
    if !is_host {
        return Err(format!("{text:?} is no host; an address of IPv6 has brackets, as in [::1]:{PORT}"));
    }
    let port = match port {
        None => PORT,
        Some(port) => port.parse().map_err(|_| format!("{text:?} has no port between 1 and 65535"))?,
    };
    Ok(format!("{host}:{port}"))
}

fn prefix_of(text: &str) -> Result<String, String> {
    let names = text.trim_matches('/');
    let is_taken = |it: char| it.is_ascii_alphanumeric() || "-._/".contains(it);
    match names {
        "" => Ok(format!("/{PREFIX}/")),
        _ if names.chars().all(is_taken) => Ok(format!("/{names}/")),
        _ => Err("the prefix has letters, digits and any of -._/ alone; a log in etcd takes no parameters".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_members_a_user_and_a_prefix() {
        let address = Address::read("etcds://me:p%40s%2Fs@a,b:1,[::1],a:2379/team/one/").expect("an address");
        assert_eq!(address.endpoints, ["a:2379", "b:1", "[::1]:2379"]);
        assert!(address.is_secure);
        assert_eq!(address.user, Some(("me".to_owned(), "p@s/s".to_owned())));
        assert_eq!(address.prefix, "/team/one/");
        let address = Address::read("etcd://a").expect("an address");
        assert_eq!((address.is_secure, address.user, address.prefix.as_str()), (false, None, "/fundsim/"));
    }

    #[test]
    fn what_is_no_address_is_refused_without_a_word_of_the_password() {
        for (url, words) in [
            ("http://a", "the URL is etcd://"),
            ("etcd://", "a host is empty"),
            ("etcd://a,,b", "a host is empty"),
            ("etcd://a:port", "no port"),
            ("etcd://::1", "brackets"),
            ("etcd://a b", "is no host"),
            ("etcd://secret@a", "user and a password"),
            ("etcd://me:@a", "user and a password"),
            ("etcd://me:sec/ret@a", "%2F"),
            ("etcd://me:%FFsecret@a", "no UTF-8"),
            ("etcd://a/x?secret=1", "no parameters"),
        ] {
            let refused = Address::read(url).map(drop).expect_err(url);
            assert!(refused.contains(words), "{url}: {refused}");
            assert!(!refused.contains("sec"), "{url}: {refused}");
        }
    }
}
