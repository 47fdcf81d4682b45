//! Where a run begins: a world, what the names of its steps mean, and its judge.
//!
//! Invariant: a seed always gives the same stage, and a scenario file can name it: its start, its settings and what its
//! setup has instead of the demo world's partners.

use crate::generate::{Bindings, Meeting, Profile};
use hosting::setup;
use language::ast::{DEFAULT_START, WorldBlock};
use oracle::check::Judge;
use serde_json::{Map, Value as Json, json};
use sim::World;
use sim::rng::{Seed, Stream};
use sim::setup::Setup;
use sim::time::{Date, Instant, Millis, stockholm};
use std::sync::LazyLock;

/// How a run is to be made.
#[derive(Clone, Debug)]
pub struct RunSetup {
    /// What the world starts from.
    pub setup: Setup,
    /// Its seed.
    pub seed: u64,
    /// Its start.
    pub start: Instant,
    /// How hard its run goes, and at what.
    pub profile: Profile,
    /// What the setup has instead of the demo world's parts, as a scenario file says it.
    pub parts: Map<String, Json>,
    /// A planted fault.
    #[cfg(feature = "canaries")]
    pub planted: Option<sim::canary::Canary>,
}

/// One seed in so many begins in the demo world as it is, on the Monday that stories begin on.
const PLAIN_EVERY: u64 = 4;
/// Permissions of clients that a setup may take away, with what is left then.
const PERMISSIONS: &[(&str, &str)] = &[
    ("accountTypes", r#"["isk", "depot"]"#),
    ("journeyTypes", r#"["createAccount", "addBankAccount", "kycRenewal"]"#),
    ("ownerTypes", r#"["natural_person"]"#),
    ("transfers", "false"),
    ("autogiro", "false"),
    ("withdrawals", "false"),
];
/// Settings that other values are drawn for, with what they may be.
const SETTINGS: &[(&str, &[i64])] = &[
    ("acceptanceDelayMs", &[0, 5_000, 3_600_000]),
    ("routingDelayMs", &[0, 600_000, 259_200_000]),
    ("confirmationDelayMs", &[0, 3_600_000]),
    ("holdBankDays", &[1, 2, 20]),
    ("kycYears", &[1, 5]),
    ("journeyLifeMs", &[600_000, 604_800_000]),
    ("approvalDelayMs", &[0, 86_400_000]),
    ("confirmDays", &[1, 30]),
    ("accountCheckDelayMs", &[0, 86_400_000]),
    ("mandateBankDays", &[1, 5]),
    ("transferSendBankDays", &[1, 3]),
    ("transferCompleteBankDays", &[1, 15]),
];

/// Settings of fees: none at all, and such that cash does not reach.
const FEE_SETTINGS: &[(&str, &[i64])] = &[
    ("distributionFeeBp", &[0, 400, 2_500, 10_000]),
    ("insuranceFeeBp", &[0, 1_000]),
    ("riskPremiumBp", &[0, 900]),
    ("governmentLoanRateBp", &[0, 5_000]),
];

/// Settings of mobile payments, with values other than the usual ones: also such that two things fall on one instant.
const PAYMENT_SETTINGS: &[(&str, &[&str])] = &[
    ("autoPay", &["false"]),
    ("magicAmounts", &["false"]),
    ("mobilePaymentAnswerDelayMs", &["0", "180000", "200000"]),
    ("mobilePaymentLifeMs", &["4000", "64000"]),
    ("mobilePaymentLateDelayMs", &["0", "86400000"]),
];

impl RunSetup {
    /// The stage of a generated run: one in four is `plain`, the others start at another instant, with other settings or
    /// permissions.
    ///
    /// # Panics
    /// Never: what is drawn is in bounds.
    #[must_use]
    pub fn generated(seed: u64) -> Self {
        let mut stage = Self::plain(seed);
        if !seed.is_multiple_of(PLAIN_EVERY) {
            let mut draw = Seed(seed).stream("stages of runs");
            stage.start = start(&mut draw);
            if draw.chance(1, 2) {
                stage.parts.insert("partners".to_owned(), permitted(&mut draw));
            }
            if stage.profile.forced.contains(&Meeting::SignedOnce) {
                let partners = stage.parts.entry("partners").or_insert_with(|| demo()["partners"].clone());
                clients_of(partners).for_each(|client| client["withdrawalNeedsSignature"] = json!(true));
            }
            let mut changed: Map<String, Json> = (0..draw.below(3)).map(|_| setting(&mut draw)).collect();
            about_payments(&mut Seed(seed).stream("payments of runs"), &mut stage.parts, &mut changed);
            let mut fees = Seed(seed).stream("fees of runs");
            let some = fees.chance(2, 3);
            for (name, values) in FEE_SETTINGS {
                if some && fees.chance(1, 2) {
                    changed.insert((*name).to_owned(), json!(*fees.pick(values)));
                }
            }
            let mut sales = Seed(seed).stream("smallest sales of runs");
            if sales.chance(1, 2) {
                changed.insert("smallestForcedSale".to_owned(), json!(*sales.pick(&[0, 1, 500])));
            }
            if fees.chance(1, 3) {
                let percent = fees.pick::<&str>(&["0.25", "0.01", "1", "10"]);
                changed.insert("fxFee".to_owned(), serde_json::from_str(percent).expect("a constant"));
            }
            if !changed.is_empty() {
                stage.parts.insert("settings".to_owned(), Json::Object(changed));
            }
            stage = stage.with_parts(stage.parts.clone());
        }
        stage
    }

    fn with_parts(&self, parts: Map<String, Json>) -> Self {
        let setup = setup::parse(&Json::Object(parts.clone())).expect("the demo world with other parts").world;
        Self { setup, parts, ..self.clone() }
    }

    /// The same with so many steps in a thousand about journeys, where a number is given.
    #[must_use]
    pub fn with_journeys(mut self, share: Option<u16>) -> Self {
        self.profile.journeys = share.unwrap_or(self.profile.journeys);
        self
    }

    /// The demo world as it is, on the Monday that stories begin on.
    ///
    /// # Panics
    /// Never: the start is a constant.
    #[must_use]
    pub fn plain(seed: u64) -> Self {
        static DEMO: LazyLock<Setup> = LazyLock::new(setup::demo);
        Self {
            setup: DEMO.clone(),
            seed,
            start: Instant::parse(DEFAULT_START).expect("a constant"),
            profile: Profile::of_seed(seed),
            parts: Map::new(),
            #[cfg(feature = "canaries")]
            planted: None,
        }
    }

    /// The same run on candidates stages, plainest first.
    #[must_use]
    pub fn candidates(&self) -> Vec<Self> {
        let plain = Self::plain(self.seed);
        let mut starts = vec![plain.start, self.start];
        starts.dedup();
        let mut stages = Vec::new();
        for without in [&["partners", "settings"][..], &["partners"], &["settings"], &[]] {
            let mut parts = self.parts.clone();
            parts.retain(|name, _| !without.contains(&name.as_str()));
            let stage = self.with_parts(parts);
            stages.extend(starts.iter().map(|&start| Self { start, ..stage.clone() }));
        }
        stages.retain(|stage| (stage.start, &stage.parts) != (self.start, &self.parts));
        stages
    }

    /// The same as a scenario file says it.
    #[must_use]
    pub fn block(&self) -> WorldBlock {
        let start = (self.start != Self::plain(self.seed).start).then(|| self.start.to_string());
        let setup = (!self.parts.is_empty()).then(|| Json::Object(self.parts.clone()));
        WorldBlock { seed: Some(self.seed), start, setup, settings: Vec::new() }
    }

    /// The world before the first step.
    ///
    /// # Panics
    /// When the setup is not fit for a world: a bug of its maker.
    #[must_use]
    pub fn world(&self) -> World {
        let world = World::new(&self.setup, Seed(self.seed), self.start);
        #[cfg_attr(not(feature = "canaries"), allow(unused_mut, reason = "faults are planted in tests only"))]
        let mut world = world.unwrap_or_else(|fault| panic!("the setup of generated runs: {fault}"));
        #[cfg(feature = "canaries")]
        if let Some(fault) = self.planted {
            world.plant(fault);
        }
        world
    }

    /// The world with its bindings and its judge.
    #[must_use]
    pub fn prepare(&self) -> Prepared {
        let world = self.world();
        let (bindings, judge) = (Bindings::new(&world, self.seed), Judge::new(&world));
        Prepared { stage: self.clone(), world, bindings, judge }
    }
}

/// An instant within a dozen years: any, or just before something changes.
fn start(draw: &mut Stream) -> Instant {
    let year = i16::try_from(2024 + draw.below(12)).unwrap_or(2024);
    let any = |draw: &mut Stream| {
        let day = Instant::at_utc_midnight(Date::new(year, 1, 1).unwrap_or(Date::MIN));
        let day = day.plus(Millis::days(i64::try_from(draw.below(365)).unwrap_or(0)));
        day.plus(Millis(i64::try_from(draw.below(86_400_000)).unwrap_or(0)))
    };
    let on = |month, day, hour| Date::new(year, month, day).map_or(Instant::MIN, |date| stockholm(date, hour, 0));
    let edges =
        [on(12, 30, 9), on(2, 27, 16), on(3, 28, 11), on(10, 24, 8), on(6, 18, 10), on(12, 23, 12), on(4, 30, 11)];
    if draw.chance(1, 2) { any(draw) } else { *draw.pick(&edges) }
}

/// The demo world as its file has it.
fn demo() -> &'static Json {
    static DEMO: LazyLock<Json> = LazyLock::new(|| {
        let text = include_str!("../../../fixtures/demo.json");
        serde_json::from_str(text).expect("a built-in file")
    });
    &DEMO
}

/// The clients of partners as a setup has them.
fn clients_of(partners: &mut Json) -> impl Iterator<Item = &mut Json> {
    partners.as_array_mut().into_iter().flatten().flat_map(|partner| partner["clients"].as_array_mut()).flatten()
}

/// The partners of the demo world, with some of what their clients may do taken away.
fn permitted(draw: &mut Stream) -> Json {
    let mut partners = demo()["partners"].clone();
    for client in clients_of(&mut partners) {
        for (name, left) in PERMISSIONS {
            if draw.chance(1, 6) {
                client["permissions"][name] = serde_json::from_str(left).expect("a constant");
            }
        }
        if draw.chance(1, 6) {
            client["withdrawalNeedsSignature"] = json!(true);
        }
    }
    partners
}

/// How mobile payments go: drawn apart, so that all else of a stage stays as it is.
fn about_payments(draw: &mut Stream, parts: &mut Map<String, Json>, settings: &mut Map<String, Json>) {
    for (name, values) in PAYMENT_SETTINGS {
        if draw.chance(1, 5) {
            settings.insert((*name).to_owned(), serde_json::from_str(draw.pick::<&str>(values)).expect("a constant"));
        }
    }
    let partners = parts.get_mut("partners").and_then(Json::as_array_mut).into_iter().flatten();
    for client in partners.filter_map(|partner| partner["clients"].as_array_mut()).flatten() {
        if draw.chance(1, 6) {
            client["permissions"]["mobilePayment"] = json!(false);
        }
    }
}

/// A setting and its value.
fn setting(draw: &mut Stream) -> (String, Json) {
    let (name, values) = *draw.pick(SETTINGS);
    (name.to_owned(), json!(*draw.pick(values)))
}

/// A world before its first step, with what names mean in it and its judge: what many runs of one stage share.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The stage.
    pub stage: RunSetup,
    /// The world.
    pub world: World,
    /// Its bindings.
    pub bindings: Bindings,
    /// Its judge.
    pub judge: Judge,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_differ_by_seed_and_a_file_names_them() {
        let stages: Vec<RunSetup> = (0..40).map(RunSetup::generated).collect();
        assert!(stages.iter().any(|stage| stage.parts.contains_key("partners")));
        assert!(stages.iter().any(|stage| stage.parts.contains_key("settings")));
        for stage in stages {
            let block = stage.block();
            let start = block.start.as_deref().unwrap_or(DEFAULT_START);
            assert_eq!(Instant::parse(start).expect("an instant"), stage.start);
            let setup =
                block.setup.as_ref().map_or_else(setup::demo, |setup| setup::parse(setup).expect("a setup").world);
            assert_eq!(setup, stage.setup, "seed {}", stage.seed);
            assert_eq!(stage.prepare().world.digest(), stage.world().digest());
        }
    }
}
