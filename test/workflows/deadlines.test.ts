import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { listTimeline } from '#database/transitions';
import { againIfPaused } from '../helpers/again-if-paused.js';
import { dayLengthFor } from '../helpers/day-length.js';
import { forAllTests } from '../helpers/shared.js';
import { type StartedRun, startRunFixture } from './payment-run.js';

/**
 * Through unchanged code 29 of these days pass in three minutes. The last one is long enough for a starved machine to
 * act in, where Temporal's timers are up to a second late by themselves.
 */
const usualDayMs = 6_000;

let dayLengthMs = usualDayMs;
const fixture = forAllTests(() => startRunFixture({ approval: 'immediate' }));
beforeAll(async () => {
  dayLengthMs = await dayLengthFor(usualDayMs, async () => {
    const run = await fixture.start();
    await run.reaches('authorized');
  });
  await fixture.sandbox.configure({ dayLengthMs, approval: 'immediate' });
});

async function timelineOf(run: StartedRun): Promise<string[]> {
  const entries = await listTimeline(fixture.db, run.identity.paymentId);
  return entries.map(({ event }) => event);
}

const warnings = ['honourPeriodNearedEnd', 'honourPeriodEnded', 'captureWindowNearedEnd'];

/** A machine that is paused on a hold's last day lets it expire. */
function life(name: string, play: () => Promise<void>): void {
  it(name, () => againIfPaused(dayLengthMs / 4, play));
}

describe.concurrent('case 13: 29 days pass and nobody captures', () => {
  life('is warned about three times and then voided, when the policy is void', async () => {
    const run = await fixture.start({ expiryPolicy: { action: 'void' } });
    await run.reaches('voided', 'expired');
    expect(await timelineOf(run)).toEqual([
      'authorizationGranted',
      ...warnings,
      'settlementCameDue',
      'voidConfirmed',
    ]);
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'release 10000']);
  });

  life('is captured at the last moment, when the policy is capture', async () => {
    const run = await fixture.start({ expiryPolicy: { action: 'capture' } });
    await run.reaches('captured', 'expired');
    expect(await timelineOf(run)).toEqual([
      'authorizationGranted',
      ...warnings,
      'settlementCameDue',
      'captureAnswered',
    ]);
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  life('expires, when the policy allows it', async () => {
    const run = await fixture.start({ expiryPolicy: { action: 'expire' } });
    await run.reaches('expired');
    expect((await timelineOf(run)).slice(0, 4)).toEqual(['authorizationGranted', ...warnings]);
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'release 10000']);
  });

  life('keeps the captured part and releases the rest', async () => {
    const run = await fixture.start({ expiryPolicy: { action: 'void' } });
    await run.reaches('authorized');
    await run.send({ type: 'captureRequested', commandId: randomUUID(), minor: 7_000, final: false });
    const { state } = await run.reaches('captured');
    expect(state.released).toBe(true);
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual([
      'hold 10000',
      'capture 7000',
      'release 3000',
    ]);
  });
});

describe('case 16: a capture that stays pending at first', () => {
  it('is captured only once the provider has captured it', async () => {
    await fixture.sandbox.configure({
      captureOutcome: 'pending_then_completed',
      captureSettleMs: 5_000,
      dayLengthMs: 86_400_000,
      approval: 'immediate',
    });
    const run = await fixture.start();
    await run.reaches('authorized');
    await run.send({ type: 'captureRequested', commandId: randomUUID() });
    const pending = await run.reaches('capturing');
    expect(pending.state.captures.every(({ status }) => status !== 'completed')).toBe(true);
    await run.reaches('captured');
  });

  it('leaves the hold to be captured again when it is denied', async () => {
    await fixture.sandbox.configure({
      captureOutcome: 'pending_then_denied',
      captureSettleMs: 5_000,
      dayLengthMs: 86_400_000,
      approval: 'immediate',
    });
    const run = await fixture.start();
    await run.reaches('authorized');
    await run.send({ type: 'captureRequested', commandId: randomUUID() });
    await run.reaches('capturing');
    const { state } = await run.reaches('authorized');
    expect(state.captures).toMatchObject([{ status: 'denied' }]);
  });
});
