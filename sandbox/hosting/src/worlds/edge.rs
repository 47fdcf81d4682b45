//! What a request meets before it reaches a world, and what is kept of it: settings of the surface, the allowlist, fault rules,
//! the request log, the recording.
//!
//! Absent on purpose: the world, and who is sent what happens in it.

use std::sync::{Mutex, PoisonError};

use crate::allowlist::Allowlist;
use crate::faults::Faults;
use crate::partners_may::WorldActs;
use crate::recording::Recording;
use crate::request_log::{Bounds, RequestLog};
use crate::setup::SurfaceSetup;
use feed::transport::SurfaceSettings;

/// What a request meets before it reaches a world.
pub struct Edge {
    settings: Mutex<SurfaceSettings>,
    partners_may: Mutex<WorldActs>,
    patching: tokio::sync::Mutex<()>,
    /// What it was set to when the world was made.
    first: SurfaceSetup,
    /// The latest requests.
    pub request_log: RequestLog,
    /// What the world was asked and what it answered, since its start.
    pub recording: Recording,
    /// Fault rules.
    pub faults: Faults,
    /// Addresses that may use the world.
    pub allowlist: Allowlist,
}

impl Edge {
    /// The edge of a world whose log has this many inputs.
    pub(super) fn new(surface: &SurfaceSetup, first: SurfaceSetup, inputs: u64) -> Self {
        let edge = Self {
            settings: Mutex::new(surface.settings),
            partners_may: Mutex::new(surface.partners_may),
            patching: tokio::sync::Mutex::default(),
            first,
            request_log: RequestLog::new(Bounds::of(&surface.settings)),
            recording: Recording::since(inputs),
            faults: Faults::default(),
            allowlist: Allowlist::default(),
        };
        edge.allowlist.set(surface.allowlist.clone());
        edge
    }

    /// What it was set to when the world was made.
    pub(super) const fn first(&self) -> &SurfaceSetup {
        &self.first
    }

    /// Tunables of feeds and tokens.
    #[must_use]
    pub fn settings(&self) -> SurfaceSettings {
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_settings(&self, settings: SurfaceSettings) {
        *self.settings.lock().unwrap_or_else(PoisonError::into_inner) = settings;
        self.request_log.keep(Bounds::of(&settings));
    }

    /// What partners that share the world may do to all of it.
    #[must_use]
    pub fn partners_may(&self) -> WorldActs {
        *self.partners_may.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_partners_may(&self, acts: WorldActs) {
        *self.partners_may.lock().unwrap_or_else(PoisonError::into_inner) = acts;
    }

    /// While it is held nobody else reads settings and then changes some.
    pub async fn patching(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.patching.lock().await
    }
}
