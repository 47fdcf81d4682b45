//! `/guide`: the documents of this project as a book, and the reference that the program makes of its tables.
//!
//! Invariant: the pages are public and the same for every caller; they have no script, ask nothing of another host, and show nothing of
//! a world. The search is a form that this server answers, within bounds. Absent on purpose: what the pages say, which is `guide`.

use crate::planes::site::file::file;
use crate::planes::site::head::head;
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use guide::{book, root_of, slug};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use pages::marks;
use surface::App;
use surface::reference::ReferencePage;

/// A style of ours and the form of the search, and no script.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

pub(super) const HEADERS: [(HeaderName, &str); 6] = [
    (CONTENT_TYPE, "text/html; charset=utf-8"),
    (CACHE_CONTROL, "no-cache"),
    (CONTENT_SECURITY_POLICY, POLICY),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
];

/// Headings that a search shows.
const MOST_HITS: usize = 50;
/// Characters of a search that are read.
const MOST_LETTERS: usize = 100;
/// The page of the book that the pages of the reference follow.
const REFERENCE: &str = "guide/reference";

/// A page as it is shown.
struct Shown<'p> {
    address: &'p str,
    title: &'p str,
    main: Markup,
    /// Headings of the second level: anchor, words.
    sections: Vec<(String, &'p str)>,
}

/// The routes of the book.
pub(super) fn routes() -> Router<App> {
    let kept = [(CACHE_CONTROL, "no-cache"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    let style = get(async move || ([(CONTENT_TYPE, "text/css; charset=utf-8")], kept, include_str!("guide.css")));
    file("/guide", get(start))
        .merge(file("/guide/search", get(search)))
        .merge(file("/guide/style.css", style))
        .merge(file("/guide/{*page}", get(one_page)))
}

/// `GET /guide`
async fn start(State(app): State<App>) -> Response {
    answer(&app, "guide")
}

/// `GET /guide/{page}`
async fn one_page(State(app): State<App>, page: Result<Path<String>, PathRejection>) -> Response {
    page.map_or_else(|_| missing(&app, "guide/x"), |Path(page)| answer(&app, &format!("guide/{page}")))
}

fn reference(app: &App) -> &'static [ReferencePage] {
    app.reference.map_or(&[], |pages| pages())
}

/// The page of the reference at an address.
fn of_reference(app: &App, address: &str) -> Option<&'static ReferencePage> {
    let name = address.strip_prefix(REFERENCE)?.strip_prefix('/')?;
    reference(app).iter().find(|page| page.name == name)
}

/// The page at an address, or that there is none.
fn answer(app: &App, address: &str) -> Response {
    let document = book().at(address).map(|at| &book().pages[at]);
    if let Some(page) = document {
        let sections = page.headings.iter().filter(|heading| heading.level == 2);
        let sections = sections.map(|heading| (heading.id.clone(), &*heading.text)).collect();
        let topics = (address == REFERENCE).then(|| topics(app, &root_of(address)));
        let main = html! { (PreEscaped(&page.html)) (topics.unwrap_or_default()) };
        return shown(app, StatusCode::OK, &Shown { address, title: page.title, main, sections });
    }
    let Some(page) = of_reference(app, address) else { return missing(app, address) };
    let named = page.sections.iter().filter(|section| !section.heading.is_empty());
    let sections: Vec<_> = named.map(|section| (slug(&section.heading), &*section.heading)).collect();
    let main = html! {
        h1 { (page.title) }
        p { (page.about) }
        @for section in &page.sections {
            @if !section.heading.is_empty() {
                @let id = slug(&section.heading);
                h2 id=(id) { a href={ "#" (id) } { (section.heading) } }
            }
            pre tabindex="0" { code { (section.text) } }
        }
    };
    shown(app, StatusCode::OK, &Shown { address, title: &page.title, main, sections })
}

/// The pages that the program makes of its tables.
fn topics(app: &App, root: &str) -> Markup {
    html! {
        @if !reference(app).is_empty() {
            h2 #topics { a href="#topics" { "Topics" } }
            dl.topics {
                @for page in reference(app) {
                    div { dt { a href={ (root) (REFERENCE) "/" (page.name) } { (page.title) } } dd { (page.about) } }
                }
            }
        }
    }
}

fn missing(app: &App, address: &str) -> Response {
    // Links go up from where the browser is.
    let main = html! {
        h1 { "This page does not exist" }
        p { "The contents list every page of the guide, and the search looks for headings." }
    };
    let page = Shown { address, title: "No such page", main, sections: Vec::new() };
    shown(app, StatusCode::NOT_FOUND, &page)
}

