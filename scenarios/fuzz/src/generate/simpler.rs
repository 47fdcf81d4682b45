//! How generated steps are made candidates.

mod journeys;

use super::step::{
    Action, Ask, Bank, Buy, ClientFlaw, Device, Edge, HolderKind, Holdings, NewClient, Open, Proceeds, Sell, SetPrice,
    Share, Slip, Step, Sum, Taken, Wait, Withdraw, WithdrawalSlip,
};
use crate::shrink::Shrink;

/// 10,000 SEK and 1,000 SEK in ore: what people write in examples.
const TEN_THOUSAND: u64 = 1_000_000;
const THOUSAND: u64 = 100_000;
/// A hundred units and one in steps of 10^-7.
const HUNDRED_UNITS: u64 = 1_000_000_000;
const ONE_UNIT: u64 = 10_000_000;

impl Shrink for Step {
    fn candidates(&self) -> Vec<Self> {
        match *self {
            Self::Open(open) => open_candidates(open).into_iter().map(Self::Open).collect(),
            Self::Buy(buy) => buy_candidates(buy).into_iter().map(Self::Buy).collect(),
            Self::Sell(sell) => {
                let bought = Buy { name: sell.name, account: 0, fund: 0, sum: Sum::Ore(THOUSAND), slip: Slip::None };
                let sold = sell_candidates(sell).into_iter().map(Self::Sell);
                std::iter::once(Self::Buy(bought)).chain(sold).collect()
            }
            Self::Price(set) => {
                [10_000, 5_010, 19_990].map(|of_close| Self::Price(SetPrice { of_close, ..set })).to_vec()
            }
            Self::Action(fund, Action::Split(at)) if at != 0 => vec![Self::Action(fund, Action::Split(0))],
            Self::Action(fund, Action::Merge(into, at)) if at != 0 => vec![Self::Action(fund, Action::Merge(into, 0))],
            Self::Action(fund, Action::Liquidate(price)) if price != 0 => {
                vec![Self::Action(fund, Action::Liquidate(0))]
            }
            Self::Wait(wait) => wait_candidates(wait).into_iter().map(Self::Wait).collect(),
            Self::Start(start) => journeys::start_candidates(start).into_iter().map(Self::Start).collect(),
            Self::Journey(name, act) => journeys::candidates(name, act),
            Self::Withdraw(withdraw) => withdrawal_candidates(withdraw).into_iter().map(Self::Withdraw).collect(),
            Self::Ask(ask) => {
                [THOUSAND, ask.ore].map(|ore| Self::Ask(Ask { account: 0, ore, device: Device::Same, ..ask })).to_vec()
            }
            Self::NewClient(client) if client.flaw != ClientFlaw::None => {
                vec![Self::NewClient(NewClient { flaw: ClientFlaw::None, ..client })]
            }
            _ => Vec::new(),
        }
    }

    fn weight(&self) -> u32 {
        match *self {
            Self::Open(open) => open_weight(open),
            Self::Buy(buy) => {
                let sum = match buy.sum {
                    Sum::Ore(THOUSAND) => 0,
                    Sum::Everything => 1,
                    Sum::Ore(_) | Sum::TooMuch | Sum::Near(..) => 2,
                    Sum::Part(_) => 3,
                };
                sum + u32::from(buy.fund != 0) + u32::from(buy.account != 0) + 3 * u32::from(buy.slip != Slip::None)
            }
            Self::Sell(sell) => {
                let share = match sell.share {
                    Share::Steps(ONE_UNIT) => 0,
                    Share::Everything => 1,
                    Share::Steps(_) | Share::TooMuch | Share::Least | Share::AllBut | Share::TooFew => 2,
                    Share::Part(_) => 3,
                };
                let proceeds = u32::from(sell.proceeds != Proceeds::Keep);
                1 + share + proceeds + 3 * u32::from(sell.slip != Slip::None)
            }
            Self::Price(SetPrice { of_close: 10_000, .. }) => 0,
            Self::Price(SetPrice { of_close: 5_010 | 19_990, .. }) => 1,
            Self::Price(_) => 2,
            Self::Action(_, Action::Split(at) | Action::Merge(_, at)) => u32::from(at != 0),
            Self::Action(_, Action::Liquidate(price)) => u32::from(price != 0),
            Self::Wait(wait) => wait_weight(wait),
            Self::Start(start) => journeys::start_weight(start),
            Self::Journey(_, act) => journeys::weight(act),
            Self::Ask(ask) => {
                u32::from(ask.device != Device::Same) + u32::from(ask.account != 0) + u32::from(ask.ore != THOUSAND)
            }
            Self::NewClient(client) => u32::from(client.flaw != ClientFlaw::None),
            Self::Withdraw(Withdraw { sum, slip, .. }) => {
                u32::from(sum != Taken::Ore(THOUSAND)) + 3 * u32::from(slip != WithdrawalSlip::None)
            }
            Self::Decide(..) | Self::Check(..) | Self::Advise(..) | Self::Custodian(..) | Self::Screen(..) => 2,
            Self::Death(_) => 3,
            _ => 0,
        }
    }

