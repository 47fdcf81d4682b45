export default { test: { include: ["tests/outside/vitest.mjs"] } };
