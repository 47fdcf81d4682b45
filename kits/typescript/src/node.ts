/** `node:test`: `test("name", async ({ partner, clock }) => …)`, with what a world is like as a second argument. */
import { after, test as nodeTest, type TestContext } from "node:test";
import type { WorldOptions } from "./server.js";
import { type Fixtures, Session } from "./session.js";

export type { Fixtures, WorldOptions };

const session = new Session();
after(() => session.close());

/** The body of a test. */
export type Body = (fixtures: Fixtures & { context: TestContext }) => Promise<void> | void;

/** A test with a world of its own. */
export function test(name: string, body: Body): Promise<void>;
export function test(name: string, options: WorldOptions, body: Body): Promise<void>;
export function test(name: string, first: WorldOptions | Body, second?: Body): Promise<void> {
  const [options, body] = typeof first === "function" ? [{}, first] : [first, second as Body];
  return nodeTest(name, (context) =>
    session.run(
      name,
      options,
      (fixtures) => body({ ...fixtures, context }),
      (section) => context.diagnostic(section),
    ),
  );
}
