/** A client of the partner API: its nouns as properties, its answers typed by its description. */
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./api.js";
import { EventSocket } from "./events.js";
import { type Amount, call, exact, idOf, type Query, type Resource, type Shapes, withoutUndefined } from "./http.js";

/** A partner as a world shows it when it is made. */
export type Credentials = {
  name: string;
  clientId: string;
  clientSecret: string;
  callbackSecret: string;
  clients: { id: string; name: string }[];
};

const RENEW_BEFORE = 60_000;

/** A partner with its token. `client` is the client that its calls are about; `of` gives one for another client. */
export class Partner {
  readonly client: string;
  readonly callbackSecret: string;
  private token = "";
  private renewAt = 0;

  constructor(
    readonly url: string,
    readonly credentials: Credentials,
    client?: string,
  ) {
    const first = credentials.clients[0];
    if (client === undefined && first === undefined) throw new Error(`the partner ${credentials.name} has no client`);
    this.client = client ?? (first as { id: string }).id;
    this.callbackSecret = credentials.callbackSecret;
  }

  /** Every route of the partner API, typed by its description: `partner.api.GET("/v2/partner/client/{clientId}", …)`. */
  get api(): Client<paths> {
    const client = createClient<paths>({ baseUrl: this.url });
    client.use({
      onRequest: async ({ request }) => {
        request.headers.set("authorization", (await this.bearer()).authorization);
      },
    });
    return client;
  }

  /** The same partner, about another of its clients. */
  of(client: string): Partner {
    return new Partner(this.url, this.credentials, client);
  }

  /** The header that has the token, which is renewed a minute before it ends. */
  async bearer(): Promise<{ authorization: string }> {
    if (performance.now() >= this.renewAt) {
      const form = new URLSearchParams({
        grant_type: "client_credentials",
        client_id: this.credentials.clientId,
        client_secret: this.credentials.clientSecret,
      });
      const answer = await fetch(`${this.url}/v2/partner/auth/token`, { method: "POST", body: form });
      if (!answer.ok) throw new Error(`the token endpoint answered ${answer.status}: ${await answer.text()}`);
      const granted = (await answer.json()) as { access_token: string; expires_in: number };
      this.token = granted.access_token;
      this.renewAt = performance.now() + granted.expires_in * 1000 - RENEW_BEFORE;
    }
    return { authorization: `Bearer ${this.token}` };
  }

  /** Sends any request with the token: `partner.call("GET", "/v2/partner/client")`. */
  async call<T>(method: string, path: string, body?: unknown, query?: Query): Promise<T> {
    const headers = await this.bearer();
    return call<T>(this.url, method, path, withoutUndefined({ headers, body, query }));
  }

  /** Sends a request below `/v2/partner/client/{clientId}`: `partner.ask("GET", "custodian")`. */
  ask<T>(method: string, path: string, body?: unknown, query?: Query): Promise<T> {
    return this.call<T>(method, `/v2/partner/client/${this.client}/${path}`, body, query);
  }

  /** The clients of the partner. */
  clients(): Promise<Shapes["Client"][]> {
    return this.call("GET", "/v2/partner/client");
  }

  /** The event socket of the client, open when this resolves. */
  async events(): Promise<EventSocket> {
    const address = `${this.url.replace("http", "ws")}/v2/partner/client/${this.client}/subscribe`;
    return EventSocket.open(address, await this.bearer());
  }

  /** Accounts of the client. */
  readonly accounts = {
    list: (query?: Query) => this.ask<Shapes["Account"][]>("GET", "account", undefined, query),
    get: (account: Resource) => this.ask<Shapes["Account"]>("GET", `account/${idOf(account)}`),
    close: (account: Resource, body?: object) => this.ask<Shapes["Account"]>("DELETE", `account/${idOf(account)}`, body),
    value: (account: Resource) => this.ask<Shapes["AccountValue"]>("GET", `account/${idOf(account)}/value`),
    kycStatus: (account: Resource) => this.ask<Shapes["Kyc"]>("GET", `kycstatus/account/${idOf(account)}`),
  };

