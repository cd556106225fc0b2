import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { dollars, read, readRefund, refund, relsOf } from '../refunds/collected-money.js';
import { CLIENT_ID, eventually, SandboxFixture } from '../sandbox-fixture.js';
import { inFuture, planBody, regular, Subscriptions } from '../subscriptions/subscription-calls.js';

describe('sales of a billing agreement', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  /** An agreement's setup fee of 10.60 USD, which is collected at its execution. */
  async function collected() {
    const plan = planBody({}, { setup_fee: { value: '10.60', currency: 'USD' } });
    const agreementId = await new Subscriptions(sandbox).agreement(plan);
    return { agreementId, money: await saleOf(agreementId) };
  }

  async function saleOf(agreementId: string) {
    const find = () => sandbox.sql(`SELECT id FROM sales WHERE billing_agreement_id = '${agreementId}'`);
    await eventually(find).toHaveLength(1);
    return { kind: 'sale', id: String((await find())[0]?.['id']), paymentId: '' } as const;
  }

  async function movementsOf(saleId: string) {
    const { body } = await sandbox.request('GET', `/admin/books/movements?clientId=${CLIENT_ID}`);
    return body.movements.filter((movement: { saleId: string }) => movement.saleId === saleId);
  }

  it('name the agreement instead of a payment, and are refunded like any other', async () => {
    const { agreementId, money } = await collected();
    const sale = await read(sandbox, money);
    expect(sale).toMatchObject({
      state: 'completed',
      billing_agreement_id: agreementId,
      amount: { total: '10.60', currency: 'USD' },
    });
    expect(sale).not.toHaveProperty('parent_payment');
    expect(relsOf(sale)).toEqual(['self', 'refund']);

    const { status, body: made } = await refund(sandbox, money, dollars('0.60'));
    expect(status).toBe(201);
    expect(made).not.toHaveProperty('parent_payment');
    expect(relsOf(made)).toEqual(['self', 'sale']);
    expect(await readRefund(sandbox, made.id)).toEqual(made);
    expect((await read(sandbox, money)).state).toBe('partially_refunded');
    expect(await movementsOf(money.id)).toMatchObject([
      { kind: 'sale', amountMinor: 1060, agreementId, paymentId: null },
      { kind: 'refund', amountMinor: 60, agreementId, paymentId: null, refundId: made.id },
    ]);
  });

  it('are charged back', async () => {
    const { money } = await collected();
    const { body } = await sandbox.request('POST', `/admin/sales/${money.id}/reverse`);
    expect(body).toMatchObject({ state: 'refunded', reason_code: 'CHARGEBACK' });
  });

  it('are collected once they are no longer pending', async () => {
    await sandbox.configure({ saleOutcome: 'pending_then_completed', saleSettleMs: 3_600_000 });
    const subscriptions = new Subscriptions(sandbox);
    const plan = planBody({ payment_definitions: [regular({ cycles: '1' })] });
    const start = { start_date: inFuture(3_600_000) };
    const token = await subscriptions.approved(await subscriptions.activePlan(plan), start);
    const agreementId: string = (await subscriptions.execute(token)).body.id;
    await sandbox.request('POST', `/admin/billing-agreements/${token}/bill-next-cycle`);
    const money = await saleOf(agreementId);
    await sandbox.configure({});
    expect((await read(sandbox, money)).state).toBe('pending');
    expect(await movementsOf(money.id)).toEqual([]);
    await sandbox.sql('UPDATE sales SET settles_at = now()');
    await eventually(() => read(sandbox, money)).toMatchObject({ state: 'completed' });
    expect(await movementsOf(money.id)).toMatchObject([{ kind: 'sale', amountMinor: 1000 }]);
    await eventually(() => sandbox.violations()).toEqual([]);
  });

  it('are booked once, whatever the code does', async () => {
    await collected();
    await expect(
      sandbox.sql(`INSERT INTO book_entries (kind, client_id, sale_id, amount_minor, currency, created_at)
        SELECT kind, client_id, sale_id, amount_minor, currency, created_at FROM book_entries WHERE kind = 'sale'`),
    ).rejects.toThrow('unique');
  });
});
