//! What can be given to the commands that bring a running sandbox to other programs: `mcp`.
//!
//! Absent on purpose: what the commands do, which a file of their own says.

use super::running::Bearer;
use clap::Args;

/// Which sandbox is served to an assistant, and how much of it.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    fundsim mcp                                          # the sandbox at http://127.0.0.1:8080, or that of the default profile\n  \
    fundsim mcp --url https://sandbox.example --client-id ID   # with FUNDSIM_CLIENT_SECRET\n  \
    fundsim mcp --read-only\n  \
    fundsim mcp --tools 'list_*,read_*,why,advance'\n\n\
    An assistant starts it, as in {\"mcpServers\": {\"fundsim\": {\"command\": \"fundsim\", \"args\": [\"mcp\"]}}}.\n\
    It acts by the credentials that it is given, and nothing more; the sandbox refuses what they do not allow.\n\n\
    Exit status: 0 the assistant has closed its end, 2 the input is not usable.")]
pub(crate) struct Mcp {
    /// The sandbox [default: the profile's; without one, http://127.0.0.1:8080]
    #[arg(long, env = "FUNDSIM_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The world that tools mean unless they name one, by id or name [default: the profile's, or the partner's own; without either, the first]
    #[arg(long, value_name = "WORLD")]
    pub(crate) world: Option<String>,
    #[command(flatten)]
    pub(crate) bearer: Bearer,
    /// Offer only tools that change nothing
    #[arg(long, env = "FUNDSIM_READ_ONLY", value_parser = clap::builder::FalseyValueParser::new(), action = clap::ArgAction::SetTrue)]
    pub(crate) read_only: bool,
    /// Offer only these tools: names, or beginnings of names with a `*` [default: all]
    #[arg(long, env = "FUNDSIM_TOOLS", value_name = "NAMES", value_delimiter = ',')]
    pub(crate) tools: Vec<String>,
}
