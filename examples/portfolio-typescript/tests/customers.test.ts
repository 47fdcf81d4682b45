/** The application as a customer meets it. */
import { expect } from "vitest";
import { test } from "./application.js";
import { onboard } from "./onboarding.js";

const INDEX_FUND = "SE0SBX000016SEK";

test("a customer signs, pays in and owns a fund", async ({ application, customer, clock }) => {
  const anna = await onboard(application, customer, clock);
  const wanted = { orderType: "subscription", instrument: INDEX_FUND, amount: "2500.50" };
  await clock.untilSettlement(await application.post(`/customers/${anna}/orders`, wanted));
  const owned = await application.get(`/portfolio/${anna}`);
  expect(owned.cash).toBe("7499.50");
  expect(owned.positions.map((one: { instrument: string }) => one.instrument)).toEqual([INDEX_FUND]);
  expect((await application.get(`/customers/${anna}/orders`))[0].status).toBe("settled");
  expect(await application.differences()).toEqual([]);
});

test("a customer who leaves has no account", async ({ application, customer }) => {
  const opened = await application.post("/customers");
  await customer.walk(opened.url, {}, { leaveAt: "kyc" });
  const shown = await application.get(`/customers/${opened.customer}`);
  expect([shown.status, shown.reason, shown.account]).toEqual(["canceled", "USER_ERROR", null]);
});

test("a payout that bounces is cash again", async ({ application, customer, partner, clock, bank }) => {
  const anna = await onboard(application, customer, clock);
  const { account } = await application.get(`/customers/${anna}`);
  await customer.walk(await partner.journeys.start("addBankAccount", `${application.url}/callbacks`, { account }));
  await clock.advance("1 minute");
  await application.get("/holdings");
  const payout = await application.post(`/customers/${anna}/withdrawals`, { amount: "1000.00" });
  await clock.advance("3 bank days");
  expect((await application.get(`/portfolio/${anna}`)).cash).toBe("9000.00");
  await bank.bounce(payout.withdrawal);
  expect((await application.get(`/portfolio/${anna}`)).cash).toBe("10000.00");
  expect(await application.differences()).toEqual([]);
});

test("a corporate action changes units without an order", async ({ application, customer, clock, fundCompany }) => {
  await customer.account({ positions: [{ instrument: INDEX_FUND, units: 10 }] });
  await fundCompany.split(INDEX_FUND, 3);
  await clock.advance("1 bank day");
  expect(await application.differences()).toEqual([]);
});
