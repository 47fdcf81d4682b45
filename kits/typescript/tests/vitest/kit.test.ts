// The fixtures under vitest.
import { test } from "@fundsim/test/vitest";
import { describe, expect } from "vitest";

test("an order settles", async ({ partner, customer, clock }) => {
  const account = await customer.account({ cash: 1000 });
  const order = await partner.orders.subscribe(account, "SE0SBX000016SEK", 1000);
  await clock.untilSettlement(order);
  expect((await partner.orders.get(order)).status).toBe("settled");
});

test("a journey is walked and its callback comes", async ({ partner, customer, receiver }) => {
  await customer.walk(await partner.journeys.start("createAccount", receiver.url));
  expect((await receiver.waitFor("journey.callback")).body.status).toBe("complete");
});

describe("with options", () => {
  test.override({ worldOptions: { seed: 7, start: "2026-12-23T08:00:00+01:00" } });

  test("the world is as they say", async ({ world, clock }) => {
    expect([world.seed, await clock.today()]).toEqual([7, "2026-12-23"]);
  });
});
