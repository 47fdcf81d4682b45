//! Where the server says what a person who runs it should know.
//!
//! Invariant: a line names its `request-id`, and holds no secret. Absent on purpose: levels and targets; who wants every
//! request reads a world's request log.

use std::fmt;
use std::sync::Arc;

type Sink = dyn Fn(&str) + Send + Sync;

/// Takes whole lines. Clones share it.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Sink>>);

impl Log {
    /// Hands lines to `sink`.
    #[must_use]
    pub fn to(sink: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(sink)))
    }

    /// Says nothing.
    #[must_use]
    pub const fn silent() -> Self {
        Self(None)
    }

    /// Writes a line.
    pub fn line(&self, line: fmt::Arguments<'_>) {
        if let Some(sink) = &self.0 {
            sink(&line.to_string());
        }
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Log(on)" } else { "Log(silent)" })
    }
}
