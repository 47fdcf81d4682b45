//! The call of an operation as code: curl, Python with `requests`, TypeScript with `fetch`.
//!
//! Invariant: the code has the values of the form beside it, and each of them is in an element of its own, so that the
//! script can follow the form (`data-at`). Absent on purpose: the token, which the code takes from the environment.

use super::description::{Credentials, Operation};
use super::prefilled::Prefilled;
use maud::{Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// The languages: what the choice is kept as, and its name.
const LANGUAGES: [(&str, &str); 3] = [("curl", "curl"), ("python", "Python"), ("typescript", "TypeScript")];

/// A call whose parts are put into code.
struct Call<'c> {
    operation: &'c Operation,
    values: &'c Prefilled,
    /// What the address begins with.
    base: &'c str,
    /// The body, and whether it is a form.
    body: Option<(&'c Value, bool)>,
}

/// The code in each language, one shown at a time.
pub(super) fn samples(operation: &Operation, values: &Prefilled, base: &str) -> Markup {
    let is_form = operation.body().is_some_and(|(kind, _)| kind.ends_with("form-urlencoded"));
    let body = values.body.as_ref().map(|body| (body, is_form));
    let call = Call { operation, values, base, body };
    html! {
        div.code {
            @for (at, (word, _)) in LANGUAGES.iter().enumerate() {
                input type="radio" name="language" id={ "language-" (word) } value=(word) checked[at == 0];
            }
            div.languages { @for (word, name) in LANGUAGES { label for={ "language-" (word) } { (name) } } }
            @for (word, name) in LANGUAGES {
                div.sample.{ "of-" (word) } {
                    pre tabindex="0" aria-label={ "The call in " (name) } {
                        code { @match word {
                            "curl" => (call.curl()),
                            "python" => (call.python()),
                            _ => (call.typescript()),
                        } }
                    }
                    button.copy type="button" hidden { "Copy" }
                }
            }
        }
    }
}

impl Call<'_> {
    fn has_token(&self) -> bool {
        self.operation.credentials() != Credentials::Nothing
    }

    /// The address, each value of it in its element.
    fn address(&self, scheme: Option<&str>) -> Markup {
        let base = match (scheme, self.base.split_once("://")) {
            (Some(scheme), Some((_, rest))) => format!("{scheme}://{rest}"),
            _ => self.base.to_owned(),
        };
        let parts = self.operation.path.split('/').skip(1);
        html! {
            (base)
            @for part in parts {
                "/"
                @match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                    Some(name) => span data-at={ "path." (name) } { (self.values.path(name).map_or_else(|| part.to_owned(), encoded)) },
                    None => (part),
                }
            }
            span data-at="query" { (query(&self.values.query)) }
        }
    }

    fn curl(&self) -> Markup {
        if self.operation.is_socket() {
            return html! { "websocat -H \"Authorization: Bearer $TOKEN\" \\\n  '" (self.address(Some("ws"))) "'" };
        }
        let method = match self.operation.method {
            "GET" => String::new(),
            other => format!(" -X {other}"),
        };
        let file = if self.operation.answered_as() == "application/pdf" { " -o answer.pdf" } else { "" };
        html! {
            "curl" (method) (file) " '" (self.address(None)) "'"
            @if self.has_token() { " \\\n  -H \"Authorization: Bearer $TOKEN\"" }
            @match self.body {
                Some((body, true)) => { " \\\n  -d '" span data-at="body" data-form="form" { (form(body)) } "'" },
                Some((body, false)) => {
                    " \\\n  -H 'Content-Type: application/json' \\\n  -d '"
                    span data-at="body" data-form="shell" { (format!("{body:#}").replace('\'', r"'\''")) } "'"
                },
                None => {},
            }
        }
    }

    fn python(&self) -> Markup {
        if self.operation.is_socket() {
            return html! {
                "import os\nfrom websockets.sync.client import connect\n\n"
                "with connect(\n    \"" (self.address(Some("ws"))) "\",\n"
                "    additional_headers={\"Authorization\": f\"Bearer {os.environ['TOKEN']}\"},\n"
                ") as events:\n    for event in events:\n        print(event)"
            };
        }
        let method = self.operation.method.to_lowercase();
        html! {
            @if self.has_token() { "import os\n" }
            "import requests\n\n"
            @if let Some((body, _)) = self.body { "body = " span data-at="body" data-form="python" { (python(body)) } "\n\n" }
            "response = requests." (method) "(\n    \"" (self.address(None)) "\",\n"
            @if self.has_token() { "    headers={\"Authorization\": f\"Bearer {os.environ['TOKEN']}\"},\n" }
            @match self.body { Some((_, true)) => "    data=body,\n", Some(_) => "    json=body,\n", None => "" }
            "    timeout=30,\n)\nresponse.raise_for_status()\n"
            @match self.operation.answered_as() {
                "application/json" => "print(response.json())",
                "application/pdf" => "open(\"answer.pdf\", \"wb\").write(response.content)",
                _ => "print(response.text)",
            }
        }
    }

    fn typescript(&self) -> Markup {
        if self.operation.is_socket() {
            return html! {
                "import WebSocket from \"ws\";\n\n"
                "const events = new WebSocket(\"" (self.address(Some("ws"))) "\", {\n"
                "  headers: { Authorization: `Bearer ${process.env.TOKEN}` },\n});\n"
                "events.on(\"message\", (event) => console.log(String(event)));"
            };
        }
        let is_json = matches!(self.body, Some((_, false)));
        let has_options = self.operation.method != "GET" || self.has_token();
        html! {
            @if let Some((body, _)) = self.body { "const body = " span data-at="body" data-form="json" { (format!("{body:#}")) } ";\n\n" }
            "const response = await fetch(\"" (self.address(None)) "\""
            @if has_options {
                ", {\n"
                @if self.operation.method != "GET" { "  method: \"" (self.operation.method) "\",\n" }
                @if self.has_token() || is_json {
                    "  headers: {\n"
                    @if self.has_token() { "    Authorization: `Bearer ${process.env.TOKEN}`,\n" }
                    @if is_json { "    \"Content-Type\": \"application/json\",\n" }
                    "  },\n"
                }
                @match self.body {
                    Some((_, true)) => "  body: new URLSearchParams(body),\n",
                    Some(_) => "  body: JSON.stringify(body),\n",
                    None => "",
                }
                "}"
            }
            ");\nif (!response.ok) throw new Error(await response.text());\n"
            @match self.operation.answered_as() {
                "application/json" => "console.log(await response.json());",
                "application/pdf" => "const pdf = await response.arrayBuffer();",
                _ => "console.log(await response.text());",
            }
        }
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, super::place::PART).to_string()
}

