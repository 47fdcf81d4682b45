//! Funds that nobody uses: no timers, and the same prices as any other.

use crate::common::{Bench, COMPLEX, DAILY, GLOBAL, T_PLUS_ONE, WEEKLY, at, id};
use crate::securities::START;
use sim::identity::InstrumentId;
use sim::query;
use sim::time::{Date, Instant, Millis};
use sim::timers::{Happening, Timer};
use sim::{Command, World};

const FUNDS: [&str; 5] = [DAILY, T_PLUS_ONE, GLOBAL, WEEKLY, COMPLEX];
/// A year after the start.
const END: &str = "2027-03-02T08:00:00+01:00";

const fn is_market(timer: &Timer) -> bool {
    matches!(timer, Timer::CutOff(..) | Timer::PublishPrice(..))
}

/// Everything that the public reads of a fund.
fn seen(world: &World, fund: InstrumentId) -> String {
    let years = (Date::constant(2024, 1, 1), Date::constant(2030, 1, 1));
    let prices = query::prices(world, fund, years.0, years.1);
    let view = query::instrument(world, fund).map(|it| (it.close_price, it.price_date, it.cut_off_sub, it.modified));
    format!("{view:?} {:?} {prices:?}", query::year_return(world, fund))
}

fn seen_of_all(world: &World) -> Vec<String> {
    FUNDS.map(|fund| seen(world, id(fund))).to_vec()
}

/// The market's happenings of a year, with an order of each fund every few days where funds are `used`.
fn year(used: bool) -> (Bench, Vec<Happening>) {
    let mut bench = Bench::new(3, START);
    let account = bench.account(bench.open("1000000"));
    let (mut happenings, mut day) = (Vec::new(), 0);
    while bench.world.now() < at(END) {
        if used && day % 5 == 0 {
            for fund in FUNDS {
                drop(bench.does(Command::PlaceOrder(bench.buy(&account, fund, "500"))));
            }
        }
        let to = bench.world.now().plus(Millis::days(1)).min(at(END));
        happenings.extend(bench.world.advance(to).into_iter().filter(|happening| is_market(&happening.timer)));
        day += 1;
    }
    (bench, happenings)
}

/// (rule: calendar/funds-at-rest)
#[test]
fn a_world_that_nobody_uses_has_no_timers_for_its_funds() {
    let mut bench = Bench::new(3, START);
    assert!(bench.world.timers().all(|(_, timer)| !is_market(timer)));
    bench.world.advance(at(END));
    assert!(bench.world.timers().all(|(_, timer)| !is_market(timer)));
}

/// (rule: calendar/funds-at-rest)
#[test]
fn an_order_gives_its_fund_timers_until_nothing_of_it_waits() {
    let mut bench = Bench::new(3, START);
    let account = bench.account(bench.open("10000"));
    let timers = |bench: &Bench| bench.world.timers().filter(|(_, timer)| is_market(timer)).count();
    let order = bench.order(bench.buy(&account, DAILY, "500"));
    assert_eq!(timers(&bench), 1, "its own cut-off alone");
    bench.to("2026-03-10T08:00:00+01:00");
    assert_eq!((bench.status(&order), timers(&bench)), ("settled", 0));
}

/// (rule: calendar/funds-at-rest)
#[test]
fn reading_the_prices_of_funds_at_rest_changes_no_digest_and_no_later_price() {
    let mut read = Bench::new(3, START).world;
    let mut unread = read.clone();
    for days in [0, 1, 3, 40, 200] {
        let to = read.now().plus(Millis::days(days));
        read.advance(to);
        unread.advance(to);
        let early = seen_of_all(&read);
        assert_eq!(read.digest(), unread.digest(), "at {to}");
        assert_eq!(early, seen_of_all(&unread.clone()), "at {to}");
    }
}

/// (rule: calendar/funds-at-rest)
#[test]
fn what_a_copy_reads_of_later_days_changes_nothing_of_what_the_original_reads_and_does() {
    let [mut copied, mut alone] = [(); 2].map(|()| {
        let mut bench = Bench::new(3, START);
        let account = bench.account(bench.open("10000"));
        (bench, account)
    });
    let mut ahead = copied.0.world.clone();
    ahead.advance(at(END));
    drop((seen_of_all(&ahead), ahead.next_happening()));
    for days in [0, 1, 3, 40] {
        let [one, other] = [&mut copied, &mut alone].map(|(bench, _)| {
            let happened = bench.world.advance(bench.world.now().plus(Millis::days(days)));
            (happened, bench.world.next_happening(), seen_of_all(&bench.world))
        });
        assert_eq!(one, other, "after {days} days more");
    }
    let [one, other] = [&mut copied, &mut alone].map(|(bench, account)| {
        // The fund wakes.
        bench.order(bench.buy(account, DAILY, "500"));
        bench.world.advance(bench.world.now().plus(Millis::days(10)));
        (bench.world.digest(), seen_of_all(&bench.world))
    });
    assert_eq!(one, other);
}

/// (rule: calendar/funds-at-rest)
#[test]
fn a_fund_has_the_same_prices_whether_it_was_at_rest_or_used() {
    let ((rested, _), (used, _)) = (year(false), year(true));
    assert!(query::orders(&used.world, used.scope.client, &Default::default(), &Default::default()).len() > 50);
    assert_eq!(seen_of_all(&rested.world), seen_of_all(&used.world));
}

/// (rule: calendar/funds-at-rest)
#[test]
fn an_advance_lists_the_same_cut_offs_and_prices_whether_funds_rest_or_not() {
    let listed_of = |used| {
        let mut listed: Vec<(Instant, String)> =
            year(used).1.iter().map(|it| (it.at, format!("{:?}", it.timer))).collect();
        listed.sort();
        listed
    };
    let rested = listed_of(false);
    assert!(rested.len() > 1_900, "{}", rested.len());
    assert_eq!(rested, listed_of(true));
}

/// (rule: calendar/funds-at-rest)
#[test]
fn what_comes_next_is_what_an_advance_lists_first() {
    let mut world = Bench::new(3, START).world;
    for _ in 0..200 {
        let (next, _) = world.next_happening().expect("funds go on");
        assert_eq!(world.advance(next.plus(Millis(-1))), []);
        let happenings = world.advance(next);
        assert_eq!(happenings.first().map(|happening| happening.at), Some(next));
    }
}

/// (rule: calendar/funds-at-rest, calendar/before-the-start)
#[test]
fn a_correction_of_an_old_price_is_seen_and_leaves_the_others() {
    let mut bench = Bench::new(3, START);
    let before = query::prices(&bench.world, id(DAILY), Date::constant(2025, 1, 1), Date::constant(2026, 3, 1));
    let (day, price) = before[before.len() - 20];
    let corrected = sim::money::Price::from_decimal_exact(price.get() + rust_decimal::Decimal::ONE).expect("a price");
    let set = sim::command::SetPrice { instrument: id(DAILY), price_date: Some(day), close_price: corrected };
    bench.does(Command::SetPrice(set)).expect("it is within its bounds");
    let after = query::prices(&bench.world, id(DAILY), Date::constant(2025, 1, 1), Date::constant(2026, 3, 1));
    let wanted: Vec<_> = before.iter().map(|it| if it.0 == day { (day, corrected) } else { *it }).collect();
    assert_eq!(after, wanted);
}
