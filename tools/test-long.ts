import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.js';
import { projectRoot } from './project.js';
import { summaryOf } from './test-counts.js';
import { runVitest } from './vitest-run.js';

// What `npm test` leaves out, and the whole of what it tries a slice of (test/helpers/sized.ts). Arguments are vitest's own.
await runCommand(async (signal) => {
  process.env['TEST_SIZE'] = 'whole';
  const counts = await runVitest([...longFiles(), ...process.argv.slice(2)], { isShown: true, signal });
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
