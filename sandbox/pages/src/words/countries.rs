//! Countries as pages name them: in English as ISO 3166-1 does, in Swedish by a table of our own.
//!
//! Invariant: every country of the standard has a Swedish name, and nothing else has one. Absent on purpose: which codes are
//! countries, which the world knows (`sim::identity::country`).

use sim::identity::country;

use super::super::lang::Lang;

/// Swedish names, in the order of their codes.
#[rustfmt::skip]
const SWEDISH: [(&str, &str); 249] = [
    ("AD", "Andorra"), ("AE", "Förenade Arabemiraten"), ("AF", "Afghanistan"), ("AG", "Antigua och Barbuda"),
    ("AI", "Anguilla"), ("AL", "Albanien"), ("AM", "Armenien"), ("AO", "Angola"), ("AQ", "Antarktis"),
    ("AR", "Argentina"), ("AS", "Amerikanska Samoa"), ("AT", "Österrike"), ("AU", "Australien"), ("AW", "Aruba"),
    ("AX", "Åland"), ("AZ", "Azerbajdzjan"), ("BA", "Bosnien och Hercegovina"), ("BB", "Barbados"),
    ("BD", "Bangladesh"), ("BE", "Belgien"), ("BF", "Burkina Faso"), ("BG", "Bulgarien"), ("BH", "Bahrain"),
    ("BI", "Burundi"), ("BJ", "Benin"), ("BL", "Saint-Barthélemy"), ("BM", "Bermuda"), ("BN", "Brunei"),
    ("BO", "Bolivia"), ("BQ", "Karibiska Nederländerna"), ("BR", "Brasilien"), ("BS", "Bahamas"), ("BT", "Bhutan"),
    ("BV", "Bouvetön"), ("BW", "Botswana"), ("BY", "Belarus"), ("BZ", "Belize"), ("CA", "Kanada"),
    ("CC", "Kokosöarna"), ("CD", "Demokratiska republiken Kongo"), ("CF", "Centralafrikanska republiken"),
    ("CG", "Republiken Kongo"), ("CH", "Schweiz"), ("CI", "Elfenbenskusten"), ("CK", "Cooköarna"), ("CL", "Chile"),
    ("CM", "Kamerun"), ("CN", "Kina"), ("CO", "Colombia"), ("CR", "Costa Rica"), ("CU", "Kuba"), ("CV", "Kap Verde"),
    ("CW", "Curaçao"), ("CX", "Julön"), ("CY", "Cypern"), ("CZ", "Tjeckien"), ("DE", "Tyskland"), ("DJ", "Djibouti"),
    ("DK", "Danmark"), ("DM", "Dominica"), ("DO", "Dominikanska republiken"), ("DZ", "Algeriet"), ("EC", "Ecuador"),
    ("EE", "Estland"), ("EG", "Egypten"), ("EH", "Västsahara"), ("ER", "Eritrea"), ("ES", "Spanien"),
    ("ET", "Etiopien"), ("FI", "Finland"), ("FJ", "Fiji"), ("FK", "Falklandsöarna"), ("FM", "Mikronesien"),
    ("FO", "Färöarna"), ("FR", "Frankrike"), ("GA", "Gabon"), ("GB", "Storbritannien"), ("GD", "Grenada"),
    ("GE", "Georgien"), ("GF", "Franska Guyana"), ("GG", "Guernsey"), ("GH", "Ghana"), ("GI", "Gibraltar"),
    ("GL", "Grönland"), ("GM", "Gambia"), ("GN", "Guinea"), ("GP", "Guadeloupe"), ("GQ", "Ekvatorialguinea"),
    ("GR", "Grekland"), ("GS", "Sydgeorgien och Sydsandwichöarna"), ("GT", "Guatemala"), ("GU", "Guam"),
    ("GW", "Guinea-Bissau"), ("GY", "Guyana"), ("HK", "Hongkong"), ("HM", "Heard- och McDonaldöarna"),
    ("HN", "Honduras"), ("HR", "Kroatien"), ("HT", "Haiti"), ("HU", "Ungern"), ("ID", "Indonesien"), ("IE", "Irland"),
    ("IL", "Israel"), ("IM", "Isle of Man"), ("IN", "Indien"), ("IO", "Brittiska territoriet i Indiska oceanen"),
    ("IQ", "Irak"), ("IR", "Iran"), ("IS", "Island"), ("IT", "Italien"), ("JE", "Jersey"), ("JM", "Jamaica"),
    ("JO", "Jordanien"), ("JP", "Japan"), ("KE", "Kenya"), ("KG", "Kirgizistan"), ("KH", "Kambodja"),
    ("KI", "Kiribati"), ("KM", "Komorerna"), ("KN", "Saint Kitts och Nevis"), ("KP", "Nordkorea"), ("KR", "Sydkorea"),
    ("KW", "Kuwait"), ("KY", "Caymanöarna"), ("KZ", "Kazakstan"), ("LA", "Laos"), ("LB", "Libanon"),
    ("LC", "Saint Lucia"), ("LI", "Liechtenstein"), ("LK", "Sri Lanka"), ("LR", "Liberia"), ("LS", "Lesotho"),
    ("LT", "Litauen"), ("LU", "Luxemburg"), ("LV", "Lettland"), ("LY", "Libyen"), ("MA", "Marocko"), ("MC", "Monaco"),
    ("MD", "Moldavien"), ("ME", "Montenegro"), ("MF", "Saint-Martin"), ("MG", "Madagaskar"), ("MH", "Marshallöarna"),
    ("MK", "Nordmakedonien"), ("ML", "Mali"), ("MM", "Myanmar"), ("MN", "Mongoliet"), ("MO", "Macao"),
    ("MP", "Nordmarianerna"), ("MQ", "Martinique"), ("MR", "Mauretanien"), ("MS", "Montserrat"), ("MT", "Malta"),
    ("MU", "Mauritius"), ("MV", "Maldiverna"), ("MW", "Malawi"), ("MX", "Mexiko"), ("MY", "Malaysia"),
    ("MZ", "Moçambique"), ("NA", "Namibia"), ("NC", "Nya Kaledonien"), ("NE", "Niger"), ("NF", "Norfolkön"),
    ("NG", "Nigeria"), ("NI", "Nicaragua"), ("NL", "Nederländerna"), ("NO", "Norge"), ("NP", "Nepal"),
    ("NR", "Nauru"), ("NU", "Niue"), ("NZ", "Nya Zeeland"), ("OM", "Oman"), ("PA", "Panama"), ("PE", "Peru"),
    ("PF", "Franska Polynesien"), ("PG", "Papua Nya Guinea"), ("PH", "Filippinerna"), ("PK", "Pakistan"),
    ("PL", "Polen"), ("PM", "Saint-Pierre och Miquelon"), ("PN", "Pitcairnöarna"), ("PR", "Puerto Rico"),
    ("PS", "Palestina"), ("PT", "Portugal"), ("PW", "Palau"), ("PY", "Paraguay"), ("QA", "Qatar"), ("RE", "Réunion"),
    ("RO", "Rumänien"), ("RS", "Serbien"), ("RU", "Ryssland"), ("RW", "Rwanda"), ("SA", "Saudiarabien"),
    ("SB", "Salomonöarna"), ("SC", "Seychellerna"), ("SD", "Sudan"), ("SE", "Sverige"), ("SG", "Singapore"),
    ("SH", "Sankta Helena, Ascension och Tristan da Cunha"), ("SI", "Slovenien"), ("SJ", "Svalbard och Jan Mayen"),
    ("SK", "Slovakien"), ("SL", "Sierra Leone"), ("SM", "San Marino"), ("SN", "Senegal"), ("SO", "Somalia"),
    ("SR", "Surinam"), ("SS", "Sydsudan"), ("ST", "São Tomé och Príncipe"), ("SV", "El Salvador"),
    ("SX", "Sint Maarten"), ("SY", "Syrien"), ("SZ", "Eswatini"), ("TC", "Turks- och Caicosöarna"), ("TD", "Tchad"),
    ("TF", "Franska sydterritorierna"), ("TG", "Togo"), ("TH", "Thailand"), ("TJ", "Tadzjikistan"), ("TK", "Tokelau"),
    ("TL", "Östtimor"), ("TM", "Turkmenistan"), ("TN", "Tunisien"), ("TO", "Tonga"), ("TR", "Turkiet"),
    ("TT", "Trinidad och Tobago"), ("TV", "Tuvalu"), ("TW", "Taiwan"), ("TZ", "Tanzania"), ("UA", "Ukraina"),
    ("UG", "Uganda"), ("UM", "USA:s yttre öar"), ("US", "USA"), ("UY", "Uruguay"), ("UZ", "Uzbekistan"),
    ("VA", "Vatikanstaten"), ("VC", "Saint Vincent och Grenadinerna"), ("VE", "Venezuela"),
    ("VG", "Brittiska Jungfruöarna"), ("VI", "Amerikanska Jungfruöarna"), ("VN", "Vietnam"), ("VU", "Vanuatu"),
    ("WF", "Wallis och Futuna"), ("WS", "Samoa"), ("YE", "Jemen"), ("YT", "Mayotte"), ("ZA", "Sydafrika"),
    ("ZM", "Zambia"), ("ZW", "Zimbabwe"),
];

