import type { AuditEntry, ConsoleSessionRow } from '#database/console';
import { FilteredList, type FoundPage } from '../html/filtered-list.js';
import type { FilterField } from '../html/filters.js';
import { renderPage, type Visit } from '../html/layout.js';
import { Instant, Table } from '../html/parts.js';
import { SubjectLink } from '../html/subject-link.js';

const address = '/console/audit';

const fields: readonly FilterField[] = [
  { name: 'user', label: 'User' },
  { name: 'action', label: 'Action' },
  { name: 'subject', label: 'Our id' },
];

/** Who did what, when and why, and who is signed in. */
export function auditPage({
  visit,
  found,
  sessions,
}: {
  readonly visit: Visit;
  readonly found: FoundPage<AuditEntry>;
  readonly sessions: readonly ConsoleSessionRow[];
}): string {
  return renderPage({
    title: 'Audit trail',
    visit,
    section: address,
    children: (
      <>
        <FilteredList
          address={address}
          keyOf={({ id }) => id}
          fields={fields}
          found={found}
          caption="What users of the console have done, the latest first."
          none="Nobody has done anything like that."
          columns={[
            { name: 'When', cell: ({ at }) => <Instant at={at} /> },
            { name: 'Who', cell: ({ user_name: name, role }) => `${name} (${role})` },
            { name: 'What', cell: ({ action, detail }) => (detail ? `${action}: ${detail}` : action) },
            { name: 'About', cell: ({ subject_id: id }) => <SubjectLink id={id} /> },
            { name: 'Why', cell: ({ reason }) => reason ?? '–' },
            { name: 'Outcome', cell: outcomeOf },
          ]}
        />
        <Sessions sessions={sessions} csrfToken={visit.csrfToken} />
      </>
    ),
  });
}

function outcomeOf({ command_status: status, command_result: result }: AuditEntry): string {
  if (status === null) return '–';
  return result?.reason === undefined ? status : `${status}: ${result.reason}`;
}

function Sessions({ sessions, csrfToken }: { sessions: readonly ConsoleSessionRow[]; csrfToken: string }) {
  return (
    <>
      <h2>Who is signed in</h2>
      <Table
        caption="Open sessions."
        none="Nobody."
        rows={sessions}
        columns={[
          { name: 'User', cell: ({ user_name: name }) => name },
          { name: 'Since', cell: ({ created_at: at }) => <Instant at={at} /> },
          { name: 'Last seen', cell: ({ last_used_at: at }) => <Instant at={at} /> },
          {
            name: 'Action',
            cell: ({ id, user_name: name }) => (
              <form method="post" action={`${address}/sessions/${id}/end`}>
                <input type="hidden" name="_csrf" value={csrfToken} />
                <button type="submit" aria-label={`End the session of ${name}`}>
                  End
                </button>
              </form>
            ),
          },
        ]}
      />
    </>
  );
}
