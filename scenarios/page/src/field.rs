//! Fields of a form: what each is called, what is in it, and what is wrong with it.
//!
//! Invariant: every control that a person can use has words of its own and says how to fill it in or what is wrong by
//! `aria-describedby`; a control without words is a fault of the page. Absent on purpose: hidden fields, and buttons.

use super::markup::Element;
use serde_json::{Value as Json, json};

/// How a field is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// A line of text.
    Text,
    /// A box to tick.
    Tick,
    /// One of several.
    One,
    /// Any of several.
    Many,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name in the form.
    pub name: String,
    /// Words beside it.
    pub label: String,
    /// How it is filled in.
    pub control: Control,
    /// Value and words of everything that can be chosen.
    pub choices: Vec<(String, String)>,
    /// What is in it.
    pub holds: Vec<String>,
    /// What is wrong with it.
    pub error: Option<String>,
}

impl Field {
    /// The values that can be chosen.
    pub fn values(&self) -> Vec<&str> {
        self.choices.iter().map(|(value, _)| value.as_str()).collect()
    }

    /// Whether there is something to choose from.
    pub const fn offers(&self) -> bool {
        matches!(self.control, Control::One | Control::Many)
    }

    /// What is in it, as stories write it; `None` where it is empty.
    pub fn held(&self) -> Option<Json> {
        match self.control {
            Control::Text => self.holds.first().filter(|text| !text.is_empty()).map(|text| json!(text)),
            Control::Tick => Some(json!(!self.holds.is_empty())),
            Control::One => self.holds.first().map(|value| json!(value)),
            Control::Many => (!self.holds.is_empty()).then(|| json!(self.holds)),
        }
    }
}

/// The fields of a page, in order. A name that comes again, such as a further group of persons, adds its choices.
pub(super) fn read(main: &Element) -> Result<Vec<Field>, String> {
    let mut fields: Vec<Field> = Vec::new();
    walk(main, &[], main, &mut fields)?;
    Ok(fields)
}

fn walk<'e>(
    element: &'e Element,
    above: &[&'e Element],
    main: &'e Element,
    fields: &mut Vec<Field>,
) -> Result<(), String> {
    let kind = element.attribute("type").unwrap_or("text");
    let found = match element.name.as_str() {
        "input" if kind == "hidden" => None,
        "input" if matches!(kind, "radio" | "checkbox") => Some(pick(element, kind, above, main)?),
        "input" => {
            let holds = vec![element.attribute("value").unwrap_or_default().to_owned()];
            Some(Field { holds, ..control(element, Control::Text, main)? })
        }
        "select" => Some(select(element, main)?),
        _ => None,
    };
    if let Some(found) = found {
        add(fields, found);
    }
    let path: Vec<_> = above.iter().copied().chain([element]).collect();
    element.elements().try_for_each(|child| walk(child, &path, main, fields))
}

fn add(fields: &mut Vec<Field>, found: Field) {
    match fields.iter_mut().find(|field| field.name == found.name) {
        Some(field) => {
            field.choices.extend(found.choices);
            field.holds.extend(found.holds);
            field.error = field.error.take().or(found.error);
        }
        None => fields.push(found),
    }
}

/// A control with a label of its own.
fn control(element: &Element, control: Control, main: &Element) -> Result<Field, String> {
    let name = element.attribute("name").ok_or("a field has no name")?;
    let id = element.attribute("id").ok_or_else(|| format!("the field `{name}` has no id"))?;
    let label = main.find(|it| it.is("label") && it.attribute("for") == Some(id));
    let label = label.ok_or_else(|| format!("the field `{name}` has no label"))?;
    Ok(Field {
        name: name.to_owned(),
        label: label.text_without(|it| it.has_class("may")),
        control,
        choices: Vec::new(),
        holds: Vec::new(),
        error: error(element, main),
    })
}

fn select(element: &Element, main: &Element) -> Result<Field, String> {
    let mut field = control(element, Control::One, main)?;
    for option in element.all().into_iter().filter(|it| it.is("option")) {
        let value = option.attribute("value").unwrap_or_default().to_owned();
        if option.has("selected") && !value.is_empty() {
            field.holds.push(value.clone());
        }
        if !value.is_empty() {
            field.choices.push((value, option.text()));
        }
    }
    Ok(field)
}

/// One radio button or check box: a tick of its own, or a choice of the group whose legend asks.
fn pick(element: &Element, kind: &str, above: &[&Element], main: &Element) -> Result<Field, String> {
    let name = element.attribute("name").ok_or("a field has no name")?.to_owned();
    let label = above.iter().rev().find(|it| it.is("label"));
    let words = label.map(|label| label.text_without(|it| it.is("small") || it.has_class("may")));
    let words = words.filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| format!("a choice of `{name}` has no label"))?;
    let value = element.attribute("value").unwrap_or("on").to_owned();
    let holds = if element.has("checked") { vec![value.clone()] } else { Vec::new() };
    let holder = above.iter().rev().find(|it| it.has_class("field"));
    let Some(group) = holder.filter(|it| it.is("fieldset")) else {
        let choices = vec![(value, words.clone())];
        return Ok(Field { name, label: words, control: Control::Tick, choices, holds, error: error(element, main) });
    };
    let legend = group.find(|it| it.is("legend")).map(|it| it.text_without(|it| it.has_class("may")));
    let legend = legend.ok_or_else(|| format!("the choices of `{name}` have no legend"))?;
    let control = if kind == "radio" { Control::One } else { Control::Many };
    Ok(Field { name, label: legend, control, choices: vec![(value, words)], holds, error: error(group, main) })
}

/// The description of a control that says what is wrong.
fn error(element: &Element, main: &Element) -> Option<String> {
    let ids = element.attribute("aria-describedby")?;
    let described = ids.split_whitespace().filter_map(|id| main.find(|it| it.attribute("id") == Some(id)));
    described.into_iter().find(|it| it.has_class("wrong")).map(Element::text)
}
