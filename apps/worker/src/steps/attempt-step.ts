import { readClock } from '#database/attempts.js';
import type { AttemptRow } from '#database/schema.js';
import type { Transition } from '#database/transition-rows.js';
import {
  CommandEndedError,
  type NewOutcome,
  beginAttempt,
  findAttempts,
  writeAttemptOutcome,
  writeTransition,
} from '#database/transitions.js';
import { RejectedError } from '#payments-client/index.js';
import type { LifecycleEvent } from '#workflows/lifecycle/lifecycle.js';
import { advance } from '#workflows/lifecycle/progress.js';
import {
  type OpenStep,
  type StepEvent,
  type StepOf,
  withReviewAt,
} from '#workflows/lifecycle/step/open-step.js';
import type { SteppingState } from '#workflows/lifecycle/step/step-rules.js';
import type { DecisionRefused } from '#workflows/lifecycle/step/review.js';
import { callLimitMs } from '../provider/provider-clients.js';
import { type AttemptIdentity, identityOfAttempt } from './attempt-identity.js';
import type { ActivityInput, ActivityOutcome } from '#workflows/contract/run.js';
import { type Work, writerOf } from './bookkeeping.js';
import { inDoubt, isAnswered, isOpen, outcomeOnRecord } from './recorded-outcome.js';
import { startStopwatch } from './stopwatch.js';
import { tellOfLateAnswer } from './late-answer.js';
import { mapFailure, mapRefusedRepeat, tooLateToSend } from './error-mapping.js';

/** Every event that a step's activity can report. */
type Reported<Event> = Event | StepEvent | DecisionRefused;
export type Calls = NonNullable<Transition['calls']>;

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
  const { context, books } = work;
  const subject = books.subjectOf(input.identity);
  const openStep = requireOpenStep<Step>(input.state);
  // A worker that cannot send leaves no attempt behind: begun and not made, it would be in doubt.
  context.providers.for(subject);
  const elapsedMs = startStopwatch();
  const earlier = await earlierAttempts(work, input, openStep);
  const answered = earlier.find(isAnswered);
  if (answered) return await followOutcome(work, input, openStep, outcomeOnRecord<Reported<Event>>(answered));
  const identity = await identityOfAttempt(context.db, subject.id, earlier);
  const begun = await beginAttempt(context.db, transitionBefore(work, input, openStep), {
    stepName: books.nameOfStep(openStep),
    attemptNumber: openStep.attempts,
    step: openStep.step,
    ...identity,
    sendWithinMs: callLimitMs + sendMarginMs,
  }).catch(refusedBefore);
  if (begun === undefined) return await resumeAttempt(work, input, openStep);
  if (typeof begun === 'object')
    return await followOutcome(work, input, openStep, { event: begun, at: Date.now() });

  const { result, calls } = await context.providers.recording(async () =>
    // Stopped or starved since: whoever found this attempt meanwhile counts on its not being sent after `send_by`.
    elapsedMs() > sendMarginMs
      ? tooLateToSend()
      : await tryToSend(work, input, openStep, () => send(identity), earlier),
  );
  return await recordOutcome(work, input, openStep, { attemptId: begun, ...result, at: new Date() }, calls);
}

/** Its caller has been told that the command came to nothing, by a worker whose task got lost: so it does. */
function refusedBefore(error: unknown): Extract<StepEvent, { type: 'stepDeclined' }> {
  if (!(error instanceof CommandEndedError)) throw error;
  return { type: 'stepDeclined', reason: error.reason };
}

/** What the activity returns, where that is neither the attempt's own event nor the outcome recorded before. */
interface RecordingOptions<Event extends LifecycleEvent> {
  /** What the run is told. */
  readonly taken?: ActivityOutcome<Reported<Event>>;
  /** What to do where another process has recorded the outcome before: that outcome counts. */
  readonly lost?: () => Promise<ActivityOutcome<Reported<Event>>>;
}

/** Records the outcome of an attempt, and the state that follows from it. */
export async function recordOutcome<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  work: Work<Identity, State, Event, Step>,
  input: ActivityInput<Identity, State>,
  openStep: OpenStep<Step>,
  told: NewOutcome & { readonly event: Reported<Event> },
  calls: Calls,
  options: RecordingOptions<Event> = {},
): Promise<ActivityOutcome<Reported<Event>>> {
  const { db, changes } = work.context;
  const at = told.at.getTime();
  const event = withReviewAt(told.event, work.books.waitPolicyOf(input.state), at);
  const outcome = { ...told, event };
  const { taken = { event, at }, lost = () => resumeAttempt(work, input, openStep, calls) } = options;
  const subject = work.books.subjectOf(input.identity);
  const transition = transitionAfter(work, input, openStep, taken, calls);
  const recorded = await writeAttemptOutcome(db, transition, outcome);
  changes.announce(subject.id);
  if (recorded === 'late' && !isOpen(outcome)) await tellOfLateAnswer(work.context, subject, outcome);
  return recorded ? taken : await lost();
}

