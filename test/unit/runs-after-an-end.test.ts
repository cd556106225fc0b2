import { expect, it } from 'vitest';
import { fromRows } from '#workflows/run/after-end.js';

const position = { state: { status: 'done' }, version: 7 };
const find = async () => position;
const continued = { ...position, version: 9, seen: ['m1'], waiting: [] };

it('a run that is started after the end of its subject begins where the rows stand', async () => {
  const input = { hasEnded: true, recordsTime: true } as const;
  expect(await fromRows(input, find)).toEqual({
    ...input,
    continued: { ...position, seen: [], waiting: [] },
  });
});

it.each([
  ['began with its subject', { recordsTime: true }],
  ['continues another one', { hasEnded: true, continued } as const],
])('a run that %s begins as it was told', async (_what, input) => {
  expect(await fromRows(input, find)).toBe(input);
});
