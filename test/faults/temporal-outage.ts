import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { openDatabase } from '#database/connection';
import { Payer } from '#proof/faults/payer.js';
import { ReportedEnds } from '#proof/faults/reported-ends.js';
import { until } from '../helpers/until.js';
import { type WholeSystem, isReported, startWholeSystem, untilAnswered } from './whole-system.js';

interface Sent {
  readonly what: string;
  readonly status: number;
  readonly retryAfter: number;
  readonly detail: unknown;
}

/** How Temporal is away: its process is gone, or there and does not answer. */
export type Outage = 'killed' | 'frozen';

/** Webhooks and polls have the usual pace; what polls would learn, webhooks tell. */
const rarePolls = { FIRST_POLL_MS: '3600000', LONGEST_POLL_MS: '3600000' };
const waiting = 40;
const copiesOfEach = 3;
const held = 5;
const ordered = 5;

/**
 * Temporal is away for so long, while the provider delivers what payers have approved, several times each, and order
 * services ask for captures and new payments. Then it is back, and everything must end, once.
 */
export async function outlives(outage: Outage, outageMs: number): Promise<void> {
  const system = await startWholeSystem({ api: rarePolls, worker: rarePolls });
  try {
    await playOutage(system, outage, outageMs);
  } finally {
    await system.close();
  }
}

async function playOutage(system: WholeSystem, outage: Outage, outageMs: number): Promise<void> {
  const { orders, sandbox } = system;
  const heldIds = await Promise.all(Array.from({ length: held }, () => awaitApproval(system)));
  for (const { approve, id } of heldIds) {
    await approve();
    await isReported(orders, id, 'authorized');
  }
  // The worker registers the webhook a moment after its start; what came before that, reconciliation has told.
  await until(
    () => sandbox.deliveries(),
    (deliveries) => deliveries.some(({ state }) => state === 'delivered'),
    'the webhook to be delivered to',
  );
  const waitingIds = await Promise.all(Array.from({ length: waiting }, () => awaitApproval(system)));
  const deliveredBefore = (await sandbox.deliveries()).length;

  const end = await begin(outage, system);
  const endsAt = Date.now() + outageMs;
  const requests = requestsOf(
    system,
    heldIds.map(({ id }) => id),
  );
  await sandbox.fault({ operation: '*', kind: 'duplicate_delivery', copies: copiesOfEach - 1, times: null });
  for (const { approve } of waitingIds) await approve();
  await untilDelivered(system, deliveredBefore + waiting);
  const refused: Sent[] = [];
  do {
    refused.push(...(await Promise.all(requests.map(async ({ what, send }) => await sentOnce(what, send)))));
    expect((await orders.get(heldIds[0]?.id ?? '')).state).toBe('authorized');
    // As long as it was asked to wait.
    await wait(1_000 * Math.max(...refused.slice(-requests.length).map(({ retryAfter }) => retryAfter)));
  } while (Date.now() < endsAt);
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 503, detail: 'The workflow service cannot be reached.' });
    expect(answer.retryAfter).toBeGreaterThan(0);
  }
  expect(await allAnswersToDeliveries(system)).toEqual(new Set([200]));
  expect((await backlogOf(system)).length).toBeGreaterThanOrEqual(waiting);

  await end();
  await sandbox.clearFaults();
  await everythingEnds(system, { heldIds, waitingIds, requests });
}

interface Waiting {
  readonly id: string;
  /** The payer approves and closes the tab: nobody but the webhook reports it. */
  readonly approve: () => Promise<unknown>;
}

async function awaitApproval({ orders }: WholeSystem): Promise<Waiting> {
  const key = randomUUID();
  const { body } = await untilAnswered(() => orders.order({}, key));
  const { id, approvalUrl } = await isReported(orders, body.id, 'awaiting_approval');
  const approve = () => new Payer(new ReportedEnds()).approve(approvalUrl ?? '', AbortSignal.timeout(60_000));
  return { id, approve };
}

