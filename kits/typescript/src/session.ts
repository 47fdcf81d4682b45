/** What the entry points share: one server for a process, and everything that a test gets, made when it is first asked for. */
import { argv } from "node:process";
import { keepCoverage } from "./coverage.js";
import { Customer } from "./customer.js";
import type { Partner } from "./partner.js";
import { Receiver } from "./receiver.js";
import { report } from "./report.js";
import { Server, type WorldOptions } from "./server.js";
import type { Clock, World } from "./world.js";

/** What a test gets. */
export type Fixtures = {
  /** The server. */
  fundsim: Server;
  /** A world of its own for the test, dropped after it. */
  world: World;
  /** The first partner of the world. */
  partner: Partner;
  /** A customer in front of hosted pages. */
  customer: Customer;
  /** A server for callbacks and webhooks, whose signatures it checks. */
  receiver: Receiver;
  /** The clock of the world. */
  clock: Clock;
  bank: World["bank"];
  fundCompany: World["fundCompany"];
  platform: World["platform"];
};

/** The server of this process, started when the first test asks for it. */
export class Session {
  private starting: Promise<Server> | undefined;

  /** The server. */
  server(): Promise<Server> {
    this.starting ??= Server.fromEnvironment();
    return this.starting;
  }

  /** Looks for worlds that were left, and stops the server. */
  async close(): Promise<void> {
    const server = await this.starting?.catch(() => undefined);
    this.starting = undefined;
    if (server === undefined) return;
    try {
      await server.checkLeaks();
    } finally {
      await server.close();
    }
  }

  /** Runs a test of `file` with a world of its own. Of a failed test, the section goes to `say`. */
  async run<T>(
    name: string,
    options: WorldOptions,
    body: (fixtures: Fixtures) => Promise<T> | T,
    say: (section: string) => void = (section) => process.stderr.write(`${section}\n`),
    file = argv[1] ?? "",
  ): Promise<T> {
    const fundsim = await this.server();
    const world = await fundsim.world({ name, ...options });
    const receiver = await Receiver.start(world);
    let isKept = false;
    try {
      const { partner, clock, bank, fundCompany, platform } = world;
      return await body({ fundsim, world, partner, customer: new Customer(world), receiver, clock, bank, fundCompany, platform });
    } catch (error) {
      say(await report(world, name, error));
      isKept = !fundsim.isOwn;
      throw error;
    } finally {
      await receiver.close();
      await keepCoverage(world, name, file);
      if (isKept) world.keep();
      else await world.drop();
    }
  }
}
