import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentWorkflowId } from '#workflows/contract';
import { type Engine, startEngine } from '../helpers/engine.js';
import { terminateRun } from '../helpers/terminate-run.js';
import { until } from '../helpers/until.js';
import { elsewhere, executeElsewhere } from './elsewhere.js';
import { authorizedPayment, paymentRow, providerIdOf, timelineOf } from './payment-rows.js';

let engine: Engine;
beforeAll(async () => {
  // No poll comes within these tests: what the engine learns, it learns by reconciliation.
  engine = await startEngine({
    patience: { firstPollMs: 900_000, longestPollMs: 900_000 },
    reconciles: 'often',
  });
  await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
});
afterAll(async () => {
  await engine.close();
});

const owner = { environment: 'sandbox', application: 'shop' };

/** An order that its payer approves at the provider, and of which nobody tells the engine. */
async function silentlyApproved(order: Record<string, unknown> = {}): Promise<string> {
  const { body } = await engine.orders.order(order);
  await engine.sandbox.approve(await providerIdOf(engine, body.id));
  return body.id;
}

const authorized = () => authorizedPayment(engine);

async function terminate(paymentId: string): Promise<void> {
  await terminateRun(engine.temporal, paymentWorkflowId({ ...owner, paymentId }));
}

const driftOf = async (paymentId: string) =>
  (await engine.orders.read<{ drift: Drift[] }>(`/v1/payments/${paymentId}`)).drift;

interface Drift {
  readonly field: string;
  readonly ours: string;
  readonly theirs: string;
  readonly resolvedAt: string | null;
}

describe('case 12: no webhook and no payer’s return', () => {
  it('ends every payment by events that are searched for', async () => {
    const [automatic, manual] = await Promise.all([
      silentlyApproved({ capturePolicy: { mode: 'automatic' } }),
      silentlyApproved(),
    ]);
    await engine.orders.reaches(automatic, 'captured');
    await engine.orders.reaches(manual, 'authorized');
    await engine.sandbox.fault({
      operation: 'authorization.capture',
      kind: 'pending',
      settlesAs: 'completed',
      afterMs: 8_000,
    });
    const { body } = await engine.orders.capture(manual);
    expect(body.capture.state).toBe('pending');
    await engine.orders.reaches(manual, 'captured');
    expect(await engine.sandbox.booksOf(manual)).toEqual(['hold 10000', 'capture 10000']);
    const sources = await engine.db
      .selectFrom('webhook_events')
      .select('source')
      .where('subject_id', '=', manual)
      .execute();
    expect(new Set(sources.map(({ source }) => source))).toEqual(new Set(['reconciliation']));
  });
});