/// Parameters behind a question mark.
fn query(values: &[(String, String)]) -> String {
    if values.is_empty() {
        return String::new();
    }
    let pairs = values.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
    format!("?{}", pairs.collect::<Vec<_>>().join("&"))
}

/// The members of a body as a form.
fn form(body: &Value) -> String {
    let pairs = body.as_object().into_iter().flatten().map(|(name, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{name}={}", utf8_percent_encode(&text, NON_ALPHANUMERIC))
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// JSON with the three words that Python spells otherwise.
fn python(body: &Value) -> String {
    let text = format!("{body:#}");
    let (mut out, mut word, mut within, mut escaped) = (String::new(), String::new(), false, false);
    for letter in text.chars().chain(['\n']) {
        if !within && letter.is_ascii_alphabetic() {
            word.push(letter);
            continue;
        }
        out.push_str(match word.as_str() {
            "true" => "True",
            "false" => "False",
            "null" => "None",
            other => other,
        });
        word.clear();
        out.push(letter);
        within ^= letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
    }
    out.truncate(out.len() - 1);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_body_is_written_as_python_has_it() {
        let body = json!({ "a": true, "b": [null, false], "c": "true \"null\" \\", "d": 1.5 });
        let text = python(&body);
        assert_eq!(
            text.split_whitespace().collect::<Vec<_>>().join(" "),
            r#"{ "a": True, "b": [ None, False ], "c": "true \"null\" \\", "d": 1.5 }"#
        );
    }
}
