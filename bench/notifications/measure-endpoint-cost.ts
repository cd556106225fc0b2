import { carryThrough } from '../harness/lifecycle.js';
import { until } from '../harness/until.js';
import { mapConcurrently } from '../harness/map-concurrently.js';
import { isAllDelivered } from './endpoint.js';
import type { NotificationStack } from './notification-stack.js';
import type { NotificationPlan } from './plan.js';

/** Whole lifecycles a second, one figure per round. */
export interface EndpointCost {
  /** Their notifications sent included: the clock stops when none is left. */
  readonly withEndpoint: number[];
  readonly withoutEndpoint: number[];
}

type Side = keyof EndpointCost;

/** In turns. Without an endpoint the engine writes no notifications. */
export async function measureEndpointCost(
  bench: NotificationStack,
  plan: NotificationPlan,
  signal: AbortSignal,
): Promise<EndpointCost> {
  const figures: EndpointCost = { withEndpoint: [], withoutEndpoint: [] };
  const sides: readonly Side[] = ['withEndpoint', 'withoutEndpoint'];
  for (const side of sides) await play(bench, side, plan);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      signal.throwIfAborted();
      figures[side].push(await play(bench, side, plan));
    }
  }
  return figures;
}

async function play(
  bench: NotificationStack,
  side: Side,
  { lifecycles, inFlight }: NotificationPlan,
): Promise<number> {
  const endpoint = side === 'withEndpoint' ? await bench.register() : undefined;
  const startedAt = performance.now();
  await mapConcurrently(Array.from({ length: lifecycles }), inFlight, async () => {
    await carryThrough(bench.engine, bench.payer);
  });
  if (endpoint) await until(() => isAllDelivered(bench.db, endpoint));
  const perSecond = lifecycles / ((performance.now() - startedAt) / 1_000);
  await endpoint?.remove();
  return perSecond;
}
