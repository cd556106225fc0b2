import type { CodecKeys } from '#payload-codec';
import type { PaymentActivities } from '#workflows/contract';
import type { ActivityContext } from '../steps/activities/context.js';
import { captureAuthorization } from './capture-authorization.js';
import { createPayment } from './create-payment.js';
import { executePayment } from './execute-payment.js';
import { lookUpStep } from '../steps/lookups/look-up-step.js';
import { onlyAccepted } from '../steps/activities/accepted-request.js';
import { recordTransitionWithoutCall } from '../steps/activities/record-event.js';
import { refusedWritesAsResults } from '../steps/activities/refused-writes-as-results.js';
import { lookUpWithHint } from './look-up-with-hint.js';
import { observePayment } from './observe-payment.js';
import { type PaymentWork, paymentWriter } from './payment-writer.js';
import { reauthorizeAuthorization } from './reauthorize-authorization.js';
import { verifyDecision } from './verify-decision.js';
import { voidAuthorization } from './void-authorization.js';

/** @param codecKeys decrypt the shipping address and the note of a payment. */
export function paymentActivities(context: ActivityContext, codecKeys: CodecKeys): PaymentActivities {
  const work: PaymentWork = { context, writer: paymentWriter };
  return refusedWritesAsResults(
    onlyAccepted(work, {
      createPayment: (input, purchase) => createPayment(work, codecKeys, input, purchase),
      executePayment: (input) => executePayment(work, input),
      captureAuthorization: (input) => captureAuthorization(work, input),
      voidAuthorization: (input) => voidAuthorization(work, input),
      reauthorizeAuthorization: (input) => reauthorizeAuthorization(work, input),
      lookUpOutcome: (input, hint) =>
        lookUpStep(work, input, (...asked) => lookUpWithHint(context, input, asked, hint), hint),
      observePayment: (input) => observePayment(work, input),
      verifyDecision: (input, decided) => verifyDecision(work, input, decided),
      recordTransition: (input) => recordTransitionWithoutCall(work, input),
    }),
  );
}
