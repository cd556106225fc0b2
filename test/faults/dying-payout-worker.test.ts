import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { findSealedLetters } from '#database/subjects';
import { findAttempts } from '#database/transitions';
import { advance } from '#workflows/lifecycle';
import { payoutLifecycle } from '#workflows/lifecycle/payout';
import { outcomeOf } from '../helpers/outcome-of.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { PayoutStage, carryOn, dies, retire } from './payout-stage.js';

const stage = forAllTests(() => PayoutStage.open());
afterEach(() => stage.sandbox.clearFaults());

it('pays once when the worker dies between the payout and its row', async () => {
  const input = await stage.ordered('r0@example.com', 'r1@example.com');
  await stage.sandbox.fault({ kind: 'delay', operation: 'payout.create', delayMs: 10_000 });
  const first = stage.hire();
  const atWork = first.activities.createPayout(input);
  await until(
    () => stage.booksOf(input),
    (kinds) => kinds.length > 0,
    'the money to have left',
  );
  const burial = dies(first, atWork);

  const second = stage.hire();
  const answer = await outcomeOf(second.activities.createPayout(await carryOn(second, input)));
  expect(answer.event.type).toBe('payoutCreated');

  const attempts = await findAttempts(stage.db, input.identity.payoutId, 'create');
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'answered']);
  expect(new Set(attempts.map(({ request_id }) => request_id)).size).toBe(1);
  expect(await stage.booksOf(input)).toEqual(['payout', 'payout']);
  expect(await stage.sandbox.booksAreSound()).toBe(true);
  await burial;
  await retire(first, second);
});

it('pays once when the worker dies before its payout has reached the provider', async () => {
  const input = await stage.ordered('r0@example.com');
  const silence = createServer((socket) => void socket.on('error', () => {}));
  await new Promise<void>((resolve) => silence.listen(0, '127.0.0.1', resolve));
  const first = stage.hire(`http://127.0.0.1:${(silence.address() as AddressInfo).port}`);
  const atWork = first.activities.createPayout(input);
  await until(
    () => findAttempts(stage.db, input.identity.payoutId, 'create'),
    (attempts) => attempts.length > 0,
    'the attempt to be begun',
  );
  const burial = dies(first, atWork);

  const second = stage.hire();
  const again = await carryOn(second, input);
  expect((await outcomeOf(second.activities.createPayout(again))).event.type).toBe('payoutCreated');
  await until(
    () => stage.booksOf(input),
    (kinds) => kinds.length > 0,
    'the money to leave',
  );
  expect(await stage.booksOf(input)).toEqual(['payout']);
  silence.close();
  await Promise.all([burial, first.bury()]);
  await retire(second);
});

it('uses a late answer when the receivers were already deleted and nothing can be sent again', async () => {
  const input = await stage.ordered('r0@example.com');
  await stage.sandbox.fault({ kind: 'delay', operation: 'payout.create', delayMs: 10_000 });
  const first = stage.hire();
  const answered = first.activities.createPayout(input);
  await until(
    () => stage.booksOf(input),
    (kinds) => kinds.length > 0,
    'the money to have left',
  );
  const second = stage.hire();
  const again = await carryOn(second, input);
  expect((await outcomeOf(answered)).event.type).toBe('payoutCreated');
  expect(await findSealedLetters(stage.db, 'payouts', input.identity.payoutId)).toBeUndefined();

  const creations = async () =>
    (await stage.sandbox.calls('limit=100')).filter(({ operation }) => operation === 'payout.create');
  const before = await creations();
  const outcome = await outcomeOf(second.activities.createPayout(again));
  expect(outcome.event).toEqual((await outcomeOf(answered)).event);
  expect(advance(payoutLifecycle, again, outcome.event, outcome.at).position.state.status).toBe('processing');
  expect(await creations()).toHaveLength(before.length);
  expect(await stage.booksOf(input)).toEqual(['payout']);
  await retire(first, second);
});

it('leaves a step open for a decision when its repeat is refused for another reason', async () => {
  const input = await stage.ordered('r0@example.com');
  await stage.sandbox.fault({ kind: 'drop_reply', operation: 'payout.create', times: null });
  const worker = stage.hire();
  const again = await carryOn(worker, input);
  await stage.sandbox.clearFaults();
  await stage.sandbox.fault({ kind: 'status', operation: 'payout.create', status: 422, times: null });
  const refused = await outcomeOf(worker.activities.createPayout(again));
  expect(refused.event).toMatchObject({ type: 'outcomeUnknown', refusal: 'UNPROCESSABLE_ENTITY' });
  const attempts = await findAttempts(stage.db, input.identity.payoutId, 'create');
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);

  const doubted = advance(payoutLifecycle, again, refused.event, refused.at).position;
  const decided = {
    commandId: 'cmd_1',
    decision: 'did_not_happen',
    reason: 'Not in the dashboard.',
  } as const;
  const { event } = await outcomeOf(
    worker.activities.verifyPayoutDecision({ ...input, ...doubted, timeline: [] }, decided),
  );
  expect(event).toMatchObject({ type: 'decisionRefused', code: 'too_early' });
  await retire(worker);
});

it('pays once when the worker dies after the row was written, and before Temporal knows', async () => {
  const input = await stage.ordered('r0@example.com');
  const first = stage.hire();
  const answer = await outcomeOf(first.activities.createPayout(input));
  await first.die();

  const second = stage.hire();
  expect((await outcomeOf(second.activities.createPayout(input))).event).toEqual(answer.event);
  const attempts = await findAttempts(stage.db, input.identity.payoutId, 'create');
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['answered']);
  await retire(first, second);
});
