/** The application when answers and events are lost, come twice or late. */
import type { Shapes } from "@fundsim/test";
import { describe, expect } from "vitest";
import { test } from "./application.js";
import { onboard } from "./onboarding.js";

const wanted = { orderType: "subscription", instrument: "SE0SBX000016SEK", amount: "100.00" };

test("a request that is sent again with its key makes nothing new", async ({ application, customer, partner, clock }) => {
  const anna = await onboard(application, customer, clock);
  const [first, second] = await Promise.all([0, 1].map(() => application.post(`/customers/${anna}/orders`, wanted, "one")));
  expect(second).toEqual(first);
  expect(await partner.orders.list()).toHaveLength(1);
  const other = await application.send("POST", `/customers/${anna}/orders`, { ...wanted, amount: "200.00" }, "one");
  expect([other.status, await other.json()]).toEqual([422, { error: "this Idempotency-Key was used for another request" }]);
});

const verdicts: [string, Shapes["FaultVerdict"]][] = [
  ["the answer is lost", { drop: "after" }],
  ["the request is lost", { drop: "before" }],
  ["the service is unavailable", { answer: { status: 503, retryAfter: 0 } }],
];
for (const [name, verdict] of verdicts) {
  test(`an order is placed once when ${name}`, async ({ application, customer, partner, clock, world }) => {
    const anna = await onboard(application, customer, clock);
    await world.faults.add(verdict, { method: "POST", path: "/v2/partner/client/*/order", times: 2 });
    const placed = await application.post(`/customers/${anna}/orders`, wanted, "one");
    expect((await partner.orders.list()).map((one) => one.id)).toEqual([placed.id]);
  });
}

for (const deliveries of ["duplicate", "reorder", "delay", "drop", "fail"] as const) {
  test(`books are right when deliveries ${deliveries}`, async ({ application, customer, clock, world }) => {
    await world.settings({ deliveryWaitsSeconds: [1, 1, 1, 1] });
    const anna = await onboard(application, customer, clock);
    const isLate = ["reorder", "delay"].includes(deliveries);
    await world.faults.add(
      { deliveries, ...(isLate ? { ms: 50 } : {}) },
      { probability: 0.5, times: deliveries === "fail" ? 3 : 20 },
    );
    for (const amount of ["100.00", "200.00", "300.00"]) {
      await clock.untilSettlement(await application.post(`/customers/${anna}/orders`, { ...wanted, amount }));
    }
    await world.waitForDeliveries(10_000);
    await application.post("/jobs/close-of-day");
    expect(await application.differences()).toEqual([]);
  });
}

test("a refused order is answered with the words of the service", async ({ application, customer, clock }) => {
  const anna = await onboard(application, customer, clock, "10.00");
  const answer = await application.send("POST", `/customers/${anna}/orders`, wanted);
  expect([answer.status, (await answer.json()).error]).toEqual([400, expect.stringMatching(/^amount/)]);
});

test("what is not signed is refused", async ({ application }) => {
  for (const path of ["/events", "/callbacks"]) {
    expect((await application.send("POST", path, { current: { id: "x" } })).status).toBe(401);
  }
});

describe("when clocks go forward", () => {
  test.override({ worldOptions: { start: "2026-03-27T10:00:00+01:00" } });

  test("days are closed one by one", async ({ application, customer, clock }) => {
    const anna = await onboard(application, customer, clock, "100.00");
    for (const [moment, amount] of [
      ["2026-03-28T12:00", "1.00"],
      ["2026-03-29T12:00", "2.00"],
      ["2026-03-29T23:40", "4.00"],
    ]) {
      await clock.at(moment as string);
      await application.post(`/customers/${anna}/deposits`, { amount });
      await clock.advance("10 seconds");
    }
    await clock.at("2026-03-31T06:00");
    await application.get("/holdings");
    const days = ["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30"];
    expect((await application.post("/jobs/close-of-day")).closed).toEqual(days);
    const { account } = await application.get(`/customers/${anna}`);
    const cash = async (day: string) => {
      const { accounts } = await application.get(`/holdings?day=${day}`);
      return accounts.find((one: { account: string }) => one.account === account).cash;
    };
    expect(await Promise.all(days.map(cash))).toEqual(["100.00", "101.00", "103.00", "107.00"]);
    expect(await application.differences()).toEqual([]);
  });
});
