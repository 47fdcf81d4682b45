//! What can be given on the command line.
//!
//! Every flag has a variable in the environment, `FUNDSIM_` and its name; what is written on the command line wins.

use crate::paint::Color;
use crate::period::mebibytes;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use hosting::log::Wanted;
use hosting::network::Network;
use runner::report::text::Whys;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use surface::admission::HostName;

/// A partner fund-distribution service, whole, in memory and deterministic.
#[derive(Parser)]
#[command(name = "fundsim", version, about, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(after_help = "Examples:\n  \
    fundsim serve\n  \
    fundsim run scenarios\n  \
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
    /// Repeat runs that `fuzz --keep` has written, in this process and build
    Replay {
        /// Kept runs, or folders of them
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
    /// Read scenario files without running them, and show every mistake in its place
    Check(Check),
    /// Ask a running sandbox how something came to be as it is: requests, timers, rows of state tables, bookings, deliveries
    #[command(after_help = "Example:\n  fundsim why --url http://127.0.0.1:8080 15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72")]
    Why(Why),
    /// Write down what a world of a running sandbox has seen, as a scenario file
    #[command(after_help = "Examples:\n  fundsim record --url http://127.0.0.1:8080 --output session.yaml\n  \
            fundsim record --world world-2 > session.yaml\n  fundsim run session.yaml")]
    Record(Record),
    /// Print what the code says about itself: state tables, refusals, routes, steps and more
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
    /// Print the OpenAPI document of all planes: the partner API, the levers, the machinery
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
        /// What it is to describe
        #[arg(value_enum, default_value = "scenario")]
        of: SchemaOf,
    },
    /// Print a built-in setup as a file, for `serve --world`
    #[command(after_help = "Examples:\n  fundsim setup > world.yaml && fundsim serve --world world.yaml\n  \
            fundsim setup history > world.yaml     # 1,000 accounts that have half a year behind them")]
    Setup {
        /// Which one
        #[arg(value_enum, default_value = "demo")]
        which: SetupOf,
    },
    /// Print completions for a shell
    #[command(after_help = "Example:\n  fundsim completions bash > /etc/bash_completion.d/fundsim")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the notices of the software by others that is in this program
    #[command(after_help = "Example:\n  fundsim licenses | less")]
    Licenses,
    /// Print the manual page
    #[command(after_help = "Examples:\n  fundsim man | man -l -\n  fundsim man > /usr/local/share/man/man1/fundsim.1")]
    Man,
}

/// Who asks a running sandbox: a partner of one of its worlds, the operator, or whoever reaches an open one.
#[derive(Args)]
pub(crate) struct Bearer {
    /// An access token of a partner of the world
    #[arg(long, env = "FUNDSIM_TOKEN", value_name = "TOKEN", hide_env_values = true, allow_hyphen_values = true, conflicts_with_all = ["client_id", "operator_token_env"])]
    pub(crate) token: Option<String>,
    /// A partner of the world, who gets a token for it by --client-secret
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
    /// Name of the environment variable that holds the operator's token
    #[arg(long, env = "FUNDSIM_OPERATOR_TOKEN_ENV", value_name = "NAME")]
    pub(crate) operator_token_env: Option<String>,
    /// How long the server may take for an answer, as in 5s or 500ms [default: 60s; whether it is there at all is asked first,
    /// and waited for no longer than 10s]
    #[arg(long, env = "FUNDSIM_TIMEOUT", value_name = "TIME")]
    pub(crate) timeout: Option<String>,
}

/// What `why` asks, and whom.
#[derive(Args)]
pub(crate) struct Why {
    /// Id of an event, a delivery, a webhook, or of anything that the API shows: an order, a transaction, a plan
    pub(crate) id: uuid::Uuid,
    /// The sandbox
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) url: String,
    /// The world [default: the partner's own; without a partner, whichever knows the id]
    #[arg(long, value_name = "ID")]
    pub(crate) world: Option<String>,
    /// How many changes at most, the last ones
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) limit: u16,
    /// Each delivery by itself, with its id and instant, instead of how many there are
    #[arg(long)]
    pub(crate) deliveries: bool,
    #[command(flatten)]
    pub(crate) bearer: Bearer,
    /// How it is told
    #[arg(long, value_enum, default_value_t)]
    pub(crate) output: Output,
}

/// What `record` asks, and whom.
#[derive(Args)]
pub(crate) struct Record {
    /// The sandbox
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) url: String,
    /// The world [default: the partner's own; without a partner, the first]
    #[arg(long, value_name = "ID")]
    pub(crate) world: Option<String>,
    #[command(flatten)]
    pub(crate) bearer: Bearer,
    /// File to write to, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Setups that are built in.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SetupOf {
    /// Two partners with three clients, and an account of each kind
    Demo,
    /// A thousand accounts with half a year behind them
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

