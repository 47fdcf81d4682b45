// What each part of the kit does, as a partner's suite uses it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test as plain } from "node:test";
import { fileURLToPath } from "node:url";
import {
  BadSignature,
  binary,
  instant,
  LeakedWorlds,
  NotReceived,
  PageFault,
  Refused,
  Server,
  ServerFailed,
  span,
} from "@fundsim/test";
import { test } from "@fundsim/test/node";

const INDEX_FUND = "SE0SBX000016SEK";
const home = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

test("a subscription settles two bank days later", async ({ partner, customer, clock }) => {
  const account = await customer.account({ cash: 10_000 });
  const order = await partner.orders.subscribe(account, INDEX_FUND, "2500.50", { clientRef: "first" });
  assert.equal(order.status, "received");
  await clock.untilSettlement(order);
  assert.equal(await clock.today(), "2026-03-04");
  assert.equal((await partner.orders.get(order)).status, "settled");
  assert.equal((await partner.accounts.get(account)).balance, 7499.5);
  assert.deepEqual(
    (await partner.orders.list({ clientRef: "first" })).map((one) => one.id),
    [order.id],
  );
});

test("every route of the partner API is typed", async ({ partner }) => {
  const path = { clientId: partner.client };
  const { data } = await partner.api.GET("/v2/partner/client/{clientId}/custodian", { params: { path } });
  assert.ok(data.length > 0);
});

test("a customer walks a journey and its callback is signed", async ({ partner, customer, receiver }) => {
  const journey = await partner.journeys.start("createAccount", receiver.url);
  const end = await customer.walk(journey, { kyc: { purpose: "pension" }, accountName: "Mine" }, { person: "199001012385" });
  assert.equal(end.heading, "All done");
  const callback = await receiver.waitFor("journey.callback", { status: "complete" });
  assert.equal(callback.body.id, journey.id);
  const opened = (await partner.accounts.list()).at(-1);
  assert.deepEqual([opened.name, opened.owner.ssn], ["Mine", "199001012385"]);
});

for (const [how, status, code] of [
  [{ leaveAt: "kyc" }, "canceled", "USER_ERROR"],
  [{ identify: "abort" }, "canceled", "USER_ERROR"],
  [{ identify: "fail" }, "error", "AUTH_ERROR"],
  [{ sign: "fail" }, "error", "SIGN_ERROR"],
  [{ person: "197001032387" }, "error", "KYC_ERROR"],
]) {
  test(`a customer ends a journey by ${JSON.stringify(how)}`, async ({ partner, customer, receiver }) => {
    await customer.walk(await partner.journeys.start("createAccount", receiver.url), {}, how);
    const { body } = await receiver.waitFor("journey.callback");
    assert.deepEqual([body.status, body.error.code], [status, code]);
  });
}

for (const [type, more] of [
  ["addBankAccount", { autogiro: { enforce: "required", forceNewBankAccount: true } }],
  ["updateAllocationPlan", {}],
  ["updateSavingsPlan", { savingsPlan: { periodicity: "monthly" } }],
  ["kycRenewal", {}],
]) {
  test(`a customer walks ${type}`, async ({ partner, customer, receiver }) => {
    const { id } = await customer.account();
    const journey = await partner.journeys.start(type, receiver.url, { account: id, ...more });
    await customer.walk(journey);
    assert.equal((await partner.journeys.get(journey)).status, "complete");
  });
}

test("a company is walked through all its pages", async ({ partner, customer, receiver }) => {
  const accountOptions = {
    serviceTypes: ["executionOnly"],
    accountTypes: ["depot"],
    accountCategories: ["retail"],
    ownerType: "legal_entity",
  };
  const configuration = { accountServiceType: "executionOnly", accountOptions };
  await customer.walk(await partner.journeys.start("createLegalEntityAccount", receiver.url, configuration));
  const names = customer.pages.map((page) => page.name);
  assert.ok(names.includes("company") && names.includes("beneficialOwners"));
});

test("a customer says what a page does not have", async ({ partner, customer, receiver }) => {
  const journey = () => partner.journeys.start("createAccount", receiver.url);
  const fails = (promise, message) =>
    assert.rejects(promise, (error) => error instanceof PageFault && message.test(error.message));
  await fails(
    customer.walk(await journey(), { kyc: { purpos: "pension" } }),
    /no page has asked for kyc.purpos; pages were: authentication/,
  );
  await fails(customer.walk(await journey(), { purpose: "x" }), /`purpose` does not offer "x"; it offers: savings, pension/);
  await fails(customer.walk(await journey(), {}, { leaveAt: "kcy" }), /no page is called kcy; pages were: authentication/);
  const { id } = await customer.account();
  const bankAccount = await partner.journeys.start("addBankAccount", receiver.url, { account: id });
  await fails(customer.walk(bankAccount, { iban: "SE12" }), /the page bankAccount refuses what was filled in: iban/);
});

