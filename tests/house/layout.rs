//! No circles: between files, top-level rooms, and rooms two levels deep of each crate of the workspace, and between files of each
//! kit; and crates and rooms as ARCHITECTURE.md draws them.

use super::arrows::{Arrows, Sources, circles};
use super::{list, packages, read, root, text};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What `cargo metadata` says of each crate of the workspace, and of its library or program; those that have neither only test.
fn shipped() -> Vec<(Json, Json)> {
    let is_shipped = |target: &&Json| list(&target["kind"]).iter().any(|kind| kind == "lib" || kind == "bin");
    let both = |package: Json| {
        let target = list(&package["targets"]).iter().find(is_shipped)?.clone();
        Some((package, target))
    };
    packages(&root().join("Cargo.toml")).into_iter().filter_map(both).collect()
}

/// The crates of the workspace: the name of each, and its first file.
fn crates() -> Vec<(String, PathBuf)> {
    let crates = shipped().into_iter();
    let found = crates.map(|(_, target)| (text(&target["name"]).to_owned(), PathBuf::from(text(&target["src_path"]))));
    let found: Vec<_> = found.collect();
    for name in ["sim", "sandbox", "language", "fundsim"] {
        assert!(found.iter().any(|(known, _)| known == name), "the workspace was read: {found:?}");
    }
    found
}

fn between_files(sources: &Sources) -> Arrows {
    sources.arrows(|module| Some(module.join("::")))
}

fn between_rooms(sources: &Sources) -> Arrows {
    sources.arrows(|module| module.first().cloned())
}

#[test]
fn no_files_and_no_rooms_of_a_crate_form_a_circle() {
    for (name, first) in crates() {
        let sources = Sources::read(&first);
        for (what, arrows) in [("files", between_files(&sources)), ("rooms", between_rooms(&sources))] {
            assert!(sources.is_one_file() || !arrows.is_empty(), "{name} was read");
            let circles = circles(&arrows);
            assert!(circles.is_empty(), "{name}: {what} need each other: {circles:#?}");
        }
    }
}

/// The arrows on circles between the rooms two levels deep, each with the files and names that make it.
fn ties_of_circles(sources: &Sources) -> Vec<String> {
    let (arrows, ties) = sources.rooms(2);
    let on_circles = circles(&arrows).into_iter().flatten();
    on_circles.map(|arrow| format!("{arrow}, by {}", Vec::from_iter(ties[&arrow].clone()).join("; by "))).collect()
}

#[test]
fn rooms_two_levels_deep_form_no_circle() {
    let mut deep = 0;
    for (name, first) in crates() {
        let sources = Sources::read(&first);
        deep += sources.rooms(2).0.keys().filter(|room| room.contains("::")).count();
        let ties = ties_of_circles(&sources);
        assert!(ties.is_empty(), "{name}: rooms need each other: {ties:#?}");
    }
    assert!(deep > 100, "rooms two levels deep were read: {deep}");
}

/// What a line of a kit imports from its own package, in Python or TypeScript; a name that is no file is harmless.
fn imported(line: &str) -> Vec<String> {
    let line = line.trim_start();
    let names: Vec<&str> = match (line.strip_prefix("from fundsim"), line.split_once("\"./")) {
        (Some(rest), _) => match rest.split_once(" import ") {
            Some(("", names)) => names.split(',').map(str::trim).collect(),
            Some((file, _)) => vec![file.trim_start_matches('.')],
            None => Vec::new(),
        },
        (None, Some((_, rest))) => rest.split_once(".js\"").map(|(file, _)| file).into_iter().collect(),
        (None, None) => line.strip_prefix("import fundsim.").into_iter().collect(),
    };
    names.into_iter().map(str::to_owned).collect()
}

/// The files of a kit's package, each with those of the same package that it imports.
fn between_files_of_a_kit(files: impl IntoIterator<Item = (String, String)>) -> Arrows {
    files.into_iter().map(|(name, text)| (name, text.lines().flat_map(imported).collect())).collect()
}

#[test]
fn no_files_of_a_kit_form_a_circle() {
    for (folder, ending) in [("kits/python/src/fundsim", ".py"), ("kits/typescript/src", ".ts")] {
        let names = std::fs::read_dir(root().join(folder)).expect("the kit's folder");
        let names = names.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
        let files = names.filter_map(|name| {
            let stem = name.strip_suffix(ending)?.to_owned();
            Some((stem, read(&root().join(folder).join(&name))))
        });
        let arrows = between_files_of_a_kit(files);
        assert!(arrows["server"].contains("world"), "{folder} was read: {arrows:?}");
        let circles = circles(&arrows);
        assert!(circles.is_empty(), "{folder}: files need each other: {circles:#?}");
    }
}

#[test]
fn a_circle_in_a_kit_is_found_also_where_only_types_are_imported() {
    let found = |one: &str, other: &str| {
        let files = [("a", one), ("b", other)].map(|(name, text)| (name.to_owned(), text.to_owned()));
        circles(&between_files_of_a_kit(files))
    };
    let circle = vec![vec!["a -> b".to_owned(), "b -> a".to_owned()]];
    let python = "from fundsim.b import B";
    for back in ["if TYPE_CHECKING:\n    from fundsim.a import A", "from fundsim import c, a", "import fundsim.a"] {
        assert_eq!(found(python, back), circle, "{back}");
    }
    for back in ["import type { A } from \"./a.js\";", "} from \"./a.js\";", "await import(\"./a.js\");"] {
        assert_eq!(found("import { B } from \"./b.js\";", back), circle, "{back}");
    }
    assert!(found(python, "import re").is_empty());
}

