//! Bodies that the world would take as it is now: of the accounts and funds that there are, the first that the checks of the
//! operation have nothing against.
//!
//! Invariant: where the world has checks that change nothing, they choose the body; elsewhere the document's example has
//! ids of the partner's resources. Absent on purpose: every rule of what is acceptable.

use super::partner_view::{Ids, Missing, PartnerView};
use super::subjects::{none, of_account, of_client, of_fund};
use crate::wire::fields::{Unknown, read};
use crate::wire::journey::JourneyRequest;
use crate::wire::json::Node;
use crate::wire::shape::Shape as _;
use crate::wire::words::{AccountType, Category, ServiceType};
use serde_json::{Value, json};
use sim::command::{PlaceOrder, Scope, Withdraw, WithdrawalType};
use sim::identity::{InstrumentId, OrganisationNumber, PersonalNumber};
use sim::money::{Amount, Units};
use sim::query;
use sim::records::{Account, Client, MandateStatus, Owner, Proceeds, Side};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Fields of bodies, and the parameters whose ids they take.
const FIELDS: &[(&str, &str)] = &[
    ("account", "accountId"),
    ("client", "clientId"),
    ("clientId", "clientId"),
    ("instrument", "instrumentId"),
    ("into", "otherInstrumentId"),
    ("bankAccount", "bankAccountId"),
    ("ssn", "ssn"),
];

/// Amounts of orders that are tried, in kronor.
const AMOUNTS: [i64; 3] = [1_000, 5_000, 10_000];
/// Where callbacks of a new journey go.
const CALLBACK: &str = "https://partner.example/callback";

/// What an operation sends: the ids in its path, and its body.
type Sent = (Ids, Value);

/// The example of a body in the document; an object without fields where there is none.
pub(super) fn example(content: &Value) -> Value {
    content.get("example").cloned().unwrap_or_else(|| json!({}))
}

/// A body with ids of the partner's resources where its fields name such things.
pub(super) fn with_ids(mut body: Value, ids: &Ids) -> Value {
    match &mut body {
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                let parameter = FIELDS.iter().find(|(field, _)| field == name).map(|(_, parameter)| *parameter);
                let id = parameter.and_then(|parameter| ids.get(parameter)).filter(|_| value.is_string());
                *value = id.map_or_else(|| with_ids(value.take(), ids), |id| id.as_str().into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = with_ids(item.take(), ids)),
        _ => {}
    }
    body
}

