import type { Deadline, Instant, LifecycleEvent, WaitPolicy } from '../lifecycle.js';

/** A call to the provider that can move money, or that must not happen twice after a lost answer. */
export interface StepOf {
  readonly type: string;
  /** The command that caused it, if any. */
  readonly commandId?: string;
}

/** A step whose outcome is not known yet: under way, to be repeated (proved undone), or to be looked up (unknown). */
export interface OpenStep<Step> {
  /** The number of the step in its subject's life. */
  readonly number: number;
  readonly step: Step;
  readonly phase: 'running' | 'retry' | 'doubt';
  /** The number of attempts proved undone so far. */
  readonly attempts: number;
  readonly looks: number;
  readonly since: Instant;
  /** For an unknown outcome: from this instant on, absence at the provider is proof. */
  readonly horizonAt: Instant;
  readonly nextAt: Instant;
  /** True in a new run after a lost one, if the call was under way: it may have been sent. */
  readonly isResumed?: true;
  /** For a payout's creation with an unknown outcome: the provider has asked us to wait until then. */
  readonly notBefore?: Instant;
  /**
   * For an unknown outcome: when the review begins. Absent once it has begun, and in older states, where a lookup
   * begins the review.
   */
  readonly reviewAt?: Instant;
}

/** The events of every step, except its success, which has its own event. */
export type StepEvent =
  | {
      readonly type: 'stepDeclined';
      readonly reason: string;
      /** Nothing was sent: others have changed what the step was computed from. Only of a reauthorization. */
      readonly isOutdated?: true;
    }
  | {
      readonly type: 'stepDeferred';
      readonly retryAt: Instant;
      /** As of `stepProvedUndone`. */
      readonly isCancelFounded?: true;
    }
  | {
      readonly type: 'outcomeUnknown';
      readonly horizonAt: Instant;
      /** Absent in older histories. */
      readonly reviewAt?: Instant;
      /** Why a repeat was refused. The refusal counts only if the earlier attempts did nothing. */
      readonly refusal?: string;
      /** The event of that refusal, if it means more than "step declined". */
      readonly meant?: LifecycleEvent;
    }
  | {
      readonly type: 'stepProvedUndone';
      /**
       * The cancellation that was remembered is in the rows: the payer has asked for it. Only of the execution of a
       * subscription; absent in older histories.
       */
      readonly isCancelFounded?: true;
    }
  | {
      readonly type: 'lookInconclusive';
      /** It was made early because of a hint; the next due lookup does not change. */
      readonly isHinted?: true;
    }
  | {
      readonly type: 'stepDecidedUndone';
      readonly reason: string;
      /** As of `approvalFoundMissing`. Only of the execution of a subscription. */
      readonly isCancelUnfounded?: true;
    }
  | { readonly type: 'stepCameDue' }
  | { readonly type: 'reviewCameDue' };

/** A hint that the provider has news. */
export interface LookHint {
  /** The provider's id of the resource. */
  readonly resourceId?: string;
}

export type StepEffect<Step> =
  | { readonly type: 'perform'; readonly step: Step }
  | {
      readonly type: 'lookUp';
      readonly step: Step;
      readonly horizonAt: Instant;
      /** Why the lookup is made early. */
      readonly hint?: LookHint;
    };

/** True if the step waits to be repeated and nothing of it was sent, or what was sent is proved undone. */
export function isPutOff(openStep: OpenStep<unknown> | undefined): boolean {
  return openStep?.phase === 'retry' && !openStep.isResumed;
}

export function runningStep<Step>(number: number, step: Step, now: Instant): OpenStep<Step> {
  return { number, step, phase: 'running', attempts: 0, looks: 0, since: now, horizonAt: now, nextAt: now };
}

type StepDeadline = Deadline<{ readonly type: 'stepCameDue' } | { readonly type: 'reviewCameDue' }>;

/** When an open step continues, and when its review begins. Nothing is due during a call or without an open step. */
export function stepDeadlines(openStep: OpenStep<unknown> | undefined): StepDeadline[] {
  if (!openStep || openStep.phase === 'running') return [];
  const due: StepDeadline[] = [{ at: openStep.nextAt, event: { type: 'stepCameDue' } }];
  const { phase, reviewAt } = openStep;
  if (phase === 'doubt' && reviewAt !== undefined)
    due.push({ at: reviewAt, event: { type: 'reviewCameDue' } });
  return due;
}

/** Adds the instant of the review to an unknown outcome; other events are unchanged. */
export function withReviewAt<Event extends LifecycleEvent>(
  event: Event,
  { reviewAfterMs }: Pick<WaitPolicy, 'reviewAfterMs'>,
  now: Instant,
): Event {
  const reviewAt = now + reviewAfterMs;
  // Beyond the safe integers no review ever begins.
  if (event.type !== 'outcomeUnknown' || !Number.isSafeInteger(reviewAt)) return event;
  return { reviewAt, ...event };
}

/** The review has begun. */
export function withoutReview<Step>({ reviewAt: _past, ...openStep }: OpenStep<Step>): OpenStep<Step> {
  return openStep;
}
