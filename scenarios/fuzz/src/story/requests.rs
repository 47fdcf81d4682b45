//! Commands as steps of a story: by their words where the language has one, as raw calls elsewhere.
//!
//! Invariant: sent to the same world, a step does what its command does. Accounts, bank accounts and transfers that a
//! journey has made are named by their ids, which a seed always makes the same.

use super::{StoryWriter, by};
use crate::generate::Step;
use language::ast::{Act as StoryAct, Actor, Body, Browse, Call, Request, StoryStep, number, request};
use serde_json::{Map, Value as Json, json};
use sim::Command;
use sim::command::{
    Book, Booked, CreateClient, CreateJourney, CreateMobilePayment, CustodianAct, Decision, OpenAccount,
    OpenBankAccount, Patch, PatchClient, PlaceOrder, Purgeable, Scope, ScreeningHit, SignOutcome, Withdraw,
    WithdrawalType,
};
use sim::query;
use sim::records::{
    AccountType, Answers, Category, ClientBankAccount, CorporateAct, FeeTerms, FeeType, MandateStatus,
    MobilePaymentRefusal, Owner, OwnerKey, Proceeds, Side,
};
use wire::journeys::configuration::Configuration;
use wire::words::Word as _;

impl StoryWriter {
    /// A step as a story writes it; what has to be read or opened first goes into the story at once.
    pub(crate) fn step_of_command(&mut self, step: &Step, command: &Command) -> Option<StoryStep> {
        let of = |word: &str, field: &str, id: String| request(word).set(field, id);
        let (request, partner) = match command {
            Command::OpenAccount(open) => return Some(self.opening(open)),
            Command::PlaceOrder(place) => return Some(self.order(place, false)),
            Command::ValidateOrder(place) => return Some(self.order(place, true)),
            Command::CancelOrder { scope, order } if self.is_own(*scope) => {
                return Some(by(of("cancel", "order", self.order_ref(*order)).into(), self.actor(scope.client)));
            }
            Command::CancelOrder { scope, order } => {
                return Some(self.call("DELETE", *scope, &format!("order/{}", self.order_id(*order)), Body::None));
            }
            Command::CloseAccount { scope, account } => {
                return Some(self.call(
                    "DELETE",
                    *scope,
                    &format!("account/{}", self.account_id(*account)),
                    Body::None,
                ));
            }
            Command::PatchAllocationPlan { scope, plan, bank_account, instruments } => {
                let mut body = Map::new();
                put(&mut body, "bankAccount", bank_account, |id| json!(id.to_string()));
                put(&mut body, "instruments", instruments, |shares| {
                    let share = |share: &sim::records::Allocation| json!({ "instrument": share.instrument.to_string(), "allocation": number(&share.percent.to_string()) });
                    shares.iter().map(share).collect()
                });
                return Some(self.call("PATCH", *scope, &format!("allocationplan/{plan}"), Body::Json(body.into())));
            }
            Command::DeleteAllocationPlan { scope, plan } => {
                return Some(self.call("DELETE", *scope, &format!("allocationplan/{plan}"), Body::None));
            }
            Command::DeleteSavingsPlan { scope, account } => {
                let path = format!("account/{}/savingsplan", self.account_id(*account));
                return Some(self.call("DELETE", *scope, &path, Body::None));
            }
            Command::CreateMobilePayment(create) => return Some(self.mobile_payment(create)),
            Command::OpenMobilePayment { payment } => {
                let token = &query::mobile_payment_by_id(&self.world, *payment)?.token;
                return Some(open_page(format!("/pay/{token}")));
            }
            Command::PayMobilePayment { payment, partner } => {
                (of("pay mobile payment", "payment", payment.to_string()), *partner)
            }
            Command::DeclineMobilePayment { payment, partner } => {
                (of("decline mobile payment", "payment", payment.to_string()), *partner)
            }
            Command::FailMobilePayment { payment, error, partner } => {
                let fail = of("fail mobile payment", "payment", payment.to_string());
                (fail.set("errorCode", error.name()), *partner)
            }
            Command::RefusePayers { partner, account, refusal } => {
                let refuse = of("refuse payers", "account", self.account_ref(*account));
                (refuse.set_some("errorCode", refusal.map(MobilePaymentRefusal::name)), Some(*partner))
            }
            Command::CreateClient(create) => {
                let call = raw("POST", "/v2/partner/client", Body::Json(new_client(create)));
                return Some(by(call, self.actor_of(create.partner)));
            }
            Command::PatchClient(patch) => {
                let path = format!("/v2/partner/client/{}", patch.scope.client);
                let call = raw("PATCH", &path, Body::Json(client_patch(patch)));
                return Some(by(call, self.actor_of(patch.scope.partner)));
            }
            Command::SetClientFees(set) => {
                let fees = of("set fees", "client", set.scope.client.to_string());
                let fees = fees.set_some("partnerFee", set.partner.map(fee_terms));
                (fees.set_some("clientFee", set.client.map(fee_terms)), Some(set.scope.partner))
            }
            Command::Withdraw(withdraw) => return Some(self.withdrawal(withdraw)),
            Command::CreateJourney(create) => return Some(self.journey(create)),
            Command::OpenJourney { journey, partner: None } => return Some(open_page(self.journey_ref(*journey))),
            Command::AbortJourney { journey, .. } => {
                let page = open_page(self.journey_ref(*journey));
                self.steps.push(page);
                return Some(StoryStep::from(StoryAct::Browse(Browse::Leave)));
            }
            Command::BouncePayout { transaction, partner } => {
                let payout = self.payout(step, &transaction.to_string());
                (of("bounce payout", "payout", payout), Some(*partner))
            }
            Command::HoldOrder { order, partner } => (of("hold", "order", self.order_ref(*order)), Some(*partner)),
            Command::ReleaseOrder { order, partner } => {
                (of("release", "order", self.order_ref(*order)), Some(*partner))
            }
            Command::RejectOrder { order, partner } => (of("reject", "order", self.order_ref(*order)), Some(*partner)),
            Command::SetPrice(set) => {
                let price = of("set price", "instrument", set.instrument.to_string());
                let price = price.set("closePrice", number(&set.close_price.to_string()));
                (price.set_some("priceDate", set.price_date.map(|day| day.to_string())), None)
            }
            Command::SetTrading(set) => {
                let trading = of("set trading", "instrument", set.instrument.to_string());
                let trading = trading.set_some("isBuyable", set.is_buyable).set_some("isSellable", set.is_sellable);
                (trading.set_some("isTradable", set.is_tradable), None)
            }
            Command::DelayNav { instrument, bank_days } => {
                (of("delay nav", "instrument", instrument.to_string()).set("bankDays", *bank_days), None)
            }
            Command::Announce { instrument, act } => {
                let of = |word| of(word, "instrument", instrument.to_string());
                let request = match act {
                    CorporateAct::Split { factor } => of("split fund").set("factor", number(&factor.to_string())),
                    CorporateAct::Merge { into, ratio } => {
                        let ratio = ratio.map(|ratio| number(&ratio.to_string()));
                        of("merge fund").set("into", into.to_string()).set_some("ratio", ratio)
                    }
                    CorporateAct::Liquidate { price } => {
                        of("liquidate fund").set_some("price", price.map(|price| number(&price.to_string())))
                    }
                };
                (request, None)
            }
            Command::Book(book) => (booking(book, self.account_ref(book.account)), Some(book.partner)),
            Command::OpenJourney { journey, partner: Some(partner) } => {
                (of("open journey", "journey", self.journey_ref(*journey)), Some(*partner))
            }
            Command::CompleteJourney { journey, answers, partner } => {
                let by_step: Map<_, _> =
                    answers.iter().map(|(step, answers)| (step.name().to_owned(), filled_in(answers))).collect();
                let complete = of("complete journey", "journey", self.journey_ref(*journey));
                (complete.set_some("answers", (!by_step.is_empty()).then_some(by_step)), Some(*partner))
            }
            Command::CancelJourney { journey, partner, .. } => {
                (of("cancel journey", "journey", self.journey_ref(*journey)), Some(*partner))
            }
            Command::FailJourney { journey, code, partner, .. } => {
                (of("fail journey", "journey", self.journey_ref(*journey)).set("code", code.name()), Some(*partner))
            }
            Command::ExpireJourney { journey, partner } => {
                (of("expire journey", "journey", self.journey_ref(*journey)), Some(*partner))
            }
            Command::AnswerStep { journey, step, answers, .. } => {
                let answer = of("answer step", "journey", self.journey_ref(*journey)).set("step", step.name());
                return Some(self.in_journey(*journey, answer.set("answers", filled_in(answers))));
            }
            Command::SignJourney { journey, signer, outcome, .. } => {
                let outcome = match outcome {
                    SignOutcome::Sign => "sign",
                    SignOutcome::Abort => "abort",
                    SignOutcome::Fail => "fail",
                    SignOutcome::Refuse => "refuse",
                };
                let sign = of("sign journey", "journey", self.journey_ref(*journey)).set("signer", signer.to_string());
                return Some(self.in_journey(*journey, sign.set("outcome", outcome)));
            }
            Command::DecideAccount { account, decision, partner } => {
                let word = match decision {
                    Decision::Approve => "approve account",
                    Decision::Reject => "reject account",
                    Decision::Confirm => "confirm account",
                };
                (of(word, "account", self.account_ref(*account)), Some(*partner))
            }
            Command::CheckBankAccount { bank_account, passes, partner } => {
                let check = of("check bank account", "bank account", bank_account.to_string());
                (check.set("outcome", if *passes { "pass" } else { "fail" }), Some(*partner))
            }
            Command::AdviseMandate { bank_account, code, partner } => {
                (of("advise mandate", "bank account", bank_account.to_string()).set("code", &**code), Some(*partner))
            }
            Command::MoveTransfer { transfer, act, partner } => {
                let word = match act {
                    CustodianAct::Accept => "accept transfer",
                    CustodianAct::Reject => "reject transfer",
                    CustodianAct::Complete => "complete transfer",
                };
                (of(word, "transfer", transfer.to_string()), Some(*partner))
            }
            Command::Screen { owner, hit } => {
                let (key, number) = match owner {
                    OwnerKey::Ssn(ssn) => ("ssn", ssn.to_string()),
                    OwnerKey::Crn(crn) => ("crn", crn.to_string()),
                };
                let hit = match hit {
                    ScreeningHit::Pep => "pep",
                    ScreeningHit::Sanctions => "sanctions",
                    ScreeningHit::Clear => "clear",
                };
                (of("screen", key, number).set("hit", hit), None)
            }
            Command::ReportDeath { ssn } => (of("report death", "ssn", ssn.to_string()), None),
            Command::CreateInstruction(create) => {
                let payment = |payment: &sim::command::NewPayment| {
                    json!({
                        "account": self.account_id(payment.account),
                        "amount": number(&payment.amount.to_string()),
                        "clientRef": *payment.client_ref,
                    })
                };
                let payments: Vec<Json> = create.payments.iter().map(payment).collect();
                let body = json!({ "type": create.kind.name(), "payments": payments });
                return Some(self.call("POST", create.scope, "instruction/payment", Body::Json(body)));
            }
            Command::PayByBankgiro(pay) => {
                let paid = of("pay by bankgiro", "ref", pay.reference.to_string());
                (paid.set("amount", number(&pay.amount.to_string())), Some(pay.partner))
            }
            Command::FailPayment { partner, payment, reason } => {
                let fail = of("fail payment", "payment", payment.to_string());
                (fail.set("reasonCode", reason.code()), Some(*partner))
            }
            Command::RefundPayment { partner, payment, unauthorised } => {
                let refund = of("refund payment", "payment", payment.to_string());
                (refund.set_some("unauthorised", unauthorised.then_some(true)), Some(*partner))
            }
            Command::AllocateSuspense { item, account } => {
                let allocate = of("allocate suspense", "item", item.to_string());
                (allocate.set("account", self.account_ref(*account)), None)
            }
            Command::ReturnSuspense { item } => (of("return suspense", "item", item.to_string()), None),
            Command::Purge { partner, what } => {
                let purge = match what {
                    Purgeable::Client(id) => of("purge client", "client", id.to_string()),
                    Purgeable::Account(id) => of("purge account", "account", self.account_ref(*id)),
                    Purgeable::Journey(id) => of("purge journey", "journey", self.journey_ref(*id)),
                    Purgeable::Order(id) => of("purge order", "order", self.order_ref(*id)),
                    Purgeable::CashTransaction(id) => of("purge cash transaction", "transaction", id.to_string()),
                    Purgeable::FundTransaction(id) => of("purge fund transaction", "transaction", id.to_string()),
                };
                (purge, Some(*partner))
            }
        };
        Some(by(request.into(), partner.map_or_else(Actor::default, |partner| self.actor_of(partner))))
    }

