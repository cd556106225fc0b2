import { readClock } from '../../../../libs/database/src/attempts.js';
import { type AttemptRow } from '../../../../libs/database/src/schema.js';
import {
  type Settlement,
  beginAttempt,
  findAttempt,
  findAttempts,
  settleAttempt,
  writeTransition,
} from '../../../../libs/database/src/transitions.js';
import type { StepInput, StepOutcome } from '../../../../libs/workflows/src/contract.js';
import type { OpenStep, PaymentEvent } from '../../../../libs/workflows/src/lifecycle/payment.js';
import { nameOfStep } from '../../../../libs/workflows/src/lifecycle/open-step.js';
import { advance } from '../../../../libs/workflows/src/lifecycle/timeline.js';
import { callLimitMs } from '../provider/provider-clients.js';
import type { ActivityContext } from './activity-context.js';
import { type AttemptIdentity, identityOfAttempt } from './attempt-identity.js';
import { commandOf, outcomeOfStep, commandsIn } from './command-outcomes.js';
import { type MappedFailure, mapFailure, mapRefusedRepeat } from './error-mapping.js';

type Transition = Parameters<typeof writeTransition>[1];

/** A process may hold a POST back (paused, starved) a little longer than its call limit before it is sent. */
const sendMarginMs = 5_000;

/**
 * Makes one POST that can move money, at most once, whatever dies around it (docs/decisions/0005):
 * the attempt is committed before it is sent and its outcome after; an attempt that is found begun is never sent again
 * from here, its outcome is either on record or to be looked up.
 *
 * @param send makes the POST; its errors are judged by error-mapping.ts.
 */
export async function attemptStep(
  context: ActivityContext,
  input: StepInput,
  send: (attempt: AttemptIdentity) => Promise<PaymentEvent>,
): Promise<StepOutcome> {
  const openStep = requireOpenStep(input);
  const elapsedMs = startStopwatch();
  const earlier = await earlierAttempts(context, input, openStep);
  const identity = await identityOfAttempt(context.db, input.identity, earlier);
  const attemptId = await beginAttempt(context.db, transitionBefore(input, openStep), {
    stepName: nameOfStep(openStep),
    attemptNumber: openStep.attempts,
    step: openStep.step,
    ...identity,
    sendWithinMs: callLimitMs + sendMarginMs,
  });
  if (attemptId === undefined) return await resumeAttempt(context, input, openStep);

  const { result, calls } = await context.providers.recording(async () =>
    // Stopped or starved since: whoever found this attempt meanwhile counts on its not being sent after `send_by`.
    elapsedMs() > sendMarginMs
      ? tooLateToSend()
      : await tryToSend(context, input, openStep, () => send(identity), earlier),
  );
  return await settle(context, input, openStep, { attemptId, ...result, at: new Date() }, calls);
}

/**
 * Writes what came of an attempt, and the state that the lifecycle draws from it. Where the attempt was settled
 * before, that stands, and the payment goes on from it.
 *
 * @param taken what the run is told, where that is not the attempt's own event.
 */
export async function settle(
  context: ActivityContext,
  input: StepInput,
  openStep: OpenStep,
  settlement: Settlement,
  calls: Transition['calls'],
  taken: StepOutcome = { event: settlement.event, at: settlement.at.getTime() },
): Promise<StepOutcome> {
  const isMine = await settleAttempt(context.db, transitionAfter(input, openStep, taken, calls), settlement);
  context.changes.announce(input.identity.paymentId);
  return isMine ? taken : await resumeAttempt(context, input, openStep, calls);
}

/**
 * The attempt was made before, and its answer was lost or is not here yet: what it left behind says how to go on. Who
 * settled it may have stood elsewhere in the payment's story, so the rows are brought to where this run stands.
 */
