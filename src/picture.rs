//! `fundsim picture`: a picture of a world of a running sandbox, in the terminal or in a file.
//!
//! Invariant: what is asked and refused is the server's: names and parameters go there as they are. Absent on purpose: drawing, which is
//! the server's, too.

use crate::args::terminal::{Picture, PictureForm};
use crate::bearer::{self, Fault};
use crate::exit::WELL;
use crate::out;
use crate::table::columns;
use crate::worlds::plain;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use runner::report::printable;
use serde_json::Value as Json;
use std::path::Path;

/// Shows a picture, or lists them.
pub(crate) fn picture(flags: &Picture) -> u8 {
    match answer(flags) {
        Ok(text) => {
            out::say(&text);
            WELL
        }
        Err(fault) => fault.say(),
    }
}

fn answer(flags: &Picture) -> Result<String, Fault> {
    let server = &flags.of.server;
    let shown = bearer::shown(server.url.as_deref(), &server.bearer)?;
    let world = shown.world(flags.of.world.as_deref())?;
    let path = format!("/_sandbox/worlds/{world}/pictures");
    let Some(name) = &flags.name else {
        let listed = shown.ask("GET", &path, None)?;
        return Ok(if server.json { format!("{listed}\n") } else { printable(&list(&listed)) });
    };
    let form = flags.form(server.json);
    let mut query = vec![format!("format={}", form.name())];
    for parameter in &flags.parameters {
        let (key, value) = parameter
            .split_once('=')
            .ok_or_else(|| format!("`{parameter}` is no parameter: write KEY=VALUE, as in accountId=ID"))?;
        query.push(format!("{}={}", encoded(key), encoded(value)));
    }
    let drawn = shown.read(&format!("{path}/{}?{}", encoded(name), query.join("&")))?;
    let drawn = if form == PictureForm::Json { format!("{drawn}\n") } else { drawn };
    match &flags.output {
        Some(file) => {
            std::fs::write(file, &drawn).map_err(|error| format!("{}: {error}", file.display()))?;
            Ok(String::new())
        }
        None => Ok(printable(&drawn)),
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// The pictures of a world with what each is asked with.
fn list(listed: &Json) -> String {
    let row = |picture: &Json| {
        let parameters = picture["parameters"].as_array().into_iter().flatten().map(|one| {
            let name = plain(&one["name"]);
            if one["required"] == true { format!("{name}=") } else { format!("[{name}=]") }
        });
        [plain(&picture["name"]), parameters.collect::<Vec<_>>().join(" "), plain(&picture["answers"])]
    };
    let rows: Vec<_> = listed.as_array().into_iter().flatten().map(row).collect();
    columns(&["picture", "parameters", "answers"], &rows)
}

impl Picture {
    /// The form that a flag names, or the file's name; text otherwise.
    fn form(&self, json: bool) -> PictureForm {
        let of_file = |file: &Path| match file.extension()?.to_str()? {
            "svg" => Some(PictureForm::Svg),
            "json" => Some(PictureForm::Json),
            _ => None,
        };
        match (self.svg, self.text, json) {
            (true, ..) => PictureForm::Svg,
            (_, true, _) => PictureForm::Text,
            (_, _, true) => PictureForm::Json,
            _ => self.output.as_deref().and_then(of_file).unwrap_or(PictureForm::Text),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::args::{Arguments, Job};
    use clap::Parser as _;

    #[test]
    fn a_form_is_that_of_a_flag_or_of_the_files_name() {
        for (arguments, form) in [
            (&[][..], "text"),
            (&["--svg"], "svg"),
            (&["--json"], "json"),
            (&["-o", "a.svg"], "svg"),
            (&["-o", "a.json"], "json"),
            (&["-o", "a.txt"], "text"),
            (&["--text", "-o", "a.svg"], "text"),
        ] {
            let all = [&["fundsim", "picture", "world"][..], arguments].concat();
            let Job::Picture(flags) = Arguments::parse_from(all).job else { panic!("a picture") };
            assert_eq!(flags.form(flags.of.server.json).name(), form, "{arguments:?}");
        }
    }
}
