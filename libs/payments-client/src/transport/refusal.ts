import type { IncomingHttpHeaders } from 'node:http';
import { ConflictError } from '../errors/conflict-error.js';
import { DeclinedError } from '../errors/declined-error.js';
import { NotFoundError } from '../errors/not-found-error.js';
import type { CallIdentity, FailureFacts, PaymentsError } from '../errors/payments-error.js';
import { RateLimitedError } from '../errors/rate-limited-error.js';
import { RejectedError } from '../errors/rejected-error.js';
import { UnauthorizedError } from '../errors/unauthorized-error.js';
import { linkedId } from '../linked-id.js';
import { redactProse } from '../redaction/redaction.js';
import { parseRetryAfter } from './retry.js';
import { errorBody, errorLinks } from '../schemas/error-body.js';

/** Refusals of the funding source, with any status. */
const DECLINES: ReadonlySet<string> = new Set([
  'INSTRUMENT_DECLINED',
  'CREDIT_CARD_REFUSED',
  'TRANSACTION_REFUSED',
  'TRANSACTION_REFUSED_BY_PAYPAL_RISK',
  'PAYER_CANNOT_PAY',
  'PAYER_ACCOUNT_RESTRICTED',
  'INSUFFICIENT_FUNDS',
]);

/** The error for a 4xx answer: the provider checked the request and did nothing. */
export function refusal(
  identity: CallIdentity,
  status: number,
  headers: IncomingHttpHeaders,
  body: unknown,
): PaymentsError {
  const facts = factsOf(status, headers, body);
  if (facts.code !== undefined && DECLINES.has(facts.code)) return new DeclinedError(identity, facts);
  switch (status) {
    case 401:
    case 403:
      return new UnauthorizedError(identity, facts);
    case 404:
      return new NotFoundError(identity, facts);
    case 409:
      return new ConflictError(identity, facts);
    case 429:
      return new RateLimitedError(identity, facts);
    default:
      return new RejectedError(identity, facts, issuesIn(body), existingIdIn(body));
  }
}

/** The facts of an answer in their documented form; everything else is dropped. */
export function factsOf(
  status: number | undefined,
  headers: IncomingHttpHeaders,
  body: unknown,
): FailureFacts {
  const { name, debugId } = errorBody.parse(body);
  return {
    status,
    code: matching(name, /^[A-Za-z][\w.-]{0,63}$/),
    // Some errors lack it in the body; the header then has it (provider-facts, "Errors").
    debugId: matching(debugId ?? single(headers['paypal-debug-id']), /^[\w-]{1,64}$/),
    retryAfterMs: parseRetryAfter(headers['retry-after'], Date.now()),
  };
}

const MAX_ISSUES = 32;

function issuesIn(body: unknown) {
  return errorBody
    .parse(body)
    .details.slice(0, MAX_ISSUES)
    .map(({ field, issue }) => ({ field: redactProse(field), issue: redactProse(issue) }));
}

function existingIdIn(body: unknown): string | undefined {
  return linkedId(errorLinks.parse(body), 'payouts');
}

function matching(text: string | undefined, pattern: RegExp): string | undefined {
  return text !== undefined && pattern.test(text) ? text : undefined;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
