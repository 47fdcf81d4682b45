//! Which events are wanted: those of a level and above, of all targets or of each as configured.

use std::fmt;
use std::str::FromStr;

use tracing::level_filters::LevelFilter;
use tracing::subscriber::Interest;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Filter};

use super::TARGETS;

/// The events that are wanted, and no spans. As a layer it lets nothing else pass at all; as a filter it speaks for one layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted(Targets);

impl Default for Wanted {
    fn default() -> Self {
        Self::from(LevelFilter::INFO)
    }
}

impl From<LevelFilter> for Wanted {
    /// Of all targets as much.
    fn from(level: LevelFilter) -> Self {
        Self(Targets::new().with_targets(TARGETS.map(|target| (target, level))))
    }
}

/// The words for how much is wanted.
const LEVELS: [(&str, LevelFilter); 5] = [
    ("off", LevelFilter::OFF),
    ("error", LevelFilter::ERROR),
    ("warn", LevelFilter::WARN),
    ("info", LevelFilter::INFO),
    ("debug", LevelFilter::DEBUG),
];

fn level(word: &str) -> Option<LevelFilter> {
    LEVELS.iter().find(|(known, _)| *known == word).map(|(_, level)| *level)
}

/// A text says of no events that they are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedError;

impl WantedError {
    /// What is accepted.
    #[must_use]
    pub fn accepted() -> String {
        let levels = LEVELS.map(|(word, _)| word).join(", ");
        format!(
            "a level ({levels}), targets with a level each as in {}=debug, or both, separated by commas; targets are {}",
            super::DELIVERIES,
            TARGETS.join(", ")
        )
    }
}

impl fmt::Display for WantedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it must be {}", Self::accepted())
    }
}

impl std::error::Error for WantedError {}

impl FromStr for Wanted {
    type Err = WantedError;

    /// Targets that are not named have the level without a target, or the usual one.
    fn from_str(text: &str) -> Result<Self, WantedError> {
        let (mut all, mut named) = (None, Vec::<(&'static str, LevelFilter)>::new());
        for part in text.split(',').map(str::trim) {
            if let Some((name, word)) = part.split_once('=') {
                let target = TARGETS.into_iter().find(|target| *target == name).ok_or(WantedError)?;
                if named.iter().any(|(known, _)| *known == target) {
                    return Err(WantedError);
                }
                named.push((target, level(word).ok_or(WantedError)?));
            } else if all.replace(level(part).ok_or(WantedError)?).is_some() {
                return Err(WantedError);
            }
        }
        let Self(usual) = all.map_or_else(Self::default, Self::from);
        Ok(Self(usual.with_targets(named)))
    }
}

impl Wanted {
    fn is(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && self.0.would_enable(metadata.target(), metadata.level())
    }

    /// Whether anything is wanted at all.
    #[must_use]
    pub fn is_something(&self) -> bool {
        self.0.iter().any(|(_, level)| level != LevelFilter::OFF)
    }

    fn interest(&self, metadata: &Metadata<'_>) -> Interest {
        if self.is(metadata) { Interest::always() } else { Interest::never() }
    }

    fn most(&self) -> Option<LevelFilter> {
        self.0.iter().map(|(_, level)| level).max()
    }
}

impl<S: Subscriber> Layer<S> for Wanted {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        self.interest(metadata)
    }

    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        self.is(metadata)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        self.most()
    }
}

impl<S> Filter<S> for Wanted {
    fn enabled(&self, metadata: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        self.is(metadata)
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        self.interest(metadata)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        self.most()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DELIVERIES, REQUESTS, SERVER};
    use super::*;
    use tracing::Level;

    fn takes(text: &str, target: &str, level: Level) -> bool {
        text.parse::<Wanted>().expect(text).0.would_enable(target, &level)
    }

    #[test]
    fn targets_go_by_their_own_level_and_the_others_by_the_one_without_a_target() {
        for text in ["sandbox::deliveries=debug,warn", "warn, sandbox::deliveries=debug"] {
            assert!(takes(text, DELIVERIES, Level::DEBUG));
            assert!(takes(text, SERVER, Level::WARN) && !takes(text, SERVER, Level::INFO));
        }
        assert!(takes("sandbox::deliveries=off", REQUESTS, Level::INFO), "the others are logged as usual");
        assert!(!takes("sandbox::deliveries=off", DELIVERIES, Level::ERROR));
        assert!(!takes("debug", "hyper", Level::ERROR), "libraries are no target");
        assert!(!"off".parse::<Wanted>().expect("a level").is_something());
    }

    #[test]
    fn what_names_no_events_is_refused_with_all_that_is_accepted() {
        for text in [
            "",
            "loud",
            "INFO",
            "info,warn",
            "hyper=info",
            "sandbox::deliveries",
            "sandbox::events=info,sandbox::events=off",
        ] {
            assert_eq!(text.parse::<Wanted>(), Err(WantedError), "{text}");
        }
        let words = WantedError.to_string();
        for word in LEVELS.map(|(word, _)| word).into_iter().chain(TARGETS) {
            assert!(words.contains(word), "{word}: {words}");
        }
    }
}
