// A client whose types are generated from the description plays an order from `received` to `settled`, and a journey to its
// end through levers. What does not fit the description does not compile; what the server does otherwise stops the play.
// usage: node play.js LINE   (the line of JSON that `fundsim serve --output json` prints)
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Line = components["schemas"]["WorldLine"];
type Order = components["schemas"]["Order"];

const FUND = "SE0SBX000016SEK";

// The word that says which shape a body is narrows it: what is missing from that shape does not compile.
type OrderRequest = components["schemas"]["OrderRequest"];
type Configuration = components["schemas"]["JourneyConfiguration"];
// @ts-expect-error a subscription has an amount
export const withoutAmount: OrderRequest = { account: "", orderType: "subscription", instrument: FUND, units: 1 };
// @ts-expect-error a withdrawal is signed for an account
export const withoutAccount: Configuration = { journeyType: "signWithdrawal" };
export const ordered = (order: Order): number => (order.orderType === "subscription" ? order.amount : order.units);

const line = JSON.parse(process.argv[2] ?? "") as Line;
const partner = line.partners[0];
const client = partner?.clients[0];
assert(partner?.clientSecret !== undefined && client !== undefined, "the world has a partner with a client");
const api = createClient<paths>({ baseUrl: line.url });

/** What a call answered, or why it was refused. */
function good<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  assert(answer.data !== undefined, `${answer.response.url} ${answer.response.status}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

async function signIn(clientId: string, clientSecret: string): Promise<void> {
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const answer = await api.POST("/v2/partner/auth/token", {
    body: form,
    bodySerializer: (body) => new URLSearchParams(body as Record<string, string>),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const token = good(answer).access_token;
  api.use({
    onRequest({ request }) {
      request.headers.set("authorization", `Bearer ${token}`);
      return request;
    },
  });
}

type Advance = components["schemas"]["AdvanceRequest"];

async function advance(body: Advance): Promise<void> {
  const advanced = good(await api.POST("/_sandbox/worlds/{worldId}/clock/advance", { params: { path: { worldId: "current" } }, body }));
  assert(advanced.count >= advanced.happened.length);
}

async function order(clientId: string): Promise<void> {
  const account = good(await api.POST("/simulations/account", { body: { clientId, accountType: "isk", cash: 10000 } }));
  const placed = good(
    await api.POST("/v2/partner/client/{clientId}/order", {
      params: { path: { clientId } },
      body: { account: account.id, orderType: "subscription", instrument: FUND, amount: 2500, clientRef: "play" },
    }),
  );
  const seen: Order["status"][] = [placed.status];
  const path = { clientId, orderId: placed.id };
  const look = async (): Promise<Order> => {
    const found = good(await api.GET("/v2/partner/client/{clientId}/order/{orderId}", { params: { path } }));
    if (found.status !== seen.at(-1)) seen.push(found.status);
    return found;
  };
  await advance({ by: "PT2M" });
  await look();
  await advance({ until: "cutOff", order: placed.id });
  await advance({ by: "PT5M" });
  await look();
  const late = await api.POST("/simulations/order/{orderId}/hold", { params: { path: { orderId: placed.id } } });
  assert.equal(late.response.status, 409);
  assert(late.error !== undefined && "current" in late.error && late.error.current === "sent", JSON.stringify(late.error));
  await advance({ until: "settlement", order: placed.id });
  const settled = await look();
  assert.deepEqual(seen, ["received", "pending", "sent", "settled"]);
  assert(settled.units !== undefined && settled.units > 0);
  const after = good(
    await api.GET("/v2/partner/client/{clientId}/account/{accountId}", { params: { path: { clientId, accountId: account.id } } }),
  );
  assert.equal(after.balance, 7500);
  assert.equal(after.positions[0]?.unitsSettled, settled.units);
}

async function journey(clientId: string): Promise<void> {
  const begun = good(
    await api.POST("/v2/partner/client/{clientId}/journey", {
      params: { path: { clientId } },
      body: {
        journey: { journeyType: "createAccount", accountTypes: ["isk"], accountServiceType: "executionOnly", accountCategories: ["retail"] },
        callbackUrl: "http://127.0.0.1:9/callback",
        scope: "cGxheQ==",
      },
    }),
  );
  assert.equal(begun.status, "new");
  const path = { journeyId: begun.id };
  const open = good(await api.POST("/simulations/journey/{journeyId}/open", { params: { path } }));
  assert.equal(open.status, "pending");
  const steps = good(await api.GET("/simulations/journey/{journeyId}/steps", { params: { path } }));
  assert(steps.some((step) => step.fields.some((field) => field.required)));
  const done = good(await api.POST("/simulations/journey/{journeyId}/complete", { params: { path }, body: { answers: {} } }));
  assert.equal(done.status, "complete");
  assert.equal(done.result?.account?.accountType, "isk");
  const again = await api.POST("/simulations/journey/{journeyId}/cancel", { params: { path }, body: {} });
  assert.equal(again.response.status, 409);
  const read = good(await api.GET("/v2/partner/client/{clientId}/journey/{journeyId}", { params: { path: { clientId, ...path } } }));
  assert.equal(read.scope, "cGxheQ==");
}

await signIn(partner.clientId, partner.clientSecret);
await order(client.id);
await journey(client.id);
console.log("an order settled and a journey completed, by generated types");
