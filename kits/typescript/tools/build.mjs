// Compiles `src` twice: as modules, and as CommonJS for jest without further settings. vitest is a module only.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = (...more) =>
  execFileSync(process.execPath, [join(home, "node_modules/typescript/bin/tsc"), "-p", home, ...more], { stdio: "inherit" });

rmSync(join(home, "dist"), { recursive: true, force: true });
tsc();
tsc(
  "--outDir",
  join(home, "dist/cjs"),
  "--module",
  "commonjs",
  "--moduleResolution",
  "node10",
  "--verbatimModuleSyntax",
  "false",
  "--esModuleInterop",
  "true",
);
rmSync(join(home, "dist/cjs/vitest.js"));
rmSync(join(home, "dist/cjs/vitest.d.ts"));
writeFileSync(join(home, "dist/cjs/package.json"), '{ "type": "commonjs" }\n');
