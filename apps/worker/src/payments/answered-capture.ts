import type { Capture } from '#payments-client';
import { type PaymentState, isSuperseded } from '#workflows/lifecycle/payment';
import { UnreadableAnswerError, captureOf } from '../provider/provider-facts.js';

/**
 * The facts of the answer to our request.
 *
 * @param requested its reference distinguishes two captures of the same amount.
 * @throws {UnreadableAnswerError} if the capture is not the requested one: nothing can be concluded from it.
 */
export function answeredCapture(
  capture: Capture,
  state: PaymentState,
  { minor, reference }: { readonly minor: number; readonly reference: string },
): ReturnType<typeof captureOf> {
  const { paymentId, authorizationId, invoiceNumber } = capture;
  const shown = captureOf(capture, state.order.amount.currency);
  const isAsAsked = shown.minor === minor && (invoiceNumber ?? reference) === reference;
  const isOfPayment = paymentId === undefined || paymentId === state.providerPaymentId;
  const isOfHold = authorizationId === undefined || isHoldOf(state, authorizationId);
  // One that was on record before the call is not what it has made.
  const isNew = !state.captures.some(({ captureId }) => captureId === capture.id);
  if (!isAsAsked || !isOfPayment || !isOfHold || !isNew) throw new UnreadableAnswerError();
  return shown;
}

/** The payment's hold, or one that it had before. */
export function isHoldOf(state: PaymentState, authorizationId: string): boolean {
  return authorizationId === state.authorization?.authorizationId || isSuperseded(state, authorizationId);
}
