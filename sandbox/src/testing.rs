//! What the tests of this crate share: a surface with all routes over a small world.

use std::ops::Deref;

use hosting::clock::Mode;
pub(crate) use hosting::testing::{LevelFilter, new_world, subscribe, telemetry};
use hosting::worlds::NewWorld;
use surface::SurfaceConfig;
pub(crate) use surface::testing::{Answer, form_request, request};
pub(crate) use testing::{FUND, START, at};

use crate::conformance::Exchange;
use crate::planes::router::{beside, rows};

/// A surface with all routes over one frozen world, each of whose answers is as the description of the API has it.
pub(crate) struct Bench(surface::testing::Bench);

impl Deref for Bench {
    type Target = surface::testing::Bench;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(Mode::Frozen, SurfaceConfig::default())
    }

    pub(crate) fn with(mode: Mode, config: SurfaceConfig) -> Self {
        Self::over(new_world(mode), config)
    }

    /// The same over this world.
    pub(crate) fn over(new: NewWorld, config: SurfaceConfig) -> Self {
        Self(surface::testing::Bench::over(new, config, rows(), beside(), is_as_described))
    }

    /// The bench of the surface, to be served.
    pub(crate) fn into_inner(self) -> surface::testing::Bench {
        self.0
    }
}

fn is_as_described(method: &str, path: &str, answer: &Answer) {
    let body = Some(&answer.body).filter(|_| answer.header("content-type") == Some("application/json"));
    let exchange = Exchange { method, path, request: None, status: answer.status, answer: body };
    assert_eq!(exchange.fault(), None);
}
