import type { Type } from '@nestjs/common';
import { z } from 'zod';
import { subscriptionRecords } from '#database/transitions';
import { subscriptionStatuses } from '#workflows/lifecycle/subscription';
import { stepReviewShape } from '../reviews/evidence-answers.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';
import { subscriptionStates } from '../wire/state-words.js';
import { shownState } from '../wire/states.js';
import { commandController } from '../subject-routes/command-controller.js';
import { subjectControllers } from '../subject-routes/subject-controllers.js';
import { OrderSubscription } from './order-subscription.js';
import { type Change, SubscriptionCommands } from './subscription-commands.js';
import {
  billBalanceRequest,
  changeRequest,
  setBalanceRequest,
  subscriptionDecisionRequest,
  subscriptionListQuery,
  subscriptionOrderRequest,
} from './subscription-requests.js';
import { subscriptionAnswer, viewSubscription } from './subscription-view.js';

const subscriptions = {
  kind: 'subscription',
  tag: 'Subscriptions',
  answer: subscriptionAnswer,
  view: viewSubscription,
} as const;

const reads = subjectControllers({
  ...subscriptions,
  rows: SubscriptionRows,
  listQuery: subscriptionListQuery,
  order: {
    request: subscriptionOrderRequest,
    orders: OrderSubscription,
    isUnderWay: ({ status }) => status === 'creating',
    summary: 'Order a subscription to a plan',
  },
  check: (checks, caller, id) => checks.subscription(caller, id),
  hasTimeline: true,
  review: {
    answer: z
      .object({
        subscriptionId: z.string(),
        state: shownState(subscriptionStatuses, subscriptionStates),
        ...stepReviewShape,
      })
      .meta({ id: 'SubscriptionReview' }),
    read: async (evidence, row) => {
      const { status, review } = await evidence.ofStep(subscriptionRecords, row);
      return { subscriptionId: row.id, state: status, ...review };
    },
  },
  decision: {
    request: subscriptionDecisionRequest,
    commands: SubscriptionCommands,
    resultId: 'SubscriptionDecisionResult',
    summary: 'Decide the review of a subscription',
    canBeDeclined: true,
  },
});

function change(name: Change, summary: string): Type {
  return commandController(subscriptions, {
    name,
    summary,
    request: changeRequest,
    commands: SubscriptionCommands,
    send: (commands, caller, asked) => commands.change(caller, name, asked),
  });
}

const billBalance = commandController(subscriptions, {
  name: 'billBalanceOf',
  path: 'bill-balance',
  summary: 'Collect what is outstanding of a subscription',
  request: billBalanceRequest,
  commands: SubscriptionCommands,
  send: (commands, caller, asked) => commands.billBalance(caller, asked),
});

const setBalance = commandController(subscriptions, {
  name: 'setBalanceOf',
  path: 'set-balance',
  summary: 'Forgive what is outstanding of a subscription above a balance',
  request: setBalanceRequest,
  commands: SubscriptionCommands,
  send: (commands, caller, asked) => commands.setBalance(caller, asked),
});

/** The routes of subscriptions, besides their payments. */
export const subscriptionControllers: Type[] = [
  ...reads,
  change('suspend', 'Suspend a subscription until it is reactivated'),
  change('reactivate', 'Reactivate a subscription from its next cycle on'),
  change('cancel', 'Cancel a subscription for good'),
  billBalance,
  setBalance,
];