#[test]
fn a_circle_two_levels_deep_is_found_by_what_it_names_and_by_what_passes_the_name_on() {
    let folder = std::env::temp_dir().join(format!("fundsim-rooms-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("a/two")).expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    let found = || ties_of_circles(&Sources::read(&folder.join("lib.rs")));
    file("lib.rs", "mod a;");
    file("a.rs", "mod one; mod two; pub use one::One; pub(in crate::a) struct Own;");
    file("a/one.rs", "pub struct One; fn f() { super::two::deep::g() }");
    file("a/two.rs", "pub mod deep;");
    file("a/two/deep.rs", "pub fn g() {}");
    assert_eq!(found(), [""; 0]);
    // Through the parent, which passes the name on: the parent is used by nobody, the room that defines it is.
    file("a/two/deep.rs", "pub fn g() -> crate::a::One { crate::a::One }");
    let to_two = "a::one -> a::two, by a::one -> a::two::deep: super::two::deep::g";
    assert_eq!(found(), [to_two, "a::two -> a::one, by a::two::deep -> a::one: crate::a::One"]);
    // Through another file of its own room: none.
    file("a/two.rs", "pub mod deep; pub use deep::g as h;");
    file("a/two/deep.rs", "pub fn g() { crate::a::two::h() }");
    assert_eq!(found(), [""; 0]);
    // Through a room that has the name from elsewhere: that room is used, too.
    file("a.rs", "mod one; mod two; mod three;");
    file("a/three.rs", "pub struct Three;");
    file("a/two.rs", "pub mod deep; pub use super::three::Three;");
    file("a/one.rs", "use crate::a::two; pub fn f(_: two::Three) {}");
    file("a/two/deep.rs", "pub fn g() { crate::a::one::f(crate::a::two::Three) }");
    let ties = found();
    assert!(
        ties[0].starts_with("a::one -> a::two, by ") && ties[0].contains("a::one -> a::two: two::Three"),
        "{ties:?}"
    );
    assert_eq!(ties[1..], ["a::two -> a::one, by a::two::deep -> a::one: crate::a::one::f"]);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn a_circle_is_found_and_a_name_passed_on_is_none() {
    let folder = std::env::temp_dir().join(format!("fundsim-arrows-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("b")).expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    file("lib.rs", "mod a; mod b; pub use a::A;");
    file("a.rs", "pub struct A; fn f() { crate::b::c::g(vec![1]) }");
    file("b.rs", "pub mod c; #[cfg(test)] mod tests { use crate::a::A; }");
    file("b/c.rs", "use crate::{b as own}; pub fn g(_: Vec<u8>) {}");
    let arrows = between_files(&Sources::read(&folder.join("lib.rs")));
    assert!(circles(&arrows).is_empty(), "{arrows:?}");
    file("b/c.rs", "pub fn g(_: Vec<u8>) -> Option<crate::A> { None }");
    let arrows = between_files(&Sources::read(&folder.join("lib.rs")));
    assert_eq!(circles(&arrows), [["a -> b::c", "b::c -> a"]], "{arrows:?}");
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// Names in lines: each uses names of earlier lines, and nothing else. A name is on the earliest line that it can be on.
fn lines_of(mut uses: Arrows) -> Vec<String> {
    let (mut earlier, mut lines) = (BTreeSet::new(), Vec::new());
    while !uses.is_empty() {
        let next = uses.iter().filter(|(_, uses)| uses.is_subset(&earlier)).map(|(name, _)| name.clone());
        let next: Vec<_> = next.collect();
        assert!(!next.is_empty(), "these need each other: {uses:?}");
        lines.push(next.join(", "));
        uses.retain(|name, _| !next.contains(name));
        earlier.extend(next);
    }
    lines
}

/// Holds the first block of text after the heading `title` of a document against `lines`.
fn is_drawn(whose: &str, document: &str, title: &str, lines: &[String]) {
    let section = document.split_once(&format!("# {title}\n")).map(|(_, section)| section);
    let block = section.and_then(|section| section.split("```").nth(1)).and_then(|block| block.strip_prefix("text\n"));
    let expected = lines.join("\n");
    assert_eq!(
        block.map(str::trim_end),
        Some(&*expected),
        "{whose}: under `{title}` should be:\n```text\n{expected}\n```"
    );
}

/// What each crate of the workspace is built from, of the workspace's own, tests aside.
fn between_crates() -> Arrows {
    let shipped = shipped();
    let name = |package: &Json| {
        let (_, target) = shipped.iter().find(|(known, _)| known["name"] == *package)?;
        Some(text(&target["name"]).to_owned())
    };
    let arrows = shipped.iter().map(|(package, target)| {
        let dependencies = list(&package["dependencies"]).iter().filter(|dependency| dependency["kind"].is_null());
        (text(&target["name"]).to_owned(), dependencies.filter_map(|dependency| name(&dependency["name"])).collect())
    });
    arrows.collect()
}

#[test]
fn the_crates_are_those_of_the_architecture() {
    is_drawn(
        "ARCHITECTURE.md",
        &read(&root().join("ARCHITECTURE.md")),
        "Crates, in one direction",
        &lines_of(between_crates()),
    );
}

/// A crate of one or two rooms draws none.
#[test]
fn the_head_of_each_crate_draws_its_rooms() {
    for (name, first) in crates() {
        let rooms = between_rooms(&Sources::read(&first));
        if rooms.len() > 2 {
            let text = read(&first);
            let head: Vec<_> = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim_start).collect();
            is_drawn(&name, &head.join("\n"), "Rooms", &lines_of(rooms));
        }
    }
}
