//! Where a journey ends: complete, canceled, failed, too late; and the pages on the way out.
//!
//! Invariant: an ending changes nothing, however often it is read. Absent on purpose: what was decided.

use axum::http::StatusCode;
use axum::response::Response;
use sim::machines::journey::State;
use sim::records::Journey;

use super::frame::{self, Frame};
use super::links::{self, ExternalLink};
use super::marks::Sign;
use super::page_model::PageModel;
use super::templates::{self, Destination, EndPage};
use super::visit::{self, Visit};
use super::words::{self, Phrase};
use super::{answer, present};
use drawing::pdf::in_fours;

/// The end of a journey. With `onward` a complete one leads the browser on to the partner's address at once.
#[must_use]
pub fn end(visit: &Visit, model: &PageModel, onward: bool) -> Response {
    let address = visit::completion(model).filter(|_| model.journey.state == State::Complete);
    let leads = address.as_ref().filter(|_| onward);
    let (status, sign, head, lead) = match *model.journey.state {
        State::New | State::Pending => return answer::see(&format!("../{}", visit.link(&visit.token))),
        State::Complete if leads.is_some() => (StatusCode::OK, Sign::Good, words::GOING_TITLE, words::GOING_LEAD),
        State::Complete => (StatusCode::OK, Sign::Good, words::COMPLETE_TITLE, words::COMPLETE_LEAD),
        State::Canceled => (StatusCode::OK, Sign::Out, words::CANCELED_TITLE, words::CANCELED_LEAD),
        State::Error => (StatusCode::OK, Sign::Bad, words::ERROR_TITLE, words::ERROR_LEAD),
        State::Expired => (StatusCode::GONE, Sign::Late, words::EXPIRED_TITLE, words::EXPIRED_LEAD),
    };
    let ways = address.iter().map(|address| (Destination::Partner(address.clone()), back_to(visit, model))).collect();
    let page = EndPage {
        sign,
        head: phrase_text(visit, head),
        lead: lead_text(visit, model, lead),
        facts: facts(visit, model),
        ways,
    };
    let name = if onward { "done" } else { "end" };
    closing(visit, model, &Closing { page: &page, name, onward: leads, status })
}

fn phrase_text(visit: &Visit, phrase: Phrase) -> String {
    phrase.say(visit.lang).to_owned()
}

fn lead_text(visit: &Visit, model: &PageModel, phrase: Phrase) -> String {
    // A lever may have ended its time before its time.
    let ended = model.journey.expiry.min(model.journey.stamp.modified);
    let day = visit.lang.day(ended.local_date());
    phrase.fill(visit.lang, &[("client", &model.client.display_name), ("day", &day)])
}

fn back_to(visit: &Visit, model: &PageModel) -> String {
    words::GO_BACK_TO.fill(visit.lang, &[("client", &model.client.display_name)])
}

/// What came out of it, or why nothing did.
fn facts(visit: &Visit, model: &PageModel) -> Vec<(String, String)> {
    let journey: &Journey = &model.journey;
    let mut facts = Vec::new();
    let mut add = |phrase: Phrase, text: String| facts.push((phrase_text(visit, phrase), text));
    if let Some(code) = journey.error_code {
        let meaning = visit.noun(&format!("code.{}", code.name()));
        add(words::CODE, format!("{meaning} ({})", code.name()));
    }
    if let Some(step) = journey.context.filter(|_| journey.error_code.is_some()) {
        add(words::LEFT_AT, visit.noun(&format!("step.{}", step.name())));
    }
    if let Some(result) = &journey.result {
        if let Some(account) = &result.account {
            add(words::ACCOUNT, visit.noun(&format!("accountType.{}", present::account_type(account.account_type))));
        }
        for account in result.bank_accounts.iter().flatten() {
            add(words::BANK_ACCOUNT, in_fours(account.iban.as_str()));
        }
    }
    facts
}

/// The identity app on this device has opened the partner's return address.
#[must_use]
pub fn returned(visit: &Visit, model: &PageModel) -> Response {
    let here = if model.is_over() {
        let onward = model.journey.state == State::Complete && visit::completion(model).is_some();
        visit.link(if onward { "done" } else { "end" })
    } else {
        model.current().map_or_else(|| visit.link("end"), |step| visit.link(step.name()))
    };
    let Some(address) = visit::app_return(model) else { return answer::see(&here) };
    let page = EndPage {
        sign: Sign::Good,
        head: phrase_text(visit, words::RETURN_TITLE),
        lead: lead_text(visit, model, words::RETURN_LEAD),
        facts: vec![(phrase_text(visit, words::ADDRESS), address.as_str().to_owned())],
        ways: vec![
            (Destination::Own(here), phrase_text(visit, words::RETURN_HERE)),
            (Destination::Partner(address.clone()), phrase_text(visit, words::RETURN_OPEN)),
        ],
    };
    closing(visit, model, &Closing { page: &page, name: "returned", onward: Some(&address), status: StatusCode::OK })
}

/// A closing page beside the way of the journey.
#[must_use]
pub fn apart(visit: &Visit, model: &PageModel, name: &str, page: &EndPage, status: StatusCode) -> Response {
    closing(visit, model, &Closing { page, name, onward: None, status })
}

struct Closing<'a> {
    page: &'a EndPage,
    name: &'a str,
    onward: Option<&'a ExternalLink>,
    status: StatusCode,
}

fn closing(visit: &Visit, model: &PageModel, closing: &Closing<'_>) -> Response {
    let lang = visit.lang;
    let day = lang.day(model.now.local_date());
    // The other language must not start the way out again.
    let other = links::page(if closing.name == "done" { "end" } else { closing.name }, lang.other());
    let frame = Frame {
        lang,
        title: &closing.page.head,
        client: Some(&model.client.display_name),
        day: Some(&day),
        way: None,
        other: closing.onward.is_none().then_some(other.as_str()),
        onward: closing.onward,
        waits: false,
    };
    answer::page(closing.status, lang, frame::page(&frame, &templates::end(closing.page)))
}

/// A form without its own token, or from somewhere else.
#[must_use]
pub fn stale(visit: &Visit) -> Response {
    problem(visit, StatusCode::FORBIDDEN, words::STALE_TITLE, words::STALE_LEAD)
}

/// What a form shows to be signed is no longer what would be signed.
#[must_use]
pub fn changed(visit: &Visit) -> Response {
    problem(visit, StatusCode::CONFLICT, words::CHANGED_TITLE, words::CHANGED_LEAD)
}

/// A form that could not be read.
#[must_use]
pub fn too_much(visit: &Visit) -> Response {
    problem(visit, StatusCode::PAYLOAD_TOO_LARGE, words::TOO_MUCH_TITLE, words::TOO_MUCH_LEAD)
}

fn problem(visit: &Visit, status: StatusCode, head: Phrase, lead: Phrase) -> Response {
    let again = Destination::Own(format!("../{}", visit.link(&visit.token)));
    let ways = vec![(again, phrase_text(visit, words::OPEN_AGAIN))];
    answer::bare(
        visit.lang,
        status,
        &EndPage {
            sign: Sign::Bad,
            head: phrase_text(visit, head),
            lead: phrase_text(visit, lead),
            facts: Vec::new(),
            ways,
        },
    )
}
