import { refundRecords } from '#database/transitions';
import type { RefundRow } from '#database/schema';
import type { RefundIdentity } from '#workflows/contract';
import { type RefundState, isRefundTerminal } from '#workflows/lifecycle/refund';
import { simulated } from './database.js';
import type { SubjectRow } from './row-types.js';
import type { Rows } from './rows.js';

/** In the place of accept-refund.ts and refunds.ts of libs/database/src/subjects: of them what the steps of a refund use. */

type Known = Pick<RefundRow, 'id' | 'state' | 'version'>;

export async function insertObservedRefund(
  db: unknown,
  { environment, application, refundId: id }: RefundIdentity,
  state: RefundState,
): Promise<void> {
  await simulated(db).run((rows) => {
    if (rows.subjects.has(id)) return;
    rows.insert({ id, kind: 'refund', environment, application, status: state.status, state, version: 0 });
  });
}

export async function findRefund(db: unknown, _owner: unknown, id: string): Promise<Known | undefined> {
  return await simulated(db).run((rows) => refundsIn(rows).find((refund) => refund.id === id));
}

export async function findPaymentIdOf(
  db: unknown,
  _owner: unknown,
  resourceIds: readonly string[],
): Promise<string | undefined> {
  return await simulated(db).run((rows) =>
    resourceIds
      .map((id) => rows.resources.get(id))
      .find((subjectId) => rows.subjects.get(subjectId ?? '')?.kind === 'payment'),
  );
}

export async function isRefundUnshown(
  db: unknown,
  _owner: unknown,
  { collectedId, paymentId }: { readonly collectedId: string; readonly paymentId: string },
  shown: readonly string[],
): Promise<boolean> {
  return await simulated(db).run((rows) =>
    refundsIn(rows).some(({ state }) => {
      const { provider_refund_id: id } = columnsOf(state);
      if (state.paymentId !== paymentId || state.claim.kind === 'reversal') return false;
      if ((state.collected?.id ?? collectedId) !== collectedId) return false;
      const isOpen = !isRefundTerminal(state.status);
      if (id === null) return isOpen;
      return (isOpen || state.status === 'completed') && !shown.includes(String(id));
    }),
  );
}

export async function findRefundIdByReference(
  db: unknown,
  _owner: unknown,
  reference: string,
): Promise<string | undefined> {
  return await simulated(db).run((rows) => {
    const sender = rows.attempts.find((attempt) => attempt.reference === reference);
    return refundsIn(rows).find(({ id }) => id === sender?.subject_id)?.id;
  });
}

export async function listOtherRefunds(
  db: unknown,
  { paymentId, refundId }: { readonly paymentId: string; readonly refundId: string },
) {
  return await simulated(db).run((rows) =>
    refundsIn(rows)
      .filter(({ id, state }) => state.paymentId === paymentId && id !== refundId)
      .map(({ id, state }) => ({
        id,
        status: state.status,
        provider_refund_id: columnsOf(state).provider_refund_id,
      }))
      .filter(({ provider_refund_id: shown }) => shown !== null),
  );
}

export async function listRequestsOf(db: unknown, paymentId: string): Promise<Known[]> {
  return await simulated(db).run((rows) =>
    refundsIn(rows).filter(({ state }) => state.paymentId === paymentId && state.claim.kind === 'request'),
  );
}

export async function listReversalsOf(
  db: unknown,
  { collectedId, paymentId: of }: { readonly collectedId: string; readonly paymentId: string },
): Promise<Known[]> {
  return await simulated(db).run((rows) =>
    refundsIn(rows).filter(
      ({ state: { claim, status, paymentId } }) =>
        paymentId === of &&
        claim.kind === 'reversal' &&
        claim.collected.id === collectedId &&
        status !== 'unfounded',
    ),
  );
}

export function refundsIn(rows: Rows): Known[] {
  return [...rows.subjects.values()]
    .filter(({ kind }) => kind === 'refund')
    .map((row: SubjectRow) => ({
      id: row.id,
      state: row.state as RefundState,
      version: row.version,
    }));
}

function columnsOf(state: RefundState) {
  return { provider_refund_id: null, ...refundRecords.columnsOf?.(state) };
}
