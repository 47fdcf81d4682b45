//! Accounts that come to be at once, from the setup or by lever (rule: accounts/how-accounts-open).
//!
//! Invariant: opening cash and positions are real settled transactions against the opening account, so the books agree
//! from the first day. Absent on purpose: journeys.

use crate::calendar::years_later;
use crate::command::{OpenAccount, OpenBankAccount};
use crate::event::{Change, Delta};
use crate::flows::{bank, screening, securities};
use crate::identity::{InstrumentId, PersonalNumber};
use crate::ids::{AccountId, ClientId};
use crate::ledger::{NewCash, NewFund};
use crate::machines::Current;
use crate::machines::account::State;
use crate::money::{Amount, Units, product};
use crate::people;
use crate::records::{
    Account, AccountType, BankAccount, CashBooking, FeeFile, FundBooking, NaturalPerson, Owner, OwnerKey, Stamp,
};
use crate::refusal::{Class, Fault, Problem, Refusal};
use crate::reply::Reply;
use crate::world::World;
use rust_decimal::Decimal;
use std::sync::Arc;

/// What opening bookings refer to (rule: accounts/how-accounts-open).
const OPENING: &str = "opening";

/// `OpenAccount`: active at once, with its opening cash and positions.
pub(crate) fn open(world: &mut World, open: OpenAccount) -> Result<Reply, Refusal> {
    world.client_in_scope(open.scope)?;
    check(world, &open)?;
    // Nothing below can fail.
    let client = open.scope.client;
    let owner = match open.owner {
        Some(owner) => owner,
        None => Owner::NaturalPerson(people::person(&mut world.id_sources.people)),
    };
    let settings = &world.setup.settings;
    let exposed = screening::exposed(world, &owner, None);
    let kyc_years = if exposed { settings.journeys.kyc_high_risk_years } else { settings.kyc_years };
    let id = create(
        world,
        client,
        Blank {
            account_type: open.account_type,
            owner: Arc::new(owner),
            name: open.name,
            service_type: open.service_type,
            category: open.category,
            fund_knowledge: open.fund_knowledge,
            first: State::Active,
            kyc_years,
        },
    );
    connect(world, id, &open.bank_accounts);
    if open.cash.is_positive() || !open.positions.is_empty() {
        world.change_account(id, |world| book_opening(world, id, open.cash, &open.positions));
    }
    Ok(Reply::Account(Arc::clone(world.accounts.known(id))))
}

fn check(world: &World, open: &OpenAccount) -> Result<(), Refusal> {
    let mut problems = Vec::new();
    if open.cash < Amount::ZERO {
        problems.push(Problem::new("cash", Fault::NotPositive));
    }
    for (at, (instrument, units)) in open.positions.iter().enumerate() {
        if !units.is_positive() {
            problems.push(Problem::new(format!("positions[{at}].units"), Fault::NotPositive));
        }
        if open.positions[..at].iter().any(|(earlier, _)| earlier == instrument) {
            problems.push(Problem::new(format!("positions[{at}].instrument"), Fault::Duplicate));
        }
    }
    if matches!(open.owner, Some(Owner::LegalEntity(_))) && open.account_type == AccountType::Isk {
        let because = "only a natural person can own an ISK";
        problems.push(Problem::new("accountType", Fault::NotForThisAccountType { because }));
    }
    Refusal::unless_empty(Class::Malformed, problems)?;
    let unknown = |(at, (instrument, _)): (usize, &(InstrumentId, Units))| {
        let fault = match world.market.quote(*instrument) {
            None => Fault::NotFound,
            Some(quote) if quote.close(world.now).is_none() => Fault::NoPriceYet,
            Some(quote) if quote.ended.is_some() => Fault::Suspended,
            Some(_) => return None,
        };
        Some(Problem::new(format!("positions[{at}].instrument"), fault))
    };
    Refusal::unless_empty(Class::InstrumentUnknown, open.positions.iter().enumerate().filter_map(unknown).collect())?;
    let mut positions = open.positions.iter().enumerate();
    positions.try_for_each(|(at, &(instrument, units))| {
        securities::fund_checks::check_fits_api(world, instrument, units, &format!("positions[{at}].units"))
    })
}

