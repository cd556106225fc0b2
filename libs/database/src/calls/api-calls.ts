import type { Subject } from '#workflows/contract';
import type { Database } from '../connection/database.js';
import type { ApiCallRow } from '../schema/schema.js';
import { storableForeignJson, storableText } from '../text/storable-text.js';

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

export async function listApiCalls(db: Database, subjectId: string) {
  return await db
    .selectFrom('api_calls')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute();
}

const callFacts = [
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

/** Its calls without what was said in them, in order: the newest 500. */
export async function listCallFacts(db: Database, subjectId: string): Promise<CallFacts[]> {
  const newest = await db
    .selectFrom('api_calls')
    .select(callFacts)
    .where('subject_id', '=', subjectId)
    .orderBy('id', 'desc')
    .limit(500)
    .execute();
  return newest.toReversed();
}

/** Writes calls beside which nothing else is to be written. */
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
  return {
    environment,
    application,
    subject_id: id,
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

/** What the provider calls its answer. */
function textOf(name: string | undefined): string | null {
  return name === undefined ? null : storableText(name);
}
