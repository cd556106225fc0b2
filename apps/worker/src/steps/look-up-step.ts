import { isDeepStrictEqual } from 'node:util';
import { readClock } from '#database/commands';
import type { AttemptRow } from '#database/schema';
import type { NewOutcome } from '#database/transitions';
import type { LifecycleEvent } from '#workflows/lifecycle';
import type {
  LookHint,
  OpenStep,
  StepEvent,
  StepOf,
  DecisionRefused,
  SteppingState,
} from '#workflows/lifecycle/step';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { readAgain } from '../provider/read-again.js';
import { isAnswered, isOpen } from './recorded-outcome.js';
import { StepRecord } from './step-record.js';
import type { ActivityInput, ActivityOutcome } from '#workflows/contract';
import type { Work } from './bookkeeping.js';

/** What a look shows: what came of the step, nothing of it so far, or nothing that can be read. */
export type Look<Event> = Event | StepEvent | 'absent' | 'unreadable';

/** @param attempts every POST of the step, oldest first: their references are what is searched for. */
export type Looking<Event, Step> = (
  openStep: OpenStep<Step>,
  attempts: readonly AttemptRow[],
) => Promise<Look<Event>>;

/** Two searches that take longer would not fit into the limit of an activity. */
const twoLooksFitMs = 12_000;

/**
 * Looks up whether a POST in doubt was carried out. Found: that is its outcome. Excluded by the resource's state: so does
 * that. Not found: proof only when the look began after the outcome horizon, because the provider may execute late and
 * its reads may lag. That it was not is believed of two looks only (docs/decisions/0009).
 */
export async function lookUpStep<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  work: Work<Identity, State, Event, Step>,
  input: ActivityInput<Identity, State>,
  look: Looking<Event, Step>,
  hint?: LookHint,
): Promise<ActivityOutcome<Event | StepEvent | DecisionRefused>> {
  const { context } = work;
  const record = new StepRecord(work, input);
  const { openStep } = record;
  const attempts = await record.attempts();
  const attempt = record.present(attempts);
  // Its outcome, or that of an earlier attempt, was recorded meanwhile: there is nothing to look for.
  if (!isOpen(attempt) || attempts.some(isAnswered)) return await record.resume();
  // Before the look, and by the clock that the horizon was set by.
  const lookedAt = (await readClock(context.db)).getTime();
  const isPastHorizon = lookedAt >= openStep.horizonAt;
  const { result, calls } = await context.providers.recording(() =>
    confirmed(
      () => look(openStep, attempts),
      (seen) => (seen === 'absent' ? isPastHorizon : isRefusal(seen)),
    ),
  );
  if (result === 'unreadable' || (result === 'absent' && !isPastHorizon)) {
    const at = attempt.settled_at ?? new Date();
    const { outcome, event } = record.inDoubt(attempt);
    // It stays in doubt, unless its answer has come in meanwhile: that is not overwritten.
    const unchanged = {
      attemptId: attempt.id,
      outcome,
      event: (attempt.event as Event | null) ?? event,
      at,
    };
    const inVain = { type: 'lookInconclusive', ...(hint && { isHinted: true as const }) } as const;
    const inconclusive = { event: inVain, at: Date.now() };
    return await record.writeOutcome(unchanged, calls, { taken: inconclusive });
  }
  const found: Pick<NewOutcome, 'outcome' | 'event'> =
    result === 'absent' ? provedUndone(attempt) : { outcome: 'answered', event: result };
  // What a refusal means was written by this lifecycle.
  const event = found.event as Event | StepEvent;
  const outcome = { attemptId: attempt.id, outcome: found.outcome, event, at: new Date() };
  return await record.writeOutcome(outcome, calls);
}

/**
 * One answer may be cut short, and what it does not show be there all the same: a repeat on the strength of it would move
 * money twice. So what says that nothing was done must be said twice.
 */
async function confirmed<Event extends LifecycleEvent>(
  look: () => Promise<Look<Event>>,
  saysNothingWasDone: (seen: Look<Event>) => boolean,
): Promise<Look<Event>> {
  const begunAt = Date.now();
  const first = await readable(look());
  if (!saysNothingWasDone(first) || Date.now() - begunAt > twoLooksFitMs) return first;
  const second = await readAgain(() => readable(look()));
  return saysNothingWasDone(second) && !isDeepStrictEqual(first, second) ? 'unreadable' : second;
}

function isRefusal<Event extends LifecycleEvent>(seen: Look<Event>): boolean {
  return typeof seen === 'object' && seen.type === 'stepDeclined';
}

/** A provider that cannot be read tells nothing; a bug of ours must not pass for that. */
export async function readable<Event>(look: Promise<Look<Event>>): Promise<Look<Event>> {
  try {
    return await look;
  } catch (error) {
    if (isProviderTrouble(error)) return 'unreadable';
    throw error;
  }
}

/** Nothing was done: the step is repeated, unless its repeat was refused. Then the refusal was meant as it was said. */
function provedUndone({ event }: AttemptRow): Pick<NewOutcome, 'outcome' | 'event'> {
  const doubt = event as StepEvent | null;
  if (doubt?.type !== 'outcomeUnknown' || doubt.refusal === undefined) {
    return { outcome: 'undone', event: { type: 'stepProvedUndone' } };
  }
  const declined = { type: 'stepDeclined', reason: doubt.refusal } as const;
  return { outcome: 'declined', event: doubt.meant ?? declined };
}