/// `GET /guide/search?q=words`
async fn search(State(app): State<App>, address: Uri) -> Response {
    let mut pairs = form_urlencoded::parse(address.query().unwrap_or_default().as_bytes());
    let asked = pairs.find(|(name, _)| name == "q").map(|(_, words)| words.into_owned()).unwrap_or_default();
    let asked: String = asked.chars().take(MOST_LETTERS).collect();
    let root = root_of("guide/search");
    let mut hits: Vec<(String, String, String)> = Vec::new();
    for hit in book().search(&asked, MOST_HITS) {
        let anchor = if hit.heading.level == 1 { String::new() } else { format!("#{}", hit.heading.id) };
        hits.push((format!("{root}{}{anchor}", hit.page.address), hit.heading.text.clone(), hit.page.title.to_owned()));
    }
    let words: Vec<String> = asked.split_whitespace().map(str::to_lowercase).collect();
    let has = |text: &str| !words.is_empty() && words.iter().all(|word| text.to_lowercase().contains(&**word));
    for page in reference(&app) {
        let address = format!("{root}{REFERENCE}/{}", page.name);
        if has(&page.title) {
            hits.push((address.clone(), page.title.clone(), "Reference".to_owned()));
        }
        for section in page.sections.iter().filter(|section| has(&section.heading)) {
            let address = format!("{address}#{}", slug(&section.heading));
            hits.push((address, section.heading.clone(), page.title.clone()));
        }
    }
    let found = hits.len();
    hits.truncate(MOST_HITS);
    let main = html! {
        h1 { "Search" }
        @if words.is_empty() { p { "Write one or more words of a heading." } }
        @else if found == 0 { p { "No heading has " q { (asked) } ". Fewer words find more." } }
        @else {
            p { (hits.len()) @if hits.len() == 1 { " heading has " } @else { " headings have " } q { (asked) }
                @if found >= MOST_HITS { "; more words find fewer" } "." }
            ol.hits { @for (to, heading, page) in &hits { li { a href=(to) { (heading) } " " span.of { (page) } } } }
        }
    };
    shown(&app, StatusCode::OK, &Shown { address: "guide/search", title: "Search", main, sections: Vec::new() })
}

/// Every page in order: address, title.
fn in_order(app: &App) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for page in &book().pages {
        all.push((page.address.clone(), page.title.to_owned()));
        if page.address == REFERENCE {
            all.extend(reference(app).iter().map(|page| (format!("{REFERENCE}/{}", page.name), page.title.clone())));
        }
    }
    all
}

fn shown(app: &App, status: StatusCode, page: &Shown<'_>) -> Response {
    (status, HEADERS, whole(app, page).into_string()).into_response()
}

/// The contents list.
fn contents(app: &App, root: &str, current: &str) -> Markup {
    let entry = |address: &str, title: &str| {
        let current = (address == current).then_some("page");
        html! { li { a href={ (root) (address) } aria-current=[current] { (title) } } }
    };
    html! {
        nav #index popover="auto" aria-label="Contents" {
            @for part in &book().parts {
                @if !part.title.is_empty() { p.plane { (part.title) } }
                ul {
                    @for page in &book().pages[part.pages.clone()] {
                        (entry(&page.address, page.title))
                        @if page.address == REFERENCE {
                            @for page in reference(app) { (entry(&format!("{REFERENCE}/{}", page.name), &page.title)) }
                        }
                    }
                }
            }
        }
    }
}

