//! Bodies that the world would take as it is now: of the accounts and funds that there are, the first that the checks of the
//! operation have nothing against.
//!
//! Invariant: where the world has checks that change nothing, they choose the body; elsewhere the document's example has
//! ids of the partner's resources. Absent on purpose: every rule of what is acceptable.

use super::partner_view::{Ids, Lack, PartnerView};
use super::subjects::{none, of_account, of_client, of_fund};
use serde_json::{Value, json};
use sim::Problem;
use sim::command::{PlaceOrder, Scope, Withdraw, WithdrawalType};
use sim::identity::{InstrumentId, OrganisationNumber, PersonalNumber};
use sim::money::{Amount, Units};
use sim::query;
use sim::records::{Account, Client, MandateStatus, Owner, Proceeds, Side};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wire::journeys::JourneyRequest;
use wire::json::Node;
use wire::rows::fields::{Unknown, read};
use wire::rows::shape::Shape as _;
use wire::words::{AccountType, Category, ServiceType};

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

/// Amounts of orders that are tried, in kronor, the smallest first.
const AMOUNTS: [i64; 3] = [1_000, 5_000, 10_000];
/// The amount of a withdrawal, in kronor.
const WITHDRAWN: i64 = 100;
/// How many bodies are checked. A check is as long as that of a request, and the world is locked meanwhile.
const MOST_TRIES: usize = 200;
/// How many of them are of one account, so that others have their turn.
const MOST_TRIES_OF_ACCOUNT: usize = 20;
/// Where callbacks of a new journey go.
const CALLBACK: &str = "https://partner.example/callback";