test("webhooks come in order and are asserted in order", async ({ partner, customer, receiver, clock }) => {
  const account = await customer.account({ cash: 1000 });
  await receiver.subscribe("order.create", "order.update");
  const order = await partner.orders.subscribe(account, INDEX_FUND, 1000);
  await clock.untilSettlement(order);
  const came = await receiver.expect(["order.create", ...Array(4).fill("order.update")], { about: order });
  assert.deepEqual(
    came.map((one) => one.body.current.status),
    ["received", "pending", "sent", "sent", "settled"],
  );
  await assert.rejects(
    receiver.waitFor("order.update", { status: "hold" }, 50),
    /order.update status="hold" did not come within 50 ms/,
  );
  await receiver.nothingMore();
  const other = await partner.orders.subscribe(await customer.account({ cash: 1000 }), INDEX_FUND, 1000);
  const wrong = receiver.expect(["order.update"], { about: other });
  await assert.rejects(wrong, /expected in this order: order.update; came: order.create/);
});

test("a bad signature fails the test and is answered 401", async ({ world, customer, receiver }) => {
  await receiver.subscribe();
  await world.faults.add({ deliveries: "corruptSignature" }, { times: 1 });
  await customer.account();
  await assert.rejects(receiver.waitFor("account.create"), BadSignature);
});

test("a refused delivery comes again", { settings: { deliveryWaitsSeconds: [1] } }, async ({ customer, receiver }) => {
  await receiver.subscribe("account.create");
  receiver.answerNext(503);
  await customer.account();
  assert.equal((await receiver.waitFor("account.create")).id, (await receiver.waitFor("account.create")).id);
});

test("the socket shows events as they happen", async ({ partner, customer, clock }) => {
  const events = await partner.events();
  try {
    const order = await partner.orders.subscribe(await customer.account({ cash: 1000 }), INDEX_FUND, 1000);
    await clock.untilCutOff(order);
    const event = await events.waitFor("order.update", { status: "pending", id: order.id });
    assert.equal(event.payload.previous.status, "received");
    await assert.rejects(events.waitFor("order.delete", {}, 100), NotReceived);
  } finally {
    events.close();
  }
});

test("options say what the world is like", {
  seed: 7,
  start: "2026-03-28T23:30:00+01:00",
  market: { [INDEX_FUND]: "125.00" },
}, async ({ world, partner, clock }) => {
  assert.deepEqual([world.seed, await clock.today()], [7, "2026-03-28"]);
  assert.equal((await partner.instruments.get(INDEX_FUND)).closePrice, 125);
  await clock.at("2026-03-29T03:30");
  assert.equal((await clock.now()).toISOString(), "2026-03-29T01:30:00.000Z");
});

test("levers act for others", { settings: { autoPay: false } }, async ({
  world,
  partner,
  customer,
  bank,
  fundCompany,
  platform,
  clock,
}) => {
  const account = await customer.account({ cash: 5000 });
  assert.equal((await bank.pay(await partner.deposits.start(account, 100))).status, "paid");
  assert.equal((await bank.decline(await partner.deposits.start(account, 100))).errorCode, "DECLINED");
  const order = await partner.orders.subscribe(account, INDEX_FUND, 1000);
  await clock.advance("2 seconds");
  assert.equal((await fundCompany.hold(order)).status, "hold");
  assert.equal((await fundCompany.release(order)).status, "pending");
  assert.equal((await fundCompany.reject(order)).status, "canceled");
  const other = world.partners[1];
  const theirs = await platform.openAccount(other.client, { cash: "1.00" });
  await bank.payIn(theirs, 99);
  await bank.payIn(account, "250.00");
  await clock.advance("2 bank days");
  assert.equal((await partner.accounts.get(account)).balance, 5350);
  assert.equal((await other.accounts.get(theirs)).balance, 100);
});

test("a refusal has the words of the service", async ({ partner, customer }) => {
  const account = await customer.account({ cash: 1 });
  const isRefusal = (error) => error instanceof Refused && error.status === 400 && error.description.startsWith("amount");
  await assert.rejects(partner.orders.subscribe(account, INDEX_FUND, 1000), isRefusal);
});

plain("amounts, spans and instants are read as people write them", () => {
  assert.deepEqual(["3 days", "1 day", "2 bank days", "90 minutes", "PT5S"].map(span), [
    "P3D",
    "P1D",
    "2 bank days",
    "PT90M",
    "PT5S",
  ]);
  assert.throws(() => span("3 fortnights"), /"3 fortnights" is no span of time; write "3 days"/);
  const instants = {
    "2026-07-01T09:00": "07:00",
    "2026-01-01T09:00": "08:00",
    "2026-07-01T09:00Z": "09:00",
    "2026-10-25T01:30": "23:30",
  };
  for (const [given, expected] of Object.entries(instants)) assert.equal(instant(given).slice(11, 16), expected, given);
});

