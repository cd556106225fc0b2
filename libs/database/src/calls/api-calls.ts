import { sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { Database } from '../connection/database.js';
import type { ApiCallRow } from '../schema/schema.js';
import { recordJson, storableForeignJson, storableText } from '../text/storable-text.js';

/** One call to the provider, redacted before it gets here (design: the call history). */
export interface NewApiCall {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly requestId?: string;
  readonly debugId?: string;
  readonly transactionId?: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly request?: unknown;
  readonly response?: unknown;
  readonly requestHeaders?: unknown;
  readonly responseHeaders?: unknown;
  /** Name of the error class, never its text. */
  readonly error?: string;
}

/** The columns of a call without its bodies. */
export const callFacts = [
  'started_at',
  'operation',
  'method',
  'path',
  'status',
  'error',
  'debug_id',
  'transaction_id',
  'request_id',
  'duration_ms',
] as const;
export type CallFacts = Pick<ApiCallRow, (typeof callFacts)[number]>;

/** The newest 500 calls of a subject without their bodies, in order. */
export async function listCallFacts(db: Database, subjectId: string): Promise<CallFacts[]> {
  return (await listCallsBefore(db, subjectId, { limit: 500 })).toReversed();
}

export type ListedCall = CallFacts & Pick<ApiCallRow, 'id'>;

/** A page of a subject's calls without their bodies, the latest recorded one first. */
export async function listCallsBefore(
  db: Database,
  subjectId: string,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<ListedCall[]> {
  let page = db
    .selectFrom('api_calls')
    .select(['id', ...callFacts])
    .where('subject_id', '=', subjectId);
  if (before !== undefined) page = page.where('id', '<', before);
  return await page.orderBy('id', 'desc').limit(limit).execute();
}

/**
 * The latest call of a command that the provider answered with its error document.
 *
 * @param commandId absent: of any call of the subject.
 */
export async function findDecline(
  db: Database,
  subjectId: string,
  commandId?: string,
): Promise<{ readonly code: string | null; readonly debugId: string | null } | undefined> {
  const attempts = db.selectFrom('attempts').select('request_id').where('subject_id', '=', subjectId);
  return await db
    .selectFrom('api_calls')
    .select([sql<string | null>`response->>'name'`.as('code'), 'debug_id as debugId'])
    .where('subject_id', '=', subjectId)
    .where('status', '>=', 400)
    .where('status', '<', 500)
    .where('method', '<>', 'GET')
    .$if(commandId !== undefined, (calls) =>
      calls.where('request_id', 'in', attempts.where(sql`step->>'commandId'`, '=', commandId)),
    )
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** Writes calls without other rows. */
export async function recordCalls(
  db: Database,
  subject: Subject,
  calls: readonly NewApiCall[],
): Promise<void> {
  if (calls.length === 0) return;
  await db
    .insertInto('api_calls')
    .values(calls.map((call) => apiCallValues(subject, call)))
    .execute();
}

export function apiCallValues({ environment, application, id }: Subject, call: NewApiCall) {
  return { environment, application, subject_id: id, ...callColumns(call) };
}

/** The columns of one call as a JSON object. */
export function apiCallRecord(call: NewApiCall): string {
  const { request, response, request_headers, response_headers, ...facts } = callColumns(call);
  return recordJson(facts, { request, response, request_headers, response_headers });
}

function callColumns(call: NewApiCall) {
  return {
    operation: call.operation,
    method: call.method,
    path: storableText(call.path),
    status: call.status,
    request_id: call.requestId ?? null,
    debug_id: textOf(call.debugId),
    transaction_id: textOf(call.transactionId),
    started_at: call.startedAt,
    duration_ms: Math.round(call.durationMs),
    request: json(call.request),
    response: json(call.response),
    request_headers: json(call.requestHeaders),
    response_headers: json(call.responseHeaders),
    error: call.error ?? null,
  };
}

function json(value: unknown): string | null {
  return value === undefined ? null : storableForeignJson(value);
}

/** The name in the provider's error body. */
function textOf(name: string | undefined): string | null {
  return name === undefined ? null : storableText(name);
}
