import type { AttemptRow } from '#database/schema';
import type { NewOutcome } from '#database/transitions';
import { RejectedError, startStopwatch } from '#payments-client';
import { readTwoClocks } from '../../process/two-clocks.js';
import { callLimitMs } from '../../provider/provider-clients.js';
import { type AttemptIdentity, identityOfAttempt } from './attempt-identity.js';
import type { InputOf, Kind, OutcomeOf, Reported, Work } from '../activities/subject-writer.js';
import { isRefusalOfDone, mapFailure, meaningOf, mapRefusedRepeat, tooLateToSend } from './error-mapping.js';
import { isAnswered, outcomeOnRecord } from './recorded-outcome.js';
import { StepRecord, requireOpenStep } from './step-record.js';

/** A paused or overloaded process may send a POST a little later than its call limit allows. */
const sendMarginMs = 5_000;

/**
 * Makes one POST that can move money, at most once even if a process crashes (docs/decisions/0005). The attempt is
 * committed before it is sent, and its outcome after. An attempt that has begun is never sent again here: its outcome
 * is recorded, or must be looked up.
 *
 * @param send makes the POST; error-mapping.ts maps its errors.
 * @param seen what the attempt's row keeps of a read before it. The subject's row does not: a run that is started again
 *   from it makes attempts that have not seen that.
 * @throws {UnconfiguredApplicationError} before anything is written.
 */
export async function attemptStep<K extends Kind, const Sent extends Reported<K>>(
  work: Work<K>,
  input: InputOf<K>,
  send: (attempt: AttemptIdentity) => Promise<Sent>,
  seen: object = {},
): Promise<OutcomeOf<K>> {
  const { context } = work;
  const record = new StepRecord(work, input);
  // Fails here if this worker cannot send: an attempt that has begun and is not sent would have an unknown outcome.
  context.providers.for(record.subject);
  const elapsedMs = startStopwatch();
  const earlier = await record.earlier();
  const answered = earlier.find(isAnswered);
  if (answered) return await record.writeRecordedOutcome(outcomeOnRecord<Reported<K>>(answered));
  const identity = await identityOfAttempt(context.db, record.placeOfAttempt(), earlier);
  const mayBeSent = await record.mayHaveBeenSent();
  const begin = await record.begin(identity, seen, callLimitMs + sendMarginMs);
  if (begin.kind === 'repeated') return await record.resume();
  if (begin.kind === 'commandEnded')
    return await record.writeRecordedOutcome({ event: begin.event, at: Date.now() });

  // Looked up first, under the identity that it had before the restore.
  if (mayBeSent) return await record.resume();

  const { result, calls } = await context.providers.recording(async () =>
    // The process was stopped or overloaded since. Another worker may have found this attempt and relies on `send_by`:
    // nothing is sent after it.
    elapsedMs() > sendMarginMs
      ? tooLateToSend()
      : await tryToSend(work, input, () => send(identity), earlier),
  );
  return await record.writeOutcome({ attemptId: begin.attemptId, ...result, at: new Date() }, calls);
}

async function tryToSend<K extends Kind>(
  { context: { db }, writer }: Work<K>,
  { state }: InputOf<K>,
  send: () => Promise<Reported<K>>,
  earlier: readonly AttemptRow[],
): Promise<Pick<NewOutcome, 'outcome'> & { readonly event: Reported<K> }> {
  try {
    const event = await send();
    // An answer that shows nothing about earlier calls leaves the step's outcome unknown.
    return { outcome: event.type === 'outcomeUnknown' ? 'unknown' : 'answered', event };
  } catch (error) {
    const isRepeat = earlier.some(({ outcome }) => outcome === 'undone');
    const refusal = error instanceof RejectedError ? meaningFor(writer, state, error) : undefined;
    if (refusal && !isRepeat) return { outcome: 'declined', event: refusal };
    const { firstRetryMs, longestPollMs, outcomeHorizonMs } = writer.waitPolicyOf(state);
    // The call has ended, so nothing is sent after this instant.
    const { atLatest } = await readTwoClocks(db);
    const now = Date.now();
    const { step, attempts } = requireOpenStep(state);
    const madeAt = writer.madeAtOf?.(state, earlier[0]?.begun_at.getTime() ?? now);
    const circumstances = {
      now,
      horizonAt: atLatest + outcomeHorizonMs,
      attempts,
      firstRetryMs,
      longestRetryMs: longestPollMs,
      isNew: madeAt !== undefined && now < madeAt + outcomeHorizonMs,
    };
    const failure = mapFailure(error, circumstances);
    const isDoubtful = isRepeat || isRefusalOfDone(error, step);
    return isDoubtful ? mapRefusedRepeat(failure, circumstances, refusal) : failure;
  }
}

/** A code that means something in another step only is a refusal like any other: else nothing would follow it here. */
function meaningFor<K extends Kind>(
  { refusalMeanings, lifecycle }: Work<K>['writer'],
  state: K['state'],
  error: RejectedError,
): Reported<K> | undefined {
  const meaning = meaningOf(refusalMeanings, error);
  const isTaken = meaning && lifecycle.transition(state, meaning, Date.now()).kind !== 'stale';
  return isTaken ? meaning : undefined;
}
