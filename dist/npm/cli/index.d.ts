/**
 * The path of the program that fits this machine. The variable `FUNDSIM_BINARY` takes precedence.
 * @throws when no installed package has one
 */
export function binary(): string;
