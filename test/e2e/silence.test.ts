import { beforeAll, describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

const engine = forAllTests(() => startEngine({ dayLengthMs: 500 }));
beforeAll(async () => {
  // Not a delivery arrives, and no search for past events is answered.
  await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
  await engine.sandbox.fault({ operation: 'event.list', kind: 'status', status: 503, times: null });
});

async function ordered(order: Record<string, unknown> = {}): Promise<{ id: string; providerId: string }> {
  const { id } = (await engine.orders.order(order)).body;
  const { state } = await engine.db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, providerId: state.providerPaymentId ?? '' };
}

describe('case 12: no webhook, no payer’s return, and no answer to a search', () => {
  it('ends every payment by its own polls, without a payer’s return', async () => {
    const [captured, held, silent] = await Promise.all([
      ordered({ capturePolicy: { mode: 'automatic' } }),
      ordered({ expiryPolicy: { action: 'expire' } }),
      ordered({ approvalTimeoutSeconds: 3 }),
    ]);
    await engine.sandbox.fault({
      operation: 'authorization.capture',
      kind: 'pending',
      settlesAs: 'completed',
      afterMs: 1_000,
    });
    await engine.sandbox.approve(captured.providerId);
    await engine.sandbox.approve(held.providerId);

    await engine.orders.reaches(silent.id, 'expired');
    await engine.orders.reaches(captured.id, 'captured');
    await engine.orders.reaches(held.id, 'expired');
    expect(await engine.sandbox.booksOf(captured.id)).toEqual(['hold 10000', 'capture 10000']);
    // The provider lets it go by a clock of its own.
    const books = await until(
      () => engine.sandbox.booksOf(held.id),
      ({ length }) => length > 1,
      'the hold to be let go',
    );
    expect(books).toEqual(['hold 10000', 'release 10000']);
    expect(await engine.sandbox.booksOf(silent.id)).toEqual([]);
    expect(await engine.db.selectFrom('webhook_events').select('id').execute()).toEqual([]);
  });
});
