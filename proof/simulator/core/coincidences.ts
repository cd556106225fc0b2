import type { Draws } from './draws.js';

/** Faults by the ends of their names. */
const faultsIn = {
  /** The payer approves right before the deadline, and neither the payer nor an event says so. */
  'silent approval': ['payment.get lags', 'completion lost', 'forgotten'],
  /** The order service ends a hold while somebody captures a part of it by hand. */
  'part by hand beside an end': ['void reply lost', 'capture reply lost', 'void late', 'capture late'],
  'answers cut short': ['cut short', 'reply lost'],
  'commits unheard': ['commit unheard', 'unavailable'],
  /** Somebody sends raw signals while it is not known what has become of a step. */
  'raw signals in doubt': ['request lost', 'reply lost', 'intrusion'],
  /** Several messages come while the first task of a run sends its request, and the task is lost. */
  'messages in a first task': ['too many messages', 'forgotten'],
  /** A run is lost between two attempts of a step, of which the first could not read what it would change. */
  'lost between attempts': ['agreement.get unavailable', 'reply lost'],
  /** A payer approves as an execution is refused, the first cycle follows soon, and workers die meanwhile. */
  'deaths around an execution': [],
  /** A balance is set right after it was billed, which the read in between does not show; and workers die meanwhile. */
  'deaths around a balance': ['agreement.get lags'],
  /** The provider goes away as a payer comes back, and an approved payment cannot be executed for minutes. */
  'outage at a return': [],
} as const;

export type Coincidence = keyof typeof faultsIn;

const named = Object.keys(faultsIn) as Coincidence[];
const often = 8;

/** What does harm only together, and is seldom together by chance: in a few worlds it is. */
export function drawCoincidence(draws: Draws): Coincidence | undefined {
  return draws.chance('coincidence', 0.22) ? draws.pick('which coincidence', named) : undefined;
}

/** Coincidences that only worlds with a subscription can have. */
export const ofSubscriptions: ReadonlySet<Coincidence | undefined> = new Set<Coincidence>([
  'lost between attempts',
  'deaths around an execution',
  'deaths around a balance',
]);

/** How much more often than usual a fault strikes. */
export function timesAsOften(coincidence: Coincidence | undefined, fault: string): number {
  const faults: readonly string[] = coincidence ? faultsIn[coincidence] : [];
  return faults.some((end) => fault.endsWith(end)) ? often : 1;
}
