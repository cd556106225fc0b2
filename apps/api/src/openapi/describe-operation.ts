import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { idempotencyKeyPattern } from '../wire/fields.js';

export interface OperationDescription {
  /** Names the operation in clients: a verb and a noun. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag:
    | 'Payments'
    | 'Payouts'
    | 'Plans'
    | 'Subscriptions'
    | 'Payer'
    | 'Reconciliation'
    | 'Webhooks'
    | 'Notifications'
    | 'Codec'
    | 'Provider'
    | 'Health';
  /** Answers by status; null for an answer without a body. */
  readonly answers?: Readonly<Record<number, z.ZodType | null>>;
  /** Statuses that are answered with problem documents. */
  readonly problems?: readonly number[];
  /** Takes any JSON document as its body. */
  readonly takesAnyJson?: boolean;
  /** Default: true for the tags of subjects. */
  readonly needsApiKey?: boolean;
  /** Needs the header Idempotency-Key. */
  readonly isIdempotent?: boolean;
  /** Answers with server-sent events, from the header Last-Event-ID on. */
  readonly streamsEvents?: boolean;
  /** Answers 303. */
  readonly redirects?: boolean;
  /** A browser comes to it, and is shown pages. Default: true for payers. */
  readonly showsPages?: boolean;
}

const subjectTags: readonly string[] = ['Payments', 'Payouts', 'Plans', 'Subscriptions'];

const phrases: Readonly<Record<number, string>> = {
  200: 'Success',
  201: 'Done',
  202: 'Accepted: it is under way; ask again later',
  204: 'Done',
  303: 'Redirects the browser to the shop',
  400: 'The request cannot be parsed',
  401: 'The credentials are missing or wrong',
  402: 'The provider declined the request',
  403: 'The API key lacks the scope that this operation needs: `code` is `insufficient_scope`',
  404: 'Not found',
  409: 'Does not fit the current state, or the idempotency key belongs to another request',
  412: 'The resource has another version than `If-Match` names; `currentVersion` is the one it has. Nothing was done',
  413: 'The body is too large',
  415: 'The body is not of a supported media type',
  422: 'A field is not valid; errors names it',
  429: 'This key, or address, has too many requests under way, or has sent too many in this minute (`code` is `rate_limit_exceeded`); try again after Retry-After seconds',
  503: 'The database or the workflow service is away; try again after Retry-After seconds',
};

/** Documents an operation. A test asserts that every route has one. */
export function describeOperation(operation: OperationDescription): MethodDecorator {
  const { id, summary, description, tag, answers = {}, problems = [] } = operation;
  const { needsApiKey = subjectTags.includes(tag), showsPages = tag === 'Payer' } = operation;
  return applyDecorators(
    ApiOperation({
      operationId: id,
      summary,
      ...(description !== undefined && { description }),
      // Said for each, because the default of a document is not that of its reader.
      security: needsApiKey ? [{ apiKey: [] }] : [],
    }),
    ApiTags(tag),
    ...(operation.isIdempotent ? [idempotencyKey()] : []),
    ...(operation.takesAnyJson ? [ApiBody({ schema: { type: 'object' } })] : []),
    ...(operation.streamsEvents ? [lastEventId(), events()] : []),
    ...(operation.redirects ? [answer(303, null)] : []),
    ...Object.entries(answers).map(([status, schema]) =>
      answer(Number(status), schema, showsPages ? htmlPage : undefined),
    ),
    ...[
      ...problems,
      ...(problems.includes(401) || tag === 'Payer' ? [429] : []),
      ...(needsApiKey ? [403] : []),
    ].map((status) => problem(status, showsPages ? htmlPage : undefined)),
  );
}

function idempotencyKey() {
  return ApiHeader({
    name: 'Idempotency-Key',
    required: true,
    description:
      'A new key for each request; the same key to repeat a request. The request is executed once; another request under the key is a 409. It must not start with `policy:` or `console:`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: idempotencyKeyPattern.source },
  });
}

function lastEventId() {
  return ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The `id` of the last event that was taken: the stream goes on after it.',
    schema: { type: 'string', pattern: '^\\d{1,19}-\\d{1,19}$' },
  });
}

function events() {
  const content = { 'text/event-stream': { schema: { type: 'string' } } };
  return ApiResponse({ status: 200, description: 'The events, until the connection is closed', content });
}

type Content = typeof htmlPage;
const htmlPage = { 'text/html': { schema: { type: 'string' as const } } };

function answer(status: number, schema: z.ZodType | null, content?: Content) {
  return ApiResponse({
    status,
    description: phrases[status] ?? 'Answered',
    ...(schema && { standardSchema: schema }),
    ...(!schema && content && { content }),
  });
}

export function problemResponse(status: number) {
  return {
    description: phrases[status] ?? 'Refused',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function problem(status: number, page?: Content) {
  const { description, content } = problemResponse(status);
  return ApiResponse({
    status,
    description,
    content: { ...content, ...page },
  });
}
