import type { NewOutcome } from '#database/transitions';
import { TemporalAwayError } from '#runs';
import { type Subject, kindOf } from '#workflows/contract';
import type { ActivityContext } from '../activities/context.js';

/**
 * The answer came after Temporal had given up this worker's task, so the run does not know it. It may wait for its next
 * lookup, or be in review. A hint makes it look up at once and find the recorded answer.
 */
export async function signalLateAnswer(
  context: Pick<ActivityContext, 'runs'>,
  subject: Subject,
  { attemptId }: Pick<NewOutcome, 'attemptId'>,
): Promise<void> {
  await signalCheck(context, subject, { id: `late-answer:${attemptId}`, eventType: 'LATE_ANSWER' });
}

/** Makes a run look up or read at once. If Temporal is away, it does so later by itself. */
export async function signalCheck(
  { runs }: Pick<ActivityContext, 'runs'>,
  subject: Subject,
  { id, eventType }: { readonly id: string; readonly eventType: string },
): Promise<void> {
  const type = kindOf(subject) === 'refund' ? 'refundNotified' : 'providerNotified';
  // A payout waits with a usual hint, of which each of its items sends one.
  const event = { type, eventType, isCheck: true } as const;
  try {
    await runs.signal(subject, { id, event });
  } catch (error) {
    if (!(error instanceof TemporalAwayError)) throw error;
  }
}
