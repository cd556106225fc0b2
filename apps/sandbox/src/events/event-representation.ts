import type { EventRow } from '../database/tables.js';
import type { Links } from '../http/links.js';

/**
 * A webhook event, delivered and retrieved alike (interface, section 2.8). Its type has the interface's name and the
 * public one.
 */
export function describeEvent(event: EventRow, links: Links): object {
  return {
    id: event.id,
    create_time: event.created_at.toISOString(),
    resource_type: event.resource_type,
    event_version: '1.0',
    trigger_event: event.event_type,
    event_type: event.event_type,
    summary: event.summary,
    resource: event.resource,
    links: links.event(event.id),
  };
}
