/** What each test has met, kept in a folder for `fundsim readiness --from FOLDER`, where `FUNDSIM_COVERAGE` names one. */
import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env, pid } from "node:process";
import type { World } from "./world.js";

/** Writes what a test of a file has met. A test has a file, whichever process runs it; another run replaces it. */
export async function keepCoverage(world: World, test: string, file = ""): Promise<void> {
  const folder = env.FUNDSIM_COVERAGE;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  // Names that differ in signs alone, or in what is cut, have files of their own.
  const mark = createHash("sha256").update(`${file}\n${test}`).digest("hex").slice(0, 8);
  const name = test
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(-150);
  const path = join(folder, `${name}-${mark}.json`);
  const beside = `${path}.${pid}.part`;
  writeFileSync(beside, JSON.stringify(await world.coverage()));
  renameSync(beside, path);
}
