//! The page that plays the payment app: a payer pays, declines, or lets it fail (rule: payments/mobile-payment-outcomes).
//!
//! A token says nothing of its world, and worlds of one seed draw the same: the address of a token leads to the address of
//! that payment in its world, or to a choice between several. Invariant: a form without its own token changes nothing, and
//! once a payment has an outcome its page shows that and offers nothing. Absent on purpose: the late answer of banks, which
//! is no act of the payer.

mod template;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use axum::routing::{any, get};
use sim::ids::{MobilePaymentId, PartnerId};
use sim::machines::mobile_payment::State as PaymentState;
use sim::money::Amount;
use sim::records::{Client, MobilePayment, MobilePaymentError};
use sim::time::Date;
use sim::{Command, World, query};

use self::template::PaymentPage;
use super::frame::{self, Frame};
use super::intake::{self, Sent};
use super::lang::Lang;
use super::marks::Sign;
use super::templates::{self, Destination, EndPage};
use super::visit::{self, StepLink, language};
use super::words::{self, Phrase};
use super::{answer, links};
use hosting::world_id::WorldId;
use hosting::worlds::WorldHandle;
use surface::App;
use surface::body;
use surface::service::ServedBy;
use wire::words::Word as _;

/// The routes of the page.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/pay/{token}", get(open).fallback(visit::nowhere))
        .route("/pay/{token}/{world}", get(show).post(submit).fallback(visit::nowhere))
        .route("/pay", any(visit::nowhere))
        .route("/pay/", any(visit::nowhere))
        .route("/pay/{token}/", any(visit::nowhere))
        .route("/pay/{token}/{world}/", any(visit::nowhere))
        .route("/pay/{token}/{world}/{*rest}", any(visit::nowhere))
}

/// A payer before a payment.
struct Payer {
    app: App,
    token: String,
    world: Arc<WorldHandle>,
    payment: MobilePaymentId,
    partner: Option<PartnerId>,
    lang: Lang,
}

/// The payment as it is now, and what the page says of it.
struct Model {
    payment: Arc<MobilePayment>,
    client: Arc<Client>,
    day: Date,
}

impl Model {
    fn of(world: &World, id: MobilePaymentId) -> Option<Self> {
        let payment = Arc::clone(query::mobile_payment_by_id(world, id)?);
        let client = Arc::clone(query::client(world, payment.client)?);
        Some(Self { payment, client, day: world.now().local_date() })
    }
}

impl Payer {
    fn of(app: &App, token: &str, world: &str, uri: &Uri, headers: &HeaderMap) -> Result<Self, StepLink> {
        let lang = language(uri, headers);
        let world = world.parse::<WorldId>().ok().and_then(|id| app.worlds.get(id)).ok_or(StepLink::Unknown(lang))?;
        let payment = payment_in(&world, token).ok_or(StepLink::Unknown(lang))?;
        let partner = partner_of(&world, payment);
        Ok(Self { app: app.clone(), token: token.to_owned(), world, payment, partner, lang })
    }

    fn model(&self) -> Result<Model, StepLink> {
        let read = self.world.read(|world| Model::of(world, self.payment));
        read.map_err(|_| StepLink::Resting(self.lang))?.ok_or(StepLink::Unknown(self.lang))
    }

    /// Hands a command to the world; `false` when the payment has an outcome by now.
    async fn submit(&self, command: Command) -> Result<bool, StepLink> {
        let done = self.world.attempt(command, |_, _| ()).await;
        Ok(done.map_err(|_| StepLink::Resting(self.lang))?.is_ok())
    }

    /// The page's name, which is its world's.
    fn name(&self) -> String {
        self.world.identity.id().to_string()
    }

    fn link(&self) -> String {
        links::page(&self.name(), self.lang)
    }

    fn phrase_text(&self, phrase: Phrase) -> String {
        phrase.say(self.lang).to_owned()
    }

    /// Marks an answer as given for this world, whose request log then knows of it.
    fn answer(&self, mut response: Response) -> Response {
        response.extensions_mut().insert(ServedBy { world: Arc::clone(&self.world), partner: self.partner });
        response
    }

