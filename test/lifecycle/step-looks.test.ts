import { describe, expect, it } from 'vitest';
import type { PaymentEvent } from '#workflows/lifecycle/payment';
import { lookBeforeRefusalOf } from '#workflows/lifecycle/step/look-before-refusal.js';
import { after, now, patience, payment } from './payment/sample-payments.js';

const horizonAt = now + patience.outcomeHorizonMs;
const nothingFound: PaymentEvent = { type: 'lookInconclusive' };
const doubtful = after(payment('capturing'), [{ type: 'outcomeUnknown', horizonAt }]);

describe('a lookup that shows nothing', () => {
  it.each([0, 1, patience.outcomeHorizonMs])(
    'is not repeated at once %i ms after the horizon: no deadline is in the past',
    (late) => {
      const looked = after(doubtful, [nothingFound, horizonAt + late]);
      expect(looked.openStep?.nextAt).toBeGreaterThanOrEqual(horizonAt + late + patience.firstLookMs);
    },
  );

  it('keeps the reason of what is under review', () => {
    const reviewed = { ...doubtful, status: 'needs_review', reason: 'an operator asked' } as const;
    expect(after(reviewed, [nothingFound, now + 2 * patience.reviewAfterMs]).reason).toBe(
      'an operator asked',
    );
  });
});

it('a request that is accepted during a creation is not delayed by a lookup', () => {
  const look = lookBeforeRefusalOf({
    transition: (state) => ({ kind: 'moved', state }),
    isTerminal: () => false,
    requests: new Set(['cancelRequested']),
    read: () => ({ type: 'observe' }),
  });
  expect(look({ status: 'creating', stepsBegun: 1 }, { type: 'cancelRequested' }, now)).toBeUndefined();
});
