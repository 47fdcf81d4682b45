#!/usr/bin/env node
// Starts the program that fits this machine, and ends as it ends.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { binary } = require('../index.js');

let path;
try {
  path = binary();
} catch (error) {
  console.error(`fundsim: ${error.message}`);
  process.exit(2);
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`fundsim: ${path}: ${error.message}`);
  process.exit(2);
});
// A terminal sends Ctrl-C to both. Others send their signal to this process alone, and it is passed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('exit', (code, signal) => {
  process.exit(code ?? 128 + constants.signals[signal]);
});
