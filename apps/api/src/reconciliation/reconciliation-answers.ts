import { z } from 'zod';
import type { DriftRow } from '#database/schema';
import { paymentIdPattern } from '../commands/ids.js';
import { pageFields, numberCursor } from '../wire/pages.js';
import { shownInstant } from '../wire/fields.js';

const driftKinds = ['difference', 'unread'] as const;

export const shownDrift = z
  .object({
    id: z.int(),
    subjectId: z.string().meta({ description: 'The payment, plan, subscription, payout or refund of ours.' }),
    paymentId: z.string().nullable().meta({ description: 'The same where it is a payment.' }),
    kind: z.enum(driftKinds).meta({
      description:
        '`difference`: both sides were read and differ. `unread`: the provider could not be read, or our records are still to be; nothing is known to differ.',
    }),
    field: z.string().meta({
      description:
        'What differs: run; of a payment hold, authorized, capture <id>, payment; of others their state, terms, cycles, total or item.',
    }),
    ours: z.string().meta({ description: 'What our records say.' }),
    theirs: z
      .string()
      .meta({ description: 'What the provider shows; of a run, what the workflow service does.' }),
    firstSeenAt: shownInstant,
    lastSeenAt: shownInstant,
    resolvedAt: shownInstant.nullable().meta({ description: 'Null while both sides still differ.' }),
  })
  .meta({ id: 'Drift' });

export const driftListAnswer = z
  .object({ drift: z.array(shownDrift), nextCursor: z.string().nullable() })
  .meta({ id: 'DriftList' });
export type DriftListAnswer = z.output<typeof driftListAnswer>;

/** Query of GET /v1/drift. */
export const driftListQuery = z.strictObject({
  resolved: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Only what has been resolved, or what has not.' }),
  kind: z.enum(driftKinds).optional(),
  ...pageFields(numberCursor),
});
export type DriftListQuery = z.output<typeof driftListQuery>;

export const reconciliationAnswer = z
  .object({
    eventsUntil: shownInstant
      .nullable()
      .meta({ description: 'Events of the provider’s are in the inbox up to here, delivered or not.' }),
    eventsSearchedAt: shownInstant.nullable().meta({ description: 'When the search last came to its end.' }),
    runsCheckedAt: shownInstant.nullable().meta({ description: 'When runs were last asked after.' }),
    paymentsComparedAt: shownInstant.nullable().meta({
      description:
        'When payments, plans, subscriptions and payouts were last compared with the provider’s records.',
    }),
    eventsFound: z.int().meta({ description: 'Events that were never delivered, found so far.' }),
    runsRestarted: z.int().meta({ description: 'Runs that were gone and go on, so far.' }),
    openDrift: z.int().meta({ description: 'Differences that are not resolved.' }),
    openUnread: z.int().meta({ description: 'What could not be compared, because one side was not read.' }),
  })
  .meta({ id: 'Reconciliation' });
export type ReconciliationAnswer = z.output<typeof reconciliationAnswer>;

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
