//! `fundsim fuzz --foreign`: generated conversations with a server that is no fundsim.

use crate::args::{Fuzz, Output};
use crate::exit::{FAILED, WELL};
use crate::interrupt::{self, INTERRUPTED};
use crate::period::duration;
use crate::{out, run, trust};
use fuzz::batch::Bound;
use fuzz::foreign::{ForeignBatch, PATIENCE, batch};
use indicatif::ProgressBar;
use runner::drivers::probe::probe;
use runner::drivers::target::Target;
use runner::drivers::{Choice, live};
use runner::report::{json, text};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Steps of a conversation unless a flag says.
const STEPS: u32 = 30;

/// Talks to the server and reports what it did otherwise.
pub(super) fn fuzz(flags: &Fuzz, found: &Path, bound: &Bound, bar: &ProgressBar) -> Result<u8, String> {
    let (Some(url), Some(partners)) = (&flags.url, &flags.foreign) else {
        return Err("--url and --foreign go together".to_owned());
    };
    let target = Target { url: url.clone(), trust: trust::of_flag(flags.ca_file.as_deref())? };
    live::check_url(&target)?;
    let timeout = flags.timeout.as_deref().map_or(Ok(PATIENCE), duration)?;
    let described = run::foreign(partners)?;
    live::reach(&target, timeout)?;
    let foreign = Some(probe(&target, timeout, described)?);
    let server = Choice::Live { server: target, operator_token: None, timeout, foreign, application: None };
    let steps = usize::try_from(flags.steps.unwrap_or(STEPS)).map_err(|error| error.to_string())?;
    let summary = |so_far: &ForeignBatch| {
        bar.tick();
        bar.set_message(format!("{} seeds, {} failed", so_far.seeds, so_far.failed));
    };
    let batch = batch(&server, bound, steps, interrupt::is_asked, summary).map_err(|error| error.to_string())?;
    bar.finish_and_clear();
    conclude(flags, found, &batch, url, partners)
}

fn conclude(flags: &Fuzz, folder: &Path, batch: &ForeignBatch, url: &str, partners: &Path) -> Result<u8, String> {
    let saved: std::io::Result<Vec<PathBuf>> = batch.found.iter().map(|found| found.save(folder)).collect();
    let files = saved.map_err(|error| format!("{}: {error}", folder.display()))?;
    match flags.output {
        Output::Json => {
            let found = batch.found.iter().zip(&files).map(|(found, file)| {
                json!({ "seed": found.seed, "what": found.failure.what, "file": file.display().to_string() })
            });
            let summary = json!({
                "seeds": batch.seeds,
                "failed": batch.failed,
                "conformance": json::conformance(&batch.tally),
                "failures": found.collect::<Vec<_>>(),
            });
            out::say(&format!("{summary}\n"));
        }
        Output::Text => {
            out::show(&text::by_chapter(&batch.tally));
            let total = batch.tally.total();
            out::show(&format!(
                "{} seeds, {} failed; {} steps held, {} did not\n",
                batch.seeds, batch.failed, total.held, total.broken
            ));
            let repeat = format!("fundsim run --driver live --url {url} --foreign {}", partners.display());
            for (found, file) in batch.found.iter().zip(&files) {
                out::show(&format!("\n{}", found.text(file, &repeat)));
            }
        }
    }
    if batch.failed == 0 && batch.is_empty() {
        return Err(format!("{url} answered too few requests: no run was completed, so nothing was checked"));
    }
    Ok(match batch.failed {
        0 if interrupt::is_asked() => INTERRUPTED,
        0 => WELL,
        _ => FAILED,
    })
}
