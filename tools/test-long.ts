import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.js';
import { projectRoot } from './project.js';
import { countsLine } from './test-counts.js';
import { runVitest } from './vitest-run.js';

// The whole of what `npm test` tries a slice of (test/helpers/sized.ts). Arguments are vitest's own.
await runCommand(async (signal) => {
  process.env['TEST_SIZE'] = 'whole';
  const counts = await runVitest([...filesWithSlices(), ...process.argv.slice(2)], { isShown: true, signal });
  process.stdout.write(`${countsLine(counts)}\n`);
  if (counts.failed > 0) process.exitCode = 1;
});

function filesWithSlices(): string[] {
  return globSync('test/**/*.test.ts', { cwd: projectRoot }).filter((file) =>
    readFileSync(join(projectRoot, file), 'utf8').includes('/helpers/sized.js'),
  );
}
