// Run by `tests/node/kit.test.mjs`; fails on purpose.
const { test } = require("@fundsim/test/jest");
const bodies = require("./body.cjs");

test("that fails", bodies.fails);
test("that leaks", bodies.leaks);
