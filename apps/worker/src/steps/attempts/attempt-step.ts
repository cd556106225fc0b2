import { readClock } from '#database/commands';
import type { AttemptRow } from '#database/schema';
import type { NewOutcome } from '#database/transitions';
import { RejectedError } from '#payments-client';
import type { ActivityInput, ActivityOutcome } from '#workflows/contract';
import type { LifecycleEvent } from '#workflows/lifecycle';
import type { StepOf, SteppingState } from '#workflows/lifecycle/step';
import { callLimitMs } from '../../provider/provider-clients.js';
import { type AttemptIdentity, identityOfAttempt } from './attempt-identity.js';
import type { Work } from '../activities/subject-writer.js';
import { mapFailure, mapRefusedRepeat, tooLateToSend } from './error-mapping.js';
import { isAnswered, outcomeOnRecord } from './recorded-outcome.js';
import { type Reported, StepRecord, requireOpenStep } from './step-record.js';
import { startStopwatch } from './stopwatch.js';

/** A paused or overloaded process may send a POST a little later than its call limit allows. */
const sendMarginMs = 5_000;

/**
 * Makes one POST that can move money, at most once even if a process crashes (docs/decisions/0005). The attempt is
 * committed before it is sent, and its outcome after. An attempt that has begun is never sent again here: its outcome
 * is recorded, or must be looked up.
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
  // Fails here if this worker cannot send: an attempt that has begun and is not sent would have an unknown outcome.
  context.providers.for(record.subject);
  const elapsedMs = startStopwatch();
  const earlier = await record.earlier();
  const answered = earlier.find(isAnswered);
  if (answered) return await record.writeRecordedOutcome(outcomeOnRecord<Reported<Event>>(answered));
  const identity = await identityOfAttempt(context.db, record.subject.id, earlier);
  const begin = await record.begin(identity, callLimitMs + sendMarginMs);
  if (begin.kind === 'repeated') return await record.resume();
  if (begin.kind === 'commandEnded')
    return await record.writeRecordedOutcome({ event: begin.event, at: Date.now() });

  const { result, calls } = await context.providers.recording(async () =>
    // The process was stopped or overloaded since. Another worker may have found this attempt and relies on `send_by`:
    // nothing is sent after it.
    elapsedMs() > sendMarginMs
      ? tooLateToSend()
      : await tryToSend(work, input, () => send(identity), earlier),
  );
  return await record.writeOutcome({ attemptId: begin.attemptId, ...result, at: new Date() }, calls);
}

async function tryToSend<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  { context: { db }, writer }: Work<Identity, State, Event, Step>,
  { state }: ActivityInput<Identity, State>,
  send: () => Promise<Reported<Event>>,
  earlier: readonly AttemptRow[],
): Promise<Pick<NewOutcome, 'outcome'> & { readonly event: Reported<Event> }> {
  try {
    const event = await send();
    // An answer that shows nothing about earlier calls leaves the step's outcome unknown.
    return { outcome: event.type === 'outcomeUnknown' ? 'unknown' : 'answered', event };
  } catch (error) {
    const isRepeat = earlier.some(({ outcome }) => outcome === 'undone');
    const refusal = error instanceof RejectedError ? writer.eventOfRefusal?.(error) : undefined;
    if (refusal && !isRepeat) return { outcome: 'declined', event: refusal };
    const { firstRetryMs, longestPollMs, outcomeHorizonMs } = writer.waitPolicyOf(state);
    // The call has ended, so nothing is sent after this instant.
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
