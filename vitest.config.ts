import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.js';

/** Pure parts: no service, seconds. */
const unit = ['unit', 'lifecycle', 'tools', 'configuration', 'payload-codec', 'simulator'];
/** What needs sockets and PostgreSQL, but no Temporal. */
const services = ['client', 'database', 'local-stack', 'sandbox'];

const filesIn = (areas: readonly string[]): string[] => areas.map((area) => `test/${area}/**/*.test.ts`);

/** Minutes of waiting, each with a whole system of its own: `npm run test:long` has them. */
const long = ['test/**/*.long.test.ts'];
/** What uses all cores by itself when it does all that it can. */
const isWhole = process.env['TEST_SIZE'] === 'whole';
const wholes = isWhole ? [...long, 'test/mutants/**/*.test.ts'] : long;
/** Temporal tells its task queues late of a new version, or never, while other tests keep the server busy. */
const quiet = ['test/workflows/worker-versions.test.ts'];

/** Of those that this process may use: `taskset` counts. */
const cores = availableParallelism();

/**
 * Files of a project share processes: what they import is loaded once, which is a quarter of all work. A file leaves no
 * clock, spy or variable behind that it has changed.
 */
const shared = {
  isolate: false,
  // Young objects die before they are copied: a twentieth less work.
  execArgv: ['--max-semi-space-size=64'],
};

/**
 * They end what hangs. They measure nothing, so they are far above what a machine of a quarter of the speed needs; a
 * test that has a smaller limit has it because the limit is what it tests.
 */
const limits = { testTimeout: 900_000, hookTimeout: 900_000, expect: { poll: { timeout: 300_000 } } };

/** One file at a time: campaigns beside each other starve each other. */
const aloneAtATime = {
  test: {
    ...limits,
    ...shared,
    name: 'alone',
    include: isWhole ? [...wholes, ...quiet] : quiet,
    globalSetup: 'test/global-setup.ts',
    sequence: { groupOrder: 4 },
    setupFiles: 'test/yield-to-servers.ts',
    maxWorkers: 1,
  },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    teardownTimeout: 120_000,
    projects: [
      {
        // From 1: on two cores vitest would keep a group 0 for the end.
        test: {
          ...limits,
          ...shared,
          name: 'unit',
          include: filesIn(unit),
          sequence: { groupOrder: 1 },
          maxWorkers: cores,
        },
      },
      {
        test: {
          ...limits,
          ...shared,
          name: 'services',
          include: filesIn(services),
          globalSetup: 'test/global-setup.ts',
          sequence: { groupOrder: 2 },
          setupFiles: 'test/yield-to-servers.ts',
          maxWorkers: Math.min(2 * cores, 12),
        },
      },
      {
        // Everything else meets the whole engine: a new folder under test/ is never left out.
        test: {
          ...limits,
          ...shared,
          name: 'engine',
          include: ['test/**/*.test.ts'],
          exclude: [...filesIn(unit), ...filesIn(services), ...wholes, ...quiet],
          globalSetup: 'test/global-setup.ts',
          sequence: { groupOrder: 3 },
          setupFiles: 'test/yield-to-servers.ts',
          // They wait as much as they work: for timers, horizons, processes that start. All share one Temporal server.
          maxWorkers: Math.min(Math.floor(3.5 * cores), 12),
        },
      },
      aloneAtATime,
    ],
  },
});
