import type { AttemptRow } from '#database/schema';
import type { NewOutcome } from '#database/transitions';
import type { LifecycleEvent } from '#workflows/lifecycle';
import type { LookHint, OpenStep, StepEvent } from '#workflows/lifecycle/step';
import { isProviderTrouble } from '../../provider/provider-facts.js';
import { readTwoClocks } from '../../process/two-clocks.js';
import { confirmedRead } from '../../provider/read-again.js';
import { isAnswered, isOpen } from '../attempts/recorded-outcome.js';
import { StepRecord } from '../attempts/step-record.js';
import type { InputOf, Kind, OutcomeOf, Reported, Work } from '../activities/subject-writer.js';

/*
 * The chain of a lookup, from the activity to the provider:
 *
 * 1. The activity (`lookUpOutcome`, `lookUpRefund`, `lookUpPlan`, `lookUpAgreement`, `lookUpCancellation`) calls
 *    `lookUpStep`, which is the same for every lifecycle: it compares with the horizon and writes the rows.
 * 2. `lookUpStep` calls the lifecycle's `Lookup`, twice before it accepts an absence.
 * 3. The `Lookup` reads the provider and searches for our references: `lookUpMoneyStep`, `lookUpRefundRequest`,
 *    `lookUpPlanStep`, `lookUpAgreementStep`, `lookUpItem`.
 * 4. If that shows nothing, and an event has named a resource, `lookUpWithHint` (of a payment) reads the resource by its
 *    own id. `lookUpRefundRequest` does it for refunds.
 *
 * A review uses the same `Lookup`, and in addition reads the resource that an operator names (`verifyStep`).
 */

/** The result of a lookup: the step's outcome, absence, or an unreadable answer. */
export type LookupResult<Event> = Event | StepEvent | 'absent' | 'unreadable';

/**
 * @param attempts every POST of the step, oldest first; the search uses their references.
 * @param isPastHorizon whether all that the provider has carried out is shown by now.
 */
export type Lookup<Event, Step> = (
  openStep: OpenStep<Step>,
  attempts: readonly AttemptRow[],
  isPastHorizon: boolean,
) => Promise<LookupResult<Event>>;

/**
 * Looks up whether a POST with an unknown outcome was carried out. If it is found, that is its outcome; if the
 * resource's state excludes it, too. If it is not found, that is proof only if the lookup began after the outcome
 * horizon, because the provider may execute late and its reads may lag. Absence needs two lookups
 * (docs/decisions/0009).
 */
export async function lookUpStep<K extends Kind>(
  work: Work<K>,
  input: InputOf<K>,
  lookUp: Lookup<K['event'], K['step']>,
  hint?: LookHint,
): Promise<OutcomeOf<K>> {
  const { context } = work;
  const record = new StepRecord(work, input);
  const { openStep } = record;
  const attempts = await record.attempts();
  const attempt = record.present(attempts);
  // Its outcome, or that of an earlier attempt, was recorded in between.
  if (!isOpen(attempt) || attempts.some(isAnswered)) return await record.resume();
  // Read before the lookup: it must have begun after the horizon by both clocks.
  const { atDatabase: readBeganAt, surely: lookedAt } = await readTwoClocks(context.db);
  const isPastHorizon = lookedAt >= openStep.horizonAt;
  const { result, calls } = await context.providers.recording(() =>
    confirmed(
      () => lookUp(openStep, attempts, isPastHorizon),
      (seen) => mustBeShownTwice(seen) && (seen !== 'absent' || isPastHorizon),
    ),
  );
  if (result === 'unreadable' || (result === 'absent' && !isPastHorizon)) {
    const at = attempt.settled_at ?? new Date();
    const { outcome, event } = record.unknownOutcome(attempt);
    // The outcome stays unknown, unless the answer was recorded in between: that is not overwritten.
    const unchanged = {
      attemptId: attempt.id,
      outcome,
      event: (attempt.event as K['event'] | null) ?? event,
      at,
    };
    const nothingFound = { type: 'lookInconclusive', ...(hint && { isHinted: true as const }) } as const;
    const inconclusive = { event: nothingFound, at: Date.now() };
    return await record.writeOutcome(unchanged, calls, { readBeganAt, resultForRun: inconclusive });
  }
  const found: Pick<NewOutcome, 'outcome' | 'event'> =
    result === 'absent' ? provedUndone(attempt) : { outcome: 'answered', event: result };
  // The recorded event of a refusal was written by this lifecycle.
  const event = found.event as Reported<K>;
  const outcome = { attemptId: attempt.id, outcome: found.outcome, event, at: new Date() };
  return await record.writeOutcome(outcome, calls, { readBeganAt });
}

/**
 * One answer may be incomplete: a repeat because of it would move money twice, and a payment that ends with it would lack
 * what else was captured. So absence and the end of a hold must be shown by two reads.
 */
export async function confirmed<Event extends LifecycleEvent>(
  lookUp: () => Promise<LookupResult<Event>>,
  needsTwoReads: (seen: LookupResult<Event>) => boolean = mustBeShownTwice,
): Promise<LookupResult<Event>> {
  return await readable(confirmedRead(lookUp, needsTwoReads));
}

function mustBeShownTwice(seen: LookupResult<LifecycleEvent>): boolean {
  return seen === 'absent' || isRefusal(seen) || endsHold(seen);
}

function isRefusal<Event extends LifecycleEvent>(seen: LookupResult<Event>): boolean {
  return typeof seen === 'object' && seen.type === 'stepDeclined';
}

/** Its event says what was captured of the hold in all. */
function endsHold(seen: LookupResult<LifecycleEvent>): boolean {
  return typeof seen === 'object' && 'shown' in seen;
}

/** 'unreadable' if the provider cannot be read. A bug of ours is thrown. */
export async function readable<Event>(result: Promise<LookupResult<Event>>): Promise<LookupResult<Event>> {
  try {
    return await result;
  } catch (error) {
    if (isProviderTrouble(error)) return 'unreadable';
    throw error;
  }
}

/** Nothing was done: the step is repeated, unless its repeat was refused. Then the refusal counts. */
function provedUndone({ event }: AttemptRow): Pick<NewOutcome, 'outcome' | 'event'> {
  const recorded = event as StepEvent | null;
  if (recorded?.type !== 'outcomeUnknown' || recorded.refusal === undefined) {
    return { outcome: 'undone', event: { type: 'stepProvedUndone' } };
  }
  const declined = { type: 'stepDeclined', reason: recorded.refusal } as const;
  return { outcome: 'declined', event: recorded.meant ?? declined };
}
