import type { FailedCall } from '#database/commands';
import type { AttemptRow } from '#database/schema';
import { simulated } from './database.js';

/** In the place of libs/database/src/commands/attempts.ts. */

export async function findFailedCalls(
  db: unknown,
  subjectId: string,
  requestId: string,
): Promise<FailedCall[]> {
  return await simulated(db).run((rows) =>
    rows.calls.flatMap((call) => {
      if (call.subjectId !== subjectId || call.requestId !== requestId) return [];
      if (call.status === null || call.status < 400) return [];
      const code = (call.response as { readonly name?: string } | undefined)?.name ?? null;
      return [{ status: call.status, code, debugId: call.debugId ?? null }];
    }),
  );
}

export async function findCommandsByReference(
  db: unknown,
  subjectId: string,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (references.length === 0) return new Map();
  return await simulated(db).run((rows) => {
    const ours = rows.attempts.filter(
      ({ subject_id, reference }) => subject_id === subjectId && references.includes(reference),
    );
    return new Map(
      ours.flatMap(({ reference, step }) =>
        step.commandId === undefined ? [] : [[reference, step.commandId]],
      ),
    );
  });
}

export async function listAttempts(db: unknown, subjectId: string): Promise<AttemptRow[]> {
  return await simulated(db).run((rows) =>
    rows.attempts.filter(({ subject_id }) => subject_id === subjectId),
  );
}

export async function readClock(db: unknown): Promise<Date> {
  return await simulated(db).run((rows) => new Date(rows.now()));
}
