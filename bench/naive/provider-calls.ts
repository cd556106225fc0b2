import type { PaymentsClient } from '#payments-client';
import type { NaiveActivities, ProviderCall } from './naive-contract.js';

type ProviderActivities = Omit<NaiveActivities, 'writeRows'>;

/**
 * The calls themselves; a retry repeats the request id, and that is all there is against doubling.
 *
 * @param requestId the same for each try of the step that calls
 */
export function providerCalls(
  { payments, authorizations }: PaymentsClient,
  requestId: () => string,
): ProviderActivities {
  const key = () => ({ requestId: requestId() });
  return {
    createPayment: ({ paymentId, orderId, amount, returnUrl, cancelUrl }) =>
      timed('payment.create', '/v1/payments/payment', 'payment', () =>
        payments.create(
          {
            intent: 'authorize',
            returnUrl,
            cancelUrl,
            transactions: [{ amount, custom: paymentId, invoiceNumber: orderId }],
          },
          key(),
        ),
      ),
    executePayment: (_order, id, payerId) =>
      timed('payment.execute', `/v1/payments/payment/${id}/execute`, 'authorization', async () => {
        const [transaction] = (await payments.execute(id, { payerId }, key())).transactions;
        return { id: transaction?.authorizationId ?? '' };
      }),
    captureAuthorization: ({ orderId, amount }, id) =>
      timed('authorization.capture', `/v1/payments/authorization/${id}/capture`, 'capture', () =>
        authorizations.capture(id, { amount, isFinalCapture: true, invoiceNumber: orderId }, key()),
      ),
    voidAuthorization: (_order, id) =>
      timed('authorization.void', `/v1/payments/authorization/${id}/void`, 'authorization', () =>
        authorizations.void(id, key()),
      ),
  };
}

async function timed(
  operation: string,
  path: string,
  kind: ProviderCall['resource']['kind'],
  send: () => Promise<{ readonly id: string; readonly approvalUrl?: string | undefined }>,
): Promise<ProviderCall> {
  const startedAt = Date.now();
  const { id, approvalUrl } = await send();
  return {
    resource: { kind, id, ...(approvalUrl !== undefined && { approvalUrl }) },
    call: { operation, path, startedAt, durationMs: Date.now() - startedAt },
  };
}
