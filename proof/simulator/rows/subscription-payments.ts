import type { PaymentsRead, SavedPayments, ShownPayment } from '#database/subjects/subscription-payments.js';
import type { Subject } from '#workflows/contract';
import { collectedStatuses, showsLessReturned, statusBeside } from '#workflows/lifecycle/subscription';
import { simulated } from './database.js';
import type { BookedCycle } from './row-types.js';
import type { Rows } from './rows.js';

/** In the place of libs/database/src/subjects/subscription-payments.ts: of it what the steps of a subscription use. */
export async function savePayments(
  trx: unknown,
  subject: Subject,
  _currency: string,
  read: PaymentsRead,
): Promise<SavedPayments> {
  return await simulated(trx).run((rows) => save(rows, subject.id, read));
}

export async function findSubjectsOfResources(
  db: unknown,
  _owner: unknown,
  resourceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return await simulated(db).run(
    ({ resources }) =>
      new Map(resourceIds.flatMap((id) => (resources.has(id) ? [[id, resources.get(id) ?? '']] : []))),
  );
}

export function paymentKey({ at, transactionId }: Pick<ShownPayment, 'at' | 'transactionId'>): string {
  return `${at.getTime()} ${transactionId}`;
}

function save(
  rows: Rows,
  subjectId: string,
  { payments: listed, readAt: beganAt, lagMs = 0 }: PaymentsRead,
): SavedPayments {
  const readAt = beganAt.getTime();
  const shown = [...new Map(listed.map((payment) => [paymentKey(payment), payment])).values()];
  const book = new Map(rows.book.get(subjectId));
  let mayLag: true | undefined;
  const changes = shown.flatMap((payment) => {
    const known = book.get(paymentKey(payment));
    const after = { ...payment, status: statusBeside(known?.status, payment.status) };
    if (known && known.readAt > readAt) return [];
    if (known && readAt < known.readAt + lagMs && showsLessReturned(known.status, payment.status)) {
      mayLag = true;
      return [];
    }
    const { status, minor } = after;
    const name = `${payment.transactionId} of ${subjectId}`;
    if (known && known.status !== status) rows.watcher?.partChanged?.(name, known.status, status);
    book.set(paymentKey(payment), { status, minor, readAt, at: payment.at.getTime() });
    return known?.status === status ? [] : [{ ...after, before: known?.status }];
  });
  rows.book.set(subjectId, book);
  for (const { isSale, transactionId } of shown) {
    if (isSale && !rows.resources.has(transactionId)) rows.resources.set(transactionId, subjectId);
  }
  return { changes, ...summaryOf([...book.values()]), ...(mayLag && { mayLag }) };
}

function summaryOf(book: readonly BookedCycle[]): Pick<SavedPayments, 'hasPaid' | 'oldestPendingAt'> {
  const collected: readonly string[] = collectedStatuses;
  const pending = book.filter(({ status }) => status === 'pending').map(({ at }) => at);
  return {
    hasPaid: book.some(({ status }) => collected.includes(status)),
    ...(pending.length > 0 && { oldestPendingAt: Math.min(...pending) }),
  };
}
