import { hasId, type Operation, type OperationName, post, read } from './operation.js';
import { agreement, pendingAgreement } from '../schemas/agreement.js';
import { agreementTransactions } from '../schemas/agreement-transaction.js';
import { plan, planPage } from '../schemas/plan.js';

const PLANS = '/v1/payments/billing-plans';
const AGREEMENTS = '/v1/payments/billing-agreements';

// The request id is declared for none of these calls (provider-facts, "Idempotency and tokens").
export const createPlan = post('plan.create', 'reconcile', () => PLANS, plan);
export const listPlans = read('plan.list', () => PLANS, planPage);
export const getPlan = read('plan.get', (id) => `${PLANS}/${id}`, plan, hasId);
export const updatePlan: Operation<undefined> = {
  name: 'plan.update',
  method: 'PATCH',
  // It only replaces values, but a repeat that is refused would not prove that the first one did nothing.
  repeatability: 'reconcile',
  path: (id) => `${PLANS}/${id}`,
  answer: null,
};

export const createAgreement = post('agreement.create', 'reconcile', () => AGREEMENTS, pendingAgreement);
/** By the approval token: the agreement has no id before. */
export const executeAgreement = post(
  'agreement.execute',
  'reconcile',
  (token) => `${AGREEMENTS}/${token}/agreement-execute`,
  agreement,
);
export const getAgreement = read('agreement.get', (id) => `${AGREEMENTS}/${id}`, agreement, hasId);
export const updateAgreement: Operation<undefined> = {
  name: 'agreement.update',
  method: 'PATCH',
  // Only replaces values. But a start date that has passed since is refused, and a refusal would mean that nothing was
  // done.
  repeatability: 'reconcile',
  path: (id) => `${AGREEMENTS}/${id}`,
  answer: null,
};
export const listAgreementTransactions = read(
  'agreement.transactions',
  (id) => `${AGREEMENTS}/${id}/transactions`,
  agreementTransactions,
  // A payment names only its sale. What moved no money names its agreement: `I-…` (provider-facts, "Paths").
  (listed, asked) => listed.every(({ id = asked }) => id === asked || !id.startsWith('I-')),
);

/** Answered with 204. A repeat after a success is refused, or would bill or waive again. */
const command = (name: OperationName, action: string): Operation<undefined> => ({
  name,
  method: 'POST',
  repeatability: 'reconcile',
  path: (id) => `${AGREEMENTS}/${id}/${action}`,
  answer: null,
});

export const suspendAgreement = command('agreement.suspend', 'suspend');
export const reactivateAgreement = command('agreement.re-activate', 're-activate');
export const cancelAgreement = command('agreement.cancel', 'cancel');
export const setAgreementBalance = command('agreement.set-balance', 'set-balance');
export const billAgreementBalance = command('agreement.bill-balance', 'bill-balance');
