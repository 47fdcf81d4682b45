/**
 * The application: the same HTTP surface as `portfolio-python`, where a table describes it.
 *
 * An event is a hint: its `current` is taken only where its `previous` is what the copy holds. Everything else is read again.
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import Big from "big.js";
import { Webhook } from "standardwebhooks";
import { Books, CASH, type Counted, KINDS, type Kind } from "./books.js";
import { type Json, read, write } from "./json.js";
import { Refused, Service, Unavailable } from "./service.js";

/** Addresses and secrets. */
export type Settings = {
  serviceUrl: string;
  client: string;
  clientId: string;
  clientSecret: string;
  /** Signs callbacks of journeys. */
  callbackSecret: string;
  /** Signs events. */
  webhookSecret: string;
  /** Where the service reaches this application. */
  publicUrl: string;
  database: string;
};

/** An answer other than 200, with words for the caller. */
class Problem extends Error {
  constructor(
    readonly status: number,
    words: string,
  ) {
    super(words);
  }
}

const RESOURCES: Record<string, Kind> = { account: "account", order: "order", cashTransaction: "cash", fundTransaction: "fund" };
const NONE: Counted = { amount: new Big(0), settled: new Big(0) };

/** The application behind its routes. */
export class Portfolio {
  private readonly turns = new Map<string, Promise<unknown>>();

  private constructor(
    private readonly settings: Settings,
    private readonly service: Service,
    private readonly books: Books,
  ) {}

  /** Opens the books, and reads what was missed. */
  static async open(settings: Settings): Promise<Portfolio> {
    const service = new Service(settings.serviceUrl, settings.client, settings.clientId, settings.clientSecret);
    const portfolio = new Portfolio(settings, service, new Books(settings.database, await service.now()));
    await portfolio.reconcile(true);
    return portfolio;
  }

  /** Closes the books. */
  close(): void {
    this.books.close();
  }

  /** Takes an event, once. Rejects where the service could not be read: then it must come again. */
  async take(event: string, eventType: string, body: Json): Promise<void> {
    const [resource = "", change] = eventType.split(".");
    const kind = RESOURCES[resource];
    if (kind === undefined || this.books.knowsEvent(event)) return;
    if (change === "delete") {
      this.books.forget(kind, body.previous.id);
      // A closed account can still be read.
      if (kind === "account") await this.readAgain(kind, body.previous.id);
    } else if (this.follows(kind, body)) this.books.store(kind, body.current);
    else await this.readAgain(kind, body.current.id);
    // Last, so that an event which could not be taken is taken when it comes again. Taking one twice changes nothing.
    this.books.run("insert or ignore into seen values (?)", event);
  }

  private follows(kind: Kind, { current, previous }: Json): boolean {
    const known = this.books.record(kind, current.id);
    if (known === undefined || previous === undefined) return known === undefined && previous === undefined;
    return write(known) === write(previous) && current.modifiedDate > previous.modifiedDate;
  }

  private async readAgain(kind: Kind, id: string): Promise<void> {
    try {
      this.books.store(kind, await this.service.read(`${KINDS[kind]}/${id}`));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.books.forget(kind, id);
    }
  }

