//! The fields of a setup, from the schema that its reader makes.
//!
//! Absent on purpose: settings, which a topic of their own lists with defaults and bounds.

use super::shapes;

/// Where the schema keeps its shapes.
const SHAPES: &str = "$defs";

/// Every part with its fields.
pub(super) fn text() -> String {
    let schema = hosting::setup::document();
    let parts = shapes::target(&schema).map(|root| shapes::text(&schema[SHAPES], root)).unwrap_or_default();
    format!(
        "A YAML or JSON file. What is left out is as in the demo world; `fundsim setup` prints that as a file to begin with,\n\
         `fundsim schema setup` a JSON Schema for editors.\n\n{parts}"
    )
}

/// One part by its path, as in `setup.partners` or `partners.clients`.
pub(super) fn part(wanted: &str) -> Option<String> {
    let schema = hosting::setup::document();
    let parts = &schema[SHAPES];
    let mut name = shapes::target(&schema)?;
    let path = wanted.strip_prefix("setup.").unwrap_or(wanted);
    for field in path.split('.') {
        name = shapes::target(parts[name]["properties"].get(field)?)?;
    }
    Some(shapes::shape(parts, name))
}
