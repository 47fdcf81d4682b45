/** A world: its clock, what its operator reads and breaks, and the acts of banks, fund companies and the platform. */
import { NotReceived, TIMEOUT } from "./events.js";
import { type Amount, call, exact, idOf, type Query, Refused, type Resource, type Shapes, withoutUndefined } from "./http.js";
import { type Credentials, Partner } from "./partner.js";
import type { ServerProcess } from "./process.js";

const OBSERVER = { "fundsim-observer": "true" };
const SPAN = /^(\d+) *(bank day|week|day|hour|minute|second)s?$/i;
const UNITS: Record<string, (number: string) => string> = {
  "bank day": (number) => `${number} bank days`,
  week: (number) => `P${number}W`,
  day: (number) => `P${number}D`,
  hour: (number) => `PT${number}H`,
  minute: (number) => `PT${number}M`,
  second: (number) => `PT${number}S`,
};

/** A span of time as the service reads it: `"3 days"`, `"2 bank days"` or `"PT90M"`. */
export function span(text: string): string {
  if (text.startsWith("P")) return text;
  const [, number, unit] = SPAN.exec(text.trim()) ?? [];
  const write = unit === undefined ? undefined : UNITS[unit.toLowerCase()];
  if (number === undefined || write === undefined) {
    throw new TypeError(`"${text}" is no span of time; write "3 days", "2 bank days", "90 minutes" or "PT90M"`);
  }
  return write(number);
}