/// How much a failure tells of the past of what it names.
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
    /// Go on from a world in a file, as `/_sandbox/worlds/{worldId}/snapshots/{snapshotId}/file` gives it; seed, start and setup
    /// are its own
    #[arg(long, env = "FUNDSIM_SNAPSHOT", value_name = "FILE", conflicts_with_all = ["world", "seed", "start"])]
    pub(crate) snapshot: Option<PathBuf>,
    /// Instant at which the world starts [default: now]
    #[arg(long, env = "FUNDSIM_START", value_name = "RFC3339")]
    pub(crate) start: Option<String>,
    /// How the world's time passes: real, frozen, or a factor of real time [default: real]
    #[arg(long, env = "FUNDSIM_CLOCK", value_name = "real|frozen|FACTOR")]
    pub(crate) clock: Option<String>,
    /// The same settings from a file, YAML or JSON; flags win over it
    #[arg(long, env = "FUNDSIM_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Worlds that may stand at once [default: 1000]
    #[arg(long, env = "FUNDSIM_MAX_WORLDS", value_name = "N")]
    pub(crate) max_worlds: Option<NonZeroUsize>,
    /// Memory that the server may take, as in 2GiB; then what would take more is answered 503, and reads go on
    /// [default: three quarters of what this machine has]
    #[arg(long, env = "FUNDSIM_MAX_MEMORY", value_name = "SIZE", value_parser = mebibytes)]
    pub(crate) max_memory: Option<u64>,
    /// Memory that one world may take, as its records are reckoned [default: half of the server's]
    #[arg(long, env = "FUNDSIM_MAX_WORLD_MEMORY", value_name = "SIZE", value_parser = mebibytes)]
    pub(crate) max_world_memory: Option<u64>,
    /// Drop worlds that nobody has asked anything for so long, such as 30m, and that have no open socket; never the first
    /// [default: none is dropped]
    #[arg(long, env = "FUNDSIM_WORLD_EXPIRY", value_name = "TIME")]
    pub(crate) world_expiry: Option<String>,
    /// Folder for a note of what runs here, so that the next start can tell what a kill has taken; `none` for no note
    /// [default: fundsim, in the user's folder for such things; no note with port 0]
    #[arg(long, env = "FUNDSIM_STATE", value_name = "FOLDER")]
    pub(crate) state: Option<PathBuf>,
    /// How long a stop may take while sockets lag whose readers still take events, such as 60s; without such sockets it takes less
    /// than two seconds [default: 25s]
    #[arg(long, env = "FUNDSIM_STOP_WITHIN", value_name = "TIME")]
    pub(crate) stop_within: Option<String>,
    /// What links in answers begin with [default: the address listened on]
    #[arg(long, env = "FUNDSIM_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// File with the key that client ids, secrets, signing keys and links are made of, so that they stay the same at each start; made
    /// where there is none [default: a public key on loopback, and a new one at each start where others can reach the server]
    #[arg(long, env = "FUNDSIM_KEY_FILE", value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Name of the environment variable that holds the operator's token for /_sandbox
    #[arg(long, env = "FUNDSIM_OPERATOR_TOKEN_ENV", value_name = "NAME")]
    pub(crate) operator_token_env: Option<String>,
    /// Host names that requests may come with, beside those of this machine, the address listened on and the public URL's:
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
    /// What to tell on standard error: off, error, warn (and shortages, attempts to deliver that failed, dropped connections),
    /// info (and every request, event and delivery) or debug (and what looks after the server); also by target, as in
    /// sandbox::deliveries=warn,info. Targets are sandbox::requests, sandbox::events, sandbox::deliveries, sandbox::worlds and
    /// sandbox::server [default: info]
    #[arg(long, env = "FUNDSIM_LOG_LEVEL", value_name = "LEVELS")]
    pub(crate) log_level: Option<Wanted>,
    /// How those lines are written: for people, or an object a line [default: text]
    #[arg(long, env = "FUNDSIM_LOG_FORMAT", value_enum)]
    pub(crate) log_format: Option<LogFormat>,
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
    fundsim run scenarios\n  \
    fundsim run scenarios/orders --filter easter --transcript out\n  \
    fundsim run scenarios --filter '!years' --list\n  \
    fundsim run - < story.yaml\n  \
    fundsim run scenarios/performance --pictures out\n  \
    fundsim run scenarios --html report.html\n  \
    fundsim run scenarios/orders --watch\n  \
    fundsim run scenarios --driver live --url http://127.0.0.1:8080 --junit results.xml\n  \
    fundsim run scenarios --driver live --url http://127.0.0.1:8080 --timeout 5s\n  \
    fundsim run scenarios --driver live --url http://127.0.0.1:9000 --foreign partners.json\n\n\
    Exit status: 0 all passed, 1 something failed, 2 the input is of no use; with --watch 0 when it is interrupted.")]
