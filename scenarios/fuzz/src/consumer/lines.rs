//! Steps as a story writes them.
//!
//! Invariant: equal steps are written in equal lines, in a run and in the file that is saved of it. Absent on purpose:
//! carrying them out.

use super::step::{ConsumerStep, ENDINGS, FUNDS, NetworkState, Span, VERDICTS};
use hosting::faults::bundles::{BUNDLES, Bundle};
use language::ast::Scenario;
use language::diagnostic::Source;
use language::parse::{NoFiles, parse};
use std::fmt::Write as _;

/// The settings of a run: an hour of twelve seconds, and what follows from that.
const WORLD: &str = "settings: { heartbeatSeconds: 1, socketCapSeconds: 12, tokenLifeSeconds: 86400, deliveryWaitsSeconds: [1, 1, 1, 1] }";

/// Changes that only events can show: they come when all is well, the first before an hour or a crash, the others after it.
/// The payout comes first among those: no later event shows its transaction again.
pub(super) const QUIET: [&str; 5] = [
    "open account: { as: quiet, cash: 1000, bank account: SE8150000000050000000019 }",
    "withdraw: { account: quiet, amount: 50 }",
    "open account: { as: last, cash: 1000 }",
    "subscribe: { as: lastOrder, account: last, instrument: SE0SBX000016SEK, amount: 100 }",
    "advance: 6 seconds",
];

/// The last outage: no socket and no webhook delivers a change.
pub(super) const fn last_outage(by_webhooks: bool) -> [&'static str; 2] {
    let lost = if by_webhooks {
        "add fault: { match: { times: 1000 }, verdict: { deliveries: drop } }"
    } else {
        "network: cut"
    };
    [lost, "open account: { as: unheard, cash: 1000 }"]
}

/// Steps, each as the lines of its own; none where it speaks of what was never made.
pub(super) fn lines(steps: &[ConsumerStep], by_webhooks: bool) -> Vec<Vec<String>> {
    let mut made = Made::default();
    steps.iter().map(|step| made.lines(*step, by_webhooks).unwrap_or_default()).collect()
}

/// The bundle of this number.
pub(super) fn bundle(number: u8) -> Bundle {
    BUNDLES[usize::from(number) % BUNDLES.len()]
}

fn fund(number: u8) -> &'static str {
    FUNDS[usize::from(number) % FUNDS.len()]
}

/// One of so many that were made.
fn pick(number: u8, made: usize) -> Option<usize> {
    usize::from(number).checked_rem(made)
}

/// How many were made of what steps name by number.
#[derive(Default)]
struct Made {
    accounts: usize,
    orders: usize,
    journeys: usize,
}

/// The number of the next one.
const fn next(made: &mut usize) -> usize {
    *made += 1;
    *made - 1
}

impl Made {
    fn lines(&mut self, step: ConsumerStep, by_webhooks: bool) -> Option<Vec<String>> {
        use ConsumerStep as Step;
        match step {
            Step::Subscribe(..) | Step::AtOnce(..) | Step::Redeem(..) | Step::Cancel(_) | Step::PurgeOrder(_) => {
                self.of_orders(step)
            }
            Step::StartJourney(_) | Step::CompleteJourney(_) | Step::CancelJourney(_) | Step::PurgeJourney(_) => {
                self.of_journeys(step).map(|line| vec![line])
            }
            Step::OpenAccount | Step::CloseAccount(_) | Step::Withdraw(_) => {
                self.of_accounts(step).map(|line| vec![line])
            }
            Step::RotateSecret | Step::Replay if !by_webhooks => None,
            Step::NetworkState(NetworkState::Clear) => {
                Some(vec!["network: repaired".to_owned(), "network: released".to_owned()])
            }
            _ => around(step).map(|line| vec![line]),
        }
    }

    fn of_orders(&mut self, step: ConsumerStep) -> Option<Vec<String>> {
        let accounts = self.accounts;
        let mut subscribe = |account: usize, number: u8| {
            let (order, fund) = (next(&mut self.orders), fund(number));
            format!("subscribe: {{ as: order{order}, account: account{account}, instrument: {fund}, amount: 100 }}")
        };
        Some(match step {
            ConsumerStep::Subscribe(account, fund) => vec![subscribe(pick(account, accounts)?, fund)],
            ConsumerStep::AtOnce(account, count) => {
                let first = pick(account, accounts)?;
                (0..count).map(|at| subscribe((first + usize::from(at)) % accounts, at)).collect()
            }
            ConsumerStep::Redeem(account) => {
                let (account, fund) = (pick(account, accounts)?, FUNDS[0]);
                let order = next(&mut self.orders);
                vec![format!("redeem: {{ as: order{order}, account: account{account}, instrument: {fund}, units: 2 }}")]
            }
            ConsumerStep::PurgeOrder(number) => {
                let order = pick(number, self.orders)?;
                vec![format!("cancel: order{order}"), format!("purge order: order{order}")]
            }
            ConsumerStep::Cancel(number) => vec![format!("cancel: order{}", pick(number, self.orders)?)],
            _ => return None,
        })
    }

