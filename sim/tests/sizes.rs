//! How large records are: a world holds a great many of them, so that a field is not added unseen.

use sim::records::{
    Account, AccountOrigin, AllocationPlan, CashTransaction, FeeFile, FundTransaction, Instruction, Journey,
    MobilePayment, Order, Owner, Payment, Position, SavingsPlan, Transfer,
};
use sim::timers::{Timer, TimerKey};
use sim::{Change, Event};

/// Bytes of each on a 64-bit machine. What a record grows by, a world grows by for each of its records: raise a figure only
/// for a field that cannot be elsewhere, and measure with `cargo bench -p fundsim-sim --bench memory`.
#[test]
#[cfg(target_pointer_width = "64")]
fn records_are_no_larger_than_they_were() {
    let rows = [
        ("Account", size_of::<Account>(), 248),
        ("Position", size_of::<Position>(), 80),
        ("Owner", size_of::<Owner>(), 40),
        ("FeeFile", size_of::<FeeFile>(), 384),
        ("Order", size_of::<Order>(), 360),
        ("CashTransaction", size_of::<CashTransaction>(), 240),
        ("FundTransaction", size_of::<FundTransaction>(), 208),
        ("Instruction", size_of::<Instruction>(), 112),
        ("Payment", size_of::<Payment>(), 264),
        ("SavingsPlan", size_of::<SavingsPlan>(), 216),
        ("AllocationPlan", size_of::<AllocationPlan>(), 192),
        ("MobilePayment", size_of::<MobilePayment>(), 200),
        ("Transfer", size_of::<Transfer>(), 184),
        ("Journey", size_of::<Journey>(), 240),
        ("AccountOrigin", size_of::<AccountOrigin>(), 192),
        ("Event", size_of::<Event>(), 112),
        ("Change", size_of::<Change>(), 32),
        ("Timer", size_of::<Timer>(), 28),
        ("TimerKey", size_of::<TimerKey>(), 16),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(_, now, bound)| now > bound)
        .map(|(name, now, bound)| format!("{name}: {now} bytes, bound {bound}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
