import { Inject, Injectable } from '@nestjs/common';
import { isDeactivatable } from '#workflows/lifecycle/plan';
import { isReadRequired as isReadOfPayoutRequired } from '#workflows/lifecycle/payout';
import { possibleStepDecisions } from '#workflows/lifecycle/step';
import { type SubscriptionState, allowedActions, isReadRequired } from '#workflows/lifecycle/subscription';
import { PlanCommands } from '../../plans/plan-commands.js';
import { PayoutCommands } from '../../payouts/payout-commands.js';
import { payoutDecisionRequest } from '../../payouts/payout-requests.js';
import { RefundCommands } from '../../refunds/refund-commands.js';
import { refundDecisionRequest } from '../../refunds/refund-requests.js';
import { type Change, SubscriptionCommands } from '../../subscriptions/subscription-commands.js';
import {
  billBalanceRequest,
  changeRequest,
  setBalanceRequest,
  subscriptionDecisionRequest,
} from '../../subscriptions/subscription-requests.js';
import { itemIdPattern } from '../../wire/ids.js';
import { money } from '../sentences/words.js';
import type { ActedRow, ActionField, ActionsOf, ConsoleAction } from './action.js';
import { decisionAction, unreadWord } from './decision.js';
import { amountIn, readForm } from './read-form.js';

const changes: Readonly<Record<Change, readonly [label: string, effect: string]>> = {
  suspend: ['Suspend', 'The provider bills no further cycle until the subscription is reactivated.'],
  reactivate: ['Reactivate', 'The provider bills further cycles again.'],
  cancel: ['Cancel', 'The subscription ends. It cannot be reactivated.'],
};

const noteField: ActionField = {
  name: 'note',
  label: 'Note for the provider',
  hint: 'It is sent to the provider, so it must hold nothing private.',
  type: 'text',
};

function noteIn(entered = ''): { readonly note?: string } {
  return entered.trim() === '' ? {} : { note: entered };
}

/** What an operator can do with refunds, plans, subscriptions and payouts: the commands of the API. */
@Injectable()
export class OtherActions {
  constructor(
    @Inject(RefundCommands) private readonly refunds: RefundCommands,
    @Inject(SubscriptionCommands) private readonly subscriptions: SubscriptionCommands,
    @Inject(PayoutCommands) private readonly payouts: PayoutCommands,
    @Inject(PlanCommands) private readonly plans: PlanCommands,
  ) {}

  readonly ofRefund: ActionsOf<ActedRow<'refund'>> = ({ id, state }) => {
    const possible = possibleStepDecisions(state);
    if (possible.length === 0) return [];
    return [
      decisionAction(
        {
          possible,
          reason: state.reason,
          schema: refundDecisionRequest,
          evidence:
            'the refund that was made. If it did not happen: the id of an equal refund without a reference that belongs to somebody else; if there are several, of one of them, and on your word',
          word: 'On my word, none of the other equal refunds is this one',
        },
        (request, caller, key) => this.refunds.decide(caller, key, id, request),
      ),
    ];
  };

  readonly ofSubscription: ActionsOf<ActedRow<'subscription'>> = ({ id, state }, now) => {
    const possible = possibleStepDecisions(state);
    const word = state.openStep && !isReadRequired(state.openStep.step) ? unreadWord : undefined;
    const decide = decisionAction(
      { possible, reason: state.reason, schema: subscriptionDecisionRequest, word },
      (request, caller, key) => this.subscriptions.decide(caller, key, id, request),
    );
    const allowed = allowedActions(state, now).map((name) =>
      name === 'billBalance'
        ? this.billBalance(id, state)
        : name === 'setBalance'
          ? this.setBalance(id, state)
          : this.change(id, name),
    );
    return [...(possible.length > 0 ? [decide] : []), ...allowed];
  };

  readonly ofPlan: ActionsOf<ActedRow<'plan'>> = ({ id, state }, now) =>
    isDeactivatable(state, now) ? [this.deactivate(id)] : [];