    fn numbers(&self) -> Vec<(u64, u64)> {
        match *self {
            Self::Open(open) => vec![
                (open.ore, if open.ore == TEN_THOUSAND { TEN_THOUSAND } else { 0 }),
                (open.holdings.steps, if open.holdings.steps == HUNDRED_UNITS { HUNDRED_UNITS } else { 1 }),
                (u64::from(open.holdings.count), 0),
            ],
            Self::Buy(Buy { sum: Sum::Ore(ore), fund, .. }) if ore != THOUSAND => {
                vec![(ore, 10_000), (u64::from(fund), 0)]
            }
            Self::Buy(Buy { fund, .. }) => vec![(0, 0), (u64::from(fund), 0)],
            Self::Sell(Sell { share: Share::Steps(steps), .. }) if steps != ONE_UNIT => vec![(steps, 1)],
            Self::DelayNav { bank_days, .. } => vec![(u64::from(bank_days), 1)],
            Self::Wait(Wait::Ms(ms)) => vec![(u64::from(ms), 0)],
            Self::Wait(Wait::Days(days) | Wait::BankDays(days)) => vec![(u64::from(days), 0)],
            _ => Vec::new(),
        }
    }

    fn with_number(&self, at: usize, value: u64) -> Self {
        let mut changed = *self;
        match (&mut changed, at) {
            (Self::Open(open), 0) => open.ore = value,
            (Self::Open(open), 1) => open.holdings.steps = value,
            (Self::Open(open), _) => open.holdings.count = narrow(value),
            (Self::Buy(buy), 0) => buy.sum = Sum::Ore(value),
            (Self::Buy(buy), _) => buy.fund = narrow(value),
            (Self::Sell(sell), _) => sell.share = Share::Steps(value),
            (Self::DelayNav { bank_days, .. }, _) => *bank_days = narrow(value),
            (Self::Wait(Wait::Ms(ms)), _) => *ms = narrow(value),
            (Self::Wait(Wait::Days(days) | Wait::BankDays(days)), _) => *days = narrow(value),
            _ => {}
        }
        changed
    }

    fn folded(&self, next: &Self) -> Option<Self> {
        match (*self, *next) {
            (Self::Wait(_), Self::Wait(_)) => Some(Self::Wait(Wait::BankDays(8))),
            _ => None,
        }
    }
}

fn narrow<T: TryFrom<u64> + Default>(value: u64) -> T {
    T::try_from(value).unwrap_or_default()
}

fn open_candidates(open: Open) -> Vec<Open> {
    let plain = Open { owner: 0, kind: HolderKind::Retail, bank: Bank::None, client: 0, ..open };
    let none = Holdings { from: 0, count: 0, steps: ONE_UNIT };
    let some = |steps| Holdings { from: open.holdings.from, count: 1, steps };
    let each = (0..open.holdings.count).map(|at| {
        let from = open.holdings.from.saturating_add(at);
        Open { ore: 0, holdings: Holdings { from, ..some(HUNDRED_UNITS) }, ..plain }
    });
    let mut candidates = vec![
        Open { ore: TEN_THOUSAND, holdings: none, ..plain },
        Open { ore: 0, holdings: Holdings { from: 0, ..some(HUNDRED_UNITS) }, ..plain },
    ];
    candidates.extend(each);
    candidates.extend([
        plain,
        Open { owner: 0, ..open },
        Open { owner: 1, ..open },
        Open { kind: HolderKind::Retail, ..open },
        Open { bank: Bank::None, ..open },
        Open { bank: Bank::Good, ..open },
        Open { client: 0, ..open },
        Open { holdings: none, ..open },
        Open { holdings: some(HUNDRED_UNITS), ..open },
        Open { holdings: Holdings { steps: HUNDRED_UNITS, ..open.holdings }, ..open },
        Open { ore: TEN_THOUSAND, ..open },
        Open { ore: 0, ..open },
    ]);
    candidates
}

