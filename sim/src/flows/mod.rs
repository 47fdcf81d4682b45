//! What a command or a timer does: checks in order of precedence, the point of no return, then step, book, emit.
//!
//! # Topics
//!
//! Nine topics, one folder or file each; `command`, `records`, `query`, the tests, `docs/rules` and the stories have the same nine. A topic
//! uses those below it, never one that uses it.
//!
//! | topic | owns |
//! |---|---|
//! | `journeys/` | a customer's way through pages, from creation to the effects of a signature; a table of its own at its head |
//! | `accounts/` | opened at once or by a journey (`open`, `onboarding`, `submissions`), the moves of their table, the event of each change; bookings by lever, hits of the screening; accounts that end: `closing`, and a `death`, which adds the insurer's percent and asks for no bank account |
//! | `clients.rs` | created, patched, permitted |
//! | `payments/` | money that comes: `deposits` (an active account, or suspense; which run the plan), by `mobile` session, `bankgiro` reference or instruction (`instructions`, `charges`: file cut, attempts, outcomes, refunds), and `suspense`; `withdrawals` that partners ask for |
//! | `securities/` | funds: the market's prices, flags and rates; `actions`: merger, split, liquidation; `transfers` of units from custodians |
//! | `plans/` | kept and followed (`changes`, `funds`), checked, and at work: `allocation_runs` on a deposit, `savings_runs` every month, and the `orders` they place |
//! | `fees/` | what accrues by the day (`accruals`) and the tax of an insurance; charged and given back by the quarter (`charging`, `retrocessions`), paid on to clients (`partner`); `sales` where the cash does not reach, for charges and for `refunds` to payers |
//! | `orders/` | from placing to the cut-off; from there to settlement in `dealing` |
//! | `bank/` | bank accounts with their mandates, the hours of a bank day, `payouts` and what may be paid out, and payments under way (`payment_moves`): all that orders and plans need of payments |
//!
//! Of no topic: `opening.rs` (the first moment of a world), `purge.rs` (what partners are made to forget), `settings.rs` (other settings in a
//! running world). Below all topics: `screening.rs` (who is on a list), `journey_changes.rs` (the event of a journey's change).
//!
//! # Money over time
//!
//! > Money comes in through one door, goes out through another, and everything in between is an order or a booking.
//!
//! An order knows who placed it (`PlacedBy`): a plan's passes the checks of a partner's, the platform's own is parked for sanctions and
//! closed funds only and cannot be canceled by a partner.

pub(crate) mod accounts;
pub(crate) mod bank;
pub(crate) mod clients;
pub(crate) mod fees;
pub(crate) mod journey_changes;
pub(crate) mod journeys;
pub(crate) mod opening;
pub(crate) mod orders;
pub(crate) mod payments;
pub(crate) mod plans;
pub(crate) mod purge;
pub(crate) mod screening;
pub(crate) mod securities;
pub(crate) mod settings;

use crate::command::Command;
use crate::records::Side;
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::timers::{Timer, TimerProgress};
use crate::world::World;

