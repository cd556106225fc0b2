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

/** How far an agreement has come. A slot is a date on which a cycle falls due. */
export interface Progress {
  cyclesDone: number;
  /** Slots that passed unbilled: they put the cycles off and take none of them away. */
  trialSlotsSkipped: number;
  regularSlotsSkipped: number;
}

/** The instant of the next cycle; null once there is none left. */
export function nextDueAt(schedule: Schedule, progress: Progress): Date | null {
  const remaining = cyclesRemaining(schedule, progress);
  return remaining === 0 ? null : dueAt(schedule, progress, progress.cyclesDone);
}

/** The instant of the last cycle; null for a schedule without end. */
export function finalDueAt(schedule: Schedule, progress: Progress): Date | null {
  const total = cyclesInAll(schedule);
  return total === null ? null : dueAt(schedule, progress, total - 1);
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

/** Passes over the slots that lie at or before `instant`, unbilled: the next cycle falls due after it. */
export function skipUntil(schedule: Schedule, progress: Progress, instant: Date): Progress {
  if (cyclesRemaining(schedule, progress) === 0) return progress;
  const isTrial = phaseOf(schedule, progress.cyclesDone) === 'TRIAL';
  const skipping = (slots: number): Progress =>
    isTrial
      ? { ...progress, trialSlotsSkipped: progress.trialSlotsSkipped + slots }
      : { ...progress, regularSlotsSkipped: progress.regularSlotsSkipped + slots };
  const isAhead = (slots: number) => dueAt(schedule, skipping(slots), progress.cyclesDone) > instant;
  // Short days pass many slots in a short time: doubling and halving finds the first one ahead in few steps.
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

/** When a cycle (from 0) falls due. Always counted from the start, so that nothing drifts at the ends of months. */
function dueAt(schedule: Schedule, progress: Progress, cycle: number): Date {
  const slotsOfTrial = trialCycles(schedule) + progress.trialSlotsSkipped;
  const isTrial = phaseOf(schedule, cycle) === 'TRIAL';
  const trialSlots = isTrial ? cycle + progress.trialSlotsSkipped : slotsOfTrial;
  const regularSlots = isTrial ? 0 : cycle - trialCycles(schedule) + progress.regularSlotsSkipped;
  const spans = [
    ...(schedule.trial === null ? [] : [spanOf(schedule.trial, trialSlots)]),
    spanOf(schedule.regular, regularSlots),
  ];
  return inDaysOf(schedule, addSpans(schedule.startAt, spans));
}

function cyclesInAll({ trial, regular }: Schedule): number | null {
  return regular.cycles === 0 ? null : (trial?.cycles ?? 0) + regular.cycles;
}

function trialCycles({ trial }: Schedule): number {
  return trial?.cycles ?? 0;
}

interface Span {
  months: number;
  days: number;
}

function spanOf({ frequency, interval }: Phase, slots: number): Span {
  const units = interval * slots;
  switch (frequency) {
    case 'DAY':
      return { months: 0, days: units };
    case 'WEEK':
      return { months: 0, days: 7 * units };
    case 'MONTH':
      return { months: units, days: 0 };
    case 'YEAR':
      return { months: 12 * units, days: 0 };
  }
}

/** Months of both phases are added at once: 31 January, a month of trial and a regular month are 31 March. */
function addSpans(start: Date, [first, second]: readonly Span[]): Date {
  if (first === undefined) return start;
  if (second === undefined) return addSpan(start, first);
  const isOneKind = first.days === 0 && second.days === 0;
  return isOneKind
    ? addSpan(start, { months: first.months + second.months, days: 0 })
    : addSpan(addSpan(start, first), second);
}

/** Calendar months end where the month ends: 31 January and one month are 28 or 29 February. All in UTC. */
function addSpan(start: Date, { months, days }: Span): Date {
  if (months === 0) return new Date(start.getTime() + days * REAL_DAY_MS);
  const shifted = new Date(start);
  shifted.setUTCDate(1);
  shifted.setUTCMonth(start.getUTCMonth() + months);
  const lastOfMonth = new Date(shifted);
  lastOfMonth.setUTCMonth(shifted.getUTCMonth() + 1, 0);
  shifted.setUTCDate(Math.min(start.getUTCDate(), lastOfMonth.getUTCDate()));
  return shifted;
}

/** Brings a calendar date as near to the start as the agreement's days are shorter than real ones. */
function inDaysOf({ startAt, dayLengthMs }: Schedule, calendarDate: Date): Date {
  if (dayLengthMs === REAL_DAY_MS) return calendarDate;
  const elapsed = BigInt(calendarDate.getTime() - startAt.getTime());
  // Beyond 2^53 in between.
  return new Date(startAt.getTime() + Number((elapsed * BigInt(dayLengthMs)) / BigInt(REAL_DAY_MS)));
}
