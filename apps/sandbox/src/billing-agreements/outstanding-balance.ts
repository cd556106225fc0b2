import { isFundingDeclined } from '../accounts/funding.js';
import type { Money } from '../billing-plans/plan-request.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import { ApiError } from '../http/api-error.js';
import { readAmount } from '../money/amount.js';
import { decideSaleOutcome } from '../sales/sale-outcome.js';
import type { Answer } from '../server/idempotency.js';
import { lockOwnAgreement, saveStanding, type ExecutedAgreement } from './agreement-rows.js';
import { outstandingBalance, withNextBilling } from './agreement-standing.js';
import { collectPayment } from './collect-payment.js';
import { recordAgreementEvent } from './agreement-events.js';

const DONE: Answer = { status: 204, body: null };

/** Forgives what is outstanding beyond `balance`; the balance can never grow this way. */
export async function setBalance(
  context: SandboxContext,
  unit: UnitOfWork,
  agreementId: string,
  balance: Money,
): Promise<Answer> {
  const { transaction, now } = unit;
  const agreement = await lockBillable(unit, agreementId);
  const minor = readBalance(agreement, balance, '');
  const waived = agreement.outstanding_minor - minor;
  if (waived === 0) return DONE;
  await transaction
    .insertInto('agreement_transactions')
    .values({
      agreement_id: agreement.id,
      kind: 'waiver',
      cycle: null,
      due_minor: 0,
      amount_minor: 0,
      waived_minor: waived,
      status: null,
      sale_id: null,
      created_at: now,
    })
    .execute();
  const standing = { ...withNextBilling(agreement, agreement.state), outstanding_minor: minor };
  const updated = await saveStanding(transaction, agreement, standing, now);
  await recordAgreementEvent(transaction, 'BILLING.SUBSCRIPTION.UPDATED', updated, context.links, now);
  return DONE;
}

/** Collects as much of the outstanding balance as is asked for. */
export async function billBalance(
  context: SandboxContext,
  unit: UnitOfWork,
  agreementId: string,
  amount: Money,
): Promise<Answer> {
  const agreement = await lockBillable(unit, agreementId);
  const minor = readBalance(agreement, amount, 'amount.');
  if (minor === 0) throw ApiError.invalid('amount.value', 'Must be more than zero');
  if (await isFundingDeclined(unit.transaction, agreement.payer_id, unit.fault)) {
    throw new ApiError('INSTRUMENT_DECLINED');
  }
  const funding = decideSaleOutcome(unit.application.settings, unit.fault, unit.now);
  await collectPayment(context, unit, agreement, outstandingBalance(minor), funding);
  return DONE;
}

/**
 * @throws ApiError UNPROCESSABLE_ENTITY while an agreement is pending, and once it is cancelled: it owes nothing then.
 */
async function lockBillable(unit: UnitOfWork, agreementId: string): Promise<ExecutedAgreement> {
  const agreement = await lockOwnAgreement(unit, agreementId);
  if (agreement.state !== 'Pending' && agreement.state !== 'Cancelled') return agreement;
  throw new ApiError('UNPROCESSABLE_ENTITY', [
    { field: 'state', issue: `The agreement is ${agreement.state}` },
  ]);
}

/** @throws ApiError RP_CANT_INCREASE_OUTSTANDING_AMOUNT for more than is outstanding. */
function readBalance(agreement: ExecutedAgreement, money: Money, prefix: string): number {
  const { currency } = agreement.terms;
  if (money.currency !== currency) {
    throw ApiError.invalid(`${prefix}currency`, `The agreement is in ${currency}`);
  }
  const reading = readAmount(money.value, currency);
  if ('issue' in reading) throw ApiError.invalid(`${prefix}value`, reading.issue);
  if (reading.minor > agreement.outstanding_minor) throw new ApiError('RP_CANT_INCREASE_OUTSTANDING_AMOUNT');
  return reading.minor;
}
