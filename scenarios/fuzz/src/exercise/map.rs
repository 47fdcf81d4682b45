//! How the exercise uses an application: fragments of the story language that use it, and rows that say what it holds.
//!
//! Invariant: everything that is known of an application is in the words of stories, so that a difference that was found is a story. Absent
//! on purpose: which fragments are used when (`step`), and how they are written into a story (`story`).

use language::diagnostic::Diagnostic;
use language::parse;
use language::words;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// Keys of the file, with what each says.
pub const KEYS: &[(&str, &str)] = &[
    ("customer", "a fragment that makes a customer with `{cash}`, and names `customer` and `account`"),
    ("deposit", "a fragment in which `{customer}` pays in `{amount}`"),
    ("buy", "a fragment in which `{customer}` buys `{fund}` for `{amount}`, under the key `{key}`"),
    ("sell", "a fragment in which `{customer}` sells all units of `{fund}`, under the key `{key}`"),
    ("connect", "a fragment in which `{customer}` connects a bank account to `{account}`"),
    ("withdraw", "a fragment in which `{customer}` takes `{amount}` out; it names `payout`"),
    ("rest", "a fragment of what the application does each night"),
    ("fresh", "a fragment that begins the world and the application anew; each run begins with it"),
    ("funds", "the funds that are bought"),
    ("holdings", "rows that say what the application holds: `cash` and `units`"),
];

/// Rows of `holdings`: paths into the answer, in which `{account}`, `{customer}`, `{client}` and `{fund}` are filled in.
pub const ROWS: &[(&str, &str)] =
    &[("cash", "the cash of `{account}`"), ("units", "the units of `{fund}` that `{account}` holds")];

/// Funds of the demo world, where the file names none.
const FUNDS: &[&str] = &["SE0SBX000016SEK", "SE0SBX000024SEK"];

/// How an application is used, and what it says that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplicationMap {
    /// The request that answers what it holds, such as `GET /holdings`.
    pub holdings: String,
    /// The path of an account's cash in the answer.
    pub cash: String,
    /// The path of an account's units of a fund in the answer.
    pub units: Option<String>,
    /// Funds that are bought.
    pub funds: Vec<String>,
    fragments: Vec<(&'static str, PathBuf)>,
}

impl ApplicationMap {
    /// The map in a file.
    ///
    /// # Errors
    /// What is wrong with it, and what is accepted.
    pub fn load(path: &Path, holdings: &str) -> Result<Self, String> {
        let named = |why: String| format!("{}: {why}", path.display());
        let text_of = |faults: Vec<Diagnostic>| faults.iter().map(|fault| fault.render(false)).collect::<String>();
        let file = parse::load_value(path).map_err(text_of)?;
        let folder = path.canonicalize().map_err(|error| named(error.to_string()))?;
        Self::read(&file, folder.parent().unwrap_or(Path::new("/")), holdings).map_err(named)
    }

    /// The map in a value; its fragments are in `folder`.
    fn read(file: &Json, folder: &Path, holdings: &str) -> Result<Self, String> {
        let Json::Object(entries) = file else { return Err("a map of an application is names and values".to_owned()) };
        known(entries.keys(), KEYS)?;
        let rows =
            file["holdings"].as_object().ok_or("`holdings` needs the row `cash`, and `units` where funds are held")?;
        known(rows.keys(), ROWS)?;
        let row =
            |name: &str| rows.get(name).map(|row| row.as_str().map(str::to_owned).ok_or(format!("`{name}` is a path")));
        let cash = row("cash").ok_or("`holdings` needs the row `cash`")??;
        let mut fragments = Vec::new();
        for (key, _) in KEYS.iter().filter(|(key, _)| !matches!(*key, "funds" | "holdings")) {
            let Some(value) = entries.get(*key) else { continue };
            let file = value.as_str().ok_or_else(|| format!("`{key}` is the name of a file"))?;
            let fragment = folder.join(file);
            let found = fragment.canonicalize().ok().filter(|found| found.is_file());
            fragments.push((*key, found.ok_or_else(|| format!("`{key}`: there is no file {}", fragment.display()))?));
        }
        if !fragments.iter().any(|(key, _)| *key == "customer") {
            return Err("`customer` is missing: a file that makes a customer".to_owned());
        }
        let funds = match entries.get("funds") {
            None => FUNDS.iter().map(|fund| (*fund).to_owned()).collect(),
            Some(funds) => {
                let text = |fund: &Json| fund.as_str().map(str::to_owned);
                let texts: Option<Vec<_>> = funds.as_array().and_then(|funds| funds.iter().map(text).collect());
                let texts = texts.filter(|texts| !texts.is_empty());
                texts.ok_or("`funds` is a list of the ids of funds, such as [SE0SBX000016SEK]")?
            }
        };
        Ok(Self { holdings: holdings.to_owned(), cash, units: row("units").transpose()?, funds, fragments })
    }

    /// The fragment of a key, where the file names one.
    #[must_use]
    pub fn fragment(&self, key: &str) -> Option<&Path> {
        self.fragments.iter().find(|(known, _)| *known == key).map(|(_, file)| file.as_path())
    }

    /// Whether the application can do what a key says.
    #[must_use]
    pub fn can(&self, key: &str) -> bool {
        self.fragment(key).is_some()
    }
}

/// That there are no other keys than these.
fn known<'k>(keys: impl Iterator<Item = &'k String>, table: &[(&'static str, &str)]) -> Result<(), String> {
    let known = words::listed(table);
    for key in keys {
        if !known.contains(&key.as_str()) {
            let hint = words::hint(key, &known).unwrap_or_default();
            return Err(format!("unknown word `{key}`; {hint}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_map_says_what_is_wrong_with_it_and_what_is_accepted() {
        let read = |file: Json| ApplicationMap::read(&file, Path::new(env!("CARGO_MANIFEST_DIR")), "GET /holdings");
        let well = json!({ "customer": "Cargo.toml", "holdings": { "cash": "cash" } });
        let map = read(well).expect("a map");
        assert!(map.can("customer") && !map.can("buy") && map.funds.len() == 2 && map.units.is_none());
        for (file, why) in [
            (json!([]), "names and values"),
            (json!({ "costumer": "x" }), "did you mean `customer`?"),
            (json!({ "customer": "Cargo.toml" }), "`holdings` needs the row `cash`"),
            (json!({ "customer": "Cargo.toml", "holdings": { "unit": "x" } }), "did you mean `units`?"),
            (json!({ "customer": "none.yaml", "holdings": { "cash": "x" } }), "`customer`: there is no file"),
            (json!({ "holdings": { "cash": "x" } }), "`customer` is missing"),
        ] {
            let refusal = read(file).expect_err(why);
            assert!(refusal.contains(why), "{refusal}");
        }
    }
}