  /** Reads what has changed since the last list, or everything; returns how many records there were. */
  async reconcile(everything: boolean): Promise<number> {
    let count = 0;
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const since = everything ? undefined : this.books.meta(`listed_${kind}`);
      const listed: Json[] = await this.service.read(KINDS[kind], { modifiedFrom: since });
      this.books.change(() => {
        for (const body of listed) this.books.store(kind, body);
        const latest =
          listed
            .map((body) => body.modifiedDate as string)
            .sort()
            .at(-1) ?? since;
        if (latest) this.books.remember(`listed_${kind}`, latest);
      });
      const ids = new Set(listed.map((body) => body.id));
      const missing = everything ? this.books.records(kind).filter((body) => !ids.has(body.id)) : [];
      for (const body of missing) await this.readAgain(kind, body.id);
      count += listed.length;
    }
    return count;
  }

  /**
   * Makes something once for a key; `make` is given the reference under which it is looked for again. The key is kept before the
   * service is asked, so that a request after a crash looks for what may have been made.
   */
  async once(key: string | undefined, request: unknown, make: (reference: string) => Promise<Json>): Promise<Json> {
    if (key === undefined) return make(randomUUID());
    const turn = (this.turns.get(key) ?? Promise.resolve()).catch(() => undefined).then(() => this.inTurn(key, request, make));
    this.turns.set(key, turn);
    return turn;
  }

  private async inTurn(key: string, request: unknown, make: (reference: string) => Promise<Json>): Promise<Json> {
    const fingerprint = createHash("sha256").update(write(request)).digest("hex");
    const [known] = this.books.rows("select * from asked where key = ?", key);
    if (known && known.request !== fingerprint) throw new Problem(422, "this Idempotency-Key was used for another request");
    if (known?.answer) {
      const answer = read(String(known.answer));
      if (known.status !== 200) throw new Problem(Number(known.status), answer.error);
      return answer;
    }
    const reference = known ? String(known.client_ref) : randomUUID();
    if (!known) this.books.run("insert into asked (key, request, client_ref) values (?, ?, ?)", key, fingerprint, reference);
    const answered = (status: number, answer: Json) =>
      this.books.run("update asked set status = ?, answer = ? where key = ?", status, write(answer), key);
    try {
      const made = await make(reference);
      answered(200, made);
      return made;
    } catch (error) {
      if (error instanceof Refused) answered(400, { error: error.message });
      throw error;
    }
  }

  /** Begins a journey in which a customer opens an account. Its `scope` says whose it is. */
  async openCustomer(reference: string, accountType: string): Promise<Json> {
    const journey = {
      journeyType: "createAccount",
      accountTypes: [accountType],
      accountServiceType: "executionOnly",
      accountCategories: ["retail"],
    };
    const scope = Buffer.from(reference).toString("base64");
    // Of two journeys one is never opened: that is harmless, so none is looked for.
    const made = await this.service.write("journey", { callbackUrl: `${this.settings.publicUrl}/callbacks`, scope, journey });
    const columns = "id, journey, url, status";
    this.books.run(`insert or replace into customer (${columns}) values (?, ?, ?, 'onboarding')`, reference, made.id, made.url);
    return { customer: reference, status: "onboarding", url: made.url };
  }

  /** A customer. */
  customer(id: string): Json {
    const [found] = this.books.rows("select * from customer where id = ?", id);
    if (found === undefined) throw new Problem(404, `there is no customer ${id}`);
    const account = found.account ? this.books.record("account", String(found.account)) : undefined;
    return { customer: id, status: account?.status ?? found.status, reason: found.reason, account: found.account };
  }

  private account(customer: string): Json {
    const { account } = this.customer(customer);
    const record = account && this.books.record("account", account);
    if (!record) throw new Problem(409, "the customer has no account yet");
    return record;
  }

  /** A journey has ended. */
  ended(body: Json): void {
    if (body.scope === null) return;
    const customer = Buffer.from(body.scope, "base64").toString();
    const isComplete = body.status === "complete";
    const values = [body.status, isComplete ? null : body.error.code, isComplete ? body.result.account.id : null, customer];
    this.books.run("update customer set status = ?, reason = ?, account = ? where id = ?", ...values);
  }

  /** Asks for a mobile payment. */
  async deposit(customer: string, amount: Big): Promise<Json> {
    const path = `account/${this.account(customer).id}/deposit/mobilepay`;
    const made = await this.service.write(path, { type: "same_device", amount });
    return { deposit: made.id, token: made.token, amount: amount.toFixed() };
  }

  /** Buys or sells. */
  async order(customer: string, clientRef: string, wanted: object): Promise<Json> {
    const body = { account: this.account(customer).id, clientRef, ...wanted };
    const find = async () => (await this.service.read("order", { clientRef, limit: "1" }))[0];
    const made = await this.service.write("order", body, find);
    this.books.store("order", made);
    return shownOrder(made);
  }

  /** The customer's orders. */
  orders(customer: string): Json[] {
    const { id } = this.account(customer);
    return this.books
      .records("order")
      .filter((order) => order.account === id)
      .map(shownOrder);
  }

  /** Pays out to the customer's first validated bank account. */
  async withdraw(customer: string, clientRef: string, amount: Big): Promise<Json> {
    const account = this.account(customer);
    const target = account.bankAccounts.find((one: Json) => one.validated);
    if (target === undefined) throw new Problem(409, "the customer has no validated bank account");
    const body = { withdrawalType: "amount", amount, bankAccount: target.id, executorRef: account.owner.ssn, clientRef };
    const find = async () => {
      const listed: Json[] = await this.service.read(`account/${account.id}/transaction/cash`, { transactionType: "withdrawal" });
      return listed.find((one) => one.clientRef === clientRef);
    };
    const made = await this.service.write(`account/${account.id}/withdrawal`, body, find);
    this.books.store("cash", made);
    return { withdrawal: made.id, amount: new Big(made.amount).toFixed(2) };
  }

  /** What a customer holds, at the last prices. The worth is the service's: it changes without events. */
  async portfolio(customer: string): Promise<Json> {
    const account = this.account(customer);
    const held = this.books.holdings().get(account.id) ?? new Map<string, Counted>();
    const worth = new Map((await this.service.read(`account/${account.id}`)).positions.map((one: Json) => [one.instrument, one]));
    const positions = positionsOf(held).map((position) => {
      const { closePrice = null, value = null } = (worth.get(position.instrument) ?? {}) as Json;
      return { ...position, price: closePrice && new Big(closePrice).toFixed(), value: value && new Big(value).toFixed(2) };
    });
    const cash = (held.get(CASH) ?? NONE).amount;
    const value = positions.reduce((sum, one) => sum.plus(one.value ?? 0), cash);
    return { customer, account: account.id, status: account.status, cash: cash.toFixed(2), positions, value: value.toFixed(2) };
  }

  /** What all accounts hold. */
  holdings(day?: string): Json {
    const held = this.books.holdings(day);
    const accounts = this.books.records("account").map(({ id }) => {
      const mine = held.get(id) ?? new Map<string, Counted>();
      return { account: id, cash: (mine.get(CASH) ?? NONE).amount.toFixed(2), positions: positionsOf(mine) };
    });
    return { client: this.settings.client, day: day ?? null, accounts };
  }

  /** Reads what was missed, then closes the days that have ended. */
  async closeOfDay(): Promise<Json> {
    await this.reconcile(false);
    return { closed: this.books.closeDays(await this.service.now()) };
  }
}

