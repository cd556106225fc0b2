import { expect, it } from 'vitest';
import { findPayment } from '#database/subjects';
import { listTimeline, writeTransition } from '#database/transitions';
import type { PaymentStatus } from '#workflows/lifecycle/payment';
import { useEngineDatabase, storePayment } from './engine-database.js';
import { earlierTask, entry, going, laterTask } from './task-writes.js';

const engine = useEngineDatabase();

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
  expect(before?.shown_version).toBe(3);
  expect((await findPayment(db, identity))?.shown_version).toBeGreaterThan(3);
  const again = { taskStartedAt: laterTask, timeline: [entry('captured', 3)] };
  await writeTransition(db, going(identity, 'authorized', 'captured', 3, again));
  expect(await shown()).toEqual(['payerApproved', 'captured']);
});

it('a line of a lost task is not shown where its run has taken what leaves no line', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  const shown = async () => (await listTimeline(db, identity.paymentId)).map(({ event }) => event);
  const lost = { taskStartedAt: earlierTask, timeline: [entry('payerApproved', 2), entry('captured', 3)] };
  await writeTransition(db, going(identity, 'awaiting_approval', 'authorized', 3, lost));
  // A read that failed: the third version of the run has no line.
  const lived = { taskStartedAt: laterTask, knownVersion: 1, timeline: [entry('payerReturned', 2)] };
  await writeTransition(db, going(identity, 'awaiting_approval', 'authorized', 3, lived));
  expect(await shown()).toEqual(['payerReturned']);
});

it('of two tries of one read only the lines of the second are shown, and lines before them stay', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  const shown = async () => (await listTimeline(db, identity.paymentId)).map(({ event }) => event);
  const task = { taskStartedAt: laterTask };
  const known = { ...task, knownVersion: 1, timeline: [entry('payerApproved', 2)] };
  await writeTransition(db, going(identity, 'awaiting_approval', 'authorizing', 2, known));
  const unheard = { ...task, knownVersion: 2, timeline: [entry('providerObserved', 3)] };
  await writeTransition(db, going(identity, 'authorizing', 'authorized', 3, unheard));
  const repeated = { ...task, knownVersion: 2, timeline: [] };
  await writeTransition(db, going(identity, 'authorizing', 'authorizing', 3, repeated));
  expect(await shown()).toEqual(['payerApproved']);
});

it('a long poll sees each line that a run writes after its task was lost, whatever number it has', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  const versions: (number | undefined)[] = [];
  const write = async (version: number, from: PaymentStatus, to: PaymentStatus, besides: object) => {
    await writeTransition(db, going(identity, from, to, version, besides));
    versions.push((await findPayment(db, identity))?.shown_version);
  };
  const lost = { taskStartedAt: earlierTask, timeline: [entry('providerObserved', 2), entry('deadline', 3)] };
  await write(3, 'awaiting_approval', 'authorized', lost);
  const own = { taskStartedAt: laterTask };
  await write(2, 'awaiting_approval', 'authorizing', { ...own, timeline: [entry('payerApproved', 2)] });
  await write(3, 'authorizing', 'authorized', { ...own, timeline: [entry('authorizationGranted', 3)] });
  const next = { taskStartedAt: laterTask + 10_000 };
  for (const version of [4, 5, 6, 7])
    await write(version, 'authorized', 'authorized', { ...next, timeline: [entry('read', version)] });
  expect(versions).toEqual([...new Set(versions)].toSorted((one, other) => Number(one) - Number(other)));
});

it('a line of a lost task that its run writes again changes nothing that callers have not seen', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  const timeline = [entry('providerObserved', 2)];
  for (const taskStartedAt of [earlierTask, laterTask])
    await writeTransition(
      db,
      going(identity, 'awaiting_approval', 'authorized', 2, { taskStartedAt, timeline }),
    );
  expect((await findPayment(db, identity))?.shown_version).toBe(2);
});

it('a line of a run that two lost tasks have written over is shown again, and its readers are told', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  const own = [entry('outcomeUnknown', 2)];
  const first = { taskStartedAt: earlierTask, timeline: own };
  await writeTransition(db, going(identity, 'creating', 'creating', 2, first));
  const other = { taskStartedAt: laterTask, timeline: [entry('paymentCreated', 2)] };
  await writeTransition(db, going(identity, 'creating', 'awaiting_approval', 2, other));
  const before = await findPayment(db, identity);
  const goesOn = { taskStartedAt: laterTask + 1, knownVersion: 2, ownLines: own };
  const next = { ...goesOn, timeline: [entry('paymentCreated', 3)] };
  await writeTransition(db, going(identity, 'creating', 'awaiting_approval', 3, next));
  const shown = await listTimeline(db, identity.paymentId);
  expect(shown.map(({ event }) => event)).toEqual(['outcomeUnknown', 'paymentCreated']);
  expect((await findPayment(db, identity))?.shown_version).toBeGreaterThan(Number(before?.shown_version));
});
