import type { Authorization, Capture, Payment, Refund, Sale } from '#payments-client';
import { formatMoney } from '#workflows/lifecycle';

export type Hold = Authorization & { readonly minor: number };
export type Collected = (Capture | Sale) & {
  readonly minor: number;
  readonly reference?: string | undefined;
};

/** How the provider treats a payment, drawn with it. */
export interface PaymentTemper {
  /** No payer is asked. */
  readonly isApprovedAtOnce: boolean;
  /** Refuses its execution. */
  readonly isDeclined: boolean;
  /** A hold comes to be later, or is denied then. */
  readonly authorizes: 'at once' | 'later' | 'is denied later';
  /** Collected money arrives later, or is denied then. */
  readonly settles: 'at once' | 'later' | 'is denied later';
  /** A reauthorization under a new id is another hold, beside the voided former one. */
  readonly isHeldUnderAnotherId: boolean;
  /** Holds or takes so much more, or less, than was asked for. */
  readonly differsByMinor: number;
}

/** A payment in the provider's books. */
export interface BookedPayment {
  readonly id: string;
  readonly custom: string;
  readonly invoiceNumber: string;
  readonly intent: 'authorize' | 'sale';
  readonly minor: number;
  readonly currency: string;
  readonly temper: PaymentTemper;
  readonly createdAt: number;
  payerId: string | undefined;
  isExecuted: boolean;
  isFailed: boolean;
  holds: Hold[];
  captures: Collected[];
  sale: Collected | undefined;
  refunds: BookedRefund[];
  /** What the payer's bank has taken back. */
  reversals: { readonly collectedId: string; readonly minor: number; readonly at: number }[];
}

export type BookedRefund = Refund & { readonly minor: number; readonly collectedId: string };

export interface BookedEvent {
  readonly id: string;
  readonly eventType: string;
  readonly kind: 'payment' | 'authorization' | 'capture' | 'sale' | 'refund';
  readonly resourceId: string;
  readonly state: string;
  readonly paymentId: string;
  /** Who has approved it. */
  readonly payerId?: string | undefined;
  /** When what a chargeback takes back from was changed by it. */
  readonly updatedAt?: number | undefined;
}

export function collectedOf({ captures }: BookedPayment, holdId: string): number {
  return captures.reduce(
    (sum, capture) =>
      capture.state !== 'denied' && 'authorizationId' in capture && capture.authorizationId === holdId
        ? sum + capture.minor
        : sum,
    0,
  );
}

export function amountOf({ currency }: Pick<BookedPayment, 'currency'>, minor: number) {
  return { value: formatMoney({ minor, currency }), currency };
}

export function shownAs(payment: BookedPayment): Payment {
  const { id, custom, invoiceNumber, intent, minor, payerId, holds, captures, sale } = payment;
  const isOpen = !payment.isExecuted && !payment.isFailed;
  return {
    id,
    state: payment.isFailed ? 'failed' : payment.isExecuted ? 'approved' : 'created',
    intent,
    approvalUrl: isOpen ? `https://provider.example/approve?token=EC-${id}` : undefined,
    payerId,
    payerStatus: payerId && 'VERIFIED',
    failureReason: payment.isFailed ? 'INSTRUMENT_DECLINED' : undefined,
    transactions: [
      {
        amount: amountOf(payment, minor),
        invoiceNumber,
        custom,
        authorizationId: holds.at(-1)?.id,
        saleId: sale?.id,
        authorizations: holds,
        captures: captures as Capture[],
        sales: sale ? [sale as Sale] : [],
        refunds: payment.refunds,
      },
    ],
    createTime: new Date(payment.createdAt).toISOString(),
    updateTime: undefined,
  };
}
