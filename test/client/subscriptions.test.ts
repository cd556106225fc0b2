import { afterAll, describe, expect, it } from 'vitest';
import {
  isSameAmount,
  type Agreement,
  type AgreementState,
  type AgreementTransaction,
  type PaymentsClient,
  type PendingAgreement,
  type Plan,
} from '#payments-client';
import { forAllTests } from '../helpers/shared.js';
import { agreementRequest, planRequest } from './billing-requests.js';
import { ConnectedSandbox, key, usd } from './connected-sandbox.js';

const sandbox = forAllTests(() => ConnectedSandbox.start());
afterAll(async () => {
  expect(await sandbox.service.violations()).toEqual([]);
});

const why = { note: 'the payer asked for it' };
const everyDay = { startDate: '2020-01-01', endDate: '2100-01-01' };

async function activePlan(client: PaymentsClient): Promise<Plan> {
  const { id } = await client.plans.create(planRequest, key());
  await client.plans.activate(id);
  return client.plans.get(id);
}

async function pending(client: PaymentsClient): Promise<PendingAgreement> {
  const { id: planId } = await activePlan(client);
  return client.agreements.create({ ...agreementRequest, planId }, key());
}

async function executed(client: PaymentsClient): Promise<Agreement> {
  const { token } = await pending(client);
  await approve(token);
  return client.agreements.execute(token, key());
}

const approve = (token: string) =>
  sandbox.service.request('POST', `/admin/billing-agreements/${token}/approve`);

const reportedOf = (transactions: readonly AgreementTransaction[]) =>
  transactions.map(({ status, amount }) => `${status} ${amount?.value ?? ''}`.trim());

describe.each(['interface', 'paypal-v1'] as const)('a plan in the dialect %s', (dialect) => {
  it('is created, read back as it was asked for, activated, changed and deleted', async () => {
    const { plans } = sandbox.connect({ dialect });
    const created = await plans.create(planRequest, key());
    expect(created).toMatchObject({ state: 'CREATED', name: 'Magazine', type: 'fixed' });
    const [definition] = created.paymentDefinitions;
    expect(definition).toMatchObject({
      type: 'REGULAR',
      frequency: 'MONTH',
      frequencyInterval: 1,
      cycles: 12,
      chargeModels: [{ type: 'TAX', amount: { value: '1', currency: 'USD' } }],
    });
    expect(isSameAmount(definition!.amount!, usd('10.60'))).toBe(true);
    expect(created.merchantPreferences).toMatchObject({
      returnUrl: 'https://shop.example/return',
      autoBillAmount: 'YES',
      initialAmountFailAction: 'CONTINUE',
      maxFailAttempts: 3,
    });

    await plans.activate(created.id);
    await plans.activate(created.id);
    await plans.update(created.id, {
      description: 'Twice a month',
      merchantPreferences: { initialAmountFailAction: 'CANCEL', maxFailAttempts: 0 },
    });
    expect(await plans.get(created.id)).toMatchObject({
      state: 'ACTIVE',
      description: 'Twice a month',
      merchantPreferences: { autoBillAmount: 'YES', initialAmountFailAction: 'CANCEL', maxFailAttempts: 0 },
    });
    await plans.update(created.id, { state: 'DELETED' });
    expect((await plans.get(created.id)).state).toBe('DELETED');
  });
});

describe('plans', () => {
  it('are found page by page, each of them once', async () => {
    const { plans } = sandbox.connect();
    const ids = new Set<string>();
    for (let n = 0; n < 3; n += 1) ids.add((await plans.create(planRequest, key())).id);
    const found: string[] = [];
    let page: number | undefined = 0;
    while (page !== undefined) {
      const listed = await plans.list({ status: 'CREATED', page, pageSize: 2 });
      found.push(...listed.plans.map(({ id }) => id));
      page = listed.nextPage;
    }
    expect(new Set(found).size).toBe(found.length);
    expect([...ids].every((id) => found.includes(id))).toBe(true);
    expect((await plans.list({ status: 'INACTIVE' })).nextPage).toBeUndefined();
  });

  it('that do not exist are not found', async () => {
    await expect(sandbox.connect().plans.get('P-NOBODY-MADE')).rejects.toMatchObject({
      kind: 'not_found',
      code: 'TEMPLATE_ID_INVALID',
    });
  });
});

