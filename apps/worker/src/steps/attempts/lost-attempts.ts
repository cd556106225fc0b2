import { type LostAttempt, type Restore, writeLostAttempts } from '#database/commands';
import type { AttemptRow } from '#database/schema';
import { findAttempts } from '#database/transitions';
import type { StepOf } from '#workflows/lifecycle/step';
import type { ActivityContext } from '../activities/context.js';
import { type AttemptPlace, freshIdentity } from './attempt-identity.js';

/**
 * The attempts of a step. Those that the run knows have rows, unless the database was restored to a moment before them:
 * their rows are written again.
 *
 * @param last the latest that the run knows.
 */
export async function attemptsKnown(
  { db, restore }: Pick<ActivityContext, 'db' | 'restore'>,
  last: AttemptPlace,
  step: StepOf,
): Promise<AttemptRow[]> {
  const attempts = await findAttempts(db, last.subjectId, last.stepName);
  if (!restore) return attempts;
  const known = new Set(attempts.map(({ attempt_number }) => attempt_number));
  const lost = attemptsUpTo(last, step).filter(({ attempt_number }) => !known.has(attempt_number));
  if (lost.length === 0) return attempts;
  await writeLostAttempts(db, last.subjectId, lost);
  return await findAttempts(db, last.subjectId, last.stepName);
}

/** The attempts of a step up to one of them, as they may have been made before a restore. */
function attemptsUpTo({ attemptNumber: last, ...place }: AttemptPlace, step: StepOf): LostAttempt[] {
  return Array.from({ length: last + 1 }, (_, attemptNumber) => {
    const { requestId, reference } = freshIdentity({ ...place, attemptNumber });
    const identity = { request_id: requestId, reference };
    return { step_name: place.stepName, attempt_number: attemptNumber, step, ...identity };
  });
}

/** True for an attempt whose row was written after the restore. */
export function isBegunSince({ restoredAt }: Restore) {
  return ({ begun_at }: Pick<AttemptRow, 'begun_at'>): boolean => begun_at >= restoredAt;
}
