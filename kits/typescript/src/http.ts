/** Requests and answers as JSON, and what a refusal looks like. */
import type { components } from "./api.js";

/** The shapes of the API, by their names in its description. */
export type Shapes = components["schemas"];

/** A resource of the API, or its id. */
export type Resource = string | { id: string };

/** An amount of money, units or a price: `2500`, or `"2500.50"`, which is sent with just these digits. */
export type Amount = number | string;

/** An answer that is not 2xx, with what the service said. */
export class Refused extends Error {
  override name = "Refused";
  readonly error: string;
  readonly description: string;

  constructor(
    readonly method: string,
    readonly path: string,
    readonly status: number,
    readonly body: unknown,
  ) {
    const fields = (typeof body === "object" && body !== null ? body : {}) as { error?: string; error_description?: string };
    const words = fields.error ? `${fields.error}: ${fields.error_description ?? ""}` : String(body).slice(0, 500);
    super(`${method} ${path} was answered ${status} ${words}`);
    this.error = fields.error ?? "";
    this.description = fields.error_description ?? "";
  }
}

/** The id of a resource. */
export const idOf = (resource: Resource): string => (typeof resource === "string" ? resource : resource.id);

/** A query: what is undefined is left out. */
export type Query = Record<string, string | number | boolean | undefined>;

/** The fields that are not undefined. */
export function withoutUndefined<T extends object>(fields: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** JSON whose amounts have the digits that they were written with: a marked text becomes a number. */
class Digits {
  constructor(readonly text: string) {}
}

/** An amount that is sent with the digits that it was written with. */
export function exact(amount: Amount): Digits {
  const text = String(amount);
  if (!DECIMAL.test(text)) throw new TypeError(`${text} is no amount: write 2500 or "2500.50"`);
  return new Digits(text);
}

/** A value as JSON text. */
export function written(value: unknown): string | undefined {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => written(item) ?? "null").join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).flatMap(([name, inner]) => {
      const text = written(inner);
      return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
    });
    return `{${entries.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Sends a request and reads its answer; throws `Refused` for anything but 2xx. */
export async function call<T>(
  url: string,
  method: string,
  path: string,
  options: { body?: unknown; query?: Query; headers?: Record<string, string> } = {},
): Promise<T> {
  const address = new URL(url + path);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  const headers: Record<string, string> = { ...options.headers };
  const init: RequestInit = { method, headers };
  if (options.body !== undefined) {
    init.body = written(options.body) ?? "null";
    headers["content-type"] = "application/json";
  }
  const answer = await fetch(address, init);
  const text = await answer.text();
  const isJson = (answer.headers.get("content-type") ?? "").includes("json") && text !== "";
  const body: unknown = isJson ? JSON.parse(text) : text === "" ? undefined : text;
  if (!answer.ok) throw new Refused(method, path, answer.status, body);
  return body as T;
}
