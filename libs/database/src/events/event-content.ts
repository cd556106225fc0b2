import { type RawBuilder, sql } from 'kysely';
import type { EventContent } from '../schema/inbox-tables.js';
import { storableJson } from '../text/storable-text.js';

/** The parts of an event's content that decisions use, as columns or values. */
export interface ContentParts {
  readonly eventType: RawBuilder<unknown>;
  readonly resource: RawBuilder<unknown>;
  readonly resourceIds: RawBuilder<unknown>;
}

export function contentIn(table: string): ContentParts {
  return {
    eventType: sql.ref(`${table}.event_type`),
    resource: sql.ref(`${table}.resource`),
    resourceIds: sql.ref(`${table}.resource_ids`),
  };
}

export function contentOf({ eventType, resource, resourceIds }: EventContent): ContentParts {
  return {
    eventType: sql`${eventType}::text`,
    resource: sql`${storableJson(resource)}::jsonb`,
    resourceIds: sql`${[...resourceIds]}::text[]`,
  };
}

/**
 * True for another type, another resource, or another set of ids by which a subject is found. Bytes cannot be compared:
 * a provider may serialize one event in several ways.
 */
export function isAnotherContent(one: ContentParts, other: ContentParts): RawBuilder<boolean> {
  return sql<boolean>`(${one.eventType} <> ${other.eventType} or ${one.resource} <> ${other.resource}
    or not (${one.resourceIds} @> ${other.resourceIds} and ${one.resourceIds} <@ ${other.resourceIds}))`;
}