/// The whole document.
fn whole(app: &App, page: &Shown<'_>) -> Markup {
    let root = root_of(page.address);
    let all = in_order(app);
    let at = all.iter().position(|(address, _)| address == page.address);
    let before = at.and_then(|at| at.checked_sub(1)).map(|at| &all[at]);
    let after = at.and_then(|at| all.get(at + 1));
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(page.title, &root, &html! {
                link rel="stylesheet" href={ (root) "docs/style.css" };
                link rel="stylesheet" href={ (root) "guide/style.css" };
            }))
            body {
                a.skip href="#main" { "To the text" }
                header.bar {
                    button.menu type="button" popovertarget="index" { "Contents" }
                    a.brand href=(root) { (marks::brand()) "fundsim" }
                    form.search role="search" action={ (root) "guide/search" } {
                        input type="search" name="q" maxlength=(MOST_LETTERS) placeholder="Search headings" aria-label="Search headings";
                    }
                    nav aria-label="Elsewhere" {
                        a href={ (root) "guide" } { "Guide" }
                        a href={ (root) "docs" } { "API" }
                        a href={ (root) "console" } { "Console" }
                    }
                }
                div.page {
                    (contents(app, &root, page.address))
                    main #main tabindex="-1" class=[(page.sections.len() > 1).then_some("two")] {
                        div.text {
                            div.prose.guide { (page.main) }
                            @if before.is_some() || after.is_some() {
                                nav.turn aria-label="Pages before and after" {
                                    @if let Some((to, title)) = before { a rel="prev" href={ (root) (to) } { span { "Previous" } (title) } }
                                    @if let Some((to, title)) = after { a.next rel="next" href={ (root) (to) } { span { "Next" } (title) } }
                                }
                            }
                        }
                        @if page.sections.len() > 1 {
                            div.aside.sections {
                                nav aria-label="On this page" {
                                    p.label { "On this page" }
                                    ul.plain { @for (id, words) in &page.sections { li { a href={ "#" (id) } { (words) } } } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Bench, request};
    use axum::http::Method;
    use hosting::clock::Mode;
    use surface::SurfaceConfig;
    use surface::reference::{ReferencePage, ReferenceSection};

    fn made() -> &'static [ReferencePage] {
        let section = ReferenceSection { heading: "open <account>".to_owned(), text: "a < b".to_owned() };
        let page = ReferencePage {
            name: "steps".to_owned(),
            title: "Steps".to_owned(),
            about: "Every step".to_owned(),
            sections: vec![section],
        };
        Box::leak(Box::new([page]))
    }

    async fn page(bench: &Bench, path: &str) -> (u16, String) {
        let answer = bench.ask(request(Method::GET, path, None, None)).await;
        (answer.status, answer.body.as_str().unwrap_or_default().to_owned())
    }

    #[tokio::test]
    async fn each_page_leads_to_the_next_and_the_reference_is_among_them() {
        let bench = Bench::with(Mode::Frozen, SurfaceConfig { reference: Some(made), ..SurfaceConfig::default() });
        let mut at = "/guide".to_owned();
        let mut met = Vec::new();
        loop {
            let (status, shown) = page(&bench, &at).await;
            assert_eq!(status, 200, "{at}");
            assert!(!shown.contains("<script"), "{at}");
            met.push(at);
            let Some((_, next)) = shown.split_once("rel=\"next\" href=\"") else { break };
            let next = next.split('"').next().unwrap_or_default();
            at = format!("/{}", next.trim_start_matches("./").trim_start_matches("../"));
        }
        assert_eq!(met.len(), guide::book().pages.len() + 1);
        assert!(met.contains(&"/guide/reference/steps".to_owned()), "{met:?}");
        let (_, shown) = page(&bench, "/guide/reference/steps").await;
        assert!(shown.contains("open &lt;account&gt;") && shown.contains("a &lt; b"), "{shown}");
        assert!(shown.contains("id=\"open-account\""), "{shown}");
    }

    #[tokio::test]
    async fn a_search_shows_what_was_asked_as_text_and_reads_only_so_much_of_it() {
        let bench = Bench::with(Mode::Frozen, SurfaceConfig { reference: Some(made), ..SurfaceConfig::default() });
        let (status, shown) = page(&bench, "/guide/search?q=%3Cscript%3E%22").await;
        assert_eq!(status, 200);
        assert!(!shown.contains("<script") && shown.contains("&lt;script&gt;"), "{shown}");
        let (_, shown) = page(&bench, "/guide/search?q=OPEN+account").await;
        assert!(shown.contains("guide/reference/steps#open-account"), "{shown}");
        let (_, shown) = page(&bench, "/guide/search?q=e").await;
        assert_eq!(shown.split("<ol class=\"hits\">").nth(1).expect("hits").matches("<li>").count(), super::MOST_HITS);
        let (status, shown) = page(&bench, &format!("/guide/search?q={}", "x".repeat(5_000))).await;
        assert!(status == 200 && !shown.contains(&"x".repeat(super::MOST_LETTERS + 1)), "{shown}");
        for nowhere in ["/guide/none", "/guide/rules/none", "/guide/reference/none", "/guide/%ff", "/guide/..%2f..%2fx"]
        {
            assert_eq!(page(&bench, nowhere).await.0, 404, "{nowhere}");
        }
    }
}
