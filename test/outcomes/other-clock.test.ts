import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, startEngine } from '../helpers/engine.js';
import { RewritingProxy } from '../helpers/rewriting-proxy.js';

const hour = 3_600_000;
const instants = /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

const moved = (text: string, byMs: number) =>
  text.replace(instants, (instant) => new Date(Date.parse(instant) + byMs).toISOString());

/** All that the provider tells, and all that it is asked for, by a clock that is ahead of ours. */
const providerWithClock = (aheadMs: number, { isDated }: { readonly isDated: boolean }) =>
  new RewritingProxy((text) => moved(text, aheadMs), {
    toProvider: (target) => target.replace(/%3A/gi, ':').replace(instants, (found) => moved(found, -aheadMs)),
    ...(isDated && { date: () => new Date(Date.now() + aheadMs).toUTCString() }),
  });

describe.each([
  ['ahead', 'the date of its answers', 5 * hour, { isDated: true }],
  ['behind', 'the date of its answers', -5 * hour, { isDated: true }],
  ['ahead', 'what it has created before', 5 * hour, { isDated: false }],
])('a provider whose clock is hours %s, as %s shows', (_, _shown, aheadMs, dated) => {
  const proxy = providerWithClock(aheadMs, dated);
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine({
      approval: 'immediate',
      patience: { outcomeHorizonMs: 1_500, firstLookMs: 200, firstRetryMs: 200 },
      through: (provider) => proxy.start(provider),
    });
  });
  afterAll(async () => {
    await engine.close();
    proxy.stop();
  });
  beforeEach(async () => {
    if (dated.isDated) return;
    const { body } = await engine.orders.order({ intent: 'sale' });
    await engine.orders.reaches(body.id, 'completed');
  });

  it('takes a sale once whose creation was not answered', async () => {
    const { clientId } = engine.sandbox;
    await engine.sandbox.fault({ clientId, operation: 'payment.create', kind: 'drop_reply', times: 1 });
    const { body } = await engine.orders.order({ intent: 'sale' });
    await engine.orders.reaches(body.id, 'completed');
    expect(await engine.sandbox.booksOf(body.id)).toEqual(['sale 10000']);
  });
});
