import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Owner } from '../schema/owner.js';
import type { EngineTables } from '../schema/schema.js';
import type { SubjectTable } from './subject-tables.js';

/** The requested page of an application's rows. */
export interface PageFilter<Id> extends Owner {
  /** Rows older than this one: ids sort by age. */
  readonly before?: Id | undefined;
  readonly limit: number;
  /** For a table with ids that do not sort by age, such as those of refunds made elsewhere: it has an index by creation. */
  readonly byCreation?: 'refunds';
}

/** Newest first. Pages by key, not by offset, so that page 1,000 costs as much as page 1. */
export async function pageOfOwn<Row, Id extends string | number>(
  rows: SelectQueryBuilder<EngineTables, SubjectTable | 'webhook_events' | 'drift', Row>,
  filter: PageFilter<Id>,
): Promise<Row[]> {
  return await newest(rows, filter).execute();
}

function newest<Table extends SubjectTable | 'webhook_events' | 'drift', Row>(
  rows: SelectQueryBuilder<EngineTables, Table, Row>,
  { environment, application, before, limit, byCreation }: PageFilter<string | number>,
): SelectQueryBuilder<EngineTables, Table, Row> {
  const own = rows.where(sql<boolean>`environment = ${environment} and application = ${application}`);
  const older = (last: RawBuilder<boolean>) => (before === undefined ? own : own.where(last));
  if (!byCreation)
    return older(sql`id < ${before}`)
      .orderBy(sql`id`, 'desc')
      .limit(limit);
  const table = sql.table(byCreation);
  return older(sql`(created_at, id) < (select created_at, id from ${table} where id = ${before})`)
    .orderBy(sql`created_at`, 'desc')
    .orderBy(sql`id`, 'desc')
    .limit(limit);
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
  if (createdFrom) asked = asked.where('created_at', '>=', createdFrom);
  if (createdTo) asked = asked.where('created_at', '<', createdTo);
  if (idFrom !== undefined) asked = asked.where('id', '>=', idFrom);
  if (idTo !== undefined) asked = asked.where('id', '<', idTo);
  if (providerId !== undefined) {
    const isNamed = sql<boolean>`id in (select subject_id from resources where environment = ${environment}
      and application = ${application} and resource_id = ${providerId})`;
    asked = asked.where(isNamed);
  }
  if (!statuses) return await pageOfOwn(asked, filter);
  const [only, ...others] = statuses.map((status) => newest(asked.where('status', '=', status), filter));
  if (!only) return [];
  if (others.length === 0) return await only.execute();
  // The first rows of each status, because together they have no index by age.
  const ids = sql`(${sql.join(
    statuses.map(
      (status) => sql`(${newest(asked.clearSelect().select('id').where('status', '=', status), filter)})`,
    ),
    sql` union all `,
  )})`;
  return await newest(rows.where(sql<boolean>`id in ${ids}`), filter).execute();
}
