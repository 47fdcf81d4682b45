//! Laws of lists: pages make the whole, and `modifiedFrom` means what it says.

use super::Judge;
use sim::World;
use sim::ids::ClientId;
use sim::query::{self, OrderFilter};
use sim::records::Order;
use sim::store::Window;
use sim::time::Instant;
use std::sync::Arc;

/// Sizes of pages that are walked; the smallest that a walk can end with, and one that leaves a rest.
const PAGES: &[usize] = &[2, 7, 100];

impl Judge {
    /// Laws 39 and 40, on the newest orders of a client.
    pub(super) fn listings(&mut self, world: &World, client: ClientId) {
        let now = world.now();
        let list = |window: &Window| query::orders(world, client, window, &OrderFilter::default());
        let all = list(&Window::default());
        let Some(first) = all.get(all.len().saturating_sub(150)) else { return };
        let newest = &all[all.len().saturating_sub(150)..];
        for &limit in PAGES {
            let walked = walk(first, limit, &list);
            let same = walked.len() == newest.len() && walked.iter().zip(newest).all(|(one, other)| one.id == other.id);
            self.ensure(same, 39, now, || format!("pages of {limit} orders do not make the list"));
        }
        let middle = newest[newest.len() / 2].stamp.modified;
        for from in [middle, Instant::from_ms(middle.ms() + 1)] {
            let window = Window { start: Some(first.sorted_id), limit: None, modified_from: Some(from) };
            let expected = newest.iter().filter(|order| order.stamp.modified >= from).map(|order| order.id);
            let same = list(&window).iter().map(|order| order.id).eq(expected);
            self.ensure(same, 40, now, || format!("orders changed since {from} are not those listed"));
        }
    }
}

/// Walks a list: each page starts with the last item of the one before.
fn walk(first: &Order, limit: usize, list: &dyn Fn(&Window) -> Vec<Arc<Order>>) -> Vec<Arc<Order>> {
    let mut walked: Vec<Arc<Order>> = Vec::new();
    let mut start = first.sorted_id;
    loop {
        let page = list(&Window { start: Some(start), limit: Some(limit), modified_from: None });
        let known = walked.last().map(|last| last.sorted_id);
        let before = walked.len();
        let full = page.len() == limit;
        walked.extend(page.into_iter().filter(|order| Some(order.sorted_id) > known));
        match walked.last() {
            Some(last) if full && walked.len() > before => start = last.sorted_id,
            _ => return walked,
        }
    }
}
