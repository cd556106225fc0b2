import type { ChosenNotification } from '#database/notifications';
import { Instant, Table } from '../html/parts.js';
import { SubjectLink } from '../html/subject-link.js';
import { notificationAddress } from '../sentences/words.js';

const mostShown = 100;

/** What a confirmation is about: these, whatever comes meanwhile. */
export function ChosenNotifications({ chosen }: { chosen: readonly ChosenNotification[] }) {
  return (
    <Table
      caption={
        chosen.length > mostShown
          ? `The first ${mostShown} of the notifications, the oldest one first.`
          : 'The notifications, the oldest one first.'
      }
      none="No notification is like that."
      rows={chosen.slice(0, mostShown)}
      columns={[
        { name: 'Notification', cell: (row) => <a href={notificationAddress(row)}>{row.type}</a> },
        { name: 'About', cell: ({ subject_id: id }) => <SubjectLink id={id} /> },
        { name: 'Written', cell: ({ created_at: at }) => <Instant at={at} /> },
      ]}
    />
  );
}
