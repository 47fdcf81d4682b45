//! What a command or a timer does: checks in order of precedence, the point of no return, then step, book, tell.
//!
//! # Money over time
//!
//! > Money comes in through one door, goes out through another, and everything in between is an order or a booking.
//!
//! | file | owns |
//! |---|---|
//! | `flows/deposits.rs` `records/suspense.rs` `machines/suspense.rs` | money that has come: a deposit of an active account, or suspense; which deposits run the plan |
//! | `flows/mobile_payments.rs` `records/mobile_payment.rs` `machines/mobile_payment.rs` | sessions: token, waiting, outcomes by the payer, by amount, by time, by a late bank |
//! | `flows/bankgiro.rs` `flows/suspense.rs` | payments by reference, and what the operator does with what nobody could take |
//! | `flows/instructions.rs` `flows/charges.rs` `records/instruction.rs` `machines/{instruction,payment}.rs` | batches of payments; file cut, attempts, outcomes, refunds |
//! | `flows/allocation_runs.rs` `flows/savings_runs.rs` `flows/plan_orders.rs` | plans at work: on a deposit, every month, and the orders they place |
//! | `flows/fee_accruals.rs` `flows/insurance_tax.rs` `records/fees.rs` `quarter.rs` | what accrues by the day, and the tax of an insurance by the quarter |
//! | `flows/settings.rs` | other settings in a running world |
//! | `flows/fees.rs` `flows/retrocessions.rs` `flows/partner_fees.rs` `query/fees.rs` | charged and given back by the quarter, paid on to clients, and shown to who asks why |
//! | `flows/fee_sales.rs` `flows/refunds.rs` | sales where the cash does not reach: for charges, and for what payers have back |
//! | `flows/orders/currency_fee.rs` | what changing money costs |
//! | `flows/withdrawals.rs` `flows/withdrawal_limits.rs` `flows/payouts.rs` | what may be taken out, and money on its way to banks and back |
//! | `flows/closing.rs` `flows/death.rs` | accounts that end: sold, charged, paid out; a death adds the insurer's percent and asks for no bank account |
//! | `flows/corporate_actions/` `flows/account_bookings.rs` | merger, split, liquidation; corrections, gifts, dividends by lever |
//! | `valuation/` `query/performance.rs` | value at any midnight, daily results and returns, from the ledger and the prices when somebody asks |
//!
//! An order knows who placed it (`PlacedBy`): a plan's passes the checks of a partner's, the platform's own is parked for sanctions and
//! closed funds only and cannot be canceled by a partner.

pub(crate) mod account_bookings;
pub(crate) mod account_changes;
pub(crate) mod account_moves;
pub(crate) mod accounts;
pub(crate) mod allocation_runs;
pub(crate) mod bank_accounts;
pub(crate) mod bank_hours;
pub(crate) mod bankgiro;
pub(crate) mod charges;
pub(crate) mod clients;
pub(crate) mod closing;
pub(crate) mod corporate_actions;
pub(crate) mod custody;
pub(crate) mod dealing;
pub(crate) mod death;
pub(crate) mod deposits;
pub(crate) mod fee_accruals;
pub(crate) mod fee_sales;
pub(crate) mod fees;
pub(crate) mod fund_checks;
pub(crate) mod instructions;
pub(crate) mod insurance_tax;
pub(crate) mod journey_changes;
pub(crate) mod journeys;
pub(crate) mod market;
pub(crate) mod mobile_payments;
pub(crate) mod onboarding;
pub(crate) mod opening;
pub(crate) mod orders;
pub(crate) mod partner_fees;
pub(crate) mod payouts;
pub(crate) mod plan_checks;
pub(crate) mod plan_funds;
pub(crate) mod plan_orders;
pub(crate) mod plans;
pub(crate) mod purge;
pub(crate) mod refunds;
pub(crate) mod retrocessions;
pub(crate) mod savings_runs;
pub(crate) mod screening;
pub(crate) mod screening_hits;
pub(crate) mod settings;
pub(crate) mod submissions;
pub(crate) mod suspense;
pub(crate) mod transfers;
pub(crate) mod withdrawal_limits;
pub(crate) mod withdrawals;

