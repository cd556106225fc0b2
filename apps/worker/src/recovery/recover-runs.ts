import { setTimeout as wait } from 'node:timers/promises';
import { readClock } from '#database/commands';
import type { Database } from '#database/connection';
import {
  countOpenSubjects,
  findIdleSubjects,
  noteReconciled,
  openReconciliation,
} from '#database/reconciliation';
import type { Owner } from '#database/schema';
import { type SubjectKind, kindOf } from '#workflows/contract';
import { watchedKinds, watchRun } from '../reconciliation/watch-run.js';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { logFailed, tryAgain, workOnEach } from './work-on-each.js';

/** Of one kind of subject. */
export interface RecoveredRuns {
  /** Open subjects when the recovery began. */
  readonly open: number;
  /** Runs that were started again from the rows. */
  rebuilt: number;
  /** Subjects whose runs could not be asked for or started. */
  failed: number;
}

export type RecoveredByKind = ReadonlyMap<SubjectKind, RecoveredRuns>;

export interface RecoverOptions {
  /** Runs that are checked together. */
  readonly concurrency: number;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
}

const atOnce = 500;
const progressEvery = 5_000;

/**
 * Restarts, from its rows, the run of every open subject that Temporal does not know. Reconciliation does the same, but
 * for a few at a time. Several recoveries can run at once, also while reconciliation and order services work. If no run
 * is missing, it changes nothing.
 *
 * A process may still write a subject that has just changed, or start its run: the subject is checked when it has
 * rested for `lostAfterMs`. Orders that come in during the recovery start their own runs.
 */
export async function recoverRuns(
  context: MaintenanceContext,
  owner: Owner,
  options: RecoverOptions,
): Promise<RecoveredByKind> {
  const { db, reconciliation } = context;
  const { lostAfterMs, overlapMs } = reconciliation;
  await openReconciliation(db, owner, overlapMs);
  const recoveryBegan = await readClock(db);
  const recentlyFrom = new Date(recoveryBegan.getTime() - lostAfterMs);
  const found = await countEach(db, owner);
  const areRecent = sum(await countOpenSubjects(db, owner, openRows, recentlyFrom)) > 0;
  await lookAtEach(context, owner, found, options);
  if (areRecent) {
    const restsAt = recoveryBegan.getTime() + lostAfterMs;
    const untilRest = Math.max(0, restsAt - (await readClock(db)).getTime());
    if (untilRest > 0)
      options.report(`waiting ${Math.ceil(untilRest / 1_000)} s for subjects that have just changed …`);
    await wait(untilRest, undefined, { signal: options.signal });
    await lookAtEach(context, owner, found, { ...options, changedSince: recentlyFrom });
  }
  const restarted = sum([...found.values()].map(({ rebuilt }) => rebuilt));
  await noteReconciled(db, owner, { runsUntil: null, restarted, unknown: 0 });
  return found;
}

export const openRows = Object.values(watchedKinds).map(({ records, open }) => ({
  table: records.table,
  open,
}));
const kinds = Object.keys(watchedKinds) as readonly SubjectKind[];

async function countEach(db: Database, owner: Owner): Promise<Map<SubjectKind, RecoveredRuns>> {
  const counts = await countOpenSubjects(db, owner, openRows);
  return new Map(kinds.map((kind, place) => [kind, { open: counts[place] ?? 0, rebuilt: 0, failed: 0 }]));
}

async function lookAtEach(
  context: MaintenanceContext,
  owner: Owner,
  found: RecoveredByKind,
  options: RecoverOptions & { readonly changedSince?: Date },
): Promise<void> {
  const { db, reconciliation } = context;
  const { report, signal, changedSince } = options;
  const page = {
    idleForMs: reconciliation.lostAfterMs,
    limit: atOnce,
    ...(changedSince && { changedSince }),
  };
  let looked = 0;
  const failed: string[] = [];
  for (let after: string | null = null; ;) {
    signal?.throwIfAborted();
    const ids = await findIdleSubjects(db, owner, openRows, { ...page, after });
    failed.push(...(await lookAt(context, owner, ids, { found, ...options })));
    looked += ids.length;
    if (looked > 0 && looked % progressEvery === 0) report(`${looked} runs looked at …`);
    after = ids.at(-1) ?? null;
    if (ids.length < atOnce) break;
  }
  const again = (ids: readonly string[]) => lookAt(context, owner, ids, { found, ...options });
  countFailed(found, await tryAgain(failed, again, report));
}

/** @returns those that failed. */
async function lookAt(
  context: MaintenanceContext,
  owner: Owner,
  ids: readonly string[],
  { found, concurrency }: Pick<RecoverOptions, 'concurrency'> & { readonly found: RecoveredByKind },
): Promise<string[]> {
  const failed = await workOnEach(concurrency, ids, async (id) => {
    const { isRestarted } = await watchRun(context, { ...owner, id });
    if (isRestarted) countOf(found, id).rebuilt += 1;
  });
  return logFailed(context.logger, owner, failed, 'a run could not be checked: run the command again');
}

/** Subjects that could not be worked on. */
export function countFailed(found: RecoveredByKind, ids: readonly string[]): void {
  for (const id of ids) countOf(found, id).failed += 1;
}

function countOf(found: RecoveredByKind, id: string): RecoveredRuns {
  const counted = found.get(kindOf({ id }));
  if (!counted) throw new Error('recovery counts no subjects of this kind');
  return counted;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
