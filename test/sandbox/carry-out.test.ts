import { pino } from 'pino';
import { expect, it } from 'vitest';
import { carryOut } from '../../apps/sandbox/src/clock/carry-out.js';
import type { SandboxContext } from '../../apps/sandbox/src/sandbox-context.js';

const context = {
  logger: pino({ level: 'silent' }),
  wakeDeliveries: () => undefined,
} as unknown as SandboxContext;

it('one that fails holds up no other that is due', async () => {
  const done: number[] = [];
  const act = async (one: number) => {
    if (one === 2) throw new Error('broken');
    done.push(one);
  };
  expect(await carryOut(context, [1, 2, 3], act)).toBe(true);
  expect(done).toEqual([1, 3]);
});

it('what fails alone is not looked for again at once', async () => {
  expect(await carryOut(context, [1], () => Promise.reject(new Error('broken')))).toBe(false);
});
