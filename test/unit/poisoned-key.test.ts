import { describe, expect, it } from 'vitest';
import { isPoisoned } from '#worker/steps/attempts/poisoned-key.js';

const failure = (debugId: string | null, status = 500) => ({
  status,
  code: 'INTERNAL_SERVER_ERROR',
  debugId,
});

describe('a key', () => {
  const undone = { outcome: 'undone' } as const;

  it.each([
    ['one answer is given twice', [failure('a'), failure('a')], [undone], true],
    ['each failure is a new one', [failure('a'), failure('b')], [undone], false],
    [
      'each failure is a new one, before and after a proof',
      [failure('a'), failure('b')],
      [undone, undone],
      false,
    ],
    ['it failed once', [failure('a')], [undone, undone], false],
    ['it failed alike before and after a proof', [failure(null), failure(null)], [undone, undone], true],
    ['it failed alike, and one proof is missing', [failure(null), failure(null)], [undone], false],
    ['it failed in different ways', [failure(null), failure(null, 503)], [undone, undone], false],
    [
      'it failed with one code and then another',
      [failure(null), { ...failure(null), code: 'VALIDATION_ERROR' }],
      [undone, undone],
      false,
    ],
    [
      'it failed alike at first, and then otherwise',
      [failure(null), failure(null), failure(null, 503)],
      [undone, undone],
      false,
    ],
    ['it failed once without an id', [failure(null)], [undone, undone], false],
    [
      'it failed alike, and one attempt was only put off',
      [failure(null), failure(null)],
      [undone, { outcome: 'deferred' }],
      false,
    ],
    ['nothing was answered', [], [undone, undone], false],
  ] satisfies [string, ReturnType<typeof failure>[], { outcome: 'undone' | 'deferred' }[], boolean][])(
    'is poisoned or not when %s',
    (_when, failures, attempts, expected) => {
      expect(isPoisoned(failures, attempts)).toBe(expected);
    },
  );
});
