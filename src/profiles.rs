//! The file of profiles: addresses and credentials of running sandboxes, by name.
//!
//! Owns: where it is, how it is read and written. Invariant: only its owner can read it; one that others can read is refused, and it is
//! replaced as a whole, with comments of its owner kept. Absent on purpose: which profile a command uses, and what wins (`bearer`).

use language::words::hint;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Table, TomlError, value};

/// The key that names the default profile.
const DEFAULT: &str = "default";
/// The table of profiles.
const PROFILES: &str = "profiles";
/// The keys of a profile.
const KEYS: [&str; 9] =
    ["url", "client_id", "client_secret", "token", "operator_token", "operator_token_env", "world", "ca_file", "whose"];
/// Rights of others than the owner.
const OTHERS: u32 = 0o077;

/// One profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Profile {
    /// Its name.
    pub(crate) name: String,
    /// Where the sandbox is.
    pub(crate) url: String,
    /// What is shown to it.
    pub(crate) credentials: Credentials,
    /// The world that is meant.
    pub(crate) world: Option<String>,
    /// By which certificates its own is trusted.
    pub(crate) ca_file: Option<PathBuf>,
    /// Whose it was when it was written, in words.
    pub(crate) whose: Option<String>,
}

/// What is shown to a sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Credentials {
    /// Nothing: it is open.
    #[default]
    Nothing,
    /// A partner's.
    Partner {
        /// The client id.
        id: String,
        /// The client secret.
        secret: String,
    },
    /// An access token of a partner.
    Token(String),
    /// The operator's token.
    Operator(String),
    /// The name of the environment variable that holds the operator's token.
    OperatorEnv(String),
}

/// All profiles, and the text that they are in.
pub(crate) struct Profiles {
    path: PathBuf,
    document: DocumentMut,
}

/// Where the file is.
///
/// # Errors
/// When neither variable that says so is set.
pub(crate) fn path() -> Result<PathBuf, String> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")));
    let folder = folder.ok_or("neither XDG_CONFIG_HOME nor HOME names the folder of profiles")?;
    Ok(folder.join("fundsim").join("profiles.toml"))
}

impl Profiles {
    /// Reads the file; without one there are no profiles.
    ///
    /// # Errors
    /// Why it is of no use, with its name.
    pub(crate) fn load() -> Result<Self, String> {
        let path = path()?;
        let named = |why: String| format!("{}: {why}", path.display());
        let text = match fs::metadata(&path) {
            Ok(found) if found.permissions().mode() & OTHERS != 0 => {
                let mode = found.permissions().mode() & 0o777;
                return Err(named(format!(
                    "it holds secrets, and others may read or write it (mode {mode:04o}); say chmod 600 {}",
                    path.display()
                )));
            }
            Ok(_) => fs::read_to_string(&path).map_err(|error| named(error.to_string()))?,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => String::new(),
            Err(error) => return Err(named(error.to_string())),
        };
        let document = text.parse::<DocumentMut>().map_err(|error| named(unreadable(&text, &error)))?;
        let profiles = Self { path, document };
        profiles.check()?;
        Ok(profiles)
    }

    /// That everything in it has a meaning.
    fn check(&self) -> Result<(), String> {
        let named = |why: String| format!("{}: {why}", self.path.display());
        for (key, item) in self.document.iter() {
            let is_right = match key {
                DEFAULT => item.is_str(),
                PROFILES => item.is_table_like(),
                _ => return Err(named(unknown(key, &[DEFAULT, PROFILES]))),
            };
            if !is_right {
                return Err(named(format!("`{key}` is of another kind than a profile file has it")));
            }
        }
        for name in self.names() {
            self.profile(&name)?;
        }
        match self.default_name() {
            Some(name) if !self.names().contains(&name) => {
                Err(named(format!("`default` names the profile `{name}`, which is not there")))
            }
            _ => Ok(()),
        }
    }

    /// The names of all profiles, in the order of the file.
    pub(crate) fn names(&self) -> Vec<String> {
        let table = self.document.get(PROFILES).and_then(Item::as_table_like);
        table.map(|table| table.iter().map(|(name, _)| name.to_owned()).collect()).unwrap_or_default()
    }

    /// The name of the default profile.
    pub(crate) fn default_name(&self) -> Option<String> {
        self.document.get(DEFAULT).and_then(Item::as_str).map(str::to_owned)
    }

