//! A page of the service as the customer's browser has it.
//!
//! Owns: what a page shows and asks, read from its HTML the way assistive software reads it: labels, legends and
//! descriptions that belong to controls, not positions or style. Invariant: what cannot be read is a fault, never a guess.
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `markup.rs` | HTML as elements and texts |
//! | `field.rs` | the fields of a form, with their words, choices and what they hold |
//! | `fill.rs` | which field a name means, and what can be put into it |
//! | `link.rs` | where a link leads from its page |
//!
//! It never knows how a page came and what is done with it: that is the runner's.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! link, markup
//! field
//! fill
//! ```

mod field;
mod fill;
mod link;
mod markup;

pub use field::{Control, Field};
pub use fill::{choose_person, find_field, put, strip_arrow, text_of};
pub use link::{Target, resolve};

use markup::Element;
use serde_json::{Map, Value as Json, json};

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// HTTP status it came with.
    pub status: u16,
    /// Path and query it came from.
    pub path: String,
    language: String,
    title: String,
    heading: String,
    steps: Vec<String>,
    fixed: Vec<(String, String)>,
    lines: Vec<String>,
    /// Fields in the order of the page.
    pub fields: Vec<Field>,
    /// Its form, where it has one.
    pub form: Option<Form>,
    /// Links by their words.
    pub links: Vec<(String, String)>,
    /// The link to the step before.
    pub back: Option<String>,
    /// What is wrong with it as a whole.
    pub problems: Vec<String>,
    /// Where the browser goes by itself.
    pub leads_to: Option<String>,
}

/// The form of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Where it is sent.
    pub action: String,
    /// Fields that nobody sees.
    pub hidden: Vec<(String, String)>,
    /// Buttons in order.
    pub buttons: Vec<Button>,
}

/// A button that sends a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// The words on it.
    pub words: String,
    /// What it sends beside the fields.
    pub sends: Option<(String, String)>,
}

impl Button {
    /// Whether it leads to the part of the step before this one.
    pub fn goes_back(&self) -> bool {
        self.sends.as_ref().is_some_and(|(name, value)| name == "_act" && value == "back")
    }
}

/// Fields of the simulated identity and of leaving; the journey does not ask for them.
const MACHINERY: char = '_';
/// The field that says who uses the identity.
pub const PERSON: &str = "_person";
/// Its value for somebody who is not listed.
pub const ANOTHER: &str = "another";
/// Where the number of somebody who is not listed goes.
pub const NUMBER: &str = "_number";

/// The field that says what an identity on another device is used for.
const ORDER: &str = "order";

impl Page {
    /// Whether the identity signs on this page, or identifies; none where it is not used.
    pub fn signs(&self) -> Option<bool> {
        self.fields.iter().find(|field| field.name == PERSON)?;
        match self.name() {
            "signing" => Some(true),
            "authentication" => Some(false),
            // The identity on another device: its order begins with the step that it is for.
            "app" => {
                let (_, order) = self.form.as_ref()?.hidden.iter().find(|(name, _)| name == ORDER)?;
                Some(order.starts_with("signing."))
            }
            _ => None,
        }
    }

    /// Reads a page.
    ///
    /// # Errors
    /// In words, when it cannot be read.
    pub fn read(status: u16, path: &str, html: &str) -> Result<Self, String> {
        let root = markup::read(html)?;
        let main = root.find(|it| it.is("main")).ok_or("it has no `main` element")?;
        let heads: Vec<_> = root.all().into_iter().filter(|it| it.is("h1")).collect();
        let [heading] = heads.as_slice() else { return Err(format!("it has {} main headings", heads.len())) };
        let text_of = |name: &str| root.find(|it| it.is(name)).map(Element::text).unwrap_or_default();
        Ok(Self {
            status,
            path: path.to_owned(),
            language: root.attribute("lang").unwrap_or_default().to_owned(),
            title: text_of("title"),
            heading: heading.text(),
            steps: steps(&root),
            problems: problems(main),
            fixed: fixed(main),
            lines: lines(&root),
            fields: field::read(main)?,
            form: form(main)?,
            links: links(&root),
            back: link_of_class(main, "back"),
            leads_to: refresh(&root),
        })
    }

