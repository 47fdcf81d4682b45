//! What can be given on the command line.
//!
//! Every flag has a variable in the environment, `FUNDSIM_` and its name; what is written on the command line wins.

pub(crate) mod bridge;
pub(crate) mod running;
pub(crate) mod terminal;

use crate::paint::Color;
use crate::period::{duration, mebibytes};
use bridge::Mcp;
use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use deliveries::network::Network;
use hosting::log::Wanted;
use runner::report::text::Whys;
use running::Bearer;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use surface::admission::HostName;
use terminal::{Clock, Listen, Login, Logout, Logs, Picture, Trigger, Worlds};

/// A deterministic sandbox of a fund-distribution API.
#[derive(Parser)]
#[command(name = "fundsim", version, about, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "Examples:\n  \
    fundsim serve\n  \
    fundsim run story.yaml\n  \
    fundsim explain steps\n\n\
    Every flag can also be set in the environment: --listen is FUNDSIM_LISTEN, --public-url is FUNDSIM_PUBLIC_URL.")]
pub(crate) struct Arguments {
    /// Whether results, faults and logs are coloured
    #[arg(long, env = "FUNDSIM_COLOR", value_enum, value_name = "WHEN", default_value = "auto", global = true)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) job: Job,
}

#[derive(Subcommand)]
pub(crate) enum Job {
    /// Start the sandbox with a demo world
    Serve(Serve),
    /// Run scenario files; a folder means every file below it
    Run(Run),
    /// Run generated scenarios, check invariants, shrink and save failures
    Fuzz(Fuzz),
    /// Exercise an application under test with generated customers and bad days, and compare what it holds with the sandbox's books
    Exercise(Exercise),
    /// Repeat runs that `fuzz --keep` has written
    #[command(
        after_help = "Exit status: 0 no run fails, 1 one breaks a law or ends otherwise than it was kept, 2 a file cannot be read as a kept run."
    )]
    Replay {
        /// Kept runs, or folders of them
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
    /// Open the file of a failed run, and serve its world as it was then
    #[command(after_help = "Example:\n  fundsim open capsules/deposit-is-booked.json\n\n\
        A capsule is written by `fundsim run --capsules`, by the test kits, and by GET /_sandbox/worlds/{worldId}/capsule.")]
    Open(Open),
    /// Check scenario files without running them, and show every mistake with its line
    Check(Check),
    /// Check, copy, compact or upgrade what `serve --data` or `serve --log` keeps, while no server uses it
    #[command(after_help = "Examples:\n  fundsim data check worlds\n  fundsim data export worlds > worlds.jsonl\n  \
        fundsim data upgrade postgres://fundsim@db.example/sandbox\n\n\
        Exit status: 0 done, 1 it is damaged, 2 the folder or the log is not usable.")]
    Data {
        /// What to do
        #[command(subcommand)]
        what: Data,
    },
    /// Explain the state of a resource in a running sandbox: requests, timers, rows of state tables, bookings, deliveries
    #[command(after_help = "Example:\n  fundsim why --url http://127.0.0.1:8080 15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72")]
    Why(Why),
    /// Export the recording of a world of a running sandbox as a scenario file
    #[command(after_help = "Examples:\n  fundsim record --url http://127.0.0.1:8080 --output session.yaml\n  \
            fundsim record --world world-2 > session.yaml\n  fundsim run session.yaml")]
    Record(Record),
    /// Show what an integration has met of a running sandbox, and what never, with what makes the rest happen
    #[command(after_help = READINESS)]
    Readiness(Readiness),
    /// Keep the address and the credentials of a running sandbox as a profile, which other commands use
    Login(Login),
    /// Forget a profile
    Logout(Logout),
    /// List, make, fork, put back and drop worlds of a running sandbox
    Worlds(Worlds),
    /// Read and move the clock of a world of a running sandbox
    Clock(Clock),
    /// Show a picture of a world of a running sandbox: a sequence, a calendar, a world at a glance
    Picture(Picture),
    /// Send one step of the language of stories to a running sandbox: a request of the partner, or what customers, banks and fund companies do
    Trigger(Trigger),
    /// Show the requests that a world of a running sandbox has received, and follow them
    Logs(Logs),
    /// Forward what a world of a running sandbox delivers to a server that the sandbox does not reach, as one on this machine
    Listen(Listen),
    /// Serve a running sandbox to an assistant as tools of the Model Context Protocol, over standard input and output
    Mcp(Mcp),
    /// Ask a running sandbox whether it takes requests, and say so in one line
    #[command(
        after_help = "Examples:\n  fundsim health\n  fundsim health --url http://127.0.0.1:9000 --timeout 2s\n  \
            until fundsim health; do sleep 1; done\n\n\
            Exit status: 0 it is ready, 1 it is not ready or does not answer, 2 the input is not usable."
    )]
    Health(Health),
    /// Print reference tables: state machines, refusals, routes, steps and more
    #[command(
        after_help = "Examples:\n  fundsim explain\n  fundsim explain orders\n  fundsim explain 'open account'\n  \
            fundsim explain /simulations/bankgiro\n  fundsim explain setup\n  fundsim explain year --output year.svg"
    )]
    Explain {
        /// A topic, or a step, lever, setting or part of a setup by its name; without it, the topics
        topic: Option<String>,
        /// File to write to, instead of standard output
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Print the OpenAPI document: the partner API, the levers and the machinery
    #[command(
        after_help = "Examples:\n  fundsim openapi > openapi.json\n  fundsim openapi --plane partner > partner.json"
    )]
    Openapi {
        /// Only one plane
        #[arg(long, value_enum)]
        plane: Option<PlaneOf>,
    },
    /// Print the JSON Schema of scenario files, or of setups
    #[command(
        after_help = "Examples:\n  fundsim schema > scenario.schema.json\n  fundsim schema setup > setup.schema.json"
    )]
    Schema {
        /// What the schema describes
        #[arg(value_enum, default_value = "scenario")]
        of: SchemaOf,
    },
    /// Print a built-in setup as a file, for `serve --world`
    #[command(after_help = "Examples:\n  fundsim setup > world.yaml && fundsim serve --world world.yaml\n  \
            fundsim setup history > world.yaml     # 1,000 accounts with a history of half a year")]
    Setup {
        /// The setup to print
        #[arg(value_enum, default_value = "demo")]
        which: SetupOf,
    },
    /// Print completions for a shell
    #[command(after_help = "Example:\n  fundsim completions bash > /etc/bash_completion.d/fundsim")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the licenses of the third-party software in this program
    #[command(after_help = "Example:\n  fundsim licenses | less")]
    Licenses,
    /// Print the manual page
    #[command(after_help = "Examples:\n  fundsim man | man -l -\n  fundsim man > /usr/local/share/man/man1/fundsim.1")]
    Man,
}

