import type { FaultShare } from '../fault-share.js';
import type { Operations } from '../lifecycle.js';
import type { Random } from '../random.js';
import type { SandboxControl } from '../sandbox-control.js';
import type { Tenant } from './tenants.js';

const readsOfEvents = ['event.get', 'event.list'];
const deliveries = ['*'];

/** Of payments, plans and agreements, of what an agreement collected, of batches, and of their items. */
const states: readonly string[] = ['**.state', '**.status', '**.batch_status', '**.transaction_status'];
/** The fields that an incomplete answer lacks; it is still well-formed. */
const cutsOfReads: readonly (readonly string[])[] = [
  ['transactions'],
  ['**.related_resources'],
  ['**.capture'],
  ['**.refund'],
  ['**.custom', '**.invoice_number'],
  states,
  ['**.amount'],
  ['payments', 'plans', 'events', 'items', 'agreement_transaction_list'],
  ['batch_header', 'agreement_details'],
  ['**.transaction_id', '**.sender_item_id'],
];
const cutsOfPosts: readonly (readonly string[])[] = [['id'], states, ['transactions'], ['links']];

/** Longer than the client waits for an answer. */
const neverInTimeMs = 30_000;
/** No fault of kind `late` answers before. */
export const shortestHoldMs = 3_000;
/** A large number instead of "always": the remaining count shows how often the fault has struck. */
const withoutEnd = 1_000_000;

/**
 * Everything the provider does wrong during a campaign. The delays also make the windows in which a process can be
 * killed with a POST in flight, before and after the operation is carried out.
 *
 * @param horizonMs of the engine's outcomes, in milliseconds: the longest that an operation is carried out late and the
 *   longest that a read lags are together well within it.
 */
export function faultShares(operations: Operations, horizonMs: number): readonly FaultShare[] {
  return [
    ...faultsOfPosts(operations, horizonMs),
    ...faultsOfReads([...operations.reads, ...readsOfEvents], horizonMs),
    ...faultsOfDeliveries,
  ];
}

function faultsOfPosts({ moneyPosts, otherPosts, keyedPosts }: Operations, horizonMs: number): FaultShare[] {
  const posts = [...otherPosts, ...moneyPosts];
  return [
    // Executed long after the caller has given up; nobody gets the answer.
    {
      fault: { kind: 'late', executeAfterMs: Math.round(horizonMs * 0.55), delayMs: neverInTimeMs },
      probability: 0.012,
      operations: posts,
    },
    // A process killed early leaves a POST that is executed after its death.
    {
      fault: { kind: 'late', executeAfterMs: 900, delayMs: shortestHoldMs },
      probability: 0.08,
      operations: posts,
    },
    { fault: { kind: 'drop_reply' }, probability: 0.06, operations: posts },
    { fault: { kind: 'delay', delayMs: 700 }, probability: 0.15, operations: posts },
    { fault: { kind: 'delay', delayMs: 2_000 }, probability: 0.1, operations: posts },
    { fault: { kind: 'status', status: 503 }, probability: 0.02, operations: posts },
    { fault: { kind: 'status', status: 500 }, probability: 0.015, operations: posts },
    { fault: { kind: 'status', status: 429, retryAfter: 1 }, probability: 0.02, operations: posts },
    { fault: { kind: 'poison' }, probability: 0.008, operations: keyedPosts },
    { fault: { kind: 'garbage', body: 'html' }, probability: 0.015, operations: posts },
    { fault: { kind: 'garbage', body: 'truncated' }, probability: 0.015, operations: posts },
    // A gateway answers in the place of the provider, which has carried the call out.
    ...(['html', 'gateway_json'] as const).flatMap((body) =>
      ([400, 403, 404, 429] as const).map((status) => ({
        fault: { kind: 'garbage', body, status } as const,
        probability: 0.004,
        operations: posts,
      })),
    ),
    ...oddAnswers(cutsOfPosts, 0.01, posts),
  ];
}

function faultsOfReads(reads: readonly string[], horizonMs: number): FaultShare[] {
  return [
    { fault: { kind: 'status', status: 503 }, probability: 0.05, operations: [...reads, 'token'] },
    { fault: { kind: 'drop_reply' }, probability: 0.04, operations: [...reads, 'token'] },
    { fault: { kind: 'garbage', body: 'html', status: 404 }, probability: 0.01, operations: reads },
    { fault: { kind: 'garbage', body: 'gateway_json', status: 404 }, probability: 0.01, operations: reads },
    { fault: { kind: 'delay', delayMs: 1_000 }, probability: 0.05, operations: reads },
    {
      fault: { kind: 'stale_read', lagMs: Math.round(horizonMs * 0.25) },
      probability: 0.15,
      operations: reads,
    },
    ...oddAnswers(cutsOfReads, 0.015, reads),
  ];
}

function oddAnswers(
  cuts: readonly (readonly string[])[],
  probability: number,
  operations: readonly string[],
): FaultShare[] {
  const kinds = [
    ...cuts.map((remove) => ({ kind: 'reshape', remove }) as const),
    ...states.map((field) => ({ kind: 'unknown_enum', field }) as const),
  ];
  return kinds.map((fault) => ({ fault, probability, operations }));
}

const faultsOfDeliveries: readonly FaultShare[] = [
  { fault: { kind: 'drop_delivery' }, probability: 0.25, operations: deliveries },
  { fault: { kind: 'delay_delivery', delayMs: 5_000 }, probability: 0.12, operations: deliveries },
  { fault: { kind: 'duplicate_delivery', copies: 2 }, probability: 0.12, operations: deliveries },
  { fault: { kind: 'reorder_deliveries', holdMs: 5_000 }, probability: 0.12, operations: deliveries },
  { fault: { kind: 'corrupt_delivery', part: 'body' }, probability: 0.04, operations: deliveries },
  { fault: { kind: 'corrupt_delivery', part: 'signature' }, probability: 0.04, operations: deliveries },
  { fault: { kind: 'corrupt_delivery', part: 'webhook_id' }, probability: 0.04, operations: deliveries },
];

/**
 * Switches every fault on, each with a seed of its own.
 *
 * @param tenants among whom are the applications that some concern alone.
 * @param spared the name of an application that none concerns which concerns all.
 */
export async function switchOnFaults(
  admin: SandboxControl,
  random: Random,
  shares: readonly FaultShare[],
  tenants: readonly Tenant[],
  spared?: string,
): Promise<void> {
  const others = tenants.filter(({ application }) => application.name !== spared);
  const everybody = spared === undefined ? [undefined] : others.map(({ clientId }) => clientId);
  for (const { fault, probability, operations, application } of shares) {
    const one = tenants.find((tenant) => tenant.application.name === application);
    for (const clientId of one ? [one.clientId] : everybody) {
      for (const operation of operations) {
        const seed = random.integer(1, 2 ** 31 - 1);
        await admin.switchOn({ ...fault, clientId, operation, probability, seed, times: withoutEnd });
      }
    }
  }
}

/** How often each kind of fault has struck so far. */
export async function countFaults(admin: SandboxControl): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind, struck } of await admin.faultCounts()) counts[kind] = (counts[kind] ?? 0) + struck;
  return counts;
}
