//! Laws 44 and 45: the returns of past days, at each sweep of one owner in turn, and of an account to which something rare has happened: every
//! kind of movement is a flow, or is none.
//!
//! Absent on purpose: values of this instant, which the sweep holds against the books itself.

use super::claim::{Claim, Fact};
use super::movements::{Moved, Movement};
use super::{Judge, Law};
use crate::model::calendar::{self, Day};
use crate::model::days::{self, DaySum, Life, Returned};
use crate::model::figures;
use crate::model::words::or_none;
use rust_decimal::Decimal;
use sim::World;
use sim::ids::{AccountId, ClientId};
use sim::query::{self, DailyReturn};
use sim::records::OwnerKey;
use std::fmt;

/// Decimals of a return.
const DECIMALS: u32 = 10;

/// Whose days.
#[derive(Clone, Copy)]
enum Whose {
    /// An account's.
    Account(AccountId),
    /// An owner's: those of so many accounts together.
    Owner(usize),
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account(id) => write!(f, "account {id}"),
            Self::Owner(count) => write!(f, "the owner of {count} accounts"),
        }
    }
}

impl Judge {
    /// Notes that something of a kind has moved cash or units of an account.
    pub(super) fn note_movement(&mut self, kind: Movement, account: AccountId) {
        let moved = self.moved.entry(kind).or_insert(Moved::new(account));
        (moved.count, moved.last) = (moved.count + 1, account);
    }

    /// The returns of the next owner in turn, and of an account to which the rarest kind of movement has happened that was not looked at yet.
    pub(super) fn check_performance(&mut self, world: &World) {
        let Some(at) = self.owners_seen.checked_rem(self.model.accounts.len()) else { return };
        self.owners_seen += 1;
        let in_turn = self.model.accounts.get_index(at).map(|(id, _)| *id);
        let rarest = self.moved.values_mut().filter(|moved| !moved.is_seen).min_by_key(|moved| moved.count);
        let rarest = rarest.map(|moved| {
            moved.is_seen = true;
            moved.last
        });
        if let Some(account) = rarest {
            self.check_performance_of_one(world, account);
        }
        let Some(file) = in_turn.and_then(|account| self.model.accounts.get(&account)) else { return };
        let (client, owner) = (file.last.client, file.last.owner.key());
        self.check_performance_of(world, client, owner);
    }

    /// The returns of an account, of the later half of its days, and of the first day of that.
    fn check_performance_of_one(&mut self, world: &World, id: AccountId) -> Option<Life> {
        let life = self.model.life(id, calendar::local_day(world.now()));
        let listed = life.iter().filter_map(|life| Some(life.days.range(life.listed?.0..=life.listed?.1))).flatten();
        let sums: Vec<_> = listed.map(|(day, sum)| (*day, *sum)).collect();
        self.compare_days(world, Whose::Account(id), &sums, |range| query::account_performance(world, id, range));
        life
    }

    /// The returns of an owner: of each account, of all together, of the later half of their days, and of one day.
    fn check_performance_of(&mut self, world: &World, client: ClientId, owner: OwnerKey) {
        let accounts = self.model.accounts.values().map(|file| &file.last);
        let own = accounts.filter(|account| (account.client, account.owner.key()) == (client, owner));
        let own: Vec<AccountId> = own.map(|account| account.id).collect();
        let mut lives = Vec::new();
        for id in own {
            lives.extend(self.check_performance_of_one(world, id));
        }
        let sums: Vec<_> = days::together(&lives).into_iter().collect();
        let whose = Whose::Owner(lives.len());
        self.compare_days(world, whose, &sums, |range| query::owner_performance(world, client, owner, range));
    }

    fn compare_days(
        &mut self,
        world: &World,
        whose: Whose,
        sums: &[(Day, DaySum)],
        read: impl Fn(query::Range) -> Vec<DailyReturn>,
    ) {
        self.same_days(world, whose, &days::returns(sums.iter().copied()), &read(None));
        let later = &sums[sums.len() / 2..];
        if let (Some((from, _)), Some((to, _))) = (later.first(), later.last()) {
            let part = read(Some((calendar::date_of(*from), calendar::date_of(*to))));
            self.same_days(world, whose, &days::returns(later.iter().copied()), &part);
            let one = calendar::date_of(*from);
            self.same_days(world, whose, &days::returns(later[..1].iter().copied()), &read(Some((one, one))));
        }
    }

    fn same_days(&mut self, world: &World, whose: Whose, expected: &[Returned], read: &[DailyReturn]) {
        let (now, law) =
            (world.now(), if matches!(whose, Whose::Account(_)) { Law::ValueIdentity } else { Law::OwnerPerformance });
        let together = if let Whose::Owner(accounts) = whose { accounts } else { 0 };
        self.met.note_if(Law::OwnerPerformance, together > 1 && !expected.is_empty());
        // Both chains are rounded, each in its own way.
        let slack = i128::try_from(expected.len()).unwrap_or(i128::MAX);
        let wrong = |at: &usize| read.get(*at).is_none_or(|entry| !fits(&expected[*at], entry, slack));
        if let Some(at) = (0..expected.len()).find(wrong) {
            let (day, got) = (&expected[at], read.get(at));
            let what = || format!("{whose}: the answer has {}, expected: {day}", or_none(got.map(entry)));
            return self.fail(law, now, what, claim(whose, day));
        }
        let more = read.get(expected.len());
        self.ensure(more.is_none(), law, now, || {
            format!("{whose}: the answer has {}, which is not a day of theirs", or_none(more.map(entry)))
        });
    }
}

/// What can be read of the day alone.
fn claim(whose: Whose, day: &Returned) -> Option<Claim> {
    let Whose::Account(account) = whose else { return None };
    let returned = Decimal::from_i128_with_scale(day.returned, DECIMALS).normalize().to_string();
    let result = figures::amount(day.result).to_string();
    let fields = vec![("dayReturn", Fact::Number(returned)), ("dayResult", Fact::Number(result))];
    Some(Claim::Returned(account, calendar::date_of(day.day), fields))
}

fn fits(expected: &Returned, entry: &DailyReturn, slack: i128) -> bool {
    let steps = |number: Decimal| {
        let mut number = number;
        number.rescale(DECIMALS);
        number.mantissa()
    };
    calendar::day_of(entry.date) == expected.day
        && steps(entry.day_return) == expected.returned
        && figures::ore(entry.day_result) == expected.result
        && expected.cumulative.is_none_or(|chained| (steps(entry.cumulative_return) - chained).abs() <= slack)
}

/// A day of an answer in words.
fn entry(day: &DailyReturn) -> String {
    let DailyReturn { date, day_return, day_result, cumulative_return } = day;
    format!("{date}: return {day_return}, result {day_result} SEK, cumulative return {cumulative_return}")
}
