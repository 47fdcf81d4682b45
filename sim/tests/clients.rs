//! Clients: creation, merge patches, permissions.

use crate::common::Bench;
use crate::journeys::{ANNA, START, answers, entity_opening};
use sim::command::{CreateClient, Patch, PatchClient};
use sim::identity::{Iban, OrganisationNumber};
use sim::ids::{ClientId, PartnerId};
use sim::records::{Client, ClientBankAccount, FeeType, JourneyStep, ServiceType};
use sim::{Class, Command, Reply, query};
use std::sync::Arc;

fn create(bench: &Bench) -> CreateClient {
    CreateClient {
        partner: bench.scope.partner,
        id: None,
        name: Arc::from("Second AB"),
        display_name: Arc::from("Second"),
        crn: OrganisationNumber::parse("5599900015").expect("a number"),
        country: Arc::from("SE"),
        bank_accounts: vec![account(FeeType::PartnerFee)],
        service_types: vec![ServiceType::ExecutionOnly, ServiceType::InvestmentAdvise],
    }
}

fn account(fee_type: FeeType) -> ClientBankAccount {
    ClientBankAccount { fee_type, iban: Iban::parse("SE8150000000050000000019").expect("an iban") }
}

fn patch(bench: &Bench) -> PatchClient {
    PatchClient {
        scope: bench.scope,
        name: Patch::Keep,
        display_name: Patch::Keep,
        country: Patch::Keep,
        bank_accounts: Patch::Keep,
        service_types: Patch::Keep,
        names_id: false,
        names_crn: false,
        names_others: false,
    }
}

fn created(bench: &mut Bench, create: CreateClient) -> Arc<Client> {
    match bench.does(Command::CreateClient(Box::new(create))) {
        Ok(Reply::Client(client)) => client,
        other => panic!("no client: {other:?}"),
    }
}

/// (rule: clients/client-permissions, clients/activation-codes, events/events-named)
#[test]
fn a_new_client_may_do_what_the_partner_s_first_may_and_gets_codes() {
    let mut bench = Bench::new(1, START);
    let asked = create(&bench);
    let client = created(&mut bench, asked);
    let first = query::client(&bench.world, bench.scope.client).expect("the first");
    assert_eq!((&client.permissions, &client.universe), (&first.permissions, &first.universe));
    assert!(client.sorted_id > first.sorted_id);
    let codes: Vec<&str> = client.service_types.iter().map(|service| service.code.as_ref()).collect();
    assert!(codes.iter().all(|code| code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit())));
    assert_ne!(codes[0], codes[1]);
    assert!(bench.event_kinds().is_empty(), "a creation is not emitted");
    assert_eq!(query::clients_of(&bench.world, bench.scope.partner).count(), 2);
    let chosen = ClientId::from_u128(42);
    let third = CreateClient {
        id: Some(chosen),
        crn: OrganisationNumber::parse("5599900023").expect("a number"),
        ..create(&bench)
    };
    assert_eq!(created(&mut bench, third).id, chosen);
}

/// (rule: clients/client-identity, clients/client-fee-accounts)
#[test]
fn a_client_that_breaks_a_rule_is_refused_by_the_name_of_the_field() {
    let mut bench = Bench::new(1, START);
    let first = bench.scope.client;
    type Change = Box<dyn Fn(&mut CreateClient)>;
    let rows: Vec<(Change, &str)> = vec![
        (Box::new(|c| c.name = Arc::from(" ")), "name must not be empty"),
        (Box::new(|c| c.display_name = Arc::from("x".repeat(256))), "displayName must be at most 255 characters long"),
        (
            Box::new(|c| c.country = Arc::from("Sweden")),
            "country is not acceptable: a country code of ISO 3166-1 is expected, two capital letters",
        ),
        (
            Box::new(|c| c.bank_accounts = vec![account(FeeType::ClientFee), account(FeeType::ClientFee)]),
            "bankAccounts[1].feeType is given twice",
        ),
        (Box::new(|c| c.service_types.clear()), "serviceTypes must not be empty"),
        (
            Box::new(|c| c.service_types = vec![ServiceType::ExecutionOnly; 2]),
            "serviceTypes[1].accountServiceType is given twice",
        ),
        (Box::new(move |c| c.id = Some(first)), "id is already taken"),
        (Box::new(|c| c.crn = OrganisationNumber::parse("5599900007").expect("a number")), "crn is already taken"),
        (
            Box::new(|c| {
                c.name = Arc::from("");
                c.service_types.clear();
            }),
            "name must not be empty; serviceTypes must not be empty",
        ),
    ];
    for (change, expected) in rows {
        let mut create = create(&bench);
        change(&mut create);
        let digest = bench.world.digest();
        let refusal = bench.does(Command::CreateClient(Box::new(create))).expect_err(expected);
        assert_eq!((refusal.class, refusal.to_string().as_str()), (Class::Malformed, expected));
        assert_eq!(bench.world.digest(), digest);
    }
    let long = CreateClient { display_name: Arc::from("x".repeat(255)), ..create(&bench) };
    assert_eq!(created(&mut bench, long).display_name.len(), 255);
    let of_other_partner = CreateClient { partner: PartnerId::from_u128(1), ..create(&bench) };
    let refusal = bench.does(Command::CreateClient(Box::new(of_other_partner))).expect_err("no such partner");
    assert_eq!(refusal.class, Class::OutOfScope);
}

