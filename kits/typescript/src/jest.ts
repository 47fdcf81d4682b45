/** jest: `test("name", async ({ partner, clock }) => …)`, with what a world is like as a second argument. */
import type { WorldOptions } from "./server.js";
import { type Fixtures, Session } from "./session.js";

export type { Fixtures, WorldOptions };

/** What jest puts into the global scope, as far as it is used here. */
type Jest = {
  test: (name: string, body: () => Promise<void>) => void;
  afterAll: (body: () => Promise<void>) => void;
  expect: { getState: () => { currentTestName?: string; testPath?: string } };
};

/** The body of a test. */
export type Body = (fixtures: Fixtures) => Promise<void> | void;

const globals = globalThis as unknown as Jest;
const session = new Session();
globals.afterAll(() => session.close());

/** A test with a world of its own. */
export function test(name: string, body: Body): void;
export function test(name: string, options: WorldOptions, body: Body): void;
export function test(name: string, first: WorldOptions | Body, second?: Body): void {
  const [options, body] = typeof first === "function" ? [{}, first] : [first, second as Body];
  globals.test(name, async () => {
    // With the names of the blocks around it.
    const { currentTestName, testPath } = globals.expect.getState();
    await session.run(currentTestName ?? name, options, body, undefined, testPath);
  });
}
