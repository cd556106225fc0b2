import { expect, it } from 'vitest';
import { nameOfStep, type MoneyStep } from '#workflows/lifecycle/payment';

/** With the number of an attempt a name stands for one POST, in rows that are there for good: it never changes. */
it.each([
  [{ type: 'createPayment' }, 'create'],
  [{ type: 'executePayment', payerId: 'PAYER-1' }, 'execute-3'],
  [{ type: 'captureAuthorization', commandId: 'cmd_1', minor: 40_00, final: false }, 'cmd_1'],
  [{ type: 'voidAuthorization', commandId: 'cmd_2' }, 'cmd_2'],
  [{ type: 'reauthorizeAuthorization', commandId: 'cmd_3', minor: 40_00 }, 'cmd_3'],
] satisfies [MoneyStep, string][])('the step %o is named %s', (step, name) => {
  expect(nameOfStep({ number: 3, step })).toBe(name);
});