use crate::command::Command;
use crate::records::Side;
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::timers::{Timer, Underway};
use crate::world::World;

/// Hands a command to its flow.
pub(crate) fn carry_out(world: &mut World, command: Command) -> Result<Reply, Refusal> {
    match command {
        Command::PlaceOrder(place) => orders::place(world, place),
        Command::ValidateOrder(place) => orders::validate(world, &place),
        Command::CancelOrder { scope, order } => orders::cancel(world, scope, order),
        Command::OpenAccount(open) => accounts::open(world, open),
        Command::HoldOrder { partner, order } => orders::hold(world, partner, order),
        Command::ReleaseOrder { partner, order } => orders::release(world, partner, order),
        Command::RejectOrder { partner, order } => dealing::reject(world, partner, order),
        Command::SetPrice(set) => market::set_price(world, &set),
        Command::SetTrading(set) => market::set_trading(world, &set),
        Command::DelayNav { instrument, bank_days } => market::delay_nav(world, instrument, bank_days),
        Command::Announce { instrument, act } => corporate_actions::announce(world, instrument, act),
        Command::Book(book) => account_bookings::book(world, *book),
        Command::BouncePayout { partner, transaction } => payouts::bounce(world, partner, transaction),
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
        Command::DecideAccount { partner, account, decision } => onboarding::decide(world, partner, account, decision),
        Command::CloseAccount { scope, account } => closing::close(world, scope, account),
        Command::CheckBankAccount { partner, bank_account, passes } => {
            bank_accounts::check(world, partner, bank_account, passes)
        }
        Command::AdviseMandate { partner, bank_account, code } => {
            bank_accounts::advise(world, partner, bank_account, &code)
        }
        Command::MoveTransfer { partner, transfer, act } => transfers::act(world, partner, transfer, act),
        Command::Screen { owner, hit } => screening_hits::screen(world, owner, hit),
        Command::ReportDeath { ssn } => death::report(world, ssn),
        Command::Purge { partner, what } => purge::purge(world, partner, what),
        Command::PatchAllocationPlan { scope, plan, bank_account, instruments } => {
            plans::patch(world, scope, plan, bank_account, instruments)
        }
        Command::DeleteAllocationPlan { scope, plan } => plans::delete_allocation(world, scope, plan),
        Command::DeleteSavingsPlan { scope, account } => plans::delete_savings(world, scope, account),
        Command::CreateMobilePayment(create) => mobile_payments::create(world, create),
        Command::OpenMobilePayment { payment } => mobile_payments::open(world, payment),
        Command::PayMobilePayment { payment, partner } => mobile_payments::pay(world, partner, payment),
        Command::DeclineMobilePayment { payment, partner } => mobile_payments::decline(world, partner, payment),
        Command::FailMobilePayment { payment, error, partner } => mobile_payments::fail(world, partner, payment, error),
        Command::RefusePayers { partner, account, refusal } => {
            mobile_payments::refuse_payers(world, partner, account, refusal)
        }
        Command::CreateInstruction(create) => instructions::create(world, create),
        Command::PayByBankgiro(pay) => bankgiro::pay(world, &pay),
        Command::FailPayment { partner, payment, reason } => charges::refuse(world, partner, payment, reason),
        Command::RefundPayment { partner, payment, unauthorised } => {
            charges::refund(world, partner, payment, unauthorised)
        }
        Command::AllocateSuspense { item, account } => suspense::allocate(world, item, account),
        Command::ReturnSuspense { item } => suspense::give_back(world, item),
        Command::SetClientFees(set) => partner_fees::set(world, set),
        Command::Withdraw(withdraw) => withdrawals::withdraw(world, withdraw),
    }
}

