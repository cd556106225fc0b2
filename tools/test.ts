import { runCommand } from './command.js';
import { countsLine } from './test-counts.js';
import { runVitest } from './vitest-run.js';

// Arguments are vitest's own: `npm test -- test/client`, `npm test -- --project unit`.
await runCommand(async (signal) => {
  const counts = await runVitest(process.argv.slice(2), { isShown: true, signal });
  process.stdout.write(`${countsLine(counts)}\n`);
  if (counts.failed > 0) process.exitCode = 1;
});
