/** The end customer in front of hosted pages: opens them, fills them in, signs, leaves. */
import { type HTMLElement, parse } from "node-html-parser";
import type { Shapes } from "./http.js";
import type { World } from "./world.js";

/** A page does not have what was looked for on it. */
export class PageFault extends Error {
  override name = "PageFault";
}

/** What happens in the electronic identity. */
export type Outcome = "sign" | "abort" | "fail" | "refuse";

/** How a journey is walked. */
export type Walk = {
  /** The number of who identifies. */
  person?: string;
  /** The step at which the customer leaves. */
  leaveAt?: string;
  identify?: Outcome;
  sign?: Outcome;
};

/** Answers by names of steps and fields (`{ kyc: { purpose: "pension" } }`), or by names of fields alone. */
export type Answers = Record<string, unknown>;

type Field = {
  name: string;
  kind: "text" | "one" | "many";
  required: boolean;
  readOnly: boolean;
  choices: Map<string, string>;
  values: string[];
  error?: string;
};
type Button = { words: string; sends?: [string, string] };

const MOST_PAGES = 40;

/** A page, read from its HTML. */
export class Page {
  readonly name: string;
  readonly heading: string;
  readonly text: string;
  readonly problems: string[];
  readonly links = new Map<string, string>();
  readonly action: string | undefined;
  readonly fields = new Map<string, Field>();
  readonly buttons: Button[] = [];
  private readonly hidden: [string, string][] = [];

  constructor(
    readonly url: string,
    readonly status: number,
    html: string,
  ) {
    this.name = new URL(url).pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
    const root = parse(html);
    const main = root.querySelector("main") ?? root;
    this.heading = words(main.querySelector("h1"));
    this.text = words(main);
    this.problems = main.querySelectorAll(".problems li").map(words);
    for (const link of main.querySelectorAll("a[href]")) {
      this.links.set(words(link), new URL(link.getAttribute("href") ?? "", url).href);
    }
    const form = main.querySelectorAll("form").find((one) => one.getAttribute("method") === "post");
    this.action = form && new URL(form.getAttribute("action") ?? "", url).href;
    if (form) this.read(form);
  }

  /** What is wrong with each field. */
  get errors(): Record<string, string> {
    return Object.fromEntries([...this.fields.values()].flatMap((one) => (one.error ? [[one.name, one.error]] : [])));
  }

  /** Fills a field in: a text, a number, true or false for a box, or a list of choices. */
  put(name: string, value: unknown): void {
    const field = this.fields.get(name);
    if (field === undefined) {
      const known = [...this.fields.keys()].join(", ") || "nothing";
      throw new PageFault(`the page ${this.name} does not ask for \`${name}\`; it asks for: ${known}`);
    }
    if (typeof value === "boolean") {
      field.values = value && field.kind !== "text" ? [...field.choices.keys()] : [];
      return;
    }
    const given = (Array.isArray(value) ? value : [value]).map(String);
    if (field.kind === "text") {
      field.values = given;
      return;
    }
    const byWords = new Map([...field.choices].map(([choice, text]) => [text, choice]));
    field.values = given.map((one) => byWords.get(one) ?? one);
    const unknown = field.values.find((one) => !field.choices.has(one));
    if (unknown !== undefined) {
      throw new PageFault(`\`${name}\` does not offer "${unknown}"; it offers: ${[...field.choices.keys()].join(", ")}`);
    }
  }

  /** The button that sends a value, or the one that leads on. */
  button(sends?: string): Button {
    const found = this.buttons.find((one) => one.sends?.[1] === sends) ?? (sends === undefined ? this.buttons[0] : undefined);
    if (found === undefined) {
      const known = this.buttons.map((one) => (one.sends ? `${one.words} (${one.sends[1]})` : one.words)).join(", ") || "none";
      throw new PageFault(`the page ${this.name} has no button for ${sends ?? "going on"}; it has: ${known}`);
    }
    return found;
  }

  /** What the form sends with a button. */
  data(button: Button): URLSearchParams {
    const sent = new URLSearchParams(this.hidden);
    for (const { name, kind, values } of this.fields.values()) {
      for (const value of values.length > 0 ? values : kind === "text" ? [""] : []) sent.append(name, value);
    }
    if (button.sends) sent.append(...button.sends);
    return sent;
  }