pub(crate) struct Run {
    /// Scenario files, or folders of them; - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// What carries the requests
    #[arg(long, env = "FUNDSIM_DRIVER", value_enum, default_value = "turmoil")]
    pub(crate) driver: DriverName,
    /// The server to run against, for the live driver
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    /// How long that server may take for a whole response, or to accept a connection, as in 5s or 500ms [default: 60s; whether
    /// it is there at all is asked before the first story, and waited for no longer than 10s]
    #[arg(long, env = "FUNDSIM_TIMEOUT", value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// Name of the environment variable that holds that server's operator token
    #[arg(long, env = "FUNDSIM_OPERATOR_TOKEN_ENV", value_name = "NAME")]
    pub(crate) operator_token_env: Option<String>,
    /// That server is no fundsim: a file that names its partners, as `serve --output json` does. It is asked what a partner can
    /// ask; what needs a clock, levers, pages or a world of the story's own is skipped and counted
    #[arg(long, env = "FUNDSIM_FOREIGN", value_name = "FILE", requires = "url", conflicts_with_all = ["bless", "pictures", "watch"])]
    pub(crate) foreign: Option<PathBuf>,
    /// Another seed than the files name; transcripts are not compared with goldens then
    #[arg(long, env = "FUNDSIM_SEED", value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Files run at once [default: as many as there are cores]
    #[arg(long, env = "FUNDSIM_JOBS", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Only files whose path or title holds this text, or that have it as a tag; with ! before it, all but those
    /// [repeatable, or separated by commas]
    #[arg(long, env = "FUNDSIM_FILTER", value_name = "TEXT", value_delimiter = ',')]
    pub(crate) filter: Vec<String>,
    /// Name the stories that would be played, and play none
    #[arg(long, env = "FUNDSIM_LIST", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) list: bool,
    /// Begin no more stories once one has failed
    #[arg(long, env = "FUNDSIM_FAIL_FAST", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) fail_fast: bool,
    /// Go on: play stories again whose file, or a file it uses, has changed; the first Ctrl-C lets those under way end
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
    /// Draw the life of every account that a story has named, and write the pictures into this folder, as SVG
    #[arg(long, env = "FUNDSIM_PICTURES", value_name = "DIR")]
    pub(crate) pictures: Option<PathBuf>,
    /// How much a failure tells of how the resources that its step names came to be as they are; reports tell all
    #[arg(long, env = "FUNDSIM_WHY", value_enum, default_value = "short")]
    pub(crate) why: WhysOf,
    /// Rewrite the golden transcripts beside the files
    #[arg(long, env = "FUNDSIM_BLESS", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) bless: bool,
    /// How results are written
    #[arg(long, env = "FUNDSIM_OUTPUT", value_enum, default_value = "text")]
    pub(crate) output: Output,
}

#[derive(Args)]
#[command(after_help = "Example:\n  fundsim check scenarios\n\n\
    Exit status: 0 nothing wrong, 1 mistakes found, 2 a path is of no use.")]
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
    Ctrl-C lets the runs under way end and tells what was found; a second one stops at once.\n\
    Exit status: 0 every law held, 1 one was broken, 2 the input is of no use, 130 interrupted while every law held.")]
pub(crate) struct Fuzz {
    /// State machine to visit, or all
    #[arg(long, env = "FUNDSIM_MACHINE", value_name = "NAME", default_value = "all")]
    pub(crate) machine: String,
    /// Straight on the world, or through the simulated network
    #[arg(long, env = "FUNDSIM_LEVEL", value_enum, default_value = "world")]
    pub(crate) level: Level,
    /// A server that is no fundsim, to be talked to as a partner does instead of a world of ours
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL", requires = "foreign", conflicts_with_all = ["machine", "level", "keep"])]
    pub(crate) url: Option<String>,
    /// A file that names its partners, as `serve --output json` does
    #[arg(long, env = "FUNDSIM_FOREIGN", value_name = "FILE", requires = "url")]
    pub(crate) foreign: Option<PathBuf>,
    /// How long that server may take for a whole response, as in 5s or 500ms [default: 10s]
    #[arg(long, env = "FUNDSIM_TIMEOUT", value_name = "TIME", requires = "url")]
    pub(crate) timeout: Option<String>,
    /// Seeds to run, first and past the last; `A..` counts up from A for as long as --for says
    #[arg(long, env = "FUNDSIM_SEEDS", value_name = "A..B")]
    pub(crate) seeds: Option<String>,
    /// Count up from a first seed of today's, by the clock of this machine in UTC; it is printed
    #[arg(long, env = "FUNDSIM_NIGHTLY", conflicts_with = "seeds", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) nightly: bool,
    /// How long to go on, as in 60s or 5m [default: 60s, unless a last seed is given]
    #[arg(long = "for", env = "FUNDSIM_FOR", value_name = "TIME")]
    pub(crate) time: Option<String>,
    /// Steps drawn for each run, of which those that do nothing are not counted [default: 2000, over the network 100]
    #[arg(long, env = "FUNDSIM_STEPS", value_name = "N")]
    pub(crate) steps: Option<u32>,
    /// Folder for shrunk failures [default: found]
    #[arg(long, env = "FUNDSIM_SAVE", value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
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
    /// Commands straight on a world
    World,
    /// Requests over a simulated network
    Network,
    /// Outages around a partner that keeps a copy
    Consumer,
}
