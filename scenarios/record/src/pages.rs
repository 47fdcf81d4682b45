//! What people have done on pages, as a person would describe it: opened, filled in, pressed, identified, signed.
//!
//! Invariant: a step follows from the page that the person had before it, so that what was there already is left out. Absent
//! on purpose: requests that no page leads to, other than opening an address.

use super::ScenarioExporter;
use super::hidden::literal;
use hosting::recording::Exchange;
use language::ast::{Act, Browse, Expect, Expected, Identity, IdentityOutcome, StoryStep};
use page::{ANOTHER, Button, Control, Field, NUMBER, PERSON, Page, Target, resolve, strip_arrow};
use serde_json::{Value as Json, json};
use sim::ids::JourneyId;

/// What the script of a waiting page puts behind the page's address when it looks for news: nobody did that.
const LOOK: &str = "&look";

const MISSING_PAGES: &str = "on pages cannot be written as steps of a customer and are missing";

/// What the person did, and the page that it was done on where the story's browser has to go there first.
struct Done {
    act: Browse,
    on: Option<Page>,
}

impl ScenarioExporter<'_> {
    pub(super) fn browse(&mut self, exchange: &Exchange, journey: JourneyId) {
        let target = &*exchange.target;
        if exchange.method == "GET" && target.ends_with(LOOK) {
            return;
        }
        let window = self.browsers.windows.entry(journey).or_default();
        let is_followed = exchange.method == "GET" && window.onward.take().as_deref() == Some(target);
        if !is_followed && self.done(exchange, journey).is_none() {
            return self.leave_out(exchange, MISSING_PAGES);
        }
        self.arrive(exchange, journey);
    }

    /// Adds the step that the person did; `None` where no step can be written.
    fn done(&mut self, exchange: &Exchange, journey: JourneyId) -> Option<()> {
        let is_answered = exchange.status.is_some_and(|status| status < 400) || read(exchange).is_some();
        let Done { act, on } = self.act(exchange, journey).filter(|_| is_answered)?;
        let is_opened = matches!(act, Browse::Open { .. });
        let step = StoryStep::from(Act::Browse(act));
        if !self.fits(&step) {
            return None;
        }
        if let Some(page) = on {
            let opened = StoryStep::from(Act::Browse(self.opened_again(journey, &page)?));
            self.steps.push(opened);
        }
        self.browsers.front = Some(journey);
        if is_opened {
            self.browsers.windows.entry(journey).or_default().opening = Some(self.steps.len());
        }
        self.steps.push(step);
        Some(())
    }

    /// What the person did.
    fn act(&mut self, exchange: &Exchange, journey: JourneyId) -> Option<Done> {
        let target = &*exchange.target;
        let window = self.browsers.windows.get(&journey)?;
        // The story's one browser goes back to where this person's was; what was typed there is not there any more.
        let is_back = self.browsers.front != Some(journey);
        let again = |page: &Page| is_back.then(|| page.clone());
        if exchange.method == "GET" {
            let pressed =
                window.page.as_ref().and_then(|page| Some(Done { act: followed(page, target)?, on: again(page) }));
            return pressed.or_else(|| Some(Done { act: self.opened(journey, target)?, on: None }));
        }
        let sent = exchange.sent.as_deref().filter(|_| exchange.method == "POST")?;
        let acted = window.page.as_ref().and_then(|page| {
            let is_fresh = is_back && page.status >= 400;
            Some(Done { act: submitted(page, target, sent, is_fresh)?, on: again(page) })
        });
        let is_again = !is_back && window.sent.as_ref().is_some_and(|(path, form)| path == target && form == sent);
        let same = || is_again.then_some(Done { act: Browse::SendAgain, on: None });
        // Another tab still showed what was there before.
        let older = || {
            let pages = window.before.iter().rev().filter(|_| exchange.has_effect());
            pages
                .into_iter()
                .find_map(|page| Some(Done { act: submitted(page, target, sent, true)?, on: Some(page.clone()) }))
        };
        acted.or_else(same).or_else(older)
    }

    /// An address that the person opened; in which language, the page says that comes.
    fn opened(&self, journey: JourneyId, target: &str) -> Option<Browse> {
        Some(Browse::Open { page: self.address(journey, target)?, language: None })
    }

    /// An address that has shown a page before.
    fn opened_again(&self, journey: JourneyId, page: &Page) -> Option<Browse> {
        Some(Browse::Open { page: self.address(journey, &page.path)?, language: language(page) })
    }

    /// An address of a journey's pages, by the journey's name.
    fn address(&self, journey: JourneyId, target: &str) -> Option<String> {
        let name = self.names.named(&journey.to_string())?.strip_suffix(".id")?.to_owned();
        let rest = target.strip_prefix("/journey/")?;
        let rest = rest.find(['/', '?']).map_or("", |at| &rest[at..]);
        let shown = self.names.expected(rest)?;
        Some(if rest.is_empty() { name } else { format!("{{{name}.url}}{shown}") })
    }

    /// The page that came.
    fn arrive(&mut self, exchange: &Exchange, journey: JourneyId) {
        let page = read(exchange);
        let expected = page.as_ref().map(shown);
        let window = self.browsers.windows.entry(journey).or_default();
        if exchange.method == "POST" {
            window.sent = exchange.sent.as_deref().map(|form| (exchange.target.to_string(), form.to_vec()));
        }
        if let (Some(300..400), Some(location)) = (exchange.status, &exchange.location)
            && let Target::Here(path) = resolve(&exchange.target, location)
        {
            window.onward = Some(path);
        }
        if let Some(page) = page {
            let opening = window.opening.take().and_then(|step| self.steps.get_mut(step));
            if let Some(StoryStep { act: Act::Browse(Browse::Open { language: asked, .. }), .. }) = opening {
                *asked = language(&page);
            }
            window.shows(page);
        }
        // While somebody else's page is in front nobody sees this one.
        if self.browsers.front == Some(journey)
            && let Some(expected) = expected
        {
            let without_name = expected.iter().filter(|(word, _)| word != "name").cloned().collect();
            let steps = [expected, without_name].map(|expected| StoryStep::from(Expect::Page(expected)));
            let fitting = steps.into_iter().find(|step| self.fits(step));
            self.steps.extend(fitting);
        }
    }
}

