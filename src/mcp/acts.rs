//! What a tool does: a request to the sandbox by the right of the credentials that the program was given, or something that needs no server.
//!
//! Invariant: nothing is sent by another right than that of the flags; what the sandbox refuses is handed on in its words. A token that has
//! ended is asked for again, once. Absent on purpose: which tools there are (`tools`).

use super::operations::{Operation, WORLD};
use super::tools::{Does, underscored};
use crate::args::bridge::Mcp;
use crate::bearer::{self, Shown};
use crate::{explain, step};
use language::diagnostic::{Diagnostic, Source};
use language::lint;
use language::parse::{NoFiles, parse, single_step};
use language::words::{self, Word};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use runner::drivers::Choice;
use runner::drivers::live;
use runner::report::readiness::{Coverage, text as readiness_text};
use runner::report::text::{self, Whys};
use runner::report::why;
use runner::suite::{Options, StoryFile, StoryOutcome, play_file};
use runner::visit::Caller;
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// What a step and a story are called in messages.
const STEP: &str = "arguments";
const STORY: &str = "story.yaml";

/// How a token is refused where the world is looked up, before anything else is sent.
const BEFORE_IT_IS_SENT: [&str; 2] = ["/_sandbox/worlds/current answered 401:", " answers 401: "];

/// What a part of an address may have as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Asks a sandbox by the right of the flags.
pub(super) struct Asker {
    flags: Mcp,
    shown: Mutex<Option<Arc<Shown>>>,
}

/// The status of an answer, and what a tool says of it.
struct Answered {
    status: u16,
    result: Result<String, String>,
}

impl Asker {
    pub(super) fn new(flags: Mcp) -> Self {
        Self { flags, shown: Mutex::new(None) }
    }

    /// Looks whether there is a server that takes the credentials.
    pub(super) fn reach(&self) -> Result<(), String> {
        self.shown().map(drop)
    }

