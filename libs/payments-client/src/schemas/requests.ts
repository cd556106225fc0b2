import { z } from 'zod';
import type { Amount } from '../money.js';
import { type AmountDetails, amountDetails, spellDetails } from './amount-details.js';
import { type ShippingAddressRequest, shippingAddress } from './postal-address.js';
import { reference, sentTotal, webAddress } from './sent.js';

/** A payment request (2.1). */
export interface CreatePaymentRequest {
  readonly intent: 'sale' | 'authorize';
  readonly returnUrl: string;
  readonly cancelUrl: string;
  /** For the payer, ≤ 165 characters. */
  readonly noteToPayer?: string | undefined;
  /** At least one. */
  readonly transactions: readonly PaymentRequestTransaction[];
}

export interface PaymentRequestTransaction {
  readonly amount: Amount;
  readonly amountDetails?: AmountDetails | undefined;
  readonly description?: string | undefined;
  /** Account that receives the funds; the application's owner where absent. */
  readonly payeeEmail?: string | undefined;
  readonly shippingAddress?: ShippingAddressRequest | undefined;
  /** Own references, ≤ 127 characters: by these a payment is found again when its creation's reply is lost. */
  readonly invoiceNumber?: string | undefined;
  readonly custom?: string | undefined;
}

const transactionRequest = z
  .strictObject({
    amount: sentTotal,
    amountDetails: amountDetails.optional(),
    description: z.string().max(127).optional(),
    payeeEmail: z.email().optional(),
    shippingAddress: shippingAddress.optional(),
    invoiceNumber: reference.optional(),
    custom: reference.optional(),
  })
  .transform(
    (
      { amount, amountDetails: parts, payeeEmail, shippingAddress: shipTo, invoiceNumber, ...rest },
      context,
    ) => ({
      ...rest,
      amount: { ...amount, details: parts && detailsOf(parts, amount, context) },
      invoice_number: invoiceNumber,
      payee: payeeEmail === undefined ? undefined : { email: payeeEmail },
      item_list: shipTo && { shipping_address: shipTo },
    }),
  );

function detailsOf(
  parts: AmountDetails,
  amount: z.output<typeof sentTotal>,
  context: z.core.$RefinementCtx,
): Record<string, string> {
  try {
    return spellDetails(parts, amount);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue({ code: 'custom', path: ['amountDetails'], message: error.message });
    return z.NEVER;
  }
}

export const createPaymentRequest = z
  .strictObject({
    intent: z.enum(['sale', 'authorize']),
    returnUrl: webAddress,
    cancelUrl: webAddress,
    noteToPayer: z.string().max(165).optional(),
    transactions: z.array(transactionRequest).min(1),
  })
  .transform(({ returnUrl, cancelUrl, noteToPayer, ...rest }) => ({
    ...rest,
    note_to_payer: noteToPayer,
    redirect_urls: { return_url: returnUrl, cancel_url: cancelUrl },
  }));

export interface ExecutePaymentRequest {
  /** As given by the payer's return (`PayerID`), or by the payment once approved. */
  readonly payerId: string;
}

export const executePaymentRequest = z
  .strictObject({ payerId: z.string().min(1).max(64) })
  .transform(({ payerId }) => ({ payer_id: payerId }));

export interface CaptureRequest {
  readonly amount: Amount;
  /** The final capture releases what is left of the authorization. */
  readonly isFinalCapture: boolean;
  /** Own reference, ≤ 127 characters; fresh for each capture, or two equal ones cannot be distinguished. */
  readonly invoiceNumber: string;
}

export const captureRequest = z
  .strictObject({ amount: sentTotal, isFinalCapture: z.boolean(), invoiceNumber: reference })
  .transform(({ amount, isFinalCapture, invoiceNumber }) => ({
    amount,
    is_final_capture: isFinalCapture,
    invoice_number: invoiceNumber,
  }));

export interface ReauthorizeRequest {
  /** At most 115 % of the original amount, and 75 USD more than it (provider-facts, "Paths"). */
  readonly amount: Amount;
}

export const reauthorizeRequest = z.strictObject({ amount: sentTotal });

export interface PaymentSearch {
  /** Page size, 1 to 20; the provider's default is 10. */
  readonly count?: number | undefined;
  /** `nextId` of the page before. */
  readonly startId?: string | undefined;
  readonly startIndex?: number | undefined;
  /** ISO 8601 bounds on the creation time. */
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  readonly payeeId?: string | undefined;
}

export const paymentSearch = z
  .strictObject({
    count: z.int().min(1).max(20).optional(),
    startId: z.string().min(1).max(128).optional(),
    startIndex: z.int().min(0).optional(),
    startTime: z.iso.datetime({ offset: true }).optional(),
    endTime: z.iso.datetime({ offset: true }).optional(),
    payeeId: z.string().min(1).max(128).optional(),
  })
  .transform((search) => ({
    count: search.count,
    start_id: search.startId,
    start_index: search.startIndex,
    start_time: search.startTime,
    end_time: search.endTime,
    payee_id: search.payeeId,
    sort_by: 'create_time',
    sort_order: 'desc',
  }));
