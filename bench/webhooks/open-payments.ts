import type { Database } from '#database/connection';
import type { PaymentRow } from '#database/schema';
import { paymentRunStart, type Runs } from '#runs';
import type { PaymentRunInput } from '#workflows/contract';
import { mapConcurrently } from '../harness/map-concurrently.js';

const concurrentStarts = 50;
const readAtOnce = 500;

/**
 * Starts a run for each of these payments, as long as there is time, where the payment stands by its row: what is copied was created at the
 * provider before, and is not created again.
 *
 * @param ids of payments whose rows are there
 * @param withinMs after which no more are started
 * @returns the ids of those that have a run
 */
export async function startRuns(
  db: Database,
  runs: Runs,
  ids: readonly string[],
  withinMs = Infinity,
): Promise<string[]> {
  const endsAt = performance.now() + withinMs;
  const started: string[] = [];
  for (let first = 0; first < ids.length && performance.now() < endsAt; first += readAtOnce) {
    const these = ids.slice(first, first + readAtOnce);
    const rows = await db.selectFrom('payments').selectAll().where('id', 'in', these).execute();
    await mapConcurrently(rows, concurrentStarts, (row) => runs.start(paymentRunStart(runInput(row))));
    started.push(...rows.map(({ id }) => id));
  }
  return started;
}

function runInput({ id, environment, application, order_id, state, version }: PaymentRow): PaymentRunInput {
  return {
    identity: { environment, application, paymentId: id },
    order: state.order,
    purchase: {
      orderId: order_id,
      returnUrl: 'https://shop.example/paid',
      cancelUrl: 'https://shop.example/cancelled',
    },
    messagesPerRun: 1_000,
    continued: { state: { ...state, lastPollAt: Date.now() }, version, seen: [], waiting: [] },
  };
}
