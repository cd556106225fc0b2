import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { runningStep } from '#workflows/lifecycle/step/open-step.js';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState, openTemporal, runIdOf } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

/** A payment whose capture is before a person, and whose run no worker minds. */
async function underReview(): Promise<string> {
  const step = { type: 'captureAuthorization', commandId: 'cmd_1', minor: 10_000, final: true } as const;
  const openStep = { ...runningStep(2, step, Date.now()), phase: 'doubt' as const };
  return await api.paymentWith({ ...authorizedState(), status: 'needs_review', openStep });
}

const decision = { decision: 'did_not_happen', reason: 'Not in the dashboard.' };

async function decide(id: string, idempotencyKey: string, body: unknown = decision, apiKey?: string) {
  const path = `/v1/payments/${id}/review/decision`;
  return await api.call('POST', path, { body, idempotencyKey, ...(apiKey !== undefined && { apiKey }) });
}

async function decisionsOf(id: string) {
  return await api.db
    .selectFrom('commands')
    .selectAll()
    .where('subject_id', '=', id)
    .where('kind', '=', 'decide')
    .execute();
}

describe('a decision about a payment under review', () => {
  test('is answered 503 when no worker takes it, stays accepted under its key, and continues when it is repeated', async () => {
    const id = await underReview();
    const key = randomUUID();
    const refused = await decide(id, key);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    // Handed over again, it is about the step that was under review, whatever is by then.
    const accepted = { status: 'accepted', requested_by: 'api-key:shop', parameters: { step: 2 } };
    expect(await decisionsOf(id)).toMatchObject([accepted]);
    await api.db
      .updateTable('commands')
      .set({ status: 'succeeded' })
      .where('idempotency_key', '=', key)
      .execute();
    expect(await decide(id, key)).toMatchObject({ status: 200, body: { state: 'succeeded' } });
    expect(await decisionsOf(id)).toHaveLength(1);
  });

  test('is answered 503 when the run is lost and the payment has not ended, and is refused when it has', async () => {
    const id = await underReview();
    const key = randomUUID();
    const temporal = await openTemporal();
    await temporal.workflow.getHandle(runIdOf(id)).terminate();
    await temporal.connection.close();
    expect((await decide(id, key)).status).toBe(503);
    expect(await decisionsOf(id)).toMatchObject([{ status: 'accepted' }]);
    await api.moveTo(id, { status: 'captured' });
    expect((await decide(id, key)).status).toBe(409);
    expect(await decisionsOf(id)).toMatchObject([{ status: 'refused' }]);
  });

  test.each([
    ['no reason', { decision: 'happened' }, '/reason'],
    ['an unknown decision', { ...decision, decision: 'refund' }, '/decision'],
    ['an id that is none', { ...decision, evidence: { resourceId: '../admin' } }, '/evidence/resourceId'],
  ])('with %s is refused with the name of the field, and leaves no command', async (_case, body, pointer) => {
    const id = await underReview();
    const answer = await decide(id, randomUUID(), body);
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toMatchObject([{ pointer }]);
    expect(await decisionsOf(id)).toEqual([]);
  });

  test('of a kind that the question does not allow is 409, and stays refused', async () => {
    const id = await underReview();
    const answer = await decide(id, randomUUID(), { ...decision, decision: 'keep' });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'not_allowed_in_state', currentState: 'needs_review' });
    expect(await decisionsOf(id)).toMatchObject([{ status: 'refused' }]);
  });

  test('is accepted only from the payment’s own application, and others learn nothing', async () => {
    const id = await underReview();
    expect((await decide(id, randomUUID(), decision, ApiFixture.bookshopKey)).status).toBe(404);
    const read = await api.call('GET', `/v1/payments/${id}/review`, { apiKey: ApiFixture.bookshopKey });
    expect(read.status).toBe(404);
  });
});
