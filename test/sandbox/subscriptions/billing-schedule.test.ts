import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cyclesRemaining,
  finalDueAt,
  nextDueAt,
  phaseOf,
  skipUntil,
  type Phase,
  type Progress,
  type Schedule,
} from '#sandbox/billing-agreements/billing-schedule.js';

const REAL_DAY = 86_400_000;
const NOTHING_DONE: Progress = { cyclesDone: 0, trialSlotsSkipped: 0, regularSlotsSkipped: 0 };

const monthly = (cycles: number, interval = 1): Phase => ({ frequency: 'MONTH', interval, cycles });

function schedule(
  start: string,
  regular: Phase,
  trial: Phase | null = null,
  dayLengthMs = REAL_DAY,
): Schedule {
  return { startAt: new Date(start), dayLengthMs, trial, regular };
}

/** Dates of the first cycles, as a calendar shows them. */
function dates(of: Schedule, count: number): string[] {
  return Array.from({ length: count }, (_, cyclesDone) =>
    nextDueAt(of, { ...NOTHING_DONE, cyclesDone })!
      .toISOString()
      .slice(0, 10),
  );
}

describe('by the calendar', () => {
  test('months end on their last day, and nothing drifts from the 31st', () => {
    expect(dates(schedule('2027-01-31T10:00:00Z', monthly(6)), 6)).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
    ]);
    expect(dates(schedule('2028-01-31T10:00:00Z', monthly(2)), 2)).toEqual(['2028-01-31', '2028-02-29']);
  });

  test('a year from 29 February is 28 February, and 29 February again in a leap year', () => {
    const yearly: Phase = { frequency: 'YEAR', interval: 1, cycles: 5 };
    expect(dates(schedule('2028-02-29T00:00:00Z', yearly), 5)).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ]);
  });

  test('weeks and days are counted in days, over the end of a year', () => {
    const weekly: Phase = { frequency: 'WEEK', interval: 2, cycles: 3 };
    expect(dates(schedule('2026-12-20T00:00:00Z', weekly), 3)).toEqual([
      '2026-12-20',
      '2027-01-03',
      '2027-01-17',
    ]);
    const daily: Phase = { frequency: 'DAY', interval: 10, cycles: 3 };
    expect(dates(schedule('2026-12-20T00:00:00Z', daily), 3)).toEqual([
      '2026-12-20',
      '2026-12-30',
      '2027-01-09',
    ]);
  });

  test('trial cycles come first, and the months of both are counted as one', () => {
    const both = schedule('2027-01-31T00:00:00Z', monthly(3), monthly(1));
    expect(dates(both, 4)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']);
    const week: Phase = { frequency: 'WEEK', interval: 1, cycles: 2 };
    expect(dates(schedule('2027-01-31T00:00:00Z', monthly(2), week), 4)).toEqual([
      '2027-01-31',
      '2027-02-07',
      '2027-02-14',
      '2027-03-14',
    ]);
    expect(
      [0, 1, 2].map((cycle) => phaseOf(schedule('2027-01-31T00:00:00Z', monthly(2), week), cycle)),
    ).toEqual(['TRIAL', 'TRIAL', 'REGULAR']);
  });

  test('there is no cycle after the last one, and no last one without end', () => {
    const three = schedule('2027-01-31T00:00:00Z', monthly(2), monthly(1));
    expect(nextDueAt(three, { ...NOTHING_DONE, cyclesDone: 3 })).toBeNull();
    expect(finalDueAt(three, NOTHING_DONE)?.toISOString()).toBe('2027-03-31T00:00:00.000Z');
    const endless = schedule('2027-01-31T00:00:00Z', monthly(0));
    expect(finalDueAt(endless, NOTHING_DONE)).toBeNull();
    expect(cyclesRemaining(endless, NOTHING_DONE)).toBeNull();
    expect(nextDueAt(endless, { ...NOTHING_DONE, cyclesDone: 1_200 })?.toISOString()).toBe(
      '2127-01-31T00:00:00.000Z',
    );
  });
});

test('a calendar beyond the last possible date is reached with short days, and ends when it is not', () => {
  const yearly: Phase = { frequency: 'YEAR', interval: 1, cycles: 0 };
  const far: Progress = { ...NOTHING_DONE, regularSlotsSkipped: 400_000 };
  const short = schedule('2027-02-28T00:00:00Z', yearly, null, 1);
  const days = (400_000 / 400) * 146_097;
  expect(nextDueAt(short, far)?.getTime()).toBe(short.startAt.getTime() + days);
  expect(nextDueAt({ ...short, dayLengthMs: REAL_DAY }, far)).toBeNull();
});

const phase = (fewest: number) =>
  fc.record<Phase>({
    frequency: fc.constantFrom('DAY', 'WEEK', 'MONTH', 'YEAR'),
    interval: fc.integer({ min: 1, max: 12 }),
    cycles: fc.integer({ min: fewest, max: 40 }),
  });

const anySchedule = fc.record<Schedule>({
  startAt: fc.date({ min: new Date('2020-01-01'), max: new Date('2040-12-31'), noInvalidDate: true }),
  dayLengthMs: fc.constantFrom(REAL_DAY, 3_600_000, 1_000, 20),
  trial: fc.option(phase(1)),
  regular: phase(0),
});

