export { PaymentsClient } from './payments-client.js';
export type { CallOptions, KeyedCallOptions, PaymentsClientOptions } from './client-options.js';
export type { CallRecord } from './call-record.js';
export type { DialectName } from './dialect.js';
export type { OperationName, Repeatability } from './operations.js';
export type { RetryPolicy } from './retry.js';

export { ConflictError } from './errors/conflict-error.js';
export { DeclinedError } from './errors/declined-error.js';
export { MalformedAnswerError } from './errors/malformed-answer-error.js';
export { NotFoundError } from './errors/not-found-error.js';
export { PaymentsError, type FailureReason } from './errors/payments-error.js';
export { RateLimitedError } from './errors/rate-limited-error.js';
export { RejectedError, type FieldIssue } from './errors/rejected-error.js';
export { UnauthorizedError } from './errors/unauthorized-error.js';
export { UnavailableError } from './errors/unavailable-error.js';
export { UnknownOutcomeError, type OutcomeEvidence } from './errors/unknown-outcome-error.js';

export { type Amount, fromMinorUnits, isSameAmount, toMinorUnits } from './money.js';
export type { Authorization, AuthorizationState } from './schemas/authorization.js';
export type { Capture, CaptureState } from './schemas/capture.js';
export type { Payment, PaymentPage, PaymentState, Transaction } from './schemas/payment.js';
export type {
  CaptureRequest,
  CreatePaymentRequest,
  CreateWebhookRequest,
  ExecutePaymentRequest,
  PaymentRequestTransaction,
  PaymentSearch,
} from './schemas/requests.js';
export type { Sale, SaleState } from './schemas/sale.js';
export type { Webhook } from './schemas/webhook.js';
