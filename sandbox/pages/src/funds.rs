//! Funds on pages: grouped by risk, ISIN, fee and return beside each name, and a sheet of facts behind a link
//! (rule: journeys/funds-on-pages).
//!
//! Invariant: only funds of the client's universe are shown, with their present figures. Absent on purpose: advice, and the
//! fund company's own documents, which the sandbox does not have.

use axum::http::Uri;
use rust_decimal::Decimal;
use sim::identity::{Currency, InstrumentId};
use sim::query::{self, InstrumentView};
use sim::records::Cost;

use super::controls::{Control, Field, FundNote, Risk};
use super::lang::Lang;
use super::page_model::PageModel;
use super::templates::Section;
use super::visit::Visit;
use super::words::{self, Phrase};

/// The name of the page of one fund.
pub const PAGE: &str = "fund";

/// Bounds of the classes of risk 1 to 7, in basis points of volatility a year.
const RISK_BOUNDS: [u64; 6] = [50, 200, 500, 1_000, 1_500, 2_500];
/// Days of a year on which prices move.
const DEALING_DAYS: u64 = 252;

/// Puts ISIN, fee, return and the way to the facts beside every fund that is asked about, and funds of one risk together.
pub fn note(visit: &Visit, model: &PageModel, sections: &mut [Section]) {
    let fields = sections.iter_mut().flat_map(|section| {
        let rows = section.rows;
        section.fields.iter_mut().filter(move |field| rows || matches!(field.control, Control::Many(_)))
    });
    for field in fields {
        if let Control::Many(choices) = &mut field.control {
            for choice in choices {
                let line = InstrumentId::parse(&choice.value).ok().and_then(|id| line(visit, model, id));
                choice.note = line.or_else(|| choice.note.take());
            }
        } else {
            field.fund = of_row(field).and_then(|id| {
                let risk = with(visit, model, id, |view, _| risk(view.record.volatility_bp))?;
                Some(FundNote { line: line(visit, model, id)?, sheet: sheet_link(visit, id), risk })
            });
        }
    }
    for section in sections.iter_mut().filter(|section| section.rows) {
        section.fields.sort_by_key(|field| field.fund.as_ref().map(|fund| fund.risk));
    }
}

/// The class of risk of a fund: the standard deviation of a year of its prices, by the bounds of the key information document.
fn risk(volatility_bp: u32) -> Risk {
    let daily = u64::from(volatility_bp);
    let above = |bound: &&u64| DEALING_DAYS * daily * daily >= *bound * *bound;
    let class = 1 + RISK_BOUNDS.iter().filter(above).count();
    match class {
        1..=3 => Risk::Lower(class),
        4 | 5 => Risk::Medium(class),
        _ => Risk::Higher(class),
    }
}

/// The fund that a row is about: what follows the dot in its name.
fn of_row(field: &Field) -> Option<InstrumentId> {
    InstrumentId::parse(field.name.split_once('.')?.1).ok()
}

fn sheet_link(visit: &Visit, fund: InstrumentId) -> String {
    format!("{}&id={fund}", visit.link(PAGE))
}

/// `SE0SBX000016, fee 0.4 % a year, return last 12 months 5.2 %`.
fn line(visit: &Visit, model: &PageModel, fund: InstrumentId) -> Option<String> {
    with(visit, model, fund, |view, year_return| {
        let fee = percent(visit.lang, yearly(&view.record.cost));
        let mut line = format!("{}, {}", fund.isin(), words::FEE_A_YEAR.fill(visit.lang, &[("fee", &fee)]));
        if let Some(gained) = year_return {
            let gained = percent(visit.lang, gained);
            line.push_str(", ");
            line.push_str(&words::RETURN_OF_A_YEAR.fill(visit.lang, &[("return", &gained)]));
        }
        line
    })
}

/// What a fund takes each year, out of its price.
fn yearly(cost: &Cost) -> Decimal {
    cost.ongoing_fee + cost.transaction_fee
}

fn with<T>(
    visit: &Visit,
    model: &PageModel,
    fund: InstrumentId,
    show: impl FnOnce(&InstrumentView<'_>, Option<Decimal>) -> T,
) -> Option<T> {
    if !model.client.universe.contains(fund) {
        return None;
    }
    visit
        .world
        .read(|world| query::instrument(world, fund).map(|view| show(&view, query::year_return(world, fund))))
        .ok()
        .flatten()
}

fn percent(lang: Lang, number: Decimal) -> String {
    format!("{}\u{a0}%", lang.number(number.normalize()))
}

/// What there is to read of a fund.
pub struct Sheet {
    /// Which one.
    pub fund: InstrumentId,
    /// Its name.
    pub name: String,
    /// Names and what they are.
    pub facts: Vec<(String, String)>,
}

/// The fund that an address names and its facts; none when the client has no such fund.
#[must_use]
pub fn sheet(visit: &Visit, model: &PageModel, uri: &Uri) -> Option<Sheet> {
    let query = uri.query().unwrap_or_default();
    let (_, id) = form_urlencoded::parse(query.as_bytes()).take(16).find(|(name, _)| name == "id")?;
    let fund = InstrumentId::parse(&id).ok()?;
    with(visit, model, fund, |view, year_return| {
        let (name, facts) = (view.record.name.to_string(), facts(visit.lang, fund, view, year_return));
        Sheet { fund, name, facts }
    })
}

fn facts(
    lang: Lang,
    fund: InstrumentId,
    view: &InstrumentView<'_>,
    year_return: Option<Decimal>,
) -> Vec<(String, String)> {
    let record = view.record;
    let currency = fund.currency();
    let mut facts = Vec::new();
    let mut add = |phrase: &Phrase, text: String| facts.push((phrase.say(lang).to_owned(), text));
    add(&words::FUND_ISIN, fund.isin().to_string());
    add(&words::FUND_CURRENCY, currency.to_string());
    if let (Some(price), Some(day)) = (view.close_price, view.price_date) {
        let price = lang.number(price.get().normalize());
        add(&words::FUND_PRICE, format!("{price}\u{a0}{currency}, {}", lang.day(day)));
    }
    if let Some(gained) = year_return {
        add(&words::FUND_RETURN, percent(lang, gained));
    }
    add(&words::FUND_RISK, risk(record.volatility_bp).class().to_string());
    add(&words::FUND_YEARLY, percent(lang, yearly(&record.cost)));
    add(&words::FUND_ENTRY, percent(lang, record.cost.entry_fee));
    add(&words::FUND_EXIT, percent(lang, record.cost.exit_fee));
    if !record.cost.performance_fee.is_zero() {
        add(&words::FUND_PERFORMANCE, percent(lang, record.cost.performance_fee));
    }
    let least = record.min_initial.unwrap_or(record.min_investment);
    // Of whatever currency the fund is, its minima are kronor.
    add(&words::FUND_LEAST, format!("{}\u{a0}{}", lang.number(least.get()), Currency::SEK));
    add(&words::FUND_CUT_OFF, format!("{:02}:{:02}", record.cut_off_hour, record.cut_off_minute));
    let days = [record.subscription_settlement_days, record.redemption_settlement_days].map(|days| days.to_string());
    add(&words::FUND_SETTLES, words::BUY_AND_SELL_DAYS.fill(lang, &[("buy", &days[0]), ("sell", &days[1])]));
    facts
}
