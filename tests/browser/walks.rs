//! Journeys walked from the link to their end.

use std::sync::Arc;

use sim::ids::JourneyId;
use sim::records::{
    AccountOptions, AccountType, AllocationPlanConfiguration, Autogiro, AutogiroEnforce, Category, Configuration,
    CustodianTransfers, JourneyType, KycAnswer, Output, OwnerType, Periodicity, SavingsPlanConfiguration, ServiceType,
    TransferAccount, TransferConfiguration, TransferEnforce, WelcomeScreen,
};

use crate::driver::{Browser, Screen, Setting, in_browsers};
use crate::pages::{self, outcome};
use crate::site::{Ended, Site};

/// Each screen with each language, and each of these with scripts and without: every pair, where not every setting is tried.
const PAIRS: [Setting; 4] = [
    Setting { screen: Screen::Phone, lang: "sv", scripts: true },
    Setting { screen: Screen::Desktop, lang: "en", scripts: true },
    Setting { screen: Screen::Phone, lang: "en", scripts: false },
    Setting { screen: Screen::Desktop, lang: "sv", scripts: false },
];

/// A configuration of each type that shows every page the type has.
pub fn configuration(site: &Site, kind: JourneyType) -> Configuration {
    let empty = Configuration::empty(kind);
    let account = || Some(site.isk().id);
    let mandate = Some(Autogiro { enforce: AutogiroEnforce::Optional, force_new_bank_account: false });
    match kind {
        JourneyType::CreateAccount => create_account(),
        JourneyType::CreateLegalEntityAccount => Configuration {
            account_service_type: Some(ServiceType::ExecutionOnly),
            account_options: Some(AccountOptions {
                owner_type: Some(OwnerType::LegalEntity),
                service_types: Some(vec![ServiceType::ExecutionOnly]),
                account_types: Some(vec![AccountType::Depot, AccountType::Insurance]),
                account_categories: Some(vec![Category::Retail, Category::Pro]),
            }),
            autogiro: mandate,
            ..empty
        },
        JourneyType::AddBankAccount => Configuration { account: account(), autogiro: mandate, ..empty },
        JourneyType::SignWithdrawal | JourneyType::UpdateAllocationPlan | JourneyType::KycRenewal => {
            Configuration { account: account(), ..empty }
        }
        JourneyType::UpdateSavingsPlan => Configuration { account: account(), savings_plan: Some(monthly()), ..empty },
        JourneyType::SignSubmission => {
            let (submission, ssn) = crate::submission::waiting(site);
            Configuration { submission: Some(submission), ssn: Some(ssn), ..empty }
        }
    }
}

fn monthly() -> SavingsPlanConfiguration {
    SavingsPlanConfiguration { periodicity: Some(Periodicity::Monthly), instruments: None }
}

fn create_account() -> Configuration {
    let answer = |qid: &str, text: &str| KycAnswer { qid: qid.into(), answer: vec![text.into()], is_list: false };
    let transfers =
        ["havsviksbanken", "grastensbanken"].into_iter().zip([Some("1234-5678"), None]).map(|(custodian, number)| {
            let accounts = vec![transfer(number)];
            CustodianTransfers { custodian: custodian.parse().expect("a custodian"), accounts }
        });
    Configuration {
        account_types: Some(vec![AccountType::Isk]),
        account_service_type: Some(ServiceType::ExecutionOnly),
        account_categories: Some(vec![Category::Retail]),
        autogiro: Some(Autogiro { enforce: AutogiroEnforce::Optional, force_new_bank_account: false }),
        allocation_plan: Some(AllocationPlanConfiguration::default()),
        savings_plan: Some(monthly()),
        kycs: Some(vec![answer("purpose", "pension"), answer("pep", "no")]),
        transfer: Some(TransferConfiguration { enforce: TransferEnforce::Optional, transfers: transfers.collect() }),
        welcome_screen: Some(WelcomeScreen::Transfer),
        ..Configuration::empty(JourneyType::CreateAccount)
    }
}

fn transfer(number: Option<&str>) -> TransferAccount {
    TransferAccount {
        account_number: number.map(Arc::from),
        source_account_type: vec![AccountType::Isk],
        close_account_and_savingsplans: None,
        required: number.is_some(),
        untransferable_units_output: vec![Output::Cash, Output::Ignore],
        default_units_output: vec![Output::Units, Output::Cash, Output::Ignore],
        balance_output: vec![Output::Cash],
        allow_instrument_selection: number.is_none(),
        instruments: None,
    }
}

