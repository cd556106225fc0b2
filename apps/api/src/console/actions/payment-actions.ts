import { Inject, Injectable } from '@nestjs/common';
import { moneyText } from '#workflows/lifecycle';
import {
  allowedActions,
  amountsOf,
  isDecidedOnWord,
  isSale,
  possibleDecisions,
} from '#workflows/lifecycle/payment';
import { collectedBy, refundableInAll } from '#workflows/lifecycle/refund';
import { captureCommand, plainCommand, reauthorizeCommand } from '../../payments/command-requests.js';
import { PaymentCommands } from '../../payments/payment-commands.js';
import {
  captureRequest,
  paymentDecisionRequest,
  reauthorizeRequest,
} from '../../payments/payment-requests.js';
import { refundRequest } from '../../refunds/refund-requests.js';
import { RequestRefund } from '../../refunds/request-refund.js';
import { decisionCommand } from '../../reviews/decision.js';
import { money } from '../sentences/words.js';
import type { ActedRow, ActionsOf, ConsoleAction } from './action.js';
import { decisionAction, unreadWord } from './decision.js';
import { amountIn, readForm } from './read-form.js';

type Row = ActedRow<'payment', 'refunds'>;

/** What an operator can do with a payment: the commands of the API. */
@Injectable()
export class PaymentActions {
  constructor(
    @Inject(PaymentCommands) private readonly commands: PaymentCommands,
    @Inject(RequestRefund) private readonly refunds: RequestRefund,
  ) {}

  readonly of: ActionsOf<Row> = (row, now) => {
    const allowed = allowedActions(row.state, now);
    const returns = row.refunds?.map(({ state }) => state);
    const refundable = (returns && refundableInAll(collectedBy(row.state), returns)) ?? 0;
    const possible = possibleDecisions(row.state);
    return [
      ...(possible.length > 0 ? [this.decide(row, possible)] : []),
      ...(allowed.includes('capture') ? [this.capture(row)] : []),
      ...(refundable > 0 ? [this.refund(row, refundable)] : []),
      ...(allowed.includes('reauthorize') ? [this.reauthorize(row)] : []),
      ...(['void', 'release', 'cancel'] as const)
        .filter((name) => allowed.includes(name))
        .map((name) => this.plain(row, name)),
    ];
  };

  private capture({ id, state }: Row): ConsoleAction {
    const { currency } = state.order.amount;
    const all = amountsOf(state).capturable;
    return {
      name: 'capture',
      label: 'Capture',
      fields: [
        {
          name: 'amount',
          label: `Amount in ${currency}`,
          type: 'text',
          hint: `At most ${money(all, currency)}. Empty: all of it.`,
        },
        { name: 'final', label: 'Release the rest to the payer', type: 'check' },
      ],
      read: ({ amount, final }) =>
        readForm(
          captureRequest,
          { ...amountIn(amount, currency), ...(final === 'true' && { final: true }) },
          (request) => {
            const minor = request.amount?.minor ?? all;
            const rest = all - minor;
            const left =
              rest > 0
                ? [
                    request.final
                      ? `Releases the other ${money(rest, currency)} to the payer.`
                      : `${money(rest, currency)} can still be captured afterwards.`,
                  ]
                : [];
            return {
              effects: [`Takes ${money(minor, currency)} of the held money from the payer.`, ...left],
              detail: `${money(minor, currency)}${request.final ? ', final' : ''}`,
              perform: (caller, key) => this.commands.send(caller, captureCommand(id, key, request)),
            };
          },
        ),
    };
  }

  private refund({ id, state }: Row, refundable: number): ConsoleAction {
    const { currency } = state.order.amount;
    const { captures } = state;
    const needsChoice = !isSale(state.order) && captures.length > 1;
    const options = captures.map(({ captureId, minor }) => ({
      value: captureId,
      label: `${captureId} (${money(minor, currency)})`,
    }));
    return {
      name: 'refund',
      label: 'Refund',
      fields: [
        {
          name: 'amount',
          label: `Amount in ${currency}`,
          type: 'text',
          hint: `At most ${money(refundable, currency)}. Empty: everything that is left.`,
        },
        ...(needsChoice ? [{ name: 'captureId', label: 'Capture', type: 'select' as const, options }] : []),
      ],
      read: ({ amount, captureId }) =>
        readForm(
          refundRequest,
          { ...amountIn(amount, currency), ...(needsChoice && { captureId }) },
          (request) => {
            const asked = request.amount ? moneyText(request.amount) : 'everything that is left';
            return {
              effects: [`Gives ${asked} back to the payer. A refund cannot be undone.`],
              detail: asked,
              perform: (caller, key) => this.refunds.request(caller, id, key, request),
            };
          },
        ),
    };
  }

  private reauthorize({ id, state }: Row): ConsoleAction {
    const { currency } = state.order.amount;
    return {
      name: 'reauthorize',
      label: 'Reauthorize',
      fields: [
        {
          name: 'amount',
          label: `Amount in ${currency}`,
          type: 'text',
          hint: 'Empty: everything that can still be captured.',
        },
      ],
      read: ({ amount }) =>
        readForm(reauthorizeRequest, amountIn(amount, currency), (request) => {
          const asked = request.amount ? moneyText(request.amount) : 'everything that can still be captured';
          return {
            effects: [`Holds ${asked} again: the funds are guaranteed for another honour period.`],
            detail: asked,
            perform: (caller, key) => this.commands.send(caller, reauthorizeCommand(id, key, request)),
          };
        }),
    };
  }

  private plain({ id, state }: Row, name: 'void' | 'release' | 'cancel'): ConsoleAction {
    const rest = money(amountsOf(state).capturable, state.order.amount.currency);
    const effects = {
      void: `Gives the held ${rest} back to the payer. It cannot be captured any more.`,
      release: `Gives the rest of the hold, ${rest}, back to the payer. What was captured stays captured.`,
      cancel: 'Ends the payment. A later approval of the payer moves no money.',
    };
    const labels = { void: 'Void', release: 'Release the rest', cancel: 'Cancel' };
    return {
      name,
      label: labels[name],
      fields: [],
      read: () => ({
        asked: {
          effects: [effects[name]],
          detail: '',
          perform: (caller, key) => this.commands.send(caller, plainCommand(name, id, key)),
        },
      }),
    };
  }

  private decide({ id, state }: Row, possible: readonly string[]): ConsoleAction {
    const word = isDecidedOnWord(state) ? unreadWord : undefined;
    return decisionAction(
      { possible, reason: state.reason, schema: paymentDecisionRequest, word },
      (request, caller, key) => this.commands.send(caller, decisionCommand(id, key, request)),
    );
  }
}
