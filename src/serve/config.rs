//! What `serve` is to do, put together from flags, their twins in the environment, and a file; in this order.

use crate::args::{Output, Serve};
use clap::ValueEnum as _;
use sandbox::SurfaceConfig;
use sandbox::hosting::network::Network;
use scenarios::diagnostic::Diagnostic;
use scenarios::parse;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// The settings in force.
pub(super) struct Config {
    pub(super) listen: String,
    pub(super) setup: Option<(PathBuf, Json)>,
    pub(super) seed: Option<u64>,
    pub(super) start: Option<String>,
    pub(super) clock: Option<String>,
    pub(super) public_url: Option<String>,
    pub(super) operator_token_env: Option<String>,
    pub(super) open: bool,
    pub(super) allow_egress: Vec<Network>,
    pub(super) no_loopback_egress: bool,
    pub(super) output: Output,
}

/// Why there is no configuration.
pub(super) enum Unusable {
    /// A file is not well formed.
    Faults(Vec<Diagnostic>),
    /// In one line.
    Why(String),
}

impl From<String> for Unusable {
    fn from(why: String) -> Self {
        Self::Why(why)
    }
}

/// Words of a configuration file.
const WORDS: &[&str] = &[
    "listen",
    "world",
    "seed",
    "start",
    "clock",
    "publicUrl",
    "operatorTokenEnv",
    "open",
    "allowEgress",
    "noLoopbackEgress",
    "output",
];

impl Config {
    /// Flags over file over defaults.
    pub(super) fn of(flags: &Serve) -> Result<Self, Unusable> {
        let file = File::read(flags.config.as_deref())?;
        let world = match (&flags.world, file.text("world")?) {
            (Some(path), _) => Some(path.clone()),
            (None, Some(path)) => Some(file.beside(&path)),
            (None, None) => None,
        };
        let setup = match world {
            Some(path) => {
                let value = parse::load_value(&path).map_err(Unusable::Faults)?;
                Some((path, value))
            }
            None => None,
        };
        let or = |flag: &Option<String>, word: &str| -> Result<Option<String>, String> {
            flag.clone().map_or_else(|| file.text(word), |flag| Ok(Some(flag)))
        };
        Ok(Self {
            listen: or(&flags.listen, "listen")?.unwrap_or_else(|| "127.0.0.1:8080".to_owned()),
            setup,
            seed: flags.seed.map_or_else(|| file.whole("seed"), |seed| Ok(Some(seed)))?,
            start: or(&flags.start, "start")?,
            clock: or(&flags.clock, "clock")?,
            public_url: or(&flags.public_url, "publicUrl")?
                .map(|url| SurfaceConfig::read_public_url(&url))
                .transpose()?,
            operator_token_env: or(&flags.operator_token_env, "operatorTokenEnv")?,
            open: flags.open || file.truth("open")?,
            allow_egress: [flags.allow_egress.clone(), file.blocks("allowEgress")?].concat(),
            no_loopback_egress: flags.no_loopback_egress || file.truth("noLoopbackEgress")?,
            output: flags.output.map_or_else(|| file.output(), Ok)?,
        })
    }

    /// The clock as people say it.
    pub(super) fn clock_words(&self) -> String {
        match self.clock.as_deref() {
            None | Some("real") => "real time".to_owned(),
            Some("frozen") => "standing still".to_owned(),
            Some(factor) => format!("real time times {factor}"),
        }
    }
}

/// A configuration file, or none.
struct File {
    path: PathBuf,
    value: Json,
}

impl File {
    fn read(path: Option<&Path>) -> Result<Self, Unusable> {
        let Some(path) = path else { return Ok(Self { path: PathBuf::new(), value: Json::Null }) };
        let value = parse::load_value(path).map_err(Unusable::Faults)?;
        let file = Self { path: path.to_owned(), value };
        let Json::Object(entries) = &file.value else {
            return Err(Unusable::Why(format!("{}: a configuration is a map", path.display())));
        };
        for word in entries.keys() {
            if !WORDS.contains(&word.as_str()) {
                let hint = scenarios::words::hint(word, WORDS).map(|hint| format!("; {hint}")).unwrap_or_default();
                return Err(Unusable::Why(format!("{}: unknown word `{word}`{hint}", path.display())));
            }
        }
        Ok(file)
    }

    fn beside(&self, path: &str) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path)
    }

    fn wrong(&self, word: &str, wanted: &str) -> String {
        format!("{}: `{word}` must be {wanted}", self.path.display())
    }

    fn text(&self, word: &str) -> Result<Option<String>, String> {
        match self.value.get(word) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.clone())),
            Some(Json::Number(number)) => Ok(Some(number.to_string())),
            Some(_) => Err(self.wrong(word, "a text")),
        }
    }

    fn whole(&self, word: &str) -> Result<Option<u64>, String> {
        match self.value.get(word) {
            None | Some(Json::Null) => Ok(None),
            Some(value) => value.as_u64().map(Some).ok_or_else(|| self.wrong(word, "a whole number")),
        }
    }

    fn truth(&self, word: &str) -> Result<bool, String> {
        match self.value.get(word) {
            None | Some(Json::Null) => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| self.wrong(word, "true or false")),
        }
    }

    fn blocks(&self, word: &str) -> Result<Vec<Network>, String> {
        let wrong = || self.wrong(word, "a list of addresses or blocks of them, such as 10.0.0.0/8");
        let block = |value: &Json| value.as_str().and_then(|text| text.parse().ok()).ok_or_else(wrong);
        match self.value.get(word) {
            None | Some(Json::Null) => Ok(Vec::new()),
            Some(Json::Array(values)) => values.iter().map(block).collect(),
            Some(value) => Ok(vec![block(value)?]),
        }
    }

    fn output(&self) -> Result<Output, String> {
        match self.text("output")? {
            None => Ok(Output::default()),
            Some(text) => Output::from_str(&text, false).map_err(|_| self.wrong("output", "text or json")),
        }
    }
}