function positionsOf(held: Map<string, Counted>): { instrument: string; units: string; unitsSettled: string }[] {
  const funds = [...held].filter(([what, size]) => what !== CASH && !(size.amount.eq(0) && size.settled.eq(0)));
  const shown = funds.map(([instrument, size]) => ({
    instrument,
    units: size.amount.toFixed(),
    unitsSettled: size.settled.toFixed(),
  }));
  return shown.sort((one, other) => (one.instrument < other.instrument ? -1 : 1));
}

function shownOrder(record: Json): Json {
  const names = ["id", "status", "orderType", "instrument", "amount", "units", "createdDate"];
  const shown = names.filter((name) => record[name] !== undefined && record[name] !== null);
  return Object.fromEntries(
    shown.map((name) => [name, record[name] instanceof Big ? record[name].toFixed() : String(record[name])]),
  );
}

/** A number that the caller has sent; one with a fraction is a text, because it must be exact. */
function amountOf(body: Json, name: string): Big {
  const given = body[name];
  if (typeof given === "string" && /^\d+(\.\d+)?$/.test(given)) return new Big(given);
  if (typeof given === "number" && Number.isInteger(given)) return new Big(given);
  throw new Problem(400, `${name} is an exact number, written as a text: "2500.50"`);
}

type Call = { parts: string[]; query: URLSearchParams; body: Json; key: string | undefined };