    /// A request to the partner API below a client, by its own actor or by somebody else's.
    fn call(&self, method: &str, scope: Scope, path: &str, body: Body) -> StoryStep {
        if self.is_own(scope) {
            return by(raw(method, &format!("/{path}"), body), self.actor(scope.client));
        }
        by(raw(method, &format!("/v2/partner/client/{}/{path}", scope.client), body), self.actor_of(scope.partner))
    }

    /// Whether the client is one of the setup's, with its own partner.
    fn is_own(&self, scope: Scope) -> bool {
        let partner = query::client(&self.world, scope.client).map(|client| client.partner);
        partner == Some(scope.partner) && self.actors.contains_key(&scope.client)
    }

    /// Always as a raw call: a generated one may have what the word does not allow.
    fn mobile_payment(&self, create: &CreateMobilePayment) -> StoryStep {
        let mut body = Map::new();
        body.insert("type".to_owned(), json!(create.kind.word()));
        body.insert("amount".to_owned(), number(&create.amount.to_string()));
        body.extend(create.qr_format.map(|format| ("qrFormat".to_owned(), json!(format.word()))));
        let path = format!("account/{}/deposit/mobilepay", self.account_id(create.account));
        self.call("POST", create.scope, &path, Body::Json(body.into()))
    }

    /// A lever that the partner of a journey pulls.
    fn in_journey(&self, id: sim::ids::JourneyId, request: Request) -> StoryStep {
        let journey = query::journey_by_link(&self.world, id);
        by(request.into(), journey.map_or_else(Actor::default, |journey| self.actor(journey.client)))
    }

