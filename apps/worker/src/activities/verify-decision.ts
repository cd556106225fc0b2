import { readClock } from '../../../../libs/database/src/attempts.js';
import type { AttemptRow } from '../../../../libs/database/src/schema.js';
import { findAttempts, writeTransition } from '../../../../libs/database/src/transitions.js';
import type { StepInput, StepOutcome } from '../../../../libs/workflows/src/contract.js';
import type {
  DecidedReview,
  DecisionRefusal,
  OpenStep,
  PaymentEvent,
} from '../../../../libs/workflows/src/lifecycle/payment.js';
import { nameOfStep } from '../../../../libs/workflows/src/lifecycle/open-step.js';
import { advance } from '../../../../libs/workflows/src/lifecycle/timeline.js';
import type { ActivityContext } from './activity-context.js';
import { resumeAttempt, settle, writeOutcome } from './attempt-step.js';
import { commandsIn } from './command-outcomes.js';
import { type Verdict, judgeHappened, judgeProvedUndone, judgeUndone } from './decision-verdict.js';
import { findNamed } from './find-named-resource.js';
import { isOpen, look } from './look-up-outcome.js';

/**
 * Holds an operator's decision against the provider. What the provider shows goes before what a person says; where it
 * cannot be read, the person's word counts only if it was given for that case, and never before the outcome horizon,
 * nor where only the provider can tell what was made (docs/decisions/0009).
 */
export async function verifyDecision(
  context: ActivityContext,
  input: StepInput,
  decided: DecidedReview,
): Promise<StepOutcome> {
  const { openStep } = input.state;
  return openStep
    ? await verifyStep(context, input, openStep, decided)
    : await verifyUnseenCapture(context, input, decided);
}

async function verifyStep(
  context: ActivityContext,
  input: StepInput,
  openStep: OpenStep,
  decided: DecidedReview,
): Promise<StepOutcome> {
  const attempts = await findAttempts(context.db, input.identity.paymentId, nameOfStep(openStep));
  const attempt = attempts.find(({ attempt_number }) => attempt_number === openStep.attempts);
  if (!attempt) throw new Error('a step under review has no attempt');
  if (!isOpen(attempt)) return await takeSettled(context, input, openStep, attempt, decided);
  const lookedAt = (await readClock(context.db)).getTime();
  const { result: verdict, calls } = await context.providers.recording(() =>
    judgeStep(context, input, openStep, decided, attempts, lookedAt),
  );
  if ('refused' in verdict) return await record(context, input, refusal(decided, verdict), calls);
  const outcome = verdict.event.type === 'stepDecidedUndone' ? 'undone' : 'answered';
  const settlement = { attemptId: attempt.id, outcome, event: verdict.event, at: new Date() } as const;
  return await settle(context, input, openStep, settlement, calls);
}

/** Whoever made the attempt has settled it while the operator decided. */
async function takeSettled(
  context: ActivityContext,
  input: StepInput,
  openStep: OpenStep,
  { outcome }: AttemptRow,
  decided: DecidedReview,
): Promise<StepOutcome> {
  if (outcome !== 'undone' && outcome !== 'deferred') return await resumeAttempt(context, input, openStep);
  const verdict = judgeProvedUndone(decided);
  if ('refused' in verdict) return await record(context, input, refusal(decided, verdict));
  return await writeOutcome(context, input, openStep, { event: verdict.event, at: Date.now() });
}

async function judgeStep(
  context: ActivityContext,
  input: StepInput,
  openStep: OpenStep,
  decided: DecidedReview,
  attempts: readonly AttemptRow[],
  lookedAt: number,
): Promise<Verdict> {
  const seen = await look(context, input, openStep, attempts);
  if (decided.decision === 'did_not_happen') return judgeUndone(seen, openStep, decided, lookedAt);
  const named = await findNamed(context, input, openStep.step, decided.resourceId, attempts);
  return judgeHappened(seen, named, openStep.step, decided);
}

/** The provider calls a hold captured and shows no capture of it: an operator may have found one, or found none. */
async function verifyUnseenCapture(
  context: ActivityContext,
  input: StepInput,
  decided: DecidedReview,
): Promise<StepOutcome> {
  if (decided.decision === 'did_not_happen') {
    const event: PaymentEvent = decided.isUnverified
      ? { type: 'stepDecidedUndone', reason: 'An operator has decided that nothing was captured.' }
      : refusal(decided, { refused: 'cannot_be_verified', reason: 'The provider calls it captured.' });
    return await record(context, input, event, []);
  }
  const { result: named, calls } = await context.providers.recording(() =>
    findNamed(context, input, undefined, decided.resourceId, []),
  );
  const verdict = judgeHappened('unreadable', named, undefined, decided);
  const event = 'refused' in verdict ? refusal(decided, verdict) : verdict.event;
  return await record(context, input, event, calls);
}

function refusal(
  { commandId }: DecidedReview,
  { refused, reason }: { readonly refused: DecisionRefusal; readonly reason: string },
): PaymentEvent {
  return { type: 'decisionRefused', commandId, code: refused, reason };
}

async function record(
  context: ActivityContext,
  input: StepInput,
  event: PaymentEvent,
  calls: Parameters<typeof settle>[4] = [],
): Promise<StepOutcome> {
  const at = Date.now();
  const { position, entry } = advance(input, event, at);
  const timeline = entry ? [...input.timeline, entry] : input.timeline;
  const { identity } = input;
  await writeTransition(context.db, {
    identity,
    ...position,
    timeline,
    commands: commandsIn(timeline),
    calls,
  });
  context.changes.announce(identity.paymentId);
  return { event, at };
}
