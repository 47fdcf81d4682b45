//! `/v2/partner/client/{clientId}/performance` and that of one account.

use crate::harness::{Api, CLIENTS, NOBODY};
use serde_json::{Value, json};

const SSN: &str = "199001012385";

fn dates(entries: &Value) -> Vec<&str> {
    entries.as_array().expect("a list").iter().map(|entry| entry["date"].as_str().expect("a date")).collect()
}

/// (rule: accounts/performance-entries)
#[tokio::test]
async fn an_account_has_an_entry_for_each_day_that_is_over() {
    let api = Api::new().await;
    let path = format!("account/{}/performance", api.account(0).await);
    assert_eq!(api.get(&path).await.text, "[]", "the first day is not over");
    api.advance_to("2026-03-05T12:00:00Z").await;
    insta::assert_snapshot!(api.get(&path).await.text, @r#"[{"date":"2026-03-02","dayReturn":0,"dayResult":0.00,"cumulativeReturn":0},{"date":"2026-03-03","dayReturn":0.0040443055,"dayResult":201.31,"cumulativeReturn":0.0040443055},{"date":"2026-03-04","dayReturn":0.0040576284,"dayResult":202.79,"cumulativeReturn":0.0081183442}]"#);
    insta::assert_snapshot!(api.get(&format!("{path}?start=2026-03-04&end=2027-01-01")).await.text, @r#"[{"date":"2026-03-04","dayReturn":0.0040576284,"dayResult":202.79,"cumulativeReturn":0.0040576284}]"#);
    assert_eq!(api.get(&format!("{path}?start=2025-01-01&end=2026-03-01")).await.text, "[]");
}

/// (rule: accounts/performance-entries)
#[tokio::test]
async fn an_owner_has_the_days_of_all_accounts_together() {
    let api = Api::new().await;
    api.advance_to("2026-03-06T12:00:00Z").await;
    let owner = api.get(&format!("performance?ssn={SSN}")).await.ok();
    assert_eq!(dates(&owner), ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"]);
    let mut of_accounts = Vec::new();
    for index in 0..2 {
        let account = api.account(index).await;
        of_accounts.push(api.get(&format!("account/{account}/performance")).await.ok());
    }
    // In ore, since a sum of results is exact.
    let ore = |entry: &Value| entry["dayResult"].to_string().replace('.', "").parse::<i64>().expect("a number");
    for day in 0..4 {
        assert_eq!(ore(&owner[day]), of_accounts.iter().map(|entries| ore(&entries[day])).sum::<i64>(), "day {day}");
    }
    assert_eq!(api.get("performance?ssn=200002292399").await.ok(), json!([]), "an owner without accounts");
    assert_eq!(api.get("performance?crn=5599900007").await.ok(), json!([]), "an organisation without accounts");
    assert_eq!(api.get_as(1, &format!("performance?ssn={SSN}")).await.ok(), json!([]), "another client's owner");
}

/// (rule: accounts/performance-query)
#[tokio::test]
async fn the_owner_and_the_days_of_a_performance_query_are_given_once_and_whole() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let personal = "must be a personal number of twelve digits with its check digit";
    for (query, problem) in [
        ("", "ssn or crn is required".to_owned()),
        ("?ssn=199001012385&crn=5599900007", "crn must not be given together with ssn".to_owned()),
        ("?ssn=199001012386", format!("ssn {personal}")),
        ("?crn=55", "crn must be a company registration number of ten digits, not `55`".to_owned()),
        ("?ssn=199001012385&start=2026-03-02", "end is required when start is given".to_owned()),
        ("?ssn=199001012385&end=2026-03-02", "start is required when end is given".to_owned()),
        ("?start=2026-03-03&end=2026-03-02", "ssn or crn is required; start must not be after end".to_owned()),
    ] {
        api.get(&format!("performance{query}")).await.refused(400, "invalid_request", &problem);
    }
    for (query, problem) in [
        ("start=2026-03-02", "end is required when start is given"),
        ("end=2026-03-02", "start is required when end is given"),
        ("start=2026-03-03&end=2026-03-02", "start must not be after end"),
        ("start=1&end=2026-03-02", "start must be a date in the form YYYY-MM-DD, not `1`"),
    ] {
        let path = format!("account/{account}/performance?{query}");
        api.get(&path).await.refused(400, "invalid_request", problem);
    }
}

/// (rule: accounts/performance-entries, wire/unknown-ids)
#[tokio::test]
async fn an_account_that_is_not_known_here_is_not_found() {
    let api = Api::new().await;
    let foreign = api.get_as(1, "account").await.ok()[0]["id"].as_str().expect("an id").to_owned();
    for account in [NOBODY, &foreign] {
        let path = format!("account/{account}/performance");
        api.get(&path).await.refused(404, "not_found", "accountId is not known");
    }
    api.get("account/1/performance").await.refused(400, "invalid_request", "accountId must be a UUID");
    let elsewhere = format!("/v2/partner/client/{}/performance?ssn={SSN}", CLIENTS[2]);
    assert_eq!(api.get(&elsewhere).await.status, 403);
}
