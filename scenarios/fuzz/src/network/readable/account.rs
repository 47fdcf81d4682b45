//! What must be read of an account, its owner, positions and bank accounts.

use super::print::{body, constant, decimal, flag, list, moment, money, or_null, text, text_of, word};
use super::value::Readable;
use sim::World;
use sim::query::{self, PositionView};
use sim::records::{Account, BankAccount, LegalEntity, NaturalPerson, Owner};
use sim::time::Instant;

/// An account, worth what it was at an instant.
pub(in crate::network) fn account(world: &World, it: &Account, at: Instant) -> Readable {
    body([
        ("id", text(it.id)),
        ("sortedId", text(it.sorted_id)),
        ("ref", text(it.reference)),
        ("name", text(&it.name)),
        ("accountType", word(it.account_type)),
        ("status", word(it.status())),
        ("serviceType", word(it.service_type)),
        ("owner", Some(owner(&it.owner))),
        ("balance", money(it.balance)),
        ("amounts", Some(body([("deposited", money(it.deposited)), ("withdrawn", money(it.withdrawn))]))),
        ("positions", list(&query::positions(world, it, at), |view| Some(position(view)))),
        ("category", word(it.category)),
        ("deleted", flag(it.deleted.is_some())),
        ("clientId", text(it.client)),
        ("bankAccounts", list(it.bank_accounts.iter(), |bank| Some(bank_account(bank)))),
        ("currency", constant("SEK")),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
        ("deletedDate", it.deleted.and_then(moment)),
    ])
}

fn position(it: &PositionView) -> Readable {
    body([
        ("instrument", text(it.instrument)),
        ("units", decimal(it.units.get())),
        ("unitsSettled", decimal(it.units_settled.get())),
        ("value", or_null(it.value.and_then(money))),
        ("closePrice", or_null(it.close_price.and_then(decimal))),
        ("gav", decimal(it.gav)),
    ])
}

fn bank_account(it: &BankAccount) -> Readable {
    let digits = |text: String| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let domestic = it.iban.domestic().map_or_else(|| it.iban.bban().to_owned(), |number| digits(number.to_string()));
    body([
        ("id", text(it.id)),
        ("iban", text(it.iban)),
        ("bban", text(domestic)),
        ("bank", text(it.iban.bank().unwrap_or("Unknown bank"))),
        ("name", or_null(text_of(it.name.as_deref()))),
        ("createdDate", moment(it.stamp.created)),
        ("modifiedDate", moment(it.stamp.modified)),
        ("validated", flag(it.validated)),
        ("mandateStatus", word(*it.mandate)),
    ])
}

fn owner(owner: &Owner) -> Readable {
    match owner {
        Owner::NaturalPerson(person) => natural(person),
        Owner::LegalEntity(entity) => legal(entity),
    }
}

fn natural(it: &NaturalPerson) -> Readable {
    body([
        ("ownerType", constant("natural_person")),
        ("firstName", text(&it.first_name)),
        ("lastName", text(&it.last_name)),
        ("fullName", text(format_args!("{} {}", it.first_name, it.last_name))),
        ("ssn", text(it.ssn)),
    ])
}

fn legal(it: &LegalEntity) -> Readable {
    let address = it.address.as_ref().map(|address| {
        body([
            ("streetAddress", text(&address.street_address)),
            ("zipCode", text(&address.zip_code)),
            ("city", text(&address.city)),
            ("country", text(&address.country)),
        ])
    });
    let contact = it.contact_person.as_ref().map(|contact| {
        body([("name", text(&contact.name)), ("phone", text(&contact.phone)), ("email", text(&contact.email))])
    });
    body([
        ("ownerType", constant("legal_entity")),
        ("name", text(&it.name)),
        ("crn", text(it.crn)),
        ("type", text_of(it.form.as_deref())),
        ("registrationCountry", or_null(text_of(it.registration_country.as_deref()))),
        ("countriesOfTaxation", or_null(it.countries_of_taxation.as_ref().and_then(|all| list(all.iter(), text)))),
        ("address", or_null(address)),
        ("contactPerson", or_null(contact)),
        (
            "signatoryGroups",
            list(it.signatories.iter(), |who| {
                Some(body([
                    ("name", text(&who.name)),
                    ("ssn", text(who.ssn)),
                    ("email", or_null(text_of(who.email.as_deref()))),
                ]))
            }),
        ),
    ])
}
