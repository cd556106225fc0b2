import { z } from 'zod';
import type { Amount } from '../money.js';
import { sentValue, onlyIfFieldsAreValid } from './sent.js';

/** The provider's limit. */
const MOST_ITEMS = 15_000;

/** Many payments in one call (provider-facts, "Paths"). All amounts are of one currency. */
export interface CreatePayoutRequest {
  /**
   * Own reference, ≤ 256 characters: the provider refuses another batch with it for 30 days, so a repeat must have the
   * same one.
   */
  readonly senderBatchId: string;
  /** Of the e-mails to the receivers, ≤ 255 characters. */
  readonly emailSubject?: string | undefined;
  /** 1 to 15,000. */
  readonly items: readonly PayoutRequestItem[];
}

export interface PayoutRequestItem {
  readonly recipientType: 'EMAIL' | 'PHONE' | 'PAYPAL_ID' | 'USER_HANDLE';
  /** E-mail address, telephone number, account id or handle, as the type says. */
  readonly receiver: string;
  readonly amount: Amount;
  /** Own reference, 1 to 63 characters, unique in the batch; it identifies the item in answers. */
  readonly senderItemId: string;
  /** For the receiver, ≤ 4,000 characters. */
  readonly note?: string | undefined;
}

const payoutRequestItem = z.strictObject({
  recipientType: z.enum(['EMAIL', 'PHONE', 'PAYPAL_ID', 'USER_HANDLE']),
  receiver: z.string().min(1).max(127),
  amount: sentValue,
  senderItemId: z.string().min(1).max(63),
  note: z.string().max(4_000).optional(),
});

type Item = z.output<typeof payoutRequestItem>;

export const createPayoutRequest = z
  .strictObject({
    senderBatchId: z.string().min(1).max(256),
    emailSubject: z.string().max(255).optional(),
    items: z.array(payoutRequestItem).min(1).max(MOST_ITEMS),
  })
  .superRefine(({ items }, context) => {
    const seen = new Set<string>();
    items.forEach((item, at) => {
      const refuse = (field: keyof Item, message: string) =>
        context.addIssue({ code: 'custom', path: ['items', at, field], message });
      // With two equal ids it would be unclear which item was paid.
      if (seen.has(item.senderItemId)) refuse('senderItemId', 'stands on an item before');
      seen.add(item.senderItemId);
      if (item.amount.currency !== items[0]?.amount.currency) {
        refuse('amount', 'must be of the batch’s currency');
      }
      if (item.recipientType === 'EMAIL' && !isEmail(item.receiver)) {
        refuse('receiver', 'not an e-mail address');
      }
    });
  }, onlyIfFieldsAreValid)
  .transform(({ senderBatchId, emailSubject, items }) => ({
    sender_batch_header: { sender_batch_id: senderBatchId, email_subject: emailSubject },
    items: items.map(({ recipientType, senderItemId, ...rest }) => ({
      recipient_type: recipientType,
      sender_item_id: senderItemId,
      ...rest,
    })),
  }));

const email = z.email();

function isEmail(text: string): boolean {
  return email.safeParse(text).success;
}

export interface PayoutPageSearch {
  /** From 1. */
  readonly page?: number | undefined;
  /** Items of a page, 1 to 1,000; default 250, of which the longest notes fit into one answer. */
  readonly pageSize?: number | undefined;
}

export const payoutPageSearch = z
  .strictObject({
    page: z.int().min(1).max(MOST_ITEMS).default(1),
    pageSize: z.int().min(1).max(1_000).default(250),
  })
  .transform(({ page, pageSize }) => ({ page, page_size: pageSize }));