    /// The server and the token; asked for when they are first needed.
    fn shown(&self) -> Result<Arc<Shown>, String> {
        let mut kept = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shown) = &*kept {
            return Ok(Arc::clone(shown));
        }
        let shown = Arc::new(bearer::shown(self.flags.url.as_deref(), &self.flags.bearer)?);
        *kept = Some(Arc::clone(&shown));
        Ok(shown)
    }

    /// Does what a tool does.
    ///
    /// # Errors
    /// What went wrong, in words for the assistant.
    pub(super) fn act(&self, does: &Does, mut arguments: Map<String, Json>) -> Result<String, String> {
        match does {
            Does::Explain => {
                let topic = text_of(&mut arguments, "topic")?;
                no_more(&arguments, &["topic"])?;
                explain::text_of(topic.as_deref())
            }
            Does::Check => story(&mut arguments).map(|_| "nothing is wrong with it".to_owned()),
            Does::Run => self.run(arguments),
            Does::Word(word) => self.send_word(word, arguments),
            Does::Read => {
                arguments.insert("method".to_owned(), Json::from("GET"));
                self.send_call(arguments)
            }
            Does::Call => self.send_call(arguments),
            Does::Operation(operation) => self.send_operation(operation, &arguments),
        }
    }

    /// Does something with the server; once more, where the token has ended.
    fn with_server(&self, act: impl Fn(&Shown) -> Result<Answered, String>) -> Result<String, String> {
        let shown = self.shown()?;
        let answered = act(&shown);
        let has_ended = match &answered {
            Ok(answered) => answered.status == 401,
            Err(why) => BEFORE_IT_IS_SENT.iter().any(|refusal| why.contains(refusal)),
        };
        if !has_ended || !shown.is_partner {
            return answered?.result;
        }
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let shown = self.shown()?;
        act(&shown)?.result
    }

    /// The world that a tool means.
    fn world(&self, named: Option<&str>) -> Option<String> {
        named.or(self.flags.world.as_deref()).map(str::to_owned)
    }

    fn send_word(&self, word: &Word, mut arguments: Map<String, Json>) -> Result<String, String> {
        let world = text_of(&mut arguments, "world")?;
        let actor = arguments.remove("as");
        let fields = word.fields();
        // Fields have spaces in stories, and none in tools.
        let named =
            |name: String| fields.iter().find(|it| underscored(it.name) == name).map_or(name, |it| it.name.to_owned());
        let arguments: Map<String, Json> = arguments.into_iter().map(|(name, value)| (named(name), value)).collect();
        let value = if arguments.is_empty() && word.alone { Json::Null } else { Json::Object(arguments) };
        self.send_step([(word.word.to_owned(), value)].into_iter().collect(), actor, world)
    }

    fn send_call(&self, mut arguments: Map<String, Json>) -> Result<String, String> {
        let world = text_of(&mut arguments, "world")?;
        let actor = arguments.remove("as");
        let method = text_of(&mut arguments, "method")?.ok_or("`method` is missing")?;
        let path = text_of(&mut arguments, "path")?.ok_or("`path` is missing")?;
        let mut step = Map::new();
        step.insert("call".to_owned(), Json::from(format!("{method} {path}")));
        for name in ["query", "body"] {
            step.extend(arguments.remove(name).map(|value| (name.to_owned(), value)));
        }
        no_more(&arguments, &["method", "path", "query", "body", "as", "world"])?;
        self.send_step(step, actor, world)
    }

    /// Sends a step as a story would.
    fn send_step(
        &self,
        mut step: Map<String, Json>,
        actor: Option<Json>,
        world: Option<String>,
    ) -> Result<String, String> {
        step.extend(actor.map(|actor| ("as".to_owned(), actor)));
        let written = serde_json::to_string_pretty(&step).map_err(|error| error.to_string())?;
        let step = single_step(&Source::new(STEP, written)).map_err(|faults| rendered(&faults))?;
        let world = self.world(world.as_deref());
        self.with_server(|shown| {
            let mut visit = shown.visit(world.as_deref());
            if let (Caller::Partner { .. }, Some(token)) = (&visit.caller, &shown.token) {
                // One token for all that is asked, as a client of the API has it.
                visit.caller = Caller::Token(token.clone());
            }
            let exchange = visit.send(&step)?;
            Ok(answered(&exchange.method, &exchange.path, exchange.status, &exchange.answer))
        })
    }

    fn send_operation(&self, operation: &Operation, arguments: &Map<String, Json>) -> Result<String, String> {
        let known = operation.schema["properties"].as_object().cloned().unwrap_or_default();
        no_more(
            &arguments
                .iter()
                .filter(|(name, _)| !known.contains_key(*name))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect(),
            &known.keys().map(String::as_str).collect::<Vec<_>>(),
        )?;
        let world = self.world(arguments.get("world").and_then(Json::as_str));
        self.with_server(|shown| {
            let world = if operation.is_about_the_whole_world() {
                shown.one_world(world.as_deref(), &operation.name.replace('_', " "))
            } else if operation.path.contains(&format!("{{{WORLD}}}")) {
                shown.world(world.as_deref())
            } else {
                Ok(String::new())
            }?;
            let (path, body) = request(operation, arguments, &world)?;
            let token = shown.token.as_deref();
            let (status, answer) = match operation.method.as_str() {
                // Only a reader of bytes has what is no JSON.
                "GET" if operation.id == "readScenario" => {
                    let (status, bytes) = live::get_bytes(&shown.server, &path, token, shown.patience)?;
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    (
                        status,
                        if status == 200 {
                            Json::String(text)
                        } else {
                            serde_json::from_str(&text).unwrap_or_default()
                        },
                    )
                }
                "GET" => live::observe(&shown.server, &path, token, shown.patience)?,
                method => live::call(&shown.server, method, &path, token, body.as_ref(), shown.patience)?,
            };
            let answered = answered(&operation.method, &path, status, &answer);
            let result = match operation.id.as_str() {
                "readWhy" if status == 200 => Ok(why::text(&answer, false)),
                "readCoverage" if status == 200 => {
                    Coverage::read(answer).map(|coverage| readiness_text(&coverage, &world, false))
                }
                _ => answered.result,
            };
            Ok(Answered { result, ..answered })
        })
    }

    /// Plays a story in a world of its own.
    fn run(&self, mut arguments: Map<String, Json>) -> Result<String, String> {
        let on = text_of(&mut arguments, "on")?;
        let scenario = story(&mut arguments)?;
        let driver = match on.as_deref() {
            Some("here") => Choice::InProcess,
            None | Some("server") => self.live()?,
            Some(other) => return Err(format!("`on` cannot be `{other}`: it is `server` or `here`")),
        };
        let result = play_file(&StoryFile { path: PathBuf::from(STORY), scenario }, &Options::new(driver));
        let report = text::file(&result, None, Whys::Short);
        if matches!(result.outcome, StoryOutcome::Failed(_)) { Err(report) } else { Ok(report) }
    }

    /// The server, for a story.
    fn live(&self) -> Result<Choice, String> {
        let shown = self.shown()?;
        if shown.is_partner {
            return Err("a story makes a world of its own on the server, which is the operator's to do, and these credentials are a partner's: \
                 play it with `on: here`"
                .to_owned());
        }
        Ok(Choice::Live {
            server: shown.server.clone(),
            operator_token: shown.token.clone(),
            timeout: shown.patience,
            foreign: None,
            application: None,
        })
    }
}

