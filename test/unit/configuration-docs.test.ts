import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configurationDocs } from '#tools/configuration-docs.js';

it('docs/configuration.md is what tools/configuration-docs.ts generates', () => {
  const written = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  expect(written, 'run: node tools/bootstrap.mjs configuration-docs').toBe(configurationDocs());
});

it('describes every variable', () => {
  const named = [...configurationDocs().matchAll(/^- `(\w+)`: (?:required|optional|default)/gm)];
  expect(named.map(([, name]) => name)).toEqual(
    expect.arrayContaining(['DATABASE_URL', 'API_KEYS', 'PORT', 'HEALTH_PORT', 'RECONCILE_INTERVAL_MS']),
  );
  expect(named.length).toBeGreaterThan(25);
});
