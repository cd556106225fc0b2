import type { Link } from './links.js';

/** Errors of the service: the name for programs, the HTTP status, the text for people. */
const ERRORS = {
  VALIDATION_ERROR: [400, 'Invalid request - see details'],
  MALFORMED_REQUEST: [400, 'JSON request is malformed.'],
  PAYMENT_NOT_APPROVED_FOR_EXECUTION: [400, 'Payer has not approved payment'],
  PAYMENT_STATE_INVALID: [400, 'This request is invalid due to the current state of the payment'],
  PAYMENT_EXPIRED: [400, 'The payment is expired'],
  INVALID_PAYER_ID: [400, 'Payer ID is invalid'],
  AUTHORIZATION_CANNOT_BE_VOIDED: [400, 'Authorization is in a state that cannot be voided'],
  AUTHORIZATION_EXPIRED: [400, 'Authorization has expired'],
  AUTHORIZATION_ALREADY_COMPLETED: [400, 'Capture refused - this authorization has already been completed.'],
  AUTHORIZATION_VOIDED: [400, 'Authorization has been voided.'],
  REAUTHORIZATION_TOO_SOON: [400, 'Reauthorization is not allowed inside the honor period'],
  AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED: [400, 'Authorization amount specified exceeded allowable limit.'],
  TOO_MANY_REAUTHORIZATIONS: [400, 'The maximum number of reauthorizations has been reached'],
  CANNOT_REAUTH_CHILD_AUTHORIZATION: [400, 'Only an original authorization can be reauthorized'],
  CREDIT_CARD_REFUSED: [400, 'Credit card was refused'],
  EXPIRED_CREDIT_CARD: [400, 'Credit card is expired'],
  UNSUPPORTED_PAYEE_COUNTRY: [400, 'The country of the payee is not supported for this transaction'],
  INSTRUMENT_DECLINED: [400, 'The instrument presented was either declined by the processor or bank.'],
  TRANSACTION_REFUSED: [400, 'The request was refused'],
  TRANSACTION_ALREADY_REFUNDED: [400, 'This transaction has already been refunded'],
  REFUND_EXCEEDED_TRANSACTION_AMOUNT: [400, 'Refund amount must be less than or equal to transaction amount'],
  RP_INVALID_STATUS_TO_CANCEL: [
    400,
    'Invalid profile status for cancel action; profile should be active or suspended',
  ],
  INVALID_STATUS_TO_SUSPEND: [400, 'Invalid status to suspend'],
  INVALID_STATUS_TO_REACTIVATE: [400, 'Invalid status to re-activate'],
  RP_CANT_INCREASE_OUTSTANDING_AMOUNT: [400, 'Cannot increase delinquent amount'],
  USER_BUSINESS_ERROR: [400, 'User business error.'],
  ITEM_ALREADY_CANCELLED: [400, 'Requested item is already cancelled.'],
  ITEM_INCORRECT_STATUS: [400, 'Only items in Unclaimed status can be cancelled.'],
  CAPTURE_AMOUNT_LIMIT_EXCEEDED: [400, 'Capture amount specified exceeded allowable limit.'],
  CURRENCY_MISMATCH: [400, 'Currency of capture must be the same as currency of authorization'],
  DUPLICATE_REQUEST_ID: [400, 'The value of PayPal-Request-Id header has already been used.'],
  WEBHOOK_URL_ALREADY_EXISTS: [400, 'Webhook URL already exists'],
  WEBHOOK_NUMBER_LIMIT_EXCEEDED: [400, 'You have reached the limit of 10 webhooks'],
  WEBHOOK_PATCH_REQUEST_NO_CHANGE: [400, 'The update request does not change the webhook'],
  AUTHENTICATION_FAILURE: [
    401,
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  ],
  NOT_AUTHORIZED: [403, 'Authorization failed due to insufficient permissions.'],
  INVALID_RESOURCE_ID: [404, 'The requested resource ID was not found'],
  TEMPLATE_ID_INVALID: [404, 'The plan ID is invalid'],
  RESOURCE_CONFLICT: [409, 'A previous request on this resource is currently in progress.'],
  REQUEST_TOO_LARGE: [413, 'The request is larger than the server accepts.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The server does not support the request payload’s media type.'],
  UNPROCESSABLE_ENTITY: [422, 'The requested action could not be performed.'],
  RATE_LIMIT_REACHED: [429, 'Too many requests. Blocked due to rate limiting.'],
  INTERNAL_SERVER_ERROR: [500, 'An internal server error has occurred.'],
  SERVICE_UNAVAILABLE: [503, 'Service Unavailable.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorName = keyof typeof ERRORS;

export const ERROR_NAMES = Object.keys(ERRORS) as [ErrorName, ...ErrorName[]];

/** The status that an error is documented with. */
export function statusOf(name: ErrorName): number {
  return ERRORS[name][0];
}

export interface ErrorDetail {
  /** Path in the body (`transactions[0].amount.total`), or the name of a parameter or header. */
  field: string;
  issue: string;
  /** The wrong value; only where it is the caller's own reference. */
  value?: string;
}

/** A refusal that is answered to the caller, in the documented shape. */
export class ApiError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorName,
    readonly details: readonly ErrorDetail[] = [],
    readonly retryAfterSeconds?: number,
    /** What the caller may read instead. */
    readonly links: readonly Link[] = [],
  ) {
    super(ERRORS[code][1]);
    this.name = 'ApiError';
    this.status = ERRORS[code][0];
  }

  static invalid(field: string, issue: string): ApiError {
    return new ApiError('VALIDATION_ERROR', [{ field, issue }]);
  }
}

const NAME_OF_STATUS: Readonly<Record<number, ErrorName>> = {
  400: 'VALIDATION_ERROR',
  401: 'AUTHENTICATION_FAILURE',
  403: 'NOT_AUTHORIZED',
  404: 'INVALID_RESOURCE_ID',
  409: 'RESOURCE_CONFLICT',
  413: 'REQUEST_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_ENTITY',
  429: 'RATE_LIMIT_REACHED',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** The documented name for a bare status. */
export function errorNameOf(status: number): ErrorName {
  return NAME_OF_STATUS[status] ?? (status < 500 ? 'VALIDATION_ERROR' : 'INTERNAL_SERVER_ERROR');
}

/** The documented body of an error answer (provider facts, "Errors"). */
export function describeError(
  name: ErrorName,
  details: readonly ErrorDetail[],
  debugId: string,
  links: readonly Link[] = [],
): object {
  return {
    name,
    message: ERRORS[name][1],
    debug_id: debugId,
    information_link: `https://developer.paypal.com/docs/api/payments/v1/#error-${name}`,
    ...(details.length > 0 && { details }),
    ...(links.length > 0 && { links }),
  };
}
