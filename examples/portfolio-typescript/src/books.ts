/**
 * The books, in SQLite: a copy of the records of the service, and entries that change what customers hold.
 *
 * Each transaction makes entries by what it counts for in an account: the difference to what its entries say already. So nothing
 * counts twice, however often and in whatever order it is seen.
 */
import Big from "big.js";
import sqlite from "node-sqlite3-wasm";
import { closeOf, dayAfter, dayOf } from "./days.js";
import { type Json, read, write } from "./json.js";

const SCHEMA = `
create table if not exists meta (name text primary key, value text not null);
create table if not exists customer (
  id text primary key, journey text, url text, account text, status text not null, reason text
);
create table if not exists asked (
  key text primary key, request text not null, client_ref text not null, status integer, answer text
);
create table if not exists seen (event text primary key);
create table if not exists record (kind text not null, id text not null, body text not null, primary key (kind, id));
create table if not exists entry (
  number integer primary key, source text not null, account text not null, what text not null,
  amount text not null, settled text not null, day text not null
);
create index if not exists entry_source on entry (source);
`;

/** What is held that is no fund. */
export const CASH = "cash";

/** Kinds of records, and where the service lists them. */
export const KINDS = { account: "account", order: "order", cash: "transaction/cash", fund: "transaction/fund" } as const;
export type Kind = keyof typeof KINDS;

/** What counts: with what is under way, and settled alone. */
export type Counted = { amount: Big; settled: Big };
const NOTHING: Counted = { amount: new Big(0), settled: new Big(0) };

type Row = Record<string, string | number | null>;

/**
 * What a transaction counts for, by account and by what is held. What leaves counts from the beginning, what comes counts from its
 * settlement, and what was aborted never counts.
 */
function counted(kind: "cash" | "fund", body: Json): Map<string, Counted> {
  const found = new Map<string, Counted>();
  if (body.aborted) return found;
  const isSettled = body.settlementDate !== null;
  const leaves = (size: Big): Counted => ({ amount: size.neg(), settled: isSettled ? size.neg() : new Big(0) });
  const comes = (size: Big): Counted => ({ amount: size, settled: size });
  if (kind === "cash") {
    const amount = new Big(body.amount);
    found.set(`${body.debitAccount} ${CASH}`, leaves(amount));
    if (isSettled) found.set(`${body.creditAccount} ${CASH}`, comes(amount));
  } else {
    const units = new Big(body.units);
    if (body.transactionType === "redemption") found.set(`${body.account} ${body.instrument}`, leaves(units));
    else if (isSettled) found.set(`${body.account} ${body.instrument}`, comes(units));
  }
  return found;
}

/** The books. */
export class Books {
  private readonly database: sqlite.Database;

  constructor(path: string, now: string) {
    this.database = new sqlite.Database(path);
    this.database.exec(SCHEMA);
    if (this.meta("open_day") === undefined) this.remember("open_day", dayOf(now));
  }

  /** Closes the database. */
  close(): void {
    this.database.close();
  }

  /** The rows of a query. */
  rows(query: string, ...values: (string | number | null)[]): Row[] {
    return this.database.all(query, values) as Row[];
  }

  /** Changes something. */
  run(query: string, ...values: (string | number | null)[]): void {
    this.database.run(query, values);
  }

  /** Everything that is done is kept, or nothing of it. Nothing is awaited inside, so no other change comes between. */
  change(make: () => void): void {
    if (this.database.inTransaction) {
      make();
      return;
    }
    this.run("begin immediate");
    try {
      make();
    } catch (error) {
      this.run("rollback");
      throw error;
    }
    this.run("commit");
  }

  /** A value that the books remember. */
  meta(name: string): string | undefined {
    return this.rows("select value from meta where name = ?", name)[0]?.value as string | undefined;
  }

  /** Remembers a value. */
  remember(name: string, value: string): void {
    this.run("insert or replace into meta values (?, ?)", name, value);
  }

  /** Whether an event was taken before. */
  knowsEvent(event: string): boolean {
    return this.rows("select event from seen where event = ?", event).length > 0;
  }

  /** The copy of a record. */
  record(kind: Kind, id: string): Json {
    const [found] = this.rows("select body from record where kind = ? and id = ?", kind, id);
    return found && read(String(found.body));
  }

  /** The copies of all records of a kind, the oldest first. */
  records(kind: Kind): Json[] {
    const bodies: Json[] = this.rows("select body from record where kind = ?", kind).map((row) => read(String(row.body)));
    return bodies.sort((one, other) => (one.sortedId < other.sortedId ? -1 : 1));
  }

  /** Takes a record as it is now, unless a later one is known, and enters what it counts for. */
  store(kind: Kind, body: Json): void {
    this.change(() => {
      const known = this.record(kind, body.id);
      if (known && known.modifiedDate > body.modifiedDate) return;
      this.run("insert or replace into record values (?, ?, ?)", kind, body.id, write(body));
      if (kind === "cash" || kind === "fund") this.enter(kind, body);
    });
  }

  /** A record was deleted. Its entries stay: only what counts for nothing can be deleted. */
  forget(kind: Kind, id: string): void {
    this.run("delete from record where kind = ? and id = ?", kind, id);
  }

  private enter(kind: "cash" | "fund", body: Json): void {
    const entered = new Map<string, Counted>();
    for (const row of this.rows("select account, what, amount, settled from entry where source = ?", body.id)) {
      const key = `${row.account} ${row.what}`;
      entered.set(key, plus(entered.get(key) ?? NOTHING, row));
    }
    const goals = counted(kind, body);
    for (const key of new Set([...goals.keys(), ...entered.keys()])) {
      const [goal, before] = [goals.get(key) ?? NOTHING, entered.get(key) ?? NOTHING];
      const [amount, settled] = [goal.amount.minus(before.amount), goal.settled.minus(before.settled)];
      if (amount.eq(0) && settled.eq(0)) continue;
      const [account, what] = key.split(" ") as [string, string];
      const values = [body.id, account, what, amount.toFixed(), settled.toFixed(), dayOf(body.modifiedDate)];
      this.run("insert into entry (source, account, what, amount, settled, day) values (?, ?, ?, ?, ?, ?)", ...values);
    }
  }

  /** Closes every day that has ended by now. Returns these days. */
  closeDays(now: string): string[] {
    const closed: string[] = [];
    let open = this.meta("open_day") as string;
    for (; Date.parse(closeOf(open)) <= Date.parse(now); open = dayAfter(open)) closed.push(open);
    this.remember("open_day", open);
    return closed;
  }

  /** What each account holds: now, or at the close of a day. */
  holdings(day = "9999"): Map<string, Map<string, Counted>> {
    const found = new Map<string, Map<string, Counted>>();
    for (const row of this.rows("select account, what, amount, settled from entry where day <= ?", day)) {
      const account = found.get(String(row.account)) ?? new Map<string, Counted>();
      account.set(String(row.what), plus(account.get(String(row.what)) ?? NOTHING, row));
      found.set(String(row.account), account);
    }
    return found;
  }
}

function plus(before: Counted, row: Row): Counted {
  return { amount: before.amount.plus(String(row.amount)), settled: before.settled.plus(String(row.settled)) };
}
