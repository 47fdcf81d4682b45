//! What can be given to the commands for somebody who works with a running sandbox: `login`, `worlds`, `clock`, `picture`,
//! `trigger`, `logs`.
//!
//! Absent on purpose: what the commands do, which a file of their own says.

use super::running::{Bearer, InWorld, Server};
use crate::completion;
use crate::wanted::{Since, Statuses, since, status};
use clap::{ArgGroup, Args, Subcommand};
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

/// What `login` keeps, and under which name.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    fundsim login                                        # the open sandbox at http://127.0.0.1:8080\n  \
    fundsim login https://sandbox.example --client-id ID # asks for the secret\n  \
    fundsim login https://sandbox.example --profile ops --secret-file token.txt\n  \
    fundsim login --profile ops --default                # the default from now on\n  \
    fundsim login --list\n\n\
    Profiles are in $XDG_CONFIG_HOME/fundsim/profiles.toml, which only its owner can read. Credentials that are not given are asked for\n\
    where the input is a terminal.\n\n\
    Exit status: 0 done, 1 the server refuses the credentials, 2 the input is not usable.")]
pub(crate) struct Login {
    /// The sandbox [default: that of the profile, or http://127.0.0.1:8080]
    #[arg(env = "FUNDSIM_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) bearer: Bearer,
    /// File whose first line is the secret: the partner's, with --client-id; otherwise the token of a partner or of the operator. - is
    /// standard input
    #[arg(long, env = "FUNDSIM_SECRET_FILE", value_name = "FILE", conflicts_with_all = ["token", "client_secret", "operator_token_env"])]
    pub(crate) secret_file: Option<PathBuf>,
    /// The world that commands mean unless a flag says otherwise, by id or name
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    /// Make it the default profile, as the first one is; alone with --profile, of one that is there
    #[arg(long, env = "FUNDSIM_DEFAULT", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) default: bool,
    /// List the profiles, without their secrets, and keep nothing
    #[arg(long, env = "FUNDSIM_LIST", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) list: bool,
}

/// Which profiles `logout` forgets.
#[derive(Args)]
#[command(after_help = "Examples:\n  fundsim logout\n  fundsim logout ops\n  fundsim logout --all\n\n\
    Exit status: 0 done, 2 there is no such profile.")]
pub(crate) struct Logout {
    /// The profile [default: the default one]
    #[arg(env = "FUNDSIM_PROFILE", value_name = "NAME", add = ArgValueCompleter::new(completion::profiles))]
    pub(crate) profile: Option<String>,
    /// Forget all profiles
    #[arg(long, env = "FUNDSIM_ALL", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) all: bool,
}

/// What `worlds` does, and to which.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
    fundsim worlds\n  \
    fundsim worlds new --name mine --seed 7 --start 2026-03-02T08:00:00+01:00 --clock frozen\n  \
    fundsim worlds fork world-1 --at 2026-03-02T09:00:00+01:00 --name what-if\n  \
    fundsim worlds rewind mine --to 2026-03-02T08:00:00+01:00\n  \
    fundsim worlds drop world-2\n  \
    fundsim worlds show --json | jq -r '.partners[0].clientSecret'\n\n\
    A world is named by its id or its name. Listing and making worlds is the operator's; a partner sees its own.\n\
    Exit status: 0 done, 1 the server refuses, 2 the input is not usable."
)]
pub(crate) struct Worlds {
    #[command(subcommand)]
    pub(crate) what: Option<WorldsJob>,
    #[command(flatten)]
    pub(crate) server: Server,
}

