import { randomUUID } from 'node:crypto';
import { rememberOrder } from '#database/commands';
import { findIdleSubjects } from '#database/reconciliation';
import type { Owner } from '#database/schema';
import { insertLostRefund } from '#database/subjects';
import { type RefundRunInput, kindOf, refundCommandId } from '#workflows/contract';
import { requestedRefund } from '#workflows/lifecycle/refund';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { openRows, type RecoverOptions } from './recover-runs.js';
import { logFailed, tryAgain, workOnEach } from './work-on-each.js';

/** Clocks differ, and the run of an order starts after its row. */
const marginMs = 300_000;
const atOnce = 500;

/**
 * After the database was restored to an earlier moment: writes the commands of orders again that were accepted since.
 * Their runs know the keys. A repeat of such an order finds its first subject and makes no second one.
 *
 * @returns how many.
 */
export async function rememberOrders(
  { db, runs }: MaintenanceContext,
  owner: Owner,
  restoredTo: Date,
): Promise<number> {
  let remembered = 0;
  const since = new Date(restoredTo.getTime() - marginMs);
  for await (const { commandId, reference, isOpen, ...order } of runs.ordersSince(owner, since)) {
    const command = { ...owner, ...order, id: commandId, parameters: {} };
    if (order.kind === 'refund' && isOpen) await writeOpenRefund({ db, runs }, owner, order.subjectId);
    const isNew = await rememberOrder(db, command, reference);
    if (isNew) remembered += 1;
  }
  return remembered;
}

/** Its run can still make it, so it reserves its amount of the payment, as it did before. */
async function writeOpenRefund(
  { db, runs }: Pick<MaintenanceContext, 'db' | 'runs'>,
  owner: Owner,
  refundId: string,
): Promise<void> {
  const input = (await runs.inputOf({ ...owner, id: refundId })) as RefundRunInput;
  const { claim, paymentId, patience, continued } = input;
  if (claim.kind !== 'request') return;
  const commandId = refundCommandId(refundId);
  const state = continued?.state ?? requestedRefund(claim, { paymentId, commandId }, patience, Date.now());
  await insertLostRefund(db, { ...owner, refundId }, state);
}

/**
 * Makes the run of every open subject read the provider and write its state, which is newer than a restored row.
 *
 * @returns those whose runs could not be asked: their rows stay as they were restored.
 */
export async function readAllAgain(
  { db, runs, logger }: Pick<MaintenanceContext, 'db' | 'runs' | 'logger'>,
  owner: Owner,
  { concurrency, report }: Pick<RecoverOptions, 'concurrency' | 'report'>,
): Promise<readonly string[]> {
  const check = { eventType: 'CHECK', isCheck: true } as const;
  const ask = async (ids: readonly string[]): Promise<string[]> => {
    const failed = await workOnEach(concurrency, ids, async (id) => {
      const type = kindOf({ id }) === 'refund' ? 'refundNotified' : 'providerNotified';
      await runs.signal({ ...owner, id }, { id: `check_${randomUUID()}`, event: { type, ...check } });
    });
    return logFailed(logger, owner, failed, 'a run could not be asked to read: run the command again');
  };
  const unasked: string[] = [];
  for (let after: string | null = null; ;) {
    const ids = await findIdleSubjects(db, owner, openRows, { after, idleForMs: 0, limit: atOnce });
    unasked.push(...(await ask(ids)));
    after = ids.at(-1) ?? null;
    if (ids.length < atOnce) return await tryAgain(unasked, ask, report);
  }
}
