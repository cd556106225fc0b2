import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CLOCK_OPERATIONS, OPERATION_NAMES } from '#sandbox/http/operations.js';
import { honoured, LONG_DAY_MS, reauthorize } from '../authorizations/reauthorizing.js';
import { FAST, itemFor, Payouts, PATH as PAYOUTS } from '../payouts/payout-helpers.js';
import { planBody, regular, SOON, Subscriptions } from '../subscriptions/subscription-calls.js';
import { eventually, SandboxFixture, type Answer } from '../sandbox-fixture.js';

let sandbox: SandboxFixture;
let subscriptions: Subscriptions;
let payouts: Payouts;

beforeAll(async () => {
  sandbox = await SandboxFixture.start({ dayLengthMs: LONG_DAY_MS });
  subscriptions = new Subscriptions(sandbox);
  payouts = new Payouts(sandbox);
  await sandbox.configure({ ...FAST });
});
afterEach(async () => {
  expect(await sandbox.violations()).toEqual([]);
  await sandbox.request('DELETE', '/admin/faults');
});
afterAll(() => sandbox.stop());

const everyOperation = [...OPERATION_NAMES, ...CLOCK_OPERATIONS];
const FAULTS = {
  decline: { kind: 'decline' },
  pending: { kind: 'pending', settlesAs: 'denied', afterMs: 60_000 },
} as const;

interface Reach {
  /** What there must be first; answers the act that a fault may strike and what is seen of it. */
  prepare: () => Promise<() => Promise<string>>;
  ordinary: string;
  decline?: string;
  pending?: string;
}

const nameOrState = ({ body }: Answer): string => body.state ?? body.name;
const authorizationOf = ({ body }: Answer): string =>
  body.name ?? body.transactions[0].related_resources[0].authorization.state;
const one = { amount: { total: '1.00', currency: 'USD' } };
const withFee = () => planBody({}, { setup_fee: { value: '5.00', currency: 'USD' } });
const immediately = async () => {
  await sandbox.configure({ ...FAST, approval: 'immediate' });
  const created = await sandbox.createPayment();
  await sandbox.configure({ ...FAST });
  return created;
};

