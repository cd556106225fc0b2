import { afterEach, expect, it, vi } from 'vitest';
import { openDatabase, poolOf } from '#database/connection/database.js';
import { readTwoClocks } from '#worker/process/two-clocks.js';

afterEach(() => vi.restoreAllMocks());

const now = Date.UTC(2026, 0, 5, 12);

function databaseAt(at: number) {
  const db = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const client = {
    query: async () => ({ command: 'SELECT', rowCount: 1, rows: [{ now: new Date(at) }] }),
    release: () => undefined,
  };
  vi.spyOn(poolOf(db) as unknown as { connect(): Promise<unknown> }, 'connect').mockResolvedValue(client);
  return db;
}

it.each([
  ['the database’s, if this worker’s is a little behind', 1_900, 1_900],
  ['the database’s, if this worker’s is ahead', -1_900, -1_900],
  ['this worker’s, if the database’s is an hour ahead', 3_600_000, 0],
])('reads of several workers are ordered by %s', async (_, aheadMs, orderedAt) => {
  vi.spyOn(Date, 'now').mockReturnValue(now);
  const { inOrder } = await readTwoClocks(databaseAt(now + aheadMs));
  expect(inOrder).toEqual(new Date(now + orderedAt));
});
