/** A running server: one that this process starts and stops, or one that runs already. */
import { type ChildProcess, spawn } from "node:child_process";
import { env } from "node:process";
import { createInterface } from "node:readline";
import { binary } from "./binary.js";
import { type Amount, call, type Query, type Shapes, withoutUndefined } from "./http.js";
import type { Credentials } from "./partner.js";
import { World } from "./world.js";

/** When a world starts unless a test says otherwise: a Monday morning, a bank day. */
export const START = "2026-03-02T08:00:00+01:00";

/** The seed of a world unless a test says otherwise. */
export const SEED = 42;

const STARTS_WITHIN = 30_000;
const STOPS_WITHIN = 10_000;
const LONGEST_NAME = 64;
const LOG_LINES_KEPT = 5_000;

/** What a world is like. */
export type WorldOptions = {
  /** The name in the console; a test's own name, if the test does not say otherwise. */
  name?: string;
  seed?: number;
  /** Its first instant. */
  start?: string;
  clock?: string | number;
  /** A setup as in `fundsim setup`. */
  setup?: object;
  /** Settings of the world, on top of the setup. */
  settings?: object;
  /** Prices of funds, published at the start: `{ SE0SBX000016SEK: "125.00" }`. */
  market?: Record<string, Amount>;
};

/** The program ended before it was ready, or did not become ready. */
export class ServerFailed extends Error {
  override name = "ServerFailed";
}

/** Worlds that were made and never dropped. */
export class LeakedWorlds extends Error {
  override name = "LeakedWorlds";
}

/** A server and the worlds on it. `Server.start()` starts the program; `Server.at(url)` uses one that runs. */
export class Server {
  readonly headers: Record<string, string>;
  private readonly made = new Map<string, string>();
  private process: ChildProcess | undefined;
  private written: string[] = [];

  private constructor(
    readonly url: string,
    operatorToken?: string,
  ) {
    this.headers = operatorToken ? { authorization: `Bearer ${operatorToken}` } : {};
  }

  /** A server that runs already. `FUNDSIM_OPERATOR_TOKEN` has its operator's token, if it asks for one. */
  static async at(url: string): Promise<Server> {
    const server = new Server(url.replace(/\/$/, ""), env.FUNDSIM_OPERATOR_TOKEN);
    try {
      await server.call("GET", "/readyz");
    } catch (error) {
      throw new ServerFailed(`no server answers at ${url}`, { cause: error });
    }
    return server;
  }

  /** The server of `FUNDSIM_URL`, or one that is started. */
  static fromEnvironment(): Promise<Server> {
    return env.FUNDSIM_URL ? Server.at(env.FUNDSIM_URL) : Server.start();
  }

  /** Starts the program on a free port, with a frozen clock; more arguments are added to those of `fundsim serve`. */
  static async start(...more: string[]): Promise<Server> {
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
    const server = new Server((JSON.parse(ready) as { url: string }).url);
    server.process = child;
    server.written = written;
    // A test runner that has nothing else to do may end: then the server ends, too.
    child.unref();
    for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
    process.once("exit", () => child.kill());
    return server;
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

  /** Makes a world. Drop it with `world.drop()`. */
  async world(options: WorldOptions = {}): Promise<World> {
    const { name = "test", seed = SEED, start = START, clock = "frozen", setup, settings, market } = options;
    const given = setup as { settings?: object } | undefined;
    const wanted = setup || settings ? { ...given, settings: { ...given?.settings, ...settings } } : undefined;
    const body = { name: name.slice(-LONGEST_NAME), seed, start, clock, setup: wanted };
    const made = await this.call<{ worldId: string; seed: number; now: string; partners: Credentials[] }>(
      "POST",
      "/_sandbox/worlds",
      body,
    );
    const world = new World(this, made);
    this.made.set(world.id, name);
    for (const [instrument, price] of Object.entries(market ?? {})) await world.fundCompany.price(instrument, price);
    return world;
  }

  /** A world was dropped, or is kept on purpose. */
  forget(world: string): void {
    this.made.delete(world);
  }

  /** Throws where a world was made and never dropped. */
  async checkLeaks(): Promise<void> {
    const kept = new Set((await this.call<Shapes["WorldLine"][]>("GET", "/_sandbox/worlds")).map((one) => one.worldId));
    const leaked = [...this.made].filter(([world]) => kept.has(world));
    if (leaked.length === 0) return;
    const names = leaked.map(([world, name]) => `  ${world}, made for ${name}`).join("\n");
    throw new LeakedWorlds(`worlds were made and never dropped; end them with \`world.drop()\`:\n${names}`);
  }
}