fn open_weight(open: Open) -> u32 {
    let bank = match open.bank {
        Bank::None => 0,
        Bank::Good => 1,
        Bank::Bounces | Bank::Unchecked | Bank::Pays => 2,
        Bank::Poor | Bank::PoorAtFirst | Bank::Revokes => 3,
    };
    let Holdings { from, count, steps } = open.holdings;
    let holdings = match count {
        0 => 0,
        1 => 1 + u32::from(from != 0) + u32::from(steps != HUNDRED_UNITS),
        many => 3 + u32::from(many) + u32::from(steps != HUNDRED_UNITS),
    };
    let ore = if matches!(open.ore, 0 | TEN_THOUSAND) { 0 } else { 2 };
    let kind = 3 * u32::from(open.kind != HolderKind::Retail);
    u32::from(open.owner.min(2)) + kind + bank + u32::from(open.client != 0) + holdings + ore
}

fn wait_weight(wait: Wait) -> u32 {
    match wait {
        Wait::Ms(ms) => {
            if ms <= 1_000 {
                1
            } else {
                7
            }
        }
        Wait::BankDays(days) => u32::from(days).max(1) - 1,
        Wait::Days(days) => 1 + u32::from(days),
        Wait::To(edge, offset_ms) => {
            let offset = match offset_ms {
                0 => 2,
                60_000 => 3,
                _ => 6,
            };
            let edge = match edge {
                Edge::CutOff(fund) => 2 * u32::from(fund != 0),
                Edge::Noon | Edge::Midnight => 4,
                Edge::Month => 8,
                Edge::Due | Edge::Timer(_) => 9,
                Edge::Season(_) => 8,
                Edge::Expiry(_) | Edge::Kyc(_) | Edge::Year => 10,
            };
            offset + edge
        }
    }
}

fn buy_candidates(buy: Buy) -> Vec<Buy> {
    vec![
        Buy { account: 0, fund: 0, sum: Sum::Ore(THOUSAND), slip: Slip::None, ..buy },
        Buy { fund: 0, sum: Sum::Ore(THOUSAND), slip: Slip::None, ..buy },
        Buy { sum: Sum::Ore(THOUSAND), slip: Slip::None, ..buy },
        Buy { fund: 0, slip: Slip::None, ..buy },
        Buy { slip: Slip::None, ..buy },
        Buy { sum: Sum::Ore(THOUSAND), ..buy },
        Buy { fund: 0, ..buy },
        Buy { account: 0, ..buy },
    ]
}

fn sell_candidates(sell: Sell) -> Vec<Sell> {
    vec![
        Sell { share: Share::Steps(ONE_UNIT), proceeds: Proceeds::Keep, slip: Slip::None, ..sell },
        Sell { proceeds: Proceeds::Keep, slip: Slip::None, ..sell },
        Sell { slip: Slip::None, ..sell },
        Sell { proceeds: Proceeds::Keep, ..sell },
        Sell { share: Share::Steps(ONE_UNIT), ..sell },
        Sell { share: Share::Everything, ..sell },
        Sell { share: Share::Steps(ONE_UNIT / 2), ..sell },
    ]
}

fn withdrawal_candidates(withdraw: Withdraw) -> Vec<Withdraw> {
    vec![
        Withdraw { sum: Taken::Ore(THOUSAND), slip: WithdrawalSlip::None, ..withdraw },
        Withdraw { sum: Taken::Ore(THOUSAND), ..withdraw },
        Withdraw { slip: WithdrawalSlip::None, ..withdraw },
    ]
}

fn wait_candidates(wait: Wait) -> Vec<Wait> {
    let on = match wait {
        Wait::To(Edge::CutOff(fund), _) => [0, fund],
        _ => [0, 0],
    };
    let mut candidates = vec![Wait::BankDays(1), Wait::Ms(1_000), Wait::Days(1)];
    candidates.extend(on.map(|fund| Wait::To(Edge::CutOff(fund), 0)));
    candidates.extend(on.map(|fund| Wait::To(Edge::CutOff(fund), 60_000)));
    candidates
}