    fn opening(&self, open: &OpenAccount) -> StoryStep {
        let bank = |bank: &OpenBankAccount| match (bank.validated, bank.mandate) {
            (true, MandateStatus::Missing) => json!(bank.iban.as_str()),
            (true, mandate) => json!({ "iban": bank.iban.as_str(), "mandateStatus": mandate.name() }),
            (false, _) => json!({ "iban": bank.iban.as_str(), "validated": false }),
        };
        let positions = open.positions.iter().map(|(fund, units)| (fund.to_string(), number(&units.to_string())));
        let positions: Map<String, Json> = positions.collect();
        let banks: Vec<Json> = open.bank_accounts.iter().map(bank).collect();
        let kind = (open.account_type != AccountType::Isk).then(|| open.account_type.name());
        let request = request("open account")
            .set_some("type", kind)
            .set_some("cash", (!open.cash.is_zero()).then(|| number(&open.cash.to_string())))
            .set_some("positions", (!positions.is_empty()).then_some(positions))
            .set_some("bank accounts", (!banks.is_empty()).then_some(banks))
            .set_some("category", (open.category == Category::Pro).then_some("pro"))
            .set_some("fundKnowledge", (!open.fund_knowledge).then_some(false))
            .set_some("owner", open.owner.as_ref().map(person));
        if self.is_own(open.scope) {
            return by(request.into(), self.actor(open.scope.client));
        }
        by(request.set("clientId", open.scope.client.to_string()).into(), self.actor_of(open.scope.partner))
    }

