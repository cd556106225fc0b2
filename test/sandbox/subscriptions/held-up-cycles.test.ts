import { afterEach, describe, expect, test } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { inFuture, planBody, regular, Subscriptions } from './subscription-calls.js';

/** More than a sweep carries out at once. */
const CROWD = 60;
const LARGEST_MINOR = Number.MAX_SAFE_INTEGER;
const AMOUNT = { value: '9999999999', currency: 'KWD' };
const AMOUNT_MINOR = 9_999_999_999_000;

const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: 20 }));
const subscriptions = new Subscriptions(sandbox);
afterEach(async () => {
  expect(await sandbox.violations()).toEqual([]);
  await sandbox.configure({});
});

const daily = (cycles: string, changes: Record<string, unknown> = {}) =>
  regular({ frequency: 'DAY', cycles, ...changes });

const later = () => ({ start_date: inFuture(3_600_000) });

/** Lets the agreements that are active start now. */
const start = () =>
  sandbox.sql(
    "UPDATE billing_agreements SET start_at = now(), next_billing_at = now() WHERE state = 'Active'",
  );

const decline = (fundingDeclines: boolean) =>
  sandbox.request('PATCH', '/admin/accounts/SANDBOXPAYER1', { fundingDeclines });

/** An agreement that owes `owed` already when its first cycle falls due. */
async function owing(owed: number, before: () => unknown = () => undefined): Promise<string> {
  const plan = planBody({ payment_definitions: [daily('3', { amount: AMOUNT })] }, { autobill_amount: 'NO' });
  const id = await subscriptions.agreement(plan, later());
  await sandbox.sql(`
    INSERT INTO agreement_transactions (agreement_id, kind, due_minor, amount_minor, waived_minor, created_at)
      VALUES ('${id}', 'waiver', ${owed}, 0, 0, now());
    UPDATE billing_agreements SET outstanding_minor = ${owed} WHERE id = '${id}'`);
  await before();
  await start();
  return id;
}

test('agreements that are always late delay no other', async () => {
  await sandbox.configure({ dayLengthMs: 1 });
  const plan = planBody({ type: 'INFINITE', payment_definitions: [daily('0')] });
  const planId = await subscriptions.activePlan(plan);
  const crowd = await Promise.all(
    Array.from({ length: CROWD }, async () =>
      subscriptions.execute(await subscriptions.approved(planId, later())),
    ),
  );
  expect(crowd.every(({ status }) => status === 200)).toBe(true);
  await start();
  await sandbox.configure({});
  const id = await subscriptions.agreement(planBody({ payment_definitions: [daily('3')] }), later());
  await sandbox.sql(
    `UPDATE billing_agreements SET start_at = now(), next_billing_at = now() WHERE id = '${id}'`,
  );
  await eventually(async () => (await subscriptions.get(id)).state).toBe('Expired');
  expect(await subscriptions.booked(id)).toEqual([1_000, 1_000, 1_000]);
  await sandbox.sql(
    "UPDATE billing_agreements SET state = 'Suspended', next_billing_at = NULL WHERE state = 'Active'",
  );
});

describe('an agreement that owes as much as the books can count', () => {
  test('is suspended before a cycle that would exceed the limit, and continues when it owes less', async () => {
    const id = await owing(LARGEST_MINOR - AMOUNT_MINOR, () => decline(true));
    await eventually(async () => (await subscriptions.get(id)).state).toBe('Suspended');
    expect((await subscriptions.details(id)).outstanding_balance.value).toBe('9007199254740.991');
    expect(await subscriptions.events(id)).toEqual(['CREATED', 'ACTIVATED', 'PAYMENT.FAILED', 'SUSPENDED']);

    expect((await subscriptions.post(id, 're-activate')).status).toBe(204);
    await eventually(async () => (await subscriptions.get(id)).state).toBe('Suspended');
    expect((await subscriptions.details(id)).cycles_completed).toBe('1');

    await decline(false);
    const nothing = { value: '0', currency: 'KWD' };
    expect((await subscriptions.post(id, 'set-balance', nothing)).status).toBe(204);
    expect((await subscriptions.post(id, 're-activate')).status).toBe(204);
    await eventually(async () => (await subscriptions.get(id)).state).toBe('Expired');
    expect(await subscriptions.booked(id)).toEqual([AMOUNT_MINOR, AMOUNT_MINOR]);
  });

  test('counts what is under way, because it may be owed later', async () => {
    await sandbox.configure({ saleOutcome: 'pending_then_denied', saleSettleMs: 3_600_000 });
    const id = await owing(LARGEST_MINOR - AMOUNT_MINOR);
    await eventually(async () => (await subscriptions.get(id)).state).toBe('Suspended');
    await sandbox.sql(`UPDATE sales SET settles_at = now() WHERE billing_agreement_id = '${id}'`);
    await eventually(async () => (await subscriptions.details(id)).outstanding_balance.value).toBe(
      '9007199254740.991',
    );
    expect(await subscriptions.booked(id)).toEqual([]);
  });
});