    /// The last part of its path: a step's name, `leave`, `end`, ...
    pub fn name(&self) -> &str {
        let path = self.path.split(['?', '#']).next().unwrap_or_default();
        path.rsplit('/').next().unwrap_or_default()
    }

    /// Words of everything that can be pressed.
    pub fn ways(&self) -> Vec<&str> {
        let buttons = self.form.iter().flat_map(|form| form.buttons.iter().map(|button| button.words.as_str()));
        buttons.chain(self.links.iter().map(|(words, _)| words.as_str())).collect()
    }

    /// Fields of the journey, without those of the identity.
    pub fn asked(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.name.starts_with(MACHINERY))
    }

    /// An address that is not the sandbox's, to which the browser has moved.
    pub fn elsewhere(address: &str) -> Self {
        Self {
            status: 200,
            path: "elsewhere".to_owned(),
            language: String::new(),
            title: String::new(),
            heading: String::new(),
            steps: Vec::new(),
            problems: Vec::new(),
            fixed: Vec::new(),
            lines: Vec::new(),
            fields: Vec::new(),
            form: None,
            links: Vec::new(),
            back: None,
            leads_to: Some(address.to_owned()),
        }
    }

    /// Every piece of text that a person sees as one.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Whether a line of it holds the words.
    pub fn says(&self, words: &str) -> bool {
        self.lines.iter().any(|line| line.contains(&spaced(words)))
    }

    /// The line that holds the words.
    pub fn line_with(&self, words: &str) -> String {
        self.lines.iter().find(|line| line.contains(&spaced(words))).cloned().unwrap_or_default()
    }

    /// The line that comes nearest to the words.
    pub fn nearest_line(&self, words: &str) -> String {
        let near = |line: &&String| strsim::damerau_levenshtein(line, words);
        self.lines
            .iter()
            .min_by_key(near)
            .map_or_else(|| "no words at all".to_owned(), |line| format!("nearest: {line}"))
    }

    /// Everything that can be expected of it, by the words of the language.
    pub fn facts(&self) -> Json {
        let by_name = |value: &dyn Fn(&Field) -> Option<Json>| -> Map<String, Json> {
            self.asked().filter_map(|field| Some((field.name.clone(), value(field)?))).collect()
        };
        let errors = self.fields.iter().filter_map(|field| Some((field.name.clone(), json!(field.error.as_ref()?))));
        let persons = self.fields.iter().find(|field| field.name == PERSON);
        let mut facts = json!({
            "name": self.name(),
            "status": self.status,
            "language": self.language,
            "title": self.title,
            "heading": self.heading,
            "steps": self.steps,
            "asks": self.asked().map(|field| field.name.as_str()).collect::<Vec<_>>(),
            "holds": by_name(&|field| field.held()),
            "choices": by_name(&|field| field.offers().then(|| json!(field.values()))),
            "fixed": self.fixed(),
            "errors": errors.collect::<Map<_, _>>(),
            "persons": persons.map(Field::values).unwrap_or_default().into_iter().filter(|it| *it != ANOTHER).collect::<Vec<_>>(),
            "ways": self.ways(),
            "lines": self.lines,
        });
        if let (Some(address), Json::Object(facts)) = (&self.leads_to, &mut facts) {
            facts.insert("leads to".to_owned(), json!(address));
        }
        facts
    }

    /// What is only shown, by the words beside it; a list where the same words are beside several things.
    fn fixed(&self) -> Map<String, Json> {
        let mut facts: Map<String, Json> = Map::new();
        for (name, text) in &self.fixed {
            match facts.get_mut(name) {
                None => drop(facts.insert(name.clone(), json!(text))),
                Some(Json::Array(texts)) => texts.push(json!(text)),
                Some(first) => *first = json!([first.clone(), text]),
            }
        }
        facts
    }

    /// In a few words, for transcripts and faults.
    pub fn brief(&self) -> String {
        let mut text = format!("{} \"{}\"", self.name(), self.heading);
        let of_fields = self.fields.iter().filter_map(|it| Some(format!("{}: {}", it.name, it.error.as_ref()?)));
        let wrong: Vec<_> = self.problems.iter().cloned().chain(of_fields).collect();
        let asked: Vec<_> = self.asked().map(|field| field.name.as_str()).collect();
        if !wrong.is_empty() {
            text.push_str(&format!(" has errors: {}", wrong.join("; ")));
        } else if !asked.is_empty() {
            text.push_str(&format!(" asks {}", asked.join(", ")));
        }
        if let Some(address) = &self.leads_to {
            text.push_str(&format!(" leads to {address}"));
        }
        text
    }
}

