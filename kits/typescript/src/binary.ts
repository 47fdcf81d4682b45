/** Where the program is: packed beside this package, named by `FUNDSIM_BINARY`, or on `PATH`. */
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, resolve } from "node:path";
import { cwd, env, platform } from "node:process";

/** No program `fundsim` was found. */
export class BinaryNotFound extends Error {
  override name = "BinaryNotFound";
}

const PROGRAM = platform === "win32" ? "fundsim.exe" : "fundsim";

function canBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function packed(): string | undefined {
  const name = `@fundsim/${platform}-${process.arch}`;
  try {
    const manifest = createRequire(join(cwd(), "package.json")).resolve(`${name}/package.json`);
    const path = resolve(manifest, "../bin", PROGRAM);
    return canBeRun(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The program: of the package `@fundsim/cli` where it is installed, else `FUNDSIM_BINARY`, else the one on `PATH`. */
export function binary(): string {
  const beside = packed();
  if (beside !== undefined) return beside;
  const named = env.FUNDSIM_BINARY;
  if (named) {
    if (!canBeRun(named)) throw new BinaryNotFound(`FUNDSIM_BINARY is ${named}, which is no file that can be run`);
    return resolve(named);
  }
  for (const folder of (env.PATH ?? "").split(delimiter).filter((one) => one !== "")) {
    // The console script of `@fundsim/cli` would be here, too; it leads to the packed program, which was looked for first.
    if (canBeRun(join(folder, PROGRAM))) return join(folder, PROGRAM);
  }
  throw new BinaryNotFound(
    "fundsim was not found: @fundsim/cli is not installed, FUNDSIM_BINARY is not set, and there is none on PATH",
  );
}
