import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

// The abusive caller, in its own process, so that its own CPU time is not measured. It repeats one request on many
// connections until its connection to the parent ends, and reports the statuses of the answers.
const [kind = '', origin = '', path = '', connections = '1'] = process.argv.slice(2);
// Not an argument: everybody on the machine can read those.
const apiKey = process.env['API_KEY'] ?? '';
const agent = new Agent({
  connections: Number(connections),
  pipelining: 1,
  bodyTimeout: 0,
  headersTimeout: 0,
});
const authorization = `Bearer ${credentialOf(kind)}`;
const headers = { authorization, 'content-type': 'application/json' };
const body = bodyOf(kind);
const answers: Record<string, number> = {};

process.once('message', () => process.send?.(answers, () => process.exit()));
process.once('disconnect', () => process.exit());
process.send?.('ready');
for (let lane = 0; lane < Number(connections); lane += 1) void keepAsking(lane);

function credentialOf(abuse: string): string {
  if (abuse === 'strangers') return 'nobody';
  // Nobody's token, of the form of a codec session's.
  return abuse === 'decodes' ? 'x'.repeat(43) : apiKey;
}

function bodyOf(abuse: string): Buffer | undefined {
  switch (abuse) {
    case 'payouts':
      // 8 MiB, 2.8 million items.
      return Buffer.from(`{"items":[${'{},'.repeat(2_790_000)}{}]}`);
    case 'fullPayouts':
      return Buffer.from(
        JSON.stringify({ items: Array.from({ length: 10_000 }, (_, index) => item(index)) }),
      );
    case 'strangers':
      // What an order may have at most, and nobody's key.
      return Buffer.alloc(65_536, 'x');
    case 'orders':
      return Buffer.from(
        JSON.stringify({
          orderId: 'order-1',
          amount: { value: '10.00', currency: 'USD' },
          returnUrl: 'https://shop.example/thanks',
          cancelUrl: 'https://shop.example/cart',
        }),
      );
    case 'conflicts':
      return Buffer.from('{}');
    case 'strangeDeliveries':
    case 'decodes':
      return Buffer.alloc(262_144, 'x');
    default:
      return undefined;
  }
}

/** So long that 10,000 are all that a payout may have. */
function item(index: number): object {
  return {
    itemId: `item-${index}`,
    receiver: { type: 'EMAIL', value: `receiver-${index}@example.com` },
    amount: { value: '1.00', currency: 'USD' },
    note: 'Thank you. '.repeat(62),
  };
}

async function keepAsking(lane: number): Promise<void> {
  for (let nth = 0; ; nth += 1) {
    const outcome = await ask(`${lane}-${nth}`);
    answers[outcome] = (answers[outcome] ?? 0) + 1;
    // A refused caller retries at once, but not in the same millisecond.
    await sleep(20);
  }
}

/** The answer's status, or that there was none: a body that is not read to its end may cost its connection. */
async function ask(key: string): Promise<string> {
  try {
    const answer = await request(`${origin}${path}`, {
      dispatcher: agent,
      method: body ? 'POST' : 'GET',
      headers: body ? { ...headers, 'idempotency-key': key } : headers,
      ...(body && { body }),
    });
    await answer.body.dump();
    return String(answer.statusCode);
  } catch {
    return 'hung up';
  }
}
