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
} from '../steps/command-outcomes.js';

/** What becomes of a command when the step that it asked for had this outcome. */
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
    case 'reauthorizationTooSoon':
      return refusedByProvider(command, event.reason);
    default:
      return outcomeOfUndone(command, event, after);
  }
}

/** Commands whose captures a read has brought to light: money has moved by them after all. */
export function adoptedCaptures(before: PaymentState, after: PaymentState): CommandOutcome[] {
  const known = new Set(before.captures.map(({ captureId }) => captureId));
  return after.captures.flatMap((capture) => {
    if (capture.commandId === undefined || known.has(capture.captureId)) return [];
    return [{ commandId: capture.commandId, kind: 'capture', ...outcomeOfCapture(capture) }];
  });
}

/** What becomes of the commands that the payment's story names: refused, carried out without a call, or decisions. */
export function commandsIn(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return [...refusedCommands(timeline), ...cancelledUncalled(timeline), ...decisions(timeline)];
}

/** The command that a step carries out; an execution has none, the payer's approval asked for it. */
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

/** A sale that is pending was carried out as it was asked for. */
function outcomeOfSale({ status }: Sale): Pick<CommandOutcome, 'status' | 'result'> {
  if (status !== 'denied') return { status: 'succeeded' };
  return { status: 'failed', result: { code: 'provider_refused', reason: 'The provider denied the sale.' } };
}
