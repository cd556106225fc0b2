import { defineConfig } from 'vitest/config';

/** Pure parts: no service, seconds. */
const unit = ['unit', 'lifecycle', 'tools', 'configuration', 'payload-codec'];
/** What needs sockets and PostgreSQL, but no Temporal. */
const services = ['client', 'database', 'local-stack', 'sandbox'];

const filesIn = (areas: readonly string[]): string[] => areas.map((area) => `test/${area}/**/*.test.ts`);

export default defineConfig({
  test: {
    projects: [
      {
        // From 1: on two cores vitest would keep a group 0 for the end.
        test: {
          name: 'unit',
          include: filesIn(unit),
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          // Hundreds of random lives are seconds of work; on a machine that has other work, many seconds.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'services',
          include: filesIn(services),
          globalSetup: 'test/global-setup.ts',
          sequence: { groupOrder: 2 },
          maxWorkers: 3,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Everything else meets the whole engine: a new folder under test/ is never left out.
        test: {
          name: 'engine',
          include: ['test/**/*.test.ts'],
          exclude: [...filesIn(unit), ...filesIn(services)],
          globalSetup: 'test/global-setup.ts',
          sequence: { groupOrder: 3 },
          // They wait more than they work: for timers, horizons, processes that start.
          maxWorkers: 4,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