/// What an operation sends: the ids in its path, and its body.
type Sent = (Ids, Value);
/// Where the proceeds of a sale go: the field that says so, its value, and what that means.
type Target = (&'static str, String, Proceeds);

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
    pub(super) fn body_of(&self, id: &str) -> Option<Result<Sent, Lack>> {
        Some(match id {
            "createOrder" => self.order(),
            "createOrderWithdrawal" => self.sale(|_, account| targets(account), "bankAccountId"),
            "createRedemptionTransfer" => {
                self.sale(|client, account| self.other_accounts(client, account), "destinationAccount")
            }
            "createWithdrawal" => self.withdrawal(),
            "createInstruction" => self.instruction_body(),
            "createMobilePayment" => self.mobile_payment(),
            "createClient" => self.client(),
            "patchClient" => self.client_patch(),
            "patchAllocationPlan" => self.plan_patch(),
            "createJourney" => self.journey(),
            _ => return None,
        })
    }

    fn scope(&self, client: &Client) -> Scope {
        Scope { partner: self.partner, client: client.id }
    }

    /// Accounts with at least so many kronor that can be spent.
    fn accounts_with(&self, kronor: i64) -> impl Iterator<Item = (&Arc<Client>, Arc<Account>)> {
        let least = Amount::from_ore(kronor * 100);
        self.every_account().filter(move |(_, account)| account.spendable() >= least)
    }

    /// The first of these that there is none of: an account, one that `has` what `what` names, what `otherwise` names.
    fn lacks(&self, what: &str, has: impl Fn(&Account) -> bool, otherwise: &str) -> Lack {
        let mut accounts = self.every_account().map(|(_, account)| account).peekable();
        let absent = if accounts.peek().is_none() {
            "accountId"
        } else if !accounts.any(|account| has(&account)) {
            what
        } else {
            otherwise
        };
        Lack::Resource(none(absent))
    }

    /// A subscription.
    fn order(&self) -> Result<Sent, Lack> {
        let mut funds = BTreeMap::new();
        let tries = self.accounts_with(AMOUNTS[0]).flat_map(|(client, account)| {
            let funds = funds.entry(client.id).or_insert_with(|| self.funds(client.id));
            let tries = funds.iter().flat_map(|fund| AMOUNTS.map(|kronor| (*fund, kronor)));
            let payable = tries.filter(|(_, kronor)| Amount::from_ore(kronor * 100) <= account.spendable());
            let few = payable.take(MOST_TRIES_OF_ACCOUNT);
            few.map(|(fund, kronor)| (client, Arc::clone(&account), fund, kronor)).collect::<Vec<_>>()
        });
        let taken = first_taken(tries, |(client, account, fund, kronor)| {
            let order = PlaceOrder {
                amount: Some(Amount::from_ore(kronor * 100)),
                ..self.plain_order(client, account, Side::Subscription, *fund)
            };
            query::order_refusal(self.world, &order).map(|refusal| refusal.to_string())
        });
        let least = Amount::from_ore(AMOUNTS[0] * 100);
        let (_, account, fund, kronor) = taken.map_err(|refused| {
            refused.unwrap_or_else(|| self.lacks("cash", |it| it.spendable() >= least, "instrumentId"))
        })?;
        let body = json!({
            "orderType": "subscription", "account": account.id.to_string(), "instrument": fund.to_string(), "amount": kronor,
        });
        Ok((of_account(&account), body))
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

    /// A redemption of one unit whose proceeds go to the first place that the world takes; `otherwise` is what there is none
    /// of where there are no places.
    fn sale(&self, places: impl Fn(&Client, &Account) -> Vec<Target>, otherwise: &str) -> Result<Sent, Lack> {
        let tries = self.every_account().filter(|(_, account)| has_units(account)).flat_map(|(client, account)| {
            let Some(person) = executor(&account) else { return Vec::new() };
            let places = places(client, &account);
            let funds = account.positions.iter().map(|position| position.instrument);
            let pairs = funds.flat_map(|fund| places.iter().map(move |place| (fund, place.clone())));
            let few = pairs.take(MOST_TRIES_OF_ACCOUNT);
            few.map(|(fund, place)| (client, Arc::clone(&account), person, fund, place)).collect()
        });
        let taken = first_taken(tries, |(client, account, person, fund, (_, _, proceeds))| {
            let order = PlaceOrder {
                units: Units::parse("1").ok(),
                executor: Some(*person),
                proceeds: *proceeds,
                ..self.plain_order(client, account, Side::Redemption, *fund)
            };
            query::order_refusal(self.world, &order).map(|refusal| refusal.to_string())
        });
        let (_, account, person, fund, (field, target, _)) =
            taken.map_err(|refused| refused.unwrap_or_else(|| self.lacks("position", has_units, otherwise)))?;
        let body = json!({
            "orderType": "redemption", "account": account.id.to_string(), "instrument": fund.to_string(), "units": 1,
            field: target, "executorRef": person.to_string(),
        });
        Ok((of_account(&account), body))
    }

    fn other_accounts(&self, client: &Client, account: &Account) -> Vec<Target> {
        let others = self.accounts(client.id).filter(|other| other.id != account.id && other.owner == account.owner);
        others.map(|other| ("destinationAccount", other.id.to_string(), Proceeds::Transfer(other.id))).collect()
    }

    fn withdrawal(&self) -> Result<Sent, Lack> {
        let tries = self.accounts_with(WITHDRAWN).flat_map(|(client, account)| {
            let person = executor(&account);
            let banks = account.bank_accounts.iter().take(MOST_TRIES_OF_ACCOUNT);
            let tries = banks.filter_map(|bank| Some((client, Arc::clone(&account), bank.id, person?)));
            tries.collect::<Vec<_>>()
        });
        let taken = first_taken(tries, |(client, account, bank_account, executor)| {
            let withdraw = Withdraw {
                scope: self.scope(client),
                account: account.id,
                kind: WithdrawalType::Amount,
                amount: Some(Amount::from_ore(WITHDRAWN * 100)),
                bank_account: *bank_account,
                client_ref: None,
                executor: *executor,
            };
            query::withdrawal_refusal(self.world, &withdraw).map(|refusal| refusal.to_string())
        });
        let least = Amount::from_ore(WITHDRAWN * 100);
        let (_, account, bank, person) = taken.map_err(|refused| {
            refused.unwrap_or_else(|| self.lacks("cash", |it| it.spendable() >= least, "bankAccountId"))
        })?;
        let body = json!({
            "withdrawalType": "amount", "amount": WITHDRAWN, "bankAccount": bank.to_string(), "executorRef": person.to_string(),
        });
        Ok((of_account(&account), body))
    }

    /// A charge where the account has a mandate, a transfer elsewhere; its reference is new.
    fn instruction_body(&self) -> Result<Sent, Lack> {
        let mut may: Vec<_> = self.every_account().filter(|(client, _)| client.permissions.autogiro).collect();
        let has_mandate =
            |account: &Account| account.bank_accounts.iter().any(|it| it.mandate == MandateStatus::Active);
        let with_mandate = may.iter().position(|(_, account)| has_mandate(account));
        let kind = if with_mandate.is_some() { "autogiro" } else { "bankTransfer" };
        if may.is_empty() {
            return Err(self.lacks("accountId", |_| true, "autogiro"));
        }
        let (client, account) = may.swap_remove(with_mandate.unwrap_or_default());
        let is_taken = |name: &str| query::has_payment_ref(self.world, client.id, name);
        let name = (1_u32..).map(|number| format!("docs-{number}")).find(|name| !is_taken(name));
        let payment = json!({ "account": account.id.to_string(), "amount": 500, "clientRef": name });
        Ok((of_account(&account), json!({ "type": kind, "payments": [payment] })))
    }

    fn mobile_payment(&self) -> Result<Sent, Lack> {
        let found = self.every_account().find(|(client, _)| client.permissions.mobile_payment);
        let (_, account) = found.ok_or_else(|| self.lacks("accountId", |_| true, "mobilePayment"))?;
        Ok((of_account(&account), json!({ "amount": 100, "type": "same_device" })))
    }

    /// A company that no partner has got yet.
    fn client(&self) -> Result<Sent, Lack> {
        let taken: BTreeSet<_> = query::clients(self.world).map(|client| client.crn).collect();
        let numbers = (0_u64..100_000).map(|number| format!("55670{number:05}"));
        let crn = numbers
            .filter_map(|number| OrganisationNumber::parse(&number).ok())
            .find(|crn| !taken.contains(crn))
            .ok_or_else(|| Lack::Refused("crn is taken".to_owned()))?;
        let body = json!({
            "name": "Blåbär Spar AB", "displayName": "Blåbär Spar", "crn": crn.to_string(), "country": "SE",
            "serviceTypes": [{ "accountServiceType": "executionOnly" }],
        });
        Ok((Ids::new(), body))
    }

    fn client_patch(&self) -> Result<Sent, Lack> {
        let client = self.clients().next().ok_or_else(|| Lack::Resource(none("clientId")))?;
        Ok((of_client(client.id), json!({ "displayName": &*client.display_name })))
    }

    /// The first fund of the plan, alone.
    fn plan_patch(&self) -> Result<Sent, Lack> {
        let plan = self.newest(query::newest_allocation_plans, |plan| !plan.instruments.is_empty());
        let plan = plan.ok_or_else(|| Lack::Resource(none("allocationPlanId")))?;
        let fund = plan.instruments[0].instrument;
        let mut ids = of_client(plan.client);
        ids.extend(of_fund(fund));
        ids.insert("allocationPlanId", plan.id.to_string());
        Ok((ids, json!({ "instruments": [{ "instrument": fund.to_string(), "allocation": 100 }] })))
    }

    /// A journey that the client may start: a new account, or new answers for one that is there.
    fn journey(&self) -> Result<Sent, Lack> {
        let tries = self.clients().flat_map(|client| self.journeys(client).map(move |journey| (client, journey)));
        let bodies = tries.map(|(client, journey)| (client, json!({ "journey": journey, "callbackUrl": CALLBACK })));
        let taken = first_taken(bodies, |(client, body)| self.journey_refusal(client, body));
        let (client, body) = taken.map_err(|refused| refused.unwrap_or_else(|| Lack::Resource(none("clientId"))))?;
        Ok((of_client(client.id), body))
    }

    fn journeys(&self, client: &Client) -> impl Iterator<Item = Value> + use<> {
        let permitted = &client.permissions;
        let renewed = self.accounts(client.id).next().map(|account| account.id.to_string());
        let of_account = |kind| renewed.as_ref().map(|account| json!({ "journeyType": kind, "account": account }));
        let mut opening = json!({ "journeyType": "createAccount" });
        opening["accountTypes"] =
            json!(permitted.account_types.iter().copied().take(1).map(AccountType).collect::<Vec<_>>());
        opening["accountServiceType"] = json!(permitted.service_types.first().copied().map(ServiceType));
        opening["accountCategories"] =
            json!(permitted.categories.iter().copied().take(1).map(Category).collect::<Vec<_>>());
        [Some(opening), of_account("kycRenewal"), of_account("addBankAccount")].into_iter().flatten()
    }

    fn journey_refusal(&self, client: &Client, body: &Value) -> Option<String> {
        let text = body.to_string();
        let tree = match Node::parse(text.as_bytes()) {
            Ok(tree) => tree,
            Err(error) => return Some(error.to_string()),
        };
        let partial = match read(&tree, Unknown::Ignored, JourneyRequest::rows) {
            Ok(partial) => partial,
            Err(error) => return Some(error.description),
        };
        let scope = self.scope(client);
        let journey = sim::command::PartialJourney { scope: Some(scope), ..partial };
        let problems = query::journey_problems(self.world, scope, &journey);
        (!problems.is_empty()).then(|| all_of(&problems))
    }
}

/// The first of `tries` that `refusal` has nothing against, among the first [`MOST_TRIES`].
///
/// # Errors
/// What the last one was refused for; nothing where there was none.
fn first_taken<T>(tries: impl Iterator<Item = T>, refusal: impl Fn(&T) -> Option<String>) -> Result<T, Option<Lack>> {
    let mut last = None;
    for tried in tries.take(MOST_TRIES) {
        match refusal(&tried) {
            None => return Ok(tried),
            Some(text) => last = Some(Lack::Refused(text)),
        }
    }
    Err(last)
}

/// Problems as a refusal says them.
fn all_of(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn has_units(account: &Account) -> bool {
    account.positions.iter().any(|position| !position.units.is_zero())
}

/// Validated bank accounts that proceeds can be paid out to.
fn targets(account: &Account) -> Vec<Target> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn so_many_bodies_are_checked_and_the_words_of_the_last_refusal_are_kept() {
        let checked = Cell::new(0);
        let taken = first_taken(0_usize.., |tried| {
            checked.set(checked.get() + 1);
            (*tried < 10 * MOST_TRIES).then(|| format!("body {tried}"))
        });
        let last = Lack::Refused(format!("body {}", MOST_TRIES - 1));
        assert_eq!((taken, checked.get()), (Err(Some(last)), MOST_TRIES));
        assert_eq!(first_taken(std::iter::empty::<usize>(), |_| None), Err(None));
        assert_eq!(first_taken(0..3, |tried| (*tried < 2).then(String::new)), Ok(2));
    }
}
