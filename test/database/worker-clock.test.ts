import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#database/connection';
import { assertClock } from '#database/commands';
import { createDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';

let db: Database;
const created = forAllTests(createDatabase);
beforeAll(() => {
  db = openDatabase(created.url);
});
afterAll(async () => {
  await db.destroy();
});

describe('the clock of a worker', () => {
  it('is accepted when it agrees with the database’s, however slowly that answers', async () => {
    await expect(assertClock(db)).resolves.toBeUndefined();
    let asked = 0;
    const slow = () => Date.now() + (asked++ === 0 ? -60_000 : 60_000);
    await expect(assertClock(db, slow)).resolves.toBeUndefined();
  });

  it.each([
    ['ahead', 7_200_000],
    ['behind', -7_200_000],
  ])('stops it from working when it is two hours %s', async (_where, shiftMs) => {
    await expect(assertClock(db, () => Date.now() + shiftMs)).rejects.toMatchObject({
      name: 'ClockOffError',
    });
  });
});
