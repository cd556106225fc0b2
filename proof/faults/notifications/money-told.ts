import { z } from 'zod';
import type { Movement } from '#tools/sandbox-admin.js';
import type { Reception } from './reception.js';

const amount = z.object({ value: z.string() });
const payment = z.object({ id: z.string(), amounts: z.object({ authorized: amount, captured: amount }) });
const refund = z.object({
  providerRefundId: z.string().nullable(),
  captureId: z.string().nullable(),
  saleId: z.string().nullable(),
});
const item = z.object({ payoutId: z.string(), itemId: z.string() });

/** What a notification tells of money, and the provider's books did not hold when it came. */
export function moneyToldEarly(reception: Reception, movements: readonly Movement[]): string[] {
  const { type, data, at } = reception;
  const booked = (kind: Movement['kind'], isIt: (movement: Movement) => boolean): Movement[] =>
    movements.filter((each) => each.kind === kind && each.createdAt <= at && isIt(each));
  const unlessBooked = (...of: Parameters<typeof booked>): string[] =>
    booked(...of).length > 0 ? [] : [`no ${of[0]} was booked yet`];
  switch (type) {
    case 'refund.completed': {
      const { providerRefundId } = refund.parse(data);
      return unlessBooked('refund', ({ refundId }) => refundId === providerRefundId);
    }
    case 'chargeback.completed': {
      const { captureId, saleId } = refund.parse(data);
      return unlessBooked('reversal', (each) => each.captureId === captureId && each.saleId === saleId);
    }
    case 'payout_item.succeeded':
    case 'payout_item.returned': {
      const { payoutId, itemId } = item.parse(data);
      const kind = type === 'payout_item.returned' ? 'payout_return' : 'payout';
      return unlessBooked(kind, (each) => each.invoiceNumber === payoutId && each.custom === itemId);
    }
    default:
      return type.startsWith('payment.') ? paymentToldEarly(reception, booked) : [];
  }
}

function paymentToldEarly(
  { data }: Reception,
  booked: (kind: Movement['kind'], isIt: (movement: Movement) => boolean) => Movement[],
): string[] {
  const { id, amounts } = payment.parse(data);
  const isOf = ({ custom }: Movement): boolean => custom === id;
  const taken = [...booked('capture', isOf), ...booked('sale', isOf)];
  const minor = taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return [
    ...(minorOf(amounts.authorized) > 0 && booked('hold', isOf).length === 0
      ? ['no hold was booked yet']
      : []),
    ...(minorOf(amounts.captured) > minor ? [`${amounts.captured.value} told, ${minor} booked so far`] : []),
  ];
}

/** The engine writes an amount with all the decimals of its currency. */
function minorOf({ value }: { readonly value: string }): number {
  return Number(value.replace('.', ''));
}
