/** A server and the worlds that a test suite makes on it. */
import { env } from "node:process";
import type { Amount, Shapes } from "./http.js";
import type { Credentials } from "./partner.js";
import { SEED, ServerFailed, ServerProcess, START, start } from "./process.js";
import { World } from "./world.js";

const LONGEST_NAME = 64;

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

/** Worlds that were made and never dropped. */
export class LeakedWorlds extends Error {
  override name = "LeakedWorlds";
}

/** A server and the worlds on it. `Server.start()` starts the program; `Server.at(url)` uses one that runs. */
export class Server extends ServerProcess {
  private readonly made = new Map<string, string>();

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
    const started = await start(more);
    return new Server(started.url, undefined, started);
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
    const world = new World(this, made, () => this.made.delete(made.worldId));
    this.made.set(world.id, name);
    for (const [instrument, price] of Object.entries(market ?? {})) await world.fundCompany.price(instrument, price);
    return world;
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
