import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { WebhookDispatcher } from '#api/webhooks/webhook-dispatcher.js';
import { EventDispatch } from '#webhook-inbox';

afterEach(() => vi.useRealTimers());

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

/** Notes how each event was dispatched. */
function recording() {
  const dispatched: string[] = [];
  const note = (how: string) => ({ value: async (id: number) => void dispatched.push(`${how} ${id}`) });
  const dispatch = Object.create(EventDispatch.prototype, {
    dispatch: note('dispatch'),
    dispatchEcho: note('dispatchEcho'),
  }) as EventDispatch;
  return { dispatched, dispatcher: new WebhookDispatcher(dispatch, pino({ level: 'silent' })) };
}

it('leaves an event alone for its wait, and dispatches it then', async () => {
  vi.useFakeTimers();
  const { dispatched, dispatcher } = recording();
  dispatcher.enqueueLater(1, 1_000);
  dispatcher.enqueue(2);
  await vi.advanceTimersByTimeAsync(999);
  expect(dispatched).toEqual(['dispatch 2']);
  await vi.advanceTimersByTimeAsync(1);
  expect(dispatched).toEqual(['dispatch 2', 'dispatchEcho 1']);
});

it('leaves the waiting events to the sweep when it stops', async () => {
  vi.useFakeTimers();
  const { dispatched, dispatcher } = recording();
  dispatcher.enqueueLater(1, 1_000);
  await dispatcher.onApplicationShutdown();
  dispatcher.enqueueLater(2, 1_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(dispatched).toEqual([]);
});

it('keeps a bounded number of events that wait', () => {
  vi.useFakeTimers();
  const { dispatcher } = recording();
  for (let id = 1; id <= 20_000; id++) dispatcher.enqueueLater(id, 1_000);
  expect(vi.getTimerCount()).toBe(10_000);
});