/// Hands a command to its flow.
pub(crate) fn carry_out(world: &mut World, command: Command) -> Result<Reply, Refusal> {
    match command {
        Command::PlaceOrder(place) => orders::place(world, place),
        Command::ValidateOrder(place) => orders::validate(world, &place),
        Command::CancelOrder { scope, order } => orders::cancel(world, scope, order),
        Command::OpenAccount(open) => accounts::open::open(world, open),
        Command::HoldOrder { partner, order } => orders::hold(world, partner, order),
        Command::ReleaseOrder { partner, order } => orders::release(world, partner, order),
        Command::RejectOrder { partner, order } => orders::dealing::reject(world, partner, order),
        Command::SetPrice(set) => securities::market::set_price(world, &set),
        Command::SetTrading(set) => securities::market::set_trading(world, &set),
        Command::DelayNav { instrument, bank_days } => securities::market::delay_nav(world, instrument, bank_days),
        Command::Announce { instrument, act } => securities::actions::announce(world, instrument, act),
        Command::Book(book) => accounts::bookings::book(world, *book),
        Command::BouncePayout { partner, transaction } => bank::payouts::bounce(world, partner, transaction),
        Command::CreateClient(create) => clients::create(world, *create),
        Command::PatchClient(patch) => clients::patch(world, *patch),
        Command::CreateJourney(create) => journeys::create(world, *create),
        Command::OpenJourney { journey, partner } => journeys::open(world, journey, partner),
        Command::AnswerStep { journey, step, answers, partner } => {
            journeys::answer(world, journey, step, &answers, partner)
        }
        Command::SignJourney { journey, signer, outcome, partner } => {
            journeys::sign(world, journey, signer, outcome, partner)
        }
        Command::AbortJourney { journey, context } => journeys::abort(world, journey, context),
        Command::CompleteJourney { partner, journey, answers } => journeys::complete(world, partner, journey, &answers),
        Command::CancelJourney { partner, journey, context } => journeys::cancel(world, partner, journey, context),
        Command::FailJourney { partner, journey, code, context } => {
            journeys::fail(world, partner, journey, code, context)
        }
        Command::ExpireJourney { partner, journey } => journeys::expire(world, partner, journey),
        Command::DecideAccount { partner, account, decision } => {
            accounts::onboarding::decide(world, partner, account, decision)
        }
        Command::CloseAccount { scope, account } => accounts::closing::close(world, scope, account),
        Command::CheckBankAccount { partner, bank_account, passes } => {
            bank::accounts::check(world, partner, bank_account, passes)
        }
        Command::AdviseMandate { partner, bank_account, code } => {
            bank::accounts::advise(world, partner, bank_account, &code)
        }
        Command::MoveTransfer { partner, transfer, act } => securities::transfers::act(world, partner, transfer, act),
        Command::Screen { owner, hit } => accounts::screening_hits::screen(world, owner, hit),
        Command::ReportDeath { ssn } => accounts::death::report(world, ssn),
        Command::Purge { partner, what } => purge::purge(world, partner, what),
        Command::PatchAllocationPlan { scope, plan, bank_account, instruments } => {
            plans::changes::patch(world, scope, plan, bank_account, instruments)
        }
        Command::DeleteAllocationPlan { scope, plan } => plans::changes::delete_allocation(world, scope, plan),
        Command::DeleteSavingsPlan { scope, account } => plans::changes::delete_savings(world, scope, account),
        Command::CreateMobilePayment(create) => payments::mobile::create(world, create),
        Command::OpenMobilePayment { payment } => payments::mobile::open(world, payment),
        Command::PayMobilePayment { payment, partner } => payments::mobile::pay(world, partner, payment),
        Command::DeclineMobilePayment { payment, partner } => payments::mobile::decline(world, partner, payment),
        Command::FailMobilePayment { payment, error, partner } => {
            payments::mobile::fail(world, partner, payment, error)
        }
        Command::RefusePayers { partner, account, refusal } => {
            payments::mobile::refuse_payers(world, partner, account, refusal)
        }
        Command::CreateInstruction(create) => payments::instructions::create(world, create),
        Command::PayByBankgiro(pay) => payments::bankgiro::pay(world, &pay),
        Command::FailPayment { partner, payment, reason } => payments::charges::refuse(world, partner, payment, reason),
        Command::RefundPayment { partner, payment, unauthorised } => {
            payments::charges::refund(world, partner, payment, unauthorised)
        }
        Command::AllocateSuspense { item, account } => payments::suspense::allocate(world, item, account),
        Command::ReturnSuspense { item } => payments::suspense::give_back(world, item),
        Command::SetClientFees(set) => fees::partner::set(world, set),
        Command::Withdraw(withdraw) => payments::withdrawals::withdraw(world, withdraw),
    }
}

