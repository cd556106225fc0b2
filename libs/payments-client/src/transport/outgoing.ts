import type { z } from 'zod';
import type { CallIdentity } from '../errors/payments-error.js';
import { type FieldIssue, RejectedError } from '../errors/rejected-error.js';
import { redactProse } from '../redaction/redaction.js';
import { compiled } from '../schemas/compiled.js';

/** A batch can have 15,000 wrong items. The error names enough of them to fix it. */
const MAX_ISSUES = 32;

/**
 * The wire form of a request, or a refusal before anything is sent.
 * @throws RejectedError without a status, naming the caller's fields
 */
export function toWire<Wire>(schema: z.ZodType<Wire>, request: unknown, identity: CallIdentity): Wire {
  const parsed = compiled(schema).safeParse(request);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, MAX_ISSUES);
  throw refuse(
    identity,
    issues.map(({ path, message }) => ({ field: path.join('.'), issue: redactProse(message) })),
  );
}

/** The query of a search, with its question mark; what is undefined is left out. */
export function queryOf(wire: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wire)) if (value !== undefined) query.set(name, String(value));
  return `?${query.toString()}`;
}

/**
 * Checks an id for a path: with a slash or a query it would address something else, as `.` and `..` would. Ids of events
 * may have dots (`readWebhookEvent`).
 */
export function checkId(id: string, identity: CallIdentity, field = 'id'): void {
  if (!/^[A-Za-z0-9][\w.-]{0,127}$/.test(id)) throw refuse(identity, [{ field, issue: 'not a resource id' }]);
}

/** At most 78 characters (provider-facts, "Idempotency and tokens"); printable, since it becomes a header. */
export function checkRequestId(requestId: string, identity: CallIdentity): void {
  if (/^[\x21-\x7e]{1,78}$/.test(requestId)) return;
  throw refuse(identity, [{ field: 'requestId', issue: 'not 1 to 78 printable characters' }]);
}

function refuse({ operation }: CallIdentity, issues: readonly FieldIssue[]): RejectedError {
  return new RejectedError({ operation }, { code: 'VALIDATION_ERROR' }, issues);
}
