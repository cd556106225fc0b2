import type { Type } from '@nestjs/common';
import type { z } from 'zod';
import { listDriftOf } from '#database/reconciliation';
import { paymentRecords } from '#database/transitions';
import { viewDrift } from '../reconciliation/reconciliation-answers.js';
import { PaymentRows } from '../rows/payment-rows.js';
import { commandController } from '../subject-routes/command-controller.js';
import { subjectControllers } from '../subject-routes/subject-controllers.js';
import { plainCommand, reauthorizeCommand } from './command-requests.js';
import { OrderPayment } from './order-payment.js';
import { paymentAnswer, paymentDetailsAnswer } from './payment-answers.js';
import { PaymentCommands } from './payment-commands.js';
import {
  cancelRequest,
  paymentDecisionRequest,
  paymentListQuery,
  paymentOrderRequest,
  reauthorizeRequest,
  releaseRequest,
  voidRequest,
} from './payment-requests.js';
import { viewPayment } from './payment-view.js';
import { reviewAnswer, viewReview } from './review-answers.js';

const payments = { kind: 'payment', tag: 'Payments', answer: paymentAnswer, view: viewPayment } as const;

const reads = subjectControllers({
  ...payments,
  rows: PaymentRows,
  listQuery: paymentListQuery,
  details: {
    answer: paymentDetailsAnswer,
    read: async (db, { id }) => ({ drift: (await listDriftOf(db, id)).map(viewDrift) }),
  },
  order: {
    request: paymentOrderRequest,
    orders: OrderPayment,
    isUnderWay: ({ status }) => status === 'creating',
    summary: 'Order a payment',
  },
  check: (checks, caller, id) => checks.payment(caller, id),
  hasTimeline: true,
  review: {
    answer: reviewAnswer,
    read: async (evidence, row) => viewReview(row.id, await evidence.of(paymentRecords, row)),
  },
  decision: {
    request: paymentDecisionRequest,
    commands: PaymentCommands,
    resultId: 'DecisionResult',
    summary: 'Decide the review of a payment',
    canBeDeclined: true,
  },
});

const commands = PaymentCommands;

/** @param request nothing, or an empty object. */
function plain(
  name: Parameters<typeof plainCommand>[0],
  summary: string,
  request: z.ZodType,
  canBeDeclined = true,
): Type {
  return commandController(payments, {
    name,
    summary,
    request,
    commands,
    canBeDeclined,
    send: (sender, caller, { id, idempotencyKey }) =>
      sender.send(caller, plainCommand(name, id, idempotencyKey)),
  });
}

/** The routes of payments, besides their captures and calls. */
export const paymentControllers: Type[] = [
  ...reads,
  plain('void', 'Void an authorization, or what was not captured of it', voidRequest),
  plain('release', 'Release the rest of an authorization after a partial capture', releaseRequest),
  plain('cancel', 'Cancel a payment that the payer has not approved', cancelRequest, false),
  commandController(payments, {
    name: 'reauthorize',
    summary: 'Reauthorize the funds after the honour period',
    request: reauthorizeRequest,
    commands,
    send: (sender, caller, { id, idempotencyKey, request }) =>
      sender.send(caller, reauthorizeCommand(id, idempotencyKey, request)),
  }),
];
