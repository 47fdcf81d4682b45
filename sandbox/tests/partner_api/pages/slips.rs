//! Problems beside fields, and what a person reads before a signature.

use super::{Api, Visitor, every_type, opening, pair, request_for};
use serde_json::json;

#[tokio::test]
async fn a_wrong_number_keeps_the_names_that_were_typed() {
    let api = Api::new().await;
    let visitor = Visitor::of(&api, &opening(), "en").await;
    visitor.walk("authentication", &[]).await;
    let form = [("_person", "another"), ("_number", "12"), ("firstName", "Maj-Britt"), ("lastName", "Öberg & Co")];
    let form = form.into_iter().chain([("_outcome", "sign")]).map(|(name, text)| pair(name, text)).collect();
    let refused = visitor.fill("authentication", form).await;
    refused.check("a slip");
    assert_eq!(refused.status, 422);
    for typed in ["value=\"12\"", "value=\"Maj-Britt\"", "value=\"Öberg &amp; Co\"", "<details class=\"more\" open>"] {
        assert!(refused.text.contains(typed), "{typed} is gone: {}", refused.text);
    }
    assert!(refused.text.contains("<a href=\"#f--number\">Write a personal number"), "{}", refused.text);
}

#[tokio::test]
async fn the_problem_of_a_refused_name_is_beside_the_name_and_not_beside_the_number() {
    let api = Api::new().await;
    let visitor = Visitor::of(&api, &opening(), "en").await;
    visitor.walk("authentication", &[]).await;
    let long = "x".repeat(300);
    let form = [("_person", "another"), ("_number", super::PERSON), ("firstName", long.as_str()), ("lastName", "Ek")];
    let form = form.into_iter().chain([("_outcome", "sign")]).map(|(name, text)| pair(name, text)).collect();
    let refused = visitor.fill("authentication", form).await;
    refused.check("a long name");
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("<a href=\"#f-firstName\">"), "{}", refused.text);
    assert!(refused.text.contains("id=\"f-firstName-e\"") && !refused.text.contains("id=\"f--number-e\""));
}

#[tokio::test]
async fn the_list_of_slips_says_what_is_wrong_and_leads_to_each_field() {
    let api = Api::new().await;
    let visitor = Visitor::of(&api, &opening(), "en").await;
    visitor.walk("accountDetails", &[]).await;
    let slip = visitor.sensible("accountDetails", &[("email", "nobody")]).await;
    let refused = visitor.fill("accountDetails", slip).await;
    refused.check("a slip");
    let problem = "<li><a href=\"#f-email\">E-mail: Write an e-mail address, such as name@example.com.</a></li>";
    assert!(refused.text.contains(problem), "{}", refused.text);
    assert!(refused.text.contains("id=\"f-email\""), "{}", refused.text);
}

#[tokio::test]
async fn a_slip_about_one_of_several_owners_says_which_one() {
    let api = Api::new().await;
    let body = request_for(json!({
        "journeyType": "createLegalEntityAccount", "accountServiceType": "executionOnly",
        "accountOptions": {"ownerType": "legal_entity", "serviceTypes": ["executionOnly"], "accountTypes": ["depot"],
            "accountCategories": ["retail"]},
    }));
    let visitor = Visitor::of(&api, &body, "en").await;
    visitor.walk("beneficialOwners", &[]).await;
    let slip = visitor.sensible("beneficialOwners", &[("owners[0].share", "101")]).await;
    let refused = visitor.fill("beneficialOwners", slip).await;
    refused.check("a slip");
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("\">Beneficial owner 1, "), "{}", refused.text);
}

/// (rule: journeys/what-is-signed)
#[tokio::test]
async fn what_was_read_and_agreed_to_is_folded_where_it_is_signed_and_open_where_it_was_not_read() {
    let api = Api::new().await;
    let folded =
        "<details class=\"more\"><summary>You sign everything that you have just read</summary><div class=\"part\">";
    for body in every_type(&api).await {
        let visitor = Visitor::of(&api, &body, "en").await;
        let page = visitor.walk("signing", &[]).await;
        let steps = api.get(&format!("/simulations/journey/{}/steps", visitor.journey)).await.ok();
        let agrees = steps.as_array().expect("steps").iter().any(|step| step["step"] == "agreement");
        assert_eq!(page.text.contains(folded), agrees, "{body}: {}", page.text);
    }
}

/// (rule: journeys/sign-withdrawal)
#[tokio::test]
async fn who_signs_a_withdrawal_reads_how_much_it_can_be_and_needs_a_bank_account_for_it() {
    let api = Api::new().await;
    let account = api.account(0).await;
    let most = api.get(&format!("account/{account}/withdrawal/limit")).await.ok()["max"].clone();
    let body = request_for(json!({"journeyType": "signWithdrawal", "account": account}));
    let page = Visitor::of(&api, &body, "sv").await.walk("signing", &[]).await;
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let problem =
        page.text.split("Belopp</dt><dd>").nth(1).and_then(|rest| rest.split("</dd>").next()).expect("an amount");
    let most = format!("{:.2}", most.as_f64().expect("a number"));
    assert_eq!(digits(problem), digits(&most), "{problem}");
    assert!(page.text.contains("value=\"sign\""));
}

/// (rule: journeys/company-steps)
#[tokio::test]
async fn the_pages_of_a_company_call_nothing_required_optional_and_review_the_answers() {
    let api = Api::new().await;
    let body = request_for(json!({
        "journeyType": "createLegalEntityAccount", "accountServiceType": "executionOnly",
        "accountOptions": {"ownerType": "legal_entity", "serviceTypes": ["executionOnly"], "accountTypes": ["depot"],
            "accountCategories": ["retail"]},
    }));
    let visitor = Visitor::of(&api, &body, "en").await;
    let owners = visitor.walk("beneficialOwners", &[("crn", "5599900072")]).await;
    assert!(owners.text.contains(">Full name</label>") && !owners.text.contains("Full name <span class=\"may\">"));
    let review = visitor.walk("agreement", &[("crn", "5599900072")]).await;
    let fact = |name: &str| {
        let rest = review.text.split(&format!("<dt>{name}</dt><dd>")).nth(1);
        rest.and_then(|rest| rest.split("</dd>").next()).unwrap_or_else(|| panic!("no {name}: {}", review.text))
    };
    assert!(fact("Board and signatories").contains("; "), "{}", fact("Board and signatories"));
    assert_eq!((fact("You have confirmed this"), fact("Nobody with more than 25 %")), ("Yes", "No"));
}
