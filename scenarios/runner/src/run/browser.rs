//! The customer's browser: one page at a time, over real HTTP against the hosted pages.
//!
//! Owns: doing with the page that is open what a person can: nothing that is not on it. Forms carry their hidden fields,
//! redirects are followed, and what was filled in and not touched is sent with the rest, as in any browser. Invariant: a page
//! that refuses ends the story, unless the next step says what is expected of it. Absent on purpose: scripts, style, cookies
//! (the pages use none), and a second window.

use super::outcome::{StepResult, Trouble};
use super::session::Session;
use crate::drivers::{From, Request};
use crate::transcript::Shown;
use bytes::Bytes;
use hyper::header::{ACCEPT, ACCEPT_LANGUAGE, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION};
use hyper::{HeaderMap, Method};
use language::ast::{Act, Browse, Expect, Identity, IdentityOutcome, StoryStep};
use language::template::{Names as _, fill, fill_json, fill_text};
use language::words;
use page::{Button, Field, Page, Target, choose_person, find_field, put, resolve, strip_arrow, text_of};
use serde_json::{Map, Value as Json, json};

/// Redirects followed in a row, as browsers do.
const MOST_HOPS: usize = 20;
/// What a browser asks for unless the story says otherwise.
const LANGUAGE: &str = "en";

impl Session {
    /// Does what a person does.
    pub(super) async fn browse(&mut self, browse: &Browse) -> StepResult {
        match browse {
            Browse::Open { page, language } => {
                self.browser.language.clone_from(language);
                let path = self.address(page)?;
                self.transcript.asked(&self.now, "customer", "GET", &path, "");
                self.visit(path, None).await
            }
            Browse::FillIn(values) => self.fill_in(values).await,
            Browse::Identity(identity) => self.use_identity(identity).await,
            Browse::Press(words) => {
                let words = fill_text(words, &self.names)?;
                self.press(&words).await
            }
            Browse::SendAgain => {
                let sent = self.browser.sent.clone();
                let (path, shown, form) =
                    sent.ok_or_else(|| Trouble::new("no form was sent that could be sent again"))?;
                self.transcript.asked(&self.now, "customer", "POST", &path, &shown);
                self.visit(path, Some(form)).await
            }
            Browse::GoBack => {
                let page = self.page()?;
                let button = page.form.iter().flat_map(|form| &form.buttons).find(|button| button.goes_back()).cloned();
                match (page.back.clone(), button) {
                    (Some(back), _) => self.follow(&back).await,
                    (None, Some(button)) => {
                        let fields = page.fields.clone();
                        self.send_form(&fields, &button).await
                    }
                    (None, None) => Err(Trouble::new(format!("the page {} has no way back", page.brief()))),
                }
            }
            Browse::Leave => self.leave().await,
        }
    }

    /// A page that refuses must be expected by the next step.
    pub(super) fn go_on_from_here(&self, next: Option<&StoryStep>) -> StepResult {
        let Some(page) = self.browser.page.as_ref().filter(|page| page.status >= 400) else { return Ok(()) };
        if next.is_some_and(|next| matches!(next.act, Act::Expect(Expect::Page(_)))) {
            return Ok(());
        }
        Err(Trouble::new(format!("the page answers {}: {}", page.status, page.brief())))
    }

    pub(super) fn page(&self) -> StepResult<&Page> {
        self.browser.page.as_ref().ok_or_else(|| Trouble::new("no page is open; begin with `open page: JOURNEY`"))
    }

    /// The path of a journey, or of an address of the sandbox.
    fn address(&self, page: &str) -> StepResult<String> {
        let named = if page.contains('{') { Some(fill(page, &self.names)?) } else { self.names.get(page).cloned() };
        let text = match named {
            Some(Json::Object(entries)) => match entries.get("url").and_then(Json::as_str) {
                Some(url) => url.to_owned(),
                None => return Err(Trouble::new(format!("`{page}` has no `url` that could be opened"))),
            },
            Some(Json::String(text)) => text,
            Some(other) => return Err(Trouble::new(format!("{other} is not an address"))),
            None => page.to_owned(),
        };
        // Wherever the sandbox says that it is, it is where the driver reaches it.
        match text.find("/journey/") {
            Some(at) if text.contains("://") => Ok(text[at..].to_owned()),
            _ if text.starts_with('/') => Ok(text),
            _ => Err(Trouble::new(format!("`{text}` is not an address of the sandbox"))),
        }
    }

