import { afterEach, expect, test, vi } from 'vitest';
import { ChangeWaits } from '#api/commands/wait-for-change.js';
import type { NextChangeQuery } from '#api/wire/fields.js';
import { ChangeListener } from '#database/connection';

afterEach(() => vi.restoreAllMocks());

/** How often the row is read; nothing listens at the address, and nobody needs to. */
async function readsFor(query: NextChangeQuery, isAtRest = false): Promise<number> {
  let reads = 0;
  const changes = new ChangeWaits(new ChangeListener('postgres://127.0.0.1:9/none'));
  await changes.next(query, {
    read: async () => ({ id: 'pay_1', version: (reads += 1) }),
    versionOf: ({ version }) => version,
    isAtRest: () => isAtRest,
    signal: new AbortController().signal,
  });
  return reads;
}

test('an answer that is final is read once; one that is waited for is read until it has changed', async () => {
  expect(await readsFor({})).toBe(1);
  expect(await readsFor({ wait: 0 })).toBe(1);
  expect(await readsFor({ wait: 60, since: 0 })).toBe(1);
  expect(await readsFor({ wait: 60 }, true)).toBe(1);
  expect(await readsFor({ wait: 60 })).toBe(2);
  expect(await readsFor({ wait: 60, since: 2 })).toBe(3);
});

test('a wait is over in time although the clock of the machine is set back meanwhile', async () => {
  const { now } = Date;
  let reads = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => now() - (reads === 0 ? 0 : 3_600_000));
  const changes = new ChangeWaits(new ChangeListener('postgres://127.0.0.1:9/none'));
  const read = async () => (reads += 1);
  // A timer may end a moment early, and then the rows are read once more.
  expect(await changes.until('pay_1', 300, { read, satisfies: (seen) => seen > 5 })).toBeLessThan(5);
});
