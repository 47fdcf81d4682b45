//! Flags by which a running sandbox is reached: its address, the credentials that are shown, the world.
//!
//! Absent on purpose: what is asked there, and what a profile adds (`bearer`).

use crate::completion;
use clap::Args;
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

/// Credentials for a running sandbox: of a partner, of the operator, or none for an open one; and how it is reached.
#[derive(Args)]
pub(crate) struct Bearer {
    /// A profile that `fundsim login` has written; other flags win [default: the default profile, where it is for this server]
    #[arg(long, env = "FUNDSIM_PROFILE", value_name = "NAME", add = ArgValueCompleter::new(completion::profiles))]
    pub(crate) profile: Option<String>,
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
    /// Certificates, as PEM, by which that of an https server is trusted, instead of those that this machine or SSL_CERT_FILE names:
    /// of its issuer, or its own
    #[arg(long, env = "FUNDSIM_CA_FILE", value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,
    /// Time limit for an answer of the server, as in 5s or 500ms [default: 60s; 10s for the first check that it is reachable]
    #[arg(long, env = "FUNDSIM_TIMEOUT", value_name = "TIME")]
    pub(crate) timeout: Option<String>,
}

/// A running sandbox, and how its answers are written.
#[derive(Args)]
pub(crate) struct Server {
    /// The sandbox [default: the profile's; without one, http://127.0.0.1:8080]
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) bearer: Bearer,
    /// Print the server's answer as JSON
    #[arg(long, env = "FUNDSIM_JSON", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) json: bool,
}

/// A world of a running sandbox.
#[derive(Args)]
pub(crate) struct InWorld {
    /// The world, by id or name [default: the profile's, or the partner's own; without either, the first]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    #[command(flatten)]
    pub(crate) server: Server,
}
