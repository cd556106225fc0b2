import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PacedRefusals } from '#api/server/paced-refusals.js';

describe('refusals of a key', () => {
  beforeEach(() => vi.useFakeTimers({ now: 0 }));
  afterEach(() => vi.useRealTimers());

  let refusals: PacedRefusals;
  let answered: string[];
  beforeEach(() => {
    refusals = new PacedRefusals(50);
    answered = [];
  });

  /** @returns the connection of the last one. */
  function refuse(keyId: string, count = 1, statusCode = 429): EventEmitter {
    const raw = new EventEmitter();
    refusals.pace(
      () => keyId,
      { raw, statusCode } as unknown as FastifyReply,
      () => answered.push(keyId),
    );
    return count > 1 ? refuse(keyId, count - 1, statusCode) : raw;
  }
  const answersOf = (keyId: string) => answered.filter((answer) => answer === keyId).length;

  it('beyond fifty in a second are answered a second later, and those of other keys at once', () => {
    refuse('flooding', 60);
    refuse('other');
    expect([answersOf('flooding'), answersOf('other')]).toEqual([50, 1]);
    vi.advanceTimersByTime(1_000);
    expect(answersOf('flooding')).toBe(60);
    refuse('flooding');
    expect(answersOf('flooding')).toBe(61);
  });

  it.each([200, 402, 409, 412, 503])(
    'do not include answers with status %i, which are never paced',
    (status) => {
      refuse('busy', 60, status);
      expect(answersOf('busy')).toBe(60);
    },
  );

  it('are not sent to a caller who has hung up', () => {
    refuse('flooding', 50);
    const caller = refuse('flooding');
    caller.emit('close');
    vi.advanceTimersByTime(1_000);
    expect(answersOf('flooding')).toBe(50);
  });

  it('wait in a bounded number, and beyond it are answered at once', () => {
    refuse('flooding', 50 + 2_000 + 7);
    expect(answersOf('flooding')).toBe(57);
  });
});
