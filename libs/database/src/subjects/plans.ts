import { sql } from 'kysely';
import type { PlanIdentity } from '#workflows/contract';
import type { PlanState, PlanStatus } from '#workflows/lifecycle/plan';
import { type NewCommand, acceptWith, recordAnswered } from '../commands/commands.js';
import { type Database, isDuplicateOf } from '../connection/database.js';
import { type SubjectFilter, subjectsOf } from '../tables/pages.js';
import type { CommandRow, PlanRow } from '../schema/schema.js';
import { type Shown, shownVersionOf } from './shown-version.js';
import { storableJson, storableText } from '../text/storable-text.js';

/** With the version that callers are shown. */
export type PlanView = Shown<PlanRow>;

export interface NewPlan {
  /** Equal for equal terms, name included. */
  readonly contentHash: string;
  readonly state: PlanState;
}

/**
 * Commits the order of a plan and the plan's row together. Where a plan of the same content is there already, the
 * order is answered with it: its command then names that plan, and nothing is left to be done. One that somebody has
 * deactivated takes no subscription: it stays what it is, and another plan is made.
 *
 * @returns the command that stands: this one, or the one an earlier request with the same key left.
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
    if (equal && equal.status !== 'inactive') {
      return await recordAnswered(db, { ...command, subjectId: equal.id });
    }
    // Gone: deleted at this very moment, or released by another order that has not made its plan yet.
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

/** Its content is another plan's from now on, also should it be activated again one day. */
async function releaseContent(db: Database, id: string): Promise<void> {
  await db
    .updateTable('plans')
    .set({ content_hash: sql`content_hash || ' of ' || id` })
    .where('id', '=', id)
    .where('status', '=', 'inactive')
    .execute();
}