/**
 * The attempt was made before, and its answer was lost or is not here yet: what it left behind says how to go on. Another
 * task may have recorded its outcome from another state, so the rows are brought to the state of this run.
 */
export async function resumeAttempt<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  work: Work<Identity, State, Event, Step>,
  input: ActivityInput<Identity, State>,
  openStep: OpenStep<Step>,
  calls: Calls = [],
): Promise<ActivityOutcome<Reported<Event>>> {
  const { context, books } = work;
  const { id } = books.subjectOf(input.identity);
  const attempts = await findAttempts(context.db, id, books.nameOfStep(openStep));
  const attempt = attempts.find(({ attempt_number }) => attempt_number === openStep.attempts);
  if (!attempt) throw new Error('an attempt vanished');
  const answered = attempts.find(isAnswered);
  if (attempt.event && !(isOpen(attempt) && answered)) {
    return await followOutcome(work, input, openStep, outcomeOnRecord<Reported<Event>>(attempt), calls);
  }
  const found: Pick<NewOutcome, 'outcome'> & { readonly event: Reported<Event> } = answered
    ? { outcome: 'answered', event: outcomeOnRecord<Reported<Event>>(answered).event }
    : inDoubt(work, attempt, input.state);
  const told = { attemptId: attempt.id, ...found, at: new Date() };
  return await recordOutcome(work, input, openStep, told, calls);
}

/** Brings the rows to the state that follows from an outcome; the outcome itself is recorded already. */
export async function followOutcome<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  work: Work<Identity, State, Event, Step>,
  input: ActivityInput<Identity, State>,
  openStep: OpenStep<Step>,
  outcome: ActivityOutcome<Reported<Event>>,
  calls: Calls = [],
): Promise<ActivityOutcome<Reported<Event>>> {
  await writeTransition(work.context.db, transitionAfter(work, input, openStep, outcome, calls));
  work.context.changes.announce(work.books.subjectOf(input.identity).id);
  return outcome;
}

async function tryToSend<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  { context: { db }, books }: Work<Identity, State, Event, Step>,
  { state }: ActivityInput<Identity, State>,
  { attempts }: OpenStep<Step>,
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
      attempts,
      firstRetryMs,
      longestRetryMs: longestPollMs,
    };
    const failure = mapFailure(error, circumstances);
    return isRepeat ? mapRefusedRepeat(failure, circumstances, refusal) : failure;
  }
}

/** The attempts of this step that came before the one that is about to be made. */
async function earlierAttempts<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  { context, books }: Work<Identity, State, Event, Step>,
  { identity }: ActivityInput<Identity, State>,
  openStep: OpenStep<Step>,
): Promise<AttemptRow[]> {
  if (openStep.attempts === 0) return [];
  const attempts = await findAttempts(context.db, books.subjectOf(identity).id, books.nameOfStep(openStep));
  return attempts.filter(({ attempt_number }) => attempt_number < openStep.attempts);
}

function transitionBefore<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  { books }: Work<Identity, State, Event, Step>,
  input: ActivityInput<Identity, State>,
  openStep: OpenStep<Step>,
): Transition<State> {
  const { identity, state, version, timeline } = input;
  const command = books.commandOf(openStep.step, state);
  const commands = [
    ...books.commandsIn(timeline),
    ...(command ? [{ ...command, status: 'executing' as const }] : []),
  ];
  return {
    ...writerOf(input),
    records: books.records,
    subject: books.subjectOf(identity),
    state,
    version,
    timeline,
    commands,
  };
}

function transitionAfter<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  { books }: Work<Identity, State, Event, Step>,
  input: ActivityInput<Identity, State>,
  openStep: OpenStep<Step>,
  { event, at }: ActivityOutcome<Reported<Event>>,
  calls: Calls,
): Transition<State> {
  const { position, entry } = advance(books.lifecycle, input, event, at);
  const command = books.outcomeOfStep(openStep.step, event, position.state);
  const timeline = entry ? [...input.timeline, entry] : input.timeline;
  return {
    ...writerOf(input),
    records: books.records,
    subject: books.subjectOf(input.identity),
    ...position,
    timeline,
    commands: [...books.commandsIn(timeline), ...(command ? [command] : [])],
    calls,
  };
}

export function requireOpenStep<Step>({ openStep }: { readonly openStep?: OpenStep<Step> }): OpenStep<Step> {
  if (!openStep) throw new Error('no step is open');
  return openStep;
}
