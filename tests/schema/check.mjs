// usage: node check.mjs SCHEMA SLIPS SCENARIOS
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";
import Ajv2020 from "ajv/dist/2020.js";
import { parse } from "yaml";

const [schemaFile, slipsFile, folder] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaFile, "utf8"));
const valid = new Ajv2020.default({ strict: false, validateFormats: false }).compile(schema);
const failures = [];
const must = (holds, what) => holds || failures.push(what);

const stories = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".yaml"));
for (const name of stories) {
  must(valid(parse(readFileSync(join(folder, name), "utf8"))), `${name} is refused: ${JSON.stringify(valid.errors?.slice(0, 3))}`);
}

const slips = parse(readFileSync(slipsFile, "utf8"));
const whole = (step) => ({ scenario: "One step", steps: [step] });
const rows = [...slips.steps.map(({ wrong, right }) => [whole(wrong), whole(right)]), ...slips.files.map(({ wrong, right }) => [wrong, right])];
for (const [wrong, right] of rows) {
  must(!valid(wrong), `taken: ${JSON.stringify(wrong)}`);
  must(valid(right), `refused: ${JSON.stringify(right)}: ${JSON.stringify(valid.errors?.slice(0, 3))}`);
}

// What an editor offers at the mark.
const require = createRequire(import.meta.url);
const { getLanguageService } = require("yaml-language-server");
const { TextDocument } = require("vscode-languageserver-textdocument");
const quiet = { send() {}, sendError() {}, sendTrack: async () => {} };
const connection = { onRequest() {}, window: { showErrorMessage() {} }, console: { error() {}, log() {} } };
const service = getLanguageService({
  schemaRequestService: async () => JSON.stringify(schema),
  workspaceContext: { resolveRelativePath: (path) => path },
  telemetry: quiet,
  connection,
  yamlSettings: { documents: new Map(), isKubernetes: false },
});
service.configure({ completion: true, validate: true, hover: true, schemas: [{ uri: "fundsim://scenario", fileMatch: ["*"], schema }] });

let version = 0;
async function offered(text) {
  version += 1;
  const offset = text.indexOf("|");
  const document = TextDocument.create(`file:///story-${version}.yaml`, "yaml", version, text.replace("|", ""));
  const list = await service.doComplete(document, document.positionAt(offset), false);
  return list.items.map((item) => item.label);
}

const completions = [
  ["scenario: x\nsteps:\n  - |", ["subscribe", "open account", "advance", "expect event"]],
  ["scenario: x\nsteps:\n  - subscribe:\n      |", ["account", "instrument", "amount", "clientRef", "as"]],
  ["scenario: x\nsteps:\n  - subscribe:\n      account: anna\n      |", ["instrument", "amount"]],
  ["scenario: x\nsteps:\n  - set price:\n      instrument: fund\n      |", ["closePrice", "priceDate"]],
  ["scenario: x\nsteps:\n  - start journey:\n      type: |", ["createAccount", "kycRenewal"]],
  ["scenario: x\nsteps:\n  - fail journey:\n      journey: journey\n      code: |", ["KYC_ERROR", "OTHER_ERROR"]],
  ["scenario: x\nsteps:\n  - network: |", ["cut", "repaired"]],
  ["scenario: x\nworld:\n  |", ["seed", "start", "setup", "settings"]],
  ["scenario: x\nworld:\n  settings:\n    |", ["holdAbove", "heartbeatSeconds", "allowlist"]],
];
for (const [text, wanted] of completions) {
  const labels = await offered(text);
  for (const label of wanted) must(labels.includes(label), `${JSON.stringify(text)} does not offer ${label}, but ${labels.join(", ")}`);
}
const unwanted = await offered(completions[1][0]);
must(!unwanted.includes("closePrice") && !unwanted.includes("units"), `subscribe offers ${unwanted.join(", ")}`);

failures.forEach((failure) => console.error(failure));
console.log(`${stories.length} stories, ${rows.length} slips, ${completions.length} completions: ${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);