    /// Goes to a path, or sends a form there, and on as the answers lead.
    async fn visit(&mut self, path: String, form: Option<String>) -> StepResult {
        let (mut path, mut form) = (path, form);
        for _ in 0..MOST_HOPS {
            if let Some(seal) = seal(&path) {
                self.transcript.mask(seal, "{seal}");
            }
            let (status, headers, body) = self.fetch(&path, form.take()).await?;
            let header = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
            if (300..400).contains(&status) {
                match resolve(&path, header(LOCATION)) {
                    Target::Here(next) => path = next,
                    Target::Elsewhere(address) => {
                        return Err(Trouble::new(format!("the answer redirects to {address}")));
                    }
                }
                continue;
            }
            if !header(CONTENT_TYPE).starts_with("text/html") {
                let kind = header(CONTENT_TYPE).to_owned();
                // A document opens beside the page.
                self.transcript.answered(&self.now, status, Shown::Words(&kind), &kind);
                return if status < 400 {
                    Ok(())
                } else {
                    Err(Trouble::new(format!("{path} answers {status} {kind}")))
                };
            }
            let html = String::from_utf8_lossy(&body);
            let page = Page::read(status, &path, &html);
            let page = page.map_err(|fault| Trouble::new(format!("the page at {path} cannot be read: {fault}")))?;
            let brief = page.brief();
            self.transcript.answered(&self.now, status, Shown::Words(&brief), &page.facts().to_string());
            self.browser.page = Some(page);
            return Ok(());
        }
        Err(Trouble::new(format!("more than {MOST_HOPS} redirects in a row, last to {path}")))
    }

