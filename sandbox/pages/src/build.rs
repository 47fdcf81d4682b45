//! From a model to a page: steps, the question before leaving, the papers.
//!
//! Absent on purpose: the simulated identity and the endings, which have files of their own.

use axum::http::{StatusCode, Uri};
use axum::response::Response;
use maud::Markup;
use sim::Refusal;
use sim::query::{StepState, StepView};
use sim::records::{AccountType, JourneyStep, JourneyType};
use sim::refusal::{Fault, Problem};

use super::controls::Field;
use super::frame::{self, Frame, StepList};
use super::funds::Sheet;
use super::intake::Sent;
use super::lang::Lang;
use super::page_model::PageModel;
use super::parts::{self, Search, StepPart, Turn};
use super::templates::{self, Form, Paper, SearchBox, Section, StepPage};
use super::visit::Visit;
use super::words::faults::fault;
use super::words::noun;
use super::{answer, funds, links, present, signed, words};
use drawing::pdf::{self, AgreementFacts, AgreementType, Party};

/// The page of a step that was reached.
#[must_use]
pub fn step(visit: &Visit, model: &PageModel, view: &StepView) -> Response {
    fields(visit, model, view, &parts::excerpt(view, 1, None), None, Vec::new())
}

/// Another part of a step, or other funds of it, with what was typed so far. A part is only left when it is right.
#[must_use]
pub fn part(visit: &Visit, model: &PageModel, filled: &StepView, turn: Turn, sent: &Sent) -> Response {
    let mut view = filled.clone();
    let (part, wrong) = match turn {
        Turn::Next(part) => (part, parts::first_wrong(filled, part)),
        Turn::Look(part) => (part, None),
        Turn::Answer => (1, None),
    };
    if wrong.is_none() {
        view.fields.iter_mut().for_each(|field| field.error = None);
    }
    fields(visit, model, &view, &parts::excerpt(&view, wrong.unwrap_or(part), Some(sent)), Some(sent), Vec::new())
}

/// The page of a step whose answers were refused: problems first, and each beside its field.
#[must_use]
pub fn refused(visit: &Visit, model: &PageModel, view: &StepView, refusal: &Refusal, sent: &Sent) -> Response {
    let mut view = view.clone();
    let mut loose = Vec::new();
    for problem in &refusal.problems {
        match view.fields.iter_mut().find(|field| *field.name == *problem.field) {
            Some(field) => {
                field.error.get_or_insert_with(|| problem.fault.clone());
            }
            None => loose.push((None, loosely(visit, problem))),
        }
    }
    let part = parts::first_wrong(&view, usize::MAX).unwrap_or(usize::MAX);
    fields(visit, model, &view, &parts::excerpt(&view, part, Some(sent)), Some(sent), loose)
}

/// A problem of a step as a whole.
fn loosely(visit: &Visit, problem: &Problem) -> String {
    let own = noun(&format!("problem.{}", problem.field)).filter(|_| problem.fault == Fault::Missing);
    own.map_or_else(|| fault(visit.lang, &problem.fault, None), |phrase| phrase.say(visit.lang).to_owned())
}

fn fields(
    visit: &Visit,
    model: &PageModel,
    view: &StepView,
    excerpt: &StepPart,
    sent: Option<&Sent>,
    loose: Vec<(Option<String>, String)>,
) -> Response {
    let lang = visit.lang;
    let mut sections = present::sections(lang, &excerpt.view, sent, excerpt.fresh);
    funds::note(visit, model, &mut sections);
    let of_fields =
        sections.iter().flat_map(|section| section.fields.iter().filter_map(|field| problem(section, field)));
    let problems: Vec<_> = of_fields.chain(loose).collect();
    let status = if problems.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let mut form = form(visit, model, view.step, problems);
    if excerpt.part.0 > 1 {
        form.back = None;
    }
    let last = view.step == JourneyStep::Agreement;
    let page = StepPage {
        head: head(visit, model, view.step),
        lead: visit.noun(&format!("lead.{}", view.step.name())),
        review: if last { signed::parts(visit, model) } else { Vec::new() },
        papers: if last { papers(visit, model) } else { Vec::new() },
        sections,
        form,
        carried: carried(excerpt),
        part: excerpt.part,
        search: excerpt.search.as_ref().map(|search| search_box(lang, search)),
    };
    let title = if page.form.problems.is_empty() {
        page.head.clone()
    } else {
        words::PROBLEM_TITLE.fill(lang, &[("title", &page.head)])
    };
    let here = Here { title: &title, page: view.step.name(), step: Some(view.step), status, waits: false };
    framed(visit, model, &here, &templates::step(lang, &page))
}

