import { type Expression, type Kysely, sql } from 'kysely';
import { runPrepared } from '../database/prepared.js';
import type { Tables } from '../database/tables.js';

/** What falls due within it is awaited at the usual pace of a sweep. */
export const SOON_MS = 1_500;

/** What is due at an instant. */
export type DueAt<Query extends Expression<unknown> = Expression<unknown>> = (instant: Date) => Query;

interface Look {
  readonly due: Expression<unknown>;
  readonly resolve: (isAnyDue: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

/** The queries that are asked together next. */
const waiting = new WeakMap<object, Look[]>();

/**
 * Whether anything is due, or will be soon. The sweeps of a service ask again and again and nearly always find nothing. Their
 * timers fire together: their queries become one statement.
 */
export function isAnyDueSoon(database: Kysely<Tables>, dueAt: DueAt): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const look = { due: dueAt(new Date(Date.now() + SOON_MS)), resolve, reject };
    const together = waiting.get(database);
    if (together) {
      together.push(look);
      return;
    }
    waiting.set(database, [look]);
    setImmediate(() => void ask(database));
  });
}

async function ask(database: Kysely<Tables>): Promise<void> {
  const looks = waiting.get(database) ?? [];
  waiting.delete(database);
  try {
    const columns = looks.map(({ due }, index) => sql`exists (${due}) as ${sql.ref(`look_${index}`)}`);
    const { rows } = await runPrepared(database, sql<Record<string, boolean>>`select ${sql.join(columns)}`);
    for (const [index, { resolve }] of looks.entries()) resolve(rows[0]?.[`look_${index}`] === true);
  } catch (error) {
    for (const { reject } of looks) reject(error);
  }
}
