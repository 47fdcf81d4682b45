//! Allocation plans, and savings plans.

use crate::ids::{AllocationPlanId, ClientId};
use crate::records::AllocationPlan;
use crate::store::Window;
use crate::world::World;
use std::sync::Arc;

pub use crate::flows::plans::changes::{allocation_plan_of, savings_plan_of};

/// An allocation plan of `client` that is not deleted.
#[must_use]
pub fn allocation_plan(world: &World, client: ClientId, id: AllocationPlanId) -> Option<&Arc<AllocationPlan>> {
    world.allocation_plans.get(id).filter(|plan| plan.client == client && plan.deleted.is_none())
}

/// The allocation plans of `client`, oldest first.
#[must_use]
pub fn allocation_plans(world: &World, client: ClientId) -> Vec<Arc<AllocationPlan>> {
    Window::default().of_client(&world.allocation_plans, client, |plan| plan.deleted.is_none())
}
