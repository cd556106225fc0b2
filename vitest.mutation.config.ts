import { defineConfig } from 'vitest/config';

/** Without the properties, which play hundreds of lives: each mutant runs all tests that reach it. */
const ofLifecycles = {
  include: ['test/lifecycle/**/*.test.ts'],
  exclude: ['test/lifecycle/**/properties.test.ts'],
};

/** Unit tests of the pure parts, and of those that read and write rows with the rows of the simulator. */
const ofSteps = {
  include: [
    'test/unit/{attempt-identity,attempt-records,command-outcomes,decision-result,error-mapping,failed-posts}.test.ts',
    'test/unit/{poisoned-key,step-places,step-wrappers,uncalled-commands}.test.ts',
    'test/simulator/steps/*.test.ts',
  ],
  globalSetup: 'test/simulator/steps/build-stand.ts',
};

/** Slow: each mutant that no unit test kills runs all worlds. */
const ofStepsInWorlds = {
  ...ofSteps,
  include: [...ofSteps.include, 'test/simulator/simulated-worlds.mutation.ts'],
};

const suites: Readonly<Record<string, Partial<typeof ofSteps>>> = { steps: ofSteps, worlds: ofStepsInWorlds };

/**
 * For Stryker (docs/reliability.md): the pure tests of the lifecycles, or with `MUTATION_OF=steps` those of the steps,
 * or with `MUTATION_OF=worlds` these and simulated worlds.
 * Static mutants are ignored, so no file needs a process of its own.
 */
export default defineConfig({
  test: {
    ...(suites[process.env['MUTATION_OF'] ?? ''] ?? ofLifecycles),
    maxWorkers: 1,
    isolate: false,
    testTimeout: 60_000,
  },
});