/// What `why` asks, and whom.
#[derive(Args)]
pub(crate) struct Why {
    /// Id of an event, a delivery, a webhook, or of anything that the API shows: an order, a transaction, a plan
    pub(crate) id: uuid::Uuid,
    /// The sandbox [default: the profile's; without one, http://127.0.0.1:8080]
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The world [default: the profile's, or the partner's own; without either, the first that knows the id]
    #[arg(long, value_name = "ID")]
    pub(crate) world: Option<String>,
    /// Largest number of changes to show, the latest ones
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) limit: u16,
    /// List each delivery with its id and instant, instead of their number
    #[arg(long)]
    pub(crate) deliveries: bool,
    #[command(flatten)]
    pub(crate) bearer: Bearer,
    /// Format of the output
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: Output,
}

/// What `record` asks, and whom.
#[derive(Args)]
pub(crate) struct Record {
    /// The sandbox [default: the profile's; without one, http://127.0.0.1:8080]
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The world [default: the profile's, or the partner's own; without either, the first]
    #[arg(long, value_name = "ID")]
    pub(crate) world: Option<String>,
    #[command(flatten)]
    pub(crate) bearer: Bearer,
    /// File to write to, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Examples of `readiness`.
const READINESS: &str = "Examples:\n  \
    fundsim readiness --url http://127.0.0.1:8080\n  \
    fundsim readiness --client-id ID --html readiness.html     # with FUNDSIM_CLIENT_SECRET\n  \
    fundsim readiness --fail-under 60 --output json > readiness.json\n  \
    fundsim readiness --from coverage/                         # what test kits have written, added up\n\n\
    Counted for each world since the server hosts it. A token that this command asks for is counted, too.\n\
    Exit status: 0 shown, 1 the share is below --fail-under, 2 the input is not usable.";

/// What `readiness` asks, whom, and what it holds the answer against.
#[derive(Args)]
pub(crate) struct Readiness {
    /// The sandbox [default: the profile's; without one, http://127.0.0.1:8080]
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The world [default: the profile's, or the partner's own; without either, the first]
    #[arg(long, value_name = "ID")]
    pub(crate) world: Option<String>,
    /// Only this partner's integration, by the partner's id [default: the partner's own; for the operator, all of the world]
    #[arg(long, env = "FUNDSIM_PARTNER", value_name = "ID")]
    pub(crate) partner: Option<uuid::Uuid>,
    #[command(flatten)]
    pub(crate) bearer: Bearer,
    /// Add up coverage that was written before, instead of asking a sandbox: files, or folders of them [repeatable]
    #[arg(long, env = "FUNDSIM_FROM", value_name = "PATH", num_args = 1.., value_hint = clap::ValueHint::AnyPath)]
    pub(crate) from: Vec<PathBuf>,
    /// Fail when the share of what was met, in whole percent, is below this
    #[arg(long, env = "FUNDSIM_FAIL_UNDER", value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) fail_under: Option<u8>,
    /// Write the result as one HTML page
    #[arg(long, env = "FUNDSIM_HTML", value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Show all that was never met, instead of the first rows of each group
    #[arg(long, env = "FUNDSIM_ALL", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) all: bool,
    /// Format of the output
    #[arg(long, env = "FUNDSIM_OUTPUT", value_enum, default_value_t)]
    pub(crate) output: Output,
}

/// What `health` asks, and whom.
#[derive(Args)]
pub(crate) struct Health {
    /// The sandbox [default: http://127.0.0.1:8080, or the address in FUNDSIM_LISTEN; https where FUNDSIM_TLS_CERT or
    /// FUNDSIM_TLS_SELF_SIGNED is set]
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Certificates, as PEM, by which that of an https server is trusted, instead of those that this machine or SSL_CERT_FILE names:
    /// of its issuer, or its own
    #[arg(long, env = "FUNDSIM_CA_FILE", value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,
    /// Time limit for the answer, as in 5s or 500ms
    #[arg(long, env = "FUNDSIM_TIMEOUT", value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub(crate) timeout: Duration,
}

/// Setups that are built in.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SetupOf {
    /// Two partners with three clients, and an account of each kind
    Demo,
    /// A thousand accounts with a history of half a year
    History,
}

