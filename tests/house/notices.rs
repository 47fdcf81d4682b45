//! What the program says of other people's software in it: as many packages as are locked, under licences that may be used.

use super::{list, packages, read, root, text};
use std::collections::{BTreeMap, BTreeSet};

/// A package of Cargo.lock.
struct Locked {
    version: String,
    source: Option<String>,
    dependencies: Vec<String>,
}

/// The packages of Cargo.lock, by name and version.
fn locked() -> BTreeMap<(String, String), Locked> {
    let text = read(&root().join("Cargo.lock"));
    let packages = text.split("[[package]]").skip(1).map(|part| {
        let value = |key: &str| {
            let line = part.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""));
            line.and_then(|value| value.strip_suffix('"')).map(str::to_owned)
        };
        let list =
            part.split_once("dependencies = [").map_or("", |(_, rest)| rest.split(']').next().unwrap_or_default());
        let dependencies = list.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        let (name, version) = (value("name").expect("a name"), value("version").expect("a version"));
        ((name, version.clone()), Locked { version, source: value("source"), dependencies })
    });
    packages.collect()
}

/// Names under `[dependencies]` of the program and of the crates of this repository that it is built of, with any feature.
fn used() -> BTreeSet<String> {
    let packages = packages(&root().join("Cargo.toml"));
    let mut ahead = vec!["fundsim"];
    let mut found = BTreeSet::new();
    while let Some(next) = ahead.pop() {
        let package = packages.iter().filter(|package| text(&package["name"]) == next);
        let dependencies = package.flat_map(|package| list(&package["dependencies"]));
        for dependency in dependencies.filter(|it| it["kind"].is_null()) {
            if found.insert(text(&dependency["name"]).to_owned()) {
                ahead.push(text(&dependency["name"]));
            }
        }
    }
    found
}

/// Names and versions of what the program is built of, its own crates aside.
fn shipped() -> BTreeSet<(String, String)> {
    let (locked, used) = (locked(), used());
    let named = |reference: &String| {
        let (name, version) = reference.split_once(' ').map_or((&**reference, None), |(name, of)| (name, Some(of)));
        let fits = |(known, _): &&(String, String)| known == name;
        let mut found = locked.keys().filter(fits).filter(|(_, known)| version.is_none_or(|version| known == version));
        found.next().unwrap_or_else(|| panic!("{reference} is not in Cargo.lock")).clone()
    };
    let own = locked.iter().filter(|(_, it)| it.source.is_none()).flat_map(|(_, it)| &it.dependencies);
    let is_used = |reference: &&String| used.contains(reference.split(' ').next().unwrap_or_default());
    let mut ahead: Vec<_> = own.filter(is_used).map(named).collect();
    let mut found = BTreeSet::new();
    while let Some(next) = ahead.pop() {
        let it = &locked[&next];
        if it.source.is_some() && found.insert((next.0, it.version.clone())) {
            ahead.extend(it.dependencies.iter().map(named));
        }
    }
    found
}

/// Packages that the notices name, with their licences.
fn noticed() -> BTreeMap<(String, String), String> {
    let text = read(&root().join("src/notices.txt"));
    let list = text.split(&"=".repeat(80)).next().expect("a list");
    let lines = list.lines().filter_map(|line| {
        let (package, licence) = line.split_once(": ")?;
        let (name, version) = package.split_once(' ')?;
        let licence = licence.split(" [").next().unwrap_or_default();
        Some(((name.to_owned(), version.to_owned()), licence.to_owned()))
    });
    lines.collect()
}

#[test]
fn the_notices_name_every_package_that_the_program_is_built_of_and_no_other() {
    let (shipped, noticed) = (shipped(), noticed());
    assert!(shipped.len() > 100, "Cargo.lock was read: {shipped:?}");
    let missing: Vec<_> = shipped.iter().filter(|it| !noticed.contains_key(it)).collect();
    let surplus: Vec<_> = noticed.keys().filter(|it| !shipped.contains(it)).collect();
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "src/notices.txt lacks {missing:?} and has {surplus:?}; write it again: tests/notices/write.py"
    );
}

/// Alternatives of a licence expression, each the licences that hold together.
fn alternatives(licence: &str) -> Vec<Vec<String>> {
    // `(A OR B) AND C` is the only nesting that occurs; each of its parts has to be fulfilled.
    let parts = licence.split(" AND ").map(|part| part.trim_matches(['(', ')']));
    let choices = parts.map(|part| part.replace('/', " OR ").split(" OR ").map(|one| one.trim().to_owned()).collect());
    choices.collect()
}

#[test]
fn every_package_has_a_licence_that_may_be_used_and_comes_from_the_registry() {
    let deny = read(&root().join("deny.toml"));
    let allowed = deny.split_once("allow = [").expect("a list").1.split(']').next().expect("its end");
    let allowed: BTreeSet<&str> = allowed.split('"').skip(1).step_by(2).collect();
    assert!(allowed.contains("MIT") && !allowed.iter().any(|name| name.contains("GPL")), "{allowed:?}");
    let mut refused = Vec::new();
    for (package, licence) in noticed() {
        let fulfilled = |choice: &Vec<String>| choice.iter().any(|one| allowed.contains(&**one));
        if !alternatives(&licence).iter().all(fulfilled) {
            refused.push((package, licence));
        }
    }
    assert!(refused.is_empty(), "licences that deny.toml does not allow: {refused:?}");
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    let foreign: Vec<_> =
        locked().into_iter().filter(|(_, it)| it.source.as_deref().is_some_and(|from| from != registry)).collect();
    assert!(foreign.is_empty(), "packages from elsewhere: {:?}", foreign.iter().map(|(of, _)| of).collect::<Vec<_>>());
}
