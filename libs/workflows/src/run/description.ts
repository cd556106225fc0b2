import type { Deadline } from '../lifecycle/lifecycle.js';
import { formatMoney } from '../lifecycle/money.js';
import type { OpenStep, StepEffect, StepOf } from '../lifecycle/step/open-step.js';
import type { ReviewEffect } from '../lifecycle/step/review.js';
import { stepNouns } from '../lifecycle/step/step-nouns.js';

/**
 * The text that Temporal's UI shows of a run. It contains no personal data.
 *
 * @param lines the subject's status and figures.
 * @param doing the run's current call, in words; undefined while it waits.
 * @param deadline the deadline for which the run waits.
 * @param remarks the reason of the status, and warnings for an operator.
 */
export function describeRun(
  lines: readonly string[],
  doing: string | undefined,
  deadline: Deadline<{ readonly type: string }> | undefined,
  remarks: readonly (string | undefined)[],
): string {
  const next = deadline && `next: ${deadline.event.type} at ${instantOf(deadline.at)}`;
  const now = doing === undefined ? next : `now: ${doing}`;
  return [...lines, now, ...remarks].filter((line) => line !== undefined).join('\n\n');
}

/** What the words about a run's calls and timers need of its state. */
export interface DoubtfulState {
  readonly openStep?: OpenStep<StepOf & { readonly minor?: number }>;
}

/**
 * What the timer of a wait is for, in an operator's words: "checking capture of 70.00, 4th time". Undefined in the usual
 * course of a run, whose history must stay small.
 */
export function describeTimer(
  { openStep }: DoubtfulState,
  deadline: string,
  currency: string,
): string | undefined {
  if (!openStep || openStep.phase === 'running') return undefined;
  if (deadline === 'reviewCameDue') return `asking a person about ${named(openStep.step, currency)}`;
  // A read of something else may be due before: of a payout whose item is being cancelled.
  if (deadline !== 'stepCameDue') return undefined;
  return openStep.phase === 'doubt' ? checking(openStep, currency) : repeating(openStep, currency);
}

/**
 * What an activity does, in the words of its timer. Undefined in the usual course of a run: its first calls and its reads.
 */
export function describeStep(
  { openStep }: DoubtfulState,
  effect: { readonly type: string },
  currency: string,
): string | undefined {
  if (effect.type === 'verifyDecision') return 'holding a decision against the provider';
  if (!openStep) return undefined;
  if (effect.type === 'lookUp') return checking(openStep, currency);
  if (effect.type !== 'perform' || openStep.attempts === 0) return undefined;
  return repeating(openStep, currency);
}

type Doubtful = NonNullable<DoubtfulState['openStep']>;

function checking({ step, looks }: Doubtful, currency: string): string {
  return `checking ${named(step, currency)}, ${ordinal(looks + 1)} time`;
}

function repeating({ step, attempts }: Doubtful, currency: string): string {
  return `repeating ${named(step, currency)}, ${ordinal(attempts + 1)} time`;
}

/** That the outcome of a call is unknown; undefined if it is known, or awaited. */
export function describeDoubt({ openStep }: DoubtfulState, currency: string): string | undefined {
  if (openStep?.phase !== 'doubt') return undefined;
  const { step, since, looks, reviewAt } = openStep;
  const review = reviewAt === undefined ? '' : `; a person is asked at ${instantOf(reviewAt)}`;
  return `**in doubt**: ${named(step, currency)}, since ${instantOf(since)}, checked ${looks} times${review}`;
}

/** The subject's page in the console, by its address in the API, or the payer's return address below it; undefined for others. */
export function consoleLink(address: string): string | undefined {
  const [, origin, page] = /^(.+)\/v1\/(\w+\/\w+)(?:\/return)?$/.exec(address) ?? [];
  return page && `[In the console](${origin}/console/${page})`;
}

function named({ type, minor }: StepOf & { readonly minor?: number }, currency: string): string {
  const noun = ((stepNouns as Readonly<Record<string, string>>)[type] ?? type).toLowerCase();
  return minor === undefined ? noun : `${noun} of ${formatMoney({ minor, currency })}`;
}

function ordinal(count: number): string {
  const isTeen = count % 100 >= 11 && count % 100 <= 13;
  return `${count}${(isTeen ? undefined : ['', 'st', 'nd', 'rd'][count % 10]) || 'th'}`;
}

function instantOf(at: number): string {
  return new Date(at).toISOString();
}

type Effect<Read> = StepEffect<{ readonly type: string }> | ReviewEffect<string> | Read;

/** @param reading returns the words for a read. */
export function doingNow<Read extends { readonly type: 'observe' }>(
  effect: Effect<Read> | undefined,
  reading: (effect: Read) => string,
): string | undefined {
  switch (effect?.type) {
    case undefined:
      return undefined;
    case 'observe':
      return reading(effect);
    case 'verifyDecision':
      return 'holding a decision against the provider';
    case 'perform':
    case 'lookUp':
      return `${effect.type} ${effect.step.type}`;
  }
}
