/** Calls of the service: a token that is renewed, waits that the service asks for, and what to do when no answer comes. */
import { setTimeout as pause } from "node:timers/promises";
import { type Json, read, write } from "./json.js";

const ATTEMPTS = 6;
const LONGEST_WAIT = 30_000;
const TIMEOUT = 10_000;

/** The service has understood and refuses: asking again is of no use. */
export class Refused extends Error {}

/** The service did not answer, or not with anything that helps, as often as it was asked. */
export class Unavailable extends Error {}

class TryAgain extends Error {
  constructor(
    words: string,
    readonly wait: number,
  ) {
    super(words);
  }
}

/** The service for one client. */
export class Service {
  private token = "";
  private renewAt = 0;

  constructor(
    private readonly url: string,
    private readonly client: string,
    private readonly clientId: string,
    private readonly clientSecret: string,
  ) {}

  /** Reads what is below the client's path. A read may be repeated, so it is. */
  read(path: string, query: Record<string, string | undefined> = {}): Promise<Json> {
    return this.untilAnswered(() => this.send("GET", path, undefined, query));
  }

  /** The present instant of the service. */
  async now(): Promise<string> {
    return (await this.read("/ping")).pong;
  }

  /**
   * Asks for something to be made. Where no answer comes, it may have been made all the same: `find` looks for it, and only where
   * it finds nothing the request is sent again. Without `find` it is sent again at once: for what may exist twice without harm.
   */
  write(path: string, body: object, find?: () => Promise<Json>): Promise<Json> {
    let isSent = false;
    return this.untilAnswered(async () => {
      const found = isSent && find ? await find() : undefined;
      if (found !== undefined) return found;
      isSent = true;
      return this.send("POST", path, body);
    });
  }

  private async untilAnswered(ask: () => Promise<Json>): Promise<Json> {
    let wait = 50;
    let last: unknown;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof Refused) throw error;
        last = error;
        if (error instanceof TryAgain) wait = Math.max(wait, error.wait);
      }
      await pause(Math.min(wait, LONGEST_WAIT));
      wait *= 2;
    }
    throw new Unavailable(String(last));
  }

  private async send(method: string, path: string, body?: object, query: Record<string, string | undefined> = {}): Promise<Json> {
    const address = new URL(this.url + (path.startsWith("/") ? path : `/v2/partner/client/${this.client}/${path}`));
    for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value);
    const headers = { authorization: `Bearer ${await this.bearer()}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: write(body) };
    return this.taken(await fetch(address, { method, headers, signal: AbortSignal.timeout(TIMEOUT), ...sent }));
  }

  private async bearer(): Promise<string> {
    if (performance.now() >= this.renewAt) {
      const form = { grant_type: "client_credentials", client_id: this.clientId, client_secret: this.clientSecret };
      const answer = await fetch(`${this.url}/v2/partner/auth/token`, { method: "POST", body: new URLSearchParams(form) });
      const granted = await this.taken(answer);
      this.token = granted.access_token;
      this.renewAt = performance.now() + (granted.expires_in - 60) * 1000;
    }
    return this.token;
  }

  private async taken(answer: Response): Promise<Json> {
    const text = await answer.text();
    if (answer.ok) return read(text);
    if (answer.status === 401) this.renewAt = 0;
    if (answer.status === 401 || answer.status === 429 || answer.status >= 500) {
      throw new TryAgain(`answered ${answer.status}`, Number(answer.headers.get("retry-after") ?? 0) * 1000);
    }
    const isJson = (answer.headers.get("content-type") ?? "").includes("json");
    throw new Refused(isJson ? (read(text).error_description ?? text) : text);
  }
}
