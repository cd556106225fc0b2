import { runCommand } from './command.js';
import { summaryOf, type TestCounts } from './test-counts.js';
import { choosesProjects, widenedToAreas } from './test-filters.js';
import { runVitest } from './vitest-run.js';

/** Fast ones first: what needs no server has its result before one is started or built. */
const parts = [
  { projects: ['unit'], says: 'tests that need no server: half a minute' },
  {
    projects: ['services', 'engine'],
    says: 'tests with PostgreSQL and Temporal: a quarter of an hour at most',
  },
  { projects: ['alone'], says: 'tests that need a Temporal server for themselves: half a minute' },
];

// Arguments are vitest's own: `npm test -- payments`, `npm test -- --project unit`.
await runCommand(async (signal) => {
  const counts = await runAll(widenedToAreas(process.argv.slice(2)), signal);
  process.stdout.write(summaryOf(counts));
  if (counts.failed > 0) process.exitCode = 1;
});

async function runAll(args: readonly string[], signal: AbortSignal): Promise<TestCounts> {
  if (choosesProjects(args)) return run(args, signal);
  const sum = { passed: 0, failed: 0, failures: [] as string[] };
  for (const [index, { projects, says }] of parts.entries()) {
    if (args.length === 0)
      process.stderr.write(`${index + 1} of ${parts.length}: ${says}, on two cores without other work\n`);
    const chosen = projects.flatMap((name) => ['--project', name]);
    const { passed, failed, failures } = await run([...chosen, '--passWithNoTests', ...args], signal);
    sum.passed += passed;
    sum.failed += failed;
    sum.failures.push(...failures);
    if (signal.aborted) break;
  }
  if (sum.passed + sum.failed > 0) return sum;
  // Not a success: it has been misspelt.
  return { passed: 0, failed: 1, failures: [`no test is found by ${args.join(' ')}`] };
}

async function run(args: readonly string[], signal: AbortSignal): Promise<TestCounts> {
  return runVitest(args, { isShown: true, signal });
}
