import type { Counter, Counters, Pulse } from '#database/console';
import type { OpenRuns, Queues } from '#database/observation';
import type { Owner } from '#database/schema';

/** What one reading of the rows shows. */
export interface Reading {
  readonly runs: readonly OpenRuns[];
  readonly queues: readonly Queues[];
  readonly pulses: readonly Pulse[];
  readonly urgent: readonly (Owner & Counters)[];
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A gauge of the rows. */
interface Figure {
  readonly name: string;
  readonly help: string;
  readonly labels: string[];
  readonly values: (shown: Reading) => readonly Sample[];
}

const ownerLabels = ['environment', 'application'];

/** A value for each application; one that is null is left out. */
function perApplication<Part extends keyof Reading>(
  name: string,
  help: string,
  part: Part,
  valueOf: (row: Reading[Part][number]) => number | null,
): Figure {
  return {
    name,
    help,
    labels: ownerLabels,
    values: (shown) =>
      (shown[part] as readonly Reading[Part][number][]).flatMap((row) => {
        const value = valueOf(row);
        return value === null ? [] : [{ labels: labelsOf(row), value }];
      }),
  };
}

function labelsOf({ environment, application }: Owner): Sample['labels'] {
  return { environment, application };
}

function secondsSince(instant: Date | null): number {
  return instant === null ? 0 : Math.max(0, Date.now() - instant.getTime()) / 1_000;
}

const ageOf = ({ oldest }: Counter): number => secondsSince(oldest);

export const figures: readonly Figure[] = [
  {
    name: 'engine_runs',
    help: 'Open runs by lifecycle and state',
    labels: [...ownerLabels, 'lifecycle', 'state'],
    values: ({ runs }) =>
      runs.map((row) => ({
        labels: { ...labelsOf(row), lifecycle: row.lifecycle, state: row.state },
        value: row.count,
      })),
  },
  perApplication(
    'engine_next_deadline_seconds',
    'Until the first capture window of a hold ends; less than 0 if it has ended, absent without a hold',
    'queues',
    (row) => row.hold_seconds,
  ),
  perApplication(
    'engine_holds_near_end',
    'Holds whose capture window ends within a day',
    'urgent',
    (row) => row.holds.count,
  ),
  perApplication('engine_reviews', 'Subjects that wait for a decision', 'urgent', (row) => row.review.count),
  perApplication('engine_review_oldest_seconds', 'Age of the oldest review', 'urgent', (row) =>
    ageOf(row.review),
  ),
  perApplication('engine_doubts', 'Steps with an unknown outcome', 'urgent', (row) => row.doubt.count),
  perApplication('engine_doubt_oldest_seconds', 'Age of the oldest of them', 'urgent', (row) =>
    ageOf(row.doubt),
  ),
  perApplication(
    'engine_command_oldest_seconds',
    'Age of the oldest accepted command that no run has taken',
    'queues',
    (row) => row.command_seconds,
  ),
  perApplication(
    'engine_inbox_events',
    'Journaled webhook events that are not dispatched',
    'queues',
    (row) => row.inbox,
  ),
  perApplication(
    'engine_inbox_oldest_seconds',
    'Age of the oldest of them',
    'queues',
    (row) => row.inbox_seconds,
  ),
  perApplication(
    'engine_parked_events',
    'Webhook events whose resource is not known',
    'urgent',
    (row) => row.parked.count,
  ),
  perApplication('engine_parked_oldest_seconds', 'Age of the oldest of them', 'urgent', (row) =>
    ageOf(row.parked),
  ),
  perApplication(
    'engine_webhook_silence_seconds',
    'Since the latest webhook event; absent before the first',
    'pulses',
    ({ event_at: at }) => at && secondsSince(at),
  ),
  perApplication(
    'engine_webhook_missing',
    '1 if the provider has no working webhook of ours',
    'pulses',
    (row) => (row.webhook_problem === null ? 0 : 1),
  ),
  perApplication(
    'engine_drift',
    'Open differences between our records and those of the provider',
    'urgent',
    (row) => row.drift.count,
  ),
  perApplication('engine_drift_oldest_seconds', 'Age of the oldest of them', 'urgent', (row) =>
    ageOf(row.drift),
  ),
  perApplication(
    'engine_reconciliation_age_seconds',
    'Since the part of reconciliation that is furthest behind last finished; absent before the first round',
    'pulses',
    ({ reconciled_at: at }) => at && secondsSince(at),
  ),
  perApplication(
    'engine_runs_unknown',
    'Open subjects whose runs Temporal did not know in the last round of reconciliation',
    'queues',
    (row) => row.runs_unknown,
  ),
  perApplication(
    'engine_runs_blocked',
    'Runs that cannot continue: their workflow tasks fail, or they have ended and their row is open',
    'urgent',
    (row) => row.blocked.count,
  ),
  perApplication(
    'engine_notifications_pending',
    'Deliveries to order services that are not done',
    'queues',
    (row) => row.notifications,
  ),
  perApplication(
    'engine_notification_lag_seconds',
    'For how long the first of them is overdue',
    'queues',
    (row) => row.notification_seconds,
  ),
  perApplication(
    'engine_notification_endpoints_failing',
    'Endpoints that fail or were disabled',
    'urgent',
    (row) => row.endpoints.count,
  ),
];
