import type { AgreementRow, PaymentDefinition } from '../database/tables.js';
import { writeAmount } from '../money/amount.js';
import type { Approvable } from '../payer-pages/approvable.js';
import { payeeName } from '../payer-pages/payee-name.js';
import { payersFor } from '../payer-pages/paying-account.js';
import {
  approvalStandingOf,
  approveAgreement,
  cancelAgreementApproval,
  findByToken,
  returnAddress,
} from './approve-agreement.js';

/** How payers approve agreements. */
export const agreementApproval: Approvable = {
  path: '/checkout/agreement',
  words: {
    name: 'agreement',
    question: 'Approve these regular payments?',
    approved: 'You have approved these payments.',
  },
  find: async (context, token) => {
    const agreement = await findByToken(context, token);
    if (agreement === undefined) return undefined;
    return {
      token,
      standing: approvalStandingOf(agreement, new Date()),
      summary: summaryOf(agreement, payeeName(context, agreement.payee_id)),
      payers: agreement.id === null ? await payersFor(context, agreement.client_id) : [],
      payerId: agreement.payer_id,
      returnAddress: returnAddress(agreement),
    };
  },
  approve: approveAgreement,
  cancel: cancelAgreementApproval,
};

/** What will be paid and when. */
function summaryOf(agreement: AgreementRow, payee: string): [string, string][] {
  const { definitions, preferences, currency } = agreement.terms;
  const money = (minor: number) => `${writeAmount(minor, currency)} ${currency}`;
  const trialFirst = [...definitions].sort((one, other) => rank(one) - rank(other));
  const { setupFeeMinor } = preferences;
  return [
    ['Agreement', agreement.name],
    ['For', agreement.description],
    ['From', `${agreement.start_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ...(setupFeeMinor > 0 ? [['At once', money(setupFeeMinor)] as [string, string]] : []),
    ...trialFirst.map((definition): [string, string] => [
      definition.type === 'TRIAL' ? 'At first' : 'Regularly',
      `${money(totalOf(definition))} ${intervalOf(definition)}`,
    ]),
    ['To', payee],
  ];
}

function rank({ type }: PaymentDefinition): number {
  return type === 'TRIAL' ? 0 : 1;
}

function totalOf({ amountMinor, chargeModels }: PaymentDefinition): number {
  return chargeModels.reduce((sum, charge) => sum + charge.amountMinor, amountMinor);
}

function intervalOf({ frequency, frequencyInterval, cycles }: PaymentDefinition): string {
  const unit = frequency.toLowerCase();
  const interval = frequencyInterval === 1 ? `every ${unit}` : `every ${frequencyInterval} ${unit}s`;
  if (cycles === 0) return `${interval}, until it is cancelled`;
  return `${interval}, ${cycles === 1 ? 'once' : `${cycles} times`}`;
}
