import { z } from 'zod';
import { type ListedEvent, listEvents } from '#database/console';
import type { Database } from '#database/connection';
import { webhookStatuses } from '#database/schema';
import { text } from '../../wire/fields.js';
import { subjectIdPattern } from '../../wire/ids.js';
import { ownerIn } from '../html/applications.js';
import { type FoundPage, findPage } from '../html/filtered-list.js';
import { cursor, day, lastDay } from '../html/filters.js';

/** What the list of events can be filtered by. */
const eventFilter = z.object({
  application: text(100).optional(),
  status: z.enum(webhookStatuses).optional(),
  type: text(200).optional(),
  resource: text(200).optional(),
  subject: z.string().regex(subjectIdPattern, 'must be one of our ids').optional(),
  from: day.optional(),
  to: lastDay.optional(),
  cursor: cursor.optional(),
});

/** The page of events that a query of the list asks for. */
export function findEvents(db: Database, query: unknown): Promise<FoundPage<ListedEvent>> {
  return findPage(eventFilter, query, (filter, page) => listEvents(db, { ...rowFilterOf(filter), ...page }));
}

function rowFilterOf({ application, resource, subject, ...filter }: z.output<typeof eventFilter>) {
  return {
    ...ownerIn(application),
    status: filter.status,
    type: filter.type,
    resourceId: resource,
    subjectId: subject,
    from: filter.from,
    to: filter.to,
  };
}