    fn framed(&self, model: &Model, title: &str, status: StatusCode, body: &maud::Markup) -> Response {
        let day = self.lang.day(model.day);
        let other = links::page(&self.name(), self.lang.other());
        let frame = Frame {
            lang: self.lang,
            title,
            client: Some(&model.client.display_name),
            day: Some(&day),
            way: None,
            other: Some(&other),
            onward: None,
            waits: false,
        };
        self.answer(answer::page(status, self.lang, frame::page(&frame, body)))
    }
}

/// The payment that a token opens in a world.
fn payment_in(world: &WorldHandle, token: &str) -> Option<MobilePaymentId> {
    let found = world.read(|world| query::mobile_payment_by_token(world, token).map(|payment| payment.id));
    found.ok().flatten()
}

/// The partner whose payment it is.
fn partner_of(world: &WorldHandle, payment: MobilePaymentId) -> Option<PartnerId> {
    let client = world.read(|world| query::mobile_payment_by_id(world, payment).map(|payment| payment.client));
    client.ok().flatten().and_then(|client| world.owner_of(client))
}

/// The address that a code leads to: on to the payment in its world.
async fn open(State(app): State<App>, Path(token): Path<String>, uri: Uri, headers: HeaderMap) -> Response {
    opened(&app, &token, language(&uri, &headers)).unwrap_or_else(StepLink::into_response)
}

fn opened(app: &App, token: &str, lang: Lang) -> Result<Response, StepLink> {
    let found: Vec<_> = app.worlds.all().into_iter().filter(|world| payment_in(world, token).is_some()).collect();
    let [world] = &found[..] else { return several(lang, token, &found) };
    let mut response = answer::see(&format!("{token}/{}", links::page(&world.identity.id().to_string(), lang)));
    let partner = payment_in(world, token).and_then(|payment| partner_of(world, payment));
    response.extensions_mut().insert(ServedBy { world: Arc::clone(world), partner });
    Ok(response)
}

/// Worlds of one seed have drawn the same token: the person says which is meant.
fn several(lang: Lang, token: &str, worlds: &[Arc<WorldHandle>]) -> Result<Response, StepLink> {
    if worlds.is_empty() {
        return Err(StepLink::Unknown(lang));
    }
    let way = |world: &Arc<WorldHandle>| {
        let name = world.identity.id().to_string();
        (Destination::Own(format!("{token}/{}", links::page(&name, lang))), name)
    };
    let page = EndPage {
        sign: Sign::Out,
        head: words::PAY_SEVERAL_TITLE.say(lang).to_owned(),
        lead: words::PAY_SEVERAL_LEAD.say(lang).to_owned(),
        facts: Vec::new(),
        ways: worlds.iter().map(way).collect(),
    };
    Ok(answer::bare(lang, StatusCode::MULTIPLE_CHOICES, &page))
}

/// The payment: to be decided, or with its outcome. A payer who sees the question has opened it; `HEAD` looks without
/// opening, for those who only check links.
async fn show(
    State(app): State<App>,
    Path((token, world)): Path<(String, String)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let shown = async {
        let payer = Payer::of(&app, &token, &world, &uri, &headers)?;
        if method != Method::HEAD {
            payer.submit(Command::OpenMobilePayment { payment: payer.payment }).await?;
        }
        let model = payer.model()?;
        Ok(if model.payment.state == PaymentState::Pending {
            asked(&payer, &model, false)
        } else {
            ended(&payer, &model)
        })
    };
    shown.await.unwrap_or_else(StepLink::into_response)
}

