import { z } from 'zod';
import { itemStatuses, receiverTypes, payoutStatuses } from '#workflows/lifecycle/payout';
import { stepReviewShape } from '../reviews/evidence-answers.js';
import { commandStatus } from '../commands/command-reply.js';
import { shownActions, shownLinks } from '../wire/links.js';
import { shownMetadata } from '../wire/metadata.js';
import { listAnswer } from '../wire/pages.js';
import { shownPendingOperation } from '../wire/pending-operation.js';
import { itemStates, payoutStates } from '../wire/state-words.js';
import { shownState } from '../wire/states.js';
import { shownMoney } from '../wire/wire-money.js';
import { shownInstant, shownVersion } from '../wire/fields.js';

/** The API's answers: one schema for types, tests and the OpenAPI document. */

export const payoutAnswer = z
  .object({
    id: z.string().meta({ examples: ['po_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b'] }),
    reference: z.string().nullable(),
    metadata: shownMetadata,
    state: shownState(payoutStatuses, payoutStates),
    version: shownVersion,
    itemCount: z.int(),
    amount: shownMoney.meta({ description: 'The sum of all items.' }),
    totals: z
      .record(z.enum(itemStatuses), z.object({ count: z.int(), amount: shownMoney }))
      .meta({ description: 'Number and sum of the items by state. Only `success` is paid.' }),
    providerBatchId: z.string().nullable(),
    reason: z.string().nullable().meta({ description: 'Why the payout is in its state.' }),
    pendingOperation: shownPendingOperation.nullable(),
    allowedActions: shownActions([]),
    contradiction: z
      .string()
      .nullable()
      .meta({ description: 'The latest contradiction between the provider’s answers and our records.' }),
    links: shownLinks,
    temporalUrl: z.string().nullable().meta({ description: 'The payout’s run in Temporal’s UI.' }),
    createdAt: shownInstant,
    updatedAt: shownInstant,
  })
  .meta({ id: 'Payout' });
export type PayoutAnswer = z.output<typeof payoutAnswer>;

export const payoutItemAnswer = z
  .object({
    itemId: z.string(),
    receiver: z.object({
      type: z.enum(receiverTypes),
      masked: z.string().meta({ examples: ['a…@e…'] }),
    }),
    amount: shownMoney,
    state: shownState(itemStatuses, itemStates, 'In the provider’s words. Only `success` is paid.'),
    providerItemId: z.string().nullable(),
    transactionId: z.string().nullable(),
    errorCode: z.string().nullable().meta({ description: 'Why it was not paid: the provider’s code.' }),
    allowedActions: z.array(z.enum(['cancel'])),
    updatedAt: shownInstant,
  })
  .meta({ id: 'PayoutItem' });
export type PayoutItemAnswer = z.output<typeof payoutItemAnswer>;

export const payoutItemListAnswer = listAnswer(payoutItemAnswer, 'PayoutItemList');
export type PayoutItemListAnswer = z.output<typeof payoutItemListAnswer>;

export const itemCancelAnswer = z
  .object({
    id: z.string().meta({ description: 'Id of the request.' }),
    state: commandStatus,
    item: payoutItemAnswer,
  })
  .meta({ id: 'PayoutItemCancelResult' });
export type ItemCancelAnswer = z.output<typeof itemCancelAnswer>;

export const payoutReviewAnswer = z
  .object({
    payoutId: z.string(),
    state: shownState(payoutStatuses, payoutStates),
    ...stepReviewShape,
  })
  .meta({ id: 'PayoutReview' });