    fn of_accounts(&mut self, step: ConsumerStep) -> Option<String> {
        Some(match step {
            ConsumerStep::OpenAccount => {
                let (account, fund) = (next(&mut self.accounts), FUNDS[0]);
                format!(
                    "open account: {{ as: account{account}, cash: 100000, positions: {{ {fund}: 100 }}, bank account: SE8150000000050000000019 }}"
                )
            }
            ConsumerStep::CloseAccount(number) => {
                format!("call: DELETE /account/{{account{}}}", pick(number, self.accounts)?)
            }
            ConsumerStep::Withdraw(number) => {
                format!("withdraw: {{ account: account{}, amount: 50 }}", pick(number, self.accounts)?)
            }
            _ => return None,
        })
    }

    fn of_journeys(&mut self, step: ConsumerStep) -> Option<String> {
        Some(match step {
            ConsumerStep::StartJourney(number) => {
                let account = pick(number, self.accounts)?;
                let journey = next(&mut self.journeys);
                format!("start journey: {{ as: journey{journey}, type: kycRenewal, account: account{account} }}")
            }
            ConsumerStep::CompleteJourney(number) => {
                format!("complete journey: journey{}", pick(number, self.journeys)?)
            }
            ConsumerStep::CancelJourney(number) => format!("cancel journey: journey{}", pick(number, self.journeys)?),
            ConsumerStep::PurgeJourney(number) => format!("purge journey: journey{}", pick(number, self.journeys)?),
            _ => return None,
        })
    }
}

/// What names nothing that was made.
fn around(step: ConsumerStep) -> Option<String> {
    Some(match step {
        ConsumerStep::PatchClient(number) => format!(
            "{{ call: 'PATCH /v2/partner/client/{{client.id}}', body: {{ displayName: Another name {number} }} }}"
        ),
        ConsumerStep::SetPrice(number, more) => {
            let (fund, price) = (fund(number), 100 + u32::from(more));
            format!("set price: {{ instrument: {fund}, closePrice: {price} }}")
        }
        ConsumerStep::Advance(Span::Seconds) => "advance: 6 seconds".to_owned(),
        ConsumerStep::Advance(Span::Hours) => "advance: 3 hours".to_owned(),
        ConsumerStep::Advance(Span::BankDay) => "advance: 1 bank day".to_owned(),
        ConsumerStep::Wait(ms) => format!("wait: {} seconds", u32::from(ms).div_ceil(1_000).max(2)),
        ConsumerStep::NetworkState(NetworkState::Cut) => "network: cut".to_owned(),
        ConsumerStep::NetworkState(NetworkState::Held) => "network: held".to_owned(),
        ConsumerStep::Crash => "server: crashes".to_owned(),
        ConsumerStep::Restart => "server: restarts".to_owned(),
        ConsumerStep::Bundle(number) => format!("add fault bundle: {}", bundle(number).name),
        ConsumerStep::Fault(number, tenths) => {
            let (verdict, times) = VERDICTS[usize::from(number) % VERDICTS.len()];
            let event = if verdict.contains("sockets") { "event: '*', " } else { "" };
            format!("add fault: {{ match: {{ {event}probability: 0.{tenths}, times: {times} }}, verdict: {verdict} }}")
        }
        ConsumerStep::ClearFaults => "remove faults".to_owned(),
        ConsumerStep::EndSockets(how) => {
            format!("close sockets: {{ how: {} }}", ENDINGS[usize::from(how) % ENDINGS.len()])
        }
        ConsumerStep::RotateSecret => "rotate webhook secret: { webhook: hook, overlapSeconds: 0 }".to_owned(),
        ConsumerStep::Replay => "replay webhook: { webhook: hook, since: '2026-03-02T08:00:00+01:00' }".to_owned(),
        _ => return None,
    })
}

/// A file of these lines.
pub(super) fn text(seed: u64, title: &str, by_webhooks: bool, steps: impl Iterator<Item = String>) -> String {
    let mut text = format!(
        "fundsim: 1\nscenario: {title:?}\nworld:\n  seed: {seed}\n  start: 2026-03-02T08:00:00+01:00\n  {WORLD}\n"
    );
    if by_webhooks {
        text.push_str("given:\n  - register webhook: { as: hook }\n");
    }
    text.push_str("steps:\n  - open account: { as: first }\n");
    for step in steps {
        // A string takes everything.
        writeln!(text, "  - {step}").unwrap_or_default();
    }
    text
}

/// Reads a file.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn read(text: &str) -> Result<Scenario, String> {
    parse(&Source::new("a run", text), &NoFiles)
        .map_err(|faults| faults.iter().map(|fault| fault.message.clone()).collect::<Vec<_>>().join("; "))
}
