//! One request of a person with a link.
//!
//! Invariant: a visit exists only for a token that opens something. Absent on purpose: what pages look like.

use std::sync::Arc;

use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use sim::ids::{JourneyId, PartnerId};
use sim::machines::journey::State;
use sim::query::{self, StepView};
use sim::records::{Answers, JourneyStep};
use sim::{Class, Command, Refusal};

use super::lang::Lang;
use super::links::ExternalLink;
use super::marks::Sign;
use super::page_model::PageModel;
use super::templates::EndPage;
use super::{answer, links, words};
use hosting::worlds::WorldHandle;
use surface::App;
use surface::service::ServedBy;
use wire::error::ApiError;

/// Somebody who holds a link.
pub struct Visit {
    /// The state of all handlers.
    pub app: App,
    /// The link's token.
    pub token: String,
    /// Where the journey is.
    pub world: Arc<WorldHandle>,
    /// Which one.
    pub journey: JourneyId,
    /// Whose it is, where that is known.
    pub partner: Option<PartnerId>,
    /// Language of the pages.
    pub lang: Lang,
}

/// Why a visit goes no further.
pub enum StepLink {
    /// The link opens nothing.
    Unknown(Lang),
    /// The world cannot answer.
    Resting(Lang),
    /// The world says no.
    Refused(Refusal),
}

impl Visit {
    /// The visit that a request is.
    ///
    /// # Errors
    /// When the token opens nothing.
    pub fn of(app: &App, token: &str, uri: &Uri, headers: &HeaderMap) -> Result<Self, StepLink> {
        let lang = language(uri, headers);
        let (world, journey) = app.worlds.journey(token).ok_or(StepLink::Unknown(lang))?;
        let client = world.read(|world| query::journey_by_link(world, journey).map(|journey| journey.client));
        let partner = client.ok().flatten().and_then(|client| world.owner_of(client));
        Ok(Self { app: app.clone(), token: token.to_owned(), world, journey, partner, lang })
    }

    /// The journey as it is now.
    ///
    /// # Errors
    /// When it is gone, or its world cannot answer.
    pub fn model(&self) -> Result<PageModel, StepLink> {
        let read = self.world.read(|world| PageModel::of(world, self.journey));
        read.map_err(|error| self.stop(&error))?.ok_or(StepLink::Unknown(self.lang))
    }

    /// Hands a command to the world and answers with the journey after it.
    ///
    /// # Errors
    /// When it is refused, or the world cannot answer.
    pub async fn submit(&self, command: Command) -> Result<PageModel, StepLink> {
        let done = self.world.attempt(command, |world, _| PageModel::of(world, self.journey)).await;
        let model = done.map_err(|error| self.stop(&error))?.map_err(StepLink::Refused)?;
        model.ok_or(StepLink::Unknown(self.lang))
    }

    /// A step with answers that were refused.
    ///
    /// # Errors
    /// When the world cannot answer.
    pub fn with_answers(&self, step: JourneyStep, answers: &Answers) -> Result<Option<StepView>, StepLink> {
        let read = self.world.read(|world| query::journey_step_with(world, self.journey, step, answers));
        read.map_err(|error| self.stop(&error))
    }

    fn stop(&self, _: &ApiError) -> StepLink {
        StepLink::Resting(self.lang)
    }

    /// The wording for a key, in the visitor's language.
    #[must_use]
    pub fn noun(&self, key: &str) -> String {
        words::noun(key).map_or_else(String::new, |phrase| phrase.say(self.lang).to_owned())
    }

    /// A page of this journey in the visitor's language.
    #[must_use]
    pub fn link(&self, page: &str) -> String {
        links::page(page, self.lang)
    }

    /// To the step after `step`, or to the end.
    #[must_use]
    pub fn onward(&self, model: &PageModel, step: JourneyStep) -> Response {
        match model.after(step).or_else(|| model.current()) {
            Some(next) if !model.is_over() => answer::see(&self.link(next.name())),
            _ => self.ended(model),
        }
    }

    /// To the present step of the journey: another request, perhaps from another tab, was faster.
    ///
    /// # Errors
    /// When the world cannot answer.
    pub fn caught_up(&self, step: JourneyStep) -> Result<Response, StepLink> {
        Ok(self.onward(&self.model()?, step))
    }

    /// To the end: through the partner's address when it is complete and has one.
    #[must_use]
    pub fn ended(&self, model: &PageModel) -> Response {
        let onward = model.journey.state == State::Complete && completion(model).is_some();
        answer::see(&self.link(if onward { "done" } else { "end" }))
    }

    /// Marks an answer as given for this world, whose request log then knows of it.
    #[must_use]
    pub fn answer(&self, mut response: Response) -> Response {
        response.extensions_mut().insert(ServedBy { world: Arc::clone(&self.world), partner: self.partner });
        response
    }
}

/// Where the browser goes after completion.
#[must_use]
pub fn completion(model: &PageModel) -> Option<ExternalLink> {
    model.journey.completion_redirect_url.as_deref().and_then(ExternalLink::checked)
}

/// Where the identity app goes after signing.
#[must_use]
pub fn app_return(model: &PageModel) -> Option<ExternalLink> {
    model.journey.redirect_url.as_deref().and_then(ExternalLink::checked)
}

impl StepLink {
    /// The link opens nothing.
    #[must_use]
    pub const fn unknown(lang: Lang) -> Self {
        Self::Unknown(lang)
    }

    /// The page that says so.
    #[must_use]
    pub fn into_response(self) -> Response {
        let (lang, status, sign, head, lead) = match self {
            Self::Unknown(lang) => (lang, StatusCode::NOT_FOUND, Sign::Bad, words::UNKNOWN_TITLE, words::UNKNOWN_LEAD),
            Self::Resting(lang) => {
                (lang, StatusCode::SERVICE_UNAVAILABLE, Sign::Late, words::RESTING_TITLE, words::RESTING_LEAD)
            }
            Self::Refused(_) => (Lang::En, StatusCode::CONFLICT, Sign::Bad, words::STALE_TITLE, words::STALE_LEAD),
        };
        let text = |phrase: words::Phrase| phrase.say(lang).to_owned();
        answer::bare(
            lang,
            status,
            &EndPage { sign, head: text(head), lead: text(lead), facts: Vec::new(), ways: Vec::new() },
        )
    }
}

/// Nothing of ours: a person who came by a mistyped link reads a page, too.
pub(super) async fn nowhere(uri: Uri, headers: HeaderMap) -> Response {
    StepLink::unknown(language(&uri, &headers)).into_response()
}

/// Whether a refusal is about what was filled in, not about the state of the journey.
#[must_use]
pub fn is_about_fields(refusal: &Refusal) -> bool {
    !matches!(refusal.class, Class::NotAllowedNow | Class::Conflict | Class::OutOfScope)
}

/// The language named in the address, or else the one the browser likes best.
pub(super) fn language(uri: &Uri, headers: &HeaderMap) -> Lang {
    let query = uri.query().unwrap_or_default();
    let named = form_urlencoded::parse(query.as_bytes()).take(16).find(|(name, _)| name == "lang");
    let named = named.and_then(|(_, tag)| Lang::tagged(&tag));
    let accept = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    named.unwrap_or_else(|| Lang::negotiated(accept))
}
