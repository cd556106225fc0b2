import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { applicationName, environmentName } from '#tools/stack-environment.js';
import { Target } from '../service/load.js';
import { until } from '../harness/until.js';
import { mapConcurrently } from '../harness/map-concurrently.js';
import { paymentIdOf, type BenchStack } from './bench-stack.js';
import { delivery } from './deliveries.js';
import type { WebhookPlan } from './plan.js';

/** Milliseconds from a delivery's commit to its run's signal, one list per round. */
export type SignalDelays = readonly (readonly number[])[];

/** Payments that the deliveries take turns at. */
const targets = 100;

/**
 * Deliveries at a steady pace, each news to a payment that waits for its payer: the worker works all the while, for
 * each run reads the provider when it gets its signal. Timed by the rows: when the database took the event, and when
 * Temporal had taken the signal.
 */
export async function measureSignalDelay(
  bench: BenchStack,
  { rounds, timed, timedPerSecond }: WebhookPlan,
  signal: AbortSignal,
): Promise<SignalDelays> {
  const paths = await orderPayments(bench);
  const { stack, db } = bench;
  const api = new Target(stack.addresses.api, targets);
  const delays: number[][] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      signal.throwIfAborted();
      const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
      const count = Math.ceil(timed / rounds);
      await deliverSteadily(bench, api, paths, count, 1_000 / timedPerSecond);
      delays.push(await readDelays(bench, rows[0]?.now ?? new Date(), count));
    }
    return delays;
  } finally {
    await api.close();
  }
}

/** @returns the provider's ids of payments that wait for their payer. */
async function orderPayments({ engine, db }: BenchStack): Promise<string[]> {
  const ids: string[] = [];
  await mapConcurrently(Array.from({ length: targets }), 10, async () => {
    const { workflowId } = await engine.order();
    ids.push(paymentIdOf(workflowId));
  });
  const rows = await db
    .selectFrom('resources')
    .select('resource_id')
    .where('subject_id', 'in', ids)
    .where('kind', '=', 'payment')
    .execute();
  return rows.map(({ resource_id }) => resource_id);
}

/** Each at its instant, whatever became of the one before. */
async function deliverSteadily(
  { stack }: BenchStack,
  api: Target,
  providerPaymentIds: readonly string[],
  count: number,
  everyMs: number,
): Promise<void> {
  const path = `/webhooks/${environmentName}/${applicationName}/${stack.config.webhookSecret}`;
  const startedAt = performance.now();
  const answers: Promise<unknown>[] = [];
  for (let n = 0; n < count; n += 1) {
    await sleep(Math.max(0, startedAt + n * everyMs - performance.now()));
    const paymentId = providerPaymentIds[n % providerPaymentIds.length] ?? '';
    const reported = { id: `AUTH${n}`, state: 'authorized', paymentId };
    answers.push(api.send(delivery(path, { type: 'authorization', ...reported })));
  }
  await Promise.all(answers);
}

async function readDelays({ db }: BenchStack, since: Date, count: number): Promise<number[]> {
  const delivered = db
    .selectFrom('webhook_events')
    .where('application', '=', applicationName)
    .where('event_type', '=', 'PAYMENT.AUTHORIZATION.CREATED')
    .where('received_at', '>=', since);
  const read = () =>
    delivered
      .select(sql<number>`extract(epoch from status_at - received_at)::float8 * 1000`.as('ms'))
      .where('status', '=', 'applied')
      .execute();
  await until(async () => (await read()).length >= count, 100);
  return (await read()).map(({ ms }) => ms);
}
