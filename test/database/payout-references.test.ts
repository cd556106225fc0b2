import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { Database } from '#database/connection';
import { up } from '#database/connection/migrations/0014-payout-references.js';
import { acceptPayout } from '#database/subjects';
import type { AttemptOutcome } from '#database/schema';
import { type PayoutStatus, orderedPayout } from '#workflows/lifecycle/payout';
import { order } from '../lifecycle/payout/sample-payouts.js';
import { atOnce, newId, useEngineDatabase, owner } from './engine-database.js';

let db: Database;
const engine = useEngineDatabase();
beforeAll(() => {
  db = engine.db;
});

interface Asked {
  readonly idempotencyKey?: string;
  readonly application?: string;
}

async function payOut(
  reference: string,
  { idempotencyKey = newId('key'), application = 'shop' }: Asked = {},
) {
  const payoutId = newId('po');
  const command = {
    ...owner,
    application,
    id: `${payoutId}:order`,
    idempotencyKey,
    bodyHash: reference,
    kind: 'create' as const,
    subjectId: payoutId,
    parameters: {},
    requestedBy: 'test',
  };
  const item = {
    itemId: 'i-1',
    receiverType: 'EMAIL',
    receiverMasked: 'a…@e…',
    minor: 100,
    currency: 'USD',
  } as const;
  const payout = {
    reference,
    state: orderedPayout({ ...order, payoutId, items: 1 }),
    sealedLetters: Buffer.from('sealed'),
    items: [item],
  };
  return await acceptPayout(db, command, payout, ({ id }) => ({ reason: id }));
}

type Answer = Awaited<ReturnType<typeof payOut>>;
const accepted = ({ status, subject_id: id }: Answer) => (status === 'refused' ? undefined : id);
const bearer = ({ status, result }: Answer) => (status === 'refused' ? result?.reason : undefined);

async function ends(
  id: string,
  status: PayoutStatus,
  outcomes: readonly (AttemptOutcome | null)[],
): Promise<void> {
  await db.updateTable('payouts').set({ status }).where('id', '=', id).execute();
  for (const [attempt_number, outcome] of outcomes.entries())
    await db
      .insertInto('attempts')
      .values({
        subject_id: id,
        step_name: 'createPayout',
        attempt_number,
        step: JSON.stringify({ type: 'createPayout' }),
        request_id: id,
        reference: id,
        begun_at: new Date(),
        send_by: new Date(),
        outcome,
        event: null,
        settled_at: null,
      })
      .execute();
}

const stored = async (reference: string) =>
  await db.selectFrom('payouts').select('id').where('reference', '=', reference).execute();

describe('case 28: the reference of a payout', () => {
  it('names one payout when twenty are ordered at once under their own keys', async () => {
    const reference = newId('shares');
    const answers = await atOnce(20, () => payOut(reference));
    const [id, ...others] = answers.flatMap((answer) => accepted(answer) ?? []);
    expect(others).toEqual([]);
    expect(new Set(answers.flatMap((answer) => bearer(answer) ?? []))).toEqual(new Set([id]));
    expect(await stored(reference)).toEqual([{ id }]);
  });

  it('names one payout when the same request comes twenty times at once under one key', async () => {
    const [reference, idempotencyKey] = [newId('shares'), newId('key')];
    const answers = await atOnce(20, () => payOut(reference, { idempotencyKey }));
    expect(new Set(answers.map((answer) => accepted(answer))).size).toBe(1);
    expect(await stored(reference)).toHaveLength(1);
  });

  it('names another payout in another application', async () => {
    const reference = newId('shares');
    await payOut(reference);
    expect(accepted(await payOut(reference, { application: 'bookshop' }))).toBeDefined();
  });

  it('names another payout once, after it is proved that no batch was made', async () => {
    const reference = newId('shares');
    const first = accepted(await payOut(reference)) ?? '';
    await ends(first, 'declined', ['deferred', 'declined']);
    const answers = await atOnce(20, () => payOut(reference));
    const [second, ...others] = answers.flatMap((answer) => accepted(answer) ?? []);
    expect(others).toEqual([]);
    expect(second).not.toBe(first);
    expect(new Set(answers.flatMap((answer) => bearer(answer) ?? []))).toEqual(new Set([second]));
  });

  it.each<[PayoutStatus, readonly (AttemptOutcome | null)[]]>([
    // On an operator's word, when the provider could not be asked any more.
    ['declined', ['undone']],
    ['declined', ['unknown', 'declined']],
    ['declined', [null, 'declined']],
    ['needs_review', ['unknown']],
    ['processing', ['answered']],
    ['denied', ['answered']],
    ['cancelled', ['answered']],
    ['completed', ['answered']],
  ])('stays with a payout that is %s after %j', async (status, outcomes) => {
    const reference = newId('shares');
    const id = accepted(await payOut(reference)) ?? '';
    await ends(id, status, outcomes);
    expect(bearer(await payOut(reference))).toBe(id);
  });

  it('stays with the first of two payouts that are older than the unique index, and breaks no migration', async () => {
    await sql`drop index payouts_by_reference`.execute(db);
    await sql`alter table payouts drop column reference_freed`.execute(db);
    const references = [newId('shares'), newId('shares'), newId('shares')] as const;
    const insert = async (id: string, reference: string | null, status: PayoutStatus) =>
      await sql`insert into payouts (id, environment, application, reference, status, state, version)
        values (${id}, 'sandbox', 'shop', ${reference}, ${status}, '{}', 1)`.execute(db);
    await insert('po_1', references[0], 'completed');
    await insert('po_2', references[0], 'completed');
    await insert('po_3', references[1], 'declined');
    await insert('po_4', references[1], 'completed');
    await insert('po_5', references[2], 'completed');
    await insert('po_6', null, 'completed');
    await insert('po_7', null, 'completed');
    await db.transaction().execute(async (trx) => await up(trx as never));
    for (const [at, id] of ['po_1', 'po_4', 'po_5'].entries())
      expect(bearer(await payOut(references[at] ?? ''))).toBe(id);
  });
});
