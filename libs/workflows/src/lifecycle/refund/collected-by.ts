import type { PaymentState } from '../payment/payment.js';
import type { CollectedMoney } from './refundable.js';

/** All completed and pending captures of a payment, or its sale. */
export function collectedBy({ captures, sale }: PaymentState): CollectedMoney[] {
  return [
    ...captures.map(
      ({ captureId, minor, status }) => ({ kind: 'capture', id: captureId, minor, status }) as const,
    ),
    ...(sale ? [{ kind: 'sale', id: sale.saleId, minor: sale.minor, status: sale.status } as const] : []),
  ];
}
