import { z } from 'zod';
import { subscriptionStatuses } from '#workflows/lifecycle/subscription';
import { commandStatus } from '../commands/command-reply.js';
import { stepReviewShape } from '../reviews/evidence-answers.js';
import { subscriptionAnswer } from './subscription-view.js';

export const subscriptionReviewAnswer = z
  .object({
    subscriptionId: z.string(),
    state: z.enum(subscriptionStatuses),
    ...stepReviewShape,
  })
  .meta({ id: 'SubscriptionReview' });
export type SubscriptionReviewAnswer = z.output<typeof subscriptionReviewAnswer>;

export const subscriptionDecisionAnswer = z
  .object({
    id: z.string().meta({ description: 'Id of the decision.' }),
    status: commandStatus,
    subscription: subscriptionAnswer,
  })
  .meta({ id: 'SubscriptionDecisionResult' });
export type SubscriptionDecisionAnswer = z.output<typeof subscriptionDecisionAnswer>;