export async function resumeAttempt(
  context: ActivityContext,
  input: StepInput,
  openStep: OpenStep,
  calls: Transition['calls'] = [],
): Promise<StepOutcome> {
  const { paymentId } = input.identity;
  const attempt = await findAttempt(context.db, paymentId, nameOfStep(openStep), openStep.attempts);
  if (!attempt) throw new Error('an attempt vanished');
  if (!attempt.event || !attempt.settled_at) {
    const doubt = { attemptId: attempt.id, ...inDoubt(attempt, input), at: new Date() };
    return await settle(context, input, openStep, doubt, calls);
  }
  const outcome = { event: attempt.event, at: attempt.settled_at.getTime() };
  return await writeOutcome(context, input, openStep, outcome, calls);
}

/** Brings the rows to what the lifecycle draws from an outcome; the attempt itself is settled already. */
export async function writeOutcome(
  context: ActivityContext,
  input: StepInput,
  openStep: OpenStep,
  outcome: StepOutcome,
  calls: Transition['calls'] = [],
): Promise<StepOutcome> {
  await writeTransition(context.db, transitionAfter(input, openStep, outcome, calls));
  context.changes.announce(input.identity.paymentId);
  return outcome;
}

/** Begun and never settled: its process died, or still waits for the answer. Either way only a look can tell. */
export function inDoubt(attempt: AttemptRow, { state }: StepInput): MappedFailure {
  const horizonAt = attempt.send_by.getTime() + state.order.patience.outcomeHorizonMs;
  return { outcome: 'unknown', event: { type: 'outcomeUnknown', horizonAt } };
}

/** Nothing was sent, and nobody else may send this attempt: that is proof. */
function tooLateToSend(): MappedFailure {
  return { outcome: 'deferred', event: { type: 'stepDeferred', retryAt: Date.now() } };
}

async function tryToSend(
  { db }: ActivityContext,
  { state }: StepInput,
  { attempts }: OpenStep,
  send: () => Promise<PaymentEvent>,
  earlier: readonly AttemptRow[],
): Promise<MappedFailure> {
  try {
    return { outcome: 'answered', event: await send() };
  } catch (error) {
    const { firstRetryMs, longestPollMs, outcomeHorizonMs } = state.order.patience;
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
    return earlier.some(({ outcome }) => outcome === 'undone')
      ? mapRefusedRepeat(failure, circumstances)
      : failure;
  }
}

/** The attempts of this step that came before the one that is about to be made. */
async function earlierAttempts(
  { db }: ActivityContext,
  { identity }: StepInput,
  openStep: OpenStep,
): Promise<AttemptRow[]> {
  if (openStep.attempts === 0) return [];
  const attempts = await findAttempts(db, identity.paymentId, nameOfStep(openStep));
  return attempts.filter(({ attempt_number }) => attempt_number < openStep.attempts);
}

/** Time passed by whichever of two clocks saw more: one can be set back, the other stands while a machine sleeps. */
function startStopwatch(): () => number {
  const [wall, monotonic] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wall, performance.now() - monotonic);
}

function transitionBefore(input: StepInput, openStep: OpenStep) {
  const { identity, state, version, timeline } = input;
  const command = commandOf(openStep.step, state);
  const commands = [
    ...commandsIn(timeline),
    ...(command ? [{ ...command, status: 'executing' as const }] : []),
  ];
  return { identity, state, version, timeline, commands };
}

function transitionAfter(
  input: StepInput,
  openStep: OpenStep,
  { event, at }: StepOutcome,
  calls: Transition['calls'],
): Transition {
  const { position, entry } = advance(input, event, at);
  const command = outcomeOfStep(openStep.step, event, position.state);
  const timeline = entry ? [...input.timeline, entry] : input.timeline;
  return {
    identity: input.identity,
    ...position,
    timeline,
    commands: [...commandsIn(timeline), ...(command ? [command] : [])],
    ...(calls && { calls }),
  };
}

export function requireOpenStep({ state }: StepInput): OpenStep {
  if (!state.openStep) throw new Error('no step is open');
  return state.openStep;
}
