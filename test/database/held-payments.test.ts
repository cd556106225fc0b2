import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { countUrgent, listUrgent } from '#database/console';
import { readQueues } from '#database/observation';
import { areHeld } from '#database/tables/held-payments.js';
import { type PaymentState, amountsOf } from '#workflows/lifecycle/payment';
import {
  authorization,
  capture,
  payment,
  reauthorizedAuthorization,
} from '../lifecycle/payment/sample-payments.js';
import { newIdentity, owner, storePayment, useEngineDatabase } from './engine-database.js';

const engine = useEngineDatabase();

const pending = capture(60_00, { status: 'pending' });
const held = payment('authorized', { holdsRest: true });
const capturing: PaymentState = { ...held, status: 'capturing', captures: [pending] };
/** Of a second hold of 60.00; 40.00 of the first one were captured. */
const reauthorized: PaymentState = {
  ...capturing,
  authorization: reauthorizedAuthorization,
  captures: [
    capture(40_00, { authorizationId: authorization.authorizationId }),
    capture(50_00, { captureId: 'CAP-2', status: 'pending', authorizationId: 'AUTH-2' }),
  ],
  reauthorizations: { tries: 1, failures: 0, earlier: [authorization] },
};

async function store(state: PaymentState): Promise<string> {
  const { paymentId } = await storePayment(engine.db, newIdentity());
  await sql`update payments set status = ${state.status}, state = ${JSON.stringify(state)} where id = ${paymentId}`.execute(
    engine.db,
  );
  return paymentId;
}

it.each<[string, PaymentState]>([
  ['a hold', held],
  ['a hold of which a part was captured', payment('partially_captured')],
  ['a hold that was given back', payment('voided')],
  ['the capture of a hold', payment('capturing', { holdsRest: true })],
  ['a rest beside a pending capture', capturing],
  ['the same of a payment that was ordered before', { ...capturing, order: payment('authorized').order }],
  ['a pending capture of everything', { ...capturing, captures: [capture(100_00, { status: 'pending' })] }],
  ['a pending final capture', { ...capturing, captures: [{ ...pending, final: true }] }],
  [
    'a rest beside a pending capture and a denied final one',
    {
      ...capturing,
      captures: [pending, capture(40_00, { captureId: 'CAP-2', status: 'denied', final: true })],
    },
  ],
  [
    'two captures that leave nothing',
    { ...capturing, captures: [pending, capture(40_00, { captureId: 'CAP-2', status: 'pending' })] },
  ],
  ['a hold that has ended', { ...capturing, holdEnd: 'expired' }],
  ['a step of the rest', { ...capturing, openStep: payment('capturing').openStep! }],
  ['a rest of a second hold', reauthorized],
  [
    'a second hold of which nothing is left',
    {
      ...reauthorized,
      captures: [...reauthorized.captures, capture(10_00, { captureId: 'CAP-3', authorizationId: 'AUTH-2' })],
    },
  ],
  [
    'a rest within the reauthorized amount',
    { ...reauthorized, reauthorizations: { ...reauthorized.reauthorizations!, limit: 90_00 } },
  ],
  [
    'a larger hold of which the ordered amount is pending',
    {
      ...capturing,
      authorization: { ...authorization, minor: 110_00 },
      captures: [{ ...pending, minor: 100_00 }],
    },
  ],
])('%s counts as held if something of it can be captured', async (_, state) => {
  const id = await store(state);
  const { rows } = await sql`select id from payments where id = ${id} and ${areHeld}`.execute(engine.db);
  expect(rows.length > 0).toBe(amountsOf(state).capturable > 0);
});

describe('a rest beside a pending capture', () => {
  it('is in the list of holds that end, in its counter, and in the metric of the next end', async () => {
    await engine.db.deleteFrom('payments').execute();
    const validUntil = Date.now() + 3_600_000;
    const id = await store({ ...capturing, authorization: { ...authorization, validUntil } });
    await store({
      ...capturing,
      authorization: { ...authorization, validUntil: validUntil - 1 },
      holdEnd: 'expired',
    });
    const within = { holdsWithinMs: 86_400_000 };
    expect(await listUrgent(engine.db, [owner], { ...within, limit: 9 })).toMatchObject([{ id }]);
    const { holds } = await countUrgent(engine.db, [owner], within);
    expect(holds).toEqual({ count: 1, oldest: new Date(validUntil) });
    const [queues] = await readQueues(engine.db, [owner]);
    expect(Math.abs(queues!.hold_seconds! - (validUntil - Date.now()) / 1000)).toBeLessThan(60);
  });

  it('is absent from the metric once it has ended', async () => {
    await engine.db.deleteFrom('payments').execute();
    await store({ ...capturing, holdEnd: 'expired' });
    expect(await readQueues(engine.db, [owner])).toMatchObject([{ hold_seconds: null }]);
  });
});
