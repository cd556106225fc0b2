import { describe, expect, it } from 'vitest';
import { listDriftOf, recordComparison } from '#database/reconciliation';
import { paymentSubject } from '#workflows/contract';
import { useEngineDatabase, storeAuthorizedPayment } from './engine-database.js';

const database = useEngineDatabase();

const hold = { field: 'hold', ours: 'authorized', theirs: 'voided' };

describe('a difference', () => {
  it('is one row while it lasts, is resolved when it is gone, and is another row when it returns', async () => {
    const identity = await storeAuthorizedPayment(database.db);
    const compare = async (...differences: (typeof hold)[]) =>
      await recordComparison(database.db, {
        subject: paymentSubject(identity),
        comparedWith: 'provider',
        version: 3,
        differences,
      });
    expect(await compare(hold)).toEqual(['hold']);
    expect(await compare({ ...hold, theirs: 'expired' })).toEqual([]);
    expect(await compare()).toEqual([]);
    expect(await compare(hold)).toEqual(['hold']);
    const [first, second] = await listDriftOf(database.db, identity.paymentId);
    expect(first).toMatchObject({ theirs: 'expired', resolved_at: expect.any(Date) });
    expect(second).toMatchObject({ theirs: 'voided', resolved_at: null });
  });

  it('is not recorded from a comparison with an older version of the payment', async () => {
    const identity = await storeAuthorizedPayment(database.db);
    const stale = {
      subject: paymentSubject(identity),
      comparedWith: 'provider',
      version: 2,
      differences: [hold],
    } as const;
    expect(await recordComparison(database.db, stale)).toEqual([]);
    expect(await listDriftOf(database.db, identity.paymentId)).toEqual([]);
  });

  it('of the run changes nothing of the provider’s, and the other way round', async () => {
    const identity = await storeAuthorizedPayment(database.db);
    const run = { field: 'run', ours: 'authorized', theirs: 'completed' };
    await recordComparison(database.db, {
      subject: paymentSubject(identity),
      comparedWith: 'run',
      version: 3,
      differences: [run],
    });
    await recordComparison(database.db, {
      subject: paymentSubject(identity),
      comparedWith: 'provider',
      version: 3,
      differences: [hold],
    });
    await recordComparison(database.db, {
      subject: paymentSubject(identity),
      comparedWith: 'run',
      version: 3,
      differences: [run],
    });
    const open = (await listDriftOf(database.db, identity.paymentId)).filter(
      (row) => row.resolved_at === null,
    );
    expect(open.map(({ field }) => field)).toEqual(['run', 'hold']);
  });
});