/// What a JSON Schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// Scenario files
    Scenario,
    /// Setups of worlds
    Setup,
}

/// A part of the description of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlaneOf {
    /// What partners integrate against, with webhooks
    Partner,
    /// What customers, banks, fund companies and others cause
    Levers,
    /// Worlds, clocks, faults, and looking back
    Machinery,
}

impl From<PlaneOf> for sandbox::Plane {
    fn from(plane: PlaneOf) -> Self {
        match plane {
            PlaneOf::Partner => Self::Partner,
            PlaneOf::Levers => Self::Levers,
            PlaneOf::Machinery => Self::Machinery,
        }
    }
}

/// How much of the history of its resources a failure shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhysOf {
    /// A dozen lines of the latest changes
    Short,
    /// Every change
    Full,
}

impl From<WhysOf> for Whys {
    fn from(whys: WhysOf) -> Self {
        match whys {
            WhysOf::Short => Self::Short,
            WhysOf::Full => Self::Full,
        }
    }
}

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// For people
    #[default]
    Text,
    /// For scripts
    Json,
}

/// Examples of `serve`.
const SERVE: &str = "Examples:\n  \
    fundsim serve\n  \
    fundsim serve --seed 42 --start 2026-03-02T08:00:00+01:00 --clock frozen\n  \
    fundsim serve --listen 127.0.0.1:0 --output json\n  \
    fundsim serve --clock 1440        # a day a minute\n  \
    fundsim serve --tls-self-signed\n  \
    fundsim serve --tls-cert server.pem --tls-key server.key --ca-file partners.pem\n  \
    fundsim serve --log-format json 2> log.jsonl\n  \
    fundsim serve --log-level sandbox::deliveries=info,warn";

/// What ends the help of `serve`.
fn serve_help() -> String {
    if cfg!(feature = "otel") {
        format!(
            "{SERVE}\n\nOTEL_EXPORTER_OTLP_ENDPOINT names a collector of OpenTelemetry that spans of requests are sent to, as JSON \
             over HTTP, such as http://127.0.0.1:4318."
        )
    } else {
        SERVE.to_owned()
    }
}

#[derive(Args)]
pub(crate) struct Open {
    /// The capsule
    pub(crate) file: PathBuf,
    /// Address to listen on; port 0 picks one
    #[arg(long, env = "FUNDSIM_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: String,
    /// What is printed when the world can be looked at
    #[arg(long, env = "FUNDSIM_OUTPUT", value_enum, default_value = "text")]
    pub(crate) output: Output,
}

/// Whether this build keeps logs of several instances at such a URL.
///
/// # Errors
/// Why not, in words.
pub(crate) fn is_log(url: &str) -> Result<(), String> {
    let (name, feature, is_there, packed) = match url.split_once("://") {
        Some(("postgres" | "postgresql", _)) => {
            ("PostgreSQL", "postgres", cfg!(feature = "postgres"), ", and packed programs have it")
        }
        Some(("etcd" | "etcds", _)) => ("etcd", "etcd", cfg!(feature = "etcd"), ""),
        _ => {
            let forms = "postgres://user@host/sandbox or etcd://host,host,host/sandbox";
            return Err(format!("the URL begins with postgres:// or etcd://, as in {forms}"));
        }
    };
    if is_there {
        return Ok(());
    }
    Err(format!("this build has no {name}; `cargo build --release --features {feature}` makes one that has{packed}"))
}

/// Where worlds are kept.
#[derive(Clone)]
pub(crate) enum Kept {
    /// In the folder of `serve --data`.
    Folder(PathBuf),
    /// In a log that several instances share, of `serve --log`: its URL, which may hold a password.
    #[cfg(feature = "several")]
    Log(String),
}

impl Kept {
    fn of(place: PathBuf) -> Result<Self, String> {
        match place.to_str() {
            Some(url) if url.contains("://") => {
                is_log(url)?;
                #[cfg(feature = "several")]
                return Ok(Self::Log(url.to_owned()));
                #[cfg(not(feature = "several"))]
                Err("this build keeps no log of several instances".to_owned())
            }
            _ => Ok(Self::Folder(place)),
        }
    }
}

