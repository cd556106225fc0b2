import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../database/tables.js';
import type { Call, CallLog } from './call-log.js';

export const callQuery = z.object({
  inflight: z.enum(['true', 'false']).optional(),
  clientId: z
    .string()
    .max(200)
    .regex(/^[^\0]*$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

/** Calls in flight, and unless only those are asked for the ended ones; newest first. */
export async function listCalls(database: Kysely<Tables>, log: CallLog, query: z.output<typeof callQuery>) {
  const inFlight = log
    .inFlight()
    .filter(({ clientId }) => query.clientId === undefined || clientId === query.clientId)
    .map((call) => describe(call, null, null))
    .toReversed();
  if (query.inflight === 'true') return inFlight.slice(0, query.limit);
  await log.flush();
  let ended = database.selectFrom('calls').selectAll();
  if (query.clientId !== undefined) ended = ended.where('client_id', '=', query.clientId);
  const rows = await ended.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(query.limit).execute();
  const past = rows.map((row) => {
    const { id, operation, method, path, fault } = row;
    const call = { id, operation, method, path, fault, clientId: row.client_id, requestId: row.request_id };
    return describe({ ...call, startedAt: row.started_at }, row.status, row.finished_at);
  });
  return [...(query.inflight === 'false' ? [] : inFlight), ...past].slice(0, query.limit);
}

function describe(
  call: Omit<Call, 'operation'> & { operation: string },
  status: number | null,
  finishedAt: Date | null,
) {
  return {
    ...call,
    status,
    startedAt: call.startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
