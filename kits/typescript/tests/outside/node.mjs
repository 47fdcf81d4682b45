// Run by `tests/node/kit.test.mjs`; fails on purpose.
import { test } from "@fundsim/test/node";
import bodies from "./body.cjs";

test("that fails", bodies.fails);
test("that leaks", bodies.leaks);
