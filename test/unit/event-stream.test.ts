import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventStream } from '#api/events/event-stream.js';

describe('a listener that takes nothing', () => {
  const event = { written_by: '1', sequence: 1, type: 'payment.captured' };
  const owner = { environment: 'sandbox', application: 'shop' };
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  test('is cut off after a minute, and its place is free', async () => {
    const ended = Promise.withResolvers<void>();
    const stream = new EventStream({ owner }, ended.resolve);
    stream.send({ ...event, payload: 'x'.repeat(2_000_000) } as never);
    expect(stream.isBehind).toBe(true);
    const taken = stream.taken();
    vi.advanceTimersByTime(60_000);
    await Promise.all([taken, ended.promise]);
    expect(stream.hasEnded).toBe(true);
  });

  test('for a while gets the rest when it goes on', async () => {
    const stream = new EventStream({ owner }, () => undefined);
    stream.send({ ...event, payload: 'x'.repeat(2_000_000) } as never);
    const taken = stream.taken();
    stream.readable.resume();
    await taken;
    expect(stream.hasEnded).toBe(false);
    expect(stream.isBehind).toBe(false);
  });
});
