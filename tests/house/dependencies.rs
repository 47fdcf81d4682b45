//! Every dependency that a crate declares is named by its sources, and every one that the workspace declares by a crate.
//!
//! Owns: which names the sources of a crate bring in from outside. Absent on purpose: dependencies on a dependency's features
//! alone; there are none, and one would have to be named here.

use super::arrows::without_tests;
use super::{files, list, packages, read, root, text};
use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Names that may come from outside: a word before `::` that does not follow one, and what `use` names.
fn names_in(tokens: &[TokenTree], is_wanted: fn(TokenStream) -> Vec<TokenTree>, names: &mut BTreeSet<String>) {
    let is_colon = |at: Option<usize>| {
        let token = at.and_then(|at| tokens.get(at));
        matches!(token, Some(TokenTree::Punct(mark)) if mark.as_char() == ':')
    };
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => names_in(&is_wanted(group.stream()), is_wanted, names),
            TokenTree::Ident(name) => {
                let follows = is_colon(at.checked_sub(1)) && is_colon(at.checked_sub(2));
                let leads = is_colon(Some(at + 1)) && is_colon(Some(at + 2));
                let is_used = at > 0 && is_ident(&tokens[at - 1], "use");
                if (leads && !follows) || is_used {
                    names.insert(name.to_string());
                }
            }
            // An attribute of serde names a module as a text: `with = "…"`.
            TokenTree::Literal(text) if at > 1 && is_ident(&tokens[at - 2], "with") && is_equals(&tokens[at - 1]) => {
                let path = text.to_string();
                names.extend(path.trim_matches('"').split("::").next().map(str::to_owned));
            }
            _ => {}
        }
    }
}

fn is_ident(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(name) if name == word)
}

fn is_equals(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == '=')
}

/// The names in these files and folders of `package` that may come from outside.
fn names_below(package: &Path, sources: &[&str], is_wanted: fn(TokenStream) -> Vec<TokenTree>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in sources.iter().map(|source| package.join(source)).flat_map(|source| match source.is_file() {
        true => vec![source],
        false => files(&source, &[".rs"]),
    }) {
        let tokens: TokenStream = read(&file).parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        names_in(&is_wanted(tokens), is_wanted, &mut names);
    }
    names
}

/// Where a crate has its sources, of which the fuzzer's are beside its targets.
const SOURCES: [&str; 3] = ["src", "targets", "readers.rs"];
/// Where a crate has sources, tests and measurements.
const ALL: [&str; 5] = ["src", "targets", "readers.rs", "tests", "benches"];

/// Dependencies of `package` that none of its sources names. `libraries` has the crates whose library has another name.
fn unnamed(package: &Json, libraries: &BTreeMap<String, String>) -> Vec<String> {
    let folder = Path::new(text(&package["manifest_path"])).parent().expect("a manifest is in a folder");
    let shipped = names_below(folder, &SOURCES, without_tests);
    let tested = names_below(folder, &ALL, |tokens| tokens.into_iter().collect());
    assert!(tested.len() > 2, "the sources of {} were read: {tested:?}", package["name"]);
    let is_named = |dependency: &&Json| {
        let name = text(&dependency["name"]);
        let name = dependency["rename"].as_str().or(libraries.get(name).map(String::as_str)).unwrap_or(name);
        let names = if dependency["kind"].is_null() { &shipped } else { &tested };
        names.contains(&name.replace('-', "_"))
    };
    let unnamed = list(&package["dependencies"]).iter().filter(|dependency| !is_named(dependency));
    unnamed.map(|found| format!("{} of {}", text(&found["name"]), text(&package["name"]))).collect()
}

/// The names of the libraries of these crates, where a crate has one.
fn libraries(packages: &[Json]) -> BTreeMap<String, String> {
    let is_library = |target: &&Json| list(&target["kind"]).iter().any(|kind| kind == "lib");
    let named = packages.iter().filter_map(|package| {
        let library = list(&package["targets"]).iter().find(is_library)?;
        Some((text(&package["name"]).to_owned(), text(&library["name"]).to_owned()))
    });
    named.collect()
}

#[test]
fn every_dependency_is_named_by_the_sources_of_its_crate() {
    let mut packages = super::packages(&root().join("Cargo.toml"));
    let libraries = libraries(&packages);
    packages.extend(super::packages(&root().join("fuzz/Cargo.toml")));
    assert!(packages.len() > 5, "the crates and the targets of the fuzzer: {}", packages.len());
    let unnamed: Vec<_> = packages.iter().flat_map(|package| unnamed(package, &libraries)).collect();
    assert!(unnamed.is_empty(), "dependencies that no source names: {unnamed:#?}");
}

#[test]
fn every_dependency_of_the_workspace_is_one_of_its_crates() {
    let manifest = read(&root().join("Cargo.toml"));
    let table = manifest.split("[workspace.dependencies]\n").nth(1).expect("the workspace declares dependencies");
    let table = table.split("\n[").next().unwrap_or_default();
    let declared: BTreeSet<&str> = table.lines().filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
    assert!(declared.contains("serde"), "{declared:?}");
    let packages = packages(&root().join("Cargo.toml"));
    let used: BTreeSet<&str> =
        packages.iter().flat_map(|package| list(&package["dependencies"])).map(|found| text(&found["name"])).collect();
    let unused: Vec<_> = declared.difference(&used).collect();
    assert!(unused.is_empty(), "no crate uses {unused:?}");
}

#[test]
fn a_dependency_that_only_tests_name_or_nobody_is_found() {
    let folder = std::env::temp_dir().join(format!("fundsim-dependencies-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    let source = "use first_one::A; use second; #[derive(third::D)] struct S; fn f() { m::fourth::g(); fifth!() } \
                  #[cfg(test)] mod tests { use sixth::F; }";
    std::fs::write(folder.join("src/lib.rs"), source).expect("a file");
    let names = ["first-one", "second", "third", "fourth", "fifth", "sixth"];
    let dependencies = |kind: Json| names.map(|name| serde_json::json!({ "name": name, "kind": kind, "rename": null }));
    let found = |kind: Json| {
        let package = serde_json::json!({
            "name": "own",
            "manifest_path": folder.join("Cargo.toml"),
            "dependencies": dependencies(kind),
        });
        unnamed(&package, &BTreeMap::new())
    };
    assert_eq!(found(Json::Null), ["fourth of own", "fifth of own", "sixth of own"]);
    assert_eq!(found("dev".into()), ["fourth of own", "fifth of own"]);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}
