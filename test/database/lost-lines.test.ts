import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPayment } from '#database/subjects';
import { type Transition, listTimeline, writeTransition } from '#database/transitions';
import type { PaymentIdentity } from '#workflows/contract';
import type { PaymentState, PaymentStatus } from '#workflows/lifecycle/payment';
import type { TimelineEntry } from '#workflows/lifecycle';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  type EngineDatabase,
  openEngineDatabase,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

let engine: EngineDatabase;
beforeAll(async () => {
  engine = await openEngineDatabase();
});
afterAll(async () => await engine.close());

const earlierTask = Date.parse('2026-01-01T12:00:00Z');
const laterTask = earlierTask + 10_000;

/** @param from where its writer knows the payment to stand. */
function going(
  identity: PaymentIdentity,
  from: PaymentStatus,
  to: PaymentStatus,
  version: number,
  besides: Partial<Transition<PaymentState>>,
): Transition<PaymentState> {
  const state = withOwnIds(payment(to), identity);
  return { ...transition(identity, state, version), knownStatus: from, ...besides };
}

function entry(event: string, version: number): TimelineEntry {
  return { version, event, kind: 'moved', from: 'awaiting_approval', to: 'authorizing', at: laterTask };
}

it('lines of a lost task are not shown beside those that its run has written instead', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  const lost = { taskStartedAt: earlierTask, timeline: [entry('providerObserved', 2), entry('deadline', 3)] };
  await writeTransition(db, going(identity, 'awaiting_approval', 'voiding', 3, lost));
  const before = await findPayment(db, identity);
  const lived = { taskStartedAt: laterTask, timeline: [entry('payerApproved', 2)] };
  await writeTransition(db, going(identity, 'awaiting_approval', 'authorized', 2, lived));
  const shown = async () => (await listTimeline(db, identity.paymentId)).map(({ event }) => event);
  expect(await shown()).toEqual(['payerApproved']);
  // What callers have seen as the version does not go back, and a repeated read finds the detail that was told.
  expect((await findPayment(db, identity))?.shown_version).toBe(before?.shown_version);
  expect(before?.shown_version).toBe(3);
  const again = { taskStartedAt: laterTask, timeline: [entry('captured', 3)] };
  await writeTransition(db, going(identity, 'authorized', 'captured', 3, again));
  expect(await shown()).toEqual(['payerApproved', 'captured']);
});
