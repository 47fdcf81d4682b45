//! `fundsim login` and `fundsim logout`: profiles are checked against their server, kept, listed and forgotten.
//!
//! Invariant: nothing is kept that the server has not taken; a secret is asked for without showing it and is never printed. Absent on
//! purpose: the file (`profiles`), and what a profile is used for (`bearer`).

use crate::args::terminal::{Login, Logout};
use crate::bearer::{self, Fault, Shown};
use crate::exit::WELL;
use crate::out;
use crate::period::duration;
use crate::profiles::{Credentials, Profile, Profiles, check_name};
use crate::run::USUAL_URL;
use crate::table::columns;
use crate::trust;
use crate::worlds::called;
use console::Term;
use runner::drivers::live;
use runner::drivers::target::Target;
use serde_json::Value as Json;
use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;

/// The name of a profile that nobody names.
const USUAL_NAME: &str = "default";

/// Keeps a profile, lists them, or makes one the default.
pub(crate) fn login(flags: &Login) -> u8 {
    match keep(flags) {
        Ok(text) => {
            out::say(&text);
            WELL
        }
        Err(fault) => fault.say(),
    }
}

/// Forgets one, or all.
pub(crate) fn logout(flags: &Logout) -> u8 {
    match forget(flags) {
        Ok(text) => {
            out::say(&text);
            WELL
        }
        Err(why) => out::refuse(&why),
    }
}

fn keep(flags: &Login) -> Result<String, Fault> {
    let mut profiles = Profiles::load()?;
    if flags.list {
        return Ok(list(&profiles)?);
    }
    let name = flags.bearer.profile.clone().unwrap_or_else(|| USUAL_NAME.to_owned());
    check_name(&name)?;
    let known = if profiles.names().contains(&name) { Some(profiles.profile(&name)?) } else { None };
    if flags.default && is_only_default(flags) {
        let known = known.ok_or_else(|| format!("there is no profile `{name}` to make the default"))?;
        profiles.set_default(&name);
        profiles.save()?;
        return Ok(format!("{name} is the default profile: {}\n", known.url));
    }
    let url = flags.url.clone().or_else(|| known.map(|known| known.url)).unwrap_or_else(|| USUAL_URL.to_owned());
    let ca_file = flags.bearer.ca_file.as_deref().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.into()));
    let server = Target { url: url.trim_end_matches('/').to_owned(), trust: trust::of_flag(ca_file.as_deref())? };
    live::check_url(&server)?;
    let patience = flags.bearer.timeout.as_deref().map_or(Ok(live::TIMEOUT), duration)?;
    live::reach(&server, patience)?;
    let given = given(flags, &server)?;
    let (credentials, shown) = match given {
        // Whose a token is, the server knows.
        Given::Token(token) => {
            let partners = Credentials::Token(token.clone());
            let shown = bearer::reached(server.clone(), &partners, patience)?;
            match shown.ask("GET", "/_sandbox/worlds/current", None) {
                Ok(_) => (partners, shown),
                Err(_) => {
                    let operators = Credentials::Operator(token);
                    let shown = bearer::reached(server, &operators, patience)?;
                    (operators, shown)
                }
            }
        }
        Given::Credentials(credentials) => {
            let shown = bearer::reached(server, &credentials, patience).map_err(Fault::Refused)?;
            (credentials, shown)
        }
    };
    let whose = whose(&shown, &credentials)?;
    let world = flags.world.as_deref();
    if let Some(world) = world {
        let id = shown.world(Some(world))?;
        shown.ask("GET", &format!("/_sandbox/worlds/{id}"), None)?;
    }
    let profile = Profile {
        name: name.clone(),
        url: shown.server.url.clone(),
        credentials,
        world: world.map(str::to_owned),
        ca_file,
        whose: Some(whose.short.clone()),
    };
    profiles.put(&profile, flags.default);
    profiles.save()?;
    let is_default = profiles.default_name().as_deref() == Some(&*name);
    let default = if is_default { ", which is the default one," } else { "" };
    let passing = match profile.credentials {
        Credentials::Token(_) => "the token ends before long; --client-id keeps credentials, which get new ones\n",
        _ => "",
    };
    Ok(format!(
        "{}: {}\n{passing}kept as the profile `{name}`{default} in {}\n",
        profile.url,
        whose.long,
        profiles.path().display()
    ))
}

/// Whether nothing is given but the profile that is to be the default.
fn is_only_default(flags: &Login) -> bool {
    let bearer = &flags.bearer;
    flags.url.is_none()
        && flags.secret_file.is_none()
        && flags.world.is_none()
        && bearer.token.is_none()
        && bearer.client_id.is_none()
        && bearer.operator_token_env.is_none()
        && bearer.profile.is_some()
}

/// What a caller has given to show.
enum Given {
    /// Credentials of a known kind.
    Credentials(Credentials),
    /// A token: of a partner, or of the operator.
    Token(String),
}