const anyProgress = fc.record<Progress>({
  cyclesDone: fc.integer({ min: 0, max: 90 }),
  trialSlotsSkipped: fc.integer({ min: 0, max: 5 }),
  regularSlotsSkipped: fc.integer({ min: 0, max: 5 }),
});

describe('whatever the schedule', () => {
  test('the first cycle falls due at the start, each other one after the one before', () => {
    fc.assert(
      fc.property(anySchedule, fc.integer({ min: 0, max: 50 }), (of, cyclesDone) => {
        const due = nextDueAt(of, { ...NOTHING_DONE, cyclesDone });
        const following = nextDueAt(of, { ...NOTHING_DONE, cyclesDone: cyclesDone + 1 });
        if (due === null) {
          expect(following).toBeNull();
          return;
        }
        if (cyclesDone === 0) expect(due).toEqual(of.startAt);
        if (following !== null) expect(following.getTime()).toBeGreaterThan(due.getTime());
      }),
    );
  });

  test('a month is one day of the month, or the last one of a month that is shorter', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-12-31'), noInvalidDate: true }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 200 }),
        (startAt, interval, cyclesDone) => {
          const of = { startAt, dayLengthMs: REAL_DAY, trial: null, regular: monthly(0, interval) };
          const due = nextDueAt(of, { ...NOTHING_DONE, cyclesDone })!;
          const months =
            (due.getUTCFullYear() - startAt.getUTCFullYear()) * 12 +
            due.getUTCMonth() -
            startAt.getUTCMonth();
          expect(months).toBe(cyclesDone * interval);
          const isLastOfMonth = new Date(due.getTime() + REAL_DAY).getUTCDate() === 1;
          if (due.getUTCDate() !== startAt.getUTCDate()) {
            expect(isLastOfMonth && due.getUTCDate() < startAt.getUTCDate()).toBe(true);
          }
          expect(due.getTime() % REAL_DAY).toBe(startAt.getTime() % REAL_DAY);
        },
      ),
    );
  });

  test('short days bring each date nearer to the start in proportion', () => {
    fc.assert(
      fc.property(anySchedule, anyProgress, (of, progress) => {
        const real = nextDueAt({ ...of, dayLengthMs: REAL_DAY }, progress);
        const short = nextDueAt({ ...of, dayLengthMs: 20 }, progress);
        if (real === null || short === null) {
          expect(short).toBe(real);
          return;
        }
        const days = (real.getTime() - of.startAt.getTime()) / REAL_DAY;
        expect(short.getTime() - of.startAt.getTime()).toBe(Math.floor(days * 20 + 1e-9));
      }),
    );
  });

  test('no time of suspension is too long for days of a millisecond', () => {
    fc.assert(
      fc.property(anySchedule, anyProgress, fc.integer({ min: 1, max: 30 }), (of, progress, years) => {
        const short = { ...of, dayLengthMs: 1 };
        const instant = new Date(of.startAt.getTime() + years * 365 * REAL_DAY);
        const skipped = skipUntil(short, progress, instant);
        const next = nextDueAt(short, skipped);
        if (next === null) {
          expect(skipped).toEqual(progress);
          return;
        }
        const { frequency, interval } =
          phaseOf(short, progress.cyclesDone) === 'TRIAL' ? short.trial! : short.regular;
        const longestSlot = { DAY: 1, WEEK: 7, MONTH: 31, YEAR: 366 }[frequency] * interval;
        expect(next.getTime()).toBeGreaterThan(instant.getTime());
        expect(next.getTime()).toBeLessThanOrEqual(instant.getTime() + 2 * longestSlot);
      }),
    );
  });

  test('what passes during a suspension is postponed to the first date after it, and no cycle is lost', () => {
    fc.assert(
      fc.property(
        anySchedule,
        anyProgress,
        fc.integer({ min: -1_000, max: 100_000 }),
        (of, progress, days) => {
          const instant = new Date(of.startAt.getTime() + days * of.dayLengthMs);
          const skipped = skipUntil(of, progress, instant);
          expect(cyclesRemaining(of, skipped)).toBe(cyclesRemaining(of, progress));
          const before = nextDueAt(of, progress);
          const after = nextDueAt(of, skipped);
          if (before === null || after === null) {
            expect(skipped).toEqual(progress);
            return;
          }
          if (before > instant) {
            expect(skipped).toEqual(progress);
            return;
          }
          expect(after.getTime()).toBeGreaterThan(instant.getTime());
          const isTrial = phaseOf(of, progress.cyclesDone) === 'TRIAL';
          const oneLess = isTrial
            ? { ...skipped, trialSlotsSkipped: skipped.trialSlotsSkipped - 1 }
            : { ...skipped, regularSlotsSkipped: skipped.regularSlotsSkipped - 1 };
          expect(nextDueAt(of, oneLess)!.getTime()).toBeLessThanOrEqual(instant.getTime());
          const last = finalDueAt(of, progress);
          if (last !== null) expect(finalDueAt(of, skipped)!.getTime()).toBeGreaterThan(last.getTime());
        },
      ),
    );
  });
});
