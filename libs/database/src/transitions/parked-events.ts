import { sql } from 'kysely';
import type { LifecycleState } from '#workflows/lifecycle';
import type { Database } from '../connection/database.js';
import type { LeasedEvent } from '../events/event-lease.js';
import { changeTo, historyWith } from '../events/event-status.js';
import { lockResourceIds } from './resources.js';
import type { WebhookStatus } from '../schema/schema.js';
import type { Transition } from './transition-rows.js';

/**
 * The first look after a parked event; each later one waits as long again as the event has waited, an hour at most. So
 * events that nobody will ever claim, of other systems' payments at the same provider, cost ever less.
 */
export const firstLookMs = 10_000;
const longestLookMs = 3_600_000;

/**
 * Parks an event whose subject nobody knows, unless somebody has recorded one of its resources in the meantime. Whoever
 * records one takes the same lock on its id: either he comes later and finds the event parked, or his row is found.
 *
 * @param trx must hold no lock on a subject's row, whose holder may be waiting for ours.
 * @returns false when there is nothing to park any more: the event must be routed again.
 */
export async function parkUnknownEvent(trx: Database, event: LeasedEvent, detail: string): Promise<boolean> {
  const { environment, application, resource_ids } = event;
  await lockResourceIds(trx, event, resource_ids);
  // A statement of its own, so that it sees what was committed while it waited for the lock.
  const parked = await trx
    .updateTable('webhook_events')
    .set(changeTo('parked', { detail, dueInMs: firstLookMs }))
    .where('id', '=', event.id)
    .where('status', '=', 'dispatching')
    .where('dispatches', '=', event.dispatches)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('resources')
            .select('resource_id')
            .where('environment', '=', environment)
            .where('application', '=', application)
            .where(sql<boolean>`resource_id = any(${resource_ids}::text[])`),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst();
  return parked !== undefined;
}

/**
 * Takes the parked events of a subject in the transaction that has just written what they may be about: one that tells
 * nothing more is done with, any other is dispatched afresh, by the next sweep at the latest.
 */
export async function releaseParkedEvents<State extends LifecycleState>(
  trx: Database,
  { records, subject, state }: Pick<Transition<State>, 'records' | 'subject' | 'state'>,
): Promise<void> {
  const { environment, application, id: subjectId } = subject;
  const resourceIds = records.resourcesOf(state).map(({ id }) => id);
  const parked = await trx
    .selectFrom('webhook_events')
    .select(['id', 'resource'])
    .where('status', '=', 'parked')
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where((where) =>
      where.or([
        where('subject_id', '=', subjectId),
        where('resource_ids', '&&', sql<string[]>`${resourceIds}::text[]`),
      ]),
    )
    .forUpdate()
    .execute();
  const [known, news] = [true, false].map((isKnown) =>
    parked.filter(({ resource }) => records.tellsNothingNew(state, resource) === isKnown).map(({ id }) => id),
  );
  await change(trx, known, 'applied', { subjectId, detail: 'nothing new' });
  await change(trx, news, 'received', { subjectId, detail: 'the step it waited for has ended', dueInMs: 0 });
}

/**
 * Looks again at parked events whose time has come: those whose resource is known are put back, the others wait for
 * longer. It makes up for a claim that did not come, such as that of a step which never ended.
 *
 * @returns how many were looked at, and which were put back.
 */
export async function unparkWebhookEvents(
  db: Database,
  limit: number,
): Promise<{ readonly looked: number; readonly putBack: readonly number[] }> {
  const status = sql<WebhookStatus>`case when due.is_known then 'received' else webhook_events.status end`;
  const { rows } = await sql<{ id: number; is_known: boolean }>`
    with due as materialized (
      select id, exists (
        select from resources where resources.environment = parked.environment
          and resources.application = parked.application
          and resources.resource_id = any(parked.resource_ids)) as is_known
      from webhook_events parked
      where status = 'parked' and due_at <= clock_timestamp()
      order by due_at limit ${limit} for update of parked skip locked)
    update webhook_events set
      status = ${status},
      status_at = case when due.is_known then clock_timestamp() else webhook_events.status_at end,
      due_at = case when due.is_known then clock_timestamp() else clock_timestamp()
        + least(greatest(clock_timestamp() - received_at, ${firstLookMs} * interval '1 millisecond'),
          ${longestLookMs} * interval '1 millisecond') end,
      history = case when due.is_known then ${historyWith(status, 'its resource is known now')}
        else webhook_events.history end
    from due where webhook_events.id = due.id
    returning webhook_events.id, due.is_known`.execute(db);
  return {
    looked: rows.length,
    putBack: rows.filter(({ is_known }) => is_known).map(({ id }) => id),
  };
}

async function change(
  trx: Database,
  ids: readonly number[] | undefined,
  ...[status, details]: Parameters<typeof changeTo>
): Promise<void> {
  if (!ids || ids.length === 0) return;
  await trx.updateTable('webhook_events').set(changeTo(status, details)).where('id', 'in', ids).execute();
}
