//! Which file uses which: read from the sources of a crate, tests aside.
//!
//! Owns: the tree of modules (`mod` declarations), the paths in their tokens, and what those paths mean, `use`d names
//! included. Absent on purpose: what needs types: methods, and traits in scope.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Module = Vec<String>;

/// A crate's modules, and the paths that each of their files names.
#[derive(Default)]
pub struct Sources {
    /// The file of each module, as the module it begins.
    files: BTreeMap<Module, Module>,
    /// Names that a module imports, with their paths.
    imports: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
    /// Paths that a module names.
    paths: BTreeSet<(Module, Vec<String>)>,
    /// Paths that a module passes on, by `pub use`.
    passed: BTreeSet<(Module, Vec<String>)>,
}

/// Arrows from a file or folder to those that it uses.
pub type Arrows = BTreeMap<String, BTreeSet<String>>;

impl Sources {
    /// Reads a crate from its first file.
    pub fn read(first: &Path) -> Self {
        let mut sources = Self::default();
        sources.file(first.to_owned(), Vec::new());
        sources
    }

    /// Whether all of it is in one file, so that nothing can be an arrow.
    pub fn is_one_file(&self) -> bool {
        self.files.len() == 1
    }

    fn file(&mut self, file: PathBuf, module: Module) {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let is_folder = ["lib", "main", "mod"].iter().any(|stem| file.file_stem().is_some_and(|name| name == *stem));
        let below = if is_folder { file.with_file_name("") } else { file.with_extension("") };
        self.module(tokens, &below, &module.clone(), module);
    }

    fn module(&mut self, tokens: TokenStream, below: &Path, file: &Module, module: Module) {
        self.files.insert(module.clone(), file.clone());
        let tokens = without_tests(tokens);
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at..] {
                [a, TokenTree::Ident(name), TokenTree::Punct(end), ..] if is(a, "mod") && end.as_char() == ';' => {
                    let (beside, inside) = (format!("{name}.rs"), format!("{name}/mod.rs"));
                    let found = [beside, inside].iter().map(|file| below.join(file)).find(|file| file.is_file());
                    let child = [module.as_slice(), &[name.to_string()]].concat();
                    self.file(found.unwrap_or_else(|| panic!("no file for {child:?}")), child);
                    at += 3;
                }
                [a, TokenTree::Ident(name), TokenTree::Group(body), ..] if is(a, "mod") => {
                    let child = [module.as_slice(), &[name.to_string()]].concat();
                    self.module(body.stream(), &below.join(name.to_string()), file, child);
                    at += 3;
                }
                [a, ..] if is(a, "use") => {
                    let end = tokens[at..].iter().position(|t| is(t, ";")).map_or(tokens.len(), |end| at + end);
                    // To pass a name on is not to use it.
                    let before = is_public(&tokens[..at]).then(|| std::mem::take(&mut self.paths));
                    self.paths_in(&tokens[at + 1..end], &module, &[], true);
                    if let Some(before) = before {
                        let mut passed = std::mem::replace(&mut self.paths, before);
                        self.passed.append(&mut passed);
                    }
                    at = end;
                }
                _ => {
                    let end = tokens[at + 1..].iter().position(|t| is(t, "use") || is(t, "mod"));
                    let end = end.map_or(tokens.len(), |end| at + 1 + end);
                    self.paths_in(&tokens[at..end], &module, &[], false);
                    at = end;
                }
            }
        }
    }

    /// Takes up the paths among `tokens`; after `use`, the names that they bring too.
    fn paths_in(&mut self, tokens: &[TokenTree], module: &Module, prefix: &[String], is_use: bool) {
        let mut path = prefix.to_vec();
        let mut rest = tokens.iter().peekable();
        while let Some(token) = rest.next() {
            match token {
                TokenTree::Ident(name) => path.push(name.to_string()),
                TokenTree::Group(group) => {
                    let inner = without_tests(group.stream());
                    let is_tree = path.len() > prefix.len() || (is_use && group.delimiter() == Delimiter::Brace);
                    let prefix = if is_use && is_tree { path.clone() } else { Vec::new() };
                    if !is_use && path.len() > 1 {
                        self.path(path.clone(), module, None);
                    }
                    if is_use {
                        for branch in inner.split(|token| is(token, ",")) {
                            self.paths_in(branch, module, &prefix, true);
                        }
                    } else {
                        self.paths_in(&inner, module, &[], false);
                    }
                    path.clear();
                    continue;
                }
                _ => continue,
            }
            if !(rest.next_if(|t| is(t, ":")).is_some() && rest.next_if(|t| is(t, ":")).is_some()) {
                let renamed = rest.next_if(|t| is(t, "as")).and_then(|_| rest.next()).map(ToString::to_string);
                self.path(std::mem::replace(&mut path, prefix.to_vec()), module, is_use.then_some(renamed));
            }
        }
    }

    fn path(&mut self, mut path: Vec<String>, module: &Module, import: Option<Option<String>>) {
        if let Some(renamed) = import {
            if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            let name = renamed.or_else(|| path.last().cloned()).unwrap_or_default();
            self.imports.entry(module.clone()).or_default().insert(name, path.clone());
        }
        if path.len() > 1 {
            self.paths.insert((module.clone(), path));
        }
    }

    /// The modules that `path` leads through, as seen from `module`: those that pass the name on, and at last the one that
    /// the named thing is defined in. Nothing for a path that leads out of the crate.
    fn way(&self, module: &Module, path: &[String], depth: usize) -> Vec<Module> {
        let Some((first, mut rest)) = path.split_first().filter(|_| depth < 9) else { return Vec::new() };
        let imported = |at: &Module, name: &String| self.imports.get(at).and_then(|names| names.get(name));
        let mut at = match first.as_str() {
            "crate" => Module::new(),
            "self" => module.clone(),
            "super" if module.is_empty() => return Vec::new(),
            "super" => module[..module.len() - 1].to_vec(),
            child => {
                let below = [module.as_slice(), &[child.to_owned()]].concat();
                match imported(module, first) {
                    _ if self.files.contains_key(&below) => below,
                    Some(import) if import != path => {
                        return self.way(module, &[import.as_slice(), rest].concat(), depth + 1);
                    }
                    _ => return Vec::new(),
                }
            }
        };
        while let Some((next, after)) = rest.split_first() {
            let child = [at.as_slice(), std::slice::from_ref(next)].concat();
            if next == "super" {
                at.pop();
            } else if self.files.contains_key(&child) {
                at = child;
            } else if let Some(import) = imported(&at, next) {
                let further = self.way(&at, &[import.as_slice(), after].concat(), depth + 1);
                return [vec![at], further].concat();
            } else {
                break;
            }
            rest = after;
        }
        vec![at]
    }

    /// Arrows between parts of the crate; `name` says which part a file belongs to, if any.
    pub fn arrows(&self, name: impl Fn(&[String]) -> Option<String>) -> Arrows {
        let part = |module: &Module| name(&self.files[module]);
        let mut arrows: Arrows = self.files.keys().filter_map(part).map(|from| (from, BTreeSet::new())).collect();
        for (module, path) in &self.paths {
            let to = self.way(module, path, 0).last().and_then(part);
            if let Some((from, to)) = part(module).zip(to).filter(|(from, to)| from != to) {
                arrows.entry(from).or_default().insert(to);
            }
        }
        arrows
    }

    /// Arrows between the rooms `depth` levels deep, and what makes each: which file names what. A room also uses those that
    /// only pass the name on, unless it is inside of them; and it uses what it passes on of other rooms.
    pub fn rooms(&self, depth: usize) -> (Arrows, BTreeMap<String, BTreeSet<String>>) {
        let file = |module: &Module| self.files[module].join("::");
        let room = |module: &Module| self.files[module].iter().take(depth).cloned().collect::<Vec<_>>();
        let mut arrows: Arrows = self.files.keys().map(|at| (room(at).join("::"), BTreeSet::new())).collect();
        let mut ties: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (module, path) in self.paths.iter().chain(&self.passed) {
            let is_passed = self.passed.contains(&(module.clone(), path.clone()));
            let way = self.way(module, path, 0);
            for (at, to) in (1..).zip(&way) {
                let (from, home) = (room(module), room(to));
                let is_inside = module.starts_with(to) && (at < way.len() || to.last() == path.last());
                let is_own = is_passed && to.starts_with(module);
                if from != home && !is_inside && !is_own {
                    let (from, home) = (from.join("::"), home.join("::"));
                    let tie = format!("{} -> {}: {}", file(module), file(to), path.join("::"));
                    ties.entry(format!("{from} -> {home}")).or_default().insert(tie);
                    arrows.entry(from).or_default().insert(home);
                }
            }
        }
        (arrows, ties)
    }
}