test("a world that is not dropped is a leak", async ({ fundsim }) => {
  const left = await fundsim.world({ name: "a test that forgets" });
  const other = fundsim.checkLeaks();
  await assert.rejects(
    other,
    (error) => error instanceof LeakedWorlds && error.message.includes(`${left.id}, made for a test that forgets`),
  );
  await left.drop();
});

plain("a server that does not start says why", async () => {
  const refused = (error) => error instanceof ServerFailed && error.message.includes("unexpected argument '--no-such-flag'");
  await assert.rejects(Server.start("--no-such-flag"), refused);
  await assert.rejects(Server.at("http://127.0.0.1:9"), /no server answers at http:\/\/127.0.0.1:9/);
});

plain("the program is looked for in three places", () => {
  const own = process.env.FUNDSIM_BINARY;
  const path = process.env.PATH;
  try {
    process.env.FUNDSIM_BINARY = "/no/such";
    assert.throws(binary, /FUNDSIM_BINARY is \/no\/such, which is no file that can be run/);
    delete process.env.FUNDSIM_BINARY;
    process.env.PATH = "";
    assert.throws(binary, /@fundsim\/cli is not installed, FUNDSIM_BINARY is not set, and there is none on PATH/);
  } finally {
    process.env.FUNDSIM_BINARY = own;
    process.env.PATH = path;
  }
});

plain("the types are those of the program", () => {
  execFileSync(process.execPath, [join(home, "tools/types.mjs"), binary(), "--check"], { stdio: "inherit" });
});

// Suites seen from outside: each of the three runners shows a failed test in the same words.
const runners = {
  node: [process.execPath, "--test", "tests/outside/node.mjs"],
  vitest: [process.execPath, "node_modules/vitest/vitest.mjs", "run", "--config", "tests/outside/vitest.config.mjs"],
  jest: [process.execPath, "node_modules/jest/bin/jest.js", "--config", '{"testMatch":["**/outside/jest.cjs"]}'],
};
for (const [name, [program, ...more]] of Object.entries(runners)) {
  plain(`a failed test under ${name} shows its world, how to repeat it and what it has met, and a leak is found`, () => {
    const stories = join(home, ".fundsim");
    rmSync(stories, { recursive: true, force: true });
    const coverage = mkdtempSync(join(tmpdir(), "fundsim-"));
    const environment = { ...process.env, FUNDSIM_COVERAGE: coverage };
    delete environment.NODE_TEST_CONTEXT;
    const { status, stdout, stderr } = spawnSync(program, more, { cwd: home, env: environment, encoding: "utf8" });
    const output = stdout + stderr;
    assert.notEqual(status, 0, output);
    for (const line of [
      /world {4}http:\/\/127.0.0.1:\d+\/_sandbox\/worlds\/world-\d+ {2}seed 42/,
      /console {2}http/,
      /again {4}fundsim run \.fundsim\/.*yaml/,
      /open {5}fundsim open \.fundsim\/.*capsule\.json/,
      / {2}200 POST \/v2\/partner\/client\/.*\/order/,
      /why {6}fundsim why [0-9a-f-]{36} --url http/,
      /made for a world that is forgotten/,
    ]) {
      assert.match(output, line);
    }
    assert.ok(existsSync(stories));
    const story = readdirSync(stories).find((file) => file.endsWith(".yaml"));
    execFileSync(binary(), ["run", join(stories, story)]);
    rmSync(stories, { recursive: true });
    const kept = readdirSync(coverage).map((file) => file.replace(/-[0-9a-f]{8}\.json$/, ""));
    // Under vitest a test that asks for no world has none.
    assert.deepEqual(kept.sort(), name === "vitest" ? ["that-fails"] : ["that-fails", "that-leaks"]);
    const summed = execFileSync(binary(), ["readiness", "--from", coverage, "--output", "json"], { encoding: "utf8" });
    const never = JSON.parse(summed)
      .groups.find((group) => group.name === "states")
      .never.map((row) => `${row.of} ${row.what}`);
    assert.ok(never.includes("order CanceledBooked") && !never.includes("order Settled"), never.join(", "));
    rmSync(coverage, { recursive: true });
  });
}

plain("a running server is used and keeps the world of a failed test", async () => {
  const server = await Server.start();
  const folder = mkdtempSync(join(tmpdir(), "fundsim-"));
  try {
    const environment = { ...process.env, FUNDSIM_URL: server.url };
    delete environment.NODE_TEST_CONTEXT;
    const called = spawnSync(process.execPath, ["--test", join(home, "tests/outside/node.mjs")], {
      cwd: folder,
      env: environment,
      encoding: "utf8",
    });
    assert.match(called.stdout, /\(the world is kept\)/);
    assert.deepEqual(readdirSync(folder), [".fundsim"]);
    const names = (await server.call("GET", "/_sandbox/worlds")).map((one) => one.name);
    assert.deepEqual(names.slice(1).sort(), ["a world that is forgotten", "that fails"]);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
