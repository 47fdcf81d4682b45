//! The reference that `serve` shows in its guide: what `explain` prints, and the commands with their flags.
//!
//! Invariant: nothing here is written twice, and no page shows a value of the server's environment. Absent on purpose: operations of the
//! API, which have pages of their own at `/docs`.

use crate::args::Arguments;
use crate::explain;
use clap::{Command, CommandFactory as _};
use std::sync::LazyLock;
use surface::reference::{ReferencePage, ReferenceSection};

/// Columns of the help of a command.
const WIDTH: usize = 96;

/// Every page, made when the first is asked for.
pub(crate) fn pages() -> &'static [ReferencePage] {
    static PAGES: LazyLock<Vec<ReferencePage>> = LazyLock::new(|| {
        let of_topics = explain::topics().map(|topic| ReferencePage {
            name: topic.name.to_owned(),
            title: wire::words::capital(&topic.name.replace('-', " ")),
            about: format!(
                "{}. On the command line: fundsim explain {}",
                wire::words::capital(topic.about),
                topic.name
            ),
            sections: topic.parts.into_iter().map(|(heading, text)| ReferenceSection { heading, text }).collect(),
        });
        of_topics.chain([commands()]).collect()
    });
    &PAGES
}

/// The commands with their flags.
fn commands() -> ReferencePage {
    // The help of a flag shows what its variable holds, which is a matter of this process.
    let mut program = without_values(Arguments::command()).term_width(WIDTH);
    program.build();
    let mut sections = Vec::new();
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        sections.push(section(&format!("fundsim {}", command.get_name()), command));
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            sections.push(section(&format!("fundsim {} {}", command.get_name(), below.get_name()), below));
        }
    }
    ReferencePage {
        name: "commands".to_owned(),
        title: "Commands".to_owned(),
        about: "Commands of the program and their flags. On the command line: fundsim COMMAND --help".to_owned(),
        sections,
    }
}

fn section(name: &str, command: &Command) -> ReferenceSection {
    let text = command.clone().term_width(WIDTH).render_long_help().to_string();
    ReferenceSection { heading: name.to_owned(), text }
}

/// A command, and those below it, whose help shows names of variables alone.
fn without_values(command: Command) -> Command {
    command.mut_args(|flag| flag.hide_env_values(true)).mut_subcommands(without_values)
}

#[cfg(test)]
mod tests {
    use super::{pages, without_values};
    use clap::{Arg, Command};
    use std::collections::BTreeSet;

    #[test]
    fn each_page_of_the_reference_has_a_name_of_its_own_and_says_something() {
        let names: BTreeSet<&str> = pages().iter().map(|page| &*page.name).collect();
        assert_eq!(names.len(), pages().len());
        for wanted in
            ["orders", "deliveries", "steps", "refusals", "routes", "settings", "matchers", "setup", "commands"]
        {
            assert!(names.contains(wanted), "{wanted}: {names:?}");
        }
        for page in pages() {
            assert!(page.sections.iter().all(|section| !section.text.trim().is_empty()), "{}", page.name);
            let headings: BTreeSet<String> = page.sections.iter().map(|part| guide::slug(&part.heading)).collect();
            assert_eq!(headings.len(), page.sections.len(), "{}", page.name);
        }
    }

    #[test]
    fn the_help_shows_no_value_of_the_environment() {
        // PATH is set wherever this runs.
        // A long value would be on a line of its own.
        let wide = |name| Command::new(name).term_width(0);
        let below = wide("below").arg(Arg::new("there").long("there").env("PATH"));
        let mut program = wide("program").arg(Arg::new("here").long("here").env("PATH")).subcommand(below);
        let help = |program: &mut Command| {
            let below = program.find_subcommand_mut("below").expect("a command").render_long_help().to_string();
            program.render_long_help().to_string() + &below
        };
        assert_eq!(help(&mut program).matches("[env: PATH=").count(), 2);
        let mut program = without_values(program);
        assert_eq!(help(&mut program).matches("[env: PATH]").count(), 2);
    }
}