/** Every operation whose outcome a fault can decide, and what each fault makes of it. */
const REACH: Readonly<Record<string, Reach>> = {
  'payment.create': {
    prepare: async () => async () => authorizationOf(await immediately()),
    ordinary: 'authorized',
    decline: 'INSTRUMENT_DECLINED',
    pending: 'pending',
  },
  'payment.execute': {
    prepare: async () => {
      const { id } = (await sandbox.createPayment()).body;
      await sandbox.approve(id);
      return async () => authorizationOf(await sandbox.execute(id));
    },
    ordinary: 'authorized',
    decline: 'INSTRUMENT_DECLINED',
    pending: 'pending',
  },
  'authorization.capture': {
    prepare: async () => {
      const { authorizationId } = await sandbox.authorized();
      return async () => nameOrState(await sandbox.capture(authorizationId, '1.00'));
    },
    ordinary: 'completed',
    decline: 'INSTRUMENT_DECLINED',
    pending: 'pending',
  },
  'authorization.reauthorize': {
    prepare: async () => {
      const { authorizationId } = await honoured(sandbox);
      return async () => nameOrState(await reauthorize(sandbox, authorizationId));
    },
    ordinary: 'authorized',
    decline: 'INSTRUMENT_DECLINED',
  },
  'capture.refund': {
    prepare: async () => {
      const { authorizationId } = await sandbox.authorized();
      const { id } = (await sandbox.capture(authorizationId, '1.00')).body;
      return async () => nameOrState(await sandbox.call('POST', `/v1/payments/capture/${id}/refund`, one));
    },
    ordinary: 'completed',
    decline: 'TRANSACTION_REFUSED',
    pending: 'pending',
  },
  'sale.refund': {
    prepare: async () => {
      const { id } = (await sandbox.createPayment({ intent: 'sale' })).body;
      await sandbox.approve(id);
      const { sale } = (await sandbox.execute(id)).body.transactions[0].related_resources[0];
      return async () => nameOrState(await sandbox.call('POST', `/v1/payments/sale/${sale.id}/refund`, one));
    },
    ordinary: 'completed',
    decline: 'TRANSACTION_REFUSED',
    pending: 'pending',
  },
  'agreement.execute': {
    prepare: async () => {
      const token = await subscriptions.approved(await subscriptions.activePlan());
      return async () => nameOrState(await subscriptions.execute(token));
    },
    ordinary: 'Active',
    decline: 'INSTRUMENT_DECLINED',
    pending: 'Pending',
  },
  'agreement.bill-balance': {
    prepare: async () => {
      await sandbox.switchOnFault({ operation: 'agreement.execute', kind: 'decline' });
      const id = await subscriptions.agreement(withFee());
      return async () => {
        await subscriptions.post(id, 'bill-balance', { amount: { value: '2.00', currency: 'USD' } });
        return (await subscriptions.transactions(id)).at(-1)!;
      };
    },
    ordinary: 'Completed 2.00',
    decline: 'Failed 5.00',
    pending: 'Pending 2.00',
  },
  'agreement.cycle': {
    prepare: async () => async () => {
      const id = await subscriptions.agreement(planBody({ payment_definitions: [regular()] }), SOON);
      await eventually(async () => (await subscriptions.transactions(id)).length).toBe(2);
      return (await subscriptions.transactions(id)).at(-1)!;
    },
    ordinary: 'Completed 10.00',
    decline: 'Failed 10.00',
    pending: 'Pending 10.00',
  },
  'payout.create': {
    prepare: async () => async () => {
      const { body } = await payouts.create([itemFor('one@example.com')]);
      const { payout_batch_id: id } = body.batch_header;
      const rows = await sandbox.sql(`SELECT outcome FROM payout_batches WHERE id = '${id}'`);
      return String(rows[0]!['outcome']);
    },
    ordinary: 'success',
    decline: 'unfunded',
    pending: 'denied',
  },
  'payout-item.pay': {
    prepare: async () => async () =>
      (await payouts.finished([itemFor('one@example.com')])).items[0].transaction_status,
    ordinary: 'SUCCESS',
    decline: 'FAILED',
    pending: 'PENDING',
  },
};

const faultsOn = async () => (await sandbox.request('GET', '/admin/faults')).body.faults;

describe.each(['decline', 'pending'] as const)('a fault of kind %s', (kind) => {
  it.each(everyOperation)('has an effect on, or is refused for, %s', async (operation) => {
    const reach = REACH[operation];
    const struck = reach?.[kind];
    if (reach === undefined || struck === undefined) {
      const refused = await sandbox.request('POST', '/admin/faults', { ...FAULTS[kind], operation });
      expect([refused.status, refused.body.details?.[0].field]).toEqual([400, 'operation']);
      return;
    }
    const act = await reach.prepare();
    await sandbox.request('DELETE', '/admin/faults');
    await sandbox.switchOnFault({ ...FAULTS[kind], operation });
    expect(await act()).toBe(struck);
    expect(await faultsOn()).toMatchObject([{ operation, remaining: 0, matches: 1 }]);
    expect(await (await reach.prepare())()).toBe(reach.ordinary);
  });
});

describe('a fault meant for every operation', () => {
  it.each(['decline', 'pending'] as const)('passes over what it cannot change: %s', async (kind) => {
    const { authorizationId } = await honoured(sandbox);
    const toVoid = await sandbox.authorized();
    const { items } = await payouts.finished([itemFor('anyone+unclaimed@example.com')]);
    const toCapture = await sandbox.authorized();
    await sandbox.switchOnFault(FAULTS[kind]);
    if (kind === 'pending') expect((await reauthorize(sandbox, authorizationId)).status).toBe(201);
    expect((await sandbox.void(toVoid.authorizationId)).body.state).toBe('voided');
    expect((await payouts.cancel(items[0].payout_item_id)).status).toBe(200);
    expect(await faultsOn()).toMatchObject([{ remaining: 1, matches: 0 }]);
    const captured = await sandbox.capture(toCapture.authorizationId, '1.00');
    expect(nameOrState(captured)).toBe(kind === 'decline' ? 'INSTRUMENT_DECLINED' : 'pending');
  });
});