    /// An order: by its word when it is one that people would write, as a raw call when something is odd about it.
    fn order(&self, place: &PlaceOrder, dry: bool) -> StoryStep {
        let known = self.accounts.contains_key(&place.account);
        let quantity = place.amount.map(|a| number(&a.to_string())).xor(place.units.map(|u| number(&u.to_string())));
        let fits = place.amount.is_some() == (place.side == Side::Subscription);
        let plain = place.client_ref.as_ref().is_none_or(|text| text.len() < 100);
        let Some(quantity) = quantity.filter(|_| known && fits && plain && !dry && self.is_own(place.scope)) else {
            return self.raw_order(place, dry);
        };
        let (word, measure, to) = match (place.side, place.proceeds) {
            (Side::Subscription, _) => ("subscribe", "amount", None),
            (Side::Redemption, Proceeds::Keep) => ("redeem", "units", None),
            (Side::Redemption, Proceeds::PayOut(_)) => ("sell and withdraw", "units", None),
            (Side::Redemption, Proceeds::Transfer(to)) => ("sell and transfer", "units", Some(self.account_ref(to))),
        };
        let order = request(word)
            .set("account", self.account_ref(place.account))
            .set_some("to", to)
            .set("instrument", place.instrument.to_string())
            .set(measure, quantity)
            .set_some("clientRef", place.client_ref.as_deref())
            .set_some("executorRef", place.executor.map(|person| person.to_string()));
        by(order.into(), self.actor(place.scope.client))
    }

