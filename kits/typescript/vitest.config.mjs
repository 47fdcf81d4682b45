export default { test: { include: ["tests/vitest/*.test.ts"] } };
