import { describePlanOfAgreement, describePlanOfNewAgreement } from '../billing-plans/plan-representation.js';
import type { AgreementRow } from '../database/tables.js';
import type { Link, Links } from '../http/links.js';
import { writeAmount } from '../money/amount.js';
import type { ExecutedAgreement } from './agreement-rows.js';
import { progressOf, scheduleOf } from './agreement-standing.js';
import { cyclesRemaining, finalDueAt } from './billing-schedule.js';

const PATH = '/v1/payments/billing-agreements';

/** An agreement that waits for its payer: it has a token and no id yet. */
export function describeNewAgreement(agreement: AgreementRow, links: Links): object {
  const { token } = agreement;
  return {
    name: agreement.name,
    description: agreement.description,
    plan: describePlanOfNewAgreement(agreement.plan_id, agreement.terms),
    payer: { payment_method: agreement.payment_method },
    ...addressOf(agreement),
    start_date: agreement.start_at.toISOString(),
    links: [
      links.to('approval_url', 'REDIRECT', `/checkout/agreement?token=${token}`),
      links.to('execute', 'POST', `${PATH}/${token}/agreement-execute`),
    ],
  };
}

/** An executed agreement as answered and as the resource of its events. */
export function describeAgreement(agreement: ExecutedAgreement, links: Links): object {
  return {
    id: agreement.id,
    state: agreement.state,
    name: agreement.name,
    description: agreement.description,
    start_date: agreement.start_at.toISOString(),
    payer: {
      payment_method: agreement.payment_method,
      status: 'verified',
      payer_info: agreement.payer_info,
    },
    ...addressOf(agreement),
    plan: describePlanOfAgreement(agreement.terms),
    agreement_details: detailsOf(agreement),
    create_time: agreement.created_at.toISOString(),
    update_time: agreement.updated_at.toISOString(),
    links: linksOf(agreement.id, links),
  };
}

function addressOf({ shipping_address }: AgreementRow) {
  return shipping_address === null ? {} : { shipping_address };
}

/** Omits dates that do not exist: no payment yet, no end. */
function detailsOf(agreement: ExecutedAgreement): object {
  const { currency } = agreement.terms;
  const money = (minor: number) => ({ currency, value: writeAmount(minor, currency) });
  const [schedule, progress] = [scheduleOf(agreement), progressOf(agreement)];
  const finalDate = finalDueAt(schedule, progress);
  const { next_billing_at, last_payment_at, last_payment_minor } = agreement;
  return {
    outstanding_balance: money(agreement.outstanding_minor),
    // The public API answers 0 when there is no end.
    cycles_remaining: String(cyclesRemaining(schedule, progress) ?? 0),
    cycles_completed: String(agreement.cycles_done),
    ...(next_billing_at !== null && { next_billing_date: next_billing_at.toISOString() }),
    ...(last_payment_at !== null && { last_payment_date: last_payment_at.toISOString() }),
    ...(last_payment_minor !== null && { last_payment_amount: money(last_payment_minor) }),
    ...(finalDate !== null && { final_payment_date: finalDate.toISOString() }),
    failed_payment_count: String(agreement.failed_payments),
  };
}

/** As the public API was recorded: several links are called `self`, in every state. */
function linksOf(id: string, links: Links): Link[] {
  const path = `${PATH}/${id}`;
  return [
    links.to('self', 'GET', path),
    links.to('suspend', 'POST', `${path}/suspend`),
    links.to('re_activate', 'POST', `${path}/re-activate`),
    links.to('cancel', 'POST', `${path}/cancel`),
    links.to('self', 'POST', `${path}/bill-balance`),
    links.to('self', 'POST', `${path}/set-balance`),
  ];
}
