//! What `fake` draws from where people are Swedish: names, streets, towns, trades, reserved e-mail domains and telephones.
//!
//! Owns: the lists, as locales of `fake`, which has none for Sweden. Invariant: a locale replaces every list that the fakers
//! used with it read, so nothing comes from the crate's own lists. Absent on purpose: banks, funds and insurers among the trades,
//! and anything that leads to a real person.

use fake::locales::Data;

/// First names of women.
#[derive(Clone, Copy)]
pub(super) struct Women;
/// First names of men.
#[derive(Clone, Copy)]
pub(super) struct Men;
/// Family names, e-mail domains and telephones.
#[derive(Clone, Copy)]
pub(super) struct Swedish;
/// Streets, and towns with their postal codes.
#[derive(Clone, Copy)]
pub(super) struct Places;
/// Names of companies, without their legal form.
#[derive(Clone, Copy)]
pub(super) struct Companies;

#[rustfmt::skip]
impl Data for Women {
    const NAME_FIRST_NAME: &'static [&'static str] = &[
        "Agnes", "Alice", "Alva", "Amina", "Anita", "Annika", "Astrid", "Birgitta", "Britta", "Cecilia", "Ebba", "Elin", "Ellen",
        "Elsa", "Emma", "Eva", "Fatima", "Frida", "Greta", "Gunilla", "Hanna", "Ida", "Ingrid", "Jenny", "Josefin", "Karin",
        "Katarina", "Kerstin", "Kristina", "Leila", "Lena", "Linnéa", "Lovisa", "Maja", "Malin", "Maria", "Matilda", "Märta", "Moa",
        "Monica", "Nora", "Pernilla", "Sara", "Signe", "Siv", "Sofia", "Stina", "Tove", "Tuva", "Tyra", "Ulla", "Ulrika", "Vera",
        "Viktoria", "Wilma", "Ylva", "Zahra", "Åsa",
    ];
}

#[rustfmt::skip]
impl Data for Men {
    const NAME_FIRST_NAME: &'static [&'static str] = &[
        "Ahmed", "Ali", "Anders", "Anton", "Arvid", "Axel", "Bengt", "Björn", "Bo", "Carl", "Christer", "Daniel", "Elias", "Emil",
        "Erik", "Filip", "Fredrik", "Göran", "Gustav", "Hassan", "Håkan", "Henrik", "Hugo", "Ivar", "Jakob", "Johan", "Jonas",
        "Kjell", "Lars", "Leif", "Ludvig", "Magnus", "Mats", "Mikael", "Nils", "Olle", "Omar", "Oskar", "Per", "Robin", "Rolf",
        "Sebastian", "Simon", "Stefan", "Sven", "Thomas", "Tobias", "Torsten", "Ulf", "Valter", "Viktor", "Åke", "Östen",
    ];
}

/// Family names: of people, and in the names of companies.
#[rustfmt::skip]
const FAMILIES: &[&str] = &[
    "Abrahamsson", "Ahmadi", "Alm", "Andersson", "Axelsson", "Berg", "Bergman", "Björk", "Blom", "Borg", "Bäckström", "Dahl",
    "Dahlberg", "Ek", "Eklund", "Ekman", "Engström", "Eriksson", "Falk", "Forsberg", "Fransson", "Gran", "Gustafsson", "Haddad",
    "Hallberg", "Hansson", "Hedlund", "Hellström", "Hermansson", "Holm", "Håkansson", "Isaksson", "Jansson", "Johansson",
    "Karlsson", "Kovačević", "Larsson", "Lind", "Lindberg", "Lindgren", "Lindqvist", "Lund", "Lundgren", "Löfgren", "Mattsson",
    "Molin", "Månsson", "Nguyen", "Nilsson", "Norberg", "Nyström", "Olsson", "Palm", "Persson", "Sandström", "Sjöberg",
    "Sjögren", "Strand", "Ström", "Svensson", "Söderberg", "Viklund", "Wallin", "Yılmaz", "Åberg", "Åkesson", "Öberg",
];

