import { listDriftOf, recordComparison, runField } from '#database/reconciliation';
import type { RunStatus } from '#runs';
import { type Subject, workflowTypes } from '#workflows/contract';
import type { MaintenanceContext } from '../steps/activities/context.js';

/** The row of a subject whose run was asked for. */
export interface ComparedRow {
  readonly version: number;
  readonly status: string;
}

/** What the drift of a subject says of its run. */
const completed = 'completed';
/** It is open, under the run's id. */
const anotherWorkflow = 'another workflow';

/**
 * A workflow that is not ours takes the messages of a subject and does nothing with them. It is ended, and later another
 * run continues from the rows. One of ours can be there only by somebody's hand, too, but that is left to an operator.
 */
export async function reportOther(
  context: MaintenanceContext,
  subject: Subject,
  row: ComparedRow,
  other: Extract<RunStatus, { kind: 'other' }>,
): Promise<void> {
  const { runs, logger } = context;
  // That the run itself has completed is remembered nowhere else.
  if (!(await hasCompleted(context, subject))) await recordRun(context, subject, row, anotherWorkflow);
  if (workflowTypes.includes(other.type)) {
    logger.error({ ...subject, type: other.type }, 'a workflow of another kind has the id of a run: end it');
    return;
  }
  await runs.endOther(subject, other);
  logger.error(
    { ...subject },
    'a workflow that is not of the engine had the id of a run, and was terminated',
  );
}

/**
 * The run has ended but its row is older, most likely because the database was restored. Nothing may continue from such
 * a row.
 */
export async function reportEnded(
  context: MaintenanceContext,
  subject: Subject,
  row: ComparedRow,
): Promise<void> {
  if (await recordRun(context, subject, row, completed))
    context.logger.error(
      { ...subject },
      'a run has ended but its row is open: most likely the database was restored; compare the row with the provider',
    );
}

/** Temporal forgets a completed run after its retention; the drift remembers it. */
export async function hasCompleted({ db }: MaintenanceContext, { id }: Subject): Promise<boolean> {
  const drift = await listDriftOf(db, id);
  return drift.some((row) => row.field === runField && row.theirs === completed && row.resolved_at === null);
}

/** @returns whether it was not known yet how the run differs from its open row. */
export async function recordRun(
  { db }: MaintenanceContext,
  subject: Subject,
  { version, status }: ComparedRow,
  found: typeof completed | typeof anotherWorkflow | 'blocked',
): Promise<boolean> {
  const differences = [{ field: runField, ours: status, theirs: found }];
  const fresh = await recordComparison(db, { subject, comparedWith: 'run', version, differences });
  return fresh.length > 0;
}
