//! `fundsim exercise`: generated customers and bad days for an application under test.
//!
//! Absent on purpose: drawing, playing and comparing (`fuzz::exercise`).

use crate::args::{Exercise as Flags, Output};
use crate::exit::{FAILED, WELL};
use crate::interrupt::{self, INTERRUPTED};
use crate::period::duration;
use crate::{out, run, trust};
use fuzz::exercise::{ApplicationMap, Difference, Exercise, Exercised, exercise};
use indicatif::{ProgressBar, ProgressDrawTarget};
use language::matching::Mismatch;
use runner::drivers::target::Target;
use runner::drivers::{Choice, live};
use runner::suite::Options;
use serde_json::json;
use std::io::IsTerminal as _;
use std::path::Path;

/// Exercises the application and reports what it does not hold.
pub(crate) fn run(flags: &Flags) -> u8 {
    exercised(flags).unwrap_or_else(|why| out::refuse(&why))
}

fn exercised(flags: &Flags) -> Result<u8, String> {
    let map = ApplicationMap::load(&flags.map, &flags.holdings)?;
    let time = duration(&flags.time)?;
    let server = server(flags)?;
    interrupt::listen(|| out::note("interrupted: the run under way ends\n"))?;
    let bar = ProgressBar::with_draw_target(
        None,
        if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() },
    );
    let what = Exercise { server: &server, map: &map, seed: flags.seed, steps: flags.steps.into(), time };
    let shown = |all: &Exercised, doing: &str| {
        bar.tick();
        bar.set_message(if doing.is_empty() {
            format!("{} runs, {} steps", all.runs, all.steps)
        } else {
            doing.to_owned()
        });
    };
    let all = exercise(&what, interrupt::is_asked, shown).map_err(|error| error.to_string())?;
    bar.finish_and_clear();
    let file = all.found.as_ref().map(|found| what.save(found, &flags.save)).transpose();
    let file = file.map_err(|error| format!("{}: {error}", flags.save.display()))?;
    match (&all.found, &file) {
        (Some(found), Some((file, capsule))) => report(flags, &server, &all, found, (file, capsule.as_deref())),
        _ => report_well(flags, &all),
    }
    Ok(match all.found {
        Some(_) => FAILED,
        None if interrupt::is_asked() => INTERRUPTED,
        None => WELL,
    })
}

/// The sandbox and the application, which both answer.
fn server(flags: &Flags) -> Result<Choice, String> {
    let server = Target { url: flags.url.clone(), trust: trust::of_flag(flags.ca_file.as_deref())? };
    live::check_url(&server)?;
    let application = run::target(&flags.app, &flags.tested, flags.ca_file.as_deref())?;
    let choice = Choice::Live {
        server,
        operator_token: run::operator_token(flags.operator_token_env.as_deref())?,
        timeout: flags.timeout.as_deref().map_or(Ok(live::TIMEOUT), duration)?,
        foreign: None,
        application: Some(Box::new(application)),
    };
    run::reachable(Options::new(choice)).map(|options| options.driver)
}

fn report(
    flags: &Flags,
    server: &Choice,
    all: &Exercised,
    found: &Difference,
    (file, capsule): (&Path, Option<&Path>),
) {
    let application =
        server.application().map(runner::drivers::application::ApplicationTarget::flags).unwrap_or_default();
    let again = format!("fundsim run {} {application} --url {}", file.display(), flags.url);
    match flags.output {
        Output::Json => {
            let (before, after) = found.steps;
            let side = |it: &Mismatch| json!({ "path": it.path, "expected": it.expected, "got": it.got });
            let shown = json!({
                "runs": all.runs,
                "steps": all.steps,
                "refused": all.refused,
                "found": {
                    "seed": found.seed,
                    "what": found.failure.what,
                    "step": found.failure.step,
                    "mismatches": found.failure.mismatches.iter().map(side).collect::<Vec<_>>(),
                    "stepsBefore": before,
                    "stepsAfter": after,
                    "tries": found.tries,
                    "file": file.display().to_string(),
                    "again": again,
                    "capsule": capsule.map(|file| file.display().to_string()),
                },
            });
            out::say(&format!("{shown}\n"));
        }
        Output::Text => {
            out::show(&found.text(&std::fs::read_to_string(file).unwrap_or_default()));
            let open = capsule.map(|file| format!("  open:  fundsim open {}\n", file.display())).unwrap_or_default();
            out::show(&format!("  again: {again}\n{open}\n{} runs, {} steps\n", all.runs, all.steps));
        }
    }
}

fn report_well(flags: &Flags, all: &Exercised) {
    match flags.output {
        Output::Json => out::say(&format!(
            "{}\n",
            json!({ "runs": all.runs, "steps": all.steps, "refused": all.refused, "found": null })
        )),
        Output::Text => {
            let refused = match all.refused {
                0 => String::new(),
                many => format!(
                    "; {many} ended early, since the sandbox refused what banks, fund companies or time were to do"
                ),
            };
            out::show(&format!(
                "{} runs, {} steps: the application held what the service says at each rest{refused}\n",
                all.runs, all.steps
            ));
        }
    }
}
