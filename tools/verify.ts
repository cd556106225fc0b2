import { availableParallelism } from 'node:os';
import { runToEnd, type Outcome } from './child-output.js';
import { runCommand } from './command.js';
import { countsLine } from './test-counts.js';
import { runVitest } from './vitest-run.js';

interface Check {
  readonly name: string;
  run(signal: AbortSignal): Promise<Outcome>;
}

/** Long ones first: they share the processors. `--static` leaves the tests out, for who runs all of them anyway. */
const checks: readonly Check[] = [
  script('typecheck'),
  ...(process.argv.includes('--static') ? [] : [{ name: 'unit tests', run: runUnitTests }]),
  script('deadcode'),
  script('arrows'),
  script('lint'),
  script('format:check'),
];

await runCommand(async (signal) => {
  const startedAt = Date.now();
  const waiting = [...checks];
  let failed = 0;
  const worker = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      if (!(await passes(check, signal))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  process.stdout.write(
    `verified in ${seconds} s: ${countsLine({ passed: checks.length - failed, failed })}\n`,
  );
  if (failed > 0) process.exitCode = 1;
});

async function passes(check: Check, signal: AbortSignal): Promise<boolean> {
  const startedAt = Date.now();
  const { exitCode, output } = await check.run(signal);
  const took = `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
  process.stdout.write(
    exitCode === 0 ? `✓ ${check.name} (${took})\n` : `✗ ${check.name} (${took})\n${output}\n`,
  );
  return exitCode === 0;
}

/** A script of package.json, so that `npm run lint` alone is the very same check. */
function script(name: string): Check {
  return {
    name,
    run: (signal) => runToEnd({ command: 'npm', args: ['run', '--silent', name], isShown: false }, signal),
  };
}

async function runUnitTests(signal: AbortSignal): Promise<Outcome> {
  const { failed, output } = await runVitest(['--project', 'unit'], { isShown: false, signal });
  return { exitCode: failed === 0 ? 0 : 1, output };
}
