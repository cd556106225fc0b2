import { Client as TemporalClient, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { Client } from 'pg';
import { type SubjectKind, workflowIdOf } from '#workflows/contract';
import { watchedKinds } from '#worker/reconciliation/watch-run.js';
import { withoutKeys } from '#tools/sealed-payloads.js';
import { temporalNamespace } from '#tools/stack-environment.js';

export interface OpenSubject {
  readonly kind: SubjectKind;
  readonly environment: string;
  readonly application: string;
  readonly id: string;
  readonly status: string;
}

/** By the engine's rows. */
export async function openSubjects(engineDatabase: string): Promise<OpenSubject[]> {
  return await withDatabase(engineDatabase, async (db) => {
    const found: OpenSubject[] = [];
    for (const kind of Object.keys(watchedKinds) as (keyof typeof watchedKinds)[]) {
      const { records, open } = watchedKinds[kind];
      const { rows } = await db.query<Omit<OpenSubject, 'kind'>>(
        `select environment, application, id, status from ${records.table} where status = any($1)`,
        [open],
      );
      found.push(...rows.map((row) => ({ ...row, kind })));
    }
    return found;
  });
}

/** How many open subjects there are of each kind in each status. */
export function countByStatus(subjects: readonly OpenSubject[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, status } of subjects)
    counts[`${kind} ${status}`] = (counts[`${kind} ${status}`] ?? 0) + 1;
  return counts;
}

/** How many subjects a new run has continued from their rows since the instant. */
export async function countRebuilt(engineDatabase: string, since: Date): Promise<number> {
  return await withDatabase(engineDatabase, async (db) => {
    const { rows } = await db.query<{ count: number }>(
      `select count(distinct subject_id)::int as count from timeline where event = 'runRestarted' and at >= $1`,
      [since],
    );
    return rows[0]?.count ?? 0;
  });
}

/** Of these, the open ones that Temporal has no run for. */
export async function withoutRun(
  subjects: readonly OpenSubject[],
  temporalAddress: string,
): Promise<OpenSubject[]> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const { workflow } = new TemporalClient({
      connection,
      namespace: temporalNamespace,
      dataConverter: withoutKeys,
    });
    const missing: OpenSubject[] = [];
    for (const subject of subjects) {
      const isKnown = await workflow
        .getHandle(workflowIdOf(subject))
        .describe()
        .then(Boolean, (error: unknown) => {
          if (error instanceof WorkflowNotFoundError) return false;
          throw error;
        });
      if (!isKnown) missing.push(subject);
    }
    return missing;
  } finally {
    await connection.close();
  }
}

async function withDatabase<T>(connectionString: string, work: (db: Client) => Promise<T>): Promise<T> {
  const db = new Client({ connectionString });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
