import type { Counters, Pulse } from '#database/console';
import type { SeenWorker } from '#runs';
import { renderPage, type Visit } from '../html/layout.js';
import { Instant, Table } from '../html/parts.js';
import { durationText } from '../sentences/words.js';
import { HealthChart } from './health-chart.js';
import type { ProviderHealth } from './provider-health.js';
import { type QueuedRow, QueueTable } from './queue-table.js';
import { Workers } from './workers.js';

/** An application's latest signs of life, and how its provider has answered in the last hour. */
export interface Life extends Pulse {
  readonly health: ProviderHealth;
}

export interface StartPage {
  readonly visit: Visit;
  readonly counters: Counters;
  readonly queue: readonly QueuedRow[];
  /** There are more than these. */
  readonly hasMore: boolean;
  /** Undefined if Temporal does not answer. */
  readonly workers: readonly SeenWorker[] | undefined;
  readonly lives: readonly Life[];
  readonly now: number;
}

/** Each leads to the list that it counts. */
const counted = [
  ['doubt', 'In doubt', 'oldest for', '/console/queue?kind=doubt'],
  ['review', 'Need review', 'oldest for', '/console/queue?kind=review'],
  ['holds', 'Holds that end within 3 days', 'the first in', '/console/queue?kind=holds'],
  ['parked', 'Parked webhook events', 'oldest for', '/console/webhook-events?status=parked'],
  ['drift', 'Differences from the provider', 'oldest for', '/console/differences?kind=difference'],
  ['blocked', 'Runs that cannot continue', 'oldest for', '/console/differences?kind=run'],
  ['endpoints', 'Endpoints that fail', 'oldest for', '/console/endpoints?state=failing'],
] as const;

export const holdsWithinMs = 3 * 86_400_000;

/** More than that nobody counts. */
export const mostCounted = 1_000;

function countText(count: number): string {
  return count > mostCounted ? `${mostCounted.toLocaleString('en')}+` : String(count);
}

/** What needs a person, the most urgent first. */
export function startPage({ visit, counters, queue, hasMore, workers, lives, now }: StartPage): string {
  return renderPage({
    title: 'What needs a person',
    visit,
    section: '/console',
    live: 10,
    children: (
      <>
        <ul class="counters">
          {counted.map(([name, label, age, link]) => {
            const { count, oldest } = counters[name];
            return (
              <li {...(count > 0 && name === 'review' && { class: 'alert' })}>
                <a href={link}>
                  <strong>{countText(count)}</strong> {label}
                </a>
                {oldest && (
                  <small class="muted"> {`${age} ${durationText(Math.abs(now - oldest.getTime()))}`}</small>
                )}
              </li>
            );
          })}
        </ul>
        <h2>Queue</h2>
        <QueueTable
          visit={visit}
          queue={queue}
          now={now}
          caption="The most urgent first: reviews, unknown outcomes, holds that end."
        />
        {hasMore && (
          <p>
            <a href="/console/queue">The whole queue</a>
          </p>
        )}
        <h2>Signs of life</h2>
        <Workers workers={workers} now={now} />
        <SignsOfLife lives={lives} />
        <p class="muted">All times are UTC.</p>
      </>
    ),
  });
}

function SignsOfLife({ lives }: { lives: readonly Life[] }) {
  return (
    <Table
      caption="Per application. The line is the latency of our calls to the provider in the last hour, the bars are failed ones."
      none="No application is configured."
      rows={lives}
      columns={[
        { name: 'Application', cell: ({ environment, application }) => `${environment}/${application}` },
        {
          name: 'Provider',
          cell: ({ environment, application, health }) => (
            <HealthChart health={health} name={`${environment}/${application}`} />
          ),
        },
        { name: 'Last webhook event', cell: ({ event_at: at }) => (at ? <Instant at={at} /> : 'none yet') },
        {
          name: 'Last reconciliation',
          cell: ({ reconciled_at: at }) => (at ? <Instant at={at} /> : 'none yet'),
        },
        { name: 'Our webhook', cell: ({ webhook_problem: problem }) => problem ?? 'no problem known' },
      ]}
    />
  );
}
