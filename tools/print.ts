/** Writes a line to stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line to stderr. */
export function printAside(line: string): void {
  process.stderr.write(`${line}\n`);
}
