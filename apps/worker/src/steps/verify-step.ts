import { readClock, findCommand } from '#database/commands';
import type { Database } from '#database/connection';
import type { AttemptRow } from '#database/schema';
import type { LifecycleEvent } from '#workflows/lifecycle';
import type {
  OpenStep,
  StepEvent,
  StepOf,
  DecidedReview,
  DecisionRefusal,
  DecisionRefused,
  SteppingState,
} from '#workflows/lifecycle/step';
import { isAnswered, isOpen } from './recorded-outcome.js';
import { type Calls, StepRecord } from './step-record.js';
import type { ActivityInput, ActivityOutcome } from '#workflows/contract';
import type { Work } from './bookkeeping.js';
import {
  type NamedResource,
  type DecisionResult,
  verifyHappened,
  verifyProvedUndone,
  verifyUndone,
} from './decision-result.js';
import { type Looking, readable } from './look-up-step.js';
import { recordEvent } from './record-event.js';

/** How the steps of one lifecycle are held against the provider. */
export interface Verification<Event, Step> {
  readonly look: Looking<Event, Step>;
  /** What the provider shows under an id that the operator gave. */
  findNamed(
    step: Step,
    id: string | undefined,
    attempts: readonly AttemptRow[],
  ): Promise<NamedResource<Event>>;
  /** What the operator's word alone can stand for: nothing, where only the provider can tell what was made. */
  eventOnWord(step: Step, decided: DecidedReview<string>): Event | undefined;
  /** For a step whose effect nobody would mind, were it called undone on word alone. */
  isReadRequired(step: Step): boolean;
}

/**
 * Holds an operator's decision about a step against the provider. What the provider shows goes before what a person
 * says; where it cannot be read, the person's word counts only if it was given for that case, and never before the
 * outcome horizon, nor where only the provider can tell what was made (docs/decisions/0009).
 */
export async function verifyStep<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  work: Work<Identity, State, Event, Step>,
  input: ActivityInput<Identity, State>,
  decided: DecidedReview<string>,
  verification: Verification<Event, Step>,
): Promise<ActivityOutcome<Event | StepEvent | DecisionRefused>> {
  const { context } = work;
  const record = new StepRecord(work, input);
  const { openStep } = record;
  const told = await refusalOnRecord(context.db, decided);
  if (told) return await recordEvent(work, input, told);
  const attempts = await record.attempts();
  const attempt = record.present(attempts);
  if (!isOpen(attempt) || attempts.some(isAnswered))
    return await takeRecordedOutcome(work, input, record, decided);
  const lookedAt = (await readClock(context.db)).getTime();
  const { result, calls } = await context.providers.recording(() =>
    verifyDecision(verification, openStep, decided, attempts, lookedAt),
  );
  if ('refused' in result) return await recordEvent(work, input, refusalOf(decided, result), calls);
  const outcome = result.event.type === 'stepDecidedUndone' ? 'undone' : 'answered';
  const outcomeRecord = { attemptId: attempt.id, outcome, event: result.event, at: new Date() } as const;
  return await record.writeOutcome(outcomeRecord, calls, {
    lost: () => takeRecordedOutcome(work, input, record, decided, calls),
  });
}

/** Told before, by a worker whose task got lost: it is not taken after all. */
export async function refusalOnRecord(
  db: Database,
  { commandId }: DecidedReview<string>,
): Promise<DecisionRefused | undefined> {
  const command = await findCommand(db, commandId);
  if (command?.status !== 'refused') return undefined;
  const { code, reason = '' } = command.result ?? {};
  // What a decision was refused with was written by this lifecycle.
  return { type: 'decisionRefused', commandId, code: code as DecisionRefusal, reason };
}

export function refusalOf(
  { commandId }: DecidedReview<string>,
  { refused, reason }: Extract<DecisionResult<never>, { readonly refused: unknown }>,
): DecisionRefused {
  return { type: 'decisionRefused', commandId, code: refused, reason };
}

/** The outcome was recorded while the operator decided: the decision is compared with that outcome. */
async function takeRecordedOutcome<
  Identity,
  State extends SteppingState<Step>,
  Event extends LifecycleEvent,
  Step extends StepOf,
>(
  work: Work<Identity, State, Event, Step>,
  input: ActivityInput<Identity, State>,
  record: StepRecord<Identity, State, Event, Step>,
  decided: DecidedReview<string>,
  calls: Calls = [],
): Promise<ActivityOutcome<Event | StepEvent | DecisionRefused>> {
  const { outcome } = record.present(await record.attempts());
  const isUndone = outcome === 'undone' || outcome === 'deferred';
  if (!isUndone) return await record.resume(calls);
  const result = verifyProvedUndone(decided);
  if ('refused' in result) return await recordEvent(work, input, refusalOf(decided, result), calls);
  return await record.follow({ event: result.event, at: Date.now() }, calls);
}

async function verifyDecision<Event extends LifecycleEvent, Step>(
  verification: Verification<Event, Step>,
  openStep: OpenStep<Step>,
  decided: DecidedReview<string>,
  attempts: readonly AttemptRow[],
  lookedAt: number,
): Promise<DecisionResult<Event>> {
  const { step } = openStep;
  const seen = await readable(verification.look(openStep, attempts));
  if (decided.decision === 'did_not_happen') {
    return verifyUndone(seen, openStep, decided, {
      lookedAt,
      isReadRequired: verification.isReadRequired(step),
    });
  }
  const named = await verification.findNamed(step, decided.resourceId, attempts);
  return verifyHappened(seen, named, verification.eventOnWord(step, decided), decided);
}
