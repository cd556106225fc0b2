import { afterEach, expect, it } from 'vitest';
import { findAttempts } from '#database/transitions';
import { advance } from '#workflows/lifecycle';
import { payoutLifecycle } from '#workflows/lifecycle/payout';
import { error, wirePayoutBatch } from '../client/answers.js';
import { hangUp, json, type ScriptedProvider, startScriptedProvider } from '../client/scripted-provider.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { forAllTests, forEachTest } from '../helpers/shared.js';
import { carryOn, type Hired, PayoutStage, retire } from './payout-stage.js';

const stage = forAllTests(() => PayoutStage.open());
const provider = forEachTest(startScriptedProvider);
let worker: Hired | undefined;
afterEach(async () => {
  if (worker) await retire(worker);
});

type Behaviours = Parameters<ScriptedProvider['script']>;

const details = [{ field: 'SENDER_BATCH_ID', issue: 'Duplicate batch request' }];
const links = [{ href: 'https://api.example/v1/payments/payouts/BATCH-1', rel: 'self', method: 'GET' }];
const duplicate = (more = {}) => json(400, error('USER_BUSINESS_ERROR', { details, ...more }));
const batch = (status: number, sender_batch_id: string) =>
  json(status, {
    ...wirePayoutBatch,
    batch_header: { ...wirePayoutBatch.batch_header, sender_batch_header: { sender_batch_id } },
  });

/** What the first call for a payout shows, as it is known after a restore: without its earlier attempts. */
it.each<[what: string, Behaviours, type: string]>([
  ['doubted when it is refused as a duplicate of a batch that is not named', [duplicate()], 'outcomeUnknown'],
  [
    'doubted when the named batch is of another order',
    [duplicate({ links }), batch(200, 'po_other')],
    'outcomeUnknown',
  ],
  [
    'doubted when the named batch cannot be read',
    [duplicate({ links }), json(404, error('INVALID_RESOURCE_ID'))],
    'outcomeUnknown',
  ],
  ['doubted when the answer is about a batch of another order', [batch(201, 'po_other')], 'outcomeUnknown'],
  [
    'declined when it is refused for another reason',
    [json(400, error('USER_BUSINESS_ERROR'))],
    'stepDeclined',
  ],
])('a payout is %s', async (_what, behaviours, type) => {
  provider.script(...behaviours);
  worker = stage.hire(provider.url);
  const { event } = await outcomeOf(worker.activities.createPayout(await stage.ordered('r0@example.com')));
  expect(event.type).toBe(type);
});

it('a payout is made when the named batch has its reference', async () => {
  const input = await stage.ordered('r0@example.com');
  provider.script(duplicate({ links }), batch(200, input.identity.payoutId));
  worker = stage.hire(provider.url);
  const { event } = await outcomeOf(worker.activities.createPayout(input));
  expect(event).toEqual({ type: 'payoutCreated', providerBatchId: 'BATCH-1' });
});

it('a payout whose repeats are refused is doubted until the horizon of the lost call, however often they are', async () => {
  const input = await stage.ordered('r0@example.com');
  provider.script(hangUp, json(422, error('UNPROCESSABLE_ENTITY')));
  worker = stage.hire(provider.url);
  const repeated = await carryOn(worker, await carryOn(worker, input));
  const { event } = await outcomeOf(worker.activities.createPayout(repeated));
  const [lost] = await findAttempts(stage.db, input.identity.payoutId, 'create');
  const horizonAt = Number(lost?.send_by) + input.state.order.patience.outcomeHorizonMs;
  expect(event).toMatchObject({ type: 'outcomeUnknown', horizonAt, refusal: 'UNPROCESSABLE_ENTITY' });
});

it('a payout in doubt is not decided as made by a batch of another order', async () => {
  const input = await stage.ordered('r0@example.com');
  provider.script(hangUp, json(422, error('UNPROCESSABLE_ENTITY')), batch(200, 'po_other'));
  worker = stage.hire(provider.url);
  const doubted = await outcomeOf(worker.activities.createPayout(input));
  const { position } = advance(payoutLifecycle, input, doubted.event, doubted.at);
  const decided = {
    commandId: 'cmd_1',
    decision: 'happened',
    reason: 'Seen.',
    resourceId: 'BATCH-1',
  } as const;
  const decision = worker.activities.verifyPayoutDecision({ ...input, ...position }, decided);
  expect((await outcomeOf(decision)).event).toMatchObject({ type: 'decisionRefused' });
});

it('a batch that the provider shows under another reference is a conflict', async () => {
  const input = await stage.ordered('r0@example.com');
  provider.script(batch(201, input.identity.payoutId), batch(200, 'po_other'));
  worker = stage.hire(provider.url);
  const made = await outcomeOf(worker.activities.createPayout(input));
  const { position } = advance(payoutLifecycle, input, made.event, made.at);
  const shown = await outcomeOf(worker.activities.observePayout({ ...input, ...position }, 'open'));
  const { entry } = advance(payoutLifecycle, position, shown.event, shown.at);
  expect(entry?.kind).toBe('conflict');
});
