import { type SelectQueryBuilder, sql } from 'kysely';
import type { Owner } from '../schema/owner.js';
import type { EngineTables } from '../schema/schema.js';
import type { SubjectTable } from './subject-tables.js';

/** The requested page of an application's rows. */
export interface PageFilter<Id> extends Owner {
  /** Rows older than this one: ids sort by age. */
  readonly before?: Id | undefined;
  readonly limit: number;
}

/** Newest first. Pages by key, not by offset, so that page 1,000 costs as much as page 1. */
export async function pageOfOwn<Row, Id extends string | number>(
  rows: SelectQueryBuilder<EngineTables, SubjectTable | 'webhook_events' | 'drift', Row>,
  { environment, application, before, limit }: PageFilter<Id>,
): Promise<Row[]> {
  let page = rows.where('environment', '=', environment).where('application', '=', application);
  if (before !== undefined) page = page.where('id', '<', before);
  return await page.orderBy('id', 'desc').limit(limit).execute();
}

type SubjectStatus = EngineTables[SubjectTable]['status'];

/** The requested page of an application's payments, refunds and so on. */
export interface SubjectFilter<Status extends SubjectStatus> extends PageFilter<string> {
  /** In one of these. */
  readonly statuses?: readonly Status[] | undefined;
  /** Created then or later. */
  readonly createdFrom?: Date | undefined;
  /** Created before. */
  readonly createdTo?: Date | undefined;
  /** Bounds of the id, for a quicker search: of the first row, and beyond the last one. */
  readonly idFrom?: string | undefined;
  readonly idTo?: string | undefined;
  /** The provider's id of the subject or of a part of it. */
  readonly providerId?: string | undefined;
}

export async function subjectsOf<Row>(
  rows: SelectQueryBuilder<EngineTables, SubjectTable, Row>,
  filter: SubjectFilter<SubjectStatus>,
): Promise<Row[]> {
  const { statuses, createdFrom, createdTo, idFrom, idTo, providerId, environment, application } = filter;
  let asked = rows;
  if (statuses) asked = asked.where('status', 'in', statuses);
  if (createdFrom) asked = asked.where('created_at', '>=', createdFrom);
  if (createdTo) asked = asked.where('created_at', '<', createdTo);
  if (idFrom !== undefined) asked = asked.where('id', '>=', idFrom);
  if (idTo !== undefined) asked = asked.where('id', '<', idTo);
  if (providerId !== undefined) {
    const isNamed = sql<boolean>`id in (select subject_id from resources where environment = ${environment}
      and application = ${application} and resource_id = ${providerId})`;
    asked = asked.where(isNamed);
  }
  return await pageOfOwn(asked, filter);
}
