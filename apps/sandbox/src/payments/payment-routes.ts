import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { checked, checkedId } from '../http/validation.js';
import { findFaultInside } from '../server/fault-hooks.js';
import { answerOnce } from '../server/idempotency.js';
import { read } from '../server/reading.js';
import { createPayment } from './create-payment.js';
import { executePayment } from './execute-payment.js';
import { getPayment, listPayments } from './find-payments.js';
import { paymentPatch } from './payment-patch.js';
import { executeRequest, paymentListQuery, paymentRequest } from './payment-request.js';
import { updatePayment } from './update-payment.js';

interface ById {
  Params: { id: string };
}

export function addPaymentRoutes(api: FastifyInstance, context: SandboxContext): void {
  const { links } = context;

  api.post('/v1/payments/payment', { config: { operation: 'payment.create' } }, (request, reply) => {
    const body = checked(paymentRequest, request.body);
    // Not even a hash of a card's number or cvv2 is stored: the body by which a repeat is recognized has neither.
    const { funding_instruments } = body.payer;
    if (funding_instruments !== undefined) request.body = { ...body, payer: { funding_instruments } };
    return answerOnce(context, 'payment.create', request, reply, (unit) =>
      createPayment(context, unit, body, () =>
        findFaultInside(context, request, 'payment.create', unit.transaction),
      ),
    );
  });

  api.get('/v1/payments/payment', { config: { operation: 'payment.list' } }, (request) => {
    const query = checked(paymentListQuery, request.query);
    return read(context, request, (database, clientId) => listPayments(database, links, clientId, query));
  });

  api.get<ById>('/v1/payments/payment/:id', { config: { operation: 'payment.get' } }, (request) => {
    const paymentId = checkedId(request.params.id);
    return read(context, request, (database, clientId) => getPayment(database, links, clientId, paymentId));
  });

  api.patch<ById>(
    '/v1/payments/payment/:id',
    { config: { operation: 'payment.update' } },
    (request, reply) => {
      const paymentId = checkedId(request.params.id);
      const patch = checked(paymentPatch, request.body);
      return answerOnce(context, 'payment.update', request, reply, (unit) =>
        updatePayment(context, unit, paymentId, patch),
      );
    },
  );

  api.post<ById>(
    '/v1/payments/payment/:id/execute',
    { config: { operation: 'payment.execute' } },
    (request, reply) => {
      const paymentId = checkedId(request.params.id);
      const body = checked(executeRequest, request.body);
      return answerOnce(context, 'payment.execute', request, reply, (unit) =>
        executePayment(context, unit, paymentId, body),
      );
    },
  );
}
