import { z } from 'zod';
import type { CallFacts, ListedCall } from '#database/calls';
import type { AttemptRow } from '#database/schema';
import { shownInstant } from './fields.js';
import { type Page, listAnswer, nextCursor, numberCursor, pageFields } from './pages.js';

/** A call to the provider, without headers and bodies. */
export const shownCall = z
  .object({
    at: shownInstant,
    operation: z.string(),
    method: z.string(),
    path: z.string(),
    status: z.int().nullable().meta({ description: 'The HTTP status; null if no answer came.' }),
    error: z.string().nullable(),
    debugId: z.string().nullable().meta({ description: 'The id to give to the provider’s support.' }),
    transactionId: z.string().nullable(),
    requestId: z.string().nullable(),
    reference: z.string().nullable(),
    durationMs: z.int(),
  })
  .meta({ id: 'ProviderCall' });

/** Query of a list of calls. */
export const callListQuery = z.strictObject(pageFields(numberCursor));
export type CallListQuery = z.output<typeof callListQuery>;

export const callListAnswer = listAnswer(shownCall, 'ProviderCallList');
export type CallListAnswer = z.output<typeof callListAnswer>;

/** @param attempts of the subject. */
export function viewCallList(page: Page<ListedCall>, attempts: readonly AttemptRow[]): CallListAnswer {
  const references = referencesOf(attempts);
  return {
    data: page.rows.map((call) => viewCall(call, references)),
    nextCursor: nextCursor(page, numberCursor, ({ id }) => id),
  };
}

/** The references of a subject's attempts, by request id. */
export function referencesOf(attempts: readonly AttemptRow[]): ReadonlyMap<string, string> {
  return new Map(attempts.map(({ request_id, reference }) => [request_id, reference]));
}

/** @param references `referencesOf` the subject's attempts. */
export function viewCall(
  call: CallFacts,
  references: ReadonlyMap<string, string>,
): z.output<typeof shownCall> {
  return {
    at: call.started_at.toISOString(),
    operation: call.operation,
    method: call.method,
    path: call.path,
    status: call.status,
    error: call.error,
    debugId: call.debug_id,
    transactionId: call.transaction_id,
    requestId: call.request_id,
    reference: references.get(call.request_id ?? '') ?? null,
    durationMs: call.duration_ms,
  };
}