  private read(form: HTMLElement): void {
    const wrongs = new Map(form.querySelectorAll(".wrong").map((one) => [one.id, words(one)]));
    for (const element of form.querySelectorAll("input, select, button")) {
      const tag = element.tagName.toLowerCase();
      const kind = element.getAttribute("type") ?? "text";
      const name = element.getAttribute("name") ?? "";
      const value = element.getAttribute("value") ?? "";
      if (tag === "button") this.buttons.push(name ? { words: words(element), sends: [name, value] } : { words: words(element) });
      else if (kind === "hidden") this.hidden.push([name, value]);
      else if (name) this.field(form, element, tag, kind, name, value, wrongs);
    }
  }

  private field(
    form: HTMLElement,
    element: HTMLElement,
    tag: string,
    kind: string,
    name: string,
    value: string,
    wrongs: Map<string, string>,
  ): void {
    const control = tag === "select" || kind === "radio" ? "one" : kind === "checkbox" ? "many" : "text";
    const field: Field = this.fields.get(name) ?? {
      name,
      kind: control,
      required: false,
      readOnly: false,
      choices: new Map(),
      values: [],
    };
    if (tag === "select") {
      for (const option of element.querySelectorAll("option")) {
        const choice = option.getAttribute("value") ?? "";
        if (choice) field.choices.set(choice, words(option));
        if (choice && option.hasAttribute("selected")) field.values.push(choice);
      }
    } else if (control === "text") {
      field.readOnly = element.hasAttribute("readonly");
      if (value) field.values = [value];
    } else {
      const label = element.closest("label") ?? form.querySelector(`label[for="${element.id}"]`);
      field.choices.set(value || "on", words(label));
      if (element.hasAttribute("checked")) field.values.push(value || "on");
    }
    field.required ||= element.hasAttribute("required");
    const described = [element, element.closest("fieldset")].flatMap(
      (one) => one?.getAttribute("aria-describedby")?.split(" ") ?? [],
    );
    const wrong = described.map((id) => wrongs.get(id)).find((text) => text !== undefined);
    if (wrong !== undefined) field.error ??= wrong;
    this.fields.set(name, field);
  }
}

const words = (element: HTMLElement | null | undefined): string => element?.structuredText.replace(/\s+/g, " ").trim() ?? "";

/** A customer of the partner's in a world. */
export class Customer {
  /** The pages that were shown, in order. */
  readonly pages: Page[] = [];

  constructor(private readonly world: World) {}

  /** An account that the customer has already, without a journey. */
  account(more: { accountType?: string; cash?: number | string; [field: string]: unknown } = {}): Promise<Shapes["Account"]> {
    return this.world.platform.openAccount(this.world.partner.client, more);
  }

  /** Opens an address, or a journey's. */
  async open(url: string | { url: string }): Promise<Page> {
    return this.show(await fetch(typeof url === "string" ? url : url.url, { headers: { "accept-language": "en" } }));
  }

  /** Sends the form of a page. */
  async submit(page: Page, button: Button = page.button()): Promise<Page> {
    if (page.action === undefined) throw new PageFault(`the page ${page.name} has no form`);
    const headers = { "accept-language": "en" };
    return this.show(await fetch(page.action, { method: "POST", body: page.data(button), headers }));
  }

  /** Leaves a journey from a page of it, and says so when asked. */
  async leave(page: Page): Promise<Page> {
    const way = [...page.links.values()].find((link) => new URL(link).pathname.endsWith("/leave"));
    if (way === undefined) {
      throw new PageFault(`the page ${page.name} cannot be left; its links are: ${[...page.links.keys()].join(", ") || "none"}`);
    }
    return this.submit(await this.open(way));
  }

