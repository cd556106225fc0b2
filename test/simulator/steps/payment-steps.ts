/** The steps of a payment that ask the stand's provider. */
export { executePayment } from '#worker/payments/execute-payment.js';
export { lookUpMoneyStep } from '#worker/payments/look-up-money-step.js';
export { lookUpWithHint } from '#worker/payments/look-up-with-hint.js';
export { observePayment } from '#worker/payments/observe-payment.js';
export { verifyDecision } from '#worker/payments/verify-decision.js';