    /// The profile of a name.
    ///
    /// # Errors
    /// When there is none, or when it is of no use.
    pub(crate) fn profile(&self, name: &str) -> Result<Profile, String> {
        let table = self.document.get(PROFILES).and_then(|profiles| profiles.get(name));
        let Some(table) = table else {
            let names = self.names();
            let known: Vec<_> = names.iter().map(String::as_str).collect();
            let hint = if known.is_empty() {
                "there is none yet: `fundsim login` makes one".to_owned()
            } else {
                hint(name, &known).unwrap_or_else(|| "`fundsim login --list` shows them".to_owned())
            };
            return Err(format!("there is no profile `{name}`; {hint}"));
        };
        let named = |why: String| format!("{}: profile `{name}`: {why}", self.path.display());
        let table = table.as_table_like().ok_or_else(|| named("it is no table".to_owned()))?;
        for (key, item) in table.iter() {
            if !KEYS.contains(&key) {
                return Err(named(unknown(key, &KEYS)));
            }
            if !item.is_str() {
                return Err(named(format!("`{key}` is a text")));
            }
        }
        let text = |key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
        let credentials = credentials(&text).map_err(named)?;
        Ok(Profile {
            name: name.to_owned(),
            url: text("url").ok_or_else(|| named("it has no `url`".to_owned()))?,
            credentials,
            world: text("world"),
            ca_file: text("ca_file").map(PathBuf::from),
            whose: text("whose"),
        })
    }

    /// Puts a profile in, in the place of one of the same name; the first one is the default.
    pub(crate) fn put(&mut self, profile: &Profile, is_default: bool) {
        let is_first = self.names().is_empty();
        let mut table = Table::new();
        let mut set = |key: &str, text: &str| drop(table.insert(key, value(text)));
        set("url", &profile.url);
        match &profile.credentials {
            Credentials::Nothing => {}
            Credentials::Partner { id, secret } => {
                set("client_id", id);
                set("client_secret", secret);
            }
            Credentials::Token(token) => set("token", token),
            Credentials::Operator(token) => set("operator_token", token),
            Credentials::OperatorEnv(name) => set("operator_token_env", name),
        }
        if let Some(world) = &profile.world {
            set("world", world);
        }
        if let Some(file) = &profile.ca_file {
            set("ca_file", &file.display().to_string());
        }
        if let Some(whose) = &profile.whose {
            set("whose", whose);
        }
        let profiles = self.document.entry(PROFILES).or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        if let Some(profiles) = profiles.as_table_like_mut() {
            profiles.insert(&profile.name, Item::Table(table));
        }
        if is_first || is_default {
            self.set_default(&profile.name);
        }
    }

    /// Makes a profile the default one.
    pub(crate) fn set_default(&mut self, name: &str) {
        self.document.insert(DEFAULT, value(name));
    }

    /// Takes a profile out.
    pub(crate) fn remove(&mut self, name: &str) {
        if let Some(profiles) = self.document.get_mut(PROFILES).and_then(Item::as_table_like_mut) {
            profiles.remove(name);
        }
        if self.default_name().as_deref() == Some(name) {
            self.document.remove(DEFAULT);
        }
    }

    /// Writes the file, so that only its owner can read it.
    ///
    /// # Errors
    /// Why it was not written, with its name.
    pub(crate) fn save(&self) -> Result<(), String> {
        // A link stays one: what it leads to is replaced.
        let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        self.write(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn write(&self, path: &Path) -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let beside = path.with_extension(format!("toml.{}", std::process::id()));
        let written = (|| {
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
            file.write_all(self.document.to_string().as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, path)
        })();
        if written.is_err() {
            // What is left of it is of no use.
            drop(fs::remove_file(&beside));
        }
        written
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// What a profile shows, which is of one kind.
fn credentials(text: &dyn Fn(&str) -> Option<String>) -> Result<Credentials, String> {
    let kinds = ["client_id", "token", "operator_token", "operator_token_env"];
    let given: Vec<_> = kinds.into_iter().filter(|key| text(key).is_some()).collect();
    if let [first, second, ..] = given.as_slice() {
        return Err(format!("`{first}` and `{second}` are credentials of two kinds: keep one"));
    }
    Ok(match (text("client_id"), text("client_secret")) {
        (Some(id), Some(secret)) => Credentials::Partner { id, secret },
        (Some(_), None) => return Err("`client_id` needs `client_secret`".to_owned()),
        (None, Some(_)) => return Err("`client_secret` needs `client_id`".to_owned()),
        (None, None) => text("token")
            .map(Credentials::Token)
            .or_else(|| text("operator_token").map(Credentials::Operator))
            .or_else(|| text("operator_token_env").map(Credentials::OperatorEnv))
            .unwrap_or_default(),
    })
}

/// What is wrong with a file that is no TOML, without the line, which may hold a secret.
fn unreadable(text: &str, error: &TomlError) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    format!("line {}: {}", before.matches('\n').count() + 1, error.message().replace('\n', "; "))
}

fn unknown(key: &str, known: &[&str]) -> String {
    let hint = hint(key, known).map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("unknown word `{key}`{hint}")
}

/// Whether a text can be the name of a profile.
///
/// # Errors
/// Why not.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let is_right = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.len() <= 64 && name.chars().all(is_right) {
        return Ok(());
    }
    Err(format!("`{name}` cannot name a profile: a name has letters, digits, hyphens and underscores, at most 64"))
}
