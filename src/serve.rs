//! `fundsim serve`: one world behind one address, until it is stopped.
//!
//! Owns: the only places (`plan.rs`, `key.rs`) where the wall clock and the operating system's randomness enter the program. Invariant: nothing
//! is printed on standard output before the port accepts; beyond loopback nobody listens without an operator's token
//! unless a flag says so explicitly.

mod alone;
mod banner;
mod config;
pub(crate) mod data;
#[cfg(feature = "otel")]
mod export;
mod key;
mod memory;
pub(crate) mod open;
mod plan;
mod printer;
mod serving;
#[cfg(feature = "several")]
mod several;
#[cfg(feature = "several")]
pub(crate) mod shared;
mod telling;
mod tls;

use crate::args::Serve;
use crate::exit::UNUSABLE;
use crate::out;
use config::Config;
use deliveries::reach::Reach;
use plan::Plan;
use serving::Signals;
use std::net::SocketAddr;
use surface::admission::HostName;
use tokio::net::TcpListener;

/// Serves until Ctrl-C, SIGTERM or SIGHUP; with a certificate of files, SIGHUP has it read again.
pub(crate) fn serve(flags: &Serve) -> u8 {
    let config = match Config::of(flags) {
        Ok(config) => config,
        Err(config::Unusable::Faults(faults)) => {
            out::faults(&faults);
            return UNUSABLE;
        }
        Err(config::Unusable::Why(why)) => return out::refuse(&why),
    };
    run(listen(&config))
}

/// Runs a server to its end; the exit code.
fn run(server: impl Future<Output = Result<u8, String>>) -> u8 {
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return out::refuse(&format!("no runtime: {error}")),
    };
    let code = match runtime.block_on(server) {
        Ok(code) => code,
        Err(why) => out::refuse(&why),
    };
    // Whatever is still at work has had its time: a stop waits for nobody.
    runtime.shutdown_background();
    code
}

async fn listen(config: &Config) -> Result<u8, String> {
    let plan = Plan::of(config)?;
    let (listener, _) = bound(config, &plan).await?;
    // From here on a signal stops the server as it should, not the process.
    let signals = Signals::new()?;
    #[cfg(feature = "several")]
    if let Some(log) = &config.log {
        return several::serve(config, log, plan, listener, signals).await;
    }
    alone::serve(config, plan, listener, signals).await
}

/// The port that the configuration names, and its address.
async fn bound(config: &Config, plan: &Plan) -> Result<(TcpListener, SocketAddr), String> {
    let addresses = tokio::net::lookup_host(&config.listen).await;
    let addresses: Vec<SocketAddr> =
        addresses.map_err(|error| format!("--listen {}: {error}", config.listen))?.collect();
    guard(config, &addresses, plan.operator_token.is_some())?;
    let listener = TcpListener::bind(addresses.as_slice()).await;
    let listener = listener.map_err(|error| format!("cannot listen on {}: {error}", config.listen))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    Ok((listener, address))
}

/// Everybody who can reach the port can work the machinery, unless a token guards it.
fn guard(config: &Config, addresses: &[SocketAddr], has_token: bool) -> Result<(), String> {
    if has_token || config.open {
        return Ok(());
    }
    let refuse = |what: String| {
        Err(format!(
            "{what} can be reached from other machines, and so could the operator's plane: name a token with \
             --operator-token-env, or say --open"
        ))
    };
    let is_by_others = |address: &&SocketAddr| Reach::of([address.ip()], [], None).is_by_others();
    if let Some(address) = addresses.iter().find(is_by_others) {
        return refuse(address.to_string());
    }
    let is_by_name = |name: &&HostName| Reach::of([], [name.as_str()], None).is_by_others();
    if let Some(name) = config.allow_host.iter().find(is_by_name) {
        return refuse(format!("a server with --allow-host {}", name.as_str()));
    }
    match &config.public_url {
        Some(url) if Reach::of([], [], Some(url)).is_by_others() => refuse(format!("a server with --public-url {url}")),
        _ => Ok(()),
    }
}
