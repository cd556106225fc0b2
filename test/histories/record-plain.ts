import { expect, it } from 'vitest';
import { storePlainTwin, storedNames } from './stored-histories.js';

/** The others store a plain twin with each run; this one, of histories that were put here otherwise. */
it('keeps an unencrypted twin of every stored run', async () => {
  const plain = new Set(storedNames('plain'));
  for (const name of storedNames()) if (!plain.has(name)) await storePlainTwin(name);
  expect(storedNames('plain')).toEqual(storedNames());
});
