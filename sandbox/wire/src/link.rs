//! Where a journey is opened in a browser: what shapes tell, and somebody else makes.

use sim::ids::JourneyId;

/// Makes the links of a world's journeys.
pub trait JourneyLinks {
    /// The address that opens a journey.
    fn journey(&self, journey: JourneyId) -> String;
}
