import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiProcess } from '../api/api-process.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { historyText } from '../helpers/history-text.js';
import { plainTwin } from '../histories/plain-twin.js';
import { until } from '../helpers/until.js';
import { PayoutService } from '../payouts/payout-service.js';
import { PlantedCalls, card, email, marker } from './planted-calls.js';
import { PlantingProxy } from './planting-proxy.js';
import { SubscriptionStage } from './subscription-stage.js';
import { WorkerProcess } from './worker-process.js';

const codecKey = randomBytes(32);
const codecKeys = { current: 'test', keys: new Map([['test', codecKey]]) };

/** API and worker are processes of their own, whose logs are files. The provider repeats in its errors what it was sent. */
let engine: Engine;
let api: ApiProcess;
let worker: WorkerProcess;
let proxy: PlantingProxy;
let planted: PlantedCalls;

beforeAll(async () => {
  proxy = new PlantingProxy('http://127.0.0.1:9');
  engine = await startEngine({
    webhookAuthentication: 'addressSecret',
    withWorker: false,
    codecKeys,
    through: async (providerUrl) => await proxy.start(providerUrl),
  });
  const { databaseUrl, application } = engine;
  const codec = { CODEC_KEYS: `test:${codecKey.toString('base64')}` };
  api = await ApiProcess.start({
    databaseUrl,
    applications: [application],
    env: { ...engine.apiVariables, ...codec },
  });
  planted = new PlantedCalls(engine, api);
  worker = await WorkerProcess.start(engine, {
    ...codec,
    WEBHOOK_SWEEP_INTERVAL_MS: '1000',
    RECONCILE_INTERVAL_MS: '1000',
    RECONCILE_OVERLAP_MS: '3000',
  });
});
afterAll(async () => {
  await api.close();
  await worker.close();
  await engine.close();
  proxy.stop();
});

function secrets(): Readonly<Record<string, string>> {
  const { clientSecret, webhookSecret } = engine.application;
  return {
    marker,
    card,
    clientSecret,
    webhookSecret,
    apiKey: engine.apiKey,
    codecKey: codecKey.toString('base64'),
    basic: Buffer.from(`${engine.application.clientId}:${clientSecret}`).toString('base64'),
    ...Object.fromEntries(proxy.tokens.map((token, nth) => [`token ${nth}`, token])),
  };
}

/** The names of the secrets that a text contains. */
function secretsIn(text: string): string[] {
  return Object.entries(secrets()).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));
}

