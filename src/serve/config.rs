//! What `serve` is to do, put together from flags, their variables in the environment, and a file; in this order.

use crate::args::{LogFormat, Output, Serve, WhileDown, is_log};
use crate::period::{duration, mebibytes};
use crate::trust;
use deliveries::network::Network;
use deliveries::trust::Trust;
use hosting::log::{Wanted, WantedError};
use hosting::worlds::WorldBounds;
use language::diagnostic::Diagnostic;
use language::{parse, words};
use serde_json::Value as Json;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use surface::SurfaceConfig;
use surface::admission::HostName;
use wire::json::Node;
use wire::rows::fields::{self, Cursor, Fields, Unknown};
use wire::rows::shape::{Shape, by, integer, names, of};
use wire::words::of_words;

/// The settings in force.
#[derive(Clone)]
pub(super) struct Config {
    pub(super) listen: String,
    pub(super) setup: Option<(PathBuf, Json)>,
    pub(super) seed: Option<u64>,
    pub(super) start: Option<String>,
    pub(super) clock: Option<String>,
    pub(super) public_url: Option<String>,
    pub(super) operator_token_env: Option<String>,
    /// Where the server's key is kept.
    pub(super) key_file: Option<PathBuf>,
    /// With which certificate TLS is spoken; none where it is not.
    pub(super) certificate: Option<Certificate>,
    /// Whom https receivers are trusted by.
    pub(super) trust: Trust,
    pub(super) open: bool,
    pub(super) allow_host: Vec<HostName>,
    pub(super) allow_egress: Vec<Network>,
    pub(super) worlds: WorldBounds,
    /// MiB of the server, and of one world.
    pub(super) max_memory: Option<u64>,
    pub(super) max_world_memory: Option<u64>,
    /// The folder in which worlds are kept.
    pub(super) data: Option<PathBuf>,
    /// The log that several instances share.
    #[cfg_attr(not(feature = "several"), expect(dead_code, reason = "such a build refuses it"))]
    pub(super) log: Option<Log>,
    /// Whether paced clocks stand while no server runs.
    pub(super) clocks_stand: bool,
    /// How long a stop may take.
    pub(super) stop_within: Option<Duration>,
    /// A world in a file, to continue from.
    pub(super) snapshot: Option<PathBuf>,
    pub(super) no_loopback_egress: bool,
    pub(super) output: Output,
    pub(super) log_level: Wanted,
    pub(super) log_format: LogFormat,
}

/// The certificate that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Certificate {
    /// The one that files hold.
    Files {
        /// A chain, the server's own first.
        certificate: PathBuf,
        /// The key of that one.
        key: PathBuf,
    },
    /// One that is made for tries.
    SelfSigned {
        /// Where it is written for clients.
        out: Option<PathBuf>,
    },
}

impl Certificate {
    /// What flags, or a configuration file, ask for.
    fn of(
        certificate: Option<PathBuf>,
        key: Option<PathBuf>,
        is_self_signed: bool,
        out: Option<PathBuf>,
    ) -> Result<Option<Self>, &'static str> {
        match (certificate, key, is_self_signed, out) {
            (None, None, false, None) => Ok(None),
            (Some(certificate), Some(key), false, None) => Ok(Some(Self::Files { certificate, key })),
            (None, None, true, out) => Ok(Some(Self::SelfSigned { out })),
            (Some(_), None, ..) | (None, Some(_), ..) => Err("tlsCert and tlsKey go together"),
            (Some(_), Some(_), true, _) => Err("tlsSelfSigned is instead of tlsCert and tlsKey"),
            (.., Some(_)) => Err("tlsCertOut goes with tlsSelfSigned"),
        }
    }
}

/// A log that several instances share.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Log {
    /// Where it is; it may hold a password.
    pub(super) url: String,
    /// Where other instances reach this one.
    pub(super) advertise: Option<String>,
}

