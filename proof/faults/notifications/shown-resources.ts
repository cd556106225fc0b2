import { z } from 'zod';
import type { OrderService } from '../order-service.js';

const shown = { id: z.string(), state: z.string(), version: z.int() };
const payment = z.object({ ...shown, captures: z.array(z.object({ state: z.string() })) });
const refund = z.object({
  ...shown,
  kind: z.enum(['refund', 'reversal']),
  amount: z.object({ value: z.string() }).nullable(),
});
const resource = z.object(shown);
const collected = z.object({ id: z.string(), state: z.string() });
const item = z.object({ itemId: z.string(), state: z.string() });

/** All that the engine shows of an application in the end. */
export interface ShownResources {
  readonly payments: readonly z.infer<typeof payment>[];
  readonly refunds: readonly z.infer<typeof refund>[];
  readonly subscriptions: readonly (z.infer<typeof resource> & {
    readonly payments: readonly z.infer<typeof collected>[];
  })[];
  readonly payouts: readonly (z.infer<typeof resource> & {
    readonly items: readonly z.infer<typeof item>[];
  })[];
}

export async function readResources(
  orderService: OrderService,
  signal: AbortSignal,
): Promise<ShownResources> {
  const read = <Entry>(path: string, entry: z.ZodType<Entry>) => readAll(orderService, path, entry, signal);
  return {
    payments: await read('/v1/payments', payment),
    refunds: await read('/v1/refunds', refund),
    subscriptions: await each(await read('/v1/subscriptions', resource), async (one) => ({
      ...one,
      payments: await read(`/v1/subscriptions/${one.id}/payments`, collected),
    })),
    payouts: await each(await read('/v1/payouts', resource), async (one) => ({
      ...one,
      items: await read(`/v1/payouts/${one.id}/items`, item),
    })),
  };
}

/** A list, page by page. */
export async function readAll<Entry>(
  orderService: OrderService,
  path: string,
  entry: z.ZodType<Entry>,
  signal: AbortSignal,
): Promise<Entry[]> {
  const page = z.object({ data: z.array(entry), nextCursor: z.string().nullable().default(null) });
  const all: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { data, nextCursor } = await orderService.read(
      `${path}${path.includes('?') ? '&' : '?'}${query}`,
      page,
      signal,
    );
    all.push(...data);
    cursor = nextCursor;
  }
  return all;
}

/** One after the other: an API key may read a few lists at a time. */
async function each<From, To>(list: readonly From[], work: (one: From) => Promise<To>): Promise<To[]> {
  const done: To[] = [];
  for (const one of list) done.push(await work(one));
  return done;
}