let paymentId: string;
let eventId: string;
describe('case 25: secrets, tokens, card numbers and e-mail addresses planted everywhere', () => {
  it('are accepted: a payment, a subscription, a payout, an event, errors on both sides', async () => {
    proxy.refuseNext(`${email} ${card}`);
    const { body } = await engine.orders.order({
      description: `for ${email}`,
      payee: { email },
      capturePolicy: { mode: 'manual' },
    });
    // The provider refuses the first order, and repeats its secrets in the error; it accepts the next order.
    planted.answers.push(JSON.stringify(body));
    const { body: order } = await engine.orders.order({ description: `for ${email}`, payee: { email } });
    paymentId = order.id;
    const { state } = await engine.db
      .selectFrom('payments')
      .select('state')
      .where('id', '=', order.id)
      .executeTakeFirstOrThrow();
    await engine.orders.comeBack(await engine.sandbox.approve(state.providerPaymentId ?? ''));
    await engine.orders.reaches(order.id, 'authorized');
    eventId = await planted.deliverEvent(state.providerPaymentId ?? '');
    proxy.refuseNext(`${email} ${card}`);
    await planted.call('POST', `/v1/payments/${order.id}/captures`, {});
    const subscriptions = new SubscriptionStage(engine);
    const plan = await subscriptions.plan();
    const { body: subscription } = await subscriptions.order(plan.body.id, { description: email });
    const payouts = new PayoutService(engine);
    const receiver = { type: 'EMAIL', value: `${marker}+success@private.example` };
    const items = [{ itemId: 'one', receiver, amount: { value: '7.50', currency: 'USD' }, note: email }];
    const { body: payout } = await payouts.order(items);
    await payouts.reaches(payout.id, 'completed');
    await planted.callWrongly();
    expect(proxy.isDoneRefusing).toBe(true);
    expect(proxy.tokens.length).toBeGreaterThan(0);
    for (const path of [
      `/v1/payments/${order.id}`,
      `/v1/payments/${order.id}/review`,
      `/v1/payments/${body.id}`,
      `/v1/plans/${plan.body.id}`,
      `/v1/subscriptions/${subscription.id}`,
      `/v1/payouts/${payout.id}`,
      `/v1/payouts/${payout.id}/items`,
      `/v1/webhook-events/${eventId}`,
      '/v1/webhook-events',
      '/v1/webhook-inbox',
      '/v1/payments',
      '/v1/subscriptions',
      '/v1/payouts',
      '/v1/drift',
      '/v1/reconciliation',
    ])
      expect([path, (await planted.show(path)).length > 2]).toEqual([path, true]);
  });

  it('are in no answer and on no page, including errors', () => {
    const leaks = planted.answers.flatMap((answer) => {
      const reported = secretsIn(bodyOf(answer));
      return reported.length > 0 ? [{ answer, reported }] : [];
    });
    expect(leaks).toEqual([]);
  });

  it('are in no log of a process that has written some', () => {
    const logs = [api.log(), worker.log()];
    for (const log of logs) {
      expect(log.length).toBeGreaterThan(0);
      expect(secretsIn(log)).toEqual([]);
    }
  });

  it('are in no row, including the call history', async () => {
    const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables
      where schemaname = 'public'`.execute(engine.db);
    expect(tables.map(({ name }) => name)).toContain('api_calls');
    const leaks: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ row: object }>`select row_to_json(t) as row
        from ${sql.table(name)} t`.execute(engine.db);
      const reported = secretsIn(rows.map(({ row }) => rowText(row)).join('\n'));
      if (reported.length > 0) leaks.push(`${name}: ${reported.join()}`);
    }
    expect(leaks).toEqual([]);
    const { calls } = await engine.db
      .selectFrom('api_calls')
      .select((select) => select.fn.countAll<number>().as('calls'))
      .executeTakeFirstOrThrow();
    expect(calls).toBeGreaterThan(5);
  });

  it('are in no history, fetched or exported, and a run without encryption is found', async () => {
    const plain = new Client({ connection: engine.temporal.connection });
    const handle = await plain.workflow.start('nobody', {
      workflowId: `plain-${randomUUID()}`,
      taskQueue: engine.taskQueue,
      args: [{ note: email }],
    });
    for (const form of await formsOf(handle.workflowId)) expect(secretsIn(form)).toEqual(['marker']);
    await handle.terminate();

    const query = `WorkflowType != 'nobody' AND TaskQueue = '${engine.taskQueue}'`;
    const ids = await until(
      async () => await workflowIds(query),
      (found) => found.some((id) => id.includes(paymentId)) && found.some((id) => id.startsWith('payout/')),
      'the runs to be listed',
    );
    for (const id of ids) {
      for (const form of await formsOf(id)) {
        expect([id, secretsIn(form)]).toEqual([id, []]);
        if (id.includes(paymentId)) expect(form).toContain('sealed/2');
      }
      // Not even the decrypted history has a card number.
      expect([id, await decrypted(id)]).toEqual([id, expect.not.stringContaining(card)]);
    }
  });
});

/** The body alone: the test itself has written the path before it. */
const bodyOf = (answer: string) => answer.slice(answer.indexOf('{'));

/** The row as JSON, and its encrypted columns, which JSON has as hexadecimal digits, as bytes. */
function rowText(row: object): string {
  const json = JSON.stringify(row);
  const sealed = json.match(/\\\\x[0-9a-f]+/g) ?? [];
  return json + sealed.map((hex) => Buffer.from(hex.slice(3), 'hex').toString('latin1')).join('\n');
}

async function decrypted(workflowId: string): Promise<string> {
  const history = await engine.temporal.workflow.getHandle(workflowId).fetchHistory();
  const text = historyText(await plainTwin(history as temporal.api.history.v1.History, codecKeys));
  expect(text).not.toContain('sealed/2');
  return text;
}

async function formsOf(workflowId: string): Promise<string[]> {
  const history = await engine.temporal.workflow.getHandle(workflowId).fetchHistory();
  return [history, JSON.parse(JSON.stringify(history)) as unknown].map(historyText);
}

async function workflowIds(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of engine.temporal.workflow.list({ query })) ids.push(workflowId);
  return ids;
}
