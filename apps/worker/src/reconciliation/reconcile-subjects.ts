import {
  type UnchangedSubject,
  findChangedSubjects,
  findDriftedSubjects,
  findUnchangedSubject,
  sampleSubjects,
  hasNewDifference,
  recordComparison,
  recordUnanswered,
  noteReconciled,
  openReconciliation,
} from '#database/reconciliation';
import type { Database } from '#database/connection';
import type { Owner } from '#database/schema';
import { MalformedAnswerError, NotFoundError } from '#payments-client';
import { TemporalAwayError } from '#runs';
import { type Subject, type SubjectKind, kindOf } from '#workflows/contract';
import { type Difference, InvalidAmountError } from '#workflows/lifecycle';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import type { ComparedKind } from './compared-kind.js';
import { mapConcurrently } from './map-concurrently.js';
import { comparedPayments } from './payment-comparison.js';
import { comparedPayouts } from './payout-comparison.js';
import { comparedPlans, comparedSubscriptions } from './subscription-comparison.js';

/**
 * How many subjects one reconciliation reads at the provider: changed ones, those with drift, and a few of all others.
 */
const changedAtOnce = 100;
/** Most pages of changed subjects: more lifecycles than one page has in an interval must not be compared ever later. */
const pagesAtOnce = 5;
/** No page is begun after it: of a slow provider the activity would read until its limit and be made twice. */
const pagesWithinMs = 60_000;
const driftedAtOnce = 20;
const sampledAtOnce = 5;
const sampleReachMs = 30 * 86_400_000;
const concurrency = 4;

const compared = {
  payment: comparedPayments,
  payout: comparedPayouts,
  plan: comparedPlans,
  subscription: comparedSubscriptions,
} as const satisfies Partial<Record<SubjectKind, unknown>>;

const tables = Object.values(compared).map(({ records }) => records.table);

/**
 * Compares subjects at rest with the provider's records: each one after a change, those with drift until they agree,
 * and a rolling sample of all. A difference is reported; only the subject's own run corrects it.
 */
export async function reconcileSubjects(context: MaintenanceContext, owner: Owner): Promise<void> {
  const until = performance.now() + pagesWithinMs;
  let hasMore = await comparePage(context, owner, { withOthers: true });
  for (let page = 1; hasMore && page < pagesAtOnce && performance.now() < until; page += 1)
    hasMore = await comparePage(context, owner, { withOthers: false });
}

/**
 * @param withOthers compares those with drift and of the sample as well.
 * @returns whether more have changed.
 */
async function comparePage(
  context: MaintenanceContext,
  owner: Owner,
  { withOthers }: { readonly withOthers: boolean },
): Promise<boolean> {
  const { db } = context;
  const { overlapMs } = context.reconciliation;
  const cursor = await openReconciliation(db, owner, overlapMs);
  const changed = await findChangedSubjects(db, owner, tables, {
    after: cursor.timeline_until,
    unchangedForMs: overlapMs,
    limit: changedAtOnce,
  });
  const drifted = withOthers ? await findDriftedSubjects(db, owner, driftedAtOnce) : [];
  const sampled = withOthers ? await sampleOf(db, owner, cursor) : undefined;
  // Subjects that could not be read last time come last, so that their failures do not look like those of a provider
  // that is away.
  const all = new Set([...(sampled?.ids ?? []), ...changed.ids].filter((id) => !drifted.includes(id)));
  let answered = 0;
  const { failed } = await mapConcurrently(concurrency, [...all, ...drifted], async (id) => {
    if (await compareSubject(context, { ...owner, id })) answered += 1;
  });
  // This error is Temporal's, not the provider's. The next comparison sends the hint again.
  const unsent = failed.find(({ error }) => error instanceof TemporalAwayError);
  if (unsent) throw unsent.error;
  // No subject was answered: the provider is away, which is no drift.
  if (failed[0] && answered === 0) throw failed[0].error;
  // Other subjects were answered, so each failure is recorded for its own subject and does not stop the rest.
  for (const { item: id } of failed) await recordUnanswered(db, { ...owner, id });
  await noteReconciled(db, owner, {
    timelineUntil: changed.until,
    sampledUntil: sampled ? sampled.until : cursor.sampled_until,
  });
  return changed.hasMore;
}

