import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { agreement, pendingAgreement } from '#payments-client/schemas/agreement.js';
import { createAgreementRequest } from '#payments-client/schemas/agreement-request.js';
import { authorization } from '#payments-client/schemas/authorization.js';
import { capture } from '#payments-client/schemas/capture.js';
import { compiled } from '#payments-client/schemas/compiled.js';
import { foundEvent } from '#payments-client/schemas/event.js';
import { payment, paymentPage } from '#payments-client/schemas/payment.js';
import { payoutBatch } from '#payments-client/schemas/payout-batch.js';
import { payoutItem } from '#payments-client/schemas/payout-item.js';
import { createPayoutRequest } from '#payments-client/schemas/payout-request.js';
import { plan } from '#payments-client/schemas/plan.js';
import { createPlanRequest } from '#payments-client/schemas/plan-request.js';
import { refund } from '#payments-client/schemas/refund.js';
import { refundRequest as refundRequestSchema } from '#payments-client/schemas/refund-request.js';
import {
  captureRequest as captureRequestSchema,
  createPaymentRequest,
  executePaymentRequest,
} from '#payments-client/schemas/requests.js';
import {
  captureRequest,
  paymentRequest,
  wireAgreement,
  wireAuthorization,
  wireCapture,
  wirePayment,
  wirePayoutBatch,
  wirePayoutItem,
  wirePendingAgreement,
  wirePlan,
  wireRefund,
} from '../client/answers.js';
import { agreementRequest, payoutRequest, planRequest, refundRequest } from '../client/billing-requests.js';

const cases: readonly (readonly [name: string, schema: z.ZodType, right: object])[] = [
  ['a payment', payment, wirePayment],
  ['a page of payments', paymentPage, { payments: [wirePayment], count: 1 }],
  ['an authorization', authorization, wireAuthorization],
  ['a capture', capture, wireCapture],
  ['a refund', refund, wireRefund],
  ['a plan', plan, wirePlan],
  ['an agreement without an id', pendingAgreement, wirePendingAgreement],
  ['an agreement', agreement, wireAgreement],
  ['a payout batch', payoutBatch, wirePayoutBatch],
  ['a payout item', payoutItem, wirePayoutItem],
  ['an event', foundEvent, { id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: wireCapture }],
  ['the request of a payment', createPaymentRequest, paymentRequest],
  ['the request of an execution', executePaymentRequest, { payerId: 'PAYER1' }],
  ['the request of a capture', captureRequestSchema, captureRequest],
  ['the request of a refund', refundRequestSchema, refundRequest],
  ['the request of an agreement', createAgreementRequest, agreementRequest],
];

describe('the generated parser of', () => {
  it.each(cases)(
    '%s gives the results and errors of its schema, whatever one field contains',
    (...[, schema, right]) => {
      const generated = compiled(schema);
      expect(generated).not.toBe(schema);
      expect(compiled(schema)).toBe(generated);
      for (const document of [right, ...spoilt(right)])
        expect(read(generated, document)).toEqual(read(schema, document));
    },
  );
});

// zod generates no parser for a rule with a condition of its own (`onlyIfFieldsAreValid`).
it.each([
  ['a plan', createPlanRequest, planRequest],
  ['a payout batch', createPayoutRequest, payoutRequest],
])('the request of %s is read by its schema', (...[, schema, right]) => {
  expect(compiled<unknown>(schema)).toBe(schema);
  expect(compiled<unknown>(schema).safeParse(right).success).toBe(true);
});

/** Undefined fields count: whether a field is there can decide what is sent. */
function read(schema: z.ZodType, document: unknown): unknown {
  const { success, data, error } = schema.safeParse(document);
  return success ? { data, fields: JSON.stringify(data) } : { issues: error.issues };
}

const wrongValues = [
  undefined,
  null,
  '',
  'x'.repeat(5_000),
  7,
  true,
  {},
  [],
  [null],
  '2024-99-01T10:00:00Z',
  '-1.00',
];

/** The document with one value replaced, one field missing, or one added, at any depth. */
function* spoilt(value: unknown): Generator {
  yield* wrongValues;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) for (const other of spoilt(item)) yield value.with(at, other);
    yield [...value, ...value];
    return;
  }
  yield { ...value, unknown_field: 'unknown' };
  for (const [name, field] of Object.entries(value)) {
    yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
    for (const other of spoilt(field)) yield { ...value, [name]: other };
  }
}
