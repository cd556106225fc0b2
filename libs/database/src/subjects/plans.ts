import { sql } from 'kysely';
import type { PlanIdentity } from '#workflows/contract';
import type { PlanState, PlanStatus } from '#workflows/lifecycle/plan';
import { type NewCommand, acceptWith, recordAnswered } from '../commands/command-rows.js';
import { type Database, isDuplicateOf } from '../connection/database.js';
import { type SubjectFilter, subjectsOf } from '../tables/pages.js';
import type { CommandRow, PlanRow } from '../schema/schema.js';
import { type Shown, shownVersionOf } from '../tables/shown-version.js';
import { storableJson, storableText } from '../text/storable-text.js';

/** A plan with the version that callers see. */
export type PlanView = Shown<PlanRow>;

export interface NewPlan {
  /** The same for equal terms, including the name. */
  readonly contentHash: string;
  readonly state: PlanState;
}

/**
 * Commits the order of a plan and the plan's row together. If a plan with equal terms exists, the order is answered
 * with it: its command names that plan, and nothing else is done. A plan that is deactivated, here or by somebody else,
 * accepts no subscriptions; then another plan is created.
 *
 * @returns the command in the database: this one, or that of an earlier request with the same key.
 */
export async function acceptPlan(
  db: Database,
  command: NewCommand,
  { contentHash, state }: NewPlan,
): Promise<CommandRow> {
  const { environment, application } = command;
  const row = db.insertInto('plans').values({
    id: command.subjectId,
    environment,
    application,
    name: storableText(state.order.terms.name),
    content_hash: contentHash,
    status: state.status,
    state: storableJson(state),
    version: 0,
  });
  try {
    return (await acceptWith(db, command, [row])).row;
  } catch (error) {
    if (!isDuplicateOf(error, 'plans_by_content')) throw error;
    const equal = await findEqualPlan(db, { environment, application, contentHash });
    if (equal && !leaving.has(equal.status)) {
      return await recordAnswered(db, { ...command, subjectId: equal.id });
    }
    // It was just deleted, or released by another order that has not created its plan yet.
    if (equal) await releaseContent(db, equal.id);
    return await acceptPlan(db, command, { contentHash, state });
  }
}

export async function findPlan(
  db: Database,
  { environment, application, planId }: PlanIdentity,
): Promise<PlanView | undefined> {
  return await db
    .selectFrom('plans')
    .selectAll()
    .select(shownVersionOf('plans'))
    .where('id', '=', planId)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .executeTakeFirst();
}

export async function listPlans(db: Database, filter: SubjectFilter<PlanStatus>): Promise<PlanView[]> {
  const rows = db.selectFrom('plans').selectAll().select(shownVersionOf('plans'));
  return await subjectsOf(rows, filter);
}

async function findEqualPlan(
  db: Database,
  {
    environment,
    application,
    contentHash,
  }: { readonly environment: string; readonly application: string; readonly contentHash: string },
): Promise<Pick<PlanRow, 'id' | 'status'> | undefined> {
  return await db
    .selectFrom('plans')
    .select(['id', 'status'])
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('content_hash', '=', contentHash)
    .where(sql<boolean>`status not in ('deleted', 'declined')`)
    .executeTakeFirst();
}

/** A plan that takes no subscriptions, or soon none. */
const leaving: ReadonlySet<PlanStatus> = new Set(['deactivating', 'inactive']);

/** From now on another plan has this content, even if this one is activated again. */
async function releaseContent(db: Database, id: string): Promise<void> {
  await db
    .updateTable('plans')
    .set({ content_hash: sql`content_hash || ' of ' || id` })
    .where('id', '=', id)
    .where('status', 'in', [...leaving])
    .execute();
}