    fn raw_order(&self, place: &PlaceOrder, dry: bool) -> StoryStep {
        let side = if place.side == Side::Subscription { "subscription" } else { "redemption" };
        let mut body = Map::new();
        let mut set = |key: &str, value: Option<Json>| body.extend(value.map(|value| (key.to_owned(), value)));
        set("orderType", Some(json!(side)));
        set("account", Some(json!(self.account_id(place.account))));
        set("instrument", Some(json!(place.instrument.to_string())));
        set("amount", place.amount.map(|amount| number(&amount.to_string())));
        set("units", place.units.map(|units| number(&units.to_string())));
        set("clientRef", place.client_ref.as_ref().map(|text| json!(**text)));
        set("executorRef", place.executor.map(|person| json!(person.to_string())));
        let path = match place.proceeds {
            Proceeds::Keep => "order",
            Proceeds::PayOut(bank) => {
                set("bankAccount", Some(json!(bank.to_string())));
                "order/withdrawal"
            }
            Proceeds::Transfer(to) => {
                set("destinationAccount", Some(json!(self.account_id(to))));
                "order/redemptionTransfer"
            }
        };
        let mut story_step = self.call("POST", place.scope, path, Body::Json(body.into()));
        if let (true, StoryAct::Call(call)) = (dry, &mut story_step.act) {
            call.query.push(("validate-only".to_owned(), json!(true)));
        }
        story_step
    }

    fn withdrawal(&self, asked: &Withdraw) -> StoryStep {
        let mut body = Map::new();
        let mut set = |key: &str, value: Option<Json>| body.extend(value.map(|value| (key.to_owned(), value)));
        let kind = if asked.kind == WithdrawalType::Full { "full" } else { "amount" };
        set("withdrawalType", Some(json!(kind)));
        set("amount", asked.amount.map(|amount| number(&amount.to_string())));
        set("bankAccount", Some(json!(asked.bank_account.to_string())));
        set("clientRef", asked.client_ref.as_ref().map(|text| json!(**text)));
        set("executorRef", Some(json!(asked.executor.to_string())));
        let path = format!("account/{}/withdrawal", self.account_id(asked.account));
        self.call("POST", asked.scope, &path, Body::Json(body.into()))
    }

    fn journey(&self, create: &CreateJourney) -> StoryStep {
        let shown = serde_json::to_value(Configuration::of(&create.configuration)).unwrap_or_default();
        let mut configuration = shown.as_object().cloned().unwrap_or_default();
        configuration.retain(|_, value| !value.is_null());
        let redirects =
            [("redirectUrl", &create.redirect_url), ("completionRedirectUrl", &create.completion_redirect_url)];
        let redirects = redirects.into_iter().filter_map(|(field, address)| Some((field, address.as_deref()?)));
        if !self.is_own(create.scope) {
            let mut body = json!({ "journey": configuration, "callbackUrl": &*create.callback_url });
            for (field, address) in redirects {
                body[field] = address.into();
            }
            return self.call("POST", create.scope, "journey", Body::Json(body));
        }
        let kind = configuration.shift_remove("journeyType").unwrap_or_default();
        let start = request("start journey").set("type", kind);
        let start = configuration.into_iter().fold(start, |start, (field, value)| start.set(&field, value));
        let start = redirects.fold(start, |start, (field, address)| start.set(field, address));
        by(start.set_some("scope", create.partner_data.as_deref()).into(), self.actor(create.scope.client))
    }

    /// A bounce needs the payout's id, which only a read shows.
    fn payout(&mut self, step: &Step, transaction: &str) -> String {
        let Step::Bounce(name) = *step else { return transaction.to_owned() };
        let Some((_, order)) = self.bindings.order(name) else { return transaction.to_owned() };
        let actor = self.actor_of_order(order);
        let read = by(StoryStep::call("GET", &format!("/transaction/cash/{transaction}")), actor);
        self.steps.push(read.named("payout"));
        "{payout}".to_owned()
    }
}

