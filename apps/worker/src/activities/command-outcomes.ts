import type { CommandKind } from '../../../../libs/database/src/schema.js';
import type { CommandOutcome } from '../../../../libs/database/src/transition-rows.js';
import { orderCommandId } from '../../../../libs/workflows/src/contract.js';
import type {
  Capture,
  MoneyStep,
  PaymentEvent,
  PaymentState,
} from '../../../../libs/workflows/src/lifecycle/payment.js';
import type { TimelineEntry } from '../../../../libs/workflows/src/lifecycle/timeline.js';

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
    case 'paymentCreated':
    case 'authorizationGranted':
      return { ...command, status: 'succeeded' };
    case 'stepDeclined':
      return { ...command, status: 'failed', result: { code: 'provider_refused', reason: event.reason } };
    default:
      // Deferred, in doubt or proved undone: it is still under way, unless the payment has given it up.
      return after.openStep ? { ...command, status: 'executing' } : givenUp(command, after);
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

/** Commands that the run did not take at all. */
export function refusedCommands(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return timeline.flatMap((entry) => {
    if (entry.kind !== 'refused' || entry.commandId === undefined) return [];
    const result = { code: entry.code ?? 'not_allowed_in_state', reason: entry.detail ?? '' };
    const kind = entry.event === 'voidRequested' ? 'void' : 'capture';
    return [{ commandId: entry.commandId, kind, status: 'refused', result }];
  });
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
      return { commandId: step.commandId, kind: 'void' };
    case 'executePayment':
      return undefined;
  }
}

function outcomeOfCapture({ captureId, status }: Capture): Pick<CommandOutcome, 'status' | 'result'> {
  const result = { captureId, captureStatus: status };
  return { status: status === 'denied' ? 'failed' : 'succeeded', result };
}

function givenUp(command: { commandId: string; kind: CommandKind }, after: PaymentState): CommandOutcome {
  return {
    ...command,
    status: 'failed',
    result: { code: 'provider_unavailable', reason: after.reason ?? '' },
  };
}
