export { PaymentsClient } from './payments-client.js';
export type { PaymentsClientOptions } from './client-options.js';
export type { CallRecord } from './call-record.js';

export { ConflictError } from './errors/conflict-error.js';
export { DeclinedError } from './errors/declined-error.js';
export { MalformedAnswerError } from './errors/malformed-answer-error.js';
export { NotFoundError } from './errors/not-found-error.js';
export { PaymentsError } from './errors/payments-error.js';
export { RateLimitedError } from './errors/rate-limited-error.js';
export { RejectedError } from './errors/rejected-error.js';
export { UnauthorizedError } from './errors/unauthorized-error.js';
export { UnavailableError } from './errors/unavailable-error.js';
export { UnknownOutcomeError } from './errors/unknown-outcome-error.js';

export { type Amount, fromMinorUnits, isSameAmount, toMinorUnits } from './money.js';
export type { Authorization } from './schemas/authorization.js';
export type { Capture } from './schemas/capture.js';
export type { EventPage, FoundEvent } from './schemas/event.js';
export type { Payment } from './schemas/payment.js';
export type { Webhook } from './schemas/webhook.js';
export type { Refund } from './schemas/refund.js';
export type { CaptureRequest, CreatePaymentRequest } from './schemas/requests.js';
