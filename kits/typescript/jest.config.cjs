module.exports = { testMatch: ["**/tests/jest/*.test.cjs"] };