/// Sets of parts that can all reach each other, with the arrows inside each.
pub fn circles(arrows: &Arrows) -> Vec<Vec<String>> {
    let reached = |from: &String| {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(next) = open.pop() {
            open.extend(arrows.get(next).into_iter().flatten().filter(|to| found.insert((*to).clone())));
        }
        found
    };
    let reach: BTreeMap<&String, BTreeSet<String>> = arrows.keys().map(|from| (from, reached(from))).collect();
    let together = |a: &String| -> BTreeSet<&String> {
        reach[a].iter().filter(|b| reach.get(b).is_some_and(|back| back.contains(a))).collect()
    };
    let sets: BTreeSet<BTreeSet<&String>> = arrows.keys().map(together).filter(|set| !set.is_empty()).collect();
    let inside = |set: &BTreeSet<&String>| {
        let pairs = set.iter().flat_map(|from| arrows[*from].iter().map(move |to| (*from, to)));
        pairs.filter(|(_, to)| set.contains(to)).map(|(from, to)| format!("{from} -> {to}")).collect()
    };
    sets.iter().map(inside).collect()
}

fn is(token: &TokenTree, text: &str) -> bool {
    match token {
        TokenTree::Ident(name) => name == text,
        TokenTree::Punct(mark) => text.len() == 1 && text.starts_with(mark.as_char()),
        _ => false,
    }
}

/// Whether what comes after these tokens is `pub`, or `pub(...)`.
fn is_public(before: &[TokenTree]) -> bool {
    match before {
        [.., word, TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => is(word, "pub"),
        [.., word] => is(word, "pub"),
        [] => false,
    }
}

/// The tokens without the items under `#[cfg(test)]`.
pub fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        if let TokenTree::Group(group) = &token
            && kept.last().is_some_and(|mark| is(mark, "#"))
            && group.to_string().replace(' ', "").starts_with("[cfg(test)")
        {
            kept.pop();
            let is_end =
                |t: &TokenTree| is(t, ";") || matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
            tokens.by_ref().find(is_end);
        } else {
            kept.push(token);
        }
    }
    kept
}
