/** How a customer of the tests begins. */
import type { Clock, Customer } from "@fundsim/test";
import { expect } from "vitest";
import type { Application } from "./application.js";

/** A customer with an account that is active and holds cash; the customer's id in the application. */
export async function onboard(application: Application, customer: Customer, clock: Clock, cash = "10000.00"): Promise<string> {
  const opened = await application.post("/customers");
  await customer.walk(opened.url);
  await clock.advance("1 hour");
  const made = await application.get(`/customers/${opened.customer}`);
  expect(made.status).toBe("active");
  await application.post(`/customers/${made.customer}/deposits`, { amount: cash });
  await clock.advance("10 seconds");
  return made.customer;
}