/// What goes along with a form unseen.
fn carried(excerpt: &StepPart) -> Vec<(String, String)> {
    let mut carried = excerpt.carried.clone();
    let mut add = |name: &str, value: String| carried.push((name.to_owned(), value));
    if excerpt.part.1 > 1 {
        add(parts::PART, excerpt.part.0.to_string());
        add(parts::SEEN, excerpt.seen.to_string());
    }
    if let Some(search) = &excerpt.search {
        add(parts::FOUND, search.words.clone());
    }
    carried
}

fn search_box(lang: Lang, search: &Search) -> SearchBox {
    let Search { words: looked_for, shown, fit } = search;
    let phrase = if *fit == 0 { &words::NO_FUND } else { &words::FUNDS_SHOWN };
    let numbers = [("shown", shown.to_string()), ("fit", fit.to_string())];
    let numbers = numbers.each_ref().map(|(name, text)| (*name, text.as_str()));
    SearchBox { words: looked_for.clone(), summary: phrase.fill(lang, &numbers) }
}

/// What is wrong with a field, and the way to it. One question of several about the same thing says which thing.
fn problem(section: &Section, field: &Field) -> Option<(Option<String>, String)> {
    let (id, problem_text) = field.problem()?;
    let about = section.legend.as_ref().filter(|_| !section.rows);
    Some((id, about.map_or_else(|| problem_text.clone(), |about| format!("{about}, {problem_text}"))))
}

/// The heading of a step; some journeys have their own.
pub(super) fn head(visit: &Visit, model: &PageModel, step: JourneyStep) -> String {
    let own = format!("head.{}.{}", step.name(), model.journey.journey_type().name());
    let of_company = noun(&format!("head.{}.company", step.name())).filter(|_| signed::is_of_a_company(model));
    let phrase = of_company.or_else(|| noun(&own)).or_else(|| noun(&format!("head.{}", step.name())));
    phrase.map_or_else(String::new, |phrase| phrase.say(visit.lang).to_owned())
}

/// The form of a step.
pub(super) fn form(
    visit: &Visit,
    model: &PageModel,
    step: JourneyStep,
    problems: Vec<(Option<String>, String)>,
) -> Form {
    // Going back to the identity would do nothing: the customer is known by then.
    let back = model.before(step).and_then(|before| match before {
        JourneyStep::Authentication => model.before(before),
        other => Some(other),
    });
    Form {
        action: visit.link(step.name()),
        token: visit.app.worlds.form_token(&visit.token, step.name()).reveal().to_owned(),
        shown: signed::is_signed(step).then(|| signed::name(visit, model)),
        back: back.map(|step| visit.link(step.name())),
        leave: format!("{}&from={}", visit.link("leave"), step.name()),
        problems,
    }
}

/// Where the person is.
pub(super) struct Here<'a> {
    /// Title of the tab.
    pub title: &'a str,
    /// Name of the page in addresses.
    pub page: &'a str,
    /// The step, on pages that are one.
    pub step: Option<JourneyStep>,
    /// Status of the answer.
    pub status: StatusCode,
    /// Whether the page waits for something that happens elsewhere.
    pub waits: bool,
}

/// A page of a journey inside its frame.
pub(super) fn framed(visit: &Visit, model: &PageModel, here: &Here<'_>, body: &Markup) -> Response {
    let lang = visit.lang;
    let day = lang.day(model.now.local_date());
    let way = here.step.map(|step| way(visit, model, step));
    let other = links::page(here.page, lang.other());
    let frame = Frame {
        lang,
        title: here.title,
        client: Some(&model.client.display_name),
        day: Some(&day),
        way: way.as_ref(),
        other: Some(&other),
        onward: None,
        waits: here.waits,
    };
    answer::page(here.status, lang, frame::page(&frame, body))
}

fn way(visit: &Visit, model: &PageModel, now: JourneyStep) -> StepList {
    let stops = model.steps.iter().map(|view| {
        let seen = view.state != StepState::Ahead && view.step != JourneyStep::Authentication;
        frame::StepLink {
            name: signed::step_name(visit, model, view.step),
            link: seen.then(|| visit.link(view.step.name())),
            now: view.step == now,
        }
    });
    let journey = visit.noun(&format!("journey.{}", model.journey.journey_type().name()));
    StepList { journey, stops: stops.collect() }
}

/// The question before leaving.
#[must_use]
pub fn leave(visit: &Visit, model: &PageModel, uri: &Uri) -> Response {
    let query = uri.query().unwrap_or_default();
    let from = form_urlencoded::parse(query.as_bytes()).take(16).find(|(name, _)| name == "from");
    let from = from.and_then(|(_, name)| JourneyStep::named(&name)).filter(|step| model.reached(*step).is_some());
    let step = from.or_else(|| model.current()).unwrap_or(JourneyStep::Welcome);
    let form = Form {
        action: visit.link("leave"),
        token: visit.app.worlds.form_token(&visit.token, "leave").reveal().to_owned(),
        shown: None,
        back: Some(visit.link(step.name())),
        leave: String::new(),
        problems: Vec::new(),
    };
    let body = templates::leave(visit.lang, &form, step.name(), &model.client.display_name);
    let page = format!("leave?from={}", step.name());
    let title = words::LEAVE_TITLE.say(visit.lang);
    let here = Here { title, page: &page, step: None, status: StatusCode::OK, waits: false };
    framed(visit, model, &here, &body)
}

