/** What is shown of a failed test: its world, its last requests, and how to repeat it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { cwd } from "node:process";
import type { Shapes } from "./http.js";
import type { World } from "./world.js";

const REQUESTS_SHOWN = 8;
const LOG_LINES = 15;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * The section, line by line. What the test has asked is kept in `.fundsim` as a scenario file, and beside it the world as it is, with all that led
 * to it and why the test has failed.
 */
export async function report(world: World, test: string, failure: unknown): Promise<string> {
  try {
    const now = (await world.clock.now()).toISOString();
    const kept = world.server.isOwn ? "while the server runs: FUNDSIM_URL names one that stays" : "the world is kept";
    const { path, text } = await story(world, test);
    const lines = [
      `world    ${world.url}  seed ${world.seed}, from ${world.start} to ${now}`,
      `console  ${world.console}  (${kept})`,
      `again    fundsim run ${path}`,
      `open     fundsim open ${await capsule(world, test, failure, path, text)}`,
    ];
    const requests = await world.requests({ limit: REQUESTS_SHOWN });
    if (requests.length > 0) {
      lines.push("requests, the last one last:");
      for (const { status, method, path } of [...requests].reverse()) lines.push(`  ${status ?? "---"} ${method} ${path}`);
      const refused = requests.find((one) => (one.status ?? 0) >= 400);
      const body = refused?.answered?.json as { error_description?: string } | undefined;
      if (refused)
        lines.push(
          `last refusal: ${refused.status} ${refused.method} ${refused.path}: ${body?.error_description ?? "without words"}`,
        );
      const named = lastNamed(requests);
      if (named) lines.push(`why      fundsim why ${named} --url ${world.server.url} --world ${world.id}`);
    }
    const log = world.server.log(world.id, LOG_LINES).filter((line) => / (warn|error) /.test(line));
    if (log.length > 0) lines.push("log of the server:", ...log.map((line) => `  ${line}`));
    return ["---- fundsim ----", ...lines].join("\n");
  } catch (error) {
    // The test's own failure is what matters.
    return `---- fundsim ----\n${world.url}\nnothing more is known of it: ${String(error)}`;
  }
}

async function story(world: World, test: string): Promise<{ path: string; text: string }> {
  const folder = join(cwd(), ".fundsim");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".gitignore"), "*\n");
  const path = join(
    folder,
    `${test
      .replace(/[^A-Za-z0-9_.-]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(-150)}.yaml`,
  );
  const text = await world.scenario();
  writeFileSync(path, text);
  return { path: relative(cwd(), path), text };
}

async function capsule(world: World, name: string, failure: unknown, path: string, story: string): Promise<string> {
  const file = path.replace(/\.yaml$/, ".capsule.json");
  const run = { name, failure: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure), story };
  writeFileSync(file, JSON.stringify({ ...(await world.capsule()), run }));
  return file;
}

function lastNamed(requests: Shapes["RequestLine"][]): string | undefined {
  for (const one of requests) {
    const inPath = (one.path.split("/client/")[1] ?? "").match(UUID)?.slice(1) ?? [];
    const answered = one.answered?.json as { id?: string } | undefined;
    const found = inPath.at(-1) ?? answered?.id;
    if (found) return found;
  }
  return undefined;
}