impl Log {
    fn of(url: Option<String>, advertise: Option<String>) -> Result<Option<Self>, String> {
        let Some(url) = url else {
            return if advertise.is_some() { Err("advertise goes with log".to_owned()) } else { Ok(None) };
        };
        is_log(&url).map_err(|why| format!("--log: {why}"))?;
        let advertise = advertise.map(|url| SurfaceConfig::read_public_url(&url)).transpose();
        let advertise = advertise.map_err(|why| why.replace("the public URL", "--advertise"))?;
        Ok(Some(Self { url, advertise }))
    }
}

/// Why there is no configuration.
pub(super) enum Unusable {
    /// A file is not well formed.
    Faults(Vec<Diagnostic>),
    /// In one line.
    Why(String),
}

impl From<&str> for Unusable {
    fn from(why: &str) -> Self {
        Self::Why(why.to_owned())
    }
}

impl From<String> for Unusable {
    fn from(why: String) -> Self {
        Self::Why(why)
    }
}

impl Config {
    /// Flags over file over defaults.
    pub(super) fn of(flags: &Serve) -> Result<Self, Unusable> {
        let file = flags.config.as_deref().map_or_else(|| Ok(File::default()), File::read)?;
        let beside =
            |world: String| flags.config.as_deref().and_then(Path::parent).unwrap_or(Path::new("")).join(world);
        let setup = match flags.world.clone().or(file.world.map(beside)) {
            Some(path) => {
                let value = parse::load_value(&path).map_err(Unusable::Faults)?;
                Some((path, value))
            }
            None => None,
        };
        let public_url = flags.public_url.clone().or(file.public_url);
        let public_url = public_url.map(|url| SurfaceConfig::read_public_url(&url)).transpose()?;
        let of_flags = Certificate::of(
            flags.tls_cert.clone(),
            flags.tls_key.clone(),
            flags.tls_self_signed,
            flags.tls_cert_out.clone(),
        )?;
        let of_file = Certificate::of(
            file.tls_cert.map(beside),
            file.tls_key.map(beside),
            file.tls_self_signed,
            file.tls_cert_out.map(beside),
        );
        let of_file = of_file.map_err(|why| {
            let path = flags.config.as_deref().map(|path| format!("{}: ", path.display()));
            Unusable::Why(path.unwrap_or_default() + why)
        })?;
        let certificate = of_flags.or(of_file);
        if let Some(url) = public_url.as_deref().filter(|url| certificate.is_some() && is_plain(url)) {
            return Err(Unusable::Why(format!(
                "--public-url {url}: links would begin with http, and the server speaks https; say https://, or leave TLS out"
            )));
        }
        let log = Log::of(flags.log.clone().or(file.log), flags.advertise.clone().or(file.advertise))?;
        if log.is_some() && file.data.is_some() {
            return Err(Unusable::Why("data and log are two places for worlds: name one".to_owned()));
        }
        let ca_file = flags.ca_file.clone().or(file.ca_file.map(beside));
        Ok(Self {
            log,
            listen: flags.listen.clone().or(file.listen).unwrap_or_else(|| "127.0.0.1:8080".to_owned()),
            setup,
            seed: flags.seed.or(file.seed),
            snapshot: flags.snapshot.clone(),
            data: flags.data.clone().or(file.data.map(beside)),
            clocks_stand: flags.clock_while_down.or(file.clock_while_down).unwrap_or_default() == WhileDown::Paused,
            stop_within: time("--stop-within", flags.stop_within.clone().or(file.stop_within))?,
            worlds: bounds(
                flags.max_worlds.map(NonZeroUsize::get).or(file.max_worlds),
                flags.world_expiry.clone().or(file.world_expiry),
            )?,
            max_memory: size("maxMemory", flags.max_memory, file.max_memory)?,
            max_world_memory: size("maxWorldMemory", flags.max_world_memory, file.max_world_memory)?,
            start: flags.start.clone().or(file.start),
            clock: flags.clock.clone().or(file.clock),
            public_url,
            certificate,
            trust: trust::of_flag(ca_file.as_deref())?,
            operator_token_env: flags.operator_token_env.clone().or(file.operator_token_env),
            key_file: flags.key_file.clone().or(file.key_file.map(beside)),
            open: flags.open || file.open,
            allow_host: [flags.allow_host.clone(), file.allow_host].concat(),
            allow_egress: [flags.allow_egress.clone(), file.allow_egress].concat(),
            no_loopback_egress: flags.no_loopback_egress || file.no_loopback_egress,
            output: flags.output.or(file.output).unwrap_or_default(),
            log_level: flags.log_level.clone().or(file.log_level).unwrap_or_default(),
            log_format: flags.log_format.or(file.log_format).unwrap_or_default(),
        })
    }
}

