//! Fields of a form: labels, choices, hints, what was decided beforehand, and errors beside them.
//!
//! Invariant: every control has a visible label; its hint and error are its description; a locked field is shown as a fact
//! and cannot be sent. Absent on purpose: what the fields mean, and native validation bubbles (forms are `novalidate`).

use maud::{Markup, html};
use rust_decimal::Decimal;

use super::lang::Lang;
use super::{frame, marks, words};

/// One thing to choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// What is shown.
    pub label: String,
    /// A line below.
    pub note: Option<String>,
}

/// How a field is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// A line of text.
    Text {
        /// `inputmode`, for the keyboard of a phone.
        keys: &'static str,
        /// Purpose, for the browser's own filling in.
        purpose: &'static str,
    },
    /// A number with its unit behind.
    Number {
        /// The unit.
        unit: &'static str,
    },
    /// One of some.
    One(Vec<Choice>),
    /// Any of some.
    Many(Vec<Choice>),
    /// One of many.
    List(Vec<Choice>),
    /// Yes or nothing.
    Tick,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name in the form.
    pub name: String,
    /// Label.
    pub label: String,
    /// A line below the label.
    pub hint: Option<String>,
    /// How it is filled in.
    pub control: Control,
    /// What is in it.
    pub values: Vec<String>,
    /// Whether it was decided beforehand.
    pub locked: bool,
    /// Whether it has to be filled in.
    pub required: bool,
    /// Whether its label says when it may be left blank.
    pub conditional: bool,
    /// What is wrong with it.
    pub error: Option<String>,
    /// Whether `values` were typed, to be shown letter by letter.
    pub as_typed: bool,
    /// What there is to say of the fund that it is about.
    pub fund: Option<FundNote>,
}

/// How much the price of a fund moves: a class from 1 to 7, in three groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// Classes 1 to 3.
    Lower(usize),
    /// Classes 4 and 5.
    Medium(usize),
    /// Classes 6 and 7.
    Higher(usize),
}

impl Risk {
    /// The class.
    #[must_use]
    pub const fn class(self) -> usize {
        match self {
            Self::Lower(class) | Self::Medium(class) | Self::Higher(class) => class,
        }
    }

    /// What its group is called.
    const fn group(self) -> &'static words::Phrase {
        match self {
            Self::Lower(_) => &words::LOWER_RISK,
            Self::Medium(_) => &words::MEDIUM_RISK,
            Self::Higher(_) => &words::HIGHER_RISK,
        }
    }
}

/// A line about a fund, and where there is more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FundNote {
    /// ISIN, fee and return.
    pub line: String,
    /// The page with its facts.
    pub sheet: String,
    /// How much its price moves.
    pub risk: Risk,
}

impl Field {
    /// A field that has to be filled in.
    #[must_use]
    pub fn asking(name: &str, label: &str, control: Control, value: &str) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            hint: None,
            control,
            values: vec![value.to_owned()],
            locked: false,
            required: true,
            conditional: false,
            error: None,
            as_typed: false,
            fund: None,
        }
    }

    /// The id of the element that a problem's link leads to.
    #[must_use]
    pub fn id(&self) -> String {
        let mut id = String::from("f-");
        id.extend(self.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }));
        id
    }

    /// Whether it has a value or a problem.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        self.error.is_some() || self.values.iter().any(|value| !value.is_empty())
    }

    /// What is wrong with it, for the list at the top of the page: the field's name and the message, with the id that the
    /// message links to.
    #[must_use]
    pub fn problem(&self) -> Option<(Option<String>, String)> {
        self.error.as_ref().map(|error| (Some(self.id()), format!("{}: {error}", self.label)))
    }

    fn has(&self, value: &str) -> bool {
        self.values.iter().any(|known| known == value)
    }

    fn value(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    /// The number in a line to be filled in: as it was typed, or as the language writes it.
    fn number(&self, lang: Lang) -> String {
        if self.as_typed { self.value().to_owned() } else { written(lang, self.value()) }
    }

    fn choices(&self) -> &[Choice] {
        match &self.control {
            Control::One(choices) | Control::Many(choices) | Control::List(choices) => choices,
            Control::Text { .. } | Control::Number { .. } | Control::Tick => &[],
        }
    }

    /// What a field says when it is read: the labels of its choices, or its text.
    #[must_use]
    pub fn fact(&self, lang: Lang) -> Vec<String> {
        if self.control == Control::Tick {
            let word = if self.has("yes") { &words::YES } else { &words::NO };
            return vec![word.say(lang).to_owned()];
        }
        if let Control::Number { unit } = &self.control {
            return self.values.iter().map(|value| format!("{}\u{a0}{unit}", shown_number(lang, value))).collect();
        }
        let label = |value: &String| {
            self.choices().iter().find(|choice| choice.value == *value).map(|choice| choice.label.clone())
        };
        self.values.iter().map(|value| label(value).unwrap_or_else(|| value.clone())).collect()
    }

    /// `aria-describedby`: hint and error, whichever there are.
    fn described(&self) -> Option<String> {
        let hint = self.hint.as_ref().map(|_| format!("{}-h", self.id()));
        let error = self.error.as_ref().map(|_| format!("{}-e", self.id()));
        let ids: Vec<_> = hint.into_iter().chain(error).collect();
        (!ids.is_empty()).then(|| ids.join(" "))
    }
}