/// What is done with worlds.
#[derive(Subcommand)]
pub(crate) enum WorldsJob {
    /// List the worlds
    List {
        #[command(flatten)]
        server: Server,
    },
    /// Show a world with its partners, and their credentials where the caller may see them
    Show {
        #[command(flatten)]
        of: OfWorld,
    },
    /// Make a world
    New {
        /// Its name [default: that of its setup]
        #[arg(long, env = "FUNDSIM_NAME", value_name = "NAME")]
        name: Option<String>,
        /// Its seed [default: drawn]
        #[arg(long, env = "FUNDSIM_SEED", value_name = "N")]
        seed: Option<u64>,
        /// Instant at which it starts [default: now]
        #[arg(long, env = "FUNDSIM_START", value_name = "RFC3339")]
        start: Option<String>,
        /// Its setup, YAML or JSON [default: the demo world]
        #[arg(long, env = "FUNDSIM_SETUP", value_name = "FILE")]
        setup: Option<PathBuf>,
        /// How its time passes [default: as the server's --clock]
        #[arg(long, env = "FUNDSIM_CLOCK", value_name = "real|frozen|FACTOR")]
        clock: Option<String>,
        #[command(flatten)]
        server: Server,
    },
    /// Make a world that begins as another one is, or was
    Fork {
        /// Its name [default: `fork of` and the name of the other]
        #[arg(long, env = "FUNDSIM_NAME", value_name = "NAME")]
        name: Option<String>,
        /// Instant of the world's clock from which it begins, as in 2026-03-02T09:00:00+01:00 [default: now]
        #[arg(long, env = "FUNDSIM_AT", value_name = "RFC3339", conflicts_with = "input")]
        at: Option<String>,
        /// Number of the input after which it begins
        #[arg(long, env = "FUNDSIM_INPUT", value_name = "N")]
        input: Option<u64>,
        #[command(flatten)]
        of: OfWorld,
    },
    /// Put a world back to a moment of its past
    #[command(group(ArgGroup::new("moment").required(true).args(["to", "input"])))]
    Rewind {
        /// Instant that its clock has shown, as in 2026-03-02T09:00:00+01:00
        #[arg(long, env = "FUNDSIM_TO", value_name = "RFC3339")]
        to: Option<String>,
        /// Number of an input, after which it is
        #[arg(long, env = "FUNDSIM_INPUT", value_name = "N")]
        input: Option<u64>,
        #[command(flatten)]
        of: OfWorld,
    },
    /// Put a world back to its start
    Reset {
        #[command(flatten)]
        of: OfWorld,
    },
    /// Delete a world
    Drop {
        #[command(flatten)]
        of: OfWorld,
    },
}

/// A world as `worlds` takes it.
#[derive(Args)]
pub(crate) struct OfWorld {
    /// The world, by id or name [default: the profile's, or the partner's own; without either, the only one]
    #[arg(value_name = "WORLD")]
    pub(crate) world: Option<String>,
    #[command(flatten)]
    pub(crate) server: Server,
}

/// What `clock` does.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
    fundsim clock\n  \
    fundsim clock advance 1d                  # also 90m, 2h, P1M, '3 bank days'\n  \
    fundsim clock until 2026-03-10T14:00:00+01:00\n  \
    fundsim clock until cutOff --instrument SE0SBX000016SEK\n  \
    fundsim clock until settlement --order ID\n  \
    fundsim clock next\n  \
    fundsim clock freeze\n  \
    fundsim clock run 1440                    # a day a minute\n\n\
    Exit status: 0 done, 1 the server refuses, 2 the input is not usable."
)]
pub(crate) struct Clock {
    #[command(subcommand)]
    pub(crate) what: Option<ClockJob>,
    #[command(flatten)]
    pub(crate) of: InWorld,
}

/// What is done with a clock.
#[derive(Subcommand)]
pub(crate) enum ClockJob {
    /// Show the time, how it passes, and what happens next
    Show {
        #[command(flatten)]
        of: InWorld,
    },
    /// Advance it by a period
    Advance {
        /// 90s, 90m, 2h, 1d, 1w, a period of ISO 8601 such as P1M, or bank days, as in 3 bank days
        #[arg(required = true, value_name = "PERIOD")]
        by: Vec<String>,
        #[command(flatten)]
        moved: Moved,
    },
    /// Advance it to an instant, or to something that happens: the next cut-off, settlement or booking
    Until {
        /// An instant with its offset, or next, cutOff, settlement or booking
        #[arg(value_name = "INSTANT|WHAT", add = ArgValueCompleter::new(completion::until))]
        to: String,
        /// Of this fund: with cutOff and settlement
        #[arg(long, env = "FUNDSIM_INSTRUMENT", value_name = "ID")]
        instrument: Option<String>,
        /// Of this order: with cutOff and settlement
        #[arg(long, env = "FUNDSIM_ORDER", value_name = "ID")]
        order: Option<uuid::Uuid>,
        /// On this account: with booking
        #[arg(long, env = "FUNDSIM_ACCOUNT", value_name = "ID")]
        account: Option<uuid::Uuid>,
        #[command(flatten)]
        moved: Moved,
    },
    /// Advance it to the next thing that happens
    Next {
        #[command(flatten)]
        moved: Moved,
    },
    /// Stop it
    Freeze {
        #[command(flatten)]
        of: InWorld,
    },
    /// Let it run
    Run {
        /// real, or world seconds for each real second
        #[arg(value_name = "real|FACTOR", default_value = "real")]
        how: String,
        #[command(flatten)]
        of: InWorld,
    },
}

/// A clock that is advanced, and what of the way is listed.
#[derive(Args)]
pub(crate) struct Moved {
    /// List everything that happened on the way, instead of the last twenty
    #[arg(long, env = "FUNDSIM_ALL", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) of: InWorld,
}

/// Which picture `picture` shows, and how.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    fundsim picture                                # which there are, and what each is asked with\n  \
    fundsim picture world\n  \
    fundsim picture sequence id=ORDER -o order.svg\n  \
    fundsim picture calendar from=2026-04-01 to=2026-04-30\n  \
    fundsim picture account accountId=ID --svg > account.svg\n  \
    fundsim picture world --json | jq .orders\n\n\
    Exit status: 0 shown, 1 the server refuses, 2 the input is not usable.")]
