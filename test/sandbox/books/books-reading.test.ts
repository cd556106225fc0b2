import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture, type Movement } from '../sandbox-fixture.js';

const LANES = 12;
const SALES_PER_LANE = 40;

describe('a reader of the books', () => {
  const sandbox = forAllTests(() => SandboxFixture.start({ databasePoolSize: 16 }));
  beforeAll(async () => {
    await sandbox.configure({ approval: 'immediate' });
  });

  const readAfter = async (after: number): Promise<Movement[]> =>
    (await sandbox.request('GET', `/admin/books/movements?after=${after}`)).body.movements;

  /** Reads on until the writers have ended and nothing comes any more. */
  async function follow(hasEnded: () => boolean): Promise<number[]> {
    const seen: number[] = [];
    for (;;) {
      const isLast = hasEnded();
      const movements = await readAfter(seen.at(-1) ?? 0);
      seen.push(...movements.map(({ id }) => id));
      if (isLast && movements.length === 0) return seen;
    }
  }

  async function sell(): Promise<void> {
    for (let count = 0; count < SALES_PER_LANE; count += 1) {
      expect((await sandbox.createPayment({ intent: 'sale' })).status).toBe(201);
    }
  }

  it('misses no movement that is booked meanwhile', async () => {
    let haveEnded = false;
    const reading = follow(() => haveEnded);
    await Promise.all(Array.from({ length: LANES }, sell));
    haveEnded = true;
    const booked = await sandbox.sql('SELECT id FROM book_entries ORDER BY id');
    expect(booked).toHaveLength(LANES * SALES_PER_LANE);
    expect(await reading).toEqual(booked.map(({ id }) => Number(id)));
  });

  it('waits for a movement that was begun before the last one', async () => {
    const [before] = await sandbox.sql('SELECT coalesce(max(id), 0) AS last FROM book_entries');
    const writer = new Client({ connectionString: sandbox.database.url });
    await writer.connect();
    try {
      await writer.query('BEGIN');
      await writer.query(`INSERT INTO book_entries (kind, client_id, amount_minor, currency, created_at)
        VALUES ('sale', 'slow', 1, 'USD', now())`);
      const { body: payment } = await sandbox.createPayment({ intent: 'sale' });
      const reading = readAfter(Number(before?.last));
      await eventually(() =>
        sandbox.sql("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'book_entries'::regclass"),
      ).toHaveLength(1);
      await writer.query('COMMIT');
      expect(await reading).toMatchObject([{ clientId: 'slow' }, { paymentId: payment.id }]);
    } finally {
      await writer.end();
    }
  });
});
