import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import type { Link, Links } from '../http/links.js';
import { atOneInstant } from '../server/reading.js';
import { describePlan, describePlanInList } from './plan-representation.js';
import type { PlanListQuery } from './plan-request.js';

export function unknownPlan(): ApiError {
  return new ApiError('TEMPLATE_ID_INVALID', [{ field: 'plan_id', issue: 'No such billing plan' }]);
}

/** @throws ApiError TEMPLATE_ID_INVALID when the application has no such plan. */
export async function getPlan(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  planId: string,
): Promise<object> {
  const plan = await database
    .selectFrom('billing_plans')
    .selectAll()
    .where('id', '=', planId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (plan === undefined) throw unknownPlan();
  return describePlan(plan, links);
}

/** A page of plans, the newest first; they are counted, at the same instant, only when the caller asks for totals. */
export function listPlans(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  query: PlanListQuery,
): Promise<object> {
  return isTotalRequired(query)
    ? atOneInstant(database, (instant) => readPage(instant, links, clientId, query))
    : readPage(database, links, clientId, query);
}

async function readPage(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  query: PlanListQuery,
): Promise<object> {
  const { page, page_size, status } = query;
  const own = database.selectFrom('billing_plans').where('client_id', '=', clientId);
  const meant = status === 'ALL' ? own.where('state', '<>', 'DELETED') : own.where('state', '=', status);
  const rows = await meant
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(page * page_size)
    .limit(page_size + 1)
    .execute();
  const items = isTotalRequired(query)
    ? await meant
        .select((counting) => counting.fn.countAll<number>().as('items'))
        .executeTakeFirstOrThrow()
        .then((counted) => counted.items)
    : null;
  const pages = items === null ? null : Math.ceil(items / page_size);
  return {
    plans: rows.slice(0, page_size).map((plan) => describePlanInList(plan, links)),
    ...(pages !== null && { total_items: String(items), total_pages: String(pages) }),
    links: pageLinks(links, query, rows.length > page_size, pages),
  };
}

function isTotalRequired({ total_required }: PlanListQuery): boolean {
  return total_required === 'YES' || total_required === 'TRUE';
}

function pageLinks(links: Links, query: PlanListQuery, hasNext: boolean, pages: number | null): Link[] {
  const to = (rel: string, page: number) =>
    links.to(
      rel,
      'GET',
      `/v1/payments/billing-plans?page_size=${query.page_size}&page=${page}&status=${query.status}` +
        (isTotalRequired(query) ? '&total_required=yes' : ''),
    );
  return [
    to('start', 0),
    ...(query.page > 0 ? [to('previous_page', query.page - 1)] : []),
    ...(hasNext ? [to('next_page', query.page + 1)] : []),
    ...(pages !== null && pages > 0 ? [to('last', pages - 1)] : []),
  ];
}
