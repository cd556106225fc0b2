import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Owner } from '#database/schema';
import { findUnknownAmounts, noteAmountAsked } from '#database/reconciliation';
import { refundColumns } from '#database/transitions/refund-records.js';
import type { RefundState } from '#workflows/lifecycle/refund';
import { refund, usd } from '../lifecycle/refund/sample-refunds.js';
import { newId, useEngineDatabase, owner, storePayment } from './engine-database.js';

let paymentId: string;
const engine = useEngineDatabase();
beforeAll(async () => {
  ({ paymentId } = await storePayment(engine.db));
});
afterEach(async () => void (await engine.db.deleteFrom('refunds').execute()));

const minute = 60_000;
const day = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms);

interface Stored {
  readonly kind?: 'refund' | 'reversal';
  readonly minor?: number;
  /** What all of its capture have taken. */
  readonly chargedBack?: number;
  readonly of?: string;
  /** Told of, written, and asked about, so many milliseconds ago. */
  readonly reportedMs?: number;
  readonly writtenMs?: number;
  readonly askedMs?: number;
}

/** A completed one: a chargeback of an hour ago, of which nobody knows how much it took. */
async function store(stored: Stored = {}): Promise<string> {
  const {
    kind = 'reversal',
    minor,
    chargedBack,
    of = 'CAP-1',
    reportedMs = 60 * minute,
    writtenMs = reportedMs,
    askedMs,
  } = stored;
  const collected = { kind: 'capture', id: of } as const;
  const { amount: _none, ...completed } = refund('completed');
  const claim =
    kind === 'reversal'
      ? ({ kind, collected } as const)
      : ({ kind, providerRefundId: newId('REF') } as const);
  const state: RefundState = {
    ...completed,
    claim,
    paymentId,
    collected,
    ...(minor !== undefined && { amount: usd(minor) }),
    ...(chargedBack !== undefined && { chargedBack: usd(chargedBack) }),
  };
  const id = newId('re');
  await engine.db
    .insertInto('refunds')
    .values({
      ...owner,
      id,
      kind,
      status: 'completed',
      state: JSON.stringify(state),
      version: 1,
      ...refundColumns(state),
      created_at: ago(reportedMs),
      updated_at: ago(writtenMs),
      amount_asked_at: askedMs === undefined ? null : ago(askedMs),
    })
    .execute();
  return id;
}

const due = async (of: Owner = owner, limit = 20) => {
  const waits = { firstWaitMs: 2 * minute, longestWaitMs: day, limit };
  return (await findUnknownAmounts(engine.db, of, waits)).map(({ id }) => id);
};

describe('a chargeback that has ended without its amount', () => {
  it('is read once reads have caught up, and not again at once', async () => {
    const id = await store();
    await store({ of: 'CAP-2', reportedMs: minute });
    expect(await due()).toEqual([id]);
    expect(await due({ ...owner, application: 'another' })).toEqual([]);
    await noteAmountAsked(engine.db, id);
    expect(await due()).toEqual([]);
  });

  it.each([
    ['an hour after an hour of waiting', { reportedMs: 121 * minute, askedMs: 61 * minute }, 1],
    ['not before', { reportedMs: 119 * minute, askedMs: 59 * minute }, 0],
    ['after a day, however long it has waited', { reportedMs: 900 * day, askedMs: day + minute }, 1],
    ['not before a day', { reportedMs: 900 * day, askedMs: day - minute }, 0],
    [
      'not because a run wrote that it asked without an answer',
      { reportedMs: 120 * minute, askedMs: 50 * minute, writtenMs: 50 * minute },
      0,
    ],
  ])('is read again: %s', async (_, stored, count) => {
    await store(stored);
    expect(await due()).toHaveLength(count);
  });

  it('is read soon after a refund of the same capture has changed', async () => {
    await store({ reportedMs: 30 * day, askedMs: 5 * minute });
    await store({ kind: 'refund', minor: 40_00, of: 'CAP-2', reportedMs: 3 * minute });
    expect(await due()).toEqual([]);
    await store({ kind: 'refund', minor: 40_00, reportedMs: 20 * day, writtenMs: 3 * minute });
    expect(await due()).toHaveLength(1);
  });

  it('is not read when another one of the same capture shows the amount of both', async () => {
    await store();
    await store({ minor: 60_00 });
    expect(await due()).toEqual([]);
  });

  it('is not read when one of the same capture shows what all have taken', async () => {
    await store();
    await store({ chargedBack: 60_00 });
    expect(await due()).toEqual([]);
  });

  it('waits behind those that were read longer ago', async () => {
    const last = await store({ of: 'CAP-1', reportedMs: 4 * day, askedMs: 2 * day });
    const first = await store({ of: 'CAP-2', reportedMs: 4 * day, askedMs: 3 * day });
    const never = await store({ of: 'CAP-3' });
    expect(await due(owner, 2)).toEqual([never, first]);
    expect(await due()).toEqual([never, first, last]);
  });
});
