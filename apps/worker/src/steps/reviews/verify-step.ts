import { findCommand } from '#database/commands';
import type { Database } from '#database/connection';
import type { AttemptRow } from '#database/schema';
import type { LifecycleEvent } from '#workflows/lifecycle';
import type { DecidedReview, DecisionRefusal, DecisionRefused, OpenStep } from '#workflows/lifecycle/step';
import { readTwoClocks } from '../../process/two-clocks.js';
import { isAnswered, isOpen, outcomeOnRecord } from '../attempts/recorded-outcome.js';
import { StepRecord } from '../attempts/step-record.js';
import type { Calls, InputOf, Kind, OutcomeOf, Work } from '../activities/subject-writer.js';
import {
  type NamedResource,
  type DecisionResult,
  verifyHappened,
  verifyProvedUndone,
  verifyUndone,
} from './decision-result.js';
import { type Lookup, confirmed } from '../lookups/look-up-step.js';
import { recordEvent } from '../activities/record-event.js';

/** How decisions about the steps of one lifecycle are checked against the provider. */
export interface Verification<Event, Step> {
  readonly lookUp: Lookup<Event, Step>;
  /** What the provider shows under an id that the operator gave. */
  readNamed(
    step: Step,
    id: string | undefined,
    attempts: readonly AttemptRow[],
  ): Promise<NamedResource<Event>>;
  /** The event that the operator's word alone allows; undefined if only the provider can show the result. */
  eventOnWord(step: Step, decided: DecidedReview<string>): Event | undefined;
  /** True for a step whose effect nothing would watch if it were called undone on the operator's word alone. */
  isReadRequired(step: Step): boolean;
  /** Why such a step cannot be decided, if there is more to say than that the provider cannot be read. */
  readonly whyRead?: string;
}

/**
 * Checks an operator's decision about a step against the provider. What the provider shows has priority. If the
 * provider cannot be read, the decision counts only if it is marked as unverified, and never before the outcome horizon
 * or if only the provider can show the result (docs/decisions/0009).
 */
export async function verifyStep<K extends Kind>(
  work: Work<K>,
  input: InputOf<K>,
  decided: DecidedReview<string>,
  verification: Verification<K['event'], K['step']>,
): Promise<OutcomeOf<K>> {
  const { context } = work;
  const record = new StepRecord(work, input);
  const { openStep } = record;
  const refusal = await refusalOnRecord(context.db, decided);
  if (refusal) return await recordEvent(work, input, refusal);
  const attempts = await record.attempts();
  // Not always the latest: a batch is asked for again while its outcome is unknown, and that call may be put off.
  const attempt = attempts.findLast(isOpen);
  if (!attempt || attempts.some(isAnswered)) return await takeRecordedOutcome(work, input, record, decided);
  const { surely: lookedAt } = await readTwoClocks(context.db);
  const { result, calls } = await context.providers.recording(() =>
    verifyDecision(verification, openStep, decided, attempts, lookedAt),
  );
  if ('refused' in result) return await recordEvent(work, input, refusalOf(decided, result), { calls });
  const outcome = result.event.type === 'stepDecidedUndone' ? 'undone' : 'answered';
  const outcomeRecord = { attemptId: attempt.id, outcome, event: result.event, at: new Date() } as const;
  return await record.writeOutcome(outcomeRecord, calls, {
    onAlreadyRecorded: () => takeRecordedOutcome(work, input, record, decided, calls),
  });
}

/** The refusal that a worker recorded before it lost its task: the decision stays refused. */
export async function refusalOnRecord(
  db: Database,
  { commandId }: DecidedReview<string>,
): Promise<DecisionRefused | undefined> {
  const command = await findCommand(db, commandId);
  if (command?.status !== 'refused') return undefined;
  const { code, reason = '' } = command.result ?? {};
  // The recorded refusal was written by this lifecycle.
  return { type: 'decisionRefused', commandId, code: code as DecisionRefusal, reason };
}

export function refusalOf(
  { commandId }: DecidedReview<string>,
  { refused, reason }: Extract<DecisionResult<never>, { readonly refused: unknown }>,
): DecisionRefused {
  return { type: 'decisionRefused', commandId, code: refused, reason };
}

/** The outcome was recorded while the operator decided: compares the decision with it. */
async function takeRecordedOutcome<K extends Kind>(
  work: Work<K>,
  input: InputOf<K>,
  record: StepRecord<K>,
  decided: DecidedReview<string>,
  calls: Calls = [],
): Promise<OutcomeOf<K>> {
  const attempts = await record.attempts();
  const { outcome } = record.present(attempts);
  const isUndone = outcome === 'undone' || outcome === 'deferred';
  const answered = attempts.find(isAnswered);
  if (isUndone && answered) return await record.writeRecordedOutcome(outcomeOnRecord(answered), calls);
  if (!isUndone) return await record.resume(calls);
  const result = verifyProvedUndone(decided);
  if ('refused' in result) return await recordEvent(work, input, refusalOf(decided, result), { calls });
  return await record.writeRecordedOutcome({ event: result.event, at: Date.now() }, calls);
}

async function verifyDecision<Event extends LifecycleEvent, Step>(
  verification: Verification<Event, Step>,
  openStep: OpenStep<Step>,
  decided: DecidedReview<string>,
  attempts: readonly AttemptRow[],
  lookedAt: number,
): Promise<DecisionResult<Event>> {
  const { step } = openStep;
  const isPastHorizon = lookedAt >= openStep.horizonAt;
  const seen = await confirmed(() => verification.lookUp(openStep, attempts, isPastHorizon));
  if (decided.decision === 'did_not_happen') {
    return verifyUndone(seen, openStep, decided, {
      lookedAt,
      isReadRequired: verification.isReadRequired(step),
      whyRead: verification.whyRead,
    });
  }
  const named = await verification.readNamed(step, decided.resourceId, attempts);
  const onWord = verification.eventOnWord(step, decided);
  return verifyHappened(seen, named, onWord, decided, verification.whyRead);
}
