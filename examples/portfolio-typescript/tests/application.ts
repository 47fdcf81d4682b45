/** The application beside a world: started for a test on a port of its own, and compared with what the service says. */
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { World } from "@fundsim/test";
import { test as base } from "@fundsim/test/vitest";
import { expect } from "vitest";
import { Portfolio, serverOf } from "../src/app.js";
import { type Json, write } from "../src/json.js";

/** The application, as its customers reach it. */
export class Application {
  constructor(
    readonly url: string,
    private readonly world: World,
  ) {}

  /** Sends a request. */
  send(method: string, path: string, body?: object, key?: string): Promise<Response> {
    const headers = { "content-type": "application/json", ...(key ? { "idempotency-key": key } : {}) };
    return fetch(this.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  }

  /** Asks for something; the answer must be 200. */
  async post(path: string, body: object = {}, key?: string): Promise<Json> {
    const answer = await this.send("POST", path, body, key);
    const text = await answer.text();
    expect(answer.status, `POST ${path}: ${text}`).toBe(200);
    return JSON.parse(text);
  }

  /** Reads something, after everything that has happened was delivered. */
  async get(path: string): Promise<Json> {
    await this.world.waitForDeliveries(10_000);
    const answer = await this.send("GET", path);
    const text = await answer.text();
    expect(answer.status, `GET ${path}: ${text}`).toBe(200);
    return JSON.parse(text);
  }

  /** Where the application's books are not what the service says: empty where they agree to the last digit. */
  async differences(): Promise<string[]> {
    const { accounts } = await this.get("/holdings");
    const ours = new Map<string, Json>(accounts.map((one: Json) => [one.account, one]));
    const found: string[] = [];
    for (const account of await this.world.partner.accounts.list()) {
      const { cash, positions } = ours.get(account.id) ?? { cash: "0", positions: [] };
      if (Number(cash) !== account.balance) found.push(`cash of ${account.id}: ${cash}, and ${account.balance} at the service`);
      const held = write(positions.map((one: Json) => [one.instrument, Number(one.units)]));
      const theirs = (account.positions ?? []).filter((one) => one.units !== 0).map((one) => [one.instrument, one.units]);
      if (held !== write(theirs.sort())) found.push(`units of ${account.id}: ${held}, and ${write(theirs)} at the service`);
    }
    return found;
  }
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((closed) => server.close(() => closed()));
  return port;
}

/** A test with the application beside its world. */
export const test = base.extend<{ application: Application }>({
  application: async ({ world, partner }, use) => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const settings = {
      serviceUrl: world.server.url,
      client: partner.client,
      clientId: partner.credentials.clientId,
      clientSecret: partner.credentials.clientSecret,
      callbackSecret: partner.callbackSecret,
      webhookSecret: (await world.webhook(`${publicUrl}/events`)).secret,
      publicUrl,
      database: ":memory:",
    };
    const portfolio = await Portfolio.open(settings);
    const server = serverOf(portfolio, settings);
    await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
    await use(new Application(publicUrl, world));
    // Requests that are under way come to their end.
    await new Promise((closed) => server.close(closed));
    portfolio.close();
  },
});
