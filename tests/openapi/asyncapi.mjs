// The AsyncAPI initiative's own parser reads the description of the event socket.
// usage: node asyncapi.mjs FILE
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], "utf8"));
const errors = diagnostics.filter((found) => found.severity === 0);
for (const { code, message, path } of errors) console.error(`${code}: ${message} at ${path.join(".")}`);
if (document === undefined || errors.length > 0) process.exit(1);
console.log(`${document.allMessages().length} messages of the event socket are described`);
