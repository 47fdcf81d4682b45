//! Funds on the pages of plans: grouped, with labelled figures, and a total where scripts run (rule: journeys/funds-on-pages).

use super::{Api, FUND, Visitor, request_for};
use serde_json::json;

#[tokio::test]
async fn funds_are_grouped_by_risk_and_their_figures_say_what_they_are() {
    let api = Api::new().await;
    for (lang, groups, fee, gained) in [
        ("en", ["Lower risk (1 to 3)", "Medium risk (4 and 5)"], "fee 0.25\u{a0}% a year", "return last 12 months "),
        (
            "sv",
            ["Lägre risk (1 till 3)", "Medelhög risk (4 och 5)"],
            "avgift 0,25\u{a0}% om året",
            "avkastning senaste 12 mån ",
        ),
    ] {
        let body = request_for(json!({"journeyType": "updateAllocationPlan", "account": api.account(0).await}));
        let visitor = Visitor::of(&api, &body, lang).await;
        visitor.walk("allocationPlan", &[]).await;
        let page = visitor.see("allocationPlan").await;
        page.check("the allocation");
        let at = |text: &str| page.text.find(text).unwrap_or_else(|| panic!("{text} is missing: {}", page.text));
        assert!(
            at(groups[0]) < at("SE0SBX000032") && at("SE0SBX000032") < at(groups[1]) && at(groups[1]) < at(&FUND[..12])
        );
        assert!(at(&FUND[..12]) < at(fee), "{}", page.text);
        at(gained);
        at("<output class=\"total\" hidden data-total=\"allocation.\" data-fixed=\"0\" data-whole=\"10000\"");
        let sheet = visitor.see(&format!("fund?id={FUND}")).await;
        assert!(sheet.text.contains("12 m") && sheet.text.contains(" 7 ("), "{}", sheet.text);
    }
}

#[tokio::test]
async fn the_return_is_reckoned_from_the_prices_of_a_year() {
    let api = Api::new().await;
    let fund = FUND.parse().expect("a fund");
    let offered = api.world.read(|world| {
        let view = sim::query::instrument(world, fund).expect("a fund");
        let day = view.price_date.expect("a day");
        let before = day.checked_sub(jiff::Span::new().years(1)).expect("a day");
        let week = before.checked_sub(jiff::Span::new().days(10)).expect("a day");
        let (_, first) = *sim::query::prices(world, fund, week, before).last().expect("a price");
        let ratio = view.close_price.expect("a price").get() / first.get();
        let by_hand = ((ratio - rust_decimal::Decimal::ONE) * rust_decimal::Decimal::ONE_HUNDRED)
            .round_dp_with_strategy(1, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
        (by_hand, sim::query::year_return(world, fund))
    });
    let (by_hand, offered) = offered.expect("a world");
    assert_eq!(offered, Some(by_hand));
}