/// From the link to the page with that name, filling in what is asked as a person does; each page is one that everybody can use.
pub async fn walk_to(browser: &Browser, link: &str, goal: &str) {
    pages::visit(browser, link).await;
    for _ in 0..15 {
        let before = pages::stand(browser).await;
        let page = &before.0;
        pages::check(browser).await;
        pages::check_access(browser).await;
        match page.as_str() {
            reached if reached == goal => return,
            "authentication" | "signing" => pages::press(browser, &outcome("sign")).await,
            _ => {
                pages::fill(browser).await;
                pages::press(browser, pages::GO).await;
            }
        }
        if pages::stand(browser).await == before {
            let wrong = browser.run("return (document.querySelector('.problems') || document.body).innerText").await;
            panic!("{page} does not lead on: {wrong}");
        }
    }
    panic!("{goal} is never reached; the walk stands at {}", pages::name(browser).await);
}

/// Opens a journey's link where its steps before `goal` are answered already.
pub async fn open_at(browser: &Browser, site: &Site, journey: JourneyId, goal: &str) {
    site.answer_up_to(journey, goal);
    pages::visit(browser, &site.link(journey)).await;
    assert_eq!(pages::name(browser).await, goal);
    pages::check(browser).await;
}

async fn completes(kind: JourneyType, scripts: bool) {
    let site = Site::open().await;
    in_browsers(Setting::all(scripts), |browser| {
        let site = &site;
        async move {
            let (journey, link) = site.start(configuration(site, kind));
            walk_to(&browser, &link, "end").await;
            assert_eq!(site.ended(journey), Ended { status: "complete", code: None, context: None });
        }
    })
    .await;
}

/// The ways a person can end a journey other than well: up to a page, then something pressed there.
async fn ends_badly(kind: JourneyType) {
    let site = Site::open().await;
    in_browsers(PAIRS.to_vec(), |browser| {
        let site = &site;
        async move {
            for page in ["authentication", "signing"] {
                let failure = if page == "signing" { "SIGN_ERROR" } else { "AUTH_ERROR" };
                for (word, status, code) in [("abort", "canceled", "USER_ERROR"), ("fail", "error", failure)] {
                    let (journey, _) = site.start(configuration(site, kind));
                    open_at(&browser, site, journey, page).await;
                    pages::press(&browser, &outcome(word)).await;
                    pages::check(&browser).await;
                    pages::check_access(&browser).await;
                    assert_eq!(pages::name(&browser).await, "end");
                    assert_eq!(site.ended(journey), Ended { status, code: Some(code), context: Some(page) });
                }
            }
        }
    })
    .await;
}

/// Leaving is possible on each page between.
async fn is_left(kind: JourneyType) {
    let site = Site::open().await;
    in_browsers(PAIRS.to_vec(), |browser| {
        let site = &site;
        async move {
            let (journey, _) = site.start(configuration(site, kind));
            let steps = site.read(|world| sim::query::journey_steps(world, journey));
            for step in
                steps.iter().map(|view| view.step.name()).filter(|name| !matches!(*name, "authentication" | "signing"))
            {
                let (journey, _) = site.start(configuration(site, kind));
                open_at(&browser, site, journey, step).await;
                pages::press(&browser, ".leave a").await;
                assert_eq!(pages::name(&browser).await, "leave");
                pages::check(&browser).await;
                pages::check_access(&browser).await;
                pages::press(&browser, "button.danger").await;
                assert_eq!(
                    site.ended(journey),
                    Ended { status: "canceled", code: Some("USER_ERROR"), context: Some(step) }
                );
            }
        }
    })
    .await;
}

macro_rules! walks {
    ($($name:ident: $kind:ident;)+) => {$(
        mod $name {
            use super::*;

            #[tokio::test]
            #[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
            async fn completes_everywhere() {
                completes(JourneyType::$kind, true).await;
            }

            #[tokio::test]
            #[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
            async fn completes_without_scripts() {
                completes(JourneyType::$kind, false).await;
            }

            #[tokio::test]
            #[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
            async fn can_be_aborted_and_can_fail() {
                ends_badly(JourneyType::$kind).await;
            }

            #[tokio::test]
            #[ignore = "needs Chromium: tests/browser/install.sh, then cargo test --test browser -- --ignored"]
            async fn can_be_left_on_every_page() {
                is_left(JourneyType::$kind).await;
            }
        }
    )+};
}

walks! {
    create_account_journey: CreateAccount;
    create_legal_entity_account: CreateLegalEntityAccount;
    add_bank_account: AddBankAccount;
    sign_withdrawal: SignWithdrawal;
    update_allocation_plan: UpdateAllocationPlan;
    update_savings_plan: UpdateSavingsPlan;
    sign_submission: SignSubmission;
    kyc_renewal: KycRenewal;
}
