import { expect, it } from 'vitest';
import { describeRun, doingNow } from '#workflows/run/description.js';

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