/// Whether a URL is one without TLS.
fn is_plain(url: &str) -> bool {
    url.split_once(':').is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("http"))
}

/// MiB by a flag, or by the text of a configuration file under `name`.
fn size(name: &str, flag: Option<u64>, file: Option<String>) -> Result<Option<u64>, String> {
    let of_file = || file.map(|text| mebibytes(&text).map_err(|why| format!("{name}: {why}"))).transpose();
    flag.map_or_else(of_file, |mib| Ok(Some(mib)))
}

/// What a configuration file says.
#[derive(Default)]
struct File {
    listen: Option<String>,
    world: Option<String>,
    seed: Option<u64>,
    start: Option<String>,
    clock: Option<String>,
    public_url: Option<String>,
    data: Option<String>,
    clock_while_down: Option<WhileDown>,
    log: Option<String>,
    advertise: Option<String>,
    stop_within: Option<String>,
    operator_token_env: Option<String>,
    key_file: Option<String>,
    tls_cert: Option<String>,
    tls_key: Option<String>,
    tls_self_signed: bool,
    tls_cert_out: Option<String>,
    ca_file: Option<String>,
    max_worlds: Option<usize>,
    max_memory: Option<String>,
    max_world_memory: Option<String>,
    world_expiry: Option<String>,
    open: bool,
    allow_host: Vec<HostName>,
    allow_egress: Vec<Network>,
    no_loopback_egress: bool,
    output: Option<Output>,
    log_level: Option<Wanted>,
    log_format: Option<LogFormat>,
}

/// How many worlds there may be, and how long an unused one is kept.
fn bounds(most: Option<usize>, idle: Option<String>) -> Result<WorldBounds, String> {
    let idle = time("--world-expiry", idle)?;
    let usual = WorldBounds::default();
    Ok(WorldBounds { idle, most: most.unwrap_or(usual.most), ..usual })
}

fn time(flag: &str, text: Option<String>) -> Result<Option<Duration>, String> {
    text.map(|text| duration(&text).map_err(|error| format!("{flag}: {error}"))).transpose()
}

impl Shape for File {
    type Value = Self;
    const NAME: &'static str = "Configuration";
    const ABOUT: &'static str = "What `serve` is to do.";