/** The routes, by method and path; `*` is a customer. */
const ROUTES: Record<string, (portfolio: Portfolio, call: Call) => unknown> = {
  "POST /customers": (portfolio, { body, key }) =>
    portfolio.once(key, ["customer", body], (reference) => portfolio.openCustomer(reference, body.accountType ?? "isk")),
  "GET /customers/*": (portfolio, { parts }) => portfolio.customer(parts[1] as string),
  "POST /customers/*/deposits": (portfolio, { parts, body, key }) => {
    const amount = amountOf(body, "amount");
    return portfolio.once(key, ["deposit", parts[1], body], () => portfolio.deposit(parts[1] as string, amount));
  },
  "POST /customers/*/orders": (portfolio, { parts, body, key }) => {
    const { orderType, instrument } = body;
    if (!["subscription", "redemption"].includes(orderType))
      throw new Problem(400, "orderType is `subscription` or `redemption`");
    const size = orderType === "subscription" ? "amount" : "units";
    const wanted = { orderType, instrument: String(instrument), [size]: amountOf(body, size) };
    return portfolio.once(key, ["order", parts[1], body], (reference) => portfolio.order(parts[1] as string, reference, wanted));
  },
  "GET /customers/*/orders": (portfolio, { parts }) => portfolio.orders(parts[1] as string),
  "POST /customers/*/withdrawals": (portfolio, { parts, body, key }) => {
    const amount = amountOf(body, "amount");
    const make = (reference: string) => portfolio.withdraw(parts[1] as string, reference, amount);
    return portfolio.once(key, ["withdrawal", parts[1], body], make);
  },
  "GET /portfolio/*": (portfolio, { parts }) => portfolio.portfolio(parts[1] as string),
  "GET /holdings": (portfolio, { query }) => portfolio.holdings(query.get("day") ?? undefined),
  "POST /jobs/close-of-day": (portfolio) => portfolio.closeOfDay(),
  "POST /jobs/reconcile": async (portfolio, { query }) => ({
    read: await portfolio.reconcile(query.get("everything") === "true"),
  }),
};

/** The application as a server that does not listen yet. */
export function serverOf(portfolio: Portfolio, settings: Settings): Server {
  return createServer(async (request, response) => {
    try {
      const [status, answer] = await answerTo(portfolio, settings, request);
      send(response, status, answer);
    } catch (error) {
      if (error instanceof Problem) send(response, error.status, { error: error.message });
      else if (error instanceof Refused) send(response, 400, { error: error.message });
      else if (error instanceof Unavailable)
        send(response, 503, { error: "the service does not answer; ask again with the same key" });
      else {
        console.error(error);
        send(response, 500, { error: "something is wrong here" });
      }
    }
  });
}

async function answerTo(portfolio: Portfolio, settings: Settings, request: IncomingMessage): Promise<[number, unknown]> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const raw = Buffer.concat(pieces).toString();
  const isEvent = url.pathname === "/events";
  if (isEvent || url.pathname === "/callbacks") {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    try {
      new Webhook(isEvent ? settings.webhookSecret : settings.callbackSecret).verify(raw, headers);
    } catch {
      return [401, { error: "no known secret has signed this" }];
    }
    if (isEvent) await portfolio.take(headers["webhook-id"] ?? "", headers["event-type"] ?? "", read(raw));
    else portfolio.ended(read(raw));
    return [200, {}];
  }
  const parts = url.pathname.split("/").filter((part) => part !== "");
  const isOfCustomer = ["customers", "portfolio"].includes(parts[0] ?? "");
  const pattern = parts.map((part, at) => (at === 1 && isOfCustomer ? "*" : part)).join("/");
  const route = ROUTES[`${request.method} /${pattern}`];
  if (route === undefined) return [404, { error: `there is no ${request.method} ${url.pathname}` }];
  const key = request.headers["idempotency-key"];
  const call = {
    parts,
    query: url.searchParams,
    body: raw === "" ? {} : read(raw),
    key: key === undefined ? undefined : String(key),
  };
  return [200, await route(portfolio, call)];
}

function send(response: ServerResponse, status: number, answer: unknown): void {
  const headers = { "content-type": "application/json", ...(status === 503 ? { "retry-after": "5" } : {}) };
  response.writeHead(status, headers).end(write(answer));
}