/// What the flags name, or what is typed.
fn given(flags: &Login, server: &Target) -> Result<Given, String> {
    let bearer = &flags.bearer;
    let from_file = flags.secret_file.as_deref().map(first_line).transpose()?;
    if let Some(id) = &bearer.client_id {
        let secret = bearer.client_secret.clone().or(from_file).map_or_else(
            || hidden(&format!("Client secret of {id} at {}: ", server.url), "--client-id needs a secret"),
            Ok,
        )?;
        return Ok(Given::Credentials(Credentials::Partner { id: id.clone(), secret }));
    }
    if let Some(token) = bearer.token.clone().or(from_file) {
        return Ok(Given::Token(token));
    }
    if let Some(name) = &bearer.operator_token_env {
        return Ok(Given::Credentials(Credentials::OperatorEnv(name.clone())));
    }
    // An open server asks for nothing.
    let is_open = live::get(server, "/_sandbox/worlds", None, live::TIMEOUT).is_ok_and(|(status, _)| status == 200);
    if is_open {
        return Ok(Given::Credentials(Credentials::Nothing));
    }
    if !std::io::stdin().is_terminal() {
        return Err(format!(
            "{} asks for credentials: --client-id, --token, --secret-file or --operator-token-env",
            server.url
        ));
    }
    out::note(&format!("{} asks for credentials. Client id (empty for a token): ", server.url));
    let mut id = String::new();
    std::io::stdin().lock().read_line(&mut id).map_err(|error| error.to_string())?;
    match id.trim() {
        "" => hidden("Token, of a partner or of the operator: ", "a token is needed").map(Given::Token),
        id => {
            let secret = hidden("Client secret: ", "a secret is needed")?;
            Ok(Given::Credentials(Credentials::Partner { id: id.to_owned(), secret }))
        }
    }
}

/// What is typed without being shown.
fn hidden(prompt: &str, needed: &str) -> Result<String, String> {
    let elsewhere = "in FUNDSIM_CLIENT_SECRET or by --secret-file FILE, where - is standard input";
    if !std::io::stdin().is_terminal() {
        return Err(format!("{needed}: {elsewhere}"));
    }
    out::note(prompt);
    let typed = Term::stderr().read_secure_line().map_err(|error| error.to_string())?;
    match typed.trim() {
        "" => Err(format!("{needed}: nothing was typed")),
        secret => Ok(secret.to_owned()),
    }
}

/// The first line of a file, or of standard input.
fn first_line(file: &Path) -> Result<String, String> {
    let named = |why: String| format!("--secret-file {}: {why}", file.display());
    let mut line = String::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().read_line(&mut line)
    } else {
        std::fs::File::open(file).and_then(|file| std::io::BufReader::new(file).read_line(&mut line))
    };
    read.map_err(|error| named(error.to_string()))?;
    match line.trim() {
        "" => Err(named("its first line is empty".to_owned())),
        secret => Ok(secret.to_owned()),
    }
}

/// Whose credentials are, in a word or two and in a sentence.
struct Whose {
    short: String,
    long: String,
}

/// Whom the server takes the caller for.
fn whose(shown: &Shown, credentials: &Credentials) -> Result<Whose, Fault> {
    let text = |value: &Json, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    if !shown.is_partner {
        let worlds = shown.ask("GET", "/_sandbox/worlds", None)?;
        let worlds: Vec<_> = worlds.as_array().into_iter().flatten().map(called).collect();
        let (short, who) = match credentials {
            Credentials::Nothing => ("operator, open", "open to everybody, who is the operator"),
            _ => ("operator", "the operator"),
        };
        let many = if worlds.len() == 1 { "world" } else { "worlds" };
        let listed = if worlds.len() > 5 { format!("{}, …", worlds[..5].join(", ")) } else { worlds.join(", ") };
        return Ok(Whose { short: short.to_owned(), long: format!("{who}; {} {many}: {listed}", worlds.len()) });
    }
    let world = shown.ask("GET", "/_sandbox/worlds/current", None)?;
    let clients = shown.ask("GET", "/v2/partner/client", None)?;
    let is_own = |client: &Json| clients.as_array().is_some_and(|own| own.iter().any(|it| it["id"] == client["id"]));
    let partner = world["partners"].as_array().into_iter().flatten().find(|partner| match credentials {
        Credentials::Partner { id, .. } => partner["clientId"] == **id,
        _ => partner["clients"].as_array().is_some_and(|clients| clients.iter().any(is_own)),
    });
    let name = partner.map(|partner| text(partner, "name")).unwrap_or_default();
    let names: Vec<_> = clients.as_array().into_iter().flatten().map(|client| text(client, "name")).collect();
    let who = format!("partner {name}");
    Ok(Whose {
        long: format!("the {who}, in {}; clients: {}", called(&world), names.join(", ")),
        short: who.trim_end().to_owned(),
    })
}

/// All profiles as a table.
fn list(profiles: &Profiles) -> Result<String, String> {
    let default = profiles.default_name();
    let names = profiles.names();
    if names.is_empty() {
        return Ok(format!("no profiles in {}; `fundsim login` makes one\n", profiles.path().display()));
    }
    let rows = names.iter().map(|name| {
        let profile = profiles.profile(name)?;
        let mark = if default.as_ref() == Some(name) { "*" } else { "" };
        let whose = profile.whose.unwrap_or_default();
        Ok([mark.to_owned(), name.clone(), profile.url, profile.world.unwrap_or_default(), whose])
    });
    let rows: Vec<_> = rows.collect::<Result<_, String>>()?;
    Ok(columns(&["", "profile", "server", "world", "whose"], &rows))
}

fn forget(flags: &Logout) -> Result<String, String> {
    let mut profiles = Profiles::load()?;
    let names = if flags.all {
        profiles.names()
    } else {
        let name = flags.profile.clone().or_else(|| profiles.default_name());
        let name = name.ok_or("there is no default profile: name one, or --all")?;
        profiles.profile(&name)?;
        vec![name]
    };
    let was_default = profiles.default_name();
    names.iter().for_each(|name| profiles.remove(name));
    profiles.save()?;
    let left = profiles.names();
    let hint = match (was_default.is_some() && profiles.default_name().is_none(), left.first()) {
        (true, Some(first)) => format!("none is the default now: `fundsim login --profile {first} --default`\n"),
        _ => String::new(),
    };
    Ok(match names.as_slice() {
        [] => "there was no profile\n".to_owned(),
        names => format!("forgotten: {}\n{hint}", names.join(", ")),
    })
}
