//! Who is sent what happens in a world: sockets by the feed, receivers by deliveries.

use deliveries::Deliveries;
use feed::sockets::Feed;
use feed::transport::SurfaceSettings;

/// Who is sent what happens in a world.
pub struct Subscribers {
    /// Events and sockets.
    pub feed: Feed,
    /// Callbacks and webhooks.
    pub deliveries: Deliveries,
}

impl Subscribers {
    pub(super) fn keep(&self, settings: &SurfaceSettings) {
        self.feed.log().keep(settings.events_kept);
        self.deliveries.resume();
    }

    /// The world is gone: nobody is sent anything more.
    pub(super) fn stop(&self) {
        self.feed.close_all();
        self.deliveries.stop();
    }

    /// Another present has begun: sockets close, and what was to be delivered is forgotten.
    pub(super) fn begin_anew(&self) {
        self.feed.close_all();
        self.deliveries.forget(self.feed.log());
    }
}