/// Hands a timer to its flow. One that concerns many records is only begun.
pub(crate) fn fire(world: &mut World, timer: Timer) -> Option<TimerProgress> {
    match timer {
        Timer::CutOff(instrument, day) => return orders::dealing::cut_off(world, instrument, day),
        Timer::Route(aggregate) => {
            return Some(TimerProgress::new(timer, world.aggregates.known(aggregate).orders.len()));
        }
        Timer::Confirm(instrument, day) => return Some(orders::dealing::confirm(world, instrument, day)),
        Timer::SettleSubscriptions(instrument, day) => {
            return Some(orders::dealing::settle(world, instrument, day, Side::Subscription));
        }
        Timer::SettleRedemptions(instrument, day) => {
            return Some(orders::dealing::settle(world, instrument, day, Side::Redemption));
        }
        Timer::ChargeFees(quarter) => return Some(fees::charging::charge_all(world, quarter)),
        Timer::PayRetrocessions(quarter) => return Some(fees::retrocessions::pay_all(world, quarter)),
        Timer::AcceptOrder(order) => orders::first_check(world, order),
        Timer::LapseOrder(order) => orders::lapse(world, order),
        Timer::PublishPrice(instrument, day) => orders::dealing::publish_price(world, instrument, day),
        Timer::PublishRate(currency, day) => securities::market::publish_rate(world, currency, day),
        Timer::PayOut(transaction) => bank::payouts::pay_out(world, transaction),
        Timer::BouncePayout(transaction) => bank::payouts::returned(world, transaction),
        Timer::ExpireJourney(journey) => journeys::lapse(world, journey),
        Timer::ApproveAccount(account) => accounts::onboarding::decide_by_itself(world, account),
        Timer::LapseAccount(account) => accounts::onboarding::lapse(world, account),
        Timer::WindUpAccount(account) => accounts::closing::look(world, account),
        Timer::CheckBankAccount(bank_account) => bank::accounts::checked(world, bank_account),
        Timer::AnswerMandate(bank_account) => bank::accounts::mandate_answered(world, bank_account),
        Timer::SendTransfer(transfer) => securities::transfers::sent(world, transfer),
        Timer::AnswerTransfer(transfer) => securities::transfers::answered(world, transfer),
        Timer::CompleteTransfer(transfer) => securities::transfers::completed(world, transfer),
        Timer::EndFeeSale(account) => fees::charging::sale_ended(world, account),
        Timer::AnswerMobilePayment(payment) => payments::mobile::answered(world, payment),
        Timer::LapseMobilePayment(payment) => payments::mobile::lapse(world, payment),
        Timer::BookBankgiro(item) => payments::bankgiro::book(world, item),
        Timer::CutFile(instruction) => payments::charges::cut(world, instruction),
        Timer::ChargePayment(payment) => payments::charges::attempt(world, payment),
        Timer::RunSavings(plan, month) => plans::savings_runs::run(world, plan, month),
        Timer::CarryOut(action) => return securities::actions::look(world, action),
    }
    None
}

/// Carries out at most `most` records of a timer that is begun; answers whether it has ended. However it is divided, the
/// result is the same (invariant 48).
pub(crate) fn go_on(world: &mut World, underway: &mut TimerProgress, most: usize) -> bool {
    let part = underway.done..underway.all.min(underway.done.saturating_add(most));
    underway.done = part.end;
    let has_ended = underway.done == underway.all;
    match underway.timer {
        Timer::CutOff(instrument, day) => {
            let TimerProgress { orders, aggregates, .. } = underway;
            orders[part].iter().for_each(|order| orders::dealing::cut_off_order(world, aggregates, *order, day));
            if has_ended {
                orders::dealing::end_cut_off(world, std::mem::take(aggregates), instrument, day);
            }
        }
        Timer::Route(aggregate) => {
            orders::dealing::route(world, aggregate, part);
            if has_ended {
                orders::dealing::end_route(world, aggregate);
            }
        }
        Timer::Confirm(instrument, day) => {
            for at in part {
                let side = orders::dealing::confirm_order(world, instrument, day, at);
                underway.sides.0 |= side == Some(Side::Subscription);
                underway.sides.1 |= side == Some(Side::Redemption);
            }
            if has_ended {
                orders::dealing::end_confirm(world, instrument, day, underway.sides);
            }
        }
        Timer::SettleSubscriptions(..) | Timer::SettleRedemptions(..) => {
            underway.orders[part].iter().for_each(|order| orders::dealing::settle_order(world, *order));
        }
        Timer::ChargeFees(quarter) => fees::charging::charge_part(world, quarter, part),
        Timer::PayRetrocessions(quarter) => fees::retrocessions::pay_part(world, quarter, part),
        Timer::CarryOut(action) => {
            securities::actions::go_on(world, underway, action, part);
            if has_ended {
                securities::actions::end(world, action);
            }
        }
        other => unreachable!("{other:?} is executed immediately"),
    }
    has_ended
}