describe.each(['interface', 'paypal-v1'] as const)('an agreement in the dialect %s', (dialect) => {
  it('is approved by its payer, executed, changed, suspended, re-activated and cancelled', async () => {
    const client = sandbox.connect({ dialect });
    const { agreements } = client;
    const { token, approvalUrl } = await pending(client);
    expect(new URL(approvalUrl).searchParams.get('token')).toBe(token);
    await expect(agreements.execute(token, key())).rejects.toMatchObject({
      kind: 'rejected',
      code: 'PAYMENT_NOT_APPROVED_FOR_EXECUTION',
    });
    await approve(token);
    const agreement = await agreements.execute(token, key());
    expect(agreement).toMatchObject({
      state: 'Active',
      name: 'Magazine',
      payerId: 'SANDBOXPAYER1',
      details: {
        cyclesCompleted: 0,
        cyclesRemaining: 12,
        failedPaymentCount: 0,
        nextBillingDate: '2030-01-01T00:00:00.000Z',
        lastPaymentAmount: { value: '5.00', currency: 'USD' },
      },
    });
    const { id } = agreement;
    const state = async (): Promise<AgreementState> => (await agreements.get(id)).state;
    await agreements.update(id, { description: 'Monthly', startDate: '2031-01-01T00:00:00+01:00' });
    expect(await agreements.get(id)).toMatchObject({
      description: 'Monthly',
      startDate: '2030-12-31T23:00:00.000Z',
    });
    await agreements.suspend(id, why, key());
    expect(await state()).toBe('Suspended');
    await expect(agreements.suspend(id, why, key())).rejects.toMatchObject({
      kind: 'rejected',
      code: 'INVALID_STATUS_TO_SUSPEND',
    });
    await agreements.reactivate(id, why, key());
    expect(await state()).toBe('Active');
    await agreements.cancel(id, why, key());
    expect(await state()).toBe('Cancelled');
    expect(reportedOf(await agreements.transactions(id, everyDay)).toSorted()).toEqual(
      ['Canceled', 'Completed 5.00', 'Created', 'Reactivated', 'Suspended', 'Updated'].toSorted(),
    );
  });

  it('whose setup fee was declined owes it until it is forgiven or collected', async () => {
    const client = sandbox.connect({ dialect });
    const { agreements } = client;
    await sandbox.service.switchOnFault({ operation: 'agreement.execute', kind: 'decline' });
    const { id, details } = await executed(client);
    expect(details.outstandingBalance).toEqual(usd('5.00'));
    await agreements.setBalance(id, { balance: usd('3') }, key());
    await expect(agreements.setBalance(id, { balance: usd('4') }, key())).rejects.toMatchObject({
      code: 'RP_CANT_INCREASE_OUTSTANDING_AMOUNT',
    });
    await sandbox.service.switchOnFault({ operation: 'agreement.bill-balance', kind: 'decline' });
    const bill = { note: 'what is left', amount: usd('2') };
    await expect(agreements.billBalance(id, bill, key())).rejects.toMatchObject({ kind: 'declined' });
    await agreements.billBalance(id, bill, key());
    expect((await agreements.get(id)).details.outstandingBalance).toEqual(usd('1.00'));
    await agreements.setBalance(id, { balance: usd('0') }, key());
    expect(reportedOf(await agreements.transactions(id, everyDay))).toContain('Completed 2.00');
  });
});

describe('an agreement', () => {
  it('whose execution’s reply was lost is found by executing its token again, and billed once', async () => {
    const client = sandbox.connect();
    const { token } = await pending(client);
    await approve(token);
    await sandbox.service.switchOnFault({ operation: 'agreement.execute', kind: 'drop_reply' });
    await expect(client.agreements.execute(token, key())).rejects.toMatchObject({ kind: 'unknown_outcome' });
    const { id, state } = await client.agreements.execute(token, key());
    expect(state).toBe('Active');
    const listed = await client.agreements.transactions(id, everyDay);
    const paid = listed.filter(({ status }) => status === 'Completed');
    expect(reportedOf(paid)).toEqual(['Completed 5.00']);
    expect(await client.sales.get(paid[0]?.id ?? '')).toMatchObject({
      state: 'completed',
      agreementId: id,
      paymentId: undefined,
    });
  });

  it('is found in past events by its id, and so are its payments', async () => {
    const client = sandbox.connect();
    const { id } = await executed(client);
    const { value: page } = await client.events.search({ transactionId: id }).next();
    const reported =
      page?.events.map(({ event }) => `${event.eventType} ${event.resourceIds.agreementId}`) ?? [];
    expect(reported.toSorted()).toEqual([
      `BILLING.SUBSCRIPTION.ACTIVATED ${id}`,
      `BILLING.SUBSCRIPTION.CREATED ${id}`,
      `PAYMENT.SALE.COMPLETED ${id}`,
    ]);
  });

  it('redirects its payer to the agreement’s address, not the plan’s', async () => {
    const client = sandbox.connect();
    const { id: planId } = await activePlan(client);
    const { token } = await client.agreements.create(
      {
        ...agreementRequest,
        planId,
        merchantPreferences: {
          returnUrl: 'https://shop.example/runs/7',
          cancelUrl: 'https://shop.example/no',
        },
      },
      key(),
    );
    const { body } = await approve(token);
    expect(body.redirectUrl).toMatch(/^https:\/\/shop\.example\/runs\/7\?/);
  });

  it('on no plan, or with a start in the past, is refused with the field', async () => {
    const client = sandbox.connect();
    const { id: planId } = await activePlan(client);
    const create = (changes: object) =>
      client.agreements.create({ ...agreementRequest, planId, ...changes }, key());
    await expect(create({ planId: 'P-NONE' })).rejects.toMatchObject({ code: 'TEMPLATE_ID_INVALID' });
    await expect(create({ startDate: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
      kind: 'rejected',
      status: 400,
      issues: [{ field: 'start_date' }],
    });
  });
});
