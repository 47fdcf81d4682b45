//! `fundsim health`: whether a running server takes requests, for a supervisor that can only start programs.
//!
//! Invariant: every answer but "ready", and no answer, is exit code 1, since container engines reserve 2. Absent on purpose: what
//! ready means, which the server decides.

use crate::args::Health;
use crate::exit::{FAILED, WELL};
use crate::{out, trust};
use runner::drivers::live;
use runner::drivers::target::Target;
use serde_json::Value as Json;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// The variable of `serve --listen`, which a container gives to both programs.
const LISTEN: &str = "FUNDSIM_LISTEN";
/// Variables of `serve` by which it speaks HTTPS.
const SECURE: [&str; 2] = ["FUNDSIM_TLS_CERT", "FUNDSIM_TLS_SELF_SIGNED"];

/// Asks the server and prints what it found in one line.
pub(crate) fn health(flags: &Health) -> u8 {
    let server = match server(flags) {
        Ok(server) => server,
        Err(why) => return out::refuse(&why),
    };
    match ask(&server, flags.timeout) {
        Ok(()) => {
            out::say(&format!("ready: {}\n", server.url));
            WELL
        }
        Err(why) => {
            out::say(&format!("not ready: {why}\n"));
            FAILED
        }
    }
}

/// The server that is meant.
fn server(flags: &Health) -> Result<Target, String> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let url = match &flags.url {
        Some(url) => url.clone(),
        None => listened_url(set(LISTEN).as_deref(), SECURE.iter().any(|name| set(name).is_some()))?,
    };
    let server = Target { url, trust: trust::of_flag(flags.ca_file.as_deref())? };
    live::check_url(&server)?;
    Ok(server)
}

fn ask(server: &Target, timeout: Duration) -> Result<(), String> {
    let url = &server.url;
    let (status, answer): (u16, Json) = live::get(server, "/readyz", None, timeout)?;
    if status == 200 && answer["status"] == "ready" {
        return Ok(());
    }
    let why = answer["error_description"].as_str().unwrap_or("it is not a fundsim server");
    Err(format!("{url} answers {status}: {why}"))
}

/// Where a server that listens on `listen` answers to a program on the same machine.
fn listened_url(listen: Option<&str>, is_secure: bool) -> Result<String, String> {
    let scheme = if is_secure { "https" } else { "http" };
    let listen = listen.unwrap_or("127.0.0.1:8080");
    let Ok(address) = listen.parse::<SocketAddr>() else {
        // A host name with a port.
        return Ok(format!("{scheme}://{listen}"));
    };
    if address.port() == 0 {
        return Err(format!("{LISTEN} is {listen}, and the server has picked a port by itself: say which with --url"));
    }
    let host = match address.ip() {
        IpAddr::V4(every) if every.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(every) if every.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        one => one,
    };
    Ok(format!("{scheme}://{}", SocketAddr::new(host, address.port())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_on_every_address_is_asked_on_this_machine() {
        for (listen, url) in [
            (None, "http://127.0.0.1:8080"),
            (Some("0.0.0.0:9000"), "http://127.0.0.1:9000"),
            (Some("[::]:9000"), "http://[::1]:9000"),
            (Some("127.0.0.2:80"), "http://127.0.0.2:80"),
            (Some("localhost:8081"), "http://localhost:8081"),
        ] {
            assert_eq!(listened_url(listen, false).as_deref(), Ok(url), "{listen:?}");
            assert_eq!(listened_url(listen, true), Ok(url.replace("http", "https")), "{listen:?}");
        }
        let why = listened_url(Some("127.0.0.1:0"), false).expect_err("nobody knows the port");
        assert!(why.contains("--url"), "{why}");
    }
}
