import type { LostAttempt, Restore } from '#database/commands';
import type { AttemptRow } from '#database/schema';
import type { StepOf } from '#workflows/lifecycle/step';
import { type AttemptPlace, freshIdentity } from './attempt-identity.js';

/** The attempts of a step up to its present one, as they may have been made before a restore. */
export function attemptsUpTo({ attemptNumber: last, ...place }: AttemptPlace, step: StepOf): LostAttempt[] {
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
