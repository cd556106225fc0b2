import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../failure.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { OrderService } from './order-service.js';
import { expectMovements, ofPayout } from './provider-books.js';

const payoutSchema = z.object({
  id: z.string(),
  state: z.string(),
  totals: z.record(z.string(), z.object({ count: z.number(), amount: z.object({ value: z.string() }) })),
});
type ShownPayout = z.infer<typeof payoutSchema>;

const answeredWithinMs = 240_000;

/** One batch to three receivers: one is paid, one is refused, one never claims it and it is taken back. */
export async function playPayout(context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const payoutId = await orderPayout(context, orderService, [
    item('anna', 'success', '7.50'),
    item('ben', 'failed', '3.00'),
    item('cleo', 'unclaimed', '2.00'),
  ]);
  await untilPayout(context, orderService, payoutId, isUnclaimed);
  await orderService.exchange('POST', `/v1/payouts/${payoutId}/items/cleo/cancel`, {});
  context.tell('sender', 'takes back what cleo has not claimed');
  const { id, state } = await untilPayout(context, orderService, payoutId, isCompleted);
  const paid = ['payout 750', 'payout 300', 'payout 200'];
  await expectMovements(context, ofPayout(id), [...paid, 'payout_return 300', 'payout_return 200']);
  return { id, state };
}

/** One batch to so many receivers; all of them are paid. */
export async function playPayoutOf(count: number, context: DemoContext): Promise<PlayedLifecycle> {
  const orderService = new OrderService(context);
  const items = Array.from({ length: count }, (_none, n) => item(`receiver-${n + 1}`, 'success', '1.00'));
  const payoutId = await orderPayout(context, orderService, items);
  const { id, state } = await untilPayout(context, orderService, payoutId, isCompleted);
  await expectMovements(
    context,
    ofPayout(id),
    items.map(() => 'payout 100'),
  );
  return { id, state };
}

type Item = ReturnType<typeof item>;

/** The sandbox decides by the tag what becomes of it. */
function item(itemId: string, tag: string, value: string) {
  const receiver = { type: 'EMAIL', value: `${itemId}+${tag}@example.com` };
  return { itemId, receiver, amount: { value, currency: 'USD' } };
}

async function orderPayout(
  { tell }: DemoContext,
  orderService: OrderService,
  items: readonly Item[],
): Promise<string> {
  const reference = `shares-${randomUUID().slice(0, 8)}`;
  const order = { reference, emailSubject: 'Your share', items };
  const { id, state } = payoutSchema.parse(await orderService.exchange('POST', '/v1/payouts', order));
  tell('sender', `POST /v1/payouts, ${items.length} items → ${state}`);
  return id;
}

/** Long-polls, and prints each change on the way. */
async function untilPayout(
  { tell }: DemoContext,
  orderService: OrderService,
  id: string,
  holds: (payout: ShownPayout) => boolean,
): Promise<ShownPayout> {
  const path = `/v1/payouts/${id}`;
  const deadline = Date.now() + answeredWithinMs;
  for (let reported = ''; Date.now() < deadline;) {
    const payout = payoutSchema.parse(
      await orderService.exchange('GET', `${path}${reported ? '?wait=2' : ''}`),
    );
    const now = inWords(payout);
    if (now !== reported) tell('engine', now);
    reported = now;
    if (holds(payout)) return payout;
  }
  throw new Failure(`The payout ${path} did not come to its end within ${answeredWithinMs / 1000} s.`);
}

/** Its items are in their rows before its state shows that they can be cancelled. */
function isUnclaimed({ state, totals }: ShownPayout): boolean {
  return state === 'settling' && totals['unclaimed']?.count === 1;
}

function isCompleted({ state }: ShownPayout): boolean {
  return state === 'completed';
}

function inWords({ state, totals }: ShownPayout): string {
  const items = Object.entries(totals).filter(([, { count }]) => count > 0);
  return [state, ...items.map(([status, { count, amount }]) => `${count} ${status} (${amount.value})`)].join(
    ', ',
  );
}
