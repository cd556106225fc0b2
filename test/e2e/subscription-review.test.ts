import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { acceptCommand, findCommand } from '../../libs/database/src/commands.js';
import type { CommandRow } from '../../libs/database/src/schema.js';
import { Runs } from '../../libs/runs/src/runs.js';
import type { StepDecision } from '../../libs/workflows/src/lifecycle/step/review.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { SubscriptionStage } from './subscription-stage.js';

let engine: Engine;
let stage: SubscriptionStage;
let runs: Runs;
beforeAll(async () => {
  engine = await startEngine({
    patience: { outcomeHorizonMs: 1_500, reviewAfterMs: 1, longestPollMs: 60_000, firstLookMs: 1_000 },
  });
  stage = new SubscriptionStage(engine);
  runs = new Runs(engine.temporal, { taskQueue: engine.taskQueue, deadlineMs: 10_000 });
});
afterEach(() => engine.sandbox.clearFaults());
afterAll(async () => {
  await engine.close();
});

interface Decision {
  readonly decision: StepDecision;
  readonly reason: string;
  readonly resourceId?: string;
  readonly isUnverified?: boolean;
}

/** A decision, committed and handed to the run as every command is. @returns its row once it is final. */
async function decide(subscriptionId: string, decision: Decision): Promise<CommandRow> {
  const id = `cmd_${randomUUID().replaceAll('-', '')}`;
  const owner = { environment: 'sandbox', application: 'shop' };
  await acceptCommand(engine.db, {
    id,
    ...owner,
    idempotencyKey: id,
    bodyHash: '',
    kind: 'decide',
    subjectId: subscriptionId,
    parameters: { ...decision },
    requestedBy: 'operator',
  });
  const event = { type: 'reviewDecided', commandId: id, ...decision } as const;
  expect(await runs.decide({ ...owner, id: subscriptionId }, { id, event })).toBeUndefined();
  const command = await until(
    () => findCommand(engine.db, id),
    (row) => row?.status !== 'accepted' && row?.status !== 'executing',
    'the decision to come to something',
  );
  return command as CommandRow;
}

async function horizonPasses(subscriptionId: string): Promise<void> {
  const { state } = await engine.db
    .selectFrom('subscriptions')
    .select('state')
    .where('id', '=', subscriptionId)
    .executeTakeFirstOrThrow();
  const horizonAt = state.openStep?.horizonAt ?? 0;
  await until(
    () => Promise.resolve(Date.now()),
    (now) => now > horizonAt + 100,
    'the outcome horizon',
  );
}

const yearly = async (): Promise<string> =>
  (
    await stage.plan({
      setupFee: '5.00',
      regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' },
    })
  ).body.id;

const inAWhile = (): string => new Date(Date.now() + 600_000).toISOString();

describe('case 4: a subscription of which nobody knows what became of it', () => {
  it('is brought to life by the agreement that an operator has found, and by no other word', async () => {
    const planId = await yearly();
    const other = await stage.subscribed(planId, { startDate: inAWhile() });
    await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'drop_reply' });
    await engine.sandbox.fault({ operation: 'event.list', kind: 'status', status: 503, times: null });
    const { body } = await stage.order(planId, { startDate: inAWhile() });
    void fetch(await stage.approve(body), { redirect: 'manual' });
    expect((await stage.reaches(body.id, 'needs_review')).reason).toBe(
      'It cannot be proved whether the execution of the agreement happened.',
    );
    await horizonPasses(body.id);
    const undone = {
      decision: 'did_not_happen',
      reason: 'Not in the dashboard.',
      isUnverified: true,
    } as const;
    expect(await decide(body.id, undone)).toMatchObject({
      status: 'refused',
      result: { code: 'cannot_be_verified' },
    });
    const happened = { decision: 'happened', reason: 'Found in the dashboard.' } as const;
    for (const resourceId of [await stage.agreementOf(other.id), 'I-UNKNOWN']) {
      expect(await decide(body.id, { ...happened, resourceId })).toMatchObject({
        status: 'refused',
        result: { code: 'contradicted_by_provider' },
      });
    }
    expect(await decide(body.id, { ...happened, resourceId: await lostAgreement() })).toMatchObject({
      status: 'succeeded',
    });
    await stage.reaches(body.id, 'active');
    expect(await stage.booked(body.id)).toEqual([500]);
    const story = await engine.db
      .selectFrom('timeline')
      .select(['event', 'kind', 'detail'])
      .where('subject_id', '=', body.id)
      .where('event', '=', 'reviewDecided')
      .execute();
    expect(story.at(-1)).toMatchObject({ kind: 'moved', detail: 'happened: Found in the dashboard.' });
  });

  it('stands where it stood once its suspension is decided not to have happened, and is suspended when asked again', async () => {
    const { id } = await stage.subscribed(await yearly(), { startDate: inAWhile() });
    await engine.sandbox.fault({ operation: 'agreement.suspend', kind: 'status', status: 500 });
    await engine.sandbox.fault({ operation: 'agreement.get', kind: 'status', status: 503, times: null });
    const key = randomUUID();
    const asked = stage.post(`/v1/subscriptions/${id}/suspend`, {}, key);
    await stage.reaches(id, 'needs_review');
    await horizonPasses(id);
    const undone = { decision: 'did_not_happen', reason: 'Still active in the dashboard.' } as const;
    expect(await decide(id, undone)).toMatchObject({
      status: 'refused',
      result: { code: 'cannot_be_verified' },
    });
    expect(await decide(id, { ...undone, isUnverified: true })).toMatchObject({ status: 'succeeded' });
    expect(await asked).toMatchObject({ status: 402, body: { code: 'decided_undone' } });
    await engine.sandbox.clearFaults();
    await stage.reaches(id, 'active');
    expect(await stage.post(`/v1/subscriptions/${id}/suspend`, {})).toMatchObject({
      status: 200,
      body: { state: 'suspended' },
    });
  });
});

/** The one agreement that the provider has and that no subscription knows yet, as its dashboard would show it. */
async function lostAgreement(): Promise<string> {
  const delivered = await engine.db
    .selectFrom('webhook_events')
    .select('resource_ids')
    .where('event_type', '=', 'BILLING.SUBSCRIPTION.CREATED')
    .execute();
  const known = await engine.db.selectFrom('subscriptions').select('state').execute();
  const ours = new Set(known.map(({ state }) => state.agreementId));
  const lost = delivered.flatMap((event) => event.resource_ids).find((id) => !ours.has(id));
  return lost ?? '';
}
