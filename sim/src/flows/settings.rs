//! New settings of a running world (rule: calendar/settings-change).
//!
//! Invariant: a setting decides what happens from now on; what has accrued, and what is booked, was decided by the settings
//! before. Absent on purpose: what each setting decides, and who may change it.

use crate::flows::fees;
use crate::settings::Settings;
use crate::world::World;
use std::sync::Arc;

/// Takes `settings` in the place of those before.
pub(crate) fn change(world: &mut World, settings: &Settings) {
    let rates = |of: &Settings| (of.distribution_fee, of.insurance_fee, of.risk_premium);
    if rates(&world.setup.settings) != rates(settings) {
        fees::partner::rates_change(world, |_| true);
    }
    Arc::make_mut(&mut world.setup).settings = settings.clone();
}