impl PartnerView<'_> {
    /// The body of an operation whose body decides what it is about. `None` for all others.
    pub(super) fn body_of(&self, id: &str) -> Option<Result<Sent, Missing>> {
        let body = match id {
            "createOrder" => self.order(),
            "createOrderWithdrawal" => self.sale(|_, account| targets(account)),
            "createRedemptionTransfer" => self.sale(|client, account| self.other_accounts(client, account)),
            "createWithdrawal" => self.withdrawal(),
            "createInstruction" => self.instruction_body(),
            "createMobilePayment" => self.mobile_payment(),
            "createClient" => self.client(),
            "patchClient" => self.client_patch(),
            "patchAllocationPlan" => self.plan_patch(),
            "createJourney" => self.journey(),
            _ => return None,
        };
        let lacks = if id == "patchAllocationPlan" { "allocationPlanId" } else { "accountId" };
        Some(body.ok_or_else(|| none(lacks)))
    }

    fn scope(&self, client: &Client) -> Scope {
        Scope { partner: self.partner, client: client.id }
    }

    /// A subscription.
    fn order(&self) -> Option<Sent> {
        self.every_account().find_map(|(client, account)| {
            let funds = self.funds(client.id).into_iter();
            let mut tries = funds.flat_map(|fund| AMOUNTS.map(|kronor| (fund, kronor)));
            let (fund, kronor) = tries.find(|(fund, kronor)| {
                let order = PlaceOrder {
                    amount: Some(Amount::from_ore(kronor * 100)),
                    ..self.plain_order(client, &account, Side::Subscription, *fund)
                };
                query::order_refusal(self.world, &order).is_none()
            })?;
            let body = json!({
                "orderType": "subscription", "account": account.id.to_string(), "instrument": fund.to_string(), "amount": kronor,
            });
            Some((of_account(&account), body))
        })
    }

    fn plain_order(&self, client: &Client, account: &Account, side: Side, instrument: InstrumentId) -> PlaceOrder {
        PlaceOrder {
            scope: self.scope(client),
            account: account.id,
            side,
            instrument,
            amount: None,
            units: None,
            client_ref: None,
            executor: None,
            proceeds: Proceeds::Keep,
        }
    }

    /// A redemption of one unit whose proceeds go to the first place that the world takes.
    fn sale(&self, places: impl Fn(&Client, &Account) -> Vec<(&'static str, String, Proceeds)>) -> Option<Sent> {
        self.every_account().find_map(|(client, account)| {
            let person = executor(&account)?;
            let positions = account.positions.iter().map(|position| position.instrument);
            let tries = positions.flat_map(|fund| places(client, &account).into_iter().map(move |place| (fund, place)));
            let (fund, (field, target, _)) = tries.into_iter().find(|(fund, (_, _, proceeds))| {
                let order = PlaceOrder {
                    units: Units::parse("1").ok(),
                    executor: Some(person),
                    proceeds: *proceeds,
                    ..self.plain_order(client, &account, Side::Redemption, *fund)
                };
                query::order_refusal(self.world, &order).is_none()
            })?;
            let body = json!({
                "orderType": "redemption", "account": account.id.to_string(), "instrument": fund.to_string(), "units": 1,
                field: target, "executorRef": person.to_string(),
            });
            Some((of_account(&account), body))
        })
    }

    fn other_accounts(&self, client: &Client, account: &Account) -> Vec<(&'static str, String, Proceeds)> {
        let others = self.accounts(client.id).filter(|other| other.id != account.id && other.owner == account.owner);
        others.map(|other| ("destinationAccount", other.id.to_string(), Proceeds::Transfer(other.id))).collect()
    }

    fn withdrawal(&self) -> Option<Sent> {
        self.every_account().find_map(|(client, account)| {
            let person = executor(&account)?;
            let bank = account.bank_accounts.iter().find(|bank| {
                let withdraw = Withdraw {
                    scope: self.scope(client),
                    account: account.id,
                    kind: WithdrawalType::Amount,
                    amount: Some(Amount::from_ore(10_000)),
                    bank_account: bank.id,
                    client_ref: None,
                    executor: person,
                };
                query::withdrawal_refusal(self.world, &withdraw).is_none()
            })?;
            let body = json!({
                "withdrawalType": "amount", "amount": 100, "bankAccount": bank.id.to_string(), "executorRef": person.to_string(),
            });
            Some((of_account(&account), body))
        })
    }

    /// A charge where the account has a mandate, a transfer elsewhere; its reference is new.
    fn instruction_body(&self) -> Option<Sent> {
        let mut may: Vec<_> = self.every_account().filter(|(client, _)| client.permissions.autogiro).collect();
        let has_mandate =
            |account: &Account| account.bank_accounts.iter().any(|it| it.mandate == MandateStatus::Active);
        let with_mandate = may.iter().position(|(_, account)| has_mandate(account));
        let kind = if with_mandate.is_some() { "autogiro" } else { "bankTransfer" };
        if may.is_empty() {
            return None;
        }
        let (client, account) = may.swap_remove(with_mandate.unwrap_or_default());
        let is_taken = |name: &str| query::has_payment_ref(self.world, client.id, name);
        let name = (1_u32..).map(|number| format!("docs-{number}")).find(|name| !is_taken(name))?;
        let payment = json!({ "account": account.id.to_string(), "amount": 500, "clientRef": name });
        Some((of_account(&account), json!({ "type": kind, "payments": [payment] })))
    }

    fn mobile_payment(&self) -> Option<Sent> {
        let (_, account) = self.every_account().find(|(client, _)| client.permissions.mobile_payment)?;
        Some((of_account(&account), json!({ "amount": 100, "type": "same_device" })))
    }

    /// A company that the partner has not got yet.
    fn client(&self) -> Option<Sent> {
        let taken: BTreeSet<_> = query::clients(self.world).map(|client| client.crn).collect();
        let numbers = (0_u64..100_000).map(|number| format!("55670{number:05}"));
        let crn =
            numbers.filter_map(|number| OrganisationNumber::parse(&number).ok()).find(|crn| !taken.contains(crn))?;
        let body = json!({
            "name": "Blåbär Spar AB", "displayName": "Blåbär Spar", "crn": crn.to_string(), "country": "SE",
            "serviceTypes": [{ "accountServiceType": "executionOnly" }],
        });
        Some((Ids::new(), body))
    }

    fn client_patch(&self) -> Option<Sent> {
        let client = self.clients().next()?;
        Some((of_client(client.id), json!({ "displayName": &*client.display_name })))
    }

    /// The first fund of the plan, alone.
    fn plan_patch(&self) -> Option<Sent> {
        let plan = self.newest(query::newest_allocation_plans, |_| true)?;
        let fund = plan.instruments.first()?.instrument;
        let mut ids = of_client(plan.client);
        ids.extend(of_fund(fund));
        ids.insert("allocationPlanId", plan.id.to_string());
        Some((ids, json!({ "instruments": [{ "instrument": fund.to_string(), "allocation": 100 }] })))
    }

    /// A journey that the client may start: a new account, or new answers for one that is there.
    fn journey(&self) -> Option<Sent> {
        self.clients().find_map(|client| {
            let permitted = &client.permissions;
            let renewed = self.accounts(client.id).next().map(|account| account.id.to_string());
            let of_account = |kind| renewed.as_ref().map(|account| json!({ "journeyType": kind, "account": account }));
            let words = |list: &[_]| json!(list.iter().take(1).collect::<Vec<_>>());
            let mut opening = json!({ "journeyType": "createAccount" });
            opening["accountTypes"] =
                json!(permitted.account_types.iter().copied().take(1).map(AccountType).collect::<Vec<_>>());
            opening["accountServiceType"] = json!(permitted.service_types.first().copied().map(ServiceType));
            opening["accountCategories"] =
                words(&permitted.categories.iter().copied().map(Category).collect::<Vec<_>>());
            let tries = [Some(opening), of_account("kycRenewal"), of_account("addBankAccount")];
            let body =
                tries.into_iter().flatten().map(|journey| json!({ "journey": journey, "callbackUrl": CALLBACK }));
            let taken = body.into_iter().find(|body| self.takes_journey(client, body))?;
            Some((of_client(client.id), taken))
        })
    }

    fn takes_journey(&self, client: &Arc<Client>, body: &Value) -> bool {
        let text = body.to_string();
        let Ok(tree) = Node::parse(text.as_bytes()) else { return false };
        let partial = read(&tree, Unknown::Ignored, JourneyRequest::rows);
        partial.is_ok_and(|journey| {
            let scope = self.scope(client);
            query::journey_problems(self.world, scope, &sim::command::PartialJourney { scope: Some(scope), ..journey })
                .is_empty()
        })
    }
}

/// Validated bank accounts that proceeds can be paid out to.
fn targets(account: &Account) -> Vec<(&'static str, String, Proceeds)> {
    let validated = account.bank_accounts.iter().filter(|bank| bank.validated);
    validated.map(|bank| ("bankAccount", bank.id.to_string(), Proceeds::PayOut(bank.id))).collect()
}

/// Who may act for the owner of an account.
fn executor(account: &Account) -> Option<PersonalNumber> {
    match account.owner.as_ref() {
        Owner::NaturalPerson(person) => Some(person.ssn),
        Owner::LegalEntity(entity) => entity.signatories.first().map(|signatory| signatory.ssn),
    }
}
