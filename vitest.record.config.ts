import { defineConfig } from 'vitest/config';

/** `npm run histories`: not a test, but it wants the same real services. */
export default defineConfig({
  test: {
    name: 'engine',
    include: ['test/histories/record*.ts'],
    globalSetup: 'test/global-setup.ts',
    testTimeout: 180_000,
    hookTimeout: 120_000,
    sequence: { concurrent: false },
  },
});
