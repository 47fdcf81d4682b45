/** vitest: `test("name", async ({ partner, clock }) => …)`. `test.override` or `test.extend` with `worldOptions` says what a world is like. */
import { test as vitestTest } from "vitest";
import { keepCoverage } from "./coverage.js";
import { Customer } from "./customer.js";
import { Receiver } from "./receiver.js";
import { report } from "./report.js";
import type { WorldOptions } from "./server.js";
import { type Fixtures, Session } from "./session.js";

export type { Fixtures, WorldOptions };

/** A test with a world of its own; what it does not name is not made. */
export const test = vitestTest.extend<Fixtures & { worldOptions: WorldOptions }>({
  worldOptions: [{}, { injected: false }],
  fundsim: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads names of fixtures from the pattern
    async ({}, use) => {
      const session = new Session();
      await use(await session.server());
      await session.close();
    },
    { scope: "file" },
  ],
  world: async ({ fundsim, worldOptions, task }, use) => {
    const world = await fundsim.world({ name: task.name, ...worldOptions });
    let isKept = false;
    await use(world);
    if (task.result?.state === "fail") {
      const failure = task.result.errors?.[0];
      console.error(await report(world, task.name, failure?.stack ?? failure?.message ?? "it has failed"));
      isKept = !fundsim.isOwn;
    }
    await keepCoverage(world, task.fullTestName ?? task.name, task.file.name);
    if (isKept) world.keep();
    else await world.drop();
  },
  partner: async ({ world }, use) => use(world.partner),
  customer: async ({ world }, use) => use(new Customer(world)),
  receiver: async ({ world }, use) => {
    const receiver = await Receiver.start(world);
    await use(receiver);
    await receiver.close();
  },
  clock: async ({ world }, use) => use(world.clock),
  bank: async ({ world }, use) => use(world.bank),
  fundCompany: async ({ world }, use) => use(world.fundCompany),
  platform: async ({ world }, use) => use(world.platform),
});
