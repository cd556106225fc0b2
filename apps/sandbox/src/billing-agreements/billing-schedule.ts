import { REAL_DAY_MS } from '../clock/instants.js';
import type { Frequency } from '../database/tables.js';

export interface Phase {
  frequency: Frequency;
  /** Frequency units between two cycles. */
  interval: number;
  /** 0: without end. */
  cycles: number;
}

/** When an agreement is billed: trial cycles first, then regular ones, counted from one start. */
export interface Schedule {
  startAt: Date;
  /** Length of a calendar day of this agreement; REAL_DAY_MS makes its dates those of the calendar. */
  dayLengthMs: number;
  trial: Phase | null;
  regular: Phase;
}

/** How many cycles of an agreement are done. A slot is a date on which a cycle falls due. */
export interface Progress {
  cyclesDone: number;
  /** Slots that passed unbilled: they postpone the cycles and skip none of them. */
  trialSlotsSkipped: number;
  regularSlotsSkipped: number;
}

/** The instant of the next cycle; null when none is left, or none before the last possible date (year 275760). */
export function nextDueAt(schedule: Schedule, progress: Progress): Date | null {
  const remaining = cyclesRemaining(schedule, progress);
  return remaining === 0 ? null : dateOf(dueAt(schedule, progress, progress.cyclesDone));
}

/** The instant of the last cycle; null for a schedule without end. */
export function finalDueAt(schedule: Schedule, progress: Progress): Date | null {
  const total = cyclesInAll(schedule);
  return total === null ? null : dateOf(dueAt(schedule, progress, total - 1));
}

/** Null for a schedule without end. */
export function cyclesRemaining(schedule: Schedule, progress: Progress): number | null {
  const total = cyclesInAll(schedule);
  return total === null ? null : Math.max(0, total - progress.cyclesDone);
}

/** `cycle` counts from 0. */
export function phaseOf(schedule: Schedule, cycle: number): 'TRIAL' | 'REGULAR' {
  return cycle < trialCycles(schedule) ? 'TRIAL' : 'REGULAR';
}

/** Skips the slots at or before `instant`, unbilled: the next cycle falls due after it. */
export function skipUntil(schedule: Schedule, progress: Progress, instant: Date): Progress {
  if (cyclesRemaining(schedule, progress) === 0) return progress;
  const isTrial = phaseOf(schedule, progress.cyclesDone) === 'TRIAL';
  const skipping = (slots: number): Progress =>
    isTrial
      ? { ...progress, trialSlotsSkipped: progress.trialSlotsSkipped + slots }
      : { ...progress, regularSlotsSkipped: progress.regularSlotsSkipped + slots };
  const passing = BigInt(instant.getTime());
  const isAhead = (slots: number) => dueAt(schedule, skipping(slots), progress.cyclesDone) > passing;
  // With short days many slots pass in a short time: doubling and halving finds the next one in few steps.
  if (isAhead(0)) return progress;
  let passed = 0;
  let ahead = 1;
  while (!isAhead(ahead)) [passed, ahead] = [ahead, ahead * 2];
  while (ahead - passed > 1) {
    const middle = Math.floor((passed + ahead) / 2);
    if (isAhead(middle)) ahead = middle;
    else passed = middle;
  }
  return skipping(ahead);
}

/**
 * When a cycle (from 0) falls due. Always counted from the start, so that nothing drifts at the ends of months. The
 * calendar date of a short-day agreement may be beyond the largest Date although its scaled instant is near: so
 * instants are milliseconds since 1970 as bigint until they are returned.
 */
function dueAt(schedule: Schedule, progress: Progress, cycle: number): bigint {
  const slotsOfTrial = trialCycles(schedule) + progress.trialSlotsSkipped;
  const isTrial = phaseOf(schedule, cycle) === 'TRIAL';
  const trialSlots = isTrial ? cycle + progress.trialSlotsSkipped : slotsOfTrial;
  const regularSlots = isTrial ? 0 : cycle - trialCycles(schedule) + progress.regularSlotsSkipped;
  const spans = [
    ...(schedule.trial === null ? [] : [spanOf(schedule.trial, trialSlots)]),
    spanOf(schedule.regular, regularSlots),
  ];
  return inDaysOf(schedule, addSpans(BigInt(schedule.startAt.getTime()), spans));
}

function cyclesInAll({ trial, regular }: Schedule): number | null {
  return regular.cycles === 0 ? null : (trial?.cycles ?? 0) + regular.cycles;
}

function trialCycles({ trial }: Schedule): number {
  return trial?.cycles ?? 0;
}

interface Span {
  months: bigint;
  days: bigint;
}

function spanOf({ frequency, interval }: Phase, slots: number): Span {
  const units = BigInt(interval) * BigInt(slots);
  switch (frequency) {
    case 'DAY':
      return { months: 0n, days: units };
    case 'WEEK':
      return { months: 0n, days: 7n * units };
    case 'MONTH':
      return { months: units, days: 0n };
    case 'YEAR':
      return { months: 12n * units, days: 0n };
  }
}

/** Months of both phases are added at once: 31 January, a month of trial and a regular month are 31 March. */
function addSpans(start: bigint, [first, second]: readonly Span[]): bigint {
  if (first === undefined) return start;
  if (second === undefined) return addSpan(start, first);
  const isOneKind = first.days === 0n && second.days === 0n;
  return isOneKind
    ? addSpan(start, { months: first.months + second.months, days: 0n })
    : addSpan(addSpan(start, first), second);
}

const DAY = BigInt(REAL_DAY_MS);
/** The calendar repeats itself every 400 years, to the day of the week. */
const ERA = 146_097n * DAY;
const MONTHS_OF_ERA = 4_800n;

function addSpan(start: bigint, { months, days }: Span): bigint {
  if (months === 0n) return start + days * DAY;
  const eras = start / ERA + months / MONTHS_OF_ERA;
  return (
    eras * ERA + BigInt(addMonths(new Date(Number(start % ERA)), Number(months % MONTHS_OF_ERA)).getTime())
  );
}

/**
 * A month from a day that the target month lacks ends on its last day: 31 January and one month are 28 or 29 February.
 * All in UTC.
 */
function addMonths(start: Date, months: number): Date {
  const shifted = new Date(start);
  shifted.setUTCDate(1);
  shifted.setUTCMonth(start.getUTCMonth() + months);
  const lastOfMonth = new Date(shifted);
  lastOfMonth.setUTCMonth(shifted.getUTCMonth() + 1, 0);
  shifted.setUTCDate(Math.min(start.getUTCDate(), lastOfMonth.getUTCDate()));
  return shifted;
}

/** Scales a calendar date towards the start, in proportion to the agreement's short days. */
function inDaysOf({ startAt, dayLengthMs }: Schedule, calendarDate: bigint): bigint {
  const start = BigInt(startAt.getTime());
  return start + ((calendarDate - start) * BigInt(dayLengthMs)) / DAY;
}

function dateOf(instant: bigint): Date | null {
  const date = new Date(Number(instant));
  return Number.isNaN(date.getTime()) ? null : date;
}
