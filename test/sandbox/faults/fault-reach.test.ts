import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CLOCK_OPERATIONS, OPERATION_NAMES } from '#sandbox/http/operations.js';
import { forAllTests } from '../../helpers/shared.js';
import { honoured, LONG_DAY_MS, reauthorize } from '../authorizations/reauthorizing.js';
import { FAST, itemFor, Payouts, PATH as PAYOUTS } from '../payouts/payout-helpers.js';
import { planBody, regular, SOON, Subscriptions } from '../subscriptions/subscription-calls.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { authorizationOf, immediately, nameOrState, type Reach, reachesOf } from './reaches.js';

let subscriptions: Subscriptions;
let payouts: Payouts;
let reaches: Readonly<Record<string, Reach>>;

const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: LONG_DAY_MS }));

beforeAll(async () => {
  subscriptions = new Subscriptions(sandbox);
  payouts = new Payouts(sandbox);
  reaches = reachesOf({ sandbox, subscriptions, payouts });
  await sandbox.configure({ ...FAST });
});
afterEach(async () => {
  expect(await sandbox.violations()).toEqual([]);
  await sandbox.request('DELETE', '/admin/faults');
});

const everyOperation = [...OPERATION_NAMES, ...CLOCK_OPERATIONS];
const FAULTS = {
  decline: { kind: 'decline' },
  pending: { kind: 'pending', settlesAs: 'denied', afterMs: 60_000 },
} as const;

const faultsOn = async () => (await sandbox.request('GET', '/admin/faults')).body.faults;

describe.each(['decline', 'pending'] as const)('a fault of kind %s', (kind) => {
  it.each(everyOperation)('has an effect on %s, or is refused for it', async (operation) => {
    const reach = reaches[operation];
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

describe('a fault for every operation', () => {
  it.each(['decline', 'pending'] as const)('ignores what it cannot change: %s', async (kind) => {
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

describe('a use of a fault is not counted', () => {
  it('for a payment that waits for its payer, when the outcome would be pending', async () => {
    await sandbox.switchOnFault({ ...FAULTS.pending, operation: 'payment.create' });
    expect((await sandbox.createPayment()).body.state).toBe('created');
    expect(await faultsOn()).toMatchObject([{ remaining: 1, matches: 0 }]);
    expect(authorizationOf(await immediately(sandbox))).toBe('pending');
    expect(authorizationOf(await immediately(sandbox))).toBe('authorized');
    await sandbox.request('DELETE', '/admin/faults');
    await sandbox.switchOnFault(FAULTS.pending);
    expect(authorizationOf(await immediately(sandbox))).toBe('pending');
    const { calls } = (await sandbox.request('GET', '/admin/calls?limit=10')).body;
    expect(calls).toContainEqual(expect.objectContaining({ operation: 'payment.create', fault: 'pending' }));
  });

  it('for a cycle that could not be carried out', async () => {
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

  it('for a free cycle', async () => {
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

  it('for the items of a batch that is denied', async () => {
    await sandbox.configure({ ...FAST, payoutOutcome: 'denied' });
    await sandbox.switchOnFault({ ...FAULTS.decline, operation: 'payout-item.pay' });
    await payouts.finished([itemFor('one@example.com')]);
    await sandbox.configure({ ...FAST });
    expect(await faultsOn()).toMatchObject([{ remaining: 1, matches: 0 }]);
  });
});

it('a synchronous payout is left to the clock when a fault wants it pending', async () => {
  await sandbox.switchOnFault({ ...FAULTS.pending, settlesAs: 'completed', operation: 'payout.create' });
  const body = { sender_batch_header: {}, items: [itemFor('one@example.com')] };
  const create = () => sandbox.call('POST', `${PAYOUTS}?sync_mode=true`, body);
  expect((await create()).body.batch_header.batch_status).toBe('PENDING');
  expect((await create()).body.batch_header.batch_status).toBe('SUCCESS');
});
