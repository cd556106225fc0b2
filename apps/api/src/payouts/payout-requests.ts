import { z } from 'zod';
import { itemStatuses, payoutStatuses } from '#workflows/lifecycle/payout';
import { amountFilters, requestedMoney, withAmounts } from '../wire/wire-money.js';
import { decisionExample, decisionRequest } from '../reviews/decision.js';
import { body, text } from '../wire/fields.js';
import { readInSlices } from '../wire/long-lists.js';
import { subjectFilters } from '../wire/filters.js';
import { itemIdPattern } from '../wire/ids.js';
import { metadata } from '../wire/metadata.js';
import { idCursor, positionCursor, pageFields } from '../wire/pages.js';
import { stepDecisions } from '#workflows/lifecycle/step';

/** The provider takes 15,000. */
export const mostItems = 10_000;

const receiver = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('EMAIL'), value: z.email('must be an e-mail address').max(127) }),
  z.strictObject({
    type: z.literal('PHONE'),
    value: z.string().regex(/^\+?\d{4,15}$/, 'must be a telephone number such as "+4915112345678"'),
  }),
  z.strictObject({
    type: z.literal('PAYPAL_ID'),
    value: z.string().regex(/^[A-Za-z0-9]{1,50}$/, 'must be the id of an account'),
  }),
  z.strictObject({ type: z.literal('USER_HANDLE'), value: text(127) }),
]);

const payoutItem = z.strictObject({
  itemId: z
    .string()
    .regex(itemIdPattern, 'must be 1 to 63 letters, digits and . _ : -')
    .meta({ description: 'The order service’s id of the item, unique in the batch.', examples: ['anna-1'] }),
  receiver: receiver.meta({
    description: 'Shown masked, and deleted once the provider has accepted the batch.',
  }),
  amount: requestedMoney,
  note: text(1_000).optional().meta({ description: 'For the receiver. Default: the note of the batch.' }),
});

type Item = z.output<typeof payoutItem>;

const itemsOf = <Schema extends z.ZodType<Item>>(item: Schema) =>
  z
    .array(item)
    .min(1, 'must hold at least one item')
    .max(mostItems, `must hold at most ${mostItems} items`)
    .superRefine(assertBatch);

const payoutOrder = z
  .strictObject({
    reference: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:/#-]{0,126}$/, 'must be 1 to 127 letters, digits and . _ : / # -')
      .optional()
      .meta({
        description:
          'The order service’s own reference of the payout. Under another idempotency key the same reference is refused with 409 `duplicate_reference`, unless it is proved that no batch was made.',
        examples: ['shares-2030-01'],
      }),
    emailSubject: text(255).optional().meta({ description: 'The subject of the e-mails to the receivers.' }),
    note: text(1_000).optional().meta({ description: 'For receivers whose item has no note of its own.' }),
    metadata: metadata.optional(),
    items: itemsOf(payoutItem),
  })
  .meta(
    body('PayoutOrder', {
      reference: 'shares-2030-01',
      emailSubject: 'Your share',
      items: [
        {
          itemId: 'anna-1',
          receiver: { type: 'EMAIL', value: 'anna@example.com' },
          amount: { value: '7.50', currency: 'USD' },
          note: 'Thanks',
        },
      ],
    }),
  );

/** Body of POST /v1/payouts. */
export const payoutRequest = readInSlices(payoutOrder, {
  list: 'items',
  entry: payoutItem,
  whole: payoutOrder.extend({ items: itemsOf(z.custom<Item>()) }),
});
export type PayoutRequest = z.output<typeof payoutRequest>;

/** Item ids must be unique, so that it is clear which item was paid. A batch at the provider has one currency. */
function assertBatch(items: readonly Item[], context: z.core.$RefinementCtx<readonly Item[]>): void {
  const seen = new Map<string, number>();
  let total = 0;
  items.forEach(({ itemId, amount }, at) => {
    const earlier = seen.get(itemId);
    if (earlier !== undefined) refuse([at, 'itemId'], `is already the id of item ${earlier}`);
    else seen.set(itemId, at);
    const currency = items[0]?.amount.currency ?? '';
    if (amount.currency !== currency) {
      refuse([at, 'amount', 'currency'], `must be ${currency}: all items of a batch have the same currency`);
    }
    total += amount.minor;
  });
  if (total > Number.MAX_SAFE_INTEGER) refuse([], 'add up to a too large amount');

  function refuse(path: (string | number)[], message: string): void {
    context.addIssue({ code: 'custom', path, message });
  }
}

/** Query of GET /v1/payouts. */
export const payoutListQuery = z
  .strictObject({
    ...subjectFilters(payoutStatuses),
    ...amountFilters,
    ...pageFields(idCursor('payout')),
  })
  .transform(withAmounts);

/** Query of GET /v1/payouts/{id}/items. */
export const payoutItemsQuery = z.strictObject({
  state: z.enum(itemStatuses).optional().meta({ description: 'Only those in this state.' }),
  ...pageFields(positionCursor, { usual: 100, most: 1_000 }),
});
export type PayoutItemsQuery = z.output<typeof payoutItemsQuery>;

/** Body of POST /v1/payouts/{id}/items/{itemId}/cancel: nothing, or an empty object. */
export const itemCancelRequest = z.strictObject({}).meta(body('PayoutItemCancelRequest', {})).optional();

/** Body of POST /v1/payouts/{id}/review/decision. */
export const payoutDecisionRequest = decisionRequest(stepDecisions, {
  decision:
    'For a step with an unknown outcome. After `did_not_happen` the step is given up and not repeated.',
  evidence: 'the batch that was made',
}).meta(body('PayoutReviewDecision', decisionExample));
export type PayoutDecisionRequest = z.output<typeof payoutDecisionRequest>;
