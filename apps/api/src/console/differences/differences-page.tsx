import type { OpenDifferenceKind } from '#database/console';
import type { DriftRow } from '#database/schema';
import { FilteredList, type FoundPage } from '../html/filtered-list.js';
import type { Option } from '../html/form.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Instant } from '../html/parts.js';
import { SubjectLink } from '../html/subject-link.js';

const address = '/console/differences';

const kinds: Readonly<Record<OpenDifferenceKind, string>> = {
  difference: 'differences from the provider',
  run: 'runs that cannot continue',
  unread: 'not compared: one side was not read',
};

/** What reconciliation has found and is still open. */
export function differencesPage({
  visit,
  applications,
  found,
}: {
  readonly visit: Visit;
  readonly applications: readonly Option[];
  readonly found: FoundPage<DriftRow>;
}): string {
  return renderPage({
    title: 'Differences',
    visit,
    section: '/console',
    children: (
      <FilteredList
        address={address}
        keyOf={({ id }) => id}
        fields={[
          { name: 'application', label: 'Application', options: applications },
          {
            name: 'kind',
            label: 'Kind',
            options: Object.entries(kinds).map(([value, label]) => ({ value, label })),
          },
        ]}
        found={found}
        caption="What reconciliation has found and is still open, the latest first. Nothing corrects it by itself."
        none="Nothing like that is open."
        columns={[
          { name: 'Subject', cell: ({ subject_id: id }) => <SubjectLink id={id} /> },
          { name: 'Application', cell: (row) => `${row.environment}/${row.application}` },
          { name: 'Field', cell: ({ field }) => field },
          { name: 'Ours', cell: ({ ours }) => ours },
          { name: 'Theirs', cell: ({ theirs }) => theirs },
          { name: 'Since', cell: ({ first_seen_at: at }) => <Instant at={at} /> },
          { name: 'Last seen', cell: ({ last_seen_at: at }) => <Instant at={at} /> },
        ]}
      />
    ),
  });
}
