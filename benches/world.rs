//! World level (scratch).
use scenarios::generate::{Act, Cast, Generator, Profile, Step, setup};
use sim::World;
use sim::rng::Seed;
use std::time::Instant as Clock;

fn main() {
    let profile = Profile { funds: 25, clients: 3, accounts: Some(150), mischief: 60, waits: 25 };
    let mut total = std::time::Duration::ZERO;
    let (mut commands, mut accepted) = (0u64, 0u64);
    let mut rows = [0u64; sim::machines::order::TABLE.len()];
    let mut refusals = std::collections::BTreeMap::new();
    let mut by = std::collections::BTreeMap::new();
    let mut gen_time = std::time::Duration::ZERO;
    let seeds: u64 = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(20);
    let mut sim_ms = 0i64;
    let mut timers = 0usize;
    for seed in 0..seeds {
        let mut world = World::new(&setup::setup(), Seed(seed), setup::start()).unwrap();
        let mut cast = Cast::new(&world, seed);
        let t = Clock::now();
        let steps: Vec<Step> = Generator::new(seed, profile).take(20_000).collect();
        gen_time += t.elapsed();
        let t = Clock::now();
        for step in &steps {
            match cast.act(&world, step) {
                None => {}
                Some(Act::Wait(to)) => { timers += world.advance(to).len(); }
                Some(Act::Do(command)) => {
                    commands += 1;
                    let now = world.now();
                    let name = match &command { sim::Command::PlaceOrder(p) => match p.side { sim::records::Side::Subscription => "buy", _ => "sell" }, sim::Command::CancelOrder{..} => "cancel", sim::Command::ReleaseOrder{..} => "release", sim::Command::SetPrice(_) => "price", _ => "other" };
                    let e: &mut (u64,u64) = by.entry(name).or_insert((0, 0));
                    match world.apply(now, command) {
                        Ok(reply) => { accepted += 1; e.0 += 1; cast.note(step, &reply) }
                        Err(refusal) => { e.1 += 1; *refusals.entry(refusal.class).or_insert(0u64) += 1; }
                    }
                }
            }
            world.forget_events();
        }
        total += t.elapsed();
        sim_ms += world.now().since(world.start()).0;
        for (row, n) in rows.iter_mut().zip(world.order_rows_visited()) { *row += n; }
    }
    let secs = total.as_secs_f64();
    println!("{commands} commands, {:.1}% accepted, {:.0}/s, gen {:?}, {} sim days, {timers} timers", 100.0 * accepted as f64 / commands as f64, commands as f64 / secs, gen_time, sim_ms / 86_400_000);
    for (n, row) in rows.iter().zip(sim::machines::order::TABLE) { println!("{n:>8} {row:?}"); }
    println!("{refusals:?} {by:#?}");
}