describe('a strike is not used up', () => {
  it('by a payment that waits for its payer, where the outcome would be pending', async () => {
    await sandbox.switchOnFault({ ...FAULTS.pending, operation: 'payment.create' });
    expect((await sandbox.createPayment()).body.state).toBe('created');
    expect(await faultsOn()).toMatchObject([{ remaining: 1, matches: 0 }]);
    expect(authorizationOf(await immediately())).toBe('pending');
    expect(authorizationOf(await immediately())).toBe('authorized');
    await sandbox.request('DELETE', '/admin/faults');
    await sandbox.switchOnFault(FAULTS.pending);
    expect(authorizationOf(await immediately())).toBe('pending');
    const { calls } = (await sandbox.request('GET', '/admin/calls?limit=10')).body;
    expect(calls).toContainEqual(expect.objectContaining({ operation: 'payment.create', fault: 'pending' }));
  });

  it('by a cycle that could not be carried out', async () => {
    await sandbox.sql(`
      CREATE SEQUENCE tried_cycles;
      CREATE FUNCTION refuse_cycle() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM nextval('tried_cycles'); RAISE 'no cycle now'; END $$;
      CREATE TRIGGER refuse_cycles BEFORE INSERT ON agreement_transactions
        FOR EACH ROW WHEN (NEW.kind = 'cycle') EXECUTE FUNCTION refuse_cycle()`);
    await sandbox.switchOnFault({ ...FAULTS.decline, operation: 'agreement.cycle' });
    const id = await subscriptions.agreement(planBody(), SOON);
    const tries = async () => (await sandbox.sql('SELECT is_called FROM tried_cycles'))[0]!['is_called'];
    await eventually(tries).toBe(true);
    await sandbox.sql('DROP TRIGGER refuse_cycles ON agreement_transactions');
    await eventually(() => subscriptions.transactions(id)).toEqual(['Created', 'Failed 10.00']);
  });

  it('by a free cycle', async () => {
    const free = regular({
      name: 'Free',
      type: 'TRIAL',
      cycles: '1',
      amount: { value: '0', currency: 'USD' },
    });
    await sandbox.switchOnFault({ ...FAULTS.decline, operation: 'agreement.cycle' });
    const id = await subscriptions.agreement(planBody({ payment_definitions: [regular(), free] }), SOON);
    await eventually(async () => (await subscriptions.transactions(id)).length).toBe(2);
    expect(await faultsOn()).toMatchObject([{ remaining: 1, matches: 0 }]);
  });

  it('by the items of a batch that is denied', async () => {
    await sandbox.configure({ ...FAST, payoutOutcome: 'denied' });
    await sandbox.switchOnFault({ ...FAULTS.decline, operation: 'payout-item.pay' });
    await payouts.finished([itemFor('one@example.com')]);
    await sandbox.configure({ ...FAST });
    expect(await faultsOn()).toMatchObject([{ remaining: 1, matches: 0 }]);
  });
});

it('leaves a synchronous payout to the clock where a fault wants it pending', async () => {
  await sandbox.switchOnFault({ ...FAULTS.pending, settlesAs: 'completed', operation: 'payout.create' });
  const body = { sender_batch_header: {}, items: [itemFor('one@example.com')] };
  const create = () => sandbox.call('POST', `${PAYOUTS}?sync_mode=true`, body);
  expect((await create()).body.batch_header.batch_status).toBe('PENDING');
  expect((await create()).body.batch_header.batch_status).toBe('SUCCESS');
});
