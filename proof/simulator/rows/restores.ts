import type { LostAttempt } from '#database/commands';
import type { Subject } from '#workflows/contract';
import { simulated } from './database.js';

/** In the place of libs/database/src/commands/restores.ts. */

const repeatedWithinMs = 24 * 3_600_000;

export async function mayHaveLostAttempt(
  db: unknown,
  { id }: Subject,
  commandId: string | undefined,
  restoredAt: Date,
): Promise<boolean> {
  return await simulated(db).run((rows) => {
    const command = rows.commands.get(commandId ?? '');
    const at = restoredAt.getTime();
    return isBefore(rows.subjects.get(id), at) && isBefore(command, at + repeatedWithinMs);
  });
}

/** No refund's row is lost here. */
export async function findRefundOrder(): Promise<undefined> {
  return undefined;
}

export async function writeLostAttempts(
  db: unknown,
  subjectId: string,
  attempts: readonly LostAttempt[],
): Promise<void> {
  await simulated(db).run((rows) => {
    for (const attempt of attempts) {
      if (rows.findAttempt(subjectId, attempt.step_name, attempt.attempt_number)) continue;
      rows.insertAttempt({ subject_id: subjectId, ...attempt }, 0);
    }
  });
}

function isBefore(row: { readonly createdAt?: number } | undefined, instant: number): boolean {
  return row?.createdAt === undefined || row.createdAt < instant;
}