/// The facts of a fund, beside the form; none when the client has no such fund.
#[must_use]
pub fn fund(visit: &Visit, model: &PageModel, uri: &Uri) -> Option<Response> {
    let Sheet { fund, name, facts } = funds::sheet(visit, model, uri)?;
    let page = format!("{}?id={fund}", funds::PAGE);
    let here = Here { title: &name, page: &page, step: None, status: StatusCode::OK, waits: false };
    Some(framed(visit, model, &here, &templates::fund(visit.lang, &name, &facts)))
}

/// The documents of a journey.
pub(super) fn papers(visit: &Visit, model: &PageModel) -> Vec<Paper> {
    kinds(model)
        .into_iter()
        .map(|(name, _)| Paper { name: visit.noun(&format!("paper.{name}")), link: visit.link(&format!("{name}.pdf")) })
        .collect()
}

fn kinds(model: &PageModel) -> Vec<(&'static str, AgreementType)> {
    let mandate = chosen(model, JourneyStep::BankAccount, "mandate").is_some_and(|answer| answer == "yes");
    let opens = model.journey.journey_type().opens_account();
    let opens = opens || model.journey.journey_type() == JourneyType::SignSubmission;
    let insured = chosen(model, JourneyStep::AccountDetails, "accountType").is_some_and(|answer| answer == "insurance");
    let all = [
        ("account", AgreementType::Account, opens),
        ("power-of-attorney", AgreementType::PowerOfAttorney, opens),
        ("insurance", AgreementType::Insurance, insured),
        ("autogiro", AgreementType::Autogiro, mandate),
    ];
    all.into_iter().filter(|(_, _, shown)| *shown).map(|(name, kind, _)| (name, kind)).collect()
}

/// The first answer of a field, by its key.
fn chosen<'a>(model: &'a PageModel, step: JourneyStep, key: &str) -> Option<&'a str> {
    let view = model.steps.iter().chain(&model.submitted).find(|view| view.step == step)?;
    view.fields.iter().find(|field| field.key == key)?.values.first().map(AsRef::as_ref)
}

/// Who the agreement is with: the account's owner, the company that opens one, or who has identified.
fn party(visit: &Visit, model: &PageModel) -> Party {
    if let Some(account) = &model.account {
        return Party::of(&account.owner);
    }
    let company = |name: String, number: String| Party { name, number, is_organisation: true };
    if let Some(submission) = &model.submission {
        return company(submission.entity.name.to_string(), submission.entity.crn.to_string());
    }
    if let Some(crn) = chosen(model, JourneyStep::AccountDetails, "crn") {
        let name = chosen(model, JourneyStep::AccountDetails, "companyName").unwrap_or_default();
        return company(name.to_owned(), crn.to_owned());
    }
    let (name, number) = model.signer().map_or_else(
        || (words::YOU.say(visit.lang).to_owned(), String::new()),
        |person| (person.name.to_string(), person.number.to_string()),
    );
    Party { name, number, is_organisation: false }
}

/// A document as a draft; none when the page is no document of this journey.
#[must_use]
pub fn paper(visit: &Visit, model: &PageModel, page: &str) -> Option<Response> {
    let name = page.strip_suffix(".pdf")?;
    // A person who has not come as far as to sign is not known yet.
    [JourneyStep::Agreement, JourneyStep::Signing].into_iter().find(|step| model.reached(*step).is_some())?;
    let (_, kind) = kinds(model).into_iter().find(|(known, _)| *known == name)?;
    let known = model.account.as_ref().map_or(AccountType::Isk, |account| account.account_type);
    let account_type =
        chosen(model, JourneyStep::AccountDetails, "accountType").unwrap_or(present::account_type(known));
    let known = model.account.as_ref();
    let own = |key| chosen(model, JourneyStep::AccountDetails, key).unwrap_or_default().to_owned();
    let facts = AgreementFacts {
        language: visit.lang.on_paper(),
        kind,
        account_ref: known.map_or_else(|| words::DRAFT.say(visit.lang).to_owned(), |known| known.reference.to_string()),
        account_name: known.map_or_else(|| own("accountName"), |known| known.name.to_string()),
        account_type: visit.noun(&format!("accountType.{account_type}")),
        client: model.client.name.to_string(),
        owner: party(visit, model),
        bank_accounts: model.bank_account.iter().map(ToString::to_string).collect(),
        company: model
            .company
            .as_ref()
            .map_or_else(Vec::new, |company| pdf::of_company(kind, company, visit.lang.on_paper())),
        signatures: Vec::new(),
    };
    Some(answer::pdf(pdf::render(&facts)))
}
