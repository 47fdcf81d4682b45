//! What is taken out of an event when it happens.
//!
//! Invariant: taking it out formats nothing but messages, and what is taken owns all it has, so that another thread can put it
//! into words.

use std::fmt;
use std::fmt::Write as _;

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use uuid::Uuid;

use feed::transport::{TransportClock, TransportTime};

/// One line to be.
#[derive(Clone, Debug)]
pub struct LogEntry {
    pub(super) at: TransportTime,
    metadata: &'static Metadata<'static>,
    values: Vec<(&'static str, Value)>,
    /// All texts, one behind the other.
    texts: String,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Whole(u64),
    Signed(i64),
    /// As bytes: a number of 128 bits would align every value to 16 bytes.
    Id(Uuid),
    Fraction(f64),
    /// Where it begins and ends.
    Text(usize, usize),
}

impl LogEntry {
    fn of(event: &Event<'_>, at: TransportTime) -> Self {
        let metadata = event.metadata();
        let values = Vec::with_capacity(metadata.fields().len());
        let mut entry = Self { at, metadata, values, texts: String::with_capacity(USUAL) };
        event.record(&mut entry);
        entry
    }

    pub(super) fn level(&self) -> Level {
        *self.metadata.level()
    }

    pub(super) fn target(&self) -> &'static str {
        self.metadata.target()
    }

    fn value(&self, name: &str) -> Option<Value> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    pub(super) fn text_of(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            Value::Text(begin, end) => self.texts.get(begin..end),
            _ => None,
        }
    }

    pub(super) fn whole(&self, name: &str) -> Option<u64> {
        match self.value(name)? {
            Value::Whole(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn signed(&self, name: &str) -> Option<i64> {
        match self.value(name)? {
            Value::Signed(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn id(&self, name: &str) -> Option<u128> {
        match self.value(name)? {
            Value::Id(id) => Some(id.as_u128()),
            _ => None,
        }
    }

    pub(super) fn fraction(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Fraction(number) => Some(number),
            _ => None,
        }
    }
}

/// Bytes that the texts of most events fit in.
const USUAL: usize = 128;

impl Visit for LogEntry {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.values.push((field.name(), Value::Whole(value)));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.values.push((field.name(), Value::Signed(value)));
    }

    fn record_u128(&mut self, field: &Field, value: u128) {
        self.values.push((field.name(), Value::Id(Uuid::from_u128(value))));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.values.push((field.name(), Value::Fraction(value)));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let begin = self.texts.len();
        self.texts.push_str(value);
        self.values.push((field.name(), Value::Text(begin, self.texts.len())));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let begin = self.texts.len();
        // Writing to a text cannot fail.
        write!(self.texts, "{value:?}").unwrap_or_default();
        self.values.push((field.name(), Value::Text(begin, self.texts.len())));
    }
}

/// Hands what events say to `sink`, which must not wait for anything: it is called under the locks of worlds.
pub struct Lines<F> {
    clock: TransportClock,
    sink: F,
}

impl<F: Fn(LogEntry) + Send + Sync + 'static> Lines<F> {
    /// Entries have the time of `clock`.
    pub const fn new(clock: TransportClock, sink: F) -> Self {
        Self { clock, sink }
    }
}

impl<S: Subscriber, F: Fn(LogEntry) + Send + Sync + 'static> Layer<S> for Lines<F> {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        (self.sink)(LogEntry::of(event, self.clock.now()));
    }
}

impl<F> fmt::Debug for Lines<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("clock", &self.clock).finish_non_exhaustive()
    }
}
