//! How generated steps about journeys are made candidates.

use crate::generate::step::{Journey, Name, Start, Step, options};
use sim::command::SignOutcome;

pub(super) fn candidates(name: Name, act: Journey) -> Vec<Step> {
    let candidates: &[Journey] = match act {
        Journey::Answer(pick) if pick != 0 => &[Journey::Answer(0)],
        Journey::Complete(pick) if pick != 0 => &[Journey::Complete(0)],
        Journey::Next => &[Journey::Complete(0)],
        Journey::Again(back, pick) if back != 0 || pick != 1 => &[Journey::Again(0, 1), Journey::Next],
        Journey::Sign(outcome) if outcome != SignOutcome::Sign => {
            &[Journey::Complete(0), Journey::Sign(SignOutcome::Sign)]
        }
        Journey::Sign(_) => &[Journey::Complete(0), Journey::Open],
        Journey::Leave => &[Journey::Cancel, Journey::Open, Journey::Complete(0)],
        Journey::Cancel | Journey::Fail(_) => &[Journey::Open, Journey::Complete(0)],
        _ => &[],
    };
    candidates.iter().map(|act| Step::Journey(name, *act)).collect()
}

pub(super) fn weight(act: Journey) -> u32 {
    match act {
        Journey::Open | Journey::Link => 0,
        Journey::Complete(pick) => 1 + u32::from(pick.min(1)),
        Journey::Answer(pick) => 3 + u32::from(pick.min(1)),
        Journey::Sign(outcome) => 3 + u32::from(outcome != SignOutcome::Sign),
        Journey::Leave | Journey::Next => 3,
        Journey::Again(back, _) => 4 + u32::from(back),
        Journey::Cancel | Journey::Fail(_) | Journey::Expire => 2,
    }
}

pub(super) fn start_weight(start: Start) -> u32 {
    let chosen = [start.client, start.kind, start.account, start.person].map(|place| u32::from(place.min(1)));
    start.options.count_ones() * 2 + chosen.iter().sum::<u32>()
}

pub(super) fn start_candidates(start: Start) -> Vec<Start> {
    let plain = Start { client: 0, kind: 0, account: 0, person: 0, options: 0, ..start };
    let mut candidates = vec![
        plain,
        Start { options: 0, ..start },
        Start { account: 0, ..start },
        Start { person: 0, ..start },
        Start { client: 0, ..start },
    ];
    let set = (0..options::COUNT).filter(|bit| start.options >> bit & 1 == 1);
    candidates.extend(set.clone().map(|bit| Start { options: 1 << bit, ..plain }));
    candidates.extend(set.map(|bit| Start { options: start.options & !(1 << bit), ..start }));
    candidates
}
