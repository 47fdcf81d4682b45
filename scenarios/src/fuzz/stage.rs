//! Where a run begins: a world, those who act in it and those who judge it.

use crate::check::Judge;
use crate::generate::Cast;
use sim::World;
use sim::rng::Seed;
use sim::setup::Setup;
use sim::time::Instant;
use std::sync::LazyLock;

/// How a run is to be made.
#[derive(Clone, Debug)]
pub struct Stage {
    /// What the world starts from.
    pub setup: Setup,
    /// Its seed.
    pub seed: u64,
    /// Its start.
    pub start: Instant,
    /// A planted fault.
    #[cfg(feature = "canaries")]
    pub planted: Option<sim::canary::Canary>,
}

impl Stage {
    /// The stage of generated runs: the demo world, on the Monday that stories begin on.
    ///
    /// # Panics
    /// Never: the start is a constant.
    #[must_use]
    pub fn generated(seed: u64) -> Self {
        static DEMO: LazyLock<Setup> = LazyLock::new(sandbox::hosting::setup::demo);
        Self {
            setup: DEMO.clone(),
            seed,
            start: Instant::parse(crate::ast::DEFAULT_START).expect("a constant"),
            #[cfg(feature = "canaries")]
            planted: None,
        }
    }

    /// The world before the first step.
    ///
    /// # Panics
    /// When the setup is not fit for a world: a bug of whoever made it.
    #[must_use]
    pub fn world(&self) -> World {
        let world = World::new(&self.setup, Seed(self.seed), self.start);
        #[cfg_attr(not(feature = "canaries"), allow(unused_mut, reason = "faults are planted in tests only"))]
        let mut world = world.unwrap_or_else(|fault| panic!("the setup of generated runs: {fault}"));
        #[cfg(feature = "canaries")]
        if let Some(fault) = self.planted {
            world.plant(fault);
        }
        world
    }

    /// The world with its cast and its judge.
    #[must_use]
    pub fn prepare(&self) -> Prepared {
        let world = self.world();
        let (cast, judge) = (Cast::new(&world, self.seed), Judge::new(&world));
        Prepared { stage: self.clone(), world, cast, judge }
    }
}

/// A world before its first step, with those who act in it and those who judge it: what many runs of one stage share.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The stage.
    pub stage: Stage,
    /// The world.
    pub world: World,
    /// Its cast.
    pub cast: Cast,
    /// Its judge.
    pub judge: Judge,
}
