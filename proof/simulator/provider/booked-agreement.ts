import type { Agreement, AgreementTransaction, Plan, Sale } from '#payments-client';

export const dayMs = 86_400_000;
const currency = 'USD';
const cyclePrice = { value: '9.00', currency } as const;
export const cycles = 3;

export type Price = Sale['amount'];

/** What is collected once, when an agreement becomes active. */
export interface SetupFee {
  readonly amount: Price;
  /** Declined, it ends the agreement; else it is owed. */
  readonly isRequired: boolean;
}

/** An agreement in the provider's books. */
export interface BookedAgreement {
  readonly id: string;
  readonly returnUrl: string;
  readonly fee: SetupFee | undefined;
  state: string;
  cyclesCompleted: number;
  failures: number;
  outstanding: number;
  nextAt: number;
  readonly createdAt: number;
  readonly sales: Sale[];
  /** How its balance was changed, by request id: the sales that collected it, and what was forgiven. */
  readonly balances: Map<string, string[]>;
  readonly transactions: AgreementTransaction[];
}

export interface ShownAgreement {
  readonly agreement: Agreement;
  readonly transactions: readonly AgreementTransaction[];
}

/** One that was executed just now. */
export function newAgreement(
  id: string,
  now: number,
  { returnUrl, fee }: Pick<BookedAgreement, 'returnUrl' | 'fee'>,
): BookedAgreement {
  return {
    id,
    returnUrl,
    fee,
    state: 'Pending',
    cyclesCompleted: 0,
    failures: 0,
    outstanding: 0,
    nextAt: now,
    createdAt: now,
    sales: [],
    balances: new Map(),
    transactions: [],
  };
}

export function feeOf(plan: Plan | undefined): SetupFee | undefined {
  const { setupFee: amount, initialAmountFailAction } = plan?.merchantPreferences ?? {};
  return amount && { amount, isRequired: initialAmountFailAction === 'CANCEL' };
}

/** A cycle is over whether it was paid or not. @returns the sale by which it was paid. */
export function billCycle(
  agreement: BookedAgreement,
  now: number,
  saleId: string | undefined,
): Sale | undefined {
  agreement.cyclesCompleted += 1;
  if (agreement.cyclesCompleted >= cycles) agreement.state = 'Expired';
  if (saleId === undefined) {
    agreement.failures += 1;
    agreement.outstanding += Number(cyclePrice.value);
  }
  return charge(agreement, now, cyclePrice, saleId);
}

/**
 * Its failure counts for nothing but what the plan says of it.
 *
 * @returns the sale by which it was paid.
 */
export function collectFee(
  agreement: BookedAgreement,
  now: number,
  { amount, isRequired }: SetupFee,
  saleId: string | undefined,
): Sale | undefined {
  const isPaid = saleId !== undefined;
  agreement.state = isPaid || !isRequired ? 'Active' : 'Cancelled';
  if (!isPaid && !isRequired) agreement.outstanding += Number(amount.value);
  return charge(agreement, now, amount, saleId);
}

/** A declined billing of the balance leaves no trace, so only paid ones come here. */
export function collectBalance(
  agreement: BookedAgreement,
  now: number,
  amount: Price,
  { saleId, requestId }: { readonly saleId: string; readonly requestId: string },
): void {
  agreement.outstanding -= Number(amount.value);
  agreement.balances.set(requestId, [...(agreement.balances.get(requestId) ?? []), saleId]);
  charge(agreement, now, amount, saleId);
}

function charge(
  agreement: BookedAgreement,
  now: number,
  amount: Price,
  saleId: string | undefined,
): Sale | undefined {
  const time = new Date(now).toISOString();
  const status = saleId === undefined ? 'Failed' : 'Completed';
  agreement.transactions.push({ id: saleId ?? agreement.id, status, amount, time });
  if (saleId === undefined) return undefined;
  const sale: Sale = {
    id: saleId,
    state: 'completed',
    amount,
    paymentId: undefined,
    agreementId: agreement.id,
    reasonCode: undefined,
    createTime: time,
    updateTime: time,
  };
  agreement.failures = 0;
  agreement.sales.push(sale);
  return sale;
}

export function shownAs(booked: BookedAgreement, now = booked.createdAt): Agreement {
  const { id, state, returnUrl, cyclesCompleted, failures, outstanding, nextAt, createdAt, sales } = booked;
  const last = sales.at(-1);
  const isOpen = state === 'Pending' || state === 'Active' || state === 'Suspended';
  return {
    id,
    state,
    name: undefined,
    description: undefined,
    payerId: 'PAYER1',
    returnUrl,
    startDate: new Date(createdAt).toISOString(),
    details: {
      outstandingBalance: { value: outstanding.toFixed(2), currency },
      cyclesRemaining: cycles - cyclesCompleted,
      cyclesCompleted,
      nextBillingDate: isOpen ? new Date(nextAt).toISOString() : undefined,
      lastPaymentDate: last?.createTime,
      lastPaymentAmount: last?.amount,
      finalPaymentDate: new Date(createdAt + cycles * dayMs).toISOString(),
      failedPaymentCount: failures,
    },
    createTime: new Date(createdAt).toISOString(),
    updateTime: new Date(now).toISOString(),
  };
}
