// Where the program is.
'use strict';

/** The path of the program that fits this machine. */
function binary() {
  if (process.env.FUNDSIM_BINARY) return process.env.FUNDSIM_BINARY;
  const name = `@fundsim/${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/bin/fundsim`);
  } catch {
    const { optionalDependencies } = require('./package.json');
    const why =
      name in optionalDependencies
        ? `${name} is not installed: were optional dependencies left out (--omit=optional, or a lock file of another system)?`
        : `there is no fundsim for ${process.platform} on ${process.arch}, only ${Object.keys(optionalDependencies).join(', ')}.`;
    throw new Error(`${why} The variable FUNDSIM_BINARY may name a program that you have built yourself.`);
  }
}

module.exports = { binary };
