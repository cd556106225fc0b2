import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readClock } from '#database/commands';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { payout } from '../lifecycle/payout/sample-payouts.js';
import { ApiFixture, authorizedState, useTemporal, signalsOf } from './api-fixture.js';
import { usd } from '../helpers/usd.js';

const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 3_000 }));
/** For checks that are answered as done: the row is written in time, however slow the machine is. */
const patient = forAllTests(() =>
  ApiFixture.start({ databaseUrl: api.databaseUrl, answerWithinMs: 300_000 }),
);
const temporal = useTemporal();

const running = {
  number: 3,
  step: { type: 'captureAuthorization', commandId: 'c', minor: 60_00, final: true },
  phase: 'running',
  attempts: 0,
  looks: 0,
  since: 0,
  horizonAt: 0,
  nextAt: 0,
} as const;
const capturing = (phase: 'running' | 'doubt'): Partial<PaymentState> => ({
  ...authorizedState(),
  status: 'capturing',
  openStep: { ...running, phase },
});

const check = (id: string, at = api) => at.call('POST', `/v1/payments/${id}/check`, { body: {} });

const checkAt = (id: string, ifMatch: string) =>
  api.call('POST', `/v1/payments/${id}/check`, { headers: { 'if-match': ifMatch } });

async function isReported(id: string): Promise<void> {
  await until(
    () => signalsOf(temporal, id),
    (reported) => reported.some((each) => each.startsWith('providerNotified check:')),
    'the check to be signalled to the run',
  );
}

// No worker polls here: the rows are written as a worker writes them.
describe('a check is not answered as done', () => {
  it('when the row was written for another reason than a read, such as before the read', async () => {
    const id = await api.paymentWith(authorizedState());
    const checked = check(id);
    await isReported(id);
    await api.moveTo(id, authorizedState());
    expect(await checked).toMatchObject({ status: 202 });
  });

  it('by a read that began before the request, but by the next one', async () => {
    const id = await api.paymentWith(authorizedState());
    const began = await readClock(api.db);
    const checks = [check(id), check(id)] as const;
    await isReported(id);
    await api.moveTo(id, authorizedState(), began);
    expect(await checks[0]).toMatchObject({ status: 202 });
    expect(await checks[1]).toMatchObject({ status: 202 });

    const again = check(id, patient);
    await until(
      () => signalsOf(temporal, id),
      ({ length }) => length === 3,
      'the run to be signalled again',
    );
    await api.moveTo(id, { ...authorizedState(), status: 'voided' }, await readClock(api.db));
    expect(await again).toMatchObject({ status: 200, body: { state: 'voided' } });
  });

  it('by a call under way whose answer is lost: the run is signalled to look', async () => {
    const id = await api.paymentWith(capturing('running'));
    const checked = check(id, patient);
    await api.moveTo(id, capturing('doubt'));
    await isReported(id);
    await api.moveTo(id, { ...authorizedState(), status: 'captured' }, await readClock(api.db));
    expect(await checked).toMatchObject({ status: 200, body: { state: 'captured' } });
  });

  it('by a call that began after the request, and whose answer is lost: it has shown nothing', async () => {
    const id = await api.paymentWith(authorizedState());
    const checked = check(id);
    await isReported(id);
    await api.moveTo(id, capturing('running'));
    await api.moveTo(id, capturing('doubt'), await readClock(api.db));
    expect(await checked).toMatchObject({ status: 202, body: { state: 'capturing' } });
  });

  it('while the pages of a payout are read for longer than the caller waits', async () => {
    const items = [
      { itemId: 'anna', receiver: { type: 'EMAIL', value: 'anna@example.com' }, amount: usd('7.50') },
    ];
    const { body } = await api.call('POST', '/v1/payouts', { body: { items }, idempotencyKey: randomUUID() });
    const id = String(body['id']);
    const state = JSON.stringify({ ...payout('settling'), payoutId: id });
    await api.db.updateTable('payouts').set({ status: 'settling', state }).where('id', '=', id).execute();
    const answer = await api.call('POST', `/v1/payouts/${id}/check`, { body: {} });
    expect(answer).toMatchObject({ status: 202, body: { id, state: 'settling' } });
    expect(answer.headers.get('retry-after')).not.toBeNull();
  });
});

it('a check is answered as done by the answer to the call that is under way', async () => {
  const id = await api.paymentWith(capturing('running'));
  const checked = check(id, patient);
  await api.moveTo(id, { ...authorizedState(), status: 'captured' });
  expect(await checked).toMatchObject({ status: 200, body: { state: 'captured' } });
  expect(await signalsOf(temporal, id)).toEqual([]);
});

describe('a check that names a version', () => {
  it('asks the run to read only while the payment has it', async () => {
    const id = await api.paymentWith(authorizedState());
    const { headers, body } = await api.call('GET', `/v1/payments/${id}`);
    expect((await checkAt(id, '"99"')).body).toMatchObject({ status: 412, currentVersion: body['version'] });
    expect((await checkAt(id, '7')).status).toBe(400);
    expect(await signalsOf(temporal, id)).toEqual([]);
    expect((await checkAt(id, headers.get('etag') ?? '')).status).toBe(202);
    expect(await signalsOf(temporal, id)).toHaveLength(1);
  });

  it('is answered at once by a payment that has ended', async () => {
    const id = await api.paymentWith({ ...authorizedState(), status: 'captured' });
    const { headers } = await api.call('GET', `/v1/payments/${id}`);
    expect((await checkAt(id, headers.get('etag') ?? '')).status).toBe(200);
  });
});
