import type { Database } from '../../libs/database/src/database.js';
import type { PaymentRow } from '../../libs/database/src/schema.js';
import type { PaymentRuns } from '../../libs/runs/src/payment-runs.js';
import type { PaymentRunInput } from '../../libs/workflows/src/contract.js';
import { abreast } from './bench-stack.js';

const startedAbreast = 50;
const readAtOnce = 1_000;

/**
 * Starts a run for each of these payments, where the payment stands by its row: what is copied was created at the
 * provider before, and is not created again.
 *
 * @param ids of payments whose rows are there
 */
export async function startRuns(db: Database, runs: PaymentRuns, ids: readonly string[]): Promise<void> {
  for (let first = 0; first < ids.length; first += readAtOnce) {
    const these = ids.slice(first, first + readAtOnce);
    const rows = await db.selectFrom('payments').selectAll().where('id', 'in', these).execute();
    await abreast(rows, startedAbreast, (row) => runs.start(runInput(row)));
  }
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
