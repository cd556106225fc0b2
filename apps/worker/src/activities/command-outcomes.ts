import type { CommandKind } from '../../../../libs/database/src/schema.js';
import type { CommandOutcome } from '../../../../libs/database/src/transition-rows.js';
import { orderCommandId } from '../../../../libs/workflows/src/contract/payment.js';
import type {
  Capture,
  MoneyStep,
  PaymentEvent,
  PaymentState,
  Sale,
} from '../../../../libs/workflows/src/lifecycle/payment/payment.js';
import type { TimelineEntry } from '../../../../libs/workflows/src/lifecycle/progress.js';

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
    case 'stepDecidedUndone':
      return { ...command, status: 'failed', result: { code: 'decided_undone', reason: event.reason } };
    case 'stepDeclined':
    case 'reauthorizationTooSoon':
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

/** What becomes of the commands that the payment's story names: those it refused, and an operator's decisions. */
export function commandsIn(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return [...refusedCommands(timeline), ...decisions(timeline)];
}

/** A decision stands once the payment has moved by it; one that a look has overtaken comes to nothing. */
function decisions(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return timeline.flatMap((entry, at): CommandOutcome[] => {
    const { event, kind, commandId, decision } = entry;
    if (event !== 'reviewDecided' || kind !== 'moved' || commandId === undefined) return [];
    const command = { commandId, kind: 'decide' } as const;
    if (decision === 'keep') return [{ ...command, status: 'succeeded' }];
    // A void is the outcome of the step that it began.
    if (decision === 'void') return [];
    const outcome = timeline[at + 1];
    if (!outcome) return [{ ...command, status: 'executing' }];
    if (outcome.event === 'decisionRefused') return [];
    const isUndone = outcome.event === 'stepDecidedUndone' || outcome.event === 'stepDeclined';
    if (isUndone === (decision === 'did_not_happen')) return [{ ...command, status: 'succeeded' }];
    const reason = 'The provider has shown the contrary meanwhile.';
    return [{ ...command, status: 'refused', result: { code: 'contradicted_by_provider', reason } }];
  });
}

/** Commands that the run did not take. */
function refusedCommands(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return timeline.flatMap((entry) => {
    if (entry.kind !== 'refused' || entry.commandId === undefined) return [];
    const result = { code: entry.code ?? 'not_allowed_in_state', reason: entry.detail ?? '' };
    return [{ commandId: entry.commandId, kind: kindOf(entry.event), status: 'refused', result }];
  });
}

function kindOf(event: TimelineEntry['event']): CommandKind {
  switch (event) {
    case 'reviewDecided':
    case 'decisionRefused':
      return 'decide';
    case 'voidRequested':
      return 'void';
    case 'releaseRequested':
      return 'release';
    case 'reauthorizeRequested':
      return 'reauthorize';
    default:
      return 'capture';
  }
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

function givenUp(command: { commandId: string; kind: CommandKind }, after: PaymentState): CommandOutcome {
  return {
    ...command,
    status: 'failed',
    result: { code: 'provider_unavailable', reason: after.reason ?? '' },
  };
}
