import { z } from 'zod';
import type { DriftRow, ReconciliationRow } from '#database/schema';
import { paymentIdPattern } from '../wire/ids.js';
import { listAnswer, pageFields, numberCursor } from '../wire/pages.js';
import { shownInstant } from '../wire/fields.js';

const driftKinds = ['difference', 'unread'] as const;

export const shownDrift = z
  .object({
    id: z.int(),
    subjectId: z.string().meta({ description: 'Our payment, plan, subscription, payout or refund.' }),
    paymentId: z.string().nullable().meta({ description: 'The same id if it is a payment.' }),
    kind: z.enum(driftKinds).meta({
      description:
        '`difference`: both sides were read and differ. `unread`: the provider or our records could not be read yet; no difference is known.',
    }),
    field: z.string().meta({
      description:
        'What differs: `run`; for a payment `hold`, `authorized`, `capture <id>` or `payment`; for other subjects the state, terms, cycles, total or item.',
    }),
    ours: z.string().meta({ description: 'What our records say.' }),
    theirs: z
      .string()
      .meta({ description: 'What the provider shows; for a run, what the workflow service shows.' }),
    firstSeenAt: shownInstant,
    lastSeenAt: shownInstant,
    resolvedAt: shownInstant
      .nullable()
      .meta({ description: 'When both sides agreed again; null while they differ.' }),
  })
  .meta({ id: 'Drift' });

export const driftListAnswer = listAnswer(shownDrift, 'DriftList');
export type DriftListAnswer = z.output<typeof driftListAnswer>;

/** Query of GET /v1/drift. */
export const driftListQuery = z.strictObject({
  resolved: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: only resolved drift; `false`: only open drift.' }),
  kind: z.enum(driftKinds).optional(),
  ...pageFields(numberCursor),
});
export type DriftListQuery = z.output<typeof driftListQuery>;

export const reconciliationAnswer = z
  .object({
    eventsUntil: shownInstant.nullable().meta({
      description:
        'The provider’s events up to this instant are in the inbox, whether they were delivered or not.',
    }),
    eventsSearchedAt: shownInstant
      .nullable()
      .meta({ description: 'When the search for missed events last finished.' }),
    runsCheckedAt: shownInstant.nullable().meta({ description: 'When the runs were last checked.' }),
    paymentsComparedAt: shownInstant.nullable().meta({
      description:
        'When payments, plans, subscriptions and payouts were last compared with the provider’s records.',
    }),
    eventsFound: z.int().meta({ description: 'Events that were never delivered, found so far.' }),
    runsRestarted: z.int().meta({ description: 'Lost runs that were restarted so far.' }),
    runsUnknown: z.int().meta({
      description:
        'Open subjects of the last check whose runs Temporal did not know. Many at once: its store was lost, see `npm run recover`.',
    }),
    openDrift: z.int().meta({ description: 'Differences that are not resolved yet.' }),
    openUnread: z
      .int()
      .meta({ description: 'Subjects that could not be compared because one side could not be read.' }),
  })
  .meta({ id: 'Reconciliation' });
export type ReconciliationAnswer = z.output<typeof reconciliationAnswer>;

/** @param row undefined before the first round of the application. */
export function viewReconciliation(
  row: ReconciliationRow | undefined,
  open: { readonly differing: number; readonly unread: number },
): ReconciliationAnswer {
  return {
    eventsUntil: shown(row?.events_until),
    eventsSearchedAt: shown(row?.events_searched_at),
    runsCheckedAt: shown(row?.runs_checked_at),
    paymentsComparedAt: shown(row?.payments_compared_at),
    eventsFound: row?.events_found ?? 0,
    runsRestarted: row?.runs_restarted ?? 0,
    runsUnknown: row?.runs_unknown ?? 0,
    openDrift: open.differing,
    openUnread: open.unread,
  };
}

function shown(instant: Date | null | undefined): string | null {
  return instant?.toISOString() ?? null;
}

export function viewDrift(row: DriftRow): z.output<typeof shownDrift> {
  return {
    id: row.id,
    subjectId: row.subject_id,
    paymentId: paymentIdPattern.test(row.subject_id) ? row.subject_id : null,
    kind: row.is_unread ? 'unread' : 'difference',
    field: row.field,
    ours: row.ours,
    theirs: row.theirs,
    firstSeenAt: row.first_seen_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
  };
}
