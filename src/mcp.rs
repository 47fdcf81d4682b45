//! `fundsim mcp`: a running sandbox as tools and documents of the Model Context Protocol, over standard input and output.
//!
//! Owns: the conversation with an assistant. Invariant: standard output has nothing but the protocol; what goes wrong with a tool is the
//! tool's answer, in the sandbox's own words; no answer is longer than `MOST`. Absent on purpose: which tools there are (`tools`), and what
//! they do (`acts`).
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `mcp/operations.rs` | routes of the machinery as tools, from the description of the API |
//! | `mcp/tools.rs` | every tool: its name, schema and hints |
//! | `mcp/acts.rs` | what a tool does, and by whose right |
//! | `mcp/documents.rs` | what can be read without a tool |

mod acts;
mod documents;
mod operations;
mod tools;

use crate::args::bridge::Mcp;
use crate::exit::WELL;
use crate::out;
use acts::Asker;
use language::words;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt as _};
use std::sync::Arc;
use tools::Offered;

/// Characters of one answer, at most.
const MOST: usize = 40_000;

/// What an assistant reads of the server as a whole.
const INSTRUCTIONS: &str = "A deterministic sandbox of a partner fund-distribution API: nothing is real, no money moves. `open_account`, `subscribe` and the like \
    act for the partner; levers such as `pay_by_bankgiro` or `reject` act for customers, banks and fund companies; `advance` moves the clock, \
    and nothing settles before it does. `read` and `call` send any other request of the API. When something surprises, ask `why` with its id. \
    `explain` has state tables, refusals, settings and magic values; the rules are resources. `check` and `run` take a scenario file as text.";

/// Serves until the assistant closes its end.
pub(crate) fn mcp(flags: Mcp) -> u8 {
    let offered = match tools::offered(flags.read_only, &flags.tools) {
        Ok(offered) => offered,
        Err(why) => return out::refuse(&why),
    };
    let asker = Asker::new(flags);
    if let Err(why) = asker.reach() {
        // Much can be asked without a server, and it may come later.
        out::note(&format!("fundsim: {why}; it is tried again when a tool needs it\n"));
    }
    let bridge = Bridge { offered: Arc::new(offered), asker: Arc::new(asker) };
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return out::refuse(&error.to_string()),
    };
    let served = runtime.block_on(async {
        let running = bridge.serve(rmcp::transport::stdio()).await.map_err(|error| error.to_string())?;
        running.waiting().await.map_err(|error| error.to_string())
    });
    runtime.shutdown_background();
    match served {
        Ok(_) => WELL,
        Err(why) => out::refuse(&format!("the Model Context Protocol: {why}")),
    }
}

/// One assistant's server.
struct Bridge {
    offered: Arc<Vec<Offered>>,
    asker: Arc<Asker>,
}

impl Bridge {
    fn tool(&self, name: &str) -> Result<usize, ErrorData> {
        self.offered.iter().position(|offered| offered.tool.name == name).ok_or_else(|| {
            let near = words::nearest(name, self.offered.iter().map(|offered| &*offered.tool.name));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            ErrorData::invalid_params(format!("there is no tool `{name}` here{hint}"), None)
        })
    }
}

impl ServerHandler for Bridge {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let itself = Implementation::new("fundsim", env!("CARGO_PKG_VERSION")).with_title("fundsim");
        ServerConfig::new(capabilities).with_server_info(itself).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.offered.iter().map(|offered| offered.tool.clone()).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.offered.iter().find(|offered| offered.tool.name == name).map(|offered| offered.tool.clone())
    }

    async fn call_tool(
        &self,
        asked: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let at = self.tool(&asked.name)?;
        let (offered, asker) = (Arc::clone(&self.offered), Arc::clone(&self.asker));
        let arguments = asked.arguments.unwrap_or_default();
        // It waits for the sandbox, and may play a story.
        let done = tokio::task::spawn_blocking(move || asker.act(&offered[at].does, arguments)).await;
        let result = match done {
            Ok(Ok(text)) => CallToolResult::success(vec![ContentBlock::text(cut(text))]),
            Ok(Err(why)) => CallToolResult::error(vec![ContentBlock::text(cut(why))]),
            Err(error) => return Err(ErrorData::internal_error(error.to_string(), None)),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let shown = documents::all().map(|document| {
            Resource::new(&document.uri, document.name).with_description(document.about).with_mime_type(document.kind)
        });
        Ok(ListResourcesResult::with_all_items(shown.collect()))
    }

    async fn read_resource(
        &self,
        asked: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some(document) = documents::all().find(|document| document.uri == asked.uri) else {
            let why = format!("there is no document `{}` here; `resources/list` has those that there are", asked.uri);
            return Err(ErrorData::resource_not_found(why, None));
        };
        let contents = ResourceContents::text((document.text)(document.name), asked.uri).with_mime_type(document.kind);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

/// An answer as far as it is shown, and how much of it that is.
fn cut(text: String) -> String {
    let Some((at, _)) = text.char_indices().nth(MOST) else { return text };
    let whole = text.chars().count();
    format!(
        "{}\n\n[cut: the first {MOST} of {whole} characters are shown; ask for less, as with `limit`, or for one by its id]",
        &text[..at]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_what_was_cut_of_it() {
        assert_eq!(cut("ö".repeat(MOST)), "ö".repeat(MOST));
        let long = cut("ö".repeat(MOST + 1));
        assert!(long.starts_with(&"ö".repeat(MOST)) && long.contains("first 40000 of 40001 characters"), "{long}");
    }
}
