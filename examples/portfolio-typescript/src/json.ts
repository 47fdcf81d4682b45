/** JSON with exact numbers: a number with decimals is a `Big`. */
import Big from "big.js";
import { parse, stringify } from "lossless-json";

/** What JSON holds. */
// biome-ignore lint/suspicious/noExplicitAny: records are used by the names of their fields
export type Json = any;

/** Reads a text. */
export function read(text: string): Json {
  return parse(text, null, (digits) => (/^-?\d{1,15}$/.test(digits) ? Number(digits) : new Big(digits)));
}

/** Writes a value. */
export function write(value: unknown): string {
  const isBig = (one: unknown): one is Big => one instanceof Big;
  return stringify(value, null, undefined, [{ test: isBig, stringify: (one) => (one as Big).toFixed() }]) ?? "null";
}