/// (rule: clients/client-patch)
#[test]
fn only_the_given_fields_change_and_arrays_are_replaced_whole() {
    let mut bench = Bench::new(1, START);
    bench.wait("2026-03-02T09:00:00+01:00");
    let before = Arc::clone(query::client(&bench.world, bench.scope.client).expect("the client"));
    let empty = Command::PatchClient(Box::new(patch(&bench)));
    let Ok(Reply::Client(same)) = bench.does(empty) else { panic!("patched") };
    assert_eq!(same, before);
    assert!(bench.event_kinds().is_empty());
    let some = PatchClient {
        display_name: Patch::Set(Arc::from("New name")),
        bank_accounts: Patch::Set(vec![account(FeeType::ServiceFee)]),
        service_types: Patch::Set(vec![ServiceType::InvestmentAdvise, ServiceType::ExecutionOnly]),
        ..patch(&bench)
    };
    let Ok(Reply::Client(after)) = bench.does(Command::PatchClient(Box::new(some))) else { panic!("patched") };
    assert_eq!(bench.event_kinds(), ["client.update"]);
    assert_eq!((after.display_name.as_ref(), &after.name, &after.country), ("New name", &before.name, &before.country));
    assert_eq!((after.stamp.modified, after.stamp.revision), (bench.world.now(), 1));
    let kept = after.service_types.iter().find(|code| code.service_type == ServiceType::ExecutionOnly);
    assert_eq!(kept, before.service_types.first(), "a service that stays keeps its code");
    let services: Vec<ServiceType> = after.service_types.iter().map(|code| code.service_type).collect();
    assert_eq!(services, [ServiceType::InvestmentAdvise, ServiceType::ExecutionOnly]);
    assert_ne!(after.service_types[0].code, after.service_types[1].code, "a new service gets a code of its own");
    let same = PatchClient { display_name: Patch::Set(Arc::from("New name")), ..patch(&bench) };
    bench.wait("2026-03-02T10:00:00+01:00");
    let Ok(Reply::Client(again)) = bench.does(Command::PatchClient(Box::new(same))) else { panic!("patched") };
    assert_eq!(again.stamp.modified, bench.world.now(), "an accepted patch refreshes the date");
    bench.wait("2026-03-02T11:00:00+01:00");
    let _ = bench.event_kinds();
    let ignored = PatchClient { names_others: true, ..patch(&bench) };
    let Ok(Reply::Client(touched)) = bench.does(Command::PatchClient(Box::new(ignored))) else { panic!("patched") };
    assert_eq!((touched.stamp.modified, bench.event_kinds()), (bench.world.now(), vec!["client.update"]));
    assert_eq!(Client { stamp: again.stamp, ..Client::clone(&touched) }, *again, "nothing else changes");
    let cleared = PatchClient { bank_accounts: Patch::Clear, ..patch(&bench) };
    let Ok(Reply::Client(cleared)) = bench.does(Command::PatchClient(Box::new(cleared))) else { panic!("patched") };
    assert!(cleared.bank_accounts.is_empty());
}

/// (rule: clients/client-patch)
#[test]
fn what_must_stay_cannot_be_patched_away() {
    let mut bench = Bench::new(1, START);
    type Row = (fn(&mut PatchClient), &'static str);
    let rows: [Row; 6] = [
        (|p| p.names_id = true, "id cannot be changed"),
        (|p| p.names_crn = true, "crn cannot be changed"),
        (|p| p.name = Patch::Clear, "name is required"),
        (|p| p.display_name = Patch::Clear, "displayName is required"),
        (|p| p.country = Patch::Clear, "country is required"),
        (|p| p.service_types = Patch::Clear, "serviceTypes is required"),
    ];
    for (change, expected) in rows {
        let mut patch = patch(&bench);
        change(&mut patch);
        let digest = bench.world.digest();
        let refusal = bench.does(Command::PatchClient(Box::new(patch))).expect_err(expected);
        assert_eq!((refusal.class, refusal.to_string().as_str()), (Class::Malformed, expected));
        assert_eq!(bench.world.digest(), digest);
    }
}

/// (rule: money/organisation-number)
#[test]
fn the_check_digit_of_a_number_counts_where_identifiers_are_strict() {
    for (strict, crn, fits) in [
        (false, "5599900015", true),
        (false, "5599900016", true),
        (true, "5599900015", true),
        (true, "5599900016", false),
    ] {
        let mut setup = crate::common::setup();
        setup.settings.strict_identifiers = strict;
        let mut bench = Bench::of(&setup, 1, START);
        let crn_parsed = OrganisationNumber::parse(crn).expect("a number");
        let asked = Command::CreateClient(Box::new(CreateClient { crn: crn_parsed, ..create(&bench) }));
        let complaint = bench.does(asked).err().map(|refusal| refusal.to_string());
        let expected = (!fits).then_some("crn is not acceptable: its check digit is wrong");
        assert_eq!(complaint.as_deref(), expected, "{crn}, strict: {strict}");

        let journey = bench.opened(entity_opening());
        bench.answer(journey, JourneyStep::Authentication, answers(&[("ssn", ANNA)])).expect("authenticates");
        let details = answers(&[("category", "retail"), ("crn", crn)]);
        let complaint = bench.answer(journey, JourneyStep::AccountDetails, details).err();
        assert_eq!(complaint.map(|refusal| refusal.to_string()).as_deref(), expected, "{crn}, strict: {strict}");
    }
}
