import { sql, type Transaction } from 'kysely';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { AgreementRow, AgreementTransactionRow, Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import type { Standing } from './agreement-standing.js';

/** An agreement that has been executed. */
export type ExecutedAgreement = AgreementRow & { id: string };

/** Undefined for an agreement that waits for its payer, or for its execution. */
export function asExecuted(agreement: AgreementRow): ExecutedAgreement | undefined {
  const { id } = agreement;
  return id === null ? undefined : { ...agreement, id };
}

/** Locks an agreement, so that calls, cycles and completions of one agreement run one after the other. */
export async function lockAgreement(
  transaction: Transaction<Tables>,
  agreementId: string,
): Promise<ExecutedAgreement | undefined> {
  const agreement = await transaction
    .selectFrom('billing_agreements')
    .selectAll()
    .where('id', '=', agreementId)
    .forUpdate()
    .executeTakeFirst();
  return agreement && executed(agreement);
}

/** @throws ApiError INVALID_RESOURCE_ID when the calling application has no such agreement. */
export async function lockOwnAgreement(
  { transaction, application }: UnitOfWork,
  agreementId: string,
): Promise<ExecutedAgreement> {
  const agreement = await lockAgreement(transaction, agreementId);
  if (agreement?.client_id !== application.clientId) throw new ApiError('INVALID_RESOURCE_ID');
  return agreement;
}

/**
 * What pending payments of an agreement would collect, in minor units. The caller holds the lock of the agreement's
 * row.
 */
export async function paymentsUnderWay(
  transaction: Transaction<Tables>,
  agreementId: string,
): Promise<number> {
  const { minor } = await transaction
    .selectFrom('agreement_transactions')
    .select(sql<string>`coalesce(sum(amount_minor), 0)`.as('minor'))
    .where('agreement_id', '=', agreementId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return Number(minor);
}

export async function saveStanding(
  transaction: Transaction<Tables>,
  agreement: AgreementRow,
  standing: Standing,
  now: Date,
): Promise<ExecutedAgreement> {
  const row = await transaction
    .updateTable('billing_agreements')
    .set({ ...standing, updated_at: now })
    .where('token', '=', agreement.token)
    .returningAll()
    .executeTakeFirstOrThrow();
  return executed(row);
}

type HistoryKind = Exclude<AgreementTransactionRow['kind'], 'setup' | 'cycle' | 'balance' | 'waiver'>;

/** Writes the agreement's new state; it is listed among its transactions. */
export async function recordHistory(
  transaction: Transaction<Tables>,
  agreement: ExecutedAgreement,
  kind: HistoryKind,
  now: Date,
): Promise<void> {
  await transaction
    .insertInto('agreement_transactions')
    .values({ agreement_id: agreement.id, kind, created_at: now, ...NO_MONEY })
    .execute();
}

const NO_MONEY = { cycle: null, due_minor: 0, amount_minor: 0, waived_minor: 0, status: null, sale_id: null };

function executed(agreement: AgreementRow): ExecutedAgreement {
  const present = asExecuted(agreement);
  if (present === undefined) throw new Error('An agreement is used before it is executed');
  return present;
}
