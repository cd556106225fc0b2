import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { findPayerCancellation, notePayerCancelled } from '#database/subjects';
import { writeTransition } from '#database/transitions';
import type { SubscriptionStepInput } from '#workflows/contract';
import { subscriptionWriter } from '#worker/subscriptions/subscription-writer.js';
import type { PaymentState } from '#workflows/lifecycle/payment';
import type { SubscriptionEvent } from '#workflows/lifecycle/subscription';
import { inDoubt, payment } from '../lifecycle/payment/sample-payments.js';
import { sampleEvents, subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { storePayment, transition, useEngineDatabase } from './engine-database.js';
import { storeSubscription } from './stored-subscription.js';

const engine = useEngineDatabase();
/** By the clock that also dates a cancellation: ours has only milliseconds, of which both may be in one. */
const present = sql<Date>`clock_timestamp()`;
const unrelated = { detail: null, command_id: null };

it('a cancellation that an execution remembers counts only if the payer has made it', async () => {
  const { db } = engine;
  const missing = sampleEvents.approvalFoundMissing;
  const decided = sampleEvents.stepDecidedUndone;
  const state = { ...subscription('executing'), isCancelWaiting: true };
  const identity = await storeSubscription(db, state);
  const input: SubscriptionStepInput = { identity, state, version: 5, timeline: [] };
  const shown = async (event: SubscriptionEvent) => await subscriptionWriter.withRows?.(db, input, event);

  const { stepDeferred: deferred, stepProvedUndone: undone } = sampleEvents;
  for (const event of [missing, decided])
    expect(await shown(event)).toEqual({ ...event, isCancelUnfounded: true });
  for (const event of [deferred, undone])
    expect(await shown({ ...event, isCancelFounded: true })).toEqual(event);
  await notePayerCancelled(db, 'subscriptions', identity.subscriptionId);
  for (const event of [missing, decided]) expect(await shown(event)).toEqual(event);
  for (const event of [deferred, undone])
    expect(await shown(event)).toEqual({ ...event, isCancelFounded: true });
});

it('a cancellation is the payer’s last word until the payer comes back to approve', async () => {
  const { db } = engine;
  const { subscriptionId: id } = await storeSubscription(db, subscription('awaiting_approval'));
  const found = async () => await findPayerCancellation(db, 'subscriptions', id);
  const moved = { kind: 'moved', from_status: 'awaiting_approval', to_status: 'awaiting_approval' } as const;
  const line = async (event: string, version: number) =>
    await db
      .insertInto('timeline')
      .values({ ...moved, ...unrelated, subject_id: id, event, version, at: present })
      .execute();

  await line('payerApproved', 6);
  expect(await found()).toBeUndefined();
  await notePayerCancelled(db, 'subscriptions', id);
  const first = await found();
  expect(first).toBeInstanceOf(Date);
  await line('stepDeferred', 7);
  expect(await found()).toEqual(first);
  await line('payerApproved', 8);
  expect(await found()).toBeUndefined();
  await notePayerCancelled(db, 'subscriptions', id);
  expect((await found())?.getTime()).toBeGreaterThan(first?.getTime() ?? Infinity);
});

it.each([
  ['a read that shows the approval', { event: 'providerObserved', to_status: 'authorizing' }, false],
  ['a read that begins the sale', { event: 'providerObserved', to_status: 'executing' }, false],
  ['a read that shows no approval', { event: 'providerObserved', to_status: 'awaiting_approval' }, true],
  ['a step that is repeated', { event: 'stepCameDue', to_status: 'authorizing' }, true],
  ['an approval that a restore has undone', { event: 'payerApproved', is_superseded: true }, true],
])('whether a payment’s cancellation is the last word after %s', async (_what, line, isFound) => {
  const { db } = engine;
  const { paymentId: id } = await storePayment(db);
  await notePayerCancelled(db, 'payments', id);
  const moved = { kind: 'moved', from_status: 'awaiting_approval', to_status: 'authorizing' } as const;
  await db
    .insertInto('timeline')
    .values({ ...moved, ...unrelated, subject_id: id, version: 6, at: present, ...line })
    .execute();
  expect((await findPayerCancellation(db, 'payments', id)) !== undefined).toBe(isFound);
});

function asked(status: 'authorizing' | 'capturing'): PaymentState {
  return { ...inDoubt(payment(status)), status: 'needs_review' };
}

it('a cancellation is of use to a review of the execution only', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  await notePayerCancelled(db, 'payments', identity.paymentId);
  const found = async () => await findPayerCancellation(db, 'payments', identity.paymentId);

  await writeTransition(db, transition(identity, asked('authorizing'), 3));
  expect(await found()).toBeInstanceOf(Date);
  await writeTransition(db, transition(identity, { ...asked('authorizing'), isCancelWaiting: true }, 4));
  expect(await found()).toBeUndefined();
  await writeTransition(db, transition(identity, asked('capturing'), 5));
  expect(await found()).toBeUndefined();
});
