import { z } from 'zod';
import { boundedArray } from '../http/bounded-array.js';
import { orAbsent, orDefault } from '../http/validation.js';
import { withoutNulls } from '../http/without-nulls.js';
import { readAmount } from '../money/amount.js';

/** The public limit. */
const MOST_ITEMS = 15_000;

const RECIPIENT_TYPES = ['EMAIL', 'PHONE', 'PAYPAL_ID', 'USER_HANDLE'] as const;
const PURPOSES = [
  'AWARDS',
  'PRIZES',
  'DONATIONS',
  'GOODS',
  'SERVICES',
  'REBATES',
  'CASHBACK',
  'DISCOUNTS',
  'NON_GOODS_OR_SERVICES',
] as const;

const recipientType = z.enum(RECIPIENT_TYPES);
const loose = z.record(z.string(), z.unknown());
const isEmail = (text: string) => z.email().safeParse(text).success;

/** Public clients send the value as a JSON number, too; its shortest text is used, never arithmetic. */
const amount = z
  .strictObject({
    value: z.union([z.string(), z.number()]).transform(String),
    currency: z.string().length(3),
  })
  .transform(({ value, currency }, refinement) => {
    const reading = readAmount(value, currency);
    const issue =
      'issue' in reading ? reading.issue : reading.minor === 0 ? 'Must be more than zero' : undefined;
    if ('minor' in reading && issue === undefined) return { minor: reading.minor, currency };
    const path = issue?.startsWith('Currency') === true ? ['currency'] : ['value'];
    refinement.addIssue({ code: 'custom', path, message: issue ?? '' });
    return z.NEVER;
  });

const item = z.strictObject({
  recipient_type: orAbsent(recipientType),
  amount,
  receiver: z.string().min(1).max(127),
  note: z.string().max(4_000).optional(),
  sender_item_id: z.string().max(63).optional(),
  recipient_wallet: orAbsent(z.enum(['PAYPAL', 'VENMO', 'RECIPIENT_SELECTED'])),
  purpose: orAbsent(z.enum(PURPOSES)),
  alternate_notification_method: loose.optional(),
  notification_language: z.string().max(10).optional(),
  application_context: loose.optional(),
});

const senderBatchHeader = z.strictObject({
  sender_batch_id: z.string().max(256).optional(),
  recipient_type: orAbsent(recipientType),
  email_subject: z.string().max(255).optional(),
  email_message: z.string().max(1_000).optional(),
  note: z.string().max(1_000).optional(),
});

const payoutFields = z
  .strictObject({ sender_batch_header: senderBatchHeader, items: boundedArray(item, 1, MOST_ITEMS) })
  .transform((request, refinement) => {
    const { currency } = request.items[0]?.amount ?? { currency: '' };
    let minor = 0;
    const items = request.items.map((one, index) => {
      const refuse = (path: string[], message: string) =>
        refinement.addIssue({ code: 'custom', path: ['items', index, ...path], message });
      const recipient_type = one.recipient_type ?? request.sender_batch_header.recipient_type;
      if (recipient_type === undefined) refuse(['recipient_type'], 'Required field is missing');
      if (recipient_type === 'EMAIL' && !isEmail(one.receiver))
        refuse(['receiver'], 'Receiver is invalid or does not match with type');
      if (one.amount.currency !== currency)
        refuse(['amount', 'currency'], 'All items of a batch must have the same currency');
      minor += one.amount.minor;
      return { ...one, recipient_type: recipient_type ?? 'EMAIL' };
    });
    if (!Number.isSafeInteger(minor))
      refinement.addIssue({ code: 'custom', path: ['items'], message: 'The total amount is too large' });
    return { header: request.sender_batch_header, items, total: { minor, currency } };
  });

/** A batch of one currency, because the answer has a single total; items take the header's recipient type. */
export const payoutRequest = z.preprocess(withoutNulls, payoutFields);

export type PayoutRequest = z.output<typeof payoutRequest>;
export type RequestedItem = PayoutRequest['items'][number];

/** `sync_mode=true`: one item, paid before the call is answered. */
export const payoutCreateQuery = z.strictObject({
  sync_mode: orDefault(
    z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true'),
  ),
});

const wholeNumber = z.coerce.number().int().min(0).max(1_000);
const MEMBERS = ['batch_header', 'items', 'links', 'total_items', 'total_pages'] as const;

export const payoutGetQuery = z.strictObject({
  /** 1 for the first page, as is 0. */
  page: orDefault(wholeNumber.default(1).transform((page) => Math.max(page, 1))),
  page_size: orDefault(wholeNumber.min(1).default(1_000)),
  total_required: orDefault(
    z
      .enum(['true', 'false', 'yes', 'no'])
      .default('false')
      .transform((text) => text === 'true' || text === 'yes'),
  ),
  /** Members of the answer, separated by commas. */
  fields: orAbsent(
    z
      .string()
      .max(1_000)
      .transform((text) => text.split(',').map((name) => name.trim()))
      .pipe(z.array(z.enum(MEMBERS))),
  ),
});

export type PayoutGetQuery = z.output<typeof payoutGetQuery>;

export const itemCancelRequest = z.object({});