  /** Orders of the client. */
  readonly orders = {
    /** Buys for an amount. */
    subscribe: (
      account: Resource,
      instrument: Resource,
      amount: Amount,
      more: { clientRef?: string; executorRef?: string } = {},
    ) =>
      this.ask<Shapes["SubscriptionOrder"]>("POST", "order", {
        account: idOf(account),
        orderType: "subscription",
        instrument: idOf(instrument),
        amount: exact(amount),
        ...more,
      }),
    /** Sells units. */
    redeem: (account: Resource, instrument: Resource, units: Amount, more: { clientRef?: string; executorRef?: string } = {}) =>
      this.ask<Shapes["RedemptionOrder"]>("POST", "order", {
        account: idOf(account),
        orderType: "redemption",
        instrument: idOf(instrument),
        units: exact(units),
        ...more,
      }),
    get: (order: Resource) => this.ask<Shapes["Order"]>("GET", `order/${idOf(order)}`),
    list: (query?: Query) => this.ask<Shapes["Order"][]>("GET", "order", undefined, query),
    cancel: (order: Resource) => this.ask<Shapes["Order"]>("DELETE", `order/${idOf(order)}`),
  };

  /** Journeys of the client. */
  readonly journeys = {
    /** Starts a journey. What a `createAccount` journey requires and the configuration leaves out is filled in. */
    start: (type: Shapes["JourneyType"], callbackUrl: string, journey: object = {}, more: object = {}) => {
      const usual = { accountTypes: ["isk"], accountServiceType: "executionOnly", accountCategories: ["retail"] };
      const configuration = { ...(type === "createAccount" ? usual : {}), ...journey, journeyType: type };
      return this.ask<Shapes["Journey"]>("POST", "journey", { callbackUrl, journey: configuration, ...more });
    },
    get: (journey: Resource) => this.ask<Shapes["Journey"]>("GET", `journey/${idOf(journey)}`),
  };

  /** Mobile payments into accounts. */
  readonly deposits = {
    start: (account: Resource, amount: Amount, type: Shapes["MobilePaymentType"] = "same_device") =>
      this.ask<Shapes["MobilePaymentSession"]>("POST", `account/${idOf(account)}/deposit/mobilepay`, {
        type,
        amount: exact(amount),
      }),
    get: (payment: Resource) => this.call<Shapes["MobilePayment"]>("GET", `/v2/partner/deposit/mobilepay/${idOf(payment)}`),
  };

  /** Payouts from accounts. */
  readonly withdrawals = {
    /** Pays cash out; without an amount, all of it. The target is the account's first validated bank account, unless named. */
    start: (
      account: Shapes["Account"],
      amount?: Amount,
      more: { bankAccount?: string; executorRef?: string; clientRef?: string } = {},
    ) => {
      const target = more.bankAccount ?? account.bankAccounts?.find((one) => one.validated)?.id;
      if (target === undefined) throw new Error(`the account ${account.id} has no validated bank account to pay to`);
      const owner = "ssn" in account.owner ? account.owner.ssn : undefined;
      return this.ask<Shapes["CashTransaction"]>("POST", `account/${account.id}/withdrawal`, {
        withdrawalType: amount === undefined ? "full" : "amount",
        amount: amount === undefined ? undefined : exact(amount),
        executorRef: owner,
        ...more,
        bankAccount: target,
      });
    },
    limit: (account: Resource) => this.ask<Shapes["WithdrawalLimit"]>("GET", `account/${idOf(account)}/withdrawal/limit`),
  };

  /** Payment instructions of the client. */
  readonly instructions = {
    start: (payments: { account: Resource; amount: Amount; clientRef: string }[], type: Shapes["InstructionType"] = "autogiro") =>
      this.ask<Shapes["Instruction"]>("POST", "instruction/payment", {
        type,
        payments: payments.map((one) => ({ ...one, account: idOf(one.account), amount: exact(one.amount) })),
      }),
    get: (instruction: Resource) => this.ask<Shapes["Instruction"]>("GET", `instruction/${idOf(instruction)}`),
  };

  /** Transactions of the client. */
  readonly transactions = {
    cash: (query?: Query) => this.ask<Shapes["CashTransaction"][]>("GET", "transaction/cash", undefined, query),
    fund: (query?: Query) => this.ask<Shapes["FundTransaction"][]>("GET", "transaction/fund", undefined, query),
  };

  /** Funds. */
  readonly instruments = {
    list: () => this.ask<Shapes["Instrument"][]>("GET", "instrument"),
    get: (instrument: Resource) => this.call<Shapes["Instrument"]>("GET", `/v2/partner/instrument/${idOf(instrument)}`),
    prices: (instrument: Resource, query?: Query) =>
      this.ask<Shapes["HistoricalPrice"][]>("GET", `instrument/${idOf(instrument)}/prices`, undefined, query),
  };
}
