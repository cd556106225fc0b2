import { defineConfig } from 'vitest/config';

/**
 * For Stryker (docs/reliability.md): the pure tests of the lifecycles. Each mutant runs those that reach it, so without
 * the properties, which play hundreds of lives. Static mutants are ignored, so no file needs a process of its own.
 */
export default defineConfig({
  test: {
    include: ['test/lifecycle/**/*.test.ts'],
    exclude: ['test/lifecycle/**/properties.test.ts'],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 60_000,
  },
});
