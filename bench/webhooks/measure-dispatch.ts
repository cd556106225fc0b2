import { pino } from 'pino';
import { WebhookDispatcher } from '#api/webhooks/webhook-dispatcher.js';
import { type Database, migrate, openDatabase } from '#database/connection';
import { journalWebhookEvent } from '#database/events';
import { parseWebhookEvent } from '#payments-client/webhooks';
import { EventDispatch, newEventOf } from '#webhook-inbox';
import { paymentSignals, paymentWorkflowId } from '#workflows/contract';
import { environmentName } from '#tools/stack-environment.js';
import { until } from '../harness/until.js';
import { mapConcurrently } from '../harness/map-concurrently.js';
import { isAllDispatched, paymentIdOf, type BenchStack } from './bench-stack.js';
import { type CopiedPayment, copyPayment } from './copied-payments.js';
import { delivery } from './deliveries.js';
import { startRuns } from './open-payments.js';
import type { WebhookPlan } from './plan.js';

/** Events a second, one figure per round. */
export interface DispatchFigures {
  /** Journaled events that are brought to their runs and marked. */
  readonly dispatched: number[];
  /** Bare `handle.signal` calls to the same runs. */
  readonly signalled: number[];
}

/** No worker polls it, so that the work of a run after a signal is not counted on either side. */
const unattended = 'bench-unattended';
const application = 'unattended';

/**
 * A backlog of journaled events, each news to another run, in turns with as many bare signals. In a database of its own,
 * where nothing sweeps, by the API's own dispatcher in this process, which is where the rival's signals come from too.
 */
export async function measureDispatch(
  bench: BenchStack,
  plan: WebhookPlan,
  signal: AbortSignal,
): Promise<DispatchFigures> {
  const url = await bench.stack.enginePostgres.ensureDatabase('dispatch');
  const db = openDatabase(url);
  try {
    await migrate(db);
    const runs = bench.runsOn(unattended);
    const { workflowId } = await bench.engine.order();
    const copying = { from: bench.stack.addresses.engineDatabase, to: url, application };
    const payments = await copyPayment(copying, paymentIdOf(workflowId), plan.dispatched);
    await startRuns(
      db,
      runs,
      payments.map(({ id }) => id),
    );
    const dispatcher = new WebhookDispatcher(new EventDispatch(db, runs), pino({ level: 'silent' }));
    const figures: DispatchFigures = { dispatched: [], signalled: [] };
    const turns = [
      async () => figures.dispatched.push(await dispatchAll(db, dispatcher, payments)),
      async () => figures.signalled.push(await signalAll(bench, payments, plan)),
    ];
    for (const turn of turns) await turn();
    for (const all of Object.values(figures)) all.length = 0;
    for (let round = 0; round < plan.rounds; round += 1) {
      signal.throwIfAborted();
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
    return figures;
  } finally {
    await db.destroy();
  }
}

async function dispatchAll(
  db: Database,
  dispatcher: WebhookDispatcher,
  payments: readonly CopiedPayment[],
): Promise<number> {
  const ids: number[] = [];
  await mapConcurrently(payments, 8, async (payment) => void ids.push(await journal(db, payment)));
  const startedAt = performance.now();
  for (const id of ids) dispatcher.enqueue(id);
  await until(() => isAllDispatched(db));
  const perSecond = ids.length / ((performance.now() - startedAt) / 1_000);
  const { applied } = await db
    .selectFrom('webhook_events')
    .select(({ fn }) => fn.countAll<number>().as('applied'))
    .where('status', '=', 'applied')
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  if (applied !== ids.length) throw new Error(`${applied} of ${ids.length} events came to their runs`);
  return perSecond;
}

async function journal(db: Database, { resources }: CopiedPayment): Promise<number> {
  const reported = {
    type: 'authorization',
    id: 'bench',
    state: 'authorized',
    paymentId: resources.payment ?? '',
  };
  const { body } = delivery('', { ...reported, type: 'authorization' });
  const bytes = Buffer.from(body ?? '');
  const event = newEventOf(parseWebhookEvent(bytes), JSON.parse(bytes.toString()));
  return (await journalWebhookEvent(db, { environment: environmentName, application, ...event })).id;
}

/** The simplest code for a known run id and event; without a codec. */
async function signalAll(
  { bareTemporal }: BenchStack,
  payments: readonly CopiedPayment[],
  { concurrentSignals }: WebhookPlan,
): Promise<number> {
  let news = 0;
  const startedAt = performance.now();
  await mapConcurrently(payments, concurrentSignals, async ({ id }) => {
    const workflowId = paymentWorkflowId({ environment: environmentName, application, paymentId: id });
    const event = { type: 'providerNotified', eventType: 'PAYMENT.AUTHORIZATION.CREATED' } as const;
    const message = { id: `WH-BARE-${startedAt}-${(news += 1)}`, event };
    await bareTemporal.workflow.getHandle(workflowId).signal(paymentSignals.providerNotified, message);
  });
  return payments.length / ((performance.now() - startedAt) / 1_000);
}