/// Hands a timer to its flow. One that concerns many records is only begun.
pub(crate) fn fire(world: &mut World, timer: Timer) -> Option<Underway> {
    match timer {
        Timer::CutOff(instrument, day) => return dealing::cut_off(world, instrument, day),
        Timer::Route(aggregate) => {
            return Some(Underway::new(timer, world.aggregates.known(aggregate).orders.len()));
        }
        Timer::Confirm(instrument, day) => return Some(dealing::confirm(world, instrument, day)),
        Timer::SettleSubscriptions(instrument, day) => {
            return Some(dealing::settle(world, instrument, day, Side::Subscription));
        }
        Timer::SettleRedemptions(instrument, day) => {
            return Some(dealing::settle(world, instrument, day, Side::Redemption));
        }
        Timer::ChargeFees(quarter) => return Some(fees::charge_all(world, quarter)),
        Timer::PayRetrocessions(quarter) => return Some(retrocessions::pay_all(world, quarter)),
        Timer::AcceptOrder(order) => orders::first_check(world, order),
        Timer::LapseOrder(order) => orders::lapse(world, order),
        Timer::PublishPrice(instrument, day) => dealing::publish_price(world, instrument, day),
        Timer::PublishRate(currency, day) => market::publish_rate(world, currency, day),
        Timer::PayOut(transaction) => payouts::pay_out(world, transaction),
        Timer::BouncePayout(transaction) => payouts::returned(world, transaction),
        Timer::ExpireJourney(journey) => journeys::lapse(world, journey),
        Timer::ApproveAccount(account) => onboarding::decide_by_itself(world, account),
        Timer::LapseAccount(account) => onboarding::lapse(world, account),
        Timer::WindUpAccount(account) => closing::look(world, account),
        Timer::CheckBankAccount(bank_account) => bank_accounts::checked(world, bank_account),
        Timer::AnswerMandate(bank_account) => bank_accounts::mandate_answered(world, bank_account),
        Timer::SendTransfer(transfer) => transfers::sent(world, transfer),
        Timer::AnswerTransfer(transfer) => transfers::answered(world, transfer),
        Timer::CompleteTransfer(transfer) => transfers::completed(world, transfer),
        Timer::EndFeeSale(account) => fees::sale_ended(world, account),
        Timer::AnswerMobilePayment(payment) => mobile_payments::answered(world, payment),
        Timer::LapseMobilePayment(payment) => mobile_payments::lapse(world, payment),
        Timer::BookBankgiro(item) => bankgiro::book(world, item),
        Timer::CutFile(instruction) => charges::cut(world, instruction),
        Timer::ChargePayment(payment) => charges::attempt(world, payment),
        Timer::RunSavings(plan, month) => savings_runs::run(world, plan, month),
        Timer::CarryOut(action) => return corporate_actions::look(world, action),
    }
    None
}

/// Carries out at most `most` records of a timer that is begun; answers whether it has ended. However it is divided, the
/// same comes of it (invariant 48).
pub(crate) fn go_on(world: &mut World, underway: &mut Underway, most: usize) -> bool {
    let part = underway.done..underway.all.min(underway.done.saturating_add(most));
    underway.done = part.end;
    let has_ended = underway.done == underway.all;
    match underway.timer {
        Timer::CutOff(instrument, day) => {
            let Underway { orders, aggregates, .. } = underway;
            orders[part].iter().for_each(|order| dealing::cut_off_order(world, aggregates, *order, day));
            if has_ended {
                dealing::end_cut_off(world, std::mem::take(aggregates), instrument, day);
            }
        }
        Timer::Route(aggregate) => {
            dealing::route(world, aggregate, part);
            if has_ended {
                dealing::end_route(world, aggregate);
            }
        }
        Timer::Confirm(instrument, day) => {
            for at in part {
                let side = dealing::confirm_order(world, instrument, day, at);
                underway.sides.0 |= side == Some(Side::Subscription);
                underway.sides.1 |= side == Some(Side::Redemption);
            }
            if has_ended {
                dealing::end_confirm(world, instrument, day, underway.sides);
            }
        }
        Timer::SettleSubscriptions(..) | Timer::SettleRedemptions(..) => {
            underway.orders[part].iter().for_each(|order| dealing::settle_order(world, *order));
        }
        Timer::ChargeFees(quarter) => fees::charge_part(world, quarter, part),
        Timer::PayRetrocessions(quarter) => retrocessions::pay_part(world, quarter, part),
        Timer::CarryOut(action) => {
            corporate_actions::go_on(world, underway, action, part);
            if has_ended {
                corporate_actions::end(world, action);
            }
        }
        other => unreachable!("{other:?} is carried out at once"),
    }
    has_ended
}
