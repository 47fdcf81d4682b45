//! How often points were asked, and how often they happened: what reports show, and what tests demand.

use crate::point::{COUNT, POINTS, PointRow};

/// The counts of one point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often the code was at the point.
    pub asked: u64,
    /// How often it took the rare path.
    pub happened: u64,
}

/// The counts of all points, over any number of scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally([Count; COUNT]);

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

impl Tally {
    /// Nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self([Count { asked: 0, happened: 0 }; COUNT])
    }

    /// Notes that the code was at the point in this place.
    #[cfg(feature = "points")]
    pub(crate) const fn note(&mut self, place: usize, happened: bool) {
        self.0[place].asked += 1;
        self.0[place].happened += happened as u64;
    }

    /// Adds the counts of another scope.
    pub fn add(&mut self, other: &Self) {
        for (all, more) in self.0.iter_mut().zip(&other.0) {
            all.asked += more.asked;
            all.happened += more.happened;
        }
    }

    /// Every point with its counts.
    pub fn counts(&self) -> impl Iterator<Item = (&'static PointRow, Count)> {
        POINTS.iter().zip(self.0)
    }

    /// The names of points of these crates that never happened, each with how often it was asked.
    #[must_use]
    pub fn never_happened(&self, packages: &[&str]) -> Vec<(&'static str, u64)> {
        let of_packages = self.counts().filter(|(row, _)| packages.contains(&row.package));
        of_packages.filter(|(_, count)| count.happened == 0).map(|(row, count)| (row.name, count.asked)).collect()
    }
}
