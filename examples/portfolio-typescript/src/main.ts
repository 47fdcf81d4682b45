/** `npm start`: the application on port 9000, or on `PORT`; the other settings are those of `portfolio-python`. */
import { env, exit } from "node:process";
import { Portfolio, serverOf } from "./app.js";

const RECONCILE_EVERY = 600_000;

function named(name: string): string {
  const value = env[`PORTFOLIO_${name}`];
  if (value) return value;
  console.error(`PORTFOLIO_${name} is not set`);
  exit(1);
}

const settings = {
  serviceUrl: named("SERVICE_URL"),
  client: named("CLIENT"),
  clientId: named("CLIENT_ID"),
  clientSecret: named("CLIENT_SECRET"),
  callbackSecret: named("CALLBACK_SECRET"),
  webhookSecret: named("WEBHOOK_SECRET"),
  publicUrl: named("PUBLIC_URL"),
  database: env.PORTFOLIO_DATABASE ?? "portfolio.sqlite",
};
const portfolio = await Portfolio.open(settings);
setInterval(() => portfolio.reconcile(false).catch((error) => console.error(String(error))), RECONCILE_EVERY);
serverOf(portfolio, settings).listen(Number(env.PORT ?? "9000"), "127.0.0.1");
