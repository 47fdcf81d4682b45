//! World level (scratch).
use scenarios::fuzz::{Coverage, Stage, Watch, run};
use scenarios::generate::{Generator, Profile, Step};

fn main() {
    let args: Vec<u64> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    let (from, to, n) = (args[0], args[1], args[2] as usize);
    let accounts = args.get(3).map(|a| *a as u16);
    let profile = accounts.map_or_else(Profile::wide, Profile::busy);
        Some(a) => Profile { funds: 25, clients: 3, accounts: Some(a), mischief: 60, waits: 25 },
        None => Profile { funds: 25, clients: 3, accounts: None, mischief: 120, waits: 90 },
    };
    for watch in [Watch::Blind, Watch::Full] {
        let mut cov = Coverage::default();
        let mut t = std::time::Duration::ZERO;
        let mut bad = 0;
        for seed in from..to {
            let steps: Vec<Step> = Generator::new(seed, profile).take(n).collect();
            let c = cpu();
            let o = run(&Stage::generated(seed), steps, watch);
            t += cpu() - c;
            cov.add(&o.coverage);
            if !o.violations.is_empty() {
                println!("seed {seed} step {} {:#?}", o.used, o.violations[0]);
                bad += 1;
                if bad > 5 {
                    return;
                }
            }
        }
        println!(
            "{watch:?} {} commands {:.1}% {:.0}/s",
            cov.commands(),
            100.0 * cov.accepted as f64 / cov.commands() as f64,
            cov.commands() as f64 / t.as_secs_f64()
        );
        if watch == Watch::Full {
            println!("{:?} {:?}", cov.tables(), cov.refusals);
            println!("{:?}", cov.order_rows);
        }
    }
}

fn cpu() -> std::time::Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    std::time::Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}