    fn rows(fields: &mut Fields<'_, '_>) -> Option<Self> {
        let listen = fields.optional("listen", by(text));
        let world = fields.optional("world", by(text));
        let seed = fields.optional("seed", integer(0..=u64::MAX));
        let start = fields.optional("start", by(text));
        let clock = fields.optional("clock", by(text));
        let public_url = fields.optional("publicUrl", by(text));
        let data = fields.optional("data", by(text));
        let clock_while_down =
            fields.optional("clockWhileDown", of_words([("stands", WhileDown::Paused), ("runs", WhileDown::Runs)]));
        let log = fields.optional("log", by(text));
        let advertise = fields.optional("advertise", by(text));
        let stop_within = fields.optional("stopWithin", by(text));
        let operator_token_env = fields.optional("operatorTokenEnv", by(text));
        let key_file = fields.optional("keyFile", by(text));
        let tls_cert = fields.optional("tlsCert", by(text));
        let tls_key = fields.optional("tlsKey", by(text));
        let tls_self_signed = fields.or("tlsSelfSigned", false, of());
        let tls_cert_out = fields.optional("tlsCertOut", by(text));
        let ca_file = fields.optional("caFile", by(text));
        let max_worlds = fields.optional("maxWorlds", integer(1..=1_000_000_usize));
        let max_memory = fields.optional("maxMemory", by(text));
        let max_world_memory = fields.optional("maxWorldMemory", by(text));
        let world_expiry = fields.optional("worldExpiry", by(text));
        let open = fields.or("open", false, of());
        let allow_host = fields.or("allowHost", Vec::new(), by(host_names));
        let allow_egress = fields.or("allowEgress", Vec::new(), by(networks));
        let no_loopback_egress = fields.or("noLoopbackEgress", false, of());
        let output = fields.optional("output", of_words([("text", Output::Text), ("json", Output::Json)]));
        let log_level = fields.optional("logLevel", by(wanted));
        let log_format = fields.optional("logFormat", of_words([("text", LogFormat::Text), ("json", LogFormat::Json)]));
        Some(Self {
            listen: listen?,
            world: world?,
            seed: seed?,
            start: start?,
            clock: clock?,
            public_url: public_url?,
            data: data?,
            clock_while_down: clock_while_down?,
            log: log?,
            advertise: advertise?,
            stop_within: stop_within?,
            operator_token_env: operator_token_env?,
            key_file: key_file?,
            tls_cert: tls_cert?,
            tls_key: tls_key?,
            tls_self_signed: tls_self_signed?,
            tls_cert_out: tls_cert_out?,
            ca_file: ca_file?,
            max_worlds: max_worlds?,
            max_memory: max_memory?,
            max_world_memory: max_world_memory?,
            world_expiry: world_expiry?,
            open: open?,
            allow_host: allow_host?,
            allow_egress: allow_egress?,
            no_loopback_egress: no_loopback_egress?,
            output: output?,
            log_level: log_level?,
            log_format: log_format?,
        })
    }
}

impl File {
    fn read(path: &Path) -> Result<Self, Unusable> {
        let value = parse::load_value(path).map_err(Unusable::Faults)?;
        let why = |what: String| Unusable::Why(format!("{}: {what}", path.display()));
        let Json::Object(entries) = &value else { return Err(why("a configuration is a map".to_owned())) };
        let known = names::<Self>();
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        if let Some(word) = entries.keys().find(|word| !known.contains(&word.as_str())) {
            let hint = words::hint(word, &known).map(|hint| format!("; {hint}")).unwrap_or_default();
            return Err(why(format!("unknown word `{word}`{hint}")));
        }
        fields::read(&Node::of(&value), Unknown::Refused, Self::rows).map_err(|error| why(error.description))
    }
}

/// A text, or a number as it is written: YAML takes `60` for one.
fn text(cursor: Cursor<'_, '_>) -> Option<String> {
    match cursor.node() {
        Node::Text(text) => Some(text.to_string()),
        Node::Number(digits) => Some((*digits).to_owned()),
        _ => cursor.wrong("must be a text"),
    }
}

fn wanted(cursor: Cursor<'_, '_>) -> Option<Wanted> {
    cursor.text_as(WantedError::accepted(), |text| text.parse().ok())
}

fn networks(cursor: Cursor<'_, '_>) -> Option<Vec<Network>> {
    one_or_more(cursor, "a network such as 10.0.0.0/8 or an address")
}

fn host_names(cursor: Cursor<'_, '_>) -> Option<Vec<HostName>> {
    one_or_more(cursor, "a host name without scheme and port")
}

/// One text, or a list of them.
fn one_or_more<T: FromStr>(cursor: Cursor<'_, '_>, form: &str) -> Option<Vec<T>> {
    let one = |cursor: Cursor<'_, '_>| cursor.text_as(form, |text| text.parse().ok());
    match cursor.node() {
        Node::List(_) => cursor.list(one),
        _ => one(cursor).map(|one| vec![one]),
    }
}
