import { readClock } from '#database/commands';
import type { AttemptRow } from '#database/schema';
import type { NewOutcome } from '#database/transitions';
import { RejectedError } from '#payments-client';
import type { ActivityInput, ActivityOutcome } from '#workflows/contract';
import type { LifecycleEvent } from '#workflows/lifecycle';
import type { StepOf, SteppingState } from '#workflows/lifecycle/step';
import { callLimitMs } from '../provider/provider-clients.js';
import { type AttemptIdentity, identityOfAttempt } from './attempt-identity.js';
import type { Work } from './bookkeeping.js';
import { mapFailure, mapRefusedRepeat, tooLateToSend } from './error-mapping.js';
import { isAnswered, outcomeOnRecord } from './recorded-outcome.js';
import { type Reported, StepRecord, requireOpenStep } from './step-record.js';
import { startStopwatch } from './stopwatch.js';

/** A process may hold a POST back (paused, starved) a little longer than its call limit before it is sent. */
const sendMarginMs = 5_000;

/**
 * Makes one POST that can move money, at most once, whatever dies around it (docs/decisions/0005):
 * the attempt is committed before it is sent and its outcome after; an attempt that is found begun is never sent again
 * from here, its outcome is either on record or to be looked up.
 *
 * @param send makes the POST; error-mapping.ts maps its errors.
 * @throws {UnconfiguredApplicationError} before anything is written.
 */
export async function attemptStep<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  work: Work<Identity, State, Event, Step>,
  input: ActivityInput<Identity, State>,
  send: (attempt: AttemptIdentity) => Promise<Reported<Event>>,
): Promise<ActivityOutcome<Reported<Event>>> {
  const { context } = work;
  const record = new StepRecord(work, input);
  // A worker that cannot send leaves no attempt behind: begun and not made, it would be in doubt.
  context.providers.for(record.subject);
  const elapsedMs = startStopwatch();
  const earlier = await record.earlier();
  const answered = earlier.find(isAnswered);
  if (answered) return await record.follow(outcomeOnRecord<Reported<Event>>(answered));
  const identity = await identityOfAttempt(context.db, record.subject.id, earlier);
  const begun = await record.begin(identity, callLimitMs + sendMarginMs);
  if (begun === undefined) return await record.resume();
  if (typeof begun === 'object') return await record.follow({ event: begun, at: Date.now() });

  const { result, calls } = await context.providers.recording(async () =>
    // Stopped or starved since: whoever found this attempt meanwhile counts on its not being sent after `send_by`.
    elapsedMs() > sendMarginMs
      ? tooLateToSend()
      : await tryToSend(work, input, () => send(identity), earlier),
  );
  return await record.writeOutcome({ attemptId: begun, ...result, at: new Date() }, calls);
}

async function tryToSend<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  { context: { db }, books }: Work<Identity, State, Event, Step>,
  { state }: ActivityInput<Identity, State>,
  send: () => Promise<Reported<Event>>,
  earlier: readonly AttemptRow[],
): Promise<Pick<NewOutcome, 'outcome'> & { readonly event: Reported<Event> }> {
  try {
    const event = await send();
    // An answer that says nothing of the calls before it leaves the step in doubt.
    return { outcome: event.type === 'outcomeUnknown' ? 'unknown' : 'answered', event };
  } catch (error) {
    const isRepeat = earlier.some(({ outcome }) => outcome === 'undone');
    const refusal = error instanceof RejectedError ? books.eventOfRefusal?.(error) : undefined;
    if (refusal && !isRepeat) return { outcome: 'declined', event: refusal };
    const { firstRetryMs, longestPollMs, outcomeHorizonMs } = books.waitPolicyOf(state);
    // The call is over, so nothing of it leaves this process after this instant.
    const sentBefore = (await readClock(db)).getTime();
    const circumstances = {
      now: Date.now(),
      horizonAt: sentBefore + outcomeHorizonMs,
      attempts: requireOpenStep(state).attempts,
      firstRetryMs,
      longestRetryMs: longestPollMs,
    };
    const failure = mapFailure(error, circumstances);
    return isRepeat ? mapRefusedRepeat(failure, circumstances, refusal) : failure;
  }
}
