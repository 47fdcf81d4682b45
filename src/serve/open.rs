//! `fundsim open`: the world of a capsule behind an address, as it was (rule: wire/capsules).
//!
//! Invariant: what is opened calls nobody and ends with the process. Absent on purpose: what a capsule has, which is `hosting`'s.

use super::config::{Config, Unusable};
use super::key;
use super::plan::{Plan, since_epoch, url_of};
use super::serving::{Serving, Signals};
use super::telling::Telling;
use super::{bound, run};
use crate::args::{Open, Output, Serve};
use crate::exit::UNUSABLE;
use crate::out;
use clap::{Args as _, Command, FromArgMatches as _};
use feed::transport::TransportClock;
use hosting::metrics::Metrics;
use hosting::worlds::capsule::{Capsule, Run};
use hosting::worlds::{WorldHandle, Worlds};
use serde_json::json;
use std::path::Path;

/// Serves the world of a capsule until a signal stops it.
pub(crate) fn open(flags: &Open) -> u8 {
    let config = match config(flags) {
        Ok(config) => config,
        Err(Unusable::Faults(faults)) => {
            out::faults(&faults);
            return UNUSABLE;
        }
        Err(Unusable::Why(why)) => return out::refuse(&why),
    };
    let read = std::fs::read(&flags.file).map_err(|error| error.to_string());
    match read.and_then(|file| Capsule::read(&file)) {
        Ok(capsule) => run(serve(&config, &flags.file, capsule)),
        Err(why) => out::refuse(&format!("{}: {why}", flags.file.display())),
    }
}

/// As `serve` has it that is asked for nothing but an address.
fn config(flags: &Open) -> Result<Config, Unusable> {
    let command = Serve::augment_args(Command::new("open")).mut_args(|arg| arg.env(None::<&str>));
    let serve =
        command.get_matches_from(["open", "--listen", &flags.listen, "--clock", "frozen", "--log-level", "warn"]);
    let serve = Serve::from_arg_matches(&serve).map_err(|error| Unusable::Why(error.to_string()))?;
    Ok(Config { output: flags.output, ..Config::of(&serve)? })
}

async fn serve(config: &Config, file: &Path, mut capsule: Capsule) -> Result<u8, String> {
    let unusable = |why: String| format!("{}: {why}", file.display());
    let plan = Plan::of(config)?;
    let (listener, address) = bound(config, &plan).await?;
    let signals = Signals::new()?;
    let (clock, metrics) = (TransportClock::starting_at(since_epoch()), Metrics::default());
    let telling = Telling::begin(config, clock.clone(), metrics.clone())?;
    let (key, _) = key::of(config, None, true)?;
    let worlds = Worlds::new(key, clock);
    let surface = plan.surface(config, address, None, &metrics)?;
    // What is made again may have links in it.
    worlds.set_public_url(&surface.public_url);
    let (version, digest, ran) = (capsule.version.clone(), capsule.digest.clone(), capsule.run.take());
    let world = capsule.open(&worlds).await.map_err(unusable)?;
    let state = world.copy().map_or_else(|fault| Err(fault.description), |world| Ok(world.digest().to_string()));
    let opened = Opened { file, url: url_of(address, false), world: &world, version, digest, state, run: ran };
    let surface = sandbox::app(worlds, surface);
    out::say(&match config.output {
        Output::Json => opened.json(),
        Output::Text => opened.text(),
    });
    let mut serving = Serving { listener: Some(surface::server::tcp(listener)), secured: None, signals };
    let code = serving.serve(surface, std::future::ready(())).await;
    telling.finish();
    Ok(code)
}

/// What is said of a world that was opened.
struct Opened<'a> {
    file: &'a Path,
    url: String,
    world: &'a WorldHandle,
    /// The version that has written the capsule.
    version: String,
    /// The fingerprint in the capsule.
    digest: String,
    /// The fingerprint of the world, or why it has failed.
    state: Result<String, String>,
    run: Option<Run>,
}

impl Opened<'_> {
    fn is_equal(&self) -> bool {
        self.state.as_ref().is_ok_and(|digest| *digest == self.digest)
    }

    fn json(&self) -> String {
        let line = json!({
            "url": self.url,
            "worldId": self.world.identity.id().to_string(),
            "now": self.world.last_now().to_string(),
            "version": self.version,
            "isEqual": self.is_equal(),
            "failure": self.state.as_ref().err(),
            "run": self.run,
        });
        format!("{line}\n")
    }

    fn text(&self) -> String {
        let mut lines = vec![format!("{} is open on {}\n", self.file.display(), self.url)];
        let mut line = |title: &str, words: &str| lines.push(format!("  {title:8} {words}"));
        if let Some(Run { name, .. }) = &self.run {
            line("failed", name);
        }
        line("world", &format!("{}, as it was at {}", self.world.identity.id(), self.world.last_now()));
        match &self.state {
            Ok(_) if self.is_equal() => {}
            Ok(_) => line(
                "differs",
                &format!("version {} has written it, and this version makes another world of it", self.version),
            ),
            Err(why) => line("failure", why),
        }
        line("clock", "frozen; nothing is delivered");
        line("console", &format!("{}/console", self.url));
        if let Some(Run { repeat: Some(repeat), .. }) = &self.run {
            line("repeat", repeat);
        }
        if let Some(Run { failure, .. }) = &self.run {
            lines.push(format!("\n{}", failure.trim_matches('\n')));
        }
        lines.push("\nCtrl-C stops it.\n".to_owned());
        lines.join("\n")
    }
}