interface Asked {
  readonly what: 'capture' | 'order';
  /** Under the same key each time. */
  readonly send: () => Promise<Response>;
}

const anOrder = () => ({
  orderId: randomUUID(),
  intent: 'authorize',
  amount: { value: '100.00', currency: 'USD' },
  description: 'Asked for while Temporal is away',
  returnUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/cart',
});

function requestsOf({ stack }: WholeSystem, heldIds: readonly string[]): Asked[] {
  const post = (path: string, body: object): (() => Promise<Response>) => {
    const headers = {
      authorization: `Bearer ${stack.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    return () => fetch(stack.addresses.api + path, request);
  };
  return [
    ...heldIds.map((id) => ({ what: 'capture' as const, send: post(`/v1/payments/${id}/captures`, {}) })),
    ...Array.from({ length: ordered }, () => ({
      what: 'order' as const,
      send: post('/v1/payments', anOrder()),
    })),
  ];
}

async function sentOnce(what: string, send: () => Promise<Response>): Promise<Sent> {
  const response = await send();
  const { detail } = (await response.json()) as { detail?: unknown };
  return { what, status: response.status, retryAfter: Number(response.headers.get('retry-after')), detail };
}

/** @returns what ends the outage. */
async function begin(outage: Outage, system: WholeSystem): Promise<() => Promise<void>> {
  const { kill, revive, stack, victims } = system;
  const temporal = stack.temporal?.process;
  if (outage === 'killed' || temporal === undefined) {
    await kill(...victims.temporal);
    // A worker gives up after a while; who supervises it starts it again.
    return () => revive(...victims.temporal, ...victims.worker);
  }
  temporal.pause();
  return async () => {
    temporal.resume();
    await revive(...victims.worker);
  };
}

async function untilDelivered({ sandbox }: WholeSystem, atLeast: number): Promise<void> {
  await until(
    () => sandbox.deliveries(),
    (deliveries) => deliveries.length >= atLeast && deliveries.every(({ state }) => state === 'delivered'),
    'every event to be delivered while Temporal is away',
  );
}

async function allAnswersToDeliveries({ sandbox }: WholeSystem): Promise<Set<number | null>> {
  return new Set(
    (await sandbox.deliveries()).flatMap(({ attempts }) => attempts.map(({ status }) => status)),
  );
}

async function everythingEnds(
  system: WholeSystem,
  {
    heldIds,
    waitingIds,
    requests,
  }: { heldIds: readonly Waiting[]; waitingIds: readonly Waiting[]; requests: readonly Asked[] },
): Promise<void> {
  const { orders, sandbox } = system;
  for (const { what, send } of requests) {
    const { status, body } = await untilAnswered(async () => {
      const response = await send();
      return { status: response.status, body: (await response.json()) as { id?: string } };
    });
    expect([what, status]).toEqual([what, 201]);
    if (what === 'order') await isReported(orders, body.id ?? '', 'awaiting_approval');
  }
  for (const { id } of waitingIds) await isReported(orders, id, 'authorized');
  for (const { id } of waitingIds) expect(await sandbox.booksOf(id)).toEqual(['hold 10000']);
  for (const { id } of heldIds) {
    await isReported(orders, id, 'captured');
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  }
  expect(await sandbox.movements()).toHaveLength(waitingIds.length + 2 * heldIds.length);
  expect(await sandbox.booksAreSound()).toBe(true);
  const backlog = () => backlogOf(system);
  await until(backlog, (events) => events.length === 0, 'the backlog of events to drain', 300_000);
}

/** Events that no run has been told of yet. */
async function backlogOf({ stack }: WholeSystem): Promise<readonly unknown[]> {
  const db = openDatabase(stack.addresses.engineDatabase, { poolSize: 1 });
  const left = db
    .selectFrom('webhook_events')
    .select('event_id')
    .where('status', 'in', ['received', 'dispatching']);
  try {
    return await left.execute();
  } finally {
    await db.destroy();
  }
}