    async fn fetch(&mut self, path: &str, form: Option<String>) -> StepResult<(u16, HeaderMap, Bytes)> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("text/html"));
        let language = self.browser.language.as_deref().unwrap_or(LANGUAGE);
        let language = HeaderValue::from_str(language);
        headers.insert(ACCEPT_LANGUAGE, language.map_err(|_| Trouble::new("that language cannot be asked for"))?);
        let method = if form.is_some() { Method::POST } else { Method::GET };
        if form.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
            headers.insert(HeaderName::from_static("sec-fetch-site"), HeaderValue::from_static("same-origin"));
        }
        let body = form.map_or_else(Bytes::new, Bytes::from);
        let request = Request { from: From::Elsewhere, method, path: path.to_owned(), headers, body };
        match self.driver.call(request).await {
            Ok(answer) => Ok((answer.status, answer.headers, answer.body)),
            Err(_) => {
                self.transcript.unanswered(&self.now);
                Err(Trouble::new(format!("no answer came to the customer's browser at {path}")))
            }
        }
    }

    /// Follows a link of the page.
    async fn follow(&mut self, link: &str) -> StepResult {
        match resolve(&self.page()?.path.clone(), link) {
            Target::Here(path) => {
                self.transcript.asked(&self.now, "customer", "GET", &path, "");
                self.visit(path, None).await
            }
            Target::Elsewhere(address) => {
                self.transcript.asked(&self.now, "customer", "GET", &address, "");
                self.browser.page = Some(Page::elsewhere(&address));
                Ok(())
            }
        }
    }

    async fn leave(&mut self) -> StepResult {
        let page = self.page()?;
        let link = page.links.iter().map(|(_, link)| link).find(|link| link.starts_with("leave")).cloned();
        let link = link.ok_or_else(|| Trouble::new(format!("there is no way to leave the page {}", page.brief())))?;
        self.follow(&link).await?;
        let fields = self.page()?.fields.clone();
        let button = self.only_button()?;
        self.send_form(&fields, &button).await
    }

    async fn press(&mut self, words: &str) -> StepResult {
        let page = self.page()?;
        let button = page.form.iter().flat_map(|form| &form.buttons).find(|button| button.words == words).cloned();
        if let Some(button) = button {
            let fields = page.fields.clone();
            return self.send_form(&fields, &button).await;
        }
        let links: Vec<_> = page.links.iter().filter(|(known, _)| strip_arrow(known) == words).collect();
        if let [(_, link), ..] = links.as_slice() {
            let link = link.clone();
            return self.follow(&link).await;
        }
        let known: Vec<_> = page.ways().into_iter().map(strip_arrow).collect();
        let hint = words::nearest(words, known.iter().copied());
        let hint =
            hint.map_or_else(|| format!("there are: {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
        Err(Trouble::new(format!("the page {} does not show `{words}`; {hint}", page.name())))
    }

    /// The button that leads on: the only one, or the only one that sends nothing of its own.
    fn only_button(&self) -> StepResult<Button> {
        let page = self.page()?;
        let plain = |buttons: &[Button]| match buttons.iter().filter(|it| it.sends.is_none()).collect::<Vec<_>>()[..] {
            [only] => Some(only.clone()),
            _ => None,
        };
        if let Some(button) = page.form.as_ref().and_then(|form| plain(&form.buttons)) {
            return Ok(button);
        }
        match page.form.as_ref().map(|form| form.buttons.as_slice()) {
            Some([only]) => Ok(only.clone()),
            Some(several) => Err(Trouble::new(format!(
                "the page {} offers more than one way on ({}): use `identify`, `sign` or `press`",
                page.name(),
                several.iter().map(|button| button.words.as_str()).collect::<Vec<_>>().join(", ")
            ))),
            None => Err(Trouble::new(format!("the page {} has no fields", page.brief()))),
        }
    }

    async fn fill_in(&mut self, values: &[(String, Json)]) -> StepResult {
        let button = self.only_button()?;
        let mut fields = self.page()?.fields.clone();
        for (name, value) in values {
            let (name, value) = (fill_text(name, &self.names)?, fill_json(value, &self.names)?);
            self.put(&mut fields, &name, &value)?;
        }
        self.send_form(&fields, &button).await
    }

    /// Puts a value into a field of the page that is open.
    fn put(&self, fields: &mut [Field], name: &str, value: &Json) -> StepResult {
        find_field(self.page()?, fields, name).and_then(|field| put(field, value)).map_err(Trouble::new)
    }

    async fn use_identity(&mut self, identity: &Identity) -> StepResult {
        let page = self.page()?;
        let act = if identity.signs { "sign" } else { "identify" };
        if page.signs() != Some(identity.signs) {
            return Err(Trouble::new(format!("it is not possible to {act} here: the page is {}", page.brief())));
        }
        let outcome = match identity.outcome {
            IdentityOutcome::Done => "sign",
            IdentityOutcome::Abort => "abort",
            IdentityOutcome::Fail => "fail",
            IdentityOutcome::Refuse => "refuse",
        };
        let buttons = page.form.iter().flat_map(|form| &form.buttons);
        let button = buttons.into_iter().find(|it| it.sends.as_ref().is_some_and(|(_, value)| value == outcome));
        let button = button.cloned().ok_or_else(|| Trouble::new(format!("the page offers no way to {outcome}")))?;
        let mut fields = page.fields.clone();
        if let Some(person) = &identity.person {
            let person = fill_json(person, &self.names)?;
            choose_person(&mut fields, &text_of(&person)).map_err(Trouble::new)?;
        }
        if let Some(device) = &identity.device {
            let field = fields.iter_mut().find(|field| field.name == "_device");
            let field = field.ok_or_else(|| Trouble::new("the page does not ask where the identity app is"))?;
            put(field, &json!(device)).map_err(Trouble::new)?;
        }
        for (name, value) in &identity.fields {
            let value = fill_json(value, &self.names)?;
            self.put(&mut fields, name, &value)?;
        }
        self.send_form(&fields, &button).await
    }

    async fn send_form(&mut self, fields: &[Field], button: &Button) -> StepResult {
        let page = self.page()?;
        let form = page.form.as_ref().ok_or_else(|| Trouble::new("the page has no form"))?;
        let Target::Here(path) = resolve(&page.path, &form.action) else {
            return Err(Trouble::new(format!("the form would be sent away, to {}", form.action)));
        };
        let mut encoded = form_urlencoded::Serializer::new(String::new());
        for (name, value) in &form.hidden {
            encoded.append_pair(name, value);
        }
        let mut shown = Map::new();
        for field in fields {
            for value in &field.holds {
                encoded.append_pair(&field.name, value);
            }
            if let Some(held) = field.held() {
                shown.insert(field.name.clone(), held);
            }
        }
        if let Some((name, value)) = &button.sends {
            encoded.append_pair(name, value);
            shown.insert(name.clone(), json!(value));
        }
        let (encoded, shown) = (encoded.finish(), Json::Object(shown).to_string());
        self.transcript.asked(&self.now, "customer", "POST", &path, &shown);
        self.browser.sent = Some((path.clone(), shown, encoded.clone()));
        self.visit(path, Some(encoded)).await
    }
}
/// What a server seals an order of the identity with, in an address: another server's is another one.
fn seal(path: &str) -> Option<&str> {
    let (_, order) = path.split_once("order=")?;
    order.split('&').next()?.rsplit_once('.').map(|(_, seal)| seal)
}