  readonly ofPayout: ActionsOf<ActedRow<'payout', 'totals'>> = ({ id, state, totals }, now) => {
    const possible = possibleStepDecisions(state);
    const { openStep } = state;
    const word = openStep && !isReadOfPayoutRequired(state, openStep.step, now) ? unreadWord : undefined;
    const decide = decisionAction(
      { possible, reason: state.reason, schema: payoutDecisionRequest, word },
      (request, caller, key) => this.payouts.decide(caller, key, id, request),
    );
    const isUnclaimed = (totals?.unclaimed?.count ?? 0) > 0;
    return [...(possible.length > 0 ? [decide] : []), ...(isUnclaimed ? [this.cancelItem(id)] : [])];
  };

  private deactivate(id: string): ConsoleAction {
    return {
      name: 'deactivate',
      label: 'Deactivate',
      fields: [],
      read: () => ({
        asked: {
          effects: ['The plan takes no further subscriptions. Those that exist are billed on.'],
          detail: '',
          perform: (caller, key) => this.plans.deactivate(caller, id, key),
        },
      }),
    };
  }

  private change(id: string, name: Change): ConsoleAction {
    const [label, effect] = changes[name];
    return {
      name,
      label,
      fields: [noteField],
      read: ({ note }) =>
        readForm(changeRequest, noteIn(note), (request) => ({
          effects: [effect],
          detail: request.note ?? '',
          perform: (caller, key) =>
            this.subscriptions.change(caller, name, { id, idempotencyKey: key, request }),
        })),
    };
  }

  private billBalance(id: string, { order: { currency }, billing }: SubscriptionState): ConsoleAction {
    const all = billing?.outstandingMinor ?? 0;
    return {
      name: 'bill-balance',
      label: 'Bill the balance',
      fields: [
        {
          name: 'amount',
          label: `Amount in ${currency}`,
          type: 'text',
          hint: `At most ${money(all, currency)}. Empty: all of it.`,
        },
        noteField,
      ],
      read: ({ amount, note }) =>
        readForm(billBalanceRequest, { ...amountIn(amount, currency), ...noteIn(note) }, (request) => {
          const asked = money(request.amount?.minor ?? all, currency);
          return {
            effects: [`Collects ${asked} of what is outstanding from the payer.`],
            detail: asked,
            perform: (caller, key) =>
              this.subscriptions.billBalance(caller, { id, idempotencyKey: key, request }),
          };
        }),
    };
  }

  private setBalance(id: string, { order: { currency }, billing }: SubscriptionState): ConsoleAction {
    const present = money(billing?.outstandingMinor ?? 0, currency);
    return {
      name: 'set-balance',
      label: 'Set the balance',
      fields: [
        {
          name: 'balance',
          label: `What stays outstanding, in ${currency}`,
          type: 'text',
          hint: `Less than ${present}. 0 forgives everything.`,
        },
      ],
      read: ({ balance = '' }) =>
        readForm(setBalanceRequest, { balance: { value: balance.trim(), currency } }, (request) => {
          const left = money(request.balance.minor, currency);
          return {
            effects: [`Forgives what is outstanding above ${left}. It cannot be taken back.`],
            detail: left,
            perform: (caller, key) =>
              this.subscriptions.setBalance(caller, { id, idempotencyKey: key, request }),
          };
        }),
    };
  }

  private cancelItem(id: string): ConsoleAction {
    return {
      name: 'cancel-item',
      label: 'Cancel an unclaimed item',
      fields: [{ name: 'itemId', label: 'Item', hint: 'The order service’s id of the item.', type: 'text' }],
      read: ({ itemId = '' }) => {
        if (!itemIdPattern.test(itemId)) return { issues: { itemId: 'must be the id of an item' } };
        return {
          asked: {
            effects: [
              `Returns the money of item ${itemId} to the account; its receiver cannot claim it any more.`,
            ],
            detail: itemId,
            perform: (caller, key) => this.payouts.cancelItem(caller, key, id, itemId),
          },
        };
      },
    };
  }
}
