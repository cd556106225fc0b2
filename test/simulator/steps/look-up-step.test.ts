import { describe, expect, it } from 'vitest';
import type { PaymentEvent } from '#workflows/lifecycle/payment';
import { capture, now, patience } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';
import { answered, call, captured, doubted, undone, unknownUntil } from './sample-attempts.js';

const { StepStand, UnavailableError } = steps;

type Seen = PaymentEvent | 'absent' | 'unreadable';
const shows = (seen: Seen) => () => seen;
const declinedAs = (reason: string): PaymentEvent => ({ type: 'stepDeclined', reason });
/** What was captured of the hold in all. */
const endedHold = (minor: number): PaymentEvent => ({
  ...captured,
  shown: [capture(minor), captured.capture],
});
const failing = (error: Error) => (): Seen => {
  throw error;
};
const inconclusive = { type: 'lookInconclusive' };

/** The answer to its only POST was lost. @param horizonInMs from now on. */
function lost(horizonInMs: number, more: Parameters<typeof unknownUntil>[1] = {}) {
  const horizonAt = now + horizonInMs;
  const stand = new StepStand(doubted(horizonAt));
  stand.madeBefore(0, unknownUntil(horizonAt, more));
  return stand;
}

describe('a lookup that finds the capture', () => {
  it('is the outcome of the step, before the horizon too', async () => {
    const stand = lost(1);
    stand.calls.push({ operation: 'find', status: 200 } as never);
    expect(await stand.lookUp([shows(captured)])).toEqual({ event: captured, at: stand.now });
    expect(stand.lookups).toEqual([stand.attempts.map(({ reference }) => reference)]);
    expect(stand.attempts).toMatchObject([answered]);
    expect(stand.payment).toMatchObject({ status: 'captured' });
    expect(stand.command).toMatchObject({ status: 'succeeded', result: { captureId: 'CAP-2' } });
    expect(stand.rows.calls).toMatchObject([{ subjectId: 'pay_1', status: 200 }]);
    expect(stand.rows.readsBegan).toEqual([new Date(now)]);
  });

  it.each([
    ['once, if it says nothing about the rest of the hold', [captured], 1, captured],
    ['twice, if it ends the hold', [endedHold(1), endedHold(1)], 2, endedHold(1)],
    ['twice, and proves nothing if the second differs', [endedHold(1), endedHold(2)], 2, inconclusive],
    ['twice, and believes the second if that does not end it', [endedHold(1), captured], 2, captured],
  ])('reads %s', async (_what, seen, times, event) => {
    const stand = lost(1);
    expect(await stand.lookUp(seen.map(shows))).toMatchObject({ event });
    expect(stand.lookups).toHaveLength(times);
    expect(stand.now - now).toBe((times - 1) * 1_000);
  });
});

describe('a lookup that finds nothing', () => {
  it('proves nothing if it began before the horizon, also when it ended after it', async () => {
    const stand = lost(1);
    const absent = (): Seen => {
      stand.pass(500);
      return 'absent';
    };
    expect(await stand.lookUp([absent])).toEqual({ event: inconclusive, at: stand.now });
    expect(stand.attempts).toMatchObject([{ ...unknownUntil(now + 1), settled_at: new Date(now) }]);
    expect(stand.payment.state.openStep).toMatchObject({ phase: 'doubt', looks: 1, attempts: 0 });
    expect(stand.command).toMatchObject({ status: 'executing' });
    expect(stand.rows.readsBegan).toEqual([new Date(now)]);
  });

  it.each([
    ['database', 1, 3_600_000],
    ['worker', 3_600_000, -3_599_999],
  ])('proves nothing if only the clock of the %s has reached the horizon', async (_whose, inMs, aheadMs) => {
    const stand = lost(inMs);
    if (aheadMs < 0) stand.pass(inMs);
    const atDatabase = stand.now + aheadMs;
    Object.assign(stand.rows, { now: () => atDatabase });
    expect(await stand.lookUp([shows('absent')])).toMatchObject({ event: inconclusive });
    expect(stand.attempts).toMatchObject([{ outcome: 'unknown' }]);
    expect(stand.rows.readsBegan).toEqual([new Date(atDatabase)]);
  });

  it('proves that nothing was done by a process that died', async () => {
    const stand = new StepStand(doubted(now));
    stand.madeBefore(0);
    expect(await stand.lookUp([shows('absent'), shows('absent')])).toMatchObject({ event: undone.event });
    expect(stand.attempts).toMatchObject([undone]);
  });

  it('proves that nothing was done from the horizon on, if a second finds nothing either', async () => {
    const stand = lost(0);
    expect(await stand.lookUp([shows('absent'), shows('absent')])).toMatchObject({ event: undone.event });
    expect(stand.lookups).toHaveLength(2);
    expect(stand.attempts).toMatchObject([undone]);
    expect(stand.payment.state.openStep).toMatchObject({ phase: 'running', attempts: 1 });
    expect(stand.command).toMatchObject({ status: 'executing' });
  });

  it.each([
    ['finds it', captured, captured],
    ['cannot be made', 'unreadable', inconclusive],
    ['shows a refusal', declinedAs('It is voided.'), inconclusive],
  ] as const)('proves nothing if the second %s', async (_what, second, event) => {
    const stand = lost(0);
    expect(await stand.lookUp([shows('absent'), shows(second)])).toMatchObject({ event });
  });

  it.each([
    ['is confirmed by a second', 12_000, 2, undone.event],
    ['proves nothing, because no second fits into its activity,', 12_001, 1, inconclusive],
  ])('%s if it takes %i ms', async (_what, ms, times, event) => {
    const stand = lost(0);
    const absent = (): Seen => {
      stand.pass(ms);
      return 'absent';
    };
    expect(await stand.lookUp([absent, shows('absent')])).toMatchObject({ event });
    expect(stand.lookups).toHaveLength(times);
  });

  it.each([
    ['the refusal', {}, { type: 'stepDeclined', reason: 'The provider refused it (X).' }],
    ['what the refusal means', { meant: { type: 'approvalFoundMissing' } }, { type: 'approvalFoundMissing' }],
  ])('of a repeat that was refused makes %s count', async (_what, more, event) => {
    const stand = lost(0, { refusal: 'The provider refused it (X).', ...more });
    expect(await stand.lookUp([shows('absent'), shows('absent')])).toMatchObject({ event });
    expect(stand.attempts).toMatchObject([{ outcome: 'declined', event }]);
  });
});