/// What a new account starts from.
pub(crate) struct Blank {
    pub(crate) account_type: AccountType,
    pub(crate) owner: Arc<Owner>,
    pub(crate) name: Option<Arc<str>>,
    pub(crate) service_type: crate::records::ServiceType,
    pub(crate) category: crate::records::Category,
    pub(crate) fund_knowledge: bool,
    pub(crate) first: State,
    pub(crate) kyc_years: u32,
}

/// Creates an empty account in the owner's file, and emits its event.
pub(crate) fn create(world: &mut World, client: ClientId, blank: Blank) -> AccountId {
    let now = world.now;
    let reference = world.id_sources.account_ref(now);
    screening::note_owner(world, &blank.owner);
    let file = world.owners.or_default((client, blank.owner.key()));
    // Most owners have one account.
    file.accounts.reserve_exact(usize::from(file.accounts.is_empty()));
    let account = world.accounts.insert_new(now, |id, sorted_id| Account {
        id,
        sorted_id,
        reference,
        client,
        name: blank.name.unwrap_or_else(|| Arc::from(default_name(blank.account_type))),
        account_type: blank.account_type,
        service_type: blank.service_type,
        category: blank.category,
        owner: blank.owner,
        bank_accounts: Arc::clone(&file.bank_accounts),
        state: Current::first(blank.first),
        deleted: None,
        balance: Amount::ZERO,
        deposited: Amount::ZERO,
        withdrawn: Amount::ZERO,
        positions: Vec::new(),
        reserved: Amount::ZERO,
        subscribed: Amount::ZERO,
        kyc_valid_until: years_later(now.local_date(), blank.kyc_years),
        fund_knowledge: blank.fund_knowledge,
        stamp: Stamp::new(now),
    });
    let id = account.id;
    file.accounts.push(id);
    world.visits.begun(client, blank.first);
    if blank.first == State::Active {
        world.fees.insert(id, Arc::new(FeeFile::beginning(now.local_date())));
    }
    world.emit(Some(client), Change::Account(Delta::Created(account)));
    id
}

/// Shown name of an account nobody named (rule: accounts/default-name).
const fn default_name(account_type: AccountType) -> &'static str {
    match account_type {
        AccountType::Isk => "ISK",
        AccountType::Depot => "Depå",
        AccountType::Insurance => "Kapitalförsäkring",
    }
}

/// Somebody as registered with `client`: as the owner of their oldest account; none for who has never had one there.
#[must_use]
pub fn registered_person(world: &World, client: ClientId, ssn: PersonalNumber) -> Option<&NaturalPerson> {
    let oldest = world.owners.get(&(client, OwnerKey::Ssn(ssn)))?.accounts.first()?;
    match world.accounts.known(*oldest).owner.as_ref() {
        Owner::NaturalPerson(person) => Some(person),
        Owner::LegalEntity(_) => None,
    }
}

/// Adds bank accounts to the owner's file; those whose IBAN is already there stay as they are.
fn connect(world: &mut World, account: AccountId, new: &[OpenBankAccount]) {
    let record = world.accounts.known(account);
    let key = (record.client, record.owner.key());
    let mut all: Vec<Arc<BankAccount>> = world.owners[&key].bank_accounts.to_vec();
    for bank in new {
        if all.iter().any(|known| known.iban == bank.iban) {
            continue;
        }
        all.push(bank::accounts::file(world, key, bank));
    }
    if all.len() > world.owners[&key].bank_accounts.len() {
        bank::accounts::share(world, key, all);
    }
}

fn book_opening(world: &mut World, account: AccountId, cash: Amount, positions: &[(InstrumentId, Units)]) {
    if cash.is_positive() {
        let reference = Some(Arc::from(OPENING));
        world.book_cash(NewCash { reference, ..NewCash::new(account, CashBooking::Opening, cash) });
    }
    for &(instrument, units) in positions {
        let close = world.market.known(instrument).close(world.now).expect("checked: the fund has a price");
        let in_sek = world.market.close_in_sek(instrument, world.now).unwrap_or(Decimal::ZERO);
        world.book_fund(NewFund {
            reference: Some(Arc::from(OPENING)),
            trade: Some((close.price, close.day)),
            cost: product(units.get(), in_sek),
            ..NewFund::new(account, FundBooking::Opening, instrument, units)
        });
    }
}
