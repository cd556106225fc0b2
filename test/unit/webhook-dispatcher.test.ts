import { pino } from 'pino';
import { expect, it } from 'vitest';
import { WebhookDispatcher } from '#api/webhooks/webhook-dispatcher.js';
import { EventDispatch } from '#webhook-inbox';

it('keeps a bounded number of events in memory while none can be dispatched, and leaves the others to the sweep', async () => {
  const away = Promise.withResolvers<void>();
  const dispatched: number[] = [];
  const dispatch = Object.create(EventDispatch.prototype, {
    dispatch: {
      value: async (id: number) => {
        dispatched.push(id);
        await away.promise;
      },
    },
  }) as EventDispatch;
  const dispatcher = new WebhookDispatcher(dispatch, pino({ level: 'silent' }));
  for (let id = 1; id <= 100_000; id++) dispatcher.enqueue(id);
  away.resolve();
  await expect.poll(() => dispatched).toContain(10_000);
  await dispatcher.onApplicationShutdown();
  expect(dispatched.length).toBeLessThan(11_000);
});
