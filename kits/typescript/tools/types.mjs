// Writes `src/api.ts` and `src/event.ts`, or with `--check` compares them: the types of `fundsim openapi`, and of the events that
// `/asyncapi.json` of a running server describes.
// usage: node tools/types.mjs FUNDSIM_BINARY [--check]
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import openapi, { astToString } from "openapi-typescript";

const [program, check] = process.argv.slice(2);
const source = join(dirname(dirname(fileURLToPath(import.meta.url))), "src");
const head = (of) => `// Made from ${of} by \`tools/types.mjs\`. Do not edit.\n`;

const written = async (document) => astToString(await openapi(document, { rootTypes: false }));

async function asyncapi() {
  const server = spawn(program, ["serve", "--listen", "127.0.0.1:0", "--output", "json"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    for await (const line of server.stdout) {
      return await (await fetch(`${JSON.parse(line).url}/asyncapi.json`)).json();
    }
    throw new Error(`${program} serve ended before it was ready`);
  } finally {
    server.kill();
  }
}

async function events() {
  const described = await asyncapi();
  const { messages, schemas } = described.components;
  const payloads = Object.fromEntries(Object.entries(messages).map(([name, message]) => [`event:${name}`, message.payload]));
  const document = { openapi: "3.1.0", info: described.info, paths: {}, components: { schemas: { ...schemas, ...payloads } } };
  const names = Object.keys(messages).map((name) => `components["schemas"]["event:${name}"]`);
  return `${await written(document)}
/** Everything that the event socket sends. */
export type SocketMessage = ${names.join(" | ")};

/** What the event socket sends about a resource. */
export type ResourceEvent = Extract<SocketMessage, { payload: unknown }>;
`;
}

// The routes of the partner API alone, and the shapes of everything: levers and machinery have methods of the kit.
async function api() {
  const described = (...plane) => JSON.parse(execFileSync(program, ["openapi", ...plane], { maxBuffer: 1e9 }));
  const { components, info, openapi: version } = described();
  return written({ openapi: version, info, paths: described("--plane", "partner").paths, components });
}

const files = {
  "api.ts": head("`fundsim openapi`") + (await api()),
  "event.ts": head("`/asyncapi.json` of a running server") + (await events()),
};
for (const [name, text] of Object.entries(files)) {
  const path = join(source, name);
  if (check !== "--check") writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    console.error(`${path} is not what the program says: run node tools/types.mjs ${program}`);
    process.exit(1);
  }
}
