import { defineConfig } from 'vitest/config';

/** Without the properties, which play hundreds of lives: each mutant runs all tests that reach it. */
const ofLifecycles = {
  include: ['test/lifecycle/**/*.test.ts'],
  exclude: ['test/lifecycle/**/properties.test.ts'],
};

/** Unit tests of the pure parts, and simulated worlds for those that read and write rows. */
const ofSteps = {
  include: [
    'test/unit/{attempt-identity,attempt-records,command-outcomes,decision-result,error-mapping,failed-posts}.test.ts',
    'test/unit/{poisoned-key,step-places,step-wrappers}.test.ts',
    'test/simulator/simulated-worlds.mutation.ts',
  ],
};

/**
 * For Stryker (docs/reliability.md): the pure tests of the lifecycles, or with `MUTATION_OF=steps` those of the steps.
 * Static mutants are ignored, so no file needs a process of its own.
 */
export default defineConfig({
  test: {
    ...(process.env['MUTATION_OF'] === 'steps' ? ofSteps : ofLifecycles),
    maxWorkers: 1,
    isolate: false,
    testTimeout: 60_000,
  },
});
