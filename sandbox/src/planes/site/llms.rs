//! `/llms.txt`: what an assistant reads first of this server, in the form of llmstxt.org (rule: wire/llms-txt).
//!
//! Invariant: it is short, the same for every caller, and names only what this program serves or prints; addresses are relative to it, so that
//! they hold behind a proxy. Absent on purpose: worlds and credentials, which `/` shows where it may.

use super::docs::CHAPTERS;
use std::sync::LazyLock;

/// What it is, in two sentences, and how an assistant works with it.
const HEAD: &str = "\
# fundsim

> A partner fund-distribution service, simulated: accounts, orders, prices, settlement, hosted journeys, events and callbacks. Nothing here is
> real and no money moves; the same seed and the same requests give the same course of events.

- Partners call `/v2/partner` with a token by client credentials (`POST /v2/partner/auth/token`).
- Customers, banks and fund companies are levers under `/simulations`, which take a partner's token, too.
- Worlds, clocks, faults and looking back are under `/_sandbox`. The clock moves by request: `POST /_sandbox/worlds/current/clock/advance`
  with `{\"by\":\"P1D\"}` or `{\"until\":\"settlement\",\"order\":\"...\"}`.
- An error has `error` and `error_description`, which name every problem of the request and what is accepted instead.
- `fundsim mcp --url URL` offers all of this as tools of the Model Context Protocol.

## Documents

- [OpenAPI](openapi.json): every operation with examples; `openapi.json?plane=partner`, `levers` or `machinery` has one plane
- [AsyncAPI](asyncapi.json): the event socket and its messages
- [Operations](docs): the same as pages, one for each operation

## Rules

";

/// What the command line prints.
const TAIL: &str = "
## On the command line

- `fundsim explain`: state tables, refusals, settings, magic values, and the words of stories with their fields
- `fundsim explain WORD`: one step, lever, route or setting
- `fundsim schema`: the JSON Schema of scenario files; `fundsim run FILE` plays one
- `fundsim why ID`: how an order, account, journey or payment came to be as it is

## Optional

- [Worlds](_sandbox/worlds): what runs here; the operator's
- [Console](console): worlds, clock and records as they happen, for people
";

/// The text.
#[must_use]
pub fn llms() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut text = HEAD.to_owned();
        for (topic, chapter) in CHAPTERS.iter() {
            let title = chapter.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(topic);
            text.push_str(&format!("- [{title}](docs/rules/{topic}): {}\n", about(chapter)));
        }
        text + TAIL
    });
    &TEXT
}

/// The names of a chapter's first rules.
fn about(chapter: &str) -> String {
    let names: Vec<_> = chapter.lines().filter_map(|line| line.strip_prefix("### ")).map(str::trim).collect();
    let shown = names.iter().take(5).copied().collect::<Vec<_>>().join(", ");
    if names.len() > 5 { format!("{shown} and {} more", names.len() - 5) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (rule: wire/llms-txt)
    #[test]
    fn it_has_the_form_of_llmstxt_and_names_every_chapter() {
        let text = llms();
        assert!(text.starts_with("# fundsim\n\n> "), "{text}");
        let headings: Vec<_> = text.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(
            headings,
            ["# fundsim", "## Documents", "## Rules", "## On the command line", "## Optional"],
            "one title, then lists"
        );
        for (topic, _) in CHAPTERS.iter() {
            assert!(text.contains(&format!("](docs/rules/{topic}): ")), "{topic}");
        }
        assert!(text.len() < 6_000, "{} bytes are not short", text.len());
    }
}