/// What is done with what `serve --data` and `serve --log` keep.
#[derive(Subcommand)]
pub(crate) enum Data {
    /// Read all of it, and say whether anything is damaged
    Check {
        /// The folder, or the URL of a log that several instances share
        #[arg(value_name = "FOLDER|URL", value_parser = PathBufValueParser::new().try_map(Kept::of))]
        kept: Kept,
    },
    /// Write its records to standard output, one JSON object a line
    Export {
        /// The folder, or the URL of a log that several instances share
        #[arg(value_name = "FOLDER|URL", value_parser = PathBufValueParser::new().try_map(Kept::of))]
        kept: Kept,
    },
    /// Make a folder, or fill a log, of records that were exported
    Import {
        /// The folder, empty or absent; or the URL of a log without records
        #[arg(value_name = "FOLDER|URL", value_parser = PathBufValueParser::new().try_map(Kept::of))]
        kept: Kept,
        /// The records; - for standard input
        file: PathBuf,
    },
    /// Write its file anew, without worlds that were dropped and as small as it can be
    Compact {
        /// The folder
        folder: PathBuf,
    },
    /// Keep the present state of all worlds in it, so that a later version of fundsim, whose rules are other ones, can continue them
    Snapshot {
        /// The folder, or the URL of a log that several instances share
        #[arg(value_name = "FOLDER|URL", value_parser = PathBufValueParser::new().try_map(Kept::of))]
        kept: Kept,
    },
    /// Let worlds of earlier rules continue by the rules of this version, from their last snapshot
    Upgrade {
        /// The folder, or the URL of a log that several instances share
        #[arg(value_name = "FOLDER|URL", value_parser = PathBufValueParser::new().try_map(Kept::of))]
        kept: Kept,
    },
}

