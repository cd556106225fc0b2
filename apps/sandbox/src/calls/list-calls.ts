import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../database/tables.js';
import { callFilters } from './call-filters.js';
import type { CallLog } from './call-log.js';
import type { Call } from './call.js';
import { findCall, findCalls, type ListedCall } from './find-calls.js';

export const callQuery = z.strictObject({
  ...callFilters,
  inflight: z.enum(['true', 'false']).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

type CallQuery = z.output<typeof callQuery>;

/**
 * Calls under way and, unless only those are asked for, ended ones; newest first. A call under way has no answer yet,
 * so it is listed only when the list has no filter other than the application, and does not count towards the limit:
 * the cursors of a page are positions among ended calls.
 */
export async function listCalls(database: Kysely<Tables>, log: CallLog, query: CallQuery) {
  const inFlight = isNarrowed(query) && query.inflight !== 'true' ? [] : callsInFlight(log, query.clientId);
  if (query.inflight === 'true') return { calls: inFlight.slice(0, query.limit), older: null, newer: null };
  await log.flush();
  const page = await findCalls(database, query, query.limit);
  const past = page.calls.map(describeEnded);
  const running = query.inflight === 'false' ? [] : inFlight;
  // Read before the ended ones, so that none is missed: a call that ended in between is in both.
  const ended = new Set(past.map(({ id }) => id));
  return { ...page, calls: [...running.filter(({ id }) => !ended.has(id)), ...past] };
}

/** A complete call, as far as it was kept. */
export async function describeCall(database: Kysely<Tables>, log: CallLog, id: string) {
  await log.flush();
  const row = await findCall(database, id);
  return {
    ...describeEnded(row),
    request: {
      headers: row.request_headers ?? {},
      body: row.request_body,
      note: row.request_body_note,
    },
    response: {
      headers: row.response_headers ?? {},
      body: row.response_body,
      note: row.response_body_note,
    },
  };
}

/** Newest first. */
export function callsInFlight(log: CallLog, clientId: string | undefined) {
  return log
    .inFlight()
    .filter((call) => clientId === undefined || call.clientId === clientId)
    .map(describeInFlight)
    .toReversed();
}

function isNarrowed(query: CallQuery): boolean {
  const { accountId, environment, status, from, to, text, before, after } = query;
  return [accountId, environment, status, from, to, text, before, after].some((value) => value !== undefined);
}

function describeInFlight(call: Call) {
  return { ...call, startedAt: call.startedAt.toISOString(), status: null, finishedAt: null };
}

function describeEnded(row: ListedCall) {
  return {
    id: row.id,
    operation: row.operation,
    method: row.method,
    path: row.path,
    query: row.query,
    clientId: row.client_id,
    accountId: row.account_id,
    environment: row.environment,
    requestId: row.request_id,
    transactionId: row.transaction_id,
    fault: row.fault,
    status: row.status,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at.toISOString(),
    durationMs: row.finished_at.getTime() - row.started_at.getTime(),
  };
}