/// The name of a country; the text as it is where it is no country's code.
#[must_use]
pub fn name(lang: Lang, code: &str) -> &str {
    let name = match lang {
        Lang::Sv => swedish(code),
        Lang::En => country::english_name(code),
    };
    name.unwrap_or(code)
}

fn swedish(code: &str) -> Option<&'static str> {
    SWEDISH.binary_search_by_key(&code, |row| row.0).ok().map(|at| SWEDISH[at].1)
}

/// The country with this code, or with this name in either language, in any case.
#[must_use]
pub fn meant(typed: &str) -> Option<&'static str> {
    let typed = typed.trim().to_lowercase();
    let called = |name: &str| name.to_lowercase() == typed;
    country::codes().find(|code| called(code) || called(name(Lang::Sv, code)) || called(name(Lang::En, code)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_country_of_the_standard_has_a_swedish_name_of_its_own() {
        let named: BTreeSet<_> = SWEDISH.iter().map(|row| row.0).collect();
        assert_eq!(named, country::codes().collect());
        assert!(SWEDISH.is_sorted_by_key(|row| row.0));
        assert_eq!(SWEDISH.iter().map(|row| row.1).collect::<BTreeSet<_>>().len(), SWEDISH.len());
    }

    #[test]
    fn a_country_is_known_by_its_code_and_by_its_name_in_either_language() {
        let rows = [
            ("se", Some("SE")),
            ("Sverige", Some("SE")),
            ("SWEDEN", Some("SE")),
            (" norge ", Some("NO")),
            ("österrike", Some("AT")),
            ("Norwegian", None),
            ("XX", None),
            ("", None),
        ];
        for (typed, expected) in rows {
            assert_eq!(meant(typed), expected, "{typed:?}");
        }
        for code in country::codes() {
            assert_eq!((meant(name(Lang::Sv, code)), meant(name(Lang::En, code))), (Some(code), Some(code)));
        }
        assert_eq!((name(Lang::Sv, "??"), name(Lang::En, "??")), ("??", "??"));
    }
}
