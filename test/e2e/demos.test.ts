import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { DemoContext } from '#tools/demo/demo-context.js';
import { type Demonstrated, demonstrate, lifecycles } from '#tools/demo/demonstrate.js';
import { expectMovements, ofPayment } from '#tools/demo/provider-books.js';
import { playShop } from '#tools/demo/shop.js';
import { dayLengthFor } from '../helpers/day-length.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';

/** The state in which each demo claims to end; the demo itself holds it against the provider's books. */
const ends: Readonly<Record<string, string>> = {
  authorize: 'captured',
  payout: 'completed',
  'partial-capture': 'captured',
  expiry: 'captured',
  refund: 'completed',
  subscription: 'expired',
  sale: 'completed',
};

let settings: unknown;
/** Other tests share the machine: what is due on a day must be done in it. */
const usualDayMs = 3_500;
let dayLengthMs = usualDayMs;
const engine = forAllTests(startEngine);
beforeAll(async () => {
  await engine.sandbox.configure({ payoutUnknownReceivers: 'unclaimed' });
  dayLengthMs = await dayLengthFor(usualDayMs, () => play('authorize'));
  settings = await settingsNow();
});
afterAll(async () => {
  // Some demos need settings of their own.
  expect(await settingsNow()).toEqual(settings);
  expect(await engine.sandbox.booksAreSound()).toBe(true);
});

async function settingsNow(): Promise<unknown> {
  const { url, clientId } = engine.sandbox;
  return await (await fetch(`${url}/admin/applications/${clientId}`)).json();
}

async function endpointsNow(): Promise<readonly unknown[]> {
  type Registered = { readonly data: readonly unknown[] };
  return (await engine.orders.read<Registered>('/v1/notification-endpoints')).data;
}

function contextTelling(reported: string[]): DemoContext {
  const { apiUrl: api, apiKey, sandbox } = engine;
  const tell = (actor: string, what: string): void => void reported.push(`${actor}: ${what}`);
  return { api, apiKey, sandbox, tell, dayLengthMs, signal: AbortSignal.timeout(500_000) };
}

async function play(name: string): Promise<{ shown: Demonstrated; reported: readonly string[] }> {
  const reported: string[] = [];
  const playOne = lifecycles[name];
  if (!playOne) throw new Error(`no demo ${name}`);
  return { shown: await demonstrate(playOne, contextTelling(reported), inject('temporalAddress')), reported };
}

describe.concurrent('npm run demo', () => {
  it.for(Object.keys(lifecycles))(
    '%s ends as it claims, and prints how long it took',
    async (name, context) => {
      const { shown, reported } = await play(name);
      context
        .expect(Object.keys(shown))
        .toEqual(['state', 'historyEvents', 'historyBytes', 'activities', 'ms']);
      context.expect(shown.state).toBe(ends[name]);
      context.expect(Math.min(shown.historyEvents, shown.historyBytes, shown.activities)).toBeGreaterThan(0);
      context.expect(reported.some((line) => line.startsWith('provider: has booked '))).toBe(true);
    },
  );

  it('shop: the example ships when it is notified, and refunds what comes back', async (context) => {
    const reported: string[] = [];
    const shown = await demonstrate(playShop, contextTelling(reported), inject('temporalAddress'));
    context.expect(shown.state).toBe('refunded');
    const said = reported
      .filter((line) => line.startsWith('shop: '))
      .map((line) => line.replace(/^shop: (\w+)-\w+/, '$1'));
    context
      .expect(said.filter((line) => !line.includes(' pays at ')).toSorted())
      .toEqual([
        'coffee: 24.00 USD are held; it is shipped, and captured',
        'coffee: shipped',
        'grinder: 89.00 USD are held; it is shipped, and captured',
        'grinder: refunded',
        'grinder: the customer sends it back; it is refunded',
      ]);
    context.expect(await endpointsNow()).toEqual([]);
  });

  it('fails when the provider’s books differ', async (context) => {
    const { body } = await engine.orders.order();
    const claim = expectMovements(contextTelling([]), ofPayment(body.id), ['hold 10000', 'capture 10000']);
    await context.expect(claim).rejects.toThrow('books say nothing, and not capture 10000, hold 10000');
  });
});