/// Words with single spaces, as lines have them.
fn spaced(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is wrong with a page as a whole. What is wrong with a field is left out: it is a link to the field.
fn problems(main: &Element) -> Vec<String> {
    let Some(alert) = main.find(|it| it.attribute("role") == Some("alert")) else { return Vec::new() };
    let whole = alert.all().into_iter().filter(|it| it.is("li") && !it.elements().any(|child| child.is("a")));
    whole.map(Element::text).collect()
}

/// Words of the way through a journey.
fn steps(root: &Element) -> Vec<String> {
    let Some(list) = root.find(|it| it.is("ol") && it.has_class("steps")) else { return Vec::new() };
    list.elements().map(|item| item.text_without(|it| it.has_class("quiet"))).collect()
}

/// Names and texts of everything that is only shown.
fn fixed(main: &Element) -> Vec<(String, String)> {
    let lists = main.all().into_iter().filter(|it| it.is("dl"));
    let rows = lists.flat_map(Element::elements);
    let of = |row: &Element, name: &str| row.find(|it| it.is(name)).map(Element::text);
    let facts = rows.filter_map(|row| Some((of(row, "dt")?, of(row, "dd")?)));
    let locked = main.all().into_iter().filter(|it| it.is("div") && it.has_class("row"));
    let locked = locked.filter_map(|row| {
        let name = row.elements().find(|it| it.is("span"))?;
        Some((name.text(), row.elements().find(|it| it.is("b"))?.text()))
    });
    facts.chain(locked).collect()
}

/// Every piece of text that a person sees as one.
fn lines(root: &Element) -> Vec<String> {
    let mut found = Vec::new();
    let body = root.elements().find(|it| it.is("body"));
    body.into_iter().for_each(|body| gather(body, &mut found));
    found
}

fn gather(element: &Element, found: &mut Vec<String>) {
    let is_block = |it: &Element| !markup::is_inline(&it.name) && !matches!(it.name.as_str(), "span" | "small");
    if element.elements().any(|child| child.all().into_iter().any(is_block)) {
        let own: Vec<_> = element.elements().filter(|child| child.all().into_iter().any(is_block)).collect();
        let alone = element.text_without(|it| own.iter().any(|known| std::ptr::eq(*known, it)));
        if !alone.is_empty() {
            found.push(alone);
        }
        own.into_iter().for_each(|child| gather(child, found));
        return;
    }
    let text = element.text();
    if !text.is_empty() {
        found.push(text);
    }
}

fn form(main: &Element) -> Result<Option<Form>, String> {
    let forms: Vec<_> = main.all().into_iter().filter(|it| it.is("form")).collect();
    let form = match forms.as_slice() {
        [] => return Ok(None),
        [form] => *form,
        several => return Err(format!("it has {} forms", several.len())),
    };
    if form.attribute("method").is_none_or(|method| !method.eq_ignore_ascii_case("post")) {
        return Err("its form is not sent by POST".to_owned());
    }
    let text = |element: &Element, name: &str| element.attribute(name).unwrap_or_default().to_owned();
    let hidden = form.all().into_iter().filter(|it| it.is("input") && it.attribute("type") == Some("hidden"));
    let id = form.attribute("id").unwrap_or_default();
    // What is hidden is there for the return key.
    let is_button = |it: &&Element| it.is("button") && !it.has("hidden");
    let outside = main.all().into_iter().filter(|it| is_button(it) && it.attribute("form") == Some(id));
    let buttons = form.all().into_iter().filter(|it| is_button(it) && !it.has("form")).chain(outside);
    Ok(Some(Form {
        action: text(form, "action"),
        hidden: hidden.map(|it| (text(it, "name"), text(it, "value"))).collect(),
        buttons: buttons
            .map(|it| Button { words: it.text(), sends: it.has("name").then(|| (text(it, "name"), text(it, "value"))) })
            .collect(),
    }))
}

fn links(root: &Element) -> Vec<(String, String)> {
    let links = root.all().into_iter().filter(|it| it.is("a"));
    let links = links.filter_map(|it| Some((it.text_without(|it| it.has_class("quiet")), it.attribute("href")?)));
    links.filter(|(_, address)| !address.starts_with('#')).map(|(words, address)| (words, address.to_owned())).collect()
}

fn link_of_class(main: &Element, class: &str) -> Option<String> {
    main.find(|it| it.is("a") && it.has_class(class))?.attribute("href").map(str::to_owned)
}

/// The address of `<meta http-equiv=refresh content="0;url=...">`.
fn refresh(root: &Element) -> Option<String> {
    let meta = root.find(|it| it.is("meta") && it.attribute("http-equiv") == Some("refresh"))?;
    let (_, address) = meta.attribute("content")?.split_once("url=")?;
    Some(address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with one control of each kind, around `fields`.
    fn page(fields: &str) -> String {
        format!(
            "<!DOCTYPE html><html lang=\"sv\"><head><title>Fel: Konto</title></head><body><a class=\"skip\" href=\"#content\">Hoppa</a>\
             <nav><ol class=\"steps\"><li><a href=\"a?lang=sv\">Ett <span class=\"quiet\">(klart)</span></a></li><li><span>Två</span></li></ol></nav>\
             <main><a class=\"back\" href=\"a?lang=sv\">\u{2190}\u{a0}Tillbaka</a><h1>Konto</h1><p>Fyll i <b>allt</b>.</p>\
             <dl><div><dt>Typ</dt><dd>ISK</dd></div><div><dt>Nummer</dt><dd>1</dd></div><div><dt>Nummer</dt><dd>2</dd></div></dl>\
             <form method=\"post\" action=\"kyc?lang=sv\"><input type=\"hidden\" name=\"_form\" value=\"t&amp;1\">{fields}\
             <button type=\"submit\">Fortsätt</button></form></main></body></html>"
        )
    }

    const FIELDS: &str = "<div class=\"field bad\"><label for=\"f-n\">Namn <span class=\"may\">(frivilligt)</span></label>\
        <p class=\"hint\" id=\"f-n-h\">Valfritt</p><p class=\"wrong\" id=\"f-n-e\">För långt.</p>\
        <input type=\"text\" id=\"f-n\" name=\"n\" value=\"Båten\" aria-describedby=\"f-n-h f-n-e\"></div>\
        <fieldset class=\"field\"><legend>Sort</legend><label class=\"pick\"><input type=\"radio\" name=\"s\" value=\"isk\" checked>\
        <span>ISK<small>Skatt</small></span></label><label class=\"pick\"><input type=\"radio\" name=\"s\" value=\"depot\"><span>Depå</span></label></fieldset>\
        <fieldset class=\"field\"><legend>Varifrån</legend><label><input type=\"checkbox\" name=\"o\" value=\"salary\"><span>Lön</span></label></fieldset>\
        <div class=\"field\"><label class=\"pick\"><input type=\"checkbox\" id=\"f-a\" name=\"a\" value=\"yes\" checked><span>Jag godkänner</span></label></div>\
        <div class=\"field\"><label for=\"f-d\">Dag</label><select id=\"f-d\" name=\"d\"><option value=\"\">Välj</option><option value=\"25\" selected>25</option></select></div>";

    #[test]
    fn a_page_is_read_by_the_labels_of_its_controls() {
        let page = Page::read(422, "/journey/t/kyc?lang=sv", &page(FIELDS)).expect("a page");
        let facts = page.facts();
        let expected = json!({
            "name": "kyc", "status": 422, "language": "sv", "title": "Fel: Konto", "heading": "Konto", "steps": ["Ett", "Två"],
            "asks": ["n", "s", "o", "a", "d"], "holds": { "n": "Båten", "s": "isk", "a": true, "d": "25" },
            "choices": { "s": ["isk", "depot"], "o": ["salary"], "d": ["25"] }, "errors": { "n": "För långt." },
            "fixed": { "Typ": "ISK", "Nummer": ["1", "2"] }, "persons": [],
        });
        for (word, value) in expected.as_object().expect("a map") {
            assert_eq!(facts.get(word), Some(value), "{word}");
        }
        assert!(page.says("Fyll i allt.") && !page.says("Fyll i inget"));
        assert_eq!(page.form.as_ref().map(|form| form.hidden.clone()), Some(vec![("_form".into(), "t&1".into())]));
        assert_eq!((page.back.as_deref(), page.leads_to.as_deref()), (Some("a?lang=sv"), None));
        assert_eq!(page.brief(), "kyc \"Konto\" has errors: n: För långt.");
    }

    #[test]
    fn a_page_that_assistive_software_could_not_read_is_a_fault() {
        let rows = [
            ("<input type=\"text\" id=\"f-x\" name=\"x\">", "the field `x` has no label"),
            ("<input type=\"text\" name=\"x\">", "the field `x` has no id"),
            ("<input type=\"radio\" name=\"x\" value=\"1\">", "a choice of `x` has no label"),
            (
                "<fieldset class=\"field\"><label><input type=\"radio\" name=\"x\"><span>1</span></label></fieldset>",
                "the choices of `x` have no legend",
            ),
            ("<h1>Again</h1>", "it has 2 main headings"),
            ("<form method=\"post\"></form>", "it has 2 forms"),
        ];
        for (fields, fault) in rows {
            assert_eq!(Page::read(200, "/journey/t/kyc", &page(fields)).err().as_deref(), Some(fault), "{fields}");
        }
    }

    #[test]
    fn a_form_is_filled_in_with_what_the_page_offers_and_nothing_else() {
        let page = Page::read(200, "/journey/t/kyc", &page(FIELDS)).expect("a page");
        let rows = [
            ("n", json!(7), Ok(json!("7"))),
            ("Namn", json!("Huset"), Ok(json!("Huset"))),
            ("n", json!(null), Ok(json!(null))),
            ("s", json!("Depå"), Ok(json!("depot"))),
            ("o", json!(["Lön"]), Ok(json!(["salary"]))),
            ("a", json!(false), Ok(json!(false))),
            ("s", json!("depo"), Err("`s` offers no `depo`; did you mean `depot`?")),
            ("a", json!("yes"), Err("`a` is ticked or not: true or false, not \"yes\"")),
            ("n", json!([1]), Err("`n` takes one line of text, not [1]")),
            ("m", json!(1), Err("the page kyc does not ask for `m`; did you mean `n`?")),
        ];
        for (name, value, expected) in rows {
            let mut fields = page.fields.clone();
            let done = find_field(&page, &mut fields, name).and_then(|field| {
                put(field, &value)?;
                Ok(field.held().unwrap_or_default())
            });
            assert_eq!(done, expected.map_err(str::to_owned), "{name} {value}");
        }
    }
}