  /**
   * Walks a journey from its address to an end, and returns the last page. What `answers` has is filled in; what is filled in
   * already stays; the rest is what the service suggests, or the first choice.
   */
  async walk(url: string | { url: string }, answers: Answers = {}, how: Walk = {}): Promise<Page> {
    const begin = this.pages.length;
    const shown = () =>
      this.pages
        .slice(begin)
        .map((page) => page.name)
        .join(", ");
    const given = byStep(answers);
    const used = new Set<string>();
    let page = await this.open(url);
    const suggested = await this.suggestions(typeof url === "string" ? url : url.url);
    while (this.pages.length - begin < MOST_PAGES) {
      if (page.status >= 400) throw new PageFault(`the page answers ${page.status}: ${page.heading || page.text.slice(0, 200)}`);
      if (page.name === how.leaveAt) return this.leave(page);
      if (page.action === undefined) {
        if (how.leaveAt !== undefined) throw new PageFault(`no page is called ${how.leaveAt}; pages were: ${shown()}`);
        const unused = [...given.keys()].filter((name) => !used.has(name)).map((name) => name.replace(/^\./, ""));
        if (unused.length > 0 && (how.identify ?? "sign") === "sign" && (how.sign ?? "sign") === "sign") {
          throw new PageFault(`no page has asked for ${unused.join(", ")}; pages were: ${shown()}`);
        }
        return page;
      }
      for (const field of page.fields.values()) fill(page, field, given, used, suggested);
      const identifies = page.fields.has("_person");
      if (how.person !== undefined && identifies && page.name === "authentication") choosePerson(page, how.person);
      const outcome = page.name === "signing" ? (how.sign ?? "sign") : (how.identify ?? "sign");
      const next = await this.submit(page, identifies ? page.button(outcome) : page.button());
      if (next.name === page.name && (Object.keys(next.errors).length > 0 || next.problems.length > 0)) {
        const wrong = Object.entries(next.errors).map(([name, text]) => `${name}: ${text}`);
        throw new PageFault(
          `the page ${next.name} refuses what was filled in: ${(wrong.length > 0 ? wrong : next.problems).join("; ")}`,
        );
      }
      page = next;
    }
    throw new PageFault(`no end after ${MOST_PAGES} pages: ${shown()}`);
  }

  private async show(answer: Response): Promise<Page> {
    const page = new Page(answer.url, answer.status, await answer.text());
    this.pages.push(page);
    return page;
  }

  /** What a person might answer, by step and field. */
  private async suggestions(url: string): Promise<Map<string, string[]>> {
    const { journeys } = await this.world.look<Shapes["JourneyList"]>("journeys");
    const journey = journeys.find((one) => one.url === url.split("?")[0]);
    const found = new Map<string, string[]>();
    if (journey === undefined) return found;
    const partner = this.world.partnerOf(journey.clientId);
    const steps = await partner
      .call<Shapes["StepDescription"][]>("GET", `/simulations/journey/${journey.id}/steps`)
      .catch(() => []);
    for (const { step, fields } of steps) {
      for (const { name, suggestion } of fields) {
        if (suggestion && suggestion.length > 0) found.set(`${step}.${name}`, suggestion.map(String));
      }
    }
    return found;
  }
}

function fill(page: Page, field: Field, given: Map<string, unknown>, used: Set<string>, suggested: Map<string, string[]>): void {
  for (const key of [`${page.name}.${field.name}`, `.${field.name}`]) {
    if (given.has(key)) {
      page.put(field.name, given.get(key));
      used.add(key);
      return;
    }
  }
  if (field.values.length > 0 || field.readOnly || field.name.startsWith("_")) return;
  const isOneBox = field.kind === "many" && field.choices.size === 1;
  const suggestion = suggested.get(`${page.name}.${field.name}`);
  if (suggestion && (field.required || field.kind !== "many" || ["kyc", "agreement"].includes(page.name))) {
    page.put(field.name, isOneBox ? true : suggestion);
  } else if (field.required && field.choices.size > 0) {
    page.put(field.name, isOneBox ? true : [...field.choices.keys()][0]);
  }
}

/** Answers by step and field, with a dot between; those that name no step begin with it. */
function byStep(answers: Answers): Map<string, unknown> {
  const isStep = (value: unknown): value is Answers => typeof value === "object" && value !== null && !Array.isArray(value);
  return new Map(
    Object.entries(answers).flatMap(([name, value]): [string, unknown][] =>
      isStep(value) ? Object.entries(value).map(([inner, answer]) => [`${name}.${inner}`, answer]) : [[`.${name}`, value]],
    ),
  );
}

function choosePerson(page: Page, number: string): void {
  if (page.fields.get("_person")?.choices.has(number)) page.put("_person", number);
  else {
    page.put("_person", "another");
    page.put("_number", number);
  }
}