/// What the browser asks for, to be shown this page: English unless another is named.
fn language(page: &Page) -> Option<String> {
    let shown = page.facts()["language"].as_str().map(literal);
    shown.filter(|language| !language.is_empty() && !language.starts_with("en"))
}

/// The page of an answer.
fn read(exchange: &Exchange) -> Option<Page> {
    let html = std::str::from_utf8(exchange.answered.as_deref()?).ok()?;
    Page::read(exchange.status.filter(|status| !(300..400).contains(status))?, &exchange.target, html).ok()
}

/// What is expected of a page.
fn shown(page: &Page) -> Vec<(String, Expected)> {
    let facts = page.facts();
    let is = |word: &str| facts.get(word).cloned().map(|value| (word.to_owned(), Expected::Is(value)));
    let errors = facts["errors"].as_object().filter(|errors| !errors.is_empty()).map(|errors| {
        let texts = errors.iter().map(|(name, text)| (name.clone(), Expected::Is(text.clone())));
        ("errors".to_owned(), Expected::Part(texts.collect()))
    });
    let status = is("status").filter(|_| page.status >= 400);
    is("name").into_iter().chain(status).chain(is("heading")).chain(errors).collect()
}

/// The link of a page that leads there.
fn followed(page: &Page, target: &str) -> Option<Browse> {
    let leads = |link: &str| resolve(&page.path, link) == Target::Here(target.to_owned());
    if page.back.as_deref().is_some_and(leads) {
        return Some(Browse::GoBack);
    }
    let (words, _) = page.links.iter().find(|(_, link)| leads(link))?;
    let words = strip_arrow(words);
    let first = page.links.iter().find(|(known, _)| strip_arrow(known) == words)?;
    let is_button = page.form.iter().flat_map(|form| &form.buttons).any(|button| button.words == words);
    (leads(&first.1) && !is_button).then(|| Browse::Press(literal(words)))
}