/// What a tool says of an answer.
fn answered(method: &str, path: &str, status: u16, answer: &Json) -> Answered {
    let body = match answer {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    };
    let result = if (200..300).contains(&status) {
        Ok(if body.is_empty() { format!("{method} {path} answered {status}") } else { body })
    } else {
        Err(match (answer["error"].as_str(), answer["error_description"].as_str()) {
            (Some(error), Some(why)) => format!("{method} {path} answered {status} {error}: {why}"),
            _ => format!("{method} {path} answered {status}\n{body}"),
        })
    };
    Answered { status, result }
}

/// The path with its query, and the body, that arguments make.
fn request(
    operation: &Operation,
    arguments: &Map<String, Json>,
    world: &str,
) -> Result<(String, Option<Json>), String> {
    let mut path = operation.path.replace(&format!("{{{WORLD}}}"), &encoded(world));
    let (mut query, mut body) = (Vec::new(), Map::new());
    for (name, value) in arguments.iter().filter(|(name, _)| *name != "world") {
        let place = format!("{{{name}}}");
        if path.contains(&place) {
            path = path.replace(&place, &encoded(&step::shown(value)));
        } else if operation.query.contains(name) {
            query.push(format!("{name}={}", encoded(&step::shown(value))));
        } else {
            body.insert(name.clone(), value.clone());
        }
    }
    if let Some((_, rest)) = path.split_once('{') {
        return Err(format!("`{}` is missing", rest.split('}').next().unwrap_or_default()));
    }
    if !query.is_empty() {
        path = format!("{path}?{}", query.join("&"));
    }
    Ok((path, operation.has_body.then(|| json!(body))))
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, PLAIN).to_string()
}

/// A text among the arguments.
fn text_of(arguments: &mut Map<String, Json>, name: &str) -> Result<Option<String>, String> {
    match arguments.remove(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(other) => Err(format!("`{name}` is a text, and not {other}")),
    }
}

/// That nothing is left that a tool does not take.
fn no_more(arguments: &Map<String, Json>, known: &[&str]) -> Result<(), String> {
    let Some((name, _)) = arguments.iter().next() else { return Ok(()) };
    let hint = words::nearest(name, known.iter().copied())
        .map_or_else(|| format!("it takes {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
    Err(format!("`{name}` is not known here; {hint}"))
}

/// The story among the arguments, without mistakes.
fn story(arguments: &mut Map<String, Json>) -> Result<language::ast::Scenario, String> {
    let text = text_of(arguments, "story")?.ok_or("`story` is missing")?;
    no_more(arguments, &["story", "on"])?;
    let source = Source::new(STORY, text);
    let scenario = parse(&source, &NoFiles).map_err(|faults| rendered(&faults))?;
    let faults = lint::faults(&scenario, &source);
    if faults.is_empty() { Ok(scenario) } else { Err(rendered(&faults)) }
}

fn rendered(faults: &[Diagnostic]) -> String {
    faults.iter().map(|fault| fault.render(false)).collect()
}
