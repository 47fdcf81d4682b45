//! Tables are the only way: a state is moved by the one function of its machine, along a row, and by nothing else.
//!
//! Read from the sources of `sim`, tests aside. Invariant: outside `machines/` a `Current` is made where a record is, and lent
//! to `Visits::take` in the function called after its machine. Absent on purpose: other crates' machines.

use super::arrows::without_tests;
use super::{files, read, root};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// What the sources say of states.
#[derive(Default, Debug, PartialEq, Eq)]
struct SourceUses {
    /// Names of the fields that hold a `Current`.
    fields: BTreeSet<String>,
    /// Functions that move one, each as often as it does.
    movers: Vec<String>,
    /// Anything else that is done to one.
    faults: Vec<String>,
}

fn text(tokens: &[TokenTree]) -> String {
    tokens.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Fields that are declared with the type `Current`.
fn fields(tokens: &[TokenTree], found: &mut BTreeSet<String>) {
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => fields(&without_tests(group.stream()), found),
            TokenTree::Ident(name) if text(tokens.get(at + 1..at + 4).unwrap_or_default()) == ": Current <" => {
                found.insert(name.to_string());
            }
            _ => {}
        }
    }
}

/// What is done to those fields, in `function`.
fn uses(tokens: &[TokenTree], function: &str, found_uses: &mut SourceUses) {
    let mut function = function.to_owned();
    for (at, token) in tokens.iter().enumerate() {
        let (before, after) =
            (text(&tokens[at.saturating_sub(4)..at]), text(tokens.get(at + 1..at + 3).unwrap_or_default()));
        match token {
            TokenTree::Ident(name) if before.ends_with("fn") => function = name.to_string(),
            TokenTree::Ident(name) if name == "take" && before.ends_with("visits .") => {
                found_uses.movers.push(function.clone())
            }
            TokenTree::Ident(name)
                if before.ends_with('.')
                    && found_uses.fields.contains(&name.to_string())
                    && after.starts_with("= ")
                    && !["= =", "= >"].contains(&&*after) =>
            {
                found_uses.faults.push(format!("{function} sets {name}"));
            }
            TokenTree::Ident(name) if name == "Current" && after == ": :" => {
                let is_field = found_uses.fields.iter().any(|field| before.ends_with(&format!("{field} :")));
                if !is_field {
                    found_uses.faults.push(format!("{function} makes a state"));
                }
            }
            TokenTree::Group(group) => {
                let inner = without_tests(group.stream());
                let lends = group.delimiter() == Delimiter::Parenthesis && before.ends_with("visits . take");
                if !lends && lent(&inner, &found_uses.fields) {
                    found_uses.faults.push(format!("{function} lends a state"));
                }
                uses(&inner, &function, found_uses);
            }
            _ => {}
        }
    }
}

/// Whether a state is lent to be changed among these tokens, groups aside.
fn lent(tokens: &[TokenTree], fields: &BTreeSet<String>) -> bool {
    let words: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let starts =
        words.windows(2).enumerate().filter(|(_, pair)| pair[0] == "&" && pair[1] == "mut").map(|(at, _)| at + 2);
    starts.into_iter().any(|from| {
        let end =
            words[from..].iter().position(|word| [",", ";"].contains(&&**word)).map_or(words.len(), |end| from + end);
        words[from..end].last().is_some_and(|last| fields.contains(last)) && words[from..end].contains(&".".to_owned())
    })
}

fn uses_in(sources: &[String]) -> SourceUses {
    let parsed: Vec<_> = sources
        .iter()
        .map(|source| without_tests(source.parse::<TokenStream>().expect("the sources are tokens")))
        .collect();
    let mut found_uses = SourceUses::default();
    parsed.iter().for_each(|tokens| fields(tokens, &mut found_uses.fields));
    parsed.iter().for_each(|tokens| uses(tokens, "", &mut found_uses));
    found_uses.movers.sort();
    found_uses
}

#[test]
fn every_machine_of_the_world_is_moved_by_one_function_and_nothing_else() {
    let all = files(&root().join("sim/src"), &[".rs"]);
    let (machines, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|file| file.parent().is_some_and(|folder| folder.ends_with("machines")));
    let stem = |file: &std::path::PathBuf| file.file_stem().expect("a name").to_string_lossy().into_owned();
    let names = machines.iter().map(stem).filter(|name| !["mod", "table"].contains(&&**name));
    let expected: Vec<String> = names.map(|name| format!("move_{name}")).collect();
    let sources: Vec<String> = others.iter().map(|file| read(file)).collect();
    let found_uses = uses_in(&sources);
    assert_eq!(found_uses.movers, expected, "one function moves each machine, and is called after it");
    assert_eq!(found_uses.faults, Vec::<String>::new());
    assert!(found_uses.fields.contains("state"), "the sources were read");
}

#[test]
fn whatever_goes_around_a_table_is_found() {
    let record = "struct R { pub state: Current<S>, note: u8 }";
    let faults = |body: &str| uses_in(&[record.to_owned(), format!("fn f(r: &mut R) {{ {body} }}")]).faults;
    assert_eq!(faults("r.note = 1; let x = R { state: Current::first(S::A), note: 2 }; g(r.state == S::A);"), [""; 0]);
    assert_eq!(faults("let row = visits.take(&mut r.state, on);"), [""; 0]);
    assert_eq!(faults("r.state = other.state;"), ["f sets state"]);
    assert_eq!(faults("let s = Current::first(S::A);"), ["f makes a state"]);
    assert_eq!(faults("std::mem::swap(&mut r.state, &mut s);"), ["f lends a state"]);
    assert_eq!(faults("let s = &mut r.state; *s = t;"), ["f lends a state"]);
}