/// What a form was filled in with on this page, and how it was sent; all of it where what the page held is not there again.
fn submitted(page: &Page, target: &str, sent: &[u8], is_fresh: bool) -> Option<Browse> {
    let form = page.form.as_ref()?;
    if resolve(&page.path, &form.action) != Target::Here(target.to_owned()) {
        return None;
    }
    let mut pairs: Vec<(String, String)> = form_urlencoded::parse(sent).into_owned().collect();
    for hidden in &form.hidden {
        pairs.remove(pairs.iter().position(|pair| pair == hidden)?);
    }
    let pressed = form.buttons.iter().find(|it| it.sends.as_ref().is_some_and(|sends| pairs.contains(sends)));
    let button = pressed.or_else(|| form.buttons.iter().find(|button| button.sends.is_none()))?;
    if let Some(at) = button.sends.as_ref().and_then(|sends| pairs.iter().position(|pair| pair == sends)) {
        pairs.remove(at);
    }
    let mut changed = Vec::new();
    for field in &page.fields {
        let values: Vec<String> =
            pairs.extract_if(.., |(name, _)| *name == field.name).map(|(_, value)| value).collect();
        if is_fresh || values != field.holds {
            changed.push((field, values));
        }
    }
    // Nobody looks at what the page does not ask for.
    if pairs.iter().any(|(name, _)| name.starts_with('_')) {
        return None;
    }
    if let Some(identity) = identity(page, button, &changed) {
        return Some(Browse::Identity(identity));
    }
    let plain: Vec<&Button> = form.buttons.iter().filter(|button| button.sends.is_none()).collect();
    let continues = match (plain.as_slice(), form.buttons.as_slice()) {
        ([only], _) => *only == button,
        (_, [only]) => only == button,
        _ => false,
    };
    match (continues, changed.is_empty()) {
        (true, _) => Some(Browse::FillIn(changed.iter().map(|(field, values)| put(field, values)).collect())),
        (false, true) if button.goes_back() && page.back.is_none() => Some(Browse::GoBack),
        (false, true) => Some(Browse::Press(literal(&button.words))),
        (false, false) => None,
    }
}

/// The use of an identity, where the page asks for one.
fn identity(page: &Page, button: &Button, changed: &[(&Field, Vec<String>)]) -> Option<Identity> {
    let signs = page.signs()?;
    let outcome = match button.sends.as_ref()?.1.as_str() {
        "sign" => IdentityOutcome::Done,
        "abort" => IdentityOutcome::Abort,
        "fail" => IdentityOutcome::Fail,
        "refuse" => IdentityOutcome::Refuse,
        _ => return None,
    };
    let mut identity = Identity { signs, person: None, outcome, device: None, fields: Vec::new() };
    let first = |wanted: &str| {
        let found = changed.iter().find(|(field, _)| field.name == wanted)?;
        found.1.first().cloned()
    };
    identity.person = match first(PERSON) {
        Some(person) if person == ANOTHER => first(NUMBER).map(|number| json!(literal(&number))),
        Some(person) => Some(json!(literal(&person))),
        None => None,
    };
    identity.device = first("_device");
    let others = changed.iter().filter(|(field, _)| ![PERSON, NUMBER, "_device"].contains(&field.name.as_str()));
    identity.fields = others.map(|(field, values)| put(field, values)).collect();
    Some(identity)
}

/// A field as a person would put something into it.
fn put(field: &Field, values: &[String]) -> (String, Json) {
    let texts = || values.iter().map(|text| json!(literal(text)));
    let value = match field.control {
        Control::Tick => json!(!values.is_empty()),
        Control::Many if values.len() > 1 => texts().collect(),
        _ => texts().next().filter(|text| text != "").unwrap_or_default(),
    };
    (literal(&field.name), value)
}
