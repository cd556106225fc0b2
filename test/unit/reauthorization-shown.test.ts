import { describe, expect, it } from 'vitest';
import type { AttemptOutcome } from '#database/schema';
import { reauthorizationShown } from '#worker/payments/look-up-money-step.js';
import { remembered } from '#worker/steps/attempts/first-sent-step.js';
import {
  after,
  authorization,
  facts,
  reauthorizeStep,
  capture,
  dayOfHold,
} from '../lifecycle/payment/sample-payments.js';
import { asked, held } from '../lifecycle/payment/sample-reauthorizations.js';

const running = after(held(), [asked, dayOfHold(4)]);
const shown = { ...authorization, state: 'authorized', changedAt: dayOfHold(4) };

const attempt = (outcome: AttemptOutcome | null, seenUpdatedAt?: number) => ({
  outcome,
  step: { ...reauthorizeStep, ...(seenUpdatedAt !== undefined && { seenUpdatedAt }) },
});

const look = (
  attempts: Parameters<typeof reauthorizationShown>[2]['attempts'],
  change: Partial<typeof shown> = {},
  capturesChangedAt?: number,
) =>
  reauthorizationShown(
    running,
    facts({ authorization: { ...shown, ...change } }),
    { attempts, isPastHorizon: true },
    capturesChangedAt,
  );

it('a hold that has changed since the first attempt was reauthorized by it', () => {
  const attempts = [attempt('deferred'), attempt('unknown', dayOfHold(0)), attempt('unknown', dayOfHold(4))];
  expect(look(attempts)).toMatchObject({ type: 'authorizationRenewed' });
  expect(look([attempt('unknown', dayOfHold(4))])).toBe('absent');
});

it('is not called absent for an attempt whose row was lost, whatever a later attempt has seen', () => {
  expect(look([attempt(null), attempt('unknown', dayOfHold(4))])).toBe('unreadable');
  expect(look([attempt(null)], { validUntil: authorization.validUntil + 1 })).toMatchObject({
    type: 'authorizationRenewed',
  });
});

it('is absent for attempts that are not sent because the hold could not be read, even if their worker has died', () => {
  const unsent = { outcome: null, step: { ...reauthorizeStep, ...remembered('unreadable') } };
  expect(look([unsent])).toBe('absent');
  expect(look([unsent, attempt('unknown', dayOfHold(4))])).toBe('absent');
});

it('is not shown by a change of the hold if a capture has changed since, and is not called absent either', () => {
  const attempts = [attempt('unknown', dayOfHold(0))];
  expect(look(attempts, {}, dayOfHold(1))).toBe('unreadable');
  expect(look(attempts, {}, dayOfHold(0))).toMatchObject({ type: 'authorizationRenewed' });
});

it('is absent if the hold has not changed, whatever has changed a capture since', () => {
  const attempts = [attempt('unknown', dayOfHold(4))];
  expect(look(attempts, {}, dayOfHold(5))).toBe('absent');
  expect(look(attempts, { changedAt: dayOfHold(5) }, dayOfHold(5))).toBe('unreadable');
});

describe('with a part that somebody else captured before, and that the run has not read', () => {
  const { commandId: _none, ...elsewhere } = capture(10_00, { captureId: 'CAP-9' });
  const withPart = (change: Partial<typeof shown>, capturesChangedAt: number) =>
    reauthorizationShown(
      running,
      facts({ authorization: { ...shown, ...change }, captures: [elsewhere] }),
      { attempts: [attempt('unknown', dayOfHold(3))], isPastHorizon: true },
      capturesChangedAt,
    );

  it('is shown by a later change of the hold, which the part does not explain', () => {
    expect(withPart({}, dayOfHold(3))).toMatchObject({ type: 'authorizationRenewed' });
  });

  it('is not called absent if the part may be that change', () => {
    expect(withPart({}, dayOfHold(4))).toBe('unreadable');
    expect(withPart({}, Infinity)).toBe('unreadable');
  });

  it('is absent if the hold has not changed', () => {
    expect(withPart({ changedAt: dayOfHold(3) }, dayOfHold(3))).toBe('absent');
  });
});

it('is not called absent if the hold has changed to a state that nobody knows', () => {
  expect(look([attempt('unknown', dayOfHold(0))], { state: 'of_next_year' })).toBe('unreadable');
});