#[derive(Args)]
#[command(after_help = serve_help())]
pub(crate) struct Serve {
    /// Address to listen on; port 0 picks one [default: 127.0.0.1:8080]
    #[arg(long, env = "FUNDSIM_LISTEN", value_name = "ADDRESS")]
    pub(crate) listen: Option<String>,
    /// Setup of the world, YAML or JSON [default: the demo world]
    #[arg(long, env = "FUNDSIM_WORLD", value_name = "FILE")]
    pub(crate) world: Option<PathBuf>,
    /// Seed of the world [default: drawn and printed]
    #[arg(long, env = "FUNDSIM_SEED", value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Restore the world of a snapshot file, downloaded from
    /// `/_sandbox/worlds/{worldId}/snapshots/{snapshotId}/file`, with its own seed, start and setup
    #[arg(long, env = "FUNDSIM_SNAPSHOT", value_name = "FILE", conflicts_with_all = ["world", "seed", "start"])]
    pub(crate) snapshot: Option<PathBuf>,
    /// Instant at which the world starts [default: now]
    #[arg(long, env = "FUNDSIM_START", value_name = "RFC3339")]
    pub(crate) start: Option<String>,
    /// How the world's time passes: real, frozen, or a factor of real time [default: real]
    #[arg(long, env = "FUNDSIM_CLOCK", value_name = "real|frozen|FACTOR")]
    pub(crate) clock: Option<String>,
    /// The same options from a file, YAML or JSON; flags override it
    #[arg(long, env = "FUNDSIM_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Largest number of worlds [default: 1000]
    #[arg(long, env = "FUNDSIM_MAX_WORLDS", value_name = "N")]
    pub(crate) max_worlds: Option<NonZeroUsize>,
    /// Memory limit of the server, as in 2GiB; above it, requests that need more are answered 503, and reads still work
    /// [default: three quarters of what this machine has]
    #[arg(long, env = "FUNDSIM_MAX_MEMORY", value_name = "SIZE", value_parser = mebibytes)]
    pub(crate) max_memory: Option<u64>,
    /// Memory limit of one world, estimated from its records [default: half of the server's]
    #[arg(long, env = "FUNDSIM_MAX_WORLD_MEMORY", value_name = "SIZE", value_parser = mebibytes)]
    pub(crate) max_world_memory: Option<u64>,
    /// Delete worlds that have had no request for this time, such as 30m, and have no open socket; never the first world
    /// [default: worlds are kept]
    #[arg(long, env = "FUNDSIM_WORLD_EXPIRY", value_name = "TIME")]
    pub(crate) world_expiry: Option<String>,
    /// Folder in which worlds, credentials, tokens and deliveries are kept, so that the next start continues from them; created if
    /// it does not exist. Nothing is answered before it is on the disk [default: everything is lost with the process]
    #[arg(long, env = "FUNDSIM_DATA", value_name = "FOLDER", group = "kept")]
    pub(crate) data: Option<PathBuf>,
    /// Database in which the log is kept that several instances share, such as postgres://user@host/sandbox or
    /// etcd://host,host,host/sandbox: one of them leads, the others follow and forward requests to it [installed programs
    /// support PostgreSQL; a build from source needs the feature `postgres` or `etcd`]
    #[arg(
        long,
        env = "FUNDSIM_LOG",
        value_name = "URL",
        hide_env_values = true,
        group = "kept",
        conflicts_with = "snapshot"
    )]
    pub(crate) log: Option<String>,
    /// URL at which the other instances reach this one [default: the address listened on, where that is one address]
    #[arg(long, env = "FUNDSIM_ADVERTISE", value_name = "URL", requires = "log")]
    pub(crate) advertise: Option<String>,
    /// What a clock that is paced by a factor does while no server runs; a real clock always goes on [default: stands]
    #[arg(long, env = "FUNDSIM_CLOCK_WHILE_DOWN", value_enum, requires = "kept")]
    pub(crate) clock_while_down: Option<WhileDown>,
    /// Time limit for a stop, such as 60s: the server waits for sockets whose clients still read events; without such
    /// sockets it stops in less than two seconds [default: 25s]
    #[arg(long, env = "FUNDSIM_STOP_WITHIN", value_name = "TIME")]
    pub(crate) stop_within: Option<String>,
    /// Base URL of links in answers [default: the address listened on]
    #[arg(long, env = "FUNDSIM_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// File with the key from which client ids, secrets, signing keys and links are derived, so that they are the same at each
    /// start; created if it does not exist [default: a publicly known key on loopback; a new key at each start if others
    /// can reach the server]
    #[arg(long, env = "FUNDSIM_KEY_FILE", value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Speak HTTPS with the certificates of this PEM file: the server's own first, then those of its issuers. SIGHUP has them read
    /// again [default: plain HTTP]
    #[arg(long, env = "FUNDSIM_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// PEM file with the private key of that certificate, without a passphrase
    #[arg(long, env = "FUNDSIM_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Speak HTTPS with a certificate that is made for tries: for localhost, 127.0.0.1, ::1, the address listened on, and the hosts of
    /// --public-url and --allow-host. With --data it is kept; the start prints its file for clients
    #[arg(long, env = "FUNDSIM_TLS_SELF_SIGNED", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue, conflicts_with_all = ["tls_cert", "tls_key"])]
    pub(crate) tls_self_signed: bool,
    /// File to write that certificate to, for clients, as in curl --cacert FILE [default: certificate.pem in the folder of
    /// --data; without one, a temporary file that the stop removes]
    #[arg(long, env = "FUNDSIM_TLS_CERT_OUT", value_name = "FILE", requires = "tls_self_signed")]
    pub(crate) tls_cert_out: Option<PathBuf>,
    /// Certificates, as PEM, by which those of https receivers of callbacks and webhooks are trusted, instead of those that this
    /// machine or SSL_CERT_FILE names: of their issuers, or their own
    #[arg(long, env = "FUNDSIM_CA_FILE", value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,
    /// Name of the environment variable that holds the operator's token for /_sandbox
    #[arg(long, env = "FUNDSIM_OPERATOR_TOKEN_ENV", value_name = "NAME")]
    pub(crate) operator_token_env: Option<String>,
    /// More host names to accept in requests, beside those of this machine, the address listened on and the public URL:
    /// such as fundsim or *.sandbox.example [repeatable, or separated by commas]
    #[arg(long, env = "FUNDSIM_ALLOW_HOST", value_name = "NAMES", value_delimiter = ',')]
    pub(crate) allow_host: Vec<HostName>,
    /// Let others reach the server without an operator's token: by an address beyond loopback, a name, or a proxy
    #[arg(long, env = "FUNDSIM_OPEN", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) open: bool,
    /// Addresses that callbacks and webhooks may go to although they are not on the public internet, such as 10.0.0.0/8;
    /// needed only when others can reach the server, which then refuses them [repeatable, or separated by commas]
    #[arg(long, env = "FUNDSIM_ALLOW_EGRESS", value_name = "ADDRESSES", value_delimiter = ',')]
    pub(crate) allow_egress: Vec<Network>,
    /// Send no callbacks and webhooks to this machine itself; a server that others can reach sends it none anyway, unless
    /// --allow-egress names 127.0.0.0/8
    #[arg(long, env = "FUNDSIM_NO_LOOPBACK_EGRESS", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) no_loopback_egress: bool,
    /// What to print once the port accepts [default: text]
    #[arg(long, env = "FUNDSIM_OUTPUT", value_enum)]
    pub(crate) output: Option<Output>,
    /// Log level on standard error: off, error, warn (with shortages, failed deliveries and dropped connections), info (with
    /// every request, event and delivery) or debug (with the server's own upkeep); also by target, as in
    /// sandbox::deliveries=warn,info. Targets are sandbox::requests, sandbox::events, sandbox::deliveries, sandbox::worlds and
    /// sandbox::server [default: info]
    #[arg(long, env = "FUNDSIM_LOG_LEVEL", value_name = "LEVELS")]
    pub(crate) log_level: Option<Wanted>,
    /// Format of log lines: text, or one JSON object a line [default: text]
    #[arg(long, env = "FUNDSIM_LOG_FORMAT", value_enum)]
    pub(crate) log_format: Option<LogFormat>,
}

/// What a paced clock does while no server runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhileDown {
    /// It goes on from where it was
    #[default]
    #[value(name = "stands")]
    Paused,
    /// It shows what it would show if the server had run
    Runs,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    #[default]
    Text,
    /// For machines
    Json,
}

