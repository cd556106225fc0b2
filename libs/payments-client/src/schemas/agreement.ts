import { z } from 'zod';
import { linkedId } from '../linked-id.js';
import type { Amount } from '../money.js';
import { approvalUrl, links } from './link.js';
import {
  countOf,
  instantOf,
  type Open,
  optionalAmount,
  optionalCount,
  optionalInstant,
  optionalText,
  resourceId,
} from './received.js';

/** An agreement that waits for approval (2.6). It has no id until its token is executed. */
export interface PendingAgreement {
  /** Identifies the agreement until it is executed. Keep it secret: its holder can see what is to be approved. */
  readonly token: string;
  /** Where to redirect the payer's browser; the payer returns with the same token. */
  readonly approvalUrl: string;
  /** As in `Agreement`. */
  readonly returnUrl: string | undefined;
}

/** The values that the agreement has from its plan. */
const agreedPlan = z.object({ merchant_preferences: z.object({ return_url: optionalText }).nullish() });

export const pendingAgreement: z.ZodType<PendingAgreement> = z
  .object({ links, plan: agreedPlan.nullish().catch(undefined) })
  .transform((wire, context) => {
    const approval = approvalUrl(wire.links);
    const inQuery = approval === undefined ? undefined : new URL(approval).searchParams.get('token');
    const token = resourceId.safeParse(linkedId(wire.links, 'billing-agreements') ?? inQuery);
    if (approval !== undefined && token.success) {
      const returnUrl = wire.plan?.merchant_preferences?.return_url ?? undefined;
      return { token: token.data, approvalUrl: approval, returnUrl };
    }
    context.addIssue({ code: 'custom', path: ['links'], message: 'lack the approval' });
    return z.NEVER;
  });

export type AgreementState = Open<'Pending' | 'Active' | 'Suspended' | 'Cancelled' | 'Expired'>;

/** A billing agreement once executed (provider-facts; the specification's gap 2.10). */
export interface Agreement {
  readonly id: string;
  readonly state: AgreementState;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly payerId: string | undefined;
  /** The payer's return address, which identifies who created the agreement. */
  readonly returnUrl: string | undefined;
  /** ISO 8601; when the first cycle is due. */
  readonly startDate: string | undefined;
  readonly details: AgreementDetails;
  readonly createTime: string | undefined;
  readonly updateTime: string | undefined;
}

/** The progress of the agreement. Instants are ISO 8601, and undefined if there is no such date. */
export interface AgreementDetails {
  /** The unpaid amount of failed payments. */
  readonly outstandingBalance: Amount | undefined;
  /** 0 also where there is no end. */
  readonly cyclesRemaining: number | undefined;
  /** Failed cycles count, too. */
  readonly cyclesCompleted: number | undefined;
  readonly nextBillingDate: string | undefined;
  readonly lastPaymentDate: string | undefined;
  readonly lastPaymentAmount: Amount | undefined;
  readonly finalPaymentDate: string | undefined;
  /** Consecutive failed payments; 0 after a successful one. */
  readonly failedPaymentCount: number | undefined;
}

const details = z
  .object({
    outstanding_balance: optionalAmount,
    cycles_remaining: optionalCount,
    cycles_completed: optionalCount,
    next_billing_date: optionalInstant,
    last_payment_date: optionalInstant,
    last_payment_amount: optionalAmount,
    final_payment_date: optionalInstant,
    failed_payment_count: optionalCount,
  })
  .transform((wire): AgreementDetails => ({
    outstandingBalance: wire.outstanding_balance ?? undefined,
    cyclesRemaining: countOf(wire.cycles_remaining),
    cyclesCompleted: countOf(wire.cycles_completed),
    nextBillingDate: instantOf(wire.next_billing_date),
    lastPaymentDate: instantOf(wire.last_payment_date),
    lastPaymentAmount: wire.last_payment_amount ?? undefined,
    finalPaymentDate: instantOf(wire.final_payment_date),
    failedPaymentCount: countOf(wire.failed_payment_count),
  }));

const payer = z.object({ payer_info: z.object({ payer_id: optionalText }).nullish() });

export const agreement: z.ZodType<Agreement> = z
  .object({
    id: resourceId,
    // Title case in the public API; capitalization must not matter.
    state: z.string().transform((text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()),
    name: optionalText,
    description: optionalText,
    payer: payer.nullish(),
    plan: agreedPlan.nullish(),
    start_date: optionalInstant,
    agreement_details: details.nullish(),
    create_time: optionalInstant,
    update_time: optionalInstant,
  })
  .transform((wire) => ({
    id: wire.id,
    state: wire.state,
    name: wire.name ?? undefined,
    description: wire.description ?? undefined,
    payerId: wire.payer?.payer_info?.payer_id ?? undefined,
    returnUrl: wire.plan?.merchant_preferences?.return_url ?? undefined,
    startDate: instantOf(wire.start_date),
    details: wire.agreement_details ?? details.parse({}),
    createTime: instantOf(wire.create_time),
    updateTime: instantOf(wire.update_time),
  }));
