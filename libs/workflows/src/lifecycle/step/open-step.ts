import type { Deadline, Instant, LifecycleEvent, WaitPolicy } from '../lifecycle.js';

/** A call to the provider that can move money, or that a lost answer must not make happen twice. */
export interface StepOf {
  readonly type: string;
  /** The command that asked for it, if one did. */
  readonly commandId?: string;
}

/** A step that is not finished: either to be repeated (proved undone) or in doubt (to be looked up). */
export interface OpenStep<Step> {
  /** Counts the steps of what it belongs to. */
  readonly number: number;
  readonly step: Step;
  readonly phase: 'running' | 'retry' | 'doubt';
  /** POSTs proved undone so far. */
  readonly attempts: number;
  readonly looks: number;
  readonly since: Instant;
  /** In doubt: from this instant on, absence at the provider is proof. */
  readonly horizonAt: Instant;
  readonly nextAt: Instant;
  /** Of a payout's creation in doubt: until then the provider has asked to be left alone. */
  readonly notBefore?: Instant;
  /**
   * In doubt: a person is asked then. Absent once that was done, and in doubts from before this had a deadline of its own:
   * there a look asks.
   */
  readonly reviewAt?: Instant;
}

/** What becomes of any step, whatever it does; its own success has a name of its own. */
export type StepEvent =
  | { readonly type: 'stepDeclined'; readonly reason: string }
  | { readonly type: 'stepDeferred'; readonly retryAt: Instant }
  | {
      readonly type: 'outcomeUnknown';
      readonly horizonAt: Instant;
      /** Absent in histories from before a review had a deadline of its own. */
      readonly reviewAt?: Instant;
      /** Why a repeat was refused: it stands only if the attempts before it have left nothing. */
      readonly refusal?: string;
      /** What that refusal means to the lifecycle, where it is more than that the step was declined. */
      readonly meant?: LifecycleEvent;
    }
  | { readonly type: 'stepProvedUndone' }
  | {
      readonly type: 'lookInconclusive';
      /** It was made upon a hint, before its time: the one that is due comes when it would have come. */
      readonly isHinted?: true;
    }
  | { readonly type: 'stepDecidedUndone'; readonly reason: string }
  | { readonly type: 'stepCameDue' }
  | { readonly type: 'reviewCameDue' };

/** Somebody says that there is something to see. */
export interface LookHint {
  /** The provider's id of what it is about. */
  readonly resourceId?: string;
}

export type StepEffect<Step> =
  | { readonly type: 'perform'; readonly step: Step }
  | {
      readonly type: 'lookUp';
      readonly step: Step;
      readonly horizonAt: Instant;
      /** Why it is made before its time. */
      readonly hint?: LookHint;
    };

export function runningStep<Step>(number: number, step: Step, now: Instant): OpenStep<Step> {
  return { number, step, phase: 'running', attempts: 0, looks: 0, since: now, horizonAt: now, nextAt: now };
}

type StepDeadline = Deadline<{ readonly type: 'stepCameDue' } | { readonly type: 'reviewCameDue' }>;

/**
 * When an open step is gone on with, and when a person is asked about it; nothing is due of one that is under way, or of
 * none.
 */
export function stepDeadlines(openStep: OpenStep<unknown> | undefined): StepDeadline[] {
  if (!openStep || openStep.phase === 'running') return [];
  const due: StepDeadline[] = [{ at: openStep.nextAt, event: { type: 'stepCameDue' } }];
  const { phase, reviewAt } = openStep;
  if (phase === 'doubt' && reviewAt !== undefined)
    due.push({ at: reviewAt, event: { type: 'reviewCameDue' } });
  return due;
}

/** An unknown outcome with the instant at which a person is asked about it; any other event as it is. */
export function withReviewAt<Event extends LifecycleEvent>(
  event: Event,
  { reviewAfterMs }: Pick<WaitPolicy, 'reviewAfterMs'>,
  now: Instant,
): Event {
  const reviewAt = now + reviewAfterMs;
  // Beyond that nobody is ever asked.
  if (event.type !== 'outcomeUnknown' || !Number.isSafeInteger(reviewAt)) return event;
  return { reviewAt, ...event };
}

/** A person has been asked. */
export function withoutReview<Step>({ reviewAt: _past, ...openStep }: OpenStep<Step>): OpenStep<Step> {
  return openStep;
}
