import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../failure.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';

const payoutSchema = z.object({
  id: z.string(),
  state: z.string(),
  totals: z.record(z.string(), z.object({ count: z.number(), amount: z.object({ value: z.string() }) })),
});
type ShownPayout = z.infer<typeof payoutSchema>;

const answeredWithinMs = 60_000;

/** One batch to three receivers: one is paid, one is refused, one never claims it and it is taken back. */
export async function playPayout(context: DemoContext): Promise<PlayedLifecycle> {
  const call = caller(context);
  const created = payoutSchema.parse(
    await call('POST', '/v1/payouts', {
      reference: `shares-${randomUUID().slice(0, 8)}`,
      emailSubject: 'Your share',
      items: [
        item('anna', 'success', '7.50'),
        item('ben', 'failed', '3.00'),
        item('cleo', 'unclaimed', '2.00'),
      ],
    }),
  );
  context.tell('sender', `POST /v1/payouts, 3 items, 12.50 USD → ${created.state}`);
  const path = `/v1/payouts/${created.id}`;
  await until(context, call, path, ({ totals }) => totals['unclaimed']?.count === 1);
  await call('POST', `${path}/items/cleo/cancel`, {});
  context.tell('sender', 'takes back what cleo has not claimed');
  const { id, state } = await until(context, call, path, (payout) => payout.state === 'completed');
  return { id, state };
}

/** The sandbox decides by the tag what becomes of it. */
function item(itemId: string, tag: string, value: string) {
  const receiver = { type: 'EMAIL', value: `${itemId}+${tag}@example.com` };
  return { itemId, receiver, amount: { value, currency: 'USD' } };
}

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Long-polls, and tells of each change on the way. */
async function until(
  { tell }: DemoContext,
  call: Call,
  path: string,
  holds: (payout: ShownPayout) => boolean,
): Promise<ShownPayout> {
  const patience = Date.now() + answeredWithinMs;
  for (let told = ''; Date.now() < patience;) {
    const payout = payoutSchema.parse(await call('GET', `${path}${told ? '?wait=2' : ''}`));
    const now = inWords(payout);
    if (now !== told) tell('engine', now);
    told = now;
    if (holds(payout)) return payout;
  }
  throw new Failure(`The payout ${path} did not come to its end within ${answeredWithinMs / 1000} s.`);
}

function inWords({ state, totals }: ShownPayout): string {
  const items = Object.entries(totals).filter(([, { count }]) => count > 0);
  return [state, ...items.map(([status, { count, amount }]) => `${count} ${status} (${amount.value})`)].join(
    ', ',
  );
}

function caller({ api, apiKey, signal }: DemoContext): Call {
  return async (method, path, body) => {
    const response = await fetch(api + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(answeredWithinMs)]),
    });
    const answer = await response.text();
    if (!response.ok) throw new Failure(`${method} ${path} was answered ${response.status}: ${answer}`);
    return JSON.parse(answer);
  };
}