/// The question; `unnamed` when it was to fail and nothing was chosen.
fn asked(payer: &Payer, model: &Model, unnamed: bool) -> Response {
    let lang = payer.lang;
    let amount = sum(lang, model.payment.amount);
    let head = words::PAY_TITLE.fill(lang, &[("amount", &amount)]);
    let form_token = payer.app.worlds.form_token(&payer.token, &payer.name());
    let page = PaymentPage {
        head: &head,
        lead: &words::PAY_LEAD.fill(lang, &[("client", &model.client.display_name)]),
        action: &payer.link(),
        token: form_token.reveal(),
        facts: vec![
            (payer.phrase_text(words::PAYEE), model.client.display_name.to_string()),
            (payer.phrase_text(words::AMOUNT), amount.clone()),
            (payer.phrase_text(words::PAYMENT_ID), model.payment.payment_id.to_string()),
        ],
        unnamed,
    };
    let status = if unnamed { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    payer.framed(model, &head, status, &template::payment(lang, &page))
}

/// An amount with its ore, as the language writes it.
fn sum(lang: Lang, amount: Amount) -> String {
    let mut number = amount.get();
    number.rescale(Amount::MAX_DECIMALS);
    format!("{}\u{a0}{}", lang.number(number), words::KRONOR.say(lang))
}

/// Its outcome, and nothing more to do here.
fn ended(payer: &Payer, model: &Model) -> Response {
    let payment = &model.payment;
    let (sign, head, lead) = match (*payment.state, payment.error) {
        (PaymentState::Paid, _) => (Sign::Good, words::PAID_TITLE, words::PAID_LEAD),
        (PaymentState::Unknown, _) => (Sign::Late, words::UNSURE_TITLE, words::UNSURE_LEAD),
        (_, Some(MobilePaymentError::Declined)) => (Sign::Out, words::DECLINED_TITLE, words::NOT_PAID_LEAD),
        (_, Some(MobilePaymentError::Tm01)) => (Sign::Late, words::TOO_LATE_TITLE, words::NOT_PAID_LEAD),
        _ => (Sign::Bad, words::NOT_PAID_TITLE, words::NOT_PAID_LEAD),
    };
    let lang = payer.lang;
    let mut facts = vec![(payer.phrase_text(words::AMOUNT), sum(lang, payment.amount))];
    facts.extend(payment.error.map(|error| (payer.phrase_text(words::CODE), template::reason(lang, error))));
    let head = payer.phrase_text(head);
    let lead = lead.fill(lang, &[("client", &model.client.display_name)]);
    let page = EndPage { sign, head: head.clone(), lead, facts, ways: Vec::new() };
    payer.framed(model, &head, StatusCode::OK, &templates::end(&page))
}

/// The payer's decision.
async fn submit(State(app): State<App>, Path((token, world)): Path<(String, String)>, request: Request) -> Response {
    let (parts, form) = request.into_parts();
    let payer = match Payer::of(&app, &token, &world, &parts.uri, &parts.headers) {
        Ok(payer) => payer,
        Err(stop) => return stop.into_response(),
    };
    let read = body::read(form, intake::LARGEST, app.limits.body).await;
    let Some(sent) = read.ok().and_then(|bytes| Sent::read(&bytes)) else {
        return problem(&payer, StatusCode::PAYLOAD_TOO_LARGE, words::TOO_MUCH_TITLE, words::TOO_MUCH_LEAD);
    };
    if app.admission.is_foreign_form(&parts.headers)
        || !app.worlds.form_token(&token, &payer.name()).is(sent.one(templates::FORM_TOKEN))
    {
        return problem(&payer, StatusCode::FORBIDDEN, words::STALE_TITLE, words::PAY_STALE_LEAD);
    }
    decided(&payer, &sent).await.unwrap_or_else(StepLink::into_response)
}

async fn decided(payer: &Payer, sent: &Sent) -> Result<Response, StepLink> {
    let (payment, partner) = (payer.payment, None);
    let failure = MobilePaymentError::FAILURES.into_iter().find(|error| error.word() == sent.one(template::FAILURE));
    let command = match (sent.one(templates::OUTCOME), failure) {
        (template::PAY, _) => Command::PayMobilePayment { payment, partner },
        (template::DECLINE, _) => Command::DeclineMobilePayment { payment, partner },
        (_, Some(error)) => Command::FailMobilePayment { payment, error, partner },
        (_, None) => {
            let model = payer.model()?;
            let waits = model.payment.state == PaymentState::Pending;
            return Ok(if waits { asked(payer, &model, true) } else { ended(payer, &model) });
        }
    };
    // The payer of a payment that has an outcome by now is shown that.
    if payer.model()?.payment.state == PaymentState::Pending {
        payer.submit(command).await?;
    }
    Ok(payer.answer(answer::see(&payer.link())))
}

fn problem(payer: &Payer, status: StatusCode, head: Phrase, lead: Phrase) -> Response {
    let again = (Destination::Own(payer.link()), payer.phrase_text(words::PAY_AGAIN));
    let page = EndPage {
        sign: Sign::Bad,
        head: payer.phrase_text(head),
        lead: payer.phrase_text(lead),
        facts: Vec::new(),
        ways: vec![again],
    };
    payer.answer(answer::bare(payer.lang, status, &page))
}
