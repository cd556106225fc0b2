import type { UrgentRow } from '#database/console';
import type { ConsoleAction } from '../actions/action.js';
import { mayAs } from '../../injected/console-user.js';
import { ActionList } from '../html/action-list.js';
import type { Visit } from '../html/layout.js';
import { Badge, Instant, Table } from '../html/parts.js';
import { moneyAtRisk } from '../sentences/at-risk.js';
import { amountOf, whyText } from '../sentences/why.js';
import { addressOf, money, spaced } from '../sentences/words.js';

export interface QueuedRow {
  readonly row: UrgentRow;
  readonly actions: readonly ConsoleAction[];
}

/** What needs a person: why, what is at stake, and what can be done. */
export function QueueTable({
  visit,
  queue,
  now,
  caption,
}: {
  visit: Visit;
  queue: readonly QueuedRow[];
  now: number;
  caption: string;
}) {
  const mayAct = mayAs(visit.operator, 'operator');
  return (
    <Table
      caption={caption}
      none="Nothing waits for a person."
      rows={queue}
      columns={[
        { name: 'Subject', cell: ({ row }) => <Subject row={row} /> },
        { name: 'Amount', isNumber: true, cell: ({ row }) => ordered(row) },
        {
          name: 'State',
          cell: ({ row: { status } }) => (
            <Badge tone={status === 'needs_review' ? 'bad' : 'caution'}>{spaced(status)}</Badge>
          ),
        },
        { name: 'Why', cell: ({ row }) => whyText(row, now) },
        { name: 'At risk', isNumber: true, cell: ({ row }) => moneyAtRisk(row) ?? '–' },
        { name: 'Next check', cell: ({ row }) => <Due at={nextCheck(row)} /> },
        { name: 'Review', cell: ({ row }) => review(row) },
        ...(mayAct
          ? [{ name: 'Actions', cell: (queued: QueuedRow) => <Actions {...queued} visit={visit} /> }]
          : []),
      ]}
    />
  );
}

function Subject({ row }: { row: UrgentRow }) {
  return (
    <>
      <a href={addressOf(row.id)}>{nameOf(row)}</a>
      <br />
      <small class="muted">{`${row.environment}/${row.application}`}</small>
    </>
  );
}

function Actions({ row, actions, visit }: QueuedRow & { visit: Visit }) {
  const hasCheck = Boolean(row.state.openStep);
  return <ActionList address={addressOf(row.id)} actions={actions} visit={visit} hasCheck={hasCheck} />;
}

function ordered(row: UrgentRow): string {
  const amount = amountOf(row);
  return amount ? money(amount.minor, amount.currency) : '–';
}

function nextCheck({ state: { openStep } }: UrgentRow): number | undefined {
  return openStep && openStep.phase !== 'running' ? openStep.nextAt : undefined;
}

function review({ status, state: { openStep } }: UrgentRow) {
  return status === 'needs_review' ? 'open' : <Due at={openStep?.reviewAt} />;
}

function Due({ at }: { at: number | undefined }) {
  return at === undefined ? <>–</> : <Instant at={at} />;
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
