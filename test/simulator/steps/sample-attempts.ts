import type { AttemptRow } from '#database/schema';
import type { PaymentEvent, PaymentState } from '#workflows/lifecycle/payment';
import type { StepEvent } from '#workflows/lifecycle/step';
import { capture, payment } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';

export const call = { operation: 'capture' };

/** The provider's answer to the capture of the sample payment. */
export const captured = {
  type: 'captureAnswered',
  capture: capture(60_00, { captureId: 'CAP-2', commandId: 'cmd_2', final: true }),
} as const satisfies PaymentEvent;

type Recorded = Pick<AttemptRow, 'outcome' | 'event'>;
export const answered: Recorded = { outcome: 'answered', event: captured };
export const undone: Recorded = { outcome: 'undone', event: { type: 'stepProvedUndone' } };

export function deferred(retryAt: number): Recorded {
  const event: StepEvent = { type: 'stepDeferred', retryAt };
  return { outcome: 'deferred', event };
}

export const answering = async (): Promise<PaymentEvent> => captured;

export function failing(error: Error): () => Promise<PaymentEvent> {
  return async () => {
    throw error;
  };
}

export function refused(code: string): Error {
  return new steps.RejectedError(call, { status: 400, code }, []);
}

/** The sample payment while its step is made again. */
export function repeated(
  status: 'authorizing' | 'capturing' | 'reauthorizing',
  attempts: number,
): PaymentState {
  const state = payment(status);
  return state.openStep ? { ...state, openStep: { ...state.openStep, attempts } } : state;
}

/** The sample payment while nobody knows whether it was captured. */
export function doubted(
  horizonAt: number,
  { status = 'capturing', attempts = 0 }: { status?: 'capturing' | 'needs_review'; attempts?: number } = {},
): PaymentState {
  const { openStep, ...state } = payment(status);
  if (!openStep) return state;
  return { ...state, openStep: { ...openStep, attempts, phase: 'doubt', horizonAt, since: horizonAt } };
}

export function unknownUntil(
  horizonAt: number,
  more: Partial<Extract<StepEvent, { type: 'outcomeUnknown' }>> = {},
): Recorded {
  const event: StepEvent = { type: 'outcomeUnknown', horizonAt, ...more };
  return { outcome: 'unknown', event };
}

/** The identity of the first POST that was sent, as its row has it. */
export function sentAs({ sent: [first] }: InstanceType<typeof steps.StepStand>) {
  return { request_id: first?.requestId, reference: first?.reference };
}
