import type { PaymentActivities } from '#workflows/contract';
import type { ActivityContext } from '../context.js';
import { captureAuthorization } from './capture-authorization.js';
import { createPayment } from './create-payment.js';
import { executePayment } from './execute-payment.js';
import { lookUpStep } from '../steps/look-up-step.js';
import { onlyAccepted } from '../steps/accepted-request.js';
import { recordStanding } from '../steps/record-event.js';
import { tellingOfRows } from '../steps/telling-of-rows.js';
import { lookUpon } from './look-up-named.js';
import { observePayment } from './observe-payment.js';
import { type PaymentWork, paymentBooks } from './payment-books.js';
import { reauthorizeAuthorization } from './reauthorize-authorization.js';
import { verifyDecision } from './verify-decision.js';
import { voidAuthorization } from './void-authorization.js';

export function paymentActivities(context: ActivityContext): PaymentActivities {
  const work: PaymentWork = { context, books: paymentBooks };
  return tellingOfRows(
    onlyAccepted(work, {
      createPayment: (input, purchase) => createPayment(work, input, purchase),
      executePayment: (input) => executePayment(work, input),
      captureAuthorization: (input) => captureAuthorization(work, input),
      voidAuthorization: (input) => voidAuthorization(work, input),
      reauthorizeAuthorization: (input) => reauthorizeAuthorization(work, input),
      lookUpOutcome: (input, hint) =>
        lookUpStep(work, input, (step, attempts) => lookUpon(context, input, step, attempts, hint), hint),
      observePayment: (input) => observePayment(work, input),
      verifyDecision: (input, decided) => verifyDecision(work, input, decided),
      recordTransition: (input) => recordStanding(work, input),
    }),
  );
}
