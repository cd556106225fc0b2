import { z } from 'zod';
import { webhookStatuses } from '#database/schema';
import { text } from '../../wire/fields.js';
import { subjectIdPattern } from '../../wire/ids.js';
import { ownerIn } from '../html/applications.js';
import { cursor, day, lastDay } from '../html/filters.js';

/** What the list of events can be filtered by. */
export const eventFilter = z.object({
  application: text(100).optional(),
  status: z.enum(webhookStatuses).optional(),
  type: text(200).optional(),
  resource: text(200).optional(),
  subject: z.string().regex(subjectIdPattern, 'must be one of our ids').optional(),
  from: day.optional(),
  to: lastDay.optional(),
  cursor: cursor.optional(),
});

/** The filter of the rows. */
export function rowFilterOf({ application, resource, subject, ...filter }: z.output<typeof eventFilter>) {
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
