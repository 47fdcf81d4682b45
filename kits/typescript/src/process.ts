/** The process of a server: one that this object starts and stops, or one that runs already. */
import { type ChildProcess, spawn } from "node:child_process";
import { env } from "node:process";
import { createInterface } from "node:readline";
import { binary } from "./binary.js";
import { call, type Query, withoutUndefined } from "./http.js";

/** When a world starts unless a test says otherwise: a Monday morning, a bank day. */
export const START = "2026-03-02T08:00:00+01:00";

/** The seed of a world unless a test says otherwise. */
export const SEED = 42;

const STARTS_WITHIN = 30_000;
const STOPS_WITHIN = 10_000;
const LOG_LINES_KEPT = 5_000;

/** The program ended before it was ready, or did not become ready. */
export class ServerFailed extends Error {
  override name = "ServerFailed";
}

/** A process that is ready, with the lines that it writes. */
export type Started = { url: string; child: ChildProcess; written: string[] };

/** Starts the program on a free port, with a frozen clock; more arguments are added to those of `fundsim serve`. */
export async function start(more: string[]): Promise<Started> {
  const command = ["serve", "--listen", "127.0.0.1:0", "--output", "json", "--clock", "frozen", "--seed", String(SEED)];
  command.push("--start", START, ...more);
  const environment = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("FUNDSIM_")));
  const child = spawn(binary(), command, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const written: string[] = [];
  createInterface(child.stderr).on("line", (line) => {
    if (written.push(line) > LOG_LINES_KEPT) written.shift();
  });
  const late = setTimeout(() => child.kill("SIGKILL"), STARTS_WITHIN);
  const ready = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve);
    child.once("error", reject);
    child.once("close", (code) =>
      reject(new ServerFailed(`fundsim ${command.join(" ")} ended with ${code}:\n${written.join("\n")}`)),
    );
  }).finally(() => clearTimeout(late));
  // A test runner that has nothing else to do may end: then the server ends, too.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
  process.once("exit", () => child.kill());
  return { url: (JSON.parse(ready) as { url: string }).url, child, written };
}

/** A server, whatever worlds are on it. */
export class ServerProcess {
  readonly headers: Record<string, string>;
  private process: ChildProcess | undefined;
  private readonly written: string[];

  protected constructor(
    readonly url: string,
    operatorToken?: string,
    started?: Started,
  ) {
    this.headers = operatorToken ? { authorization: `Bearer ${operatorToken}` } : {};
    this.process = started?.child;
    this.written = started?.written ?? [];
  }

  /** Whether this object has started the process. */
  get isOwn(): boolean {
    return this.process !== undefined;
  }

  /** Stops the process, if this object has started it. */
  async close(): Promise<void> {
    const child = this.process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    this.process = undefined;
    child.ref();
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill();
    const late = setTimeout(() => child.kill("SIGKILL"), STOPS_WITHIN);
    await ended;
    clearTimeout(late);
  }

  /** The last lines that the process has written, about one world or all; none of a server that ran already. */
  log(world?: string, lines = 40): string[] {
    const about = (line: string) => world === undefined || !line.includes("world=") || line.split(" ").includes(`world=${world}`);
    return this.written.filter(about).slice(-lines);
  }

  /** Sends a request as the operator. */
  call<T>(method: string, path: string, body?: unknown, query?: Query): Promise<T> {
    return call<T>(this.url, method, path, withoutUndefined({ headers: this.headers, body, query }));
  }
}