/// What carries the requests of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DriverName {
    /// A simulated network
    Turmoil,
    /// No network, fastest
    InProcess,
    /// A running server, with --url
    Live,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    fundsim run story.yaml\n  \
    fundsim run stories/orders --filter easter --transcript out\n  \
    fundsim run stories --filter '!years' --list\n  \
    fundsim run - < story.yaml\n  \
    fundsim run stories/performance --pictures out\n  \
    fundsim run stories --html report.html\n  \
    fundsim run stories/orders --watch\n  \
    fundsim run stories --driver live --url http://127.0.0.1:8080 --junit results.xml\n  \
    fundsim run stories --driver live --url http://127.0.0.1:8080 --timeout 5s\n  \
    fundsim run stories --driver live --url http://127.0.0.1:9000 --foreign partners.json\n  \
    fundsim run stories --app http://127.0.0.1:3000\n  \
    fundsim run stories --app https://portfolio.example --app-header \"authorization: Bearer $TOKEN\" --url http://127.0.0.1:8080\n\n\
    Exit status: 0 all passed, 1 a story failed, 2 the input is not usable; with --watch 0 when it is interrupted.")]
pub(crate) struct Run {
    /// Scenario files, or folders of them; - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// How requests reach the sandbox
    #[arg(long, env = "FUNDSIM_DRIVER", value_enum, default_value = "turmoil")]
    pub(crate) driver: DriverName,
    /// The server to run against, for the live driver [default with --app: http://127.0.0.1:8080]
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The application under test, which uses that server. Stories with `app` and `expect app` ask it; they play in the world that the
    /// application uses, once, in real time, and leave the world there. Other stories are played as without it
    #[arg(long, env = "FUNDSIM_APP", value_name = "URL", conflicts_with_all = ["foreign", "bless"])]
    pub(crate) app: Option<String>,
    /// Who the application is for, and how it is asked
    #[command(flatten)]
    pub(crate) tested: Tested,
    /// Certificates, as PEM, by which that of an https server is trusted, instead of those that this machine or SSL_CERT_FILE names:
    /// of its issuer, or its own
    #[arg(long, env = "FUNDSIM_CA_FILE", value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,
    /// Time limit for a whole response of that server, or for a connection, as in 5s or 500ms [default: 60s; 10s for the
    /// first check that it is reachable]
    #[arg(long, env = "FUNDSIM_TIMEOUT", value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// Name of the environment variable that holds that server's operator token
    #[arg(long, env = "FUNDSIM_OPERATOR_TOKEN_ENV", value_name = "NAME")]
    pub(crate) operator_token_env: Option<String>,
    /// For a server other than fundsim: a file that names its partners, in the form of `serve --output json`. Only stories of
    /// the partner API run; stories that need a clock, levers, pages or their own world are skipped and counted
    #[arg(long, env = "FUNDSIM_FOREIGN", value_name = "FILE", requires = "url", conflicts_with_all = ["bless", "pictures", "watch"])]
    pub(crate) foreign: Option<PathBuf>,
    /// Seed to use instead of those in the files; transcripts are then not compared with goldens
    #[arg(long, env = "FUNDSIM_SEED", value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Files run in parallel [default: as many as there are cores]
    #[arg(long, env = "FUNDSIM_JOBS", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Only files whose path or title contains this text, or that have it as a tag; with ! before it, all other files
    /// [repeatable, or separated by commas]
    #[arg(long, env = "FUNDSIM_FILTER", value_name = "TEXT", value_delimiter = ',')]
    pub(crate) filter: Vec<String>,
    /// List the stories that would run, and run none
    #[arg(long, env = "FUNDSIM_LIST", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) list: bool,
    /// Start no more stories after a failure
    #[arg(long, env = "FUNDSIM_FAIL_FAST", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) fail_fast: bool,
    /// Keep running: run stories again when their file, or a file it uses, changes; the first Ctrl-C lets running stories end
    #[arg(long, env = "FUNDSIM_WATCH", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) watch: bool,
    /// Write the results as JUnit XML
    #[arg(long, env = "FUNDSIM_JUNIT", value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write the results as one HTML page, each story drawn on a line of simulated time
    #[arg(long, env = "FUNDSIM_HTML", value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write every transcript into this folder
    #[arg(long, env = "FUNDSIM_TRANSCRIPT", value_name = "DIR")]
    pub(crate) transcript: Option<PathBuf>,
    /// Draw the history of every account that a story has named, and the sequence of what happened, and write the diagrams into this
    /// folder, as SVG
    #[arg(long, env = "FUNDSIM_PICTURES", value_name = "DIR")]
    pub(crate) pictures: Option<PathBuf>,
    /// Write the world of each story that fails into this folder, as it was at the end, for `fundsim open`
    #[arg(long, env = "FUNDSIM_CAPSULES", value_name = "DIR", conflicts_with = "foreign")]
    pub(crate) capsules: Option<PathBuf>,
    /// How much of the history of a failed step's resources is shown; reports always show all of it
    #[arg(long, env = "FUNDSIM_WHY", value_enum, default_value = "short")]
    pub(crate) why: WhysOf,
    /// Rewrite the golden transcripts next to the files
    #[arg(long, env = "FUNDSIM_BLESS", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) bless: bool,
    /// How results are written
    #[arg(long, env = "FUNDSIM_OUTPUT", value_enum, default_value = "text")]
    pub(crate) output: Output,
}

