import type { Counters, Pulse, UrgentRow } from '#database/console';
import { renderPage, type Visit } from '../html/layout.js';
import { Badge, Instant, Table } from '../html/parts.js';
import { addressOf, durationText, money, spaced } from '../sentences/words.js';
import { amountOf, whyText } from '../sentences/why.js';
import { HealthChart } from './health-chart.js';
import type { ProviderHealth } from './provider-health.js';

/** An application's latest signs of life, and how its provider has answered in the last hour. */
export interface Life extends Pulse {
  readonly health: ProviderHealth;
}

export interface StartPage {
  readonly visit: Visit;
  readonly counters: Counters;
  readonly urgent: readonly UrgentRow[];
  readonly lives: readonly Life[];
  readonly now: number;
}

const counted = [
  ['doubt', 'In doubt', 'oldest for'],
  ['review', 'Need review', 'oldest for'],
  ['holds', 'Holds that end within 3 days', 'the first in'],
  ['parked', 'Parked webhook events', 'oldest for'],
  ['drift', 'Differences from the provider', 'oldest for'],
  ['blocked', 'Runs that cannot continue', 'oldest for'],
  ['endpoints', 'Endpoints that fail', 'oldest for'],
] as const;

const links: Partial<Record<keyof Counters, string>> = {
  parked: '/console/webhook-events?status=parked',
};

/** More than that nobody counts. */
export const mostCounted = 1_000;

function countText(count: number): string {
  return count > mostCounted ? `${mostCounted.toLocaleString('en')}+` : String(count);
}

/** What needs a person, the most urgent first. */
export function startPage({ visit, counters, urgent, lives, now }: StartPage): string {
  return renderPage({
    title: 'What needs a person',
    visit,
    section: '/console',
    live: 10,
    children: (
      <>
        <ul class="counters">
          {counted.map(([name, label, age]) => {
            const { count, oldest } = counters[name];
            const link = links[name];
            return (
              <li {...(count > 0 && name === 'review' && { class: 'alert' })}>
                <strong>{countText(count)}</strong>
                {link === undefined ? label : <a href={link}>{label}</a>}
                {oldest && (
                  <small class="muted"> {`${age} ${durationText(Math.abs(now - oldest.getTime()))}`}</small>
                )}
              </li>
            );
          })}
        </ul>
        <h2>Queue</h2>
        <Queue urgent={urgent} now={now} />
        <h2>Signs of life</h2>
        <SignsOfLife lives={lives} />
        <p class="muted">All times are UTC.</p>
      </>
    ),
  });
}

function Queue({ urgent, now }: { urgent: readonly UrgentRow[]; now: number }) {
  return (
    <Table
      caption="The most urgent first: reviews, unknown outcomes, holds that end."
      none="Nothing waits for a person."
      rows={urgent}
      columns={[
        {
          name: 'Subject',
          cell: (row) => (
            <>
              <a href={addressOf(row.id)}>{nameOf(row)}</a>
              <br />
              <small class="muted">{`${row.environment}/${row.application}`}</small>
            </>
          ),
        },
        {
          name: 'Amount',
          isNumber: true,
          cell: (row) => {
            const amount = amountOf(row);
            return amount ? money(amount.minor, amount.currency) : '–';
          },
        },
        {
          name: 'State',
          cell: ({ status }) => (
            <Badge tone={status === 'needs_review' ? 'bad' : 'caution'}>{spaced(status)}</Badge>
          ),
        },
        { name: 'Why', cell: (row) => whyText(row, now) },
        { name: 'Next call', cell: ({ state: { openStep } }) => next(openStep) },
        {
          name: 'Review',
          cell: ({ id, status, state: { openStep } }) => {
            if (status === 'needs_review') return <a href={`${addressOf(id)}/decide`}>Decide</a>;
            return openStep?.reviewAt === undefined ? '–' : <Instant at={openStep.reviewAt} />;
          },
        },
      ]}
    />
  );
}

function next(openStep: UrgentRow['state']['openStep']) {
  return openStep && openStep.phase !== 'running' ? <Instant at={openStep.nextAt} /> : '–';
}

function nameOf({ table, label, id }: UrgentRow): string {
  switch (table) {
    case 'payments':
      return `Order ${label ?? id}`;
    case 'refunds':
      return `Refund ${id.slice(0, 14)}…`;
    case 'subscriptions':
      return `Subscription ${label ?? id}`;
    case 'plans':
      return `Plan ${label ?? id}`;
    case 'payouts':
      return `Payout ${label ?? `${id.slice(0, 14)}…`}`;
  }
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
        { name: 'Last comparison', cell: ({ reconciled_at: at }) => (at ? <Instant at={at} /> : 'none yet') },
        { name: 'Our webhook', cell: ({ webhook_problem: problem }) => problem ?? 'no problem known' },
      ]}
    />
  );
}
