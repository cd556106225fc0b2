import { expect, test } from 'vitest';
import { Changes } from '#api/commands/changes.js';
import type { NextChangeQuery } from '#api/wire/fields.js';
import { ChangeListener } from '#database/connection';

/** How often the row is read; nothing listens at the address, and nobody needs to. */
async function readsFor(query: NextChangeQuery, isAtRest = false): Promise<number> {
  let reads = 0;
  const changes = new Changes(new ChangeListener('postgres://127.0.0.1:9/none'));
  await changes.next(query, {
    look: async () => ({ id: 'pay_1', version: (reads += 1) }),
    versionOf: ({ version }) => version,
    isAtRest: () => isAtRest,
    signal: new AbortController().signal,
  });
  return reads;
}

test('what is answered at once is read once, what is waited for until it has changed', async () => {
  expect(await readsFor({})).toBe(1);
  expect(await readsFor({ wait: 0 })).toBe(1);
  expect(await readsFor({ wait: 60, since: 0 })).toBe(1);
  expect(await readsFor({ wait: 60 }, true)).toBe(1);
  expect(await readsFor({ wait: 60 })).toBe(2);
  expect(await readsFor({ wait: 60, since: 2 })).toBe(3);
});
