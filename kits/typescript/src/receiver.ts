/** A server of the partner's: it takes webhooks and callbacks, checks their signatures, and keeps them in order. */
import { createServer, type Server as HttpServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { type Fields, hasFields, NotReceived, TIMEOUT, wanted, woken } from "./events.js";
import { idOf, type Resource, type Shapes } from "./http.js";
import type { World } from "./world.js";

/** A delivery came that none of the known secrets has signed. */
export class BadSignature extends Error {
  override name = "BadSignature";
}

/** A webhook or a callback, as it came. */
export type Delivery = {
  /** The header `event-type`: `order.create`, or `journey.callback`. */
  type: string;
  /** The header `webhook-id`: the event's id, the same in every repetition. */
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a body has depends on its type
  body: any;
  headers: IncomingHttpHeaders;
  /** Why the signature was not accepted. */
  problem?: string;
};

/** The server. `subscribe` registers it for events; `waitFor` and `expect` read what came, and move on. */
export class Receiver {
  readonly received: Delivery[] = [];
  readonly url: string;
  private readonly secrets: string[] = [];
  private readonly answers: { status: number; headers: Record<string, string> }[] = [];
  private readonly readOf = new Map<string, number>();
  private read = 0;
  private wake: (() => void) | undefined;

  private constructor(
    private readonly server: HttpServer,
    private readonly world: World | undefined,
  ) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (const partner of world?.partners ?? []) this.secrets.push(partner.callbackSecret);
  }

  /** Starts one on a free port. */
  static async start(world?: World): Promise<Receiver> {
    let receiver: Receiver;
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { status, headers } = receiver.take(request.headers, Buffer.concat(parts).toString());
      response.writeHead(status, headers).end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    server.unref();
    receiver = new Receiver(server, world);
    return receiver;
  }

  /** Stops the server. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  /** Accepts signatures by this secret, too. */
  trust(secret: string): void {
    this.secrets.push(secret);
  }

  /** Registers this server as a webhook of a client; without names of events, for all. */
  async subscribe(...events: string[]): Promise<Shapes["Webhook"]> {
    if (this.world === undefined)
      throw new Error("this receiver has no world: register the webhook yourself, and `trust` its secret");
    const webhook = await this.world.webhook(this.url, events.length > 0 ? { events } : {});
    this.trust(webhook.secret);
    return webhook;
  }

  /** Answers the next deliveries with these statuses instead of 200. */
  answerNext(...statuses: number[]): void {
    this.answers.push(...statuses.map((status) => ({ status, headers: {} })));
  }

  /** The next delivery of this type whose `current` (or the callback itself) has these fields. */
  async waitFor(type: string, fields: Fields = {}, timeout = TIMEOUT): Promise<Delivery> {
    const ends = performance.now() + timeout;
    const begin = this.read;
    for (;;) {
      while (this.read < this.received.length) {
        const delivery = this.received[this.read++] as Delivery;
        this.check(delivery);
        if (delivery.type === type && hasFields(delivery.body, fields)) return delivery;
      }
      if (!(await this.more(ends))) {
        throw new NotReceived(
          `${wanted(type, fields)} did not come within ${timeout} ms; came: ${described(this.received.slice(begin))}`,
        );
      }
    }
  }

  /**
   * The next deliveries, which must be exactly of these types and in this order. Deliveries come in order for one resource; those of
   * different resources overtake each other. `about` looks at one resource alone, from where the last `expect` about it has ended.
   */
  async expect(types: string[], { about, timeout = TIMEOUT }: { about?: Resource; timeout?: number } = {}): Promise<Delivery[]> {
    const ends = performance.now() + timeout;
    const id = about === undefined ? undefined : idOf(about);
    const begin = id === undefined ? this.read : (this.readOf.get(id) ?? 0);
    for (;;) {
      const came = (id === undefined ? this.received : this.of(id)).slice(begin);
      const next = came.slice(0, types.length);
      for (const [index, delivery] of next.entries()) {
        this.check(delivery);
        if (delivery.type !== types[index]) {
          throw new NotReceived(`expected in this order: ${types.join(", ")}; came: ${described(came)}`);
        }
      }
      if (next.length === types.length) {
        if (id === undefined) this.read = begin + types.length;
        else this.readOf.set(id, begin + types.length);
        return next;
      }
      if (!(await this.more(ends))) {
        throw new NotReceived(`${types[next.length]} did not come within ${timeout} ms; came: ${described(came)}`);
      }
    }
  }

  /** All deliveries about a resource. */
  of(resource: Resource): Delivery[] {
    return this.received.filter((one) => hasFields(one.body, { id: idOf(resource) }));
  }

  /** Nothing else comes for a moment. */
  async nothingMore(wait = 200): Promise<void> {
    if (this.received.length === this.read) await this.more(performance.now() + wait);
    if (this.received.length > this.read)
      throw new NotReceived(`nothing more was expected; came: ${described(this.received.slice(this.read))}`);
  }

  /** Waits for another delivery; whether one came in time. */
  private async more(ends: number): Promise<boolean> {
    const count = this.received.length;
    const left = ends - performance.now();
    if (left <= 0) return false;
    await woken((wake) => {
      this.wake = wake;
    }, left);
    return this.received.length > count;
  }

  private check(delivery: Delivery): void {
    if (delivery.problem !== undefined) {
      throw new BadSignature(`${delivery.type} ${delivery.id} is not signed by a known secret: ${delivery.problem}`);
    }
  }

  private take(headers: IncomingHttpHeaders, raw: string): { status: number; headers: Record<string, string> } {
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    let problem: string | undefined = "no secret is known; `subscribe` or `trust` names one";
    for (const secret of [...this.secrets].reverse()) {
      try {
        new Webhook(secret).verify(raw, given);
        problem = undefined;
        break;
      } catch (error) {
        problem = (error as Error).message;
      }
    }
    const delivery: Delivery = { type: given["event-type"] ?? "", id: given["webhook-id"] ?? "", body: JSON.parse(raw), headers };
    if (problem !== undefined) delivery.problem = problem;
    this.received.push(delivery);
    this.wake?.();
    if (problem !== undefined) return { status: 401, headers: {} };
    return this.answers.shift() ?? { status: 200, headers: {} };
  }
}

/** What came, in a few words. */
function described(deliveries: Delivery[]): string {
  return deliveries.map((one) => (one.problem ? `${one.type} (bad signature)` : one.type)).join(", ") || "nothing";
}
