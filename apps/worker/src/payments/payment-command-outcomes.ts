import type { CommandKind } from '#database/schema';
import type { CommandOutcome } from '#database/transitions';
import { orderCommandId } from '#workflows/contract';
import type { Capture, MoneyStep, PaymentState, Sale, PaymentEvent } from '#workflows/lifecycle/payment';
import type { TimelineEntry } from '#workflows/lifecycle';
import {
  cancelledUncalled,
  decisions,
  outcomeOfUndone,
  refusedByProvider,
  refusedCommands,
} from '../steps/activities/command-outcomes.js';

/** The outcome of a command, from the outcome of its step. */
export function outcomeOfStep(
  step: MoneyStep,
  event: PaymentEvent,
  after: PaymentState,
): CommandOutcome | undefined {
  const command = commandOf(step, after);
  if (!command) return undefined;
  switch (event.type) {
    case 'captureAnswered':
      return { ...command, ...outcomeOfCapture(event.capture) };
    case 'voidConfirmed':
    case 'authorizationRenewed':
    case 'paymentCreated':
    case 'authorizationGranted':
      return { ...command, status: 'succeeded' };
    case 'saleAnswered':
      return { ...command, ...outcomeOfSale(event.sale) };
    case 'stepDeclined':
      return event.isOutdated
        ? { ...command, status: 'failed', result: { code: 'not_allowed_in_state', reason: event.reason } }
        : outcomeOfUndone(command, event, after);
    case 'reauthorizationTooSoon':
      return refusedByProvider(command, event.reason);
    default:
      return outcomeOfUndone(command, event, after);
  }
}

/** Commands whose captures were found by a read: they have moved money after all. */
export function adoptedCaptures(before: PaymentState, after: PaymentState): CommandOutcome[] {
  const known = new Set(before.captures.map(({ captureId }) => captureId));
  return after.captures.flatMap((capture) => {
    if (capture.commandId === undefined || known.has(capture.captureId)) return [];
    return [{ commandId: capture.commandId, kind: 'capture', ...outcomeOfCapture(capture) }];
  });
}

/** The outcomes of the commands in the new timeline lines: refused, carried out without a call, or decisions. */
export function commandsIn(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return [...refusedCommands(timeline), ...cancelledUncalled(timeline), ...decisions(timeline)];
}

/** The command that a step carries out. An execution has none: the payer's approval causes it. */
export function commandOf(
  step: MoneyStep,
  state: PaymentState,
): { readonly commandId: string; readonly kind: CommandKind } | undefined {
  switch (step.type) {
    case 'createPayment':
      return { commandId: orderCommandId(state.order.paymentId), kind: 'create' };
    case 'captureAuthorization':
      return { commandId: step.commandId, kind: 'capture' };
    case 'voidAuthorization':
      return { commandId: step.commandId, kind: step.isRelease ? 'release' : 'void' };
    case 'reauthorizeAuthorization':
      return { commandId: step.commandId, kind: 'reauthorize' };
    case 'executePayment':
      return undefined;
  }
}

function outcomeOfCapture({ captureId, status }: Capture): Pick<CommandOutcome, 'status' | 'result'> {
  const result = { captureId, captureStatus: status };
  return { status: status === 'denied' ? 'failed' : 'succeeded', result };
}

/** A pending sale counts as carried out. */
function outcomeOfSale({ status }: Sale): Pick<CommandOutcome, 'status' | 'result'> {
  if (status !== 'denied') return { status: 'succeeded' };
  return { status: 'failed', result: { code: 'provider_refused', reason: 'The provider denied the sale.' } };
}
