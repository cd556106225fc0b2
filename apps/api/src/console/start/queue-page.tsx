import type { UrgentKind, UrgentPlace } from '#database/console';
import type { Entered, Issues, Option } from '../html/form.js';
import { type FilterField, Filters } from '../html/filters.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Pages } from '../html/parts.js';
import { type QueuedRow, QueueTable } from './queue-table.js';

const address = '/console/queue';

const kinds: Readonly<Record<UrgentKind, string>> = {
  review: 'reviews',
  doubt: 'unknown outcomes',
  holds: 'holds that end within 3 days',
};

const fieldsWith = (applications: readonly Option[]): readonly FilterField[] => [
  { name: 'application', label: 'Application', options: applications },
  {
    name: 'kind',
    label: 'Kind',
    options: Object.entries(kinds).map(([value, label]) => ({ value, label })),
  },
];

/** The whole queue, page by page. */
export function queuePage({
  visit,
  applications,
  entered,
  issues,
  queue,
  next,
  now,
}: {
  readonly visit: Visit;
  readonly applications: readonly Option[];
  readonly entered: Entered;
  readonly issues: Issues;
  readonly queue: readonly QueuedRow[];
  /** The place behind which the next page begins. */
  readonly next: UrgentPlace | undefined;
  readonly now: number;
}): string {
  const { after, ...filter } = entered;
  return renderPage({
    title: 'Queue',
    visit,
    section: '/console',
    children: (
      <>
        <Filters address={address} fields={fieldsWith(applications)} entered={entered} issues={issues} />
        <QueueTable visit={visit} queue={queue} now={now} caption="The most urgent first." />
        <Pages
          first={`${address}?${new URLSearchParams(filter).toString()}`}
          isFirst={after === undefined}
          next={next && `${address}?${new URLSearchParams({ ...filter, after: textOf(next) }).toString()}`}
          words={{ first: 'First', next: 'Next' }}
        />
      </>
    ),
  });
}

function textOf({ rank, at, id }: UrgentPlace): string {
  return `${rank}~${at}~${id}`;
}