describe('a lookup that shows that the hold excludes the capture', () => {
  it('ends the step if a second shows the same', async () => {
    const stand = lost(1);
    const declined = declinedAs('It is voided.');
    expect(await stand.lookUp([shows(declined), shows(declined)])).toMatchObject({ event: declined });
    expect(stand.attempts).toMatchObject([{ outcome: 'answered', event: declined }]);
    expect(stand.command).toMatchObject({ status: 'failed' });
  });

  it('proves nothing if a second shows another reason', async () => {
    const stand = lost(1);
    const seen = [shows(declinedAs('It is voided.')), shows(declinedAs('It is expired.'))];
    expect(await stand.lookUp(seen)).toMatchObject({ event: inconclusive });
    expect(stand.lookups).toHaveLength(2);
  });
});

describe('a lookup that cannot be made', () => {
  it('proves nothing after the horizon either, and was an early one if a hint asked for it', async () => {
    const stand = lost(0);
    expect(
      await stand.lookUp([failing(new UnavailableError(call, 'server_error', { status: 503 }))], {}),
    ).toMatchObject({ event: { ...inconclusive, isHinted: true } });
    expect(stand.attempts).toMatchObject([{ outcome: 'unknown' }]);
    expect(stand.payment.state.openStep).toMatchObject({ looks: 0 });
  });

  it('because of a bug fails', async () => {
    await expect(lost(0).lookUp([failing(new TypeError('a bug'))])).rejects.toThrow('a bug');
  });

  it('records since when it is unknown, if the process that sent it died', async () => {
    const stand = new StepStand(doubted(now + 1));
    stand.madeBefore(0, { send_by: new Date(now + 30_000) });
    stand.pass(7);
    expect(await stand.lookUp([shows('unreadable')])).toMatchObject({ event: inconclusive });
    const unknown = unknownUntil(now + 30_000 + patience.outcomeHorizonMs);
    expect(stand.attempts).toMatchObject([{ ...unknown, settled_at: new Date(now + 7) }]);
  });
});

describe('a lookup whose outcome somebody else has recorded', () => {
  it.each([
    ['before it', answered, captured],
    ['before it, as undone', undone, undone.event],
  ])('%s is not made', async (_what, recorded, event) => {
    const stand = new StepStand(doubted(now));
    stand.madeBefore(0, recorded);
    expect(await stand.lookUp([])).toEqual({ event, at: now });
    expect(stand.lookups).toEqual([]);
    expect(stand.attempts).toMatchObject([recorded]);
  });

  it('of an earlier attempt is not made either: all attempts ask for the same', async () => {
    const stand = new StepStand(doubted(now, { attempts: 1 }));
    stand.madeBefore(0, answered);
    stand.madeBefore(1, unknownUntil(now));
    expect(await stand.lookUp([])).toMatchObject({ event: captured });
    expect(stand.attempts).toMatchObject([answered, answered]);
    expect(stand.payment).toMatchObject({ status: 'captured' });
  });

  it.each(['unreadable', 'absent'] as const)('while it shows that it is %s changes nothing', async (seen) => {
    const stand = lost(seen === 'absent' ? 1 : 0);
    const answeredMeanwhile = (): Seen => {
      stand.rows.recordOutcome({ attemptId: 1, ...answered, at: new Date(stand.now) } as never);
      return seen;
    };
    expect(await stand.lookUp([answeredMeanwhile])).toMatchObject({ event: captured });
    expect(stand.attempts).toMatchObject([answered]);
    expect(stand.payment).toMatchObject({ status: 'captured' });
  });

  it('fails if the attempt of its run has no row', async () => {
    const stand = new StepStand(doubted(now, { attempts: 1 }));
    stand.madeBefore(0, undone);
    await expect(stand.lookUp([])).rejects.toThrow('the attempt of the open step has no row');
  });
});
