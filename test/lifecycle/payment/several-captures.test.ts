import { expect, it } from 'vitest';
import type { PaymentEvent } from '#workflows/lifecycle/payment';
import { after, authorization, capture, facts, payment } from './sample-payments.js';

it('30.00 after 40.00 end the payment when they were captured as the final part', () => {
  const request: PaymentEvent = { type: 'captureRequested', commandId: 'cmd_1', minor: 30_00, final: true };
  const answered: PaymentEvent = {
    type: 'captureAnswered',
    capture: capture(30_00, { captureId: 'CAP-2', final: true }),
  };
  expect(after(payment('partially_captured'), [request], [answered])).toMatchObject({
    status: 'captured',
    released: true,
  });
});

it('a pending capture is polled no faster when a read shows another one beside it', () => {
  const pending = capture(40_00, { status: 'pending' });
  const another = capture(10_00, { captureId: 'CAP-2', status: 'pending' });
  const waiting = { ...payment('authorized'), status: 'capturing', captures: [pending], polls: 5 } as const;
  const shown = facts({
    authorization: { ...authorization, state: 'authorized' },
    captures: [pending, another],
  });
  expect(after(waiting, [{ type: 'providerObserved', facts: shown }])).toMatchObject({
    status: 'capturing',
    polls: 5,
    captures: [{ captureId: 'CAP-1' }, { captureId: 'CAP-2' }],
  });
});