describe('a provider that was down', () => {
  it('is searched from where the search stopped', async () => {
    await engine.sandbox.fault({ operation: 'event.list', kind: 'status', status: 503, times: 12 });
    const ids = await Promise.all([silentlyApproved(), silentlyApproved(), silentlyApproved()]);
    for (const id of ids) await engine.orders.reaches(id, 'authorized');
  });

  it('shows payments of other systems, which cost no row', async () => {
    const notOurs = await elsewhere(engine, ({ payments }) =>
      payments.create(
        {
          intent: 'authorize',
          returnUrl: 'https://other.example/return',
          cancelUrl: 'https://other.example/cancel',
          transactions: [{ amount: { value: '1.00', currency: 'USD' } }],
        },
        { requestId: randomUUID() },
      ),
    );
    const { createTime = '' } = await executeElsewhere(engine, notOurs.id);
    await until(
      () => engine.orders.read<{ eventsUntil: string }>('/v1/reconciliation'),
      ({ eventsUntil }) => Date.parse(eventsUntil) > Date.parse(createTime) + 1_000,
      'the search to have passed the payment that is not ours',
    );
    const rows = await engine.db
      .selectFrom('webhook_events')
      .select('event_id')
      .where(sql<boolean>`${notOurs.id} = any(resource_ids)`)
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('a run that was terminated', () => {
  it('continues in another run and captures once when its capture was under way', async () => {
    const { id } = await authorized();
    await engine.sandbox.fault({
      operation: 'authorization.capture',
      kind: 'late',
      executeAfterMs: 2_000,
      delayMs: 30_000,
    });
    const capture = engine.orders.capture(id);
    await until(
      () => engine.sandbox.calls('inflight=true'),
      (calls) => calls.some(({ operation }) => operation === 'authorization.capture'),
      'the capture to be in flight',
    );
    await terminate(id);
    await engine.orders.reaches(id, 'captured');
    expect((await capture).status).toBeLessThan(300);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
    expect(await timelineOf(engine, id)).toContain('runRestarted');
  });

  it('accepts requests during that time', async () => {
    const { id } = await authorized();
    await terminate(id);
    const { status } = await engine.orders.capture(id, { amount: { value: '40.00', currency: 'USD' } });
    expect([201, 202]).toContain(status);
    await engine.orders.reaches(id, 'partially_captured');
    await engine.orders.void(id);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000', 'release 6000']);
  });
});

describe('differences between our records and others', () => {
  it('are reported until they are resolved, and nothing else corrects them', async () => {
    const { body } = await engine.orders.order({ approvalTimeoutSeconds: 1 });
    await engine.orders.reaches(body.id, 'expired');
    const { transactions } = await executeElsewhere(engine, await providerIdOf(engine, body.id));
    const drift = await until(
      () => driftOf(body.id),
      (seen) => seen.length > 0,
      'the hold that nobody minds to be reported',
    );
    expect(drift).toMatchObject([{ field: 'hold', ours: 'expired', theirs: 'authorized', resolvedAt: null }]);
    const listed = await engine.orders.read<{ data: { subjectId: string }[] }>('/v1/drift?resolved=false');
    expect(listed.data.map(({ subjectId }) => subjectId)).toContain(body.id);
    expect((await engine.orders.get(body.id)).state).toBe('expired');

    await elsewhere(engine, ({ authorizations }) =>
      authorizations.void(transactions[0]?.authorizationId ?? '', { requestId: randomUUID() }),
    );
    await until(
      () => driftOf(body.id),
      ([seen]) => seen?.resolvedAt !== null,
      'the drift to be resolved',
    );
  });

  it('include an open payment whose run has ended', async () => {
    const { id } = await authorized();
    const before = await paymentRow(engine, id);
    await engine.orders.capture(id);
    // As after the restoration of an old backup.
    await engine.db
      .updateTable('payments')
      .set({ state: JSON.stringify(before.state), status: before.status, version: before.version })
      .where('id', '=', id)
      .execute();
    const drift = await until(
      () => driftOf(id),
      (seen) => seen.some(({ field }) => field === 'run'),
      'the run to be reported',
    );
    expect(drift).toContainEqual(
      expect.objectContaining({ field: 'run', ours: 'authorized', theirs: 'completed' }),
    );
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('are counted with the runs that were restarted', async () => {
    const answer = await engine.orders.read<Record<string, number>>('/v1/reconciliation');
    expect(answer['openDrift']).toBeGreaterThan(0);
    expect(answer['eventsFound']).toBeGreaterThan(3);
    expect(answer['runsRestarted']).toBeGreaterThanOrEqual(2);
  });
});

// The last one: what it does to the provider lasts.
describe('a run that was lost before its payment was created', () => {
  it('is declined instead of created without its payee, which was lost with the run', async () => {
    await engine.sandbox.fault({ operation: 'payment.create', kind: 'status', status: 503, times: 60 });
    const ordered = engine.orders.order({ payee: { email: 'payee@shop.example' } });
    const { id } = await until(
      () => engine.db.selectFrom('payments').select('id').where('status', '=', 'creating').executeTakeFirst(),
      (payment) => payment !== undefined,
      'the payment to be on its way',
    ).then((payment) => payment ?? { id: '' });
    await terminate(id);
    await ordered;
    const { reason } = await engine.orders.reaches(id, 'declined');
    expect(reason).toContain('payee');
    expect(await engine.sandbox.booksOf(id)).toEqual([]);
  });
});