/// A number as the language writes it.
fn written(lang: Lang, number: &str) -> String {
    let plain = number.parse().map(|number: Decimal| number.normalize());
    plain.map_or_else(|_| number.to_owned(), |number| lang.number(number))
}

/// A number as it is shown: whole, or with both decimals.
fn shown_number(lang: Lang, number: &str) -> String {
    let plain = number.parse().map(|number: Decimal| number.normalize());
    let two = |mut number: Decimal| {
        if number.scale() == 1 {
            number.rescale(2);
        }
        lang.number(number)
    };
    plain.map_or_else(|_| number.to_owned(), two)
}

/// Fields in their order: runs of locked ones as facts, the others as controls.
#[must_use]
pub fn fields(lang: Lang, fields: &[Field]) -> Markup {
    html! {
        @for run in fields.chunk_by(|a, b| a.locked == b.locked) {
            @if run[0].locked { (facts(lang, run)) } @else { @for field in run { (control(lang, field)) } }
        }
    }
}

/// What was decided beforehand.
fn facts(lang: Lang, fields: &[Field]) -> Markup {
    html! {
        dl.facts {
            @for field in fields {
                div {
                    dt { (marks::lock()) (field.label) }
                    dd { @for (at, line) in field.fact(lang).iter().enumerate() { @if at > 0 { br; } (line) } }
                }
            }
        }
    }
}

/// Plain facts: name and text.
#[must_use]
pub fn plain_facts(rows: &[(String, String)]) -> Markup {
    html! {
        dl.facts { @for (name, text) in rows { div { dt { (name) } dd { (text) } } } }
    }
}

fn control(lang: Lang, field: &Field) -> Markup {
    match &field.control {
        Control::Text { keys, purpose } => line(lang, field, keys, purpose),
        Control::Number { unit } => number(lang, field, unit),
        Control::One(choices) => picks(lang, field, choices, "radio"),
        Control::Many(choices) => picks(lang, field, choices, "checkbox"),
        Control::List(choices) => list(lang, field, choices),
        Control::Tick => tick(lang, field),
    }
}

fn label(lang: Lang, field: &Field) -> Markup {
    // A choice that may be left alone says so by itself; a line of text does not.
    let may_be_blank = !field.required && !field.conditional && matches!(field.control, Control::Text { .. });
    html! { (field.label) @if may_be_blank { " " span.may { (words::OPTIONAL.say(lang)) } } }
}

fn about(field: &Field) -> Markup {
    html! {
        @if let Some(hint) = &field.hint { p.hint id={ (field.id()) "-h" } { (hint) } }
        @if let Some(error) = &field.error { p.wrong.mistake id={ (field.id()) "-e" } { (error) } }
    }
}

fn invalid(field: &Field) -> Option<&'static str> {
    field.error.is_some().then_some("true")
}

fn line(lang: Lang, field: &Field, keys: &str, purpose: &str) -> Markup {
    html! {
        div.field.bad[field.error.is_some()] {
            label for=(field.id()) { (label(lang, field)) }
            (about(field))
            input type="text" id=(field.id()) name=(field.name) value=(field.value()) inputmode=(keys) autocomplete=(purpose)
                maxlength="255" spellcheck="false" required[field.required] aria-invalid=[invalid(field)] aria-describedby=[field.described()];
        }
    }
}

fn number(lang: Lang, field: &Field, unit: &str) -> Markup {
    html! {
        div.field.bad[field.error.is_some()] {
            label for=(field.id()) { (label(lang, field)) }
            (about(field))
            div.unit {
                input type="text" id=(field.id()) name=(field.name) value=(field.number(lang)) inputmode="decimal" autocomplete="off"
                    maxlength="32" required[field.required] aria-invalid=[invalid(field)] aria-describedby=[field.described()];
                span aria-hidden="true" { (unit) }
            }
        }
    }
}

/// One question about several things: a line each, name and number. Funds of one risk are together.
#[must_use]
pub fn rows(lang: Lang, legend: &str, fields: &[Field]) -> Markup {
    let group = |field: &Field| field.fund.as_ref().map(|fund| fund.risk.group());
    let groups: Vec<_> = fields.chunk_by(|a, b| group(a) == group(b)).collect();
    html! {
        fieldset.rows {
            legend { (legend) }
            @for rows in &groups {
                @match group(&rows[0]) {
                    Some(name) if groups.len() > 1 => fieldset.kind {
                        legend { (name.say(lang)) }
                        @for field in *rows { (row(lang, field)) }
                    },
                    _ => @for field in *rows { (row(lang, field)) },
                }
            }
        }
        (total(lang, fields))
    }
}