/// The application under test, and the partner whose it is.
#[derive(Args)]
pub(crate) struct Tested {
    /// A header of every request to the application, as in 'authorization: Bearer ...'; its value is masked wherever it is shown
    /// [repeatable; one in the environment]
    #[arg(long, env = "FUNDSIM_APP_HEADER", value_name = "HEADER", hide_env_values = true)]
    pub(crate) app_header: Vec<String>,
    /// The world that the application uses, by id or name; current is that of --client-id [default: the partner's own;
    /// without a partner, the server's first]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// The partner whose application it is, with --client-secret [default: the first of the world, as the operator reads it]
    #[arg(long, env = "FUNDSIM_CLIENT_ID", value_name = "ID")]
    pub(crate) client_id: Option<String>,
    /// The partner's secret
    #[arg(
        long,
        env = "FUNDSIM_CLIENT_SECRET",
        value_name = "SECRET",
        hide_env_values = true,
        allow_hyphen_values = true
    )]
    pub(crate) client_secret: Option<String>,
}

#[derive(Args)]
#[command(after_help = "Example:\n  \
    fundsim serve --clock frozen --start 2026-03-27T08:00:00+01:00\n  \
    fundsim exercise --app http://127.0.0.1:3000 --holdings 'GET /holdings' --map exercise/map.yaml --for 60s\n\n\
    The map names fragments of stories that use the application, and says where its answer has cash and units:\n  \
    customer: customer.yaml     # makes a customer with {cash}; names `customer` and `account`\n  \
    deposit: deposit.yaml       # {customer} pays in {amount}\n  \
    buy: buy.yaml               # {customer} buys {fund} for {amount}, under the key {key}\n  \
    rest: night.yaml            # what the application does each night\n  \
    fresh: fresh.yaml           # begins the world and the application anew\n  \
    holdings: { cash: \"accounts[?@.account == '{account}'].cash\" }\n\n\
    Ctrl-C ends after the present run.\n\
    Exit status: 0 it was right at each rest, 1 a difference was found, 2 the input is not usable, 130 interrupted while it was right.")]
pub(crate) struct Exercise {
    /// The application under test
    #[arg(long, env = "FUNDSIM_APP", value_name = "URL")]
    pub(crate) app: String,
    /// The sandbox that it uses
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) url: String,
    /// The request by which the application says what it holds, such as 'GET /holdings'; {account} and {customer} are filled in
    #[arg(long, env = "FUNDSIM_HOLDINGS", value_name = "REQUEST")]
    pub(crate) holdings: String,
    /// A file that says how the application is used and where its answer has what
    #[arg(long, env = "FUNDSIM_MAP", value_name = "FILE")]
    pub(crate) map: PathBuf,
    /// How long runs are begun, as in 60s or 5m
    #[arg(long = "for", env = "FUNDSIM_FOR", value_name = "TIME", default_value = "60s")]
    pub(crate) time: String,
    /// The first seed; the next runs count up from it
    #[arg(long, env = "FUNDSIM_SEED", value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Steps drawn for each run
    #[arg(long, env = "FUNDSIM_STEPS", value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) steps: u16,
    /// Folder for the story of a difference
    #[arg(long, env = "FUNDSIM_SAVE", value_name = "DIR", default_value = "found")]
    pub(crate) save: PathBuf,
    /// Who it is for, and how it is asked
    #[command(flatten)]
    pub(crate) tested: Tested,
    /// Certificates, as PEM, by which those of https servers are trusted, instead of those that this machine or SSL_CERT_FILE names:
    /// of their issuers, or their own
    #[arg(long, env = "FUNDSIM_CA_FILE", value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,
    /// Time limit for a whole response of a server, as in 5s or 500ms [default: 60s]
    #[arg(long, env = "FUNDSIM_TIMEOUT", value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// Name of the environment variable that holds the sandbox's operator token
    #[arg(long, env = "FUNDSIM_OPERATOR_TOKEN_ENV", value_name = "NAME")]
    pub(crate) operator_token_env: Option<String>,
    /// How results are written
    #[arg(long, env = "FUNDSIM_OUTPUT", value_enum, default_value = "text")]
    pub(crate) output: Output,
}

#[derive(Args)]
#[command(after_help = "Example:\n  fundsim check story.yaml\n\n\
    Exit status: 0 no mistakes, 1 mistakes found, 2 a path is not usable.")]
