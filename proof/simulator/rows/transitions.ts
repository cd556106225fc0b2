import type { AttemptRow } from '../../../libs/database/src/schema.js';
import type { SubjectRecords, Transition } from '../../../libs/database/src/transition-rows.js';
import type { NewAttempt, Settlement } from '../../../libs/database/src/transitions.js';
import type { Subject } from '../../../libs/workflows/src/contract/subject.js';
import type { LifecycleState } from '../../../libs/workflows/src/lifecycle/lifecycle.js';
import type { Position } from '../../../libs/workflows/src/lifecycle/progress.js';
import { simulated } from './database.js';

/** In the place of libs/database/src/transitions.ts. */

export async function beginAttempt<State extends LifecycleState>(
  db: unknown,
  transition: Transition<State>,
  attempt: NewAttempt,
): Promise<number | undefined> {
  return await simulated(db).run((rows) => rows.beginAttempt(transition, attempt));
}

export async function settleAttempt<State extends LifecycleState>(
  db: unknown,
  transition: Transition<State>,
  settlement: Settlement,
): Promise<boolean> {
  return await simulated(db).run((rows) => rows.settleAttempt(transition, settlement));
}

export async function writeTransition<State extends LifecycleState>(
  db: unknown,
  transition: Transition<State>,
): Promise<void> {
  await simulated(db).run((rows) => rows.writeTransition(transition));
}

export const writeTransitionWithin = writeTransition;

export async function findPosition<State>(
  db: unknown,
  _records: SubjectRecords<State>,
  { id }: Subject,
): Promise<Position<State> | undefined> {
  return await simulated(db).run((rows) => {
    const row = rows.subjects.get(id);
    return row && { state: row.state as State, version: row.version };
  });
}

export async function findAttempts(db: unknown, subjectId: string, stepName: string): Promise<AttemptRow[]> {
  return await simulated(db).run((rows) => rows.findAttempts(subjectId, stepName));
}

export async function findAttempt(
  db: unknown,
  subjectId: string,
  stepName: string,
  attemptNumber: number,
): Promise<AttemptRow | undefined> {
  return await simulated(db).run((rows) => rows.findAttempt(subjectId, stepName, attemptNumber));
}
