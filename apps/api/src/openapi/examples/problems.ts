import { ids } from './parts.js';

const requestId = 'req_5f0c9b1e6a7d4c3e9f2a8b7c';

/** Titles are those of `problemKinds`; a test compares them. */
const problem = (kind: string, status: number, title: string, more: object = {}) => ({
  type: `urn:payments:problem:${kind}`,
  title,
  status,
  code: kind.replaceAll('-', '_'),
  ...more,
  requestId,
});

/** What is answered most often with a status. */
export const problems: Readonly<Record<string, object>> = {
  400: problem('malformed-request', 400, 'The request cannot be parsed', {
    errors: [{ header: 'If-Match', detail: 'must be `*`, or entity tags such as `"7"`' }],
  }),
  401: problem('unauthorized', 401, 'The credentials are missing or wrong', {
    detail: 'Send the API key as "Authorization: Bearer <key>".',
  }),
  402: problem('payment-declined', 402, 'The provider declined the request', {
    code: 'provider_refused',
    detail: 'The payer’s bank has declined it.',
    providerCode: 'INSTRUMENT_DECLINED',
    providerDebugId: 'f0a1b2c3d4e5f',
    currentState: 'declined',
    allowedActions: [],
    paymentId: ids.payment,
  }),
  403: problem('forbidden', 403, 'The credentials do not allow this', {
    code: 'insufficient_scope',
    detail: 'This request needs an API key with the scope "order".',
  }),
  404: problem('not-found', 404, 'Not found'),
  409: problem('conflict', 409, 'The request does not fit the current state', {
    code: 'amount_exceeds_capturable',
    detail: 'At most 70.00 USD can be captured.',
    currentState: 'partially_captured',
    allowedActions: ['capture', 'release', 'refund'],
    paymentId: ids.payment,
  }),
  412: problem('precondition-failed', 412, 'The resource has another version', {
    code: 'version_mismatch',
    detail: 'The resource has version 8, or is about to change. Read it, and decide again.',
    currentVersion: 8,
  }),
  413: problem('content-too-large', 413, 'The request is too large', {
    detail: 'The body may have at most 65536 bytes.',
  }),
  415: problem('unsupported-media-type', 415, 'The media type is not supported'),
  422: problem('validation-failed', 422, 'The request is not valid', {
    errors: [{ pointer: '/amount/value', detail: 'must be greater than 0' }],
  }),
  429: problem('too-many-requests', 429, 'Too many requests', {
    code: 'rate_limit_exceeded',
    detail: 'This key has sent too many requests in this minute.',
  }),
  503: problem('unavailable', 503, 'Temporarily unavailable', {
    detail: 'The database is away. Nothing was done; repeat the request.',
  }),
};
