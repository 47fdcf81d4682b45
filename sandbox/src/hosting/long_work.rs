//! Where long calculations are carried out, such as the making of a large world: on the spot, or on threads of their own, so
//! that other requests have their turn meanwhile.
//!
//! Invariant: what comes of one is the same either way. On the spot nothing changes order, which is why it is so wherever a
//! course of events has to be the same twice. Absent on purpose: work that waits for something.

/// Where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LongWork {
    /// Where it was asked for.
    #[default]
    OnTheSpot,
    /// On the threads that tokio has for blocking work.
    OnThreads,
}

impl LongWork {
    /// Carries `work` out. A panic in it goes on here.
    ///
    /// # Panics
    /// When `work` does, or its runtime ends meanwhile.
    pub async fn carry_out<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> T {
        match self {
            Self::OnTheSpot => work(),
            Self::OnThreads => match tokio::task::spawn_blocking(work).await {
                Ok(done) => done,
                Err(ended) => match ended.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(ended) => panic!("the runtime is ending: {ended}"),
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[tokio::test]
    async fn work_is_done_on_the_spot_or_on_another_thread() {
        let here = thread::current().id();
        for (place, is_here) in [(LongWork::OnTheSpot, true), (LongWork::OnThreads, false)] {
            let there = place.carry_out(|| thread::current().id()).await;
            assert_eq!(there == here, is_here, "{place:?}");
        }
    }
}