/** How far Stockholm is from UTC at an instant, in minutes. */
function offset(instant: number): number {
  const format = new Intl.DateTimeFormat("en", { timeZone: "Europe/Stockholm", timeZoneName: "longOffset" });
  const name = format.formatToParts(instant).find((part) => part.type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

/** An instant as the service reads it. One without an offset is local time in Stockholm. */
export function instant(moment: string | Date): string {
  if (moment instanceof Date) return moment.toISOString();
  if (/(Z|[+-]\d\d:?\d\d)$/i.test(moment)) return new Date(moment).toISOString();
  const asUtc = Date.parse(`${moment}${moment.includes("T") ? "" : "T00:00"}Z`);
  if (Number.isNaN(asUtc)) throw new TypeError(`"${moment}" is no instant; write "2026-03-29T03:30" or with an offset`);
  const guess = asUtc - offset(asUtc) * 60_000;
  return new Date(asUtc - offset(guess) * 60_000).toISOString();
}

/** The clock of a world. It stands still until a test moves it. */
export class Clock {
  constructor(private readonly world: World) {}

  /** The present instant of the world. */
  async now(): Promise<Date> {
    return new Date((await this.world.look<Shapes["Clock"]>("clock")).now);
  }

  /** The present day in Stockholm, as YYYY-MM-DD. */
  async today(): Promise<string> {
    return (await this.now()).toLocaleDateString("sv-SE", { timeZone: "Europe/Stockholm" });
  }

  /** Moves on by a span: `"3 days"`, `"2 bank days"`, `"90 minutes"` or `"PT90M"`. */
  advance(by: string): Promise<Shapes["Advanced"]> {
    return this.move({ by: span(by) });
  }

  /** Moves on to an instant: `"2026-03-29T03:30"` is local time in Stockholm. */
  at(moment: string | Date): Promise<Shapes["Advanced"]> {
    return this.move({ to: instant(moment) });
  }

  /** Moves on until an order settles, or any. */
  untilSettlement(order?: Resource): Promise<Shapes["Advanced"]> {
    return this.move({ until: "settlement", order: order && idOf(order) });
  }

  /** Moves on until the cut-off of an order, or any. */
  untilCutOff(order?: Resource): Promise<Shapes["Advanced"]> {
    return this.move({ until: "cutOff", order: order && idOf(order) });
  }

  /** Moves on until a transaction on an account is created, settled or aborted. */
  untilBooking(account: Resource): Promise<Shapes["Advanced"]> {
    return this.move({ until: "booking", account: idOf(account) });
  }

  /** Moves on until anything happens. */
  untilNext(): Promise<Shapes["Advanced"]> {
    return this.move({ until: "next" });
  }

  private move(how: object): Promise<Shapes["Advanced"]> {
    return this.world.call("POST", "clock/advance", how);
  }
}

/** A world of its own: nothing of another world shows in it. */
export class World {
  readonly id: string;
  readonly seed: number;
  readonly start: string;
  readonly partners: Partner[];
  readonly clock = new Clock(this);

  constructor(
    readonly server: ServerProcess,
    made: { worldId: string; seed: number; now: string; partners: Credentials[] },
    private readonly forget: () => void,
  ) {
    this.id = made.worldId;
    this.seed = made.seed;
    this.start = made.now;
    this.partners = made.partners.map((partner) => new Partner(server.url, partner));
  }

  /** The world for its operator: the beginning of addresses such as `/clock`. */
  get url(): string {
    return `${this.server.url}/_sandbox/worlds/${this.id}`;
  }

  /** The address of its console. */
  get console(): string {
    return `${this.server.url}/console/${this.id}`;
  }

  /** Its first partner. */
  get partner(): Partner {
    return this.partners[0] as Partner;
  }

  /** The partner that a client belongs to. */
  partnerOf(client: string): Partner {
    const found = this.partners.find((partner) => partner.credentials.clients.some((one) => one.id === client));
    if (found === undefined) throw new Error(`no partner of ${this.id} has the client ${client}`);
    return found;
  }

  /** Sends a request about this world as its operator: `world.call("POST", "snapshots", { name: "before" })`. */
  call<T>(method: string, path: string, body?: unknown, query?: Query): Promise<T> {
    return this.server.call<T>(method, `/_sandbox/worlds/${this.id}/${path}`, body, query);
  }

  /** Reads something about this world that leaves no trace in its logs and recordings. */
  look<T>(path: string, query?: Query): Promise<T> {
    const headers = { ...this.server.headers, ...OBSERVER };
    return call<T>(this.server.url, "GET", `/_sandbox/worlds/${this.id}/${path}`, withoutUndefined({ headers, query }));
  }

  /**
   * Pulls a lever: what somebody outside does, as in `act("/simulations/death", { ssn })`. What belongs to a partner takes that
   * partner's right: that of the resource `of` where it names its client, else each partner's in turn until one may.
   */
  async act<T>(path: string, body?: unknown, of?: Resource): Promise<T> {
    const client = typeof of === "object" ? (of as { clientId?: string }).clientId : undefined;
    let unknown: unknown;
    for (const partner of client === undefined ? this.partners : [this.partnerOf(client)]) {
      try {
        return await partner.call<T>("POST", path, body);
      } catch (error) {
        const isUnknown =
          error instanceof Refused && (error.description.includes("unknown") || [403, 404].includes(error.status));
        if (!isUnknown) throw error;
        unknown ??= error;
      }
    }
    throw unknown;
  }

  /** Rules by which requests, sockets and deliveries go wrong. */
  readonly faults = {
    /** Adds a rule: `add({ answer: { status: 503 } }, { method: "POST", path: "/v2/partner/client/{clientId}/order", times: 1 })`. */
    add: (verdict: Shapes["FaultVerdict"], match?: Shapes["FaultMatch"]) =>
      this.call<Shapes["Fault"]>("POST", "faults", withoutUndefined({ verdict, match })),
    bundle: (name: "a bad day" | "a deploy" | "a slow partner") => this.call<unknown>("POST", "faults/bundles", { name }),
    clear: () => this.call<unknown>("DELETE", "faults"),
    list: () => this.look<Shapes["Fault"][]>("faults"),
  };

  /** What customers' banks do: pay, refuse, and send back. */
  readonly bank = {
    /** A payment over bankgiro, with an account's number as its reference; it is booked on the next bank day at 09:00. */
    payIn: (account: Shapes["Account"], amount: Amount) =>
      this.act<Shapes["BankgiroItem"]>(
        "/simulations/bankgiro",
        { ref: account.ref, amount: exact(amount) },
        account as { id: string },
      ),
    pay: (payment: Resource) => this.act<Shapes["MobilePayment"]>(`/simulations/mobilepay/${idOf(payment)}/pay`),
    decline: (payment: Resource) => this.act<Shapes["MobilePayment"]>(`/simulations/mobilepay/${idOf(payment)}/decline`),
    fail: (payment: Resource, errorCode = "FF10") =>
      this.act<Shapes["MobilePayment"]>(`/simulations/mobilepay/${idOf(payment)}/fail`, { errorCode }),
    /** A payout comes back; the answer is the deposit that brings the money back. */
    bounce: (withdrawal: Resource) => this.act<Shapes["CashTransaction"]>(`/simulations/withdrawal/${idOf(withdrawal)}/bounce`),
    /** A payer has a charge by autogiro back. */
    refund: (payment: Resource) => this.act<Shapes["CashTransaction"]>(`/simulations/payment/${idOf(payment)}/refund`, {}),
    refuseCharge: (payment: Resource, reasonCode = "2") =>
      this.act<Shapes["Payment"]>(`/simulations/payment/${idOf(payment)}/fail`, { reasonCode }),
    check: (bankAccount: Resource, outcome: "pass" | "fail" = "pass") =>
      this.act<Shapes["BankAccount"]>(`/simulations/bankaccount/${idOf(bankAccount)}/check`, { outcome }),
    mandate: (bankAccount: Resource, code = "32") =>
      this.act<Shapes["BankAccount"]>(`/simulations/bankaccount/${idOf(bankAccount)}/mandate`, { code }),
  };

  /** What fund companies do: prices, trading, corporate actions, and orders that they hold or refuse. */
  readonly fundCompany = {
    price: (instrument: Resource, closePrice: Amount, priceDate?: string) =>
      this.act<Shapes["Instrument"]>(`/simulations/instrument/${idOf(instrument)}/price`, {
        closePrice: exact(closePrice),
        priceDate,
      }),
    delayPrice: (instrument: Resource, bankDays: number) =>
      this.act<Shapes["Instrument"]>(`/simulations/instrument/${idOf(instrument)}/delay-nav`, { bankDays }),
    trading: (instrument: Resource, trading: Shapes["TradingRequest"]) =>
      this.act<Shapes["Instrument"]>(`/simulations/instrument/${idOf(instrument)}/trading`, trading),
    split: (instrument: Resource, factor: Amount) =>
      this.act<Shapes["Instrument"]>(`/simulations/instrument/${idOf(instrument)}/split`, { factor: exact(factor) }),
    merge: (instrument: Resource, into: Resource, ratio?: Amount) =>
      this.act<Shapes["Instrument"]>(`/simulations/instrument/${idOf(instrument)}/merge`, {
        into: idOf(into),
        ratio: ratio === undefined ? undefined : exact(ratio),
      }),
    hold: (order: Resource) => this.act<Shapes["Order"]>(`/simulations/order/${idOf(order)}/hold`),
    release: (order: Resource) => this.act<Shapes["Order"]>(`/simulations/order/${idOf(order)}/release`),
    reject: (order: Resource) => this.act<Shapes["Order"]>(`/simulations/order/${idOf(order)}/reject`),
  };

  /** What the platform does: accounts that exist already, approvals, screening, deaths. */
  readonly platform = {
    /** Opens an account without a journey. */
    openAccount: (client: Resource, more: { accountType?: string; cash?: Amount; [field: string]: unknown } = {}) =>
      this.act<Shapes["Account"]>("/simulations/account", {
        accountType: "isk",
        ...more,
        clientId: idOf(client),
        cash: more.cash === undefined ? undefined : exact(more.cash),
      }),
    approve: (account: Resource) => this.act<Shapes["Account"]>(`/simulations/account/${idOf(account)}/approve`),
    reject: (account: Resource) => this.act<Shapes["Account"]>(`/simulations/account/${idOf(account)}/reject`),
    screen: (body: Shapes["ScreeningRequest"]) => this.act<Shapes["Account"][]>("/simulations/screening", body),
    death: (ssn: string) => this.act<Shapes["Account"][]>("/simulations/death", { ssn }),
  };

  /** Registers a webhook for a client; without events, for all of them. */
  webhook(url: string, more: { client?: string; events?: string[]; secret?: string } = {}): Promise<Shapes["Webhook"]> {
    return this.call("POST", "webhooks", { url, ...more, client: more.client ?? this.partner.client });
  }

  /** The events that have happened, the oldest first. */
  async events(query?: Query): Promise<Shapes["EventLine"][]> {
    return (await this.look<Shapes["EventList"]>("events", query)).events;
  }

  /** The last requests of partners, the newest first. */
  async requests(query?: Query): Promise<Shapes["RequestLine"][]> {
    return (await this.look<Shapes["RequestLog"]>("requests", query)).requests;
  }

  /** Waits until everything that has happened so far was delivered to webhooks and callbacks, or refused for good. */
  async waitForDeliveries(timeout = TIMEOUT): Promise<void> {
    const ends = performance.now() + timeout;
    for (;;) {
      const found = await this.look<Shapes["DeliveryList"]>("deliveries", { status: "queued", limit: 1 });
      if (found.total === 0 && found.unread === 0) return;
      if (performance.now() > ends) {
        const waits = found.deliveries[0];
        const last = JSON.stringify(waits?.attempts.at(-1) ?? "none yet");
        throw new NotReceived(
          `${found.total} deliveries still wait after ${timeout} ms; one to ${waits?.url}, last attempt: ${last}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Changes settings, such as `{ autoPay: false }` or `{ deliveryWaitsSeconds: [1] }`: of the world or of its surface. */
  async settings(changed: Record<string, unknown>): Promise<Shapes["Settings"]> {
    const now = await this.look<Shapes["Settings"]>("settings");
    const isInner = ([name]: [string, unknown]) => name in now.world;
    const entries = Object.entries(changed);
    const inner = Object.fromEntries(entries.filter(isInner));
    const outer = Object.fromEntries(entries.filter((entry) => !isInner(entry)));
    return this.call("PATCH", "settings", { ...outer, world: Object.keys(inner).length > 0 ? inner : undefined });
  }

  /** The changes that led to the present state of a resource, with their causes. */
  why(resource: Resource): Promise<Shapes["Why"]> {
    return this.look(`why/${idOf(resource)}`);
  }

  /** The ledger: what every account paid and received. */
  books(): Promise<Shapes["Books"]> {
    return this.look("books");
  }

  /** What partners have asked of this world so far, as a scenario file. */
  scenario(): Promise<string> {
    return this.look("scenario");
  }

  /** This world with all that led to it, for `fundsim open`. It is the operator's. */
  capsule(): Promise<Record<string, unknown>> {
    return this.look("capsule");
  }

  /** What was met of this world, and what never. */
  coverage(): Promise<Shapes["Coverage"]> {
    return this.look("coverage");
  }

  /** Goes back to an earlier instant; what happened since is undone. */
  async rewind(to: string | Date): Promise<void> {
    await this.call("POST", "rewind", { to: instant(to) });
  }

  /** Leaves the world on the server for good: it is no leak. */
  keep(): void {
    this.forget();
  }

  /** Ends the world. */
  async drop(): Promise<void> {
    await this.server.call("DELETE", `/_sandbox/worlds/${this.id}`);
    this.forget();
  }
}
