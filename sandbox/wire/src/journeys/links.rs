//! Where a journey is opened in a browser: shapes show the link, and hosting makes it.

use sim::ids::JourneyId;

/// Makes the links of a world's journeys.
pub trait JourneyLinks {
    /// The address that opens a journey.
    fn journey(&self, journey: JourneyId) -> String;
}
