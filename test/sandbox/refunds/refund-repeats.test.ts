import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { collect, dollars, read, refund, returnsOf } from './collected-money.js';

describe.each(['capture', 'sale'] as const)('repeated and simultaneous refunds of a %s', (kind) => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  it('3: are one refund under one key, answered 201 and then 200, also after a restart', async () => {
    const money = await collect(sandbox, kind);
    const first = await refund(sandbox, money, dollars('10.00'), `${kind}-once`);
    await sandbox.restart();
    const second = await refund(sandbox, money, dollars('10.00'), `${kind}-once`);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    expect(await returnsOf(sandbox, money)).toEqual(['refund 1000']);
  });

  it('3: are two refunds under two keys, or under none, even if they are equal', async () => {
    const money = await collect(sandbox, kind);
    for (const key of [`${kind}-twin-1`, `${kind}-twin-2`, undefined, undefined]) {
      expect((await refund(sandbox, money, dollars('10.00'), key)).status).toBe(201);
    }
    expect(await returnsOf(sandbox, money)).toEqual(Array(4).fill('refund 1000'));
  });

  it('refuse a key that was used for another amount', async () => {
    const money = await collect(sandbox, kind);
    await refund(sandbox, money, dollars('10.00'), `${kind}-other`);
    const { status, body } = await refund(sandbox, money, dollars('20.00'), `${kind}-other`);
    expect([status, body.name]).toEqual([400, 'DUPLICATE_REQUEST_ID']);
    expect(await returnsOf(sandbox, money)).toEqual(['refund 1000']);
  });

  it('are one refund when they come at once under one key: 201 for one, 200 or 409 for the others', async () => {
    const money = await collect(sandbox, kind);
    const calls = Array.from({ length: 15 }, () =>
      refund(sandbox, money, dollars('10.00'), `${kind}-at-once`),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([200, 409]).toContain(status);
      if (status === 409) expect(body.name).toBe('RESOURCE_CONFLICT');
    }
    expect(await returnsOf(sandbox, money)).toEqual(['refund 1000']);
  });

  it('are refused under a key whose first call is still in progress', async () => {
    const money = await collect(sandbox, kind);
    const client = new Client({ connectionString: sandbox.database.url });
    await client.connect();
    await client.query(`BEGIN; SELECT FROM ${kind}s WHERE id = '${money.id}' FOR UPDATE`);
    const first = refund(sandbox, money, {}, `${kind}-in-progress`);
    const keysHeld = async () =>
      (await sandbox.sql("SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted")).length;
    await eventually(keysHeld).toBe(1);
    const second = await refund(sandbox, money, {}, `${kind}-in-progress`);
    expect([second.status, second.body.name]).toEqual([409, 'RESOURCE_CONFLICT']);
    await client.query('ROLLBACK');
    await client.end();
    expect((await first).status).toBe(201);
    expect(await returnsOf(sandbox, money)).toEqual(['refund 10000']);
  });

  it('never refund more than was collected, in twenty parts at once', async () => {
    const money = await collect(sandbox, kind);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, part) =>
        refund(sandbox, money, dollars('30.00'), `${kind}-part-${part}`),
      ),
    );
    const refusals = answers.filter(({ status }) => status !== 201);
    expect(refusals).toHaveLength(17);
    expect(new Set(refusals.map(({ body }) => body.name))).toEqual(
      new Set(['REFUND_EXCEEDED_TRANSACTION_AMOUNT']),
    );
    expect(await returnsOf(sandbox, money)).toEqual(Array(3).fill('refund 3000'));
    expect((await read(sandbox, money)).state).toBe('partially_refunded');
  });

  it('never refund more than was collected, with refunds of the rest and chargebacks at once', async () => {
    const money = await collect(sandbox, kind);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, turn) =>
        turn % 2 === 0
          ? refund(sandbox, money, {})
          : sandbox.request('POST', `/admin/${kind}s/${money.id}/reverse`, {}),
      ),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(await returnsOf(sandbox, money)).toHaveLength(1);
  });

  it('agree with the books when refunds, their later outcomes and chargebacks come at once', async () => {
    const money = await collect(sandbox, kind);
    for (const outcome of ['completed', 'failed', 'cancelled']) {
      await sandbox.configure({ refundOutcome: `pending_then_${outcome}`, refundSettleMs: 1 });
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, turn) =>
          turn % 4 === 0
            ? sandbox.request('POST', `/admin/${kind}s/${money.id}/reverse`, dollars('3.00'))
            : refund(sandbox, money, dollars(`${turn}.00`)),
        ),
      );
      expect(answers.filter(({ status }) => ![200, 201, 400].includes(status))).toEqual([]);
    }
    await sandbox.configure({});
    const pending = () => sandbox.sql("SELECT FROM refunds WHERE state = 'pending'");
    await eventually(pending).toHaveLength(0);
    expect(await sandbox.violations()).toEqual([]);
    const moved = (await sandbox.movements(money.paymentId)).filter(({ kind: one }) => /^re[fv]/.test(one));
    const sum = moved.reduce((total, { amountMinor }) => total + amountMinor, 0);
    expect(sum).toBeLessThanOrEqual(10000);
    const rest = await refund(sandbox, money, {});
    const left = rest.status === 201 ? Number(rest.body.amount.total.replace('.', '')) : 0;
    expect(sum + left).toBe(10000);
  });

  it('refund once when the reply is lost and the call repeated', async () => {
    const money = await collect(sandbox, kind);
    await sandbox.switchOnFault({ kind: 'drop_reply', operation: `${kind}.refund` });
    await expect(refund(sandbox, money, dollars('10.00'), `${kind}-lost`)).rejects.toThrow();
    const again = await refund(sandbox, money, dollars('10.00'), `${kind}-lost`);
    expect(again.status).toBe(200);
    expect(await returnsOf(sandbox, money)).toEqual(['refund 1000']);
  });

  it('free the key again when the call was refused', async () => {
    const money = await collect(sandbox, kind);
    expect((await refund(sandbox, money, dollars('100.01'), `${kind}-free`)).status).toBe(400);
    expect((await refund(sandbox, money, dollars('100.00'), `${kind}-free`)).status).toBe(201);
  });
});