/** The next ones, and where the sample goes on. */
async function sampleOf(
  db: Database,
  owner: Owner,
  { sampled_until: before }: { readonly sampled_until: string | null },
): Promise<{ readonly ids: readonly string[]; readonly until: string | null }> {
  const ids = await sampleSubjects(db, owner, tables, {
    before,
    reachMs: sampleReachMs,
    limit: sampledAtOnce,
  });
  return { ids, until: ids.length < sampledAtOnce ? null : (ids.at(-1) ?? null) };
}

/** @returns whether the provider was asked and has answered. */
async function compareSubject(context: MaintenanceContext, subject: Subject): Promise<boolean> {
  const kind = (compared as Partial<Record<SubjectKind, ComparedKind<never>>>)[kindOf(subject)];
  if (!kind) return false;
  const { db, reconciliation } = context;
  const current = await findUnchangedSubject<never>(db, subject, reconciliation.overlapMs);
  if (!current || !kind.isComparable(current.state)) return false;
  await compare(context, kind, subject, current);
  return true;
}

async function compare<State>(
  context: MaintenanceContext,
  kind: ComparedKind<State>,
  subject: Subject,
  current: UnchangedSubject<State>,
): Promise<void> {
  const { status, version } = current;
  const { result, calls } = await context.providers.recording(() =>
    readDifferences(context, kind, subject, current),
  );
  if (result === undefined) return;
  const isUnreadable = result === 'unreadable';
  const differences = isUnreadable ? [{ field: kindOf(subject), ours: status, theirs: result }] : result;
  const unread = isUnreadable ? 'provider' : kind.owesRead(current.state) ? 'records' : undefined;
  const comparison = { subject, comparedWith: 'provider', version, differences, unread, calls } as const;
  // The hint is sent before it is recorded. After a crash in between it is sent again, and the run takes it once.
  if (readsOn(kind, current) || (await hasNewDifference(context.db, comparison)))
    await tellRun(context, kind, subject, current);
  const fresh = await recordComparison(context.db, comparison);
  if (fresh.length === 0) return;
  const fields = fresh.map(withoutIds);
  context.logger.warn({ ...subject, fields }, words[unread ?? 'none']);
}

/** Nobody watches the runs of ended subjects: one that reads on gets the hint in any case, because it may be lost. */
function readsOn<State>(kind: ComparedKind<State>, { status, state }: UnchangedSubject<State>): boolean {
  return kind.records.ends.includes(status) && kind.owesAfterEnd?.(state) === true;
}

const words = {
  none: 'the provider shows a difference to our records: see GET /v1/drift',
  provider: 'a subject cannot be compared: the answer of the provider cannot be read',
  records: 'a subject cannot be compared: a read by its run is still due',
} as const;

/** Sends the run a hint, so that it reads the provider and follows what it can. */
async function tellRun<State>(
  { runs }: MaintenanceContext,
  kind: ComparedKind<State>,
  subject: Subject,
  { status, version, state }: UnchangedSubject<State>,
): Promise<void> {
  const hint = { type: 'providerNotified', eventType: 'RECONCILIATION', ...kind.hint } as const;
  const message = { id: `reconciliation:${version}`, event: hint };
  if (!kind.records.ends.includes(status)) await runs.signal(subject, message);
  else if (kind.runAfterEnd) await runs.startAgainWithMessage(kind.runAfterEnd(subject, state), message);
}

/** @throws if the provider is away: then nothing is known and nothing is recorded. */
async function readDifferences<State>(
  context: MaintenanceContext,
  kind: ComparedKind<State>,
  subject: Subject,
  { status, state }: UnchangedSubject<State>,
): Promise<readonly Difference[] | 'unreadable' | undefined> {
  try {
    return await kind.differences({ context, client: context.providers.for(subject), subject, state });
  } catch (error) {
    if (error instanceof NotFoundError) {
      return [{ field: kindOf(subject), ours: status, theirs: 'not shown' }];
    }
    // One unreadable answer must not stop the comparison of all others.
    if (isUnreadableAnswer(error)) return 'unreadable';
    throw error;
  }
}

function isUnreadableAnswer(error: unknown): boolean {
  return (
    error instanceof MalformedAnswerError ||
    error instanceof UnreadableAnswerError ||
    error instanceof InvalidAmountError
  );
}

function withoutIds(field: string): string {
  return field.replace(/ .*/, '');
}