pub(crate) struct Picture {
    /// The picture; without it, all are listed
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// What it is asked with, as the list of pictures has it
    #[arg(value_name = "KEY=VALUE")]
    pub(crate) parameters: Vec<String>,
    /// Print it as SVG [default: as text, or as the file's name says]
    #[arg(long, env = "FUNDSIM_SVG", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue, conflicts_with_all = ["text", "json"])]
    pub(crate) svg: bool,
    /// Print it as text of at most a hundred columns
    #[arg(long, env = "FUNDSIM_TEXT", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue, conflicts_with = "json")]
    pub(crate) text: bool,
    /// File to write to, instead of standard output
    #[arg(short, long, env = "FUNDSIM_OUTPUT", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) of: InWorld,
}

/// A form of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureForm {
    Svg,
    Text,
    Json,
}

impl PictureForm {
    /// The server's word.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Text => "text",
            Self::Json => "json",
        }
    }
}

/// What `trigger` sends, and by whom.
#[derive(Args)]
#[command(
    disable_help_flag = true,
    after_help = "Examples:\n  \
    fundsim trigger                                     # all words\n  \
    fundsim trigger open-account --help                 # the fields of one\n  \
    fundsim trigger open-account type=isk cash=10000\n  \
    fundsim trigger subscribe account=ID instrument=SE0SBX000016SEK amount=500\n  \
    fundsim trigger hold ORDER\n  \
    fundsim trigger complete-journey journey=ID answers.kyc.pep=no\n  \
    fundsim trigger register-webhook url=http://127.0.0.1:9000/ events='order.*' events='account.*'\n  \
    fundsim trigger call 'GET /account'\n  \
    fundsim trigger open-account --json | jq -r .id\n\n\
    Dots lead into maps, a key that is repeated makes a list, and a value in brackets or braces is YAML. Words and keys are those of\n\
    stories (`fundsim explain steps`), with hyphens for spaces.\n\n\
    Exit status: 0 the answer is 2xx, 1 it is another one, 2 the input is not usable or the server does not answer."
)]
pub(crate) struct Trigger {
    /// A word of the language of stories, then its fields; alone, the words are listed
    #[arg(value_name = "WORD [KEY=VALUE]...", add = ArgValueCompleter::new(completion::step))]
    pub(crate) step: Vec<String>,
    /// Who acts: `client 2`, `partner 2`, `partner 2 client 1` or `nobody`; otherwise the first client of the first partner
    #[arg(long = "as", env = "FUNDSIM_AS", value_name = "WHO")]
    pub(crate) actor: Option<String>,
    #[command(flatten)]
    pub(crate) of: InWorld,
    /// Print help: of the word, where one is given
    #[arg(short, long, action = clap::ArgAction::SetTrue)]
    pub(crate) help: bool,
}

/// Which requests `logs` shows.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    fundsim logs\n  \
    fundsim logs -f\n  \
    fundsim logs -f --status 4xx --status 5xx --bodies\n  \
    fundsim logs --path /order --since 10m\n  \
    fundsim logs --json | jq 'select(.milliseconds > 100)'\n\n\
    Times are those of this machine's clock, in UTC. Ctrl-C ends.\n\n\
    Exit status: 0 shown, 2 the input is not usable or the server does not answer.")]
pub(crate) struct Logs {
    /// Go on: show each request as it comes, until Ctrl-C; a server that goes away is waited for
    #[arg(short, long, env = "FUNDSIM_FOLLOW", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) follow: bool,
    /// Only answers with this status, as in 404, 4xx or none, where the connection was dropped [repeatable, or separated by commas]
    #[arg(long, env = "FUNDSIM_STATUS", value_name = "STATUS", value_delimiter = ',', value_parser = status)]
    pub(crate) status: Vec<Statuses>,
    /// Only requests whose path contains this text
    #[arg(long, env = "FUNDSIM_PATH", value_name = "TEXT")]
    pub(crate) path: Option<String>,
    /// Only requests of this method
    #[arg(long, env = "FUNDSIM_METHOD", value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// Only requests that are not older, as in 10m, 2h, or an instant such as 2026-03-02T08:00:00Z
    #[arg(long, env = "FUNDSIM_SINCE", value_name = "TIME", value_parser = since)]
    pub(crate) since: Option<Since>,
    /// How many of the past ones to show first
    #[arg(short = 'n', long, env = "FUNDSIM_LINES", value_name = "N", default_value_t = 50)]
    pub(crate) lines: usize,
    /// Show bodies, as far as the world keeps them
    #[arg(long, env = "FUNDSIM_BODIES", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) bodies: bool,
    #[command(flatten)]
    pub(crate) of: InWorld,
}
