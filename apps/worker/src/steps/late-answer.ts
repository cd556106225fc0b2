import type { NewOutcome } from '#database/transitions';
import { TemporalAwayError } from '#runs';
import { type Subject, kindOf } from '#workflows/contract';
import type { ActivityContext } from '../context.js';

const eventType = 'LATE_ANSWER';

/**
 * The answer came to a worker that had been given up, and the run goes on without it: it may be in doubt, and look only
 * much later, or have asked a person. Told of something, it looks at once, and finds the answer on record.
 */
export async function tellOfLateAnswer(
  { runs }: Pick<ActivityContext, 'runs'>,
  subject: Subject,
  { attemptId }: Pick<NewOutcome, 'attemptId'>,
): Promise<void> {
  const type = kindOf(subject) === 'refund' ? 'refundNotified' : 'providerNotified';
  const event = { type, eventType };
  try {
    await runs.signal(subject, { id: `late-answer:${attemptId}`, event });
  } catch (error) {
    // The answer is on record all the same: the next look finds it.
    if (!(error instanceof TemporalAwayError)) throw error;
  }
}
