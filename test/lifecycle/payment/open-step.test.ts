import { describe, expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import {
  type PaymentState,
  type PaymentStatus,
  type PaymentEvent,
  transition,
} from '#workflows/lifecycle/payment';
import { withReviewAt } from '#workflows/lifecycle/step';
import { after, authorization, capture, now, patience, payment, second } from './sample-payments.js';

const unknown: PaymentEvent = { type: 'outcomeUnknown', horizonAt: now + patience.outcomeHorizonMs };
const undone: PaymentEvent = { type: 'stepProvedUndone' };
const due: PaymentEvent = { type: 'stepCameDue' };
const nothingFound: PaymentEvent = { type: 'lookInconclusive' };

const steps: readonly PaymentStatus[] = ['creating', 'authorizing', 'capturing', 'voiding'];

describe.each(steps)('a step in doubt while %s', (status) => {
  const doubtful = after(payment(status), [unknown]);

  it('is looked up and never sent again until it is proved undone', () => {
    for (let at = now; at < now + 2 * patience.outcomeHorizonMs; at += second) {
      const result = transition(doubtful, due, at);
      expect(result).toMatchObject({
        kind: 'moved',
        effect: { type: 'lookUp', horizonAt: now + patience.outcomeHorizonMs },
      });
    }
  });

  it('is sent again under a new number once it is proved undone', () => {
    const repeated = after(doubtful, [undone]);
    expect(repeated.openStep).toMatchObject({
      number: doubtful.openStep?.number,
      attempts: 1,
      phase: 'running',
      step: doubtful.openStep?.step,
    });
    expect(transition(doubtful, undone, now)).toMatchObject({ effect: { type: 'perform' } });
  });

  it('is looked up at doubling intervals, with one lookup at the horizon, where absence becomes proof', () => {
    let state = doubtful;
    const looks: number[] = [];
    while ((looks.at(-1) ?? 0) < patience.outcomeHorizonMs) {
      const { at = 0 } = nextDeadline(state) ?? {};
      looks.push(at - now);
      state = after(state, [due, at], [nothingFound, at]);
    }
    expect(looks.map((ms) => ms / second)).toEqual([2, 6, 14, 30, 62, 120]);
  });

  it('goes to review after a stated time, and is still looked up then', () => {
    const late = now + patience.reviewAfterMs;
    const reviewed = after(doubtful, [nothingFound, late]);
    expect(reviewed.status).toBe('needs_review');
    expect(reviewed.reason).toMatch(/^It cannot be proved whether the .* happened\.$/);
    const look = nextDeadline(reviewed);
    expect(look?.event).toEqual(due);
    expect(transition(reviewed, due, look?.at ?? 0)).toMatchObject({ effect: { type: 'lookUp' } });
  });

  it('goes to review at the stated time, however far off the next lookup is', () => {
    const reviewAt = now + patience.reviewAfterMs;
    const dated = after(payment(status), [withReviewAt(unknown, patience, now)]);
    const looking = after(dated, [due, now + 2 * second], [nothingFound, now + 2 * second]);
    const late = { ...looking, openStep: { ...looking.openStep, nextAt: reviewAt + 1 } } as PaymentState;
    expect(nextDeadline(late)).toEqual({ at: reviewAt, event: { type: 'reviewCameDue' } });
    const reviewed = after(late, [{ type: 'reviewCameDue' }, reviewAt]);
    expect(reviewed.status).toBe('needs_review');
    expect(nextDeadline(reviewed)).toEqual({ at: reviewAt + 1, event: due });
    // Asked once: a doubt that comes up again under review is before the same person.
    const again = after(reviewed, [withReviewAt(unknown, patience, reviewAt), reviewAt]);
    expect(again.openStep?.reviewAt).toBeUndefined();
  });

  it('has no review time when it began before there was one, so that its history replays unchanged', () => {
    const { at = 0, event } = nextDeadline(doubtful) ?? {};
    expect(event).toEqual(due);
    expect(at).toBeLessThan(now + patience.reviewAfterMs);
    expect(doubtful.openStep?.reviewAt).toBeUndefined();
  });

  it('is looked up after a hint, and then at the time that was planned', () => {
    const hinted = transition(
      doubtful,
      { type: 'providerNotified', eventType: 'X', resourceId: 'CAP-9' },
      now,
    );
    if (status === 'capturing' || status === 'voiding') {
      expect(hinted).toMatchObject({ effect: { type: 'lookUp', hint: { resourceId: 'CAP-9' } } });
    }
    const looked = after(doubtful, [{ type: 'lookInconclusive', isHinted: true }, now + second]);
    expect(looked.openStep).toEqual(doubtful.openStep);
  });

  it('leaves review when the proof comes after all', () => {
    const reviewed = after(doubtful, [nothingFound, now + patience.reviewAfterMs]);
    const repeated = after(reviewed, [undone]);
    expect(repeated).toMatchObject({ status, openStep: { attempts: 1, phase: 'running' } });
    expect(repeated.reason).toBeUndefined();
  });
});

describe('what a lookup finds under review', () => {
  it.each([
    [
      'creating',
      { type: 'paymentCreated', providerPaymentId: 'PAY-1', approvalUrl: 'https://pay.example/' },
      'awaiting_approval',
    ],
    ['creating', { type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization }, 'authorized'],
    [
      'authorizing',
      { type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization },
      'authorized',
    ],
    ['capturing', { type: 'captureAnswered', capture: capture(60_00, { captureId: 'CAP-2' }) }, 'captured'],
    ['voiding', { type: 'voidConfirmed' }, 'voided'],
    [
      'voiding',
      { type: 'stepDeclined', reason: 'The authorization is expired at the provider.' },
      'authorized',
    ],
    ['authorizing', { type: 'stepDeclined', reason: 'The provider declined the payment.' }, 'declined'],
  ] satisfies [PaymentStatus, PaymentEvent, PaymentStatus][])(
    'of a payment that was %s resolves it: %o',
    (status, found, to) => {
      expect(after(reviewed(status), [found]).status).toBe(to);
    },
  );
});

/** Every answer that the worker can map a POST to ends the running phase: a step that ran for ever would hide a hold. */
describe.each(steps)('a POST that is answered while %s', (status) => {
  it.each([
    { type: 'stepDeclined', reason: 'no' },
    { type: 'approvalFoundMissing' },
    { type: 'stepDeferred', retryAt: now },
    unknown,
  ] satisfies PaymentEvent[])('with $type is no longer running', (answer) => {
    expect(after(payment(status), [answer]).openStep?.phase).not.toBe('running');
  });
});

const found = (state: 'voided' | 'expired', captures = [] as ReturnType<typeof capture>[]): PaymentEvent => ({
  type: 'authorizationGranted',
  providerPaymentId: 'PAY-1',
  authorization,
  ended: { state, captures },
});

describe.each(['creating', 'authorizing'] as const)(
  'a hold that had ended when its POST was looked up while %s',
  (status) => {
    it.each(['voided', 'expired'] as const)('ends %s, and no policy acts on it', (state) => {
      const doubtful = after(payment(status, { capturePolicy: { mode: 'automatic' } }), [unknown]);
      const ended = after(doubtful, [found(state)]);
      expect(ended).toMatchObject({ status: state, released: true, authorization });
      expect(ended.openStep).toBeUndefined();
      expect(after(reviewed(status), [found(state)]).status).toBe(state);
    });

    it('ends captured when a part was captured before', () => {
      const made = capture(40_00, { captureId: 'CAP-9' });
      const ended = after(after(payment(status), [unknown]), [found('voided', [made])]);
      expect(ended).toMatchObject({ status: 'captured', released: true, captures: [{ minor: 40_00 }] });
    });
  },
);

it('asks the payer again when the provider answers an execution with a payment that still waits for approval', () => {
  const asked = after(payment('authorizing'), [
    { type: 'paymentCreated', providerPaymentId: 'PAY-1', approvalUrl: 'https://pay.example/' },
  ]);
  expect(asked.status).toBe('awaiting_approval');
  expect(nextDeadline(asked)?.event.type).toBe('pollCameDue');
});

it('looks up a void in doubt at its own pace even when the window has passed, without a poll in between', () => {
  const lapsed = { ...payment('authorized'), lapsed: true };
  const doubtful = after(lapsed, [{ type: 'voidRequested', commandId: 'cmd_2' }], [unknown]);
  expect(nextDeadline({ ...doubtful, lastPollAt: 0 })?.event).toEqual(due);
});

it('holds what was authorized too late to be captured by policy, and does not show it as a refusal', () => {
  const creating = payment('creating', { capturePolicy: { mode: 'automatic' } });
  const past = { ...authorization, validUntil: now - 1 };
  expect(
    transition(
      creating,
      { type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization: past },
      now,
    ),
  ).toMatchObject({
    kind: 'moved',
    state: { status: 'authorized', orderedCaptureTried: true },
  });
});

function reviewed(status: PaymentStatus): PaymentState {
  return after(payment(status), [unknown], [nothingFound, now + patience.reviewAfterMs]);
}