pub(crate) struct Check {
    /// Scenario files, or folders of them
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// How results are written
    #[arg(long, env = "FUNDSIM_OUTPUT", value_enum, default_value = "text")]
    pub(crate) output: Output,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    fundsim fuzz --for 60s\n  \
    fundsim fuzz --for 10m --seeds 500000..\n  \
    fundsim fuzz --for 8h --nightly --save found --output json\n  \
    fundsim fuzz --seeds 1..2000 --steps 500 --save found\n  \
    fundsim fuzz --machine orders --level network --seeds 1..200\n  \
    fundsim fuzz --url http://127.0.0.1:9000 --foreign partners.json --seeds 1..50\n\n\
    Ctrl-C lets present runs end and prints their results; a second Ctrl-C stops immediately.\n\
    Exit status: 0 every law held, 1 a law was broken, 2 the input is not usable, 130 interrupted while every law held.")]
pub(crate) struct Fuzz {
    /// State machine to visit, or all
    #[arg(long, env = "FUNDSIM_MACHINE", value_name = "NAME", default_value = "all")]
    pub(crate) machine: String,
    /// What the generated steps act on
    #[arg(long, env = "FUNDSIM_LEVEL", value_enum, default_value = "world")]
    pub(crate) level: Level,
    /// A server other than fundsim, to call as a partner instead of a simulated world
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL", requires = "foreign", conflicts_with_all = ["machine", "level", "keep"])]
    pub(crate) url: Option<String>,
    /// A file that names its partners, as `serve --output json` does
    #[arg(long, env = "FUNDSIM_FOREIGN", value_name = "FILE", requires = "url")]
    pub(crate) foreign: Option<PathBuf>,
    /// Certificates, as PEM, by which that of an https server is trusted, instead of those that this machine or SSL_CERT_FILE names:
    /// of its issuer, or its own
    #[arg(long, env = "FUNDSIM_CA_FILE", value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,
    /// How long that server may take for a whole response, as in 5s or 500ms [default: 10s]
    #[arg(long, env = "FUNDSIM_TIMEOUT", value_name = "TIME", requires = "url")]
    pub(crate) timeout: Option<String>,
    /// Seeds to run, first and past the last; `A..` counts up from A for as long as --for says
    #[arg(long, env = "FUNDSIM_SEEDS", value_name = "A..B")]
    pub(crate) seeds: Option<String>,
    /// Count up from a first seed of today's, by the clock of this machine in UTC; it is printed
    #[arg(long, env = "FUNDSIM_NIGHTLY", conflicts_with = "seeds", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) nightly: bool,
    /// How long to run, as in 60s or 5m [default: 60s, unless a last seed is given]
    #[arg(long = "for", env = "FUNDSIM_FOR", value_name = "TIME")]
    pub(crate) time: Option<String>,
    /// The seeds that --nightly has on that day, as in 2026-03-02: the same for all machines
    #[arg(long, env = "FUNDSIM_NIGHT", value_name = "DATE", conflicts_with_all = ["seeds", "nightly"])]
    pub(crate) night: Option<String>,
    /// Run one of N parts of the seeds, counted from 0 [default: JOB_COMPLETION_INDEX of FUNDSIM_SHARDS, or the task of a Slurm array]
    #[arg(long, env = "FUNDSIM_SHARD", value_name = "I/N", conflicts_with = "foreign")]
    pub(crate) shard: Option<String>,
    /// Put the reports of all parts together that a folder holds, instead of running anything
    #[arg(long, env = "FUNDSIM_MERGE", value_name = "DIR", conflicts_with_all = ["seeds", "nightly", "night", "shard", "keep", "foreign", "report"])]
    pub(crate) merge: Option<PathBuf>,
    /// Write the report as JSON: to a file that ends in .json, or to a folder under the name of the part
    #[arg(long, env = "FUNDSIM_REPORT", value_name = "FILE|DIR", conflicts_with = "foreign")]
    pub(crate) report: Option<PathBuf>,
    /// Write the report as a page: what was never met, state tables and commands as maps
    #[arg(long, env = "FUNDSIM_HTML", value_name = "FILE", conflicts_with = "foreign")]
    pub(crate) html: Option<PathBuf>,
    /// How long one seed may take, and its shrinking, before the others go on without it [default: 60s]
    #[arg(long, env = "FUNDSIM_SEED_TIMEOUT", value_name = "TIME", conflicts_with = "foreign")]
    pub(crate) seed_timeout: Option<String>,
    /// Steps drawn for each run; steps without effect are not counted [default: 2000, over the network and on hosts 100, around a consumer 40]
    #[arg(long, env = "FUNDSIM_STEPS", value_name = "N")]
    pub(crate) steps: Option<u32>,
    /// Folder for shrunk failures [default: found]
    #[arg(long, env = "FUNDSIM_SAVE", value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// Another build of fundsim, such as the last release: it plays what is found, and the finding says whether it fails there, too
    #[arg(long, env = "FUNDSIM_BASELINE", value_name = "PROGRAM", conflicts_with_all = ["foreign", "merge"])]
    pub(crate) baseline: Option<PathBuf>,
    /// Folder in which every run is kept, for `fundsim replay`; at world level only
    #[arg(long, env = "FUNDSIM_KEEP", value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
    /// How results are written
    #[arg(long, env = "FUNDSIM_OUTPUT", value_enum, default_value = "text")]
    pub(crate) output: Output,
}

/// At which level generated runs play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Commands directly on a world
    World,
    /// Requests over a simulated network
    Network,
    /// Outages around a partner that keeps a copy
    Consumer,
    /// Acts of the host: going back, forks, settings, rules, webhooks
    Host,
}
