import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as simulatedRefunds from '#proof/simulator/rows/refunds.js';
import * as simulatedTransitions from '#proof/simulator/rows/transitions.js';
import { acceptRefund } from '#database/subjects';
import * as acceptance from '#database/subjects/accept-refund.js';
import * as refunds from '#database/subjects/refunds.js';
import { writeTransition } from '#database/transitions';
import { beginAttempt } from '#database/transitions/write-transition.js';
import { refundCommandId } from '#workflows/contract';
import type { RefundState } from '#workflows/lifecycle/refund';
import { sized } from '../helpers/sized.js';
import type { Rows } from '#proof/simulator/rows/rows.js';
import { Ids, RefundSide, captures, refundOperation } from './compared-refunds.js';
import { modelDatabase, orderedInModel } from './compared-rows.js';
import {
  useEngineDatabase,
  orderCommand,
  owner,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';
import { payment } from '../lifecycle/payment/sample-payments.js';

const engine = useEngineDatabase();

it('simulated refunds are reported, requested, written and found as those in PostgreSQL', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(refundOperation, { minLength: 1, maxLength: 12 }), async (operations) => {
      const sides = await bothSides();
      for (const each of operations) {
        const outcome = await sides.real.carryOut(each);
        expect(await sides.model.carryOut(each)).toEqual(outcome);
      }
      expect(await sides.model.found()).toEqual(await sides.real.found());
    }),
    // The same draws in each `npm test`; others in each long run.
    { numRuns: sized(40, 500), ...(sized(1, 0) === 1 && { seed: 20_263 }) },
  );
});

/** A payment of two captures, and three refunds that nobody knows yet, in PostgreSQL and in the simulator. */
async function bothSides() {
  const identity = await storePayment(engine.db);
  const { paymentId } = identity;
  const rows = orderedInModel(identity);
  const model = modelDatabase(rows);
  const collected = withOwnIds({ ...payment('captured'), captures: captures.map(asCapture) }, identity);
  await writeTransition(engine.db, transition(identity, collected, 1));
  await simulatedTransitions.writeTransition(model, transition(identity, collected, 1));
  const ids = new Ids(paymentId);
  const real = new RefundSide(
    engine.db,
    { ...acceptance, ...refunds },
    { writeTransition, beginAttempt },
    ids,
    async (id, state) => {
      const command = {
        ...orderCommand(identity),
        id: refundCommandId(id),
        subjectId: id,
        kind: 'refund',
      } as const;
      await acceptRefund(engine.db, { ...command, idempotencyKey: id }, paymentId, () => ({ state }));
    },
  );
  const simulated = new RefundSide(model, simulatedRefunds as never, simulatedTransitions, ids, (id, state) =>
    orderRefund(rows, id, state),
  );
  return { real, model: simulated };
}

function asCapture(captureId: string) {
  return { captureId, minor: 5_000, final: false, status: 'completed' as const };
}

/** As the simulator's order service commits a request: once. */
async function orderRefund(rows: Rows, id: string, state: RefundState): Promise<void> {
  if (rows.subjects.has(id)) return;
  const row = { id, kind: 'refund', ...owner, status: state.status, state, version: 0 };
  rows.order(row, { id: refundCommandId(id), kind: 'refund', subjectId: id });
}
