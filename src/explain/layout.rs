//! How settings are written: in the same words everywhere.

pub(super) fn bounds(kind: sim::settings::SettingType) -> String {
    use sim::settings::SettingType;
    match kind {
        SettingType::Flag => "true or false".to_owned(),
        SettingType::Whole(least, most) => format!("{least} to {most}"),
        SettingType::OneOf(choices) => choices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        SettingType::Amount => "SEK from 0".to_owned(),
        SettingType::Percent(most) => format!("percent from 0 to {most}"),
    }
}

/// What a setting does; the rule that it cites is for readers of the code.
pub(super) fn about<S>(row: &sim::settings::SettingRow<S>) -> &'static str {
    row.about.trim().split(" (").next().unwrap_or_default().trim_end_matches('.')
}
