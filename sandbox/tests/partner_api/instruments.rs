//! `/v2/partner/instrument...` and a client's universe, with prices.

use crate::harness::{Api, CLIENTS, FUND};
use serde_json::Value;

fn ids(listed: &Value) -> Vec<&str> {
    listed.as_array().expect("a list").iter().map(|one| one["id"].as_str().expect("an id")).collect()
}

/// (rule: securities/fund-costs, securities/rebate, securities/fund-rules)
#[tokio::test]
async fn a_plain_fund_and_one_with_every_trait() {
    let api = Api::new().await;
    insta::assert_snapshot!(api.get(&format!("/v2/partner/instrument/{FUND}")).await.pretty(), @r#"
    {
      "id": "SE0SBX000016SEK",
      "isincode": "SE0SBX000016",
      "name": "Tallhed Sverige Index",
      "currency": "SEK",
      "closePrice": 123.45,
      "priceDate": "2026-02-27T00:00:00.000Z",
      "kiid": [
        {
          "language": "sv",
          "url": "https://funds.example/SE0SBX000016/kiid.sv.pdf"
        }
      ],
      "isBuyable": true,
      "isSellable": true,
      "isTradable": true,
      "cost": {
        "entryFee": 0,
        "exitFee": 0,
        "ongoingFee": 0.2,
        "transactionFee": 0.05,
        "performanceFee": 0
      },
      "rebate": 0,
      "decimalsUnits": 4,
      "minInvestmentAmountSEK": 100.00,
      "isComplex": false,
      "isRaif": false,
      "cutOffTime": "14:00",
      "subscriptionSettlementDays": 2,
      "redemptionSettlementDays": 2,
      "cutOffDateSub": "2026-03-02T13:00:00.000Z",
      "cutOffDateRed": "2026-03-02T13:00:00.000Z"
    }
    "#);
    insta::assert_snapshot!(api.get("/v2/partner/instrument/LU0SBX000116EUR").await.pretty(), @r#"
    {
      "id": "LU0SBX000116EUR",
      "isincode": "LU0SBX000116",
      "name": "Aspnäs Private Credit",
      "currency": "EUR",
      "closePrice": 1032.5,
      "priceDate": "2026-02-16T00:00:00.000Z",
      "kiid": [
        {
          "language": "sv",
          "url": "https://funds.example/LU0SBX000116/kiid.sv.pdf"
        },
        {
          "language": "en",
          "url": "https://funds.example/LU0SBX000116/kiid.en.pdf"
        }
      ],
      "isBuyable": true,
      "isSellable": true,
      "isTradable": true,
      "cost": {
        "entryFee": 1,
        "exitFee": 0.5,
        "ongoingFee": 2,
        "transactionFee": 0.05,
        "performanceFee": 1.1
      },
      "rebate": 60,
      "decimalsUnits": 2,
      "minInvestmentAmountSEK": 100000.00,
      "minInitialAmountSek": 1000000.00,
      "isComplex": true,
      "isRaif": true,
      "cutOffTime": "10:00",
      "subscriptionSettlementDays": 2,
      "redemptionSettlementDays": 2,
      "cutOffDateSub": "2026-03-16T09:00:00.000Z",
      "cutOffDateRed": "2026-03-16T09:00:00.000Z"
    }
    "#);
}

/// (rule: calendar/next-cut-off-shown)
#[tokio::test]
async fn a_side_that_is_closed_has_no_cut_off() {
    let api = Api::new().await;
    for (fund, sub, red) in
        [("SE0SBX000222SEK", false, true), ("SE0SBX000248SEK", true, false), ("SE0SBX000230SEK", false, false)]
    {
        let shown = api.get(&format!("/v2/partner/instrument/{fund}")).await.ok();
        assert_eq!((shown["cutOffDateSub"].is_string(), shown["cutOffDateRed"].is_string()), (sub, red), "{fund}");
        assert!(shown["cutOffDateSub"].is_null() || sub);
    }
}

/// (rule: securities/universe)
#[tokio::test]
async fn the_universe_of_a_client_is_part_of_the_platform() {
    let api = Api::new().await;
    let all = api.get("/v2/partner/instrument").await.ok();
    let mut sorted = ids(&all);
    sorted.sort_unstable();
    assert_eq!((ids(&all), ids(&all).len()), (sorted, 30));
    assert_eq!(api.get("instrument").await.ok(), all);
    let narrow = api.get_as(1, "instrument").await.ok();
    assert_eq!(ids(&narrow).len(), 9);
    assert!(ids(&narrow).iter().all(|id| ids(&all).contains(id)));
    let page = api.get("/v2/partner/instrument?start=SE0SBX000024SEK&limit=2").await.ok();
    assert_eq!(ids(&page), ["SE0SBX000024SEK", "SE0SBX000032SEK"]);
}

/// (rule: wire/price-range)
#[tokio::test]
async fn prices_are_listed_by_day_over_at_most_a_year() {
    let api = Api::new().await;
    let prices = |query: &str| format!("instrument/{FUND}/prices{query}");
    insta::assert_snapshot!(api.get(&prices("?start=2026-02-25&end=2026-03-02")).await.text, @r#"[{"priceDate":"2026-02-25","closePrice":123.0124},{"priceDate":"2026-02-26","closePrice":123.9382},{"priceDate":"2026-02-27","closePrice":123.45}]"#);
    let year = api.get(&prices("")).await.ok();
    let days = year.as_array().expect("a list").len();
    assert!((240..=252).contains(&days), "{days}");
    for (query, problem) in [
        ("?start=2026-02-25", "end is required when start is given"),
        ("?end=2026-02-25", "start is required when end is given"),
        ("?start=2026-02-26&end=2026-02-25", "start must not be after end"),
        ("?start=2025-02-25&end=2026-02-26", "end must be at most 365 days after start"),
        (
            "?start=25/2&end=2026-02-30",
            "start must be a date in the form YYYY-MM-DD, not `25/2`; end must be a date in the form YYYY-MM-DD, not `2026-02-30`",
        ),
    ] {
        api.get(&prices(query)).await.refused(400, "invalid_request", problem);
    }
    assert_eq!(api.get(&prices("?start=2025-02-25&end=2026-02-25")).await.status, 200);
}

#[tokio::test]
async fn a_fund_outside_the_universe_has_no_prices_for_the_client() {
    let api = Api::new().await;
    let path = format!("/v2/partner/client/{}/instrument/SE0SBX000065SEK/prices", CLIENTS[2]);
    api.get_as(1, &path).await.refused(400, "invalid_request", "instrumentId is not known");
    api.get("/v2/partner/instrument/SE0SBX000313SEK").await.refused(
        400,
        "invalid_request",
        "instrumentId is not known",
    );
    let malformed = "instrumentId must be an ISIN with its check digit, followed by a currency code";
    api.get("/v2/partner/instrument/SE0SBX000017SEK").await.refused(400, "invalid_request", malformed);
}
