import { expect, it } from 'vitest';
import {
  consoleLink,
  describeDoubt,
  describeRun,
  describeStep,
  describeTimer,
  doingNow,
} from '#workflows/run/description.js';

const deadline = { at: Date.UTC(2026, 0, 2), event: { type: 'pollCameDue' } };
const reading = () => 'reading it';

it('tells what a run is doing, or else what it waits for', () => {
  const step = { type: 'makeRefund' };
  const doing = doingNow({ type: 'lookUp', step, horizonAt: 0 }, reading);
  expect(describeRun(['**pending**'], doing, deadline, [])).toBe('**pending**\n\nnow: lookUp makeRefund');
  expect(describeRun(['**pending**'], doingNow({ type: 'observe' }, reading), deadline, ['Late.'])).toBe(
    '**pending**\n\nnow: reading it\n\nLate.',
  );
  expect(describeRun(['**pending**'], doingNow(undefined, reading), deadline, [undefined])).toBe(
    '**pending**\n\nnext: pollCameDue at 2026-01-02T00:00:00.000Z',
  );
  expect(describeRun(['**voided**'], undefined, undefined, [])).toBe('**voided**');
});

const step = { type: 'captureAuthorization', minor: 70_00 };
const at = Date.UTC(2026, 0, 2);
const open = { number: 3, step, attempts: 1, looks: 3, since: at, horizonAt: at, nextAt: at, reviewAt: at };

const timer = (state: Parameters<typeof describeTimer>[0], deadline = 'stepCameDue') =>
  describeTimer(state, deadline, 'USD');

it('says what a timer is for while an outcome is unknown, and nothing in the usual course', () => {
  const doubt = { openStep: { ...open, phase: 'doubt' } } as const;
  expect(timer(doubt)).toBe('checking capture of 70.00, 4th time');
  expect(timer({ openStep: { ...doubt.openStep, looks: 0 } })).toBe('checking capture of 70.00, 1st time');
  expect(timer({ openStep: { ...doubt.openStep, looks: 11 } })).toContain('12th time');
  expect(timer({ openStep: { ...doubt.openStep, looks: 21 } })).toContain('22nd time');
  expect(timer(doubt, 'reviewCameDue')).toBe('asking a person about capture of 70.00');
  expect(timer({ openStep: { ...open, phase: 'retry' } })).toBe('repeating capture of 70.00, 2nd time');
  expect(timer({ openStep: { ...open, phase: 'running' } })).toBeUndefined();
  expect(timer({}, 'pollCameDue')).toBeUndefined();
  expect(timer(doubt, 'pollCameDue')).toBeUndefined();
});

it('says what an activity does while an outcome is unknown, and nothing in the usual course', () => {
  const doubt = { openStep: { ...open, phase: 'doubt' } } as const;
  const running = { openStep: { ...open, phase: 'running' } } as const;
  expect(describeStep(doubt, { type: 'lookUp' }, 'USD')).toBe('checking capture of 70.00, 4th time');
  expect(describeStep(running, { type: 'perform' }, 'USD')).toBe('repeating capture of 70.00, 2nd time');
  expect(describeStep(doubt, { type: 'verifyDecision' }, 'USD')).toBe(
    'holding a decision against the provider',
  );
  const first = { openStep: { ...running.openStep, attempts: 0 } };
  expect(describeStep(first, { type: 'perform' }, 'USD')).toBeUndefined();
  expect(describeStep(doubt, { type: 'observe' }, 'USD')).toBeUndefined();
  expect(describeStep({}, { type: 'observe' }, 'USD')).toBeUndefined();
});

it('says that an outcome is unknown, and where the console shows why', () => {
  expect(describeDoubt({ openStep: { ...open, phase: 'doubt' } }, 'USD')).toBe(
    '**in doubt**: capture of 70.00, since 2026-01-02T00:00:00.000Z, checked 3 times; a person is asked at 2026-01-02T00:00:00.000Z',
  );
  expect(describeDoubt({ openStep: { ...open, phase: 'retry' } }, 'USD')).toBeUndefined();
  expect(consoleLink('https://pay.example/v1/payments/pay_1/return')).toBe(
    '[In the console](https://pay.example/console/payments/pay_1)',
  );
  expect(consoleLink('https://pay.example/v1/plans/plan_1')).toBe(
    '[In the console](https://pay.example/console/plans/plan_1)',
  );
  expect(consoleLink('https://shop.example/thanks')).toBeUndefined();
});
