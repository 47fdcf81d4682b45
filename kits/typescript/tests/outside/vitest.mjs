// Run by `tests/node/kit.test.mjs`; fails on purpose.
import { test } from "@fundsim/test/vitest";
import bodies from "./body.cjs";

test("that fails", ({ partner, customer, clock }) => bodies.fails({ partner, customer, clock }));
test("that leaks", ({ fundsim }) => bodies.leaks({ fundsim }));