/// Where scripts run, what the lines come to so far.
fn total(lang: Lang, fields: &[Field]) -> Markup {
    let (fixed, open): (Vec<&Field>, Vec<&Field>) = fields.iter().partition(|field| field.locked);
    let Some((kind, _)) = open.first().and_then(|field| field.name.split_once('.')) else { return html! {} };
    let (says, whole) = match kind {
        "allocation" => (&words::SUM_OF_SHARES, 10_000),
        _ => (&words::SUM_OF_AMOUNTS, 0),
    };
    let fixed: Decimal = fixed.iter().filter_map(|field| field.value().parse::<Decimal>().ok()).sum();
    html! {
        output.total hidden data-total={ (kind) "." } data-fixed=((fixed * Decimal::ONE_HUNDRED).normalize()) data-whole=(whole)
            data-says=(says.say(lang)) {}
        (frame::TOTAL.element())
    }
}

fn row(lang: Lang, field: &Field) -> Markup {
    let unit = match field.control {
        Control::Number { unit } => unit,
        Control::Text { .. } | Control::One(_) | Control::Many(_) | Control::List(_) | Control::Tick => "",
    };
    html! {
        div.row.bad[field.error.is_some()] {
            @if field.locked {
                span { (field.label) }
                b { (written(lang, field.value())) "\u{a0}" (unit) }
            } @else {
                div.fund {
                    label for=(field.id()) { (field.label) }
                    @if let Some(FundNote { line, sheet, risk: _ }) = &field.fund {
                        small { (line) ". " a href=(sheet) target="_blank" rel="noopener" { (words::FUND_FACTS.say(lang)) span.quiet { " " (field.label) } } }
                    }
                }
                (about(field))
                div.unit {
                    input type="text" id=(field.id()) name=(field.name) value=(field.number(lang)) inputmode="decimal" autocomplete="off"
                        aria-invalid=[invalid(field)] aria-describedby=[field.described()];
                    span aria-hidden="true" { (unit) }
                }
            }
        }
    }
}

/// More cards than this are kept in a box of their own.
const MOST_OPEN: usize = 8;

fn picks(lang: Lang, field: &Field, choices: &[Choice], kind: &str) -> Markup {
    let many = choices.len() > MOST_OPEN;
    let short =
        choices.len() == 2 && choices.iter().all(|choice| choice.note.is_none() && choice.label.chars().count() < 18);
    html! {
        fieldset.field.bad[field.error.is_some()] aria-describedby=[field.described()] {
            legend { (label(lang, field)) }
            (about(field))
            div.picks.pair[short].many[many] tabindex=[many.then_some("0")] role=[many.then_some("group")] aria-label=[many.then_some(&field.label)] {
                @for (at, choice) in choices.iter().enumerate() {
                    label.pick {
                        input type=(kind) id=[(at == 0 && field.error.is_some()).then(|| field.id())] name=(field.name) value=(choice.value) checked[field.has(&choice.value)]
                            required[field.required && kind == "radio"];
                        span { (choice.label) @if let Some(note) = &choice.note { small { (note) } } }
                    }
                }
            }
        }
    }
}

fn list(lang: Lang, field: &Field, choices: &[Choice]) -> Markup {
    html! {
        div.field.bad[field.error.is_some()] {
            label for=(field.id()) { (label(lang, field)) }
            (about(field))
            select id=(field.id()) name=(field.name) required[field.required] aria-invalid=[invalid(field)] aria-describedby=[field.described()] {
                option value="" { (words::CHOOSE.say(lang)) }
                @for choice in choices { option value=(choice.value) selected[field.has(&choice.value)] { (choice.label) } }
            }
        }
    }
}

fn tick(lang: Lang, field: &Field) -> Markup {
    html! {
        div.field.bad[field.error.is_some()] {
            (about(field))
            label.pick {
                input type="checkbox" id=(field.id()) name=(field.name) value="yes" checked[field.has("yes")]
                    required[field.required] aria-invalid=[invalid(field)] aria-describedby=[field.described()];
                span { (label(lang, field)) }
            }
        }
    }
}

/// The list of what is wrong, first on the page and focused.
#[must_use]
pub fn problems(lang: Lang, problems: &[(Option<String>, String)]) -> Markup {
    html! {
        @if !problems.is_empty() {
            div.problems.notice.bad role="alert" tabindex="-1" autofocus {
                h2 { (words::PROBLEMS.say(lang)) }
                ul {
                    @for (id, text) in problems {
                        li { @match id { Some(id) => a href={ "#" (id) } { (text) }, None => (text) } }
                    }
                }
            }
        }
    }
}
