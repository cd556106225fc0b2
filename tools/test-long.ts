import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.js';
import { Failure } from './failure.js';
import { projectRoot } from './project.js';
import { summaryOf } from './test-counts.js';
import { chosenOf } from './test-filters.js';
import { runVitest } from './vitest-run.js';

// What `npm test` leaves out, and the whole of what it tries a slice of (test/helpers/sized.ts). Words of
// their paths choose some of them: `npm run test:long -- simulated`. Options are vitest's own.
await runCommand(async (signal) => {
  process.env['TEST_SIZE'] = 'whole';
  const args = process.argv.slice(2);
  const chosen = chosenOf(longFiles(), args);
  // Without a file vitest would run all tests.
  if (!chosen.some((arg) => arg.endsWith('.test.ts')))
    throw new Failure(`no long test is found by ${args.join(' ')}`);
  const counts = await runVitest(chosen, { isShown: true, signal });
  process.stdout.write(summaryOf(counts));
  if (counts.failed > 0) process.exitCode = 1;
});

function longFiles(): string[] {
  return globSync('test/**/*.test.ts', { cwd: projectRoot }).filter(
    (file) =>
      file.endsWith('.long.test.ts') ||
      readFileSync(join(projectRoot, file), 'utf8').includes('/helpers/sized.js'),
  );
}