#[rustfmt::skip]
impl Data for Swedish {
    const NAME_LAST_NAME: &'static [&'static str] = FAMILIES;
    // RFC 2606 reserves them.
    const INTERNET_FREE_EMAIL_PROVIDER: &'static [&'static str] =
        &["example.com", "example.net", "example.org", "post.example", "brev.example"];
    // The telecom authority keeps 070-174 06 05 to 99, 08-465 004 00 to 99, 031-390 06 00 to 99 and 040-628 04 00 to 99 for
    // fiction. A `^` is a digit from 1, a `#` any.
    const PHONE_CELL_NUMBER_FORMATS: &'static [&'static str] = &["+46 70 174 06 ^#"];
    const PHONE_NUMBER_FORMATS: &'static [&'static str] = &["+46 8 465 004 ##", "+46 31 390 06 ##", "+46 40 628 04 ##"];
}

/// First halves of the names of streets.
#[rustfmt::skip]
const STREETS: &[&str] = &[
    "Aspen", "Back", "Björk", "Brunns", "Ek", "Fågel", "Gran", "Hag", "Hassel", "Kvarn", "Kyrko", "Lönn", "Park", "Skogs", "Skol",
    "Slotts", "Strand", "Tall", "Torg", "Trädgårds", "Ängs", "Åker", "Östra Bro",
];

/// Characters of a postal code.
pub(super) const ZIP_CODE: usize = "113 45".len();

#[rustfmt::skip]
impl Data for Places {
    // `StreetName` puts a first or a family name before its suffix.
    const NAME_FIRST_NAME: &'static [&'static str] = STREETS;
    const NAME_LAST_NAME: &'static [&'static str] = STREETS;
    const ADDRESS_STREET_SUFFIX: &'static [&'static str] = &["gatan", "vägen", "stigen", "gränd"];
    const ADDRESS_STREET_TPL: &'static str = "{StreetName}{StreetSuffix}";
    const ADDRESS_BUILDING_NUMBER_FORMATS: &'static [&'static str] = &["^", "^", "^#", "^ A", "^# B"];
    // A town comes with its postal code, so that the two fit.
    const ADDRESS_POSTCODE_FORMATS: &'static [&'static str] = &[
        "11# ## Stockholm", "12# ## Stockholm", "211 ## Malmö", "223 ## Lund", "25# ## Helsingborg", "302 ## Halmstad",
        "352 ## Växjö", "392 ## Kalmar", "411 ## Göteborg", "416 ## Göteborg", "503 ## Borås", "553 ## Jönköping",
        "582 ## Linköping", "602 ## Norrköping", "621 ## Visby", "632 ## Eskilstuna", "652 ## Karlstad", "702 ## Örebro",
        "722 ## Västerås", "753 ## Uppsala", "791 ## Falun", "802 ## Gävle", "831 ## Östersund", "852 ## Sundsvall",
        "903 ## Umeå", "972 ## Luleå", "981 ## Kiruna",
    ];
}

#[rustfmt::skip]
impl Data for Companies {
    const NAME_LAST_NAME: &'static [&'static str] = FAMILIES;
    // What `fake` calls a suffix is the trade here: the legal form follows the number.
    const COMPANY_SUFFIX: &'static [&'static str] = &[
        "Bageri", "Bokhandel", "Bygg", "Cykel", "Elteknik", "Fiske", "Glas", "Keramik", "Konsult", "Kök", "Måleri", "Mekaniska",
        "Musik", "Optik", "Plåt", "Skog", "Smide", "Snickeri", "Tryckeri", "Trädgård", "Åkeri",
    ];
    const COMPANY_NAME_TPLS: &'static [&'static str] =
        &["{Name_1} {Suffix}", "{Name_1} {Suffix}", "{Name_1} och {Name_2} {Suffix}"];
}
