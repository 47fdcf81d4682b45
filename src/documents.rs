//! `fundsim openapi`, `schema`, `setup`, `completions`, `licenses` and `man`: documents made from the code.

use crate::args::{Arguments, PlaneOf, SchemaOf, SetupOf};
use crate::exit::WELL;
use crate::out;
use clap::CommandFactory as _;
use clap_complete::Shell;
use hosting::setup;
use std::io::Write as _;

/// The program, as completions call it.
const PROGRAM: &str = "fundsim";
/// The variable by which completions ask it.
const VARIABLE: &str = "COMPLETE";

/// What becomes other lines in the function for zsh.
const ZSH: [(&str, &str); 3] = [
    ("local -a other=()", "local -a other=() keys=()"),
    (
        "            else\n                other+=",
        "            elif [[ \"$value\" == *= ]]; then\n                keys+=(\"$completion\")\n            else\n                other+=",
    ),
    ("[[ -n $other ]]", "[[ -n $keys ]] && _describe -V 'values' keys -S ''\n        [[ -n $other ]]"),
];

/// The OpenAPI document, of all planes or of one.
pub(crate) fn openapi(plane: Option<PlaneOf>) -> u8 {
    let document = plane.map_or_else(sandbox::openapi, |plane| sandbox::openapi_of(plane.into()));
    out::say(&format!("{document}\n"));
    WELL
}

/// The JSON Schema of scenario files, or of setups.
pub(crate) fn schema(of: SchemaOf) -> u8 {
    let schema: serde_json::Value = match of {
        SchemaOf::Scenario => language::schema::scenario_file().into(),
        SchemaOf::Setup => setup::document(),
    };
    match serde_json::to_string_pretty(&schema) {
        Ok(text) => out::say(&format!("{text}\n")),
        Err(error) => return out::refuse(&error.to_string()),
    }
    WELL
}

/// A built-in setup as a file.
pub(crate) fn setup(which: SetupOf) -> u8 {
    let (about, document) = match which {
        SetupOf::Demo => (
            "# The demo world. `fundsim serve --world FILE` takes this file, whole or in part: what is left out stays as it is here.",
            setup::demo_document(),
        ),
        SetupOf::History => (
            "# A thousand accounts with half a year of payments, orders and withdrawals behind them, which the seed draws.\n\
             # `fundsim serve --world FILE` takes this file; what is left out is as in the demo world.",
            setup::history_document(),
        ),
    };
    let document = language::write::value(&document);
    out::say(&format!(
        "{about}\n\
         # `fundsim explain setup` says what each field means; an editor that knows `fundsim schema setup > setup.schema.json`\n\
         # by the next line completes and checks it.\n\
         # yaml-language-server: $schema=setup.schema.json\n{document}"
    ));
    WELL
}

/// The notices of software by others.
pub(crate) fn licenses() -> u8 {
    out::say(include_str!("notices.txt"));
    WELL
}

/// The manual page.
pub(crate) fn manual() -> u8 {
    let mut page = Vec::new();
    if let Err(error) = manual_of(&mut page) {
        return out::refuse(&error.to_string());
    }
    out::say(&String::from_utf8_lossy(&page));
    WELL
}

/// One page for the program and all its jobs, as people look for a flag before they know whose it is.
fn manual_of(page: &mut Vec<u8>) -> std::io::Result<()> {
    let program = Arguments::command();
    let whole = clap_mangen::Man::new(program.clone()).section("1");
    whole.render_title(page)?;
    whole.render_name_section(page)?;
    whole.render_synopsis_section(page)?;
    whole.render_description_section(page)?;
    let jobs = program.get_subcommands().flat_map(|job| {
        let name = format!("fundsim {}", job.get_name());
        let of_name = name.clone();
        let within = job.get_subcommands().map(move |within| (format!("{of_name} {}", within.get_name()), within));
        std::iter::once((name, job)).chain(within)
    });
    for (name, job) in jobs {
        writeln!(page, ".SH \"{name}\"")?;
        let job = clap_mangen::Man::new(job.clone().display_name(name.clone()).bin_name(name.clone()));
        let mut part = Vec::new();
        job.render_description_section(&mut part)?;
        job.render_synopsis_section(&mut part)?;
        job.render_options_section(&mut part)?;
        job.render_extra_section(&mut part)?;
        // Sections of a job are within the job's own.
        page.extend(String::from_utf8_lossy(&part).replace("\n.SH ", "\n.SS ").replacen(".SH ", ".SS ", 1).bytes());
    }
    Ok(())
}

/// Completions for a shell: a function that asks the program, which knows words, keys and profiles.
pub(crate) fn completions(shell: Shell) -> u8 {
    let name = shell.to_string();
    let mut script = Vec::new();
    let shells = clap_complete::env::Shells::builtins();
    let written =
        shells.completer(&name).map(|shell| shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script));
    match written {
        Some(Ok(())) => {}
        Some(Err(error)) => return out::refuse(&error.to_string()),
        None => return out::refuse(&format!("there are no completions for {name}")),
    }
    let script = String::from_utf8_lossy(&script);
    out::say(&if shell == Shell::Zsh { open_ended(&script) } else { script.into_owned() });
    WELL
}

/// The function for zsh, with no blank behind a key that ends in its sign, since a value follows.
fn open_ended(script: &str) -> String {
    ZSH.iter().fold(script.to_owned(), |script, (is, becomes)| script.replace(is, becomes))
}