fn raw(method: &str, path: &str, body: Body) -> StoryStep {
    StoryStep::from(Call { method: method.to_owned(), path: path.to_owned(), body, ..Call::default() })
}

fn open_page(page: String) -> StoryStep {
    StoryStep::from(StoryAct::Browse(Browse::Open { page, language: None }))
}

/// A field of a patch, when it is named.
fn put<T>(body: &mut Map<String, Json>, field: &str, patch: &Patch<T>, shown: impl Fn(&T) -> Json) {
    let value = match patch {
        Patch::Keep => return,
        Patch::Clear => Json::Null,
        Patch::Set(value) => shown(value),
    };
    body.insert(field.to_owned(), value);
}

fn new_client(create: &CreateClient) -> Json {
    let service = |service: &sim::records::ServiceType| json!({ "accountServiceType": service.name() });
    json!({
        "name": *create.name,
        "displayName": *create.display_name,
        "crn": create.crn.to_string(),
        "country": *create.country,
        "bankAccounts": [],
        "serviceTypes": create.service_types.iter().map(service).collect::<Vec<_>>(),
    })
}

fn client_patch(patch: &PatchClient) -> Json {
    let mut body = Map::new();
    put(&mut body, "name", &patch.name, |name| json!(**name));
    put(&mut body, "country", &patch.country, |country| json!(**country));
    put(&mut body, "bankAccounts", &patch.bank_accounts, |accounts| {
        let shown = |account: &ClientBankAccount| json!({ "feeType": fee_type(account.fee_type), "iban": account.iban.to_string() });
        accounts.iter().map(shown).collect()
    });
    if patch.names_crn {
        body.insert("crn".to_owned(), json!("5567000003"));
    }
    if patch.names_others {
        body.insert("permissions".to_owned(), json!({ "transfers": false }));
    }
    Json::Object(body)
}

const fn fee_type(of: FeeType) -> &'static str {
    match of {
        FeeType::ClientFee => "client_fee",
        FeeType::PartnerFee => "partner_fee",
        FeeType::ServiceFee => "service_fee",
    }
}

fn fee_terms(terms: FeeTerms) -> Json {
    json!({ "basisPoints": terms.basis_points, "mode": terms.mode.name() })
}

/// Fields with one text or several.
fn filled_in(answers: &Answers) -> Json {
    let shown = |values: &Vec<std::sync::Arc<str>>| match values.as_slice() {
        [one] => json!(**one),
        many => Json::Array(many.iter().map(|text| json!(**text)).collect()),
    };
    Json::Object(answers.0.iter().map(|(name, values)| (name.to_string(), shown(values))).collect::<Map<_, _>>())
}

fn person(owner: &Owner) -> Json {
    match owner {
        Owner::NaturalPerson(person) => json!({
            "ownerType": "natural_person",
            "firstName": *person.first_name,
            "lastName": *person.last_name,
            "ssn": person.ssn.to_string(),
        }),
        Owner::LegalEntity(entity) => json!({
            "ownerType": "legal_entity",
            "name": *entity.name,
            "crn": entity.crn.to_string(),
            "registrationCountry": entity.registration_country.as_deref(),
            "signatoryGroups": entity.signatories.iter()
                .map(|signatory| json!({ "name": *signatory.name, "ssn": signatory.ssn.to_string() }))
                .collect::<Vec<_>>(),
        }),
    }
}

/// A booking of the back office.
fn booking(book: &Book, account: String) -> Request {
    let request = request("book").set("account", account);
    let request = match book.what {
        Booked::Cash { kind, ref_type, amount } => {
            let request = request.set("transactionType", kind.word()).set("refType", ref_type.word());
            request.set("amount", number(&amount.to_string()))
        }
        Booked::Units { kind, ref_type, instrument, units, cost } => {
            let request = request.set("transactionType", kind.word()).set("refType", ref_type.word());
            let request = request.set("instrument", instrument.to_string()).set("units", number(&units.to_string()));
            request.set_some("cost", cost.map(|cost| number(&cost.to_string())))
        }
    };
    request.set_some("text", book.text.as_deref())
}
