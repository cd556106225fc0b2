import { readFileSync } from 'node:fs';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type MoneyStep, paymentStatuses } from '#workflows/lifecycle/payment';
import { type PayoutStep, payoutStatuses } from '#workflows/lifecycle/payout';
import { type PlanStep, planStatuses } from '#workflows/lifecycle/plan';
import { type RefundStep, refundStatuses } from '#workflows/lifecycle/refund';
import { type SubscriptionStep, subscriptionStatuses } from '#workflows/lifecycle/subscription';
import { plainTwin } from '../histories/plain-twin.js';
import { patchesIn, unguarded } from '../histories/patches.js';
import {
  type HistoryName,
  forms,
  isAtRest,
  lifecycles,
  storedHistory,
  storedNames,
} from '../histories/stored-histories.js';
import { type Replayed, replay, replayAll } from './replayed-histories.js';

const names = storedNames();
const bundle = readFileSync(inject('workflowBundle'), 'utf8');

/** Each step can be in doubt, and put off; the types see to it that none is forgotten here. */
const stepsOf = {
  payment: namesOf<MoneyStep['type']>({
    createPayment: true,
    executePayment: true,
    captureAuthorization: true,
    voidAuthorization: true,
    reauthorizeAuthorization: true,
  }),
  refund: namesOf<RefundStep['type']>({ makeRefund: true }),
  payout: namesOf<PayoutStep['type']>({ createPayout: true, cancelPayoutItem: true }),
  plan: namesOf<PlanStep['type']>({ createPlan: true, activatePlan: true, deactivatePlan: true }),
  subscription: namesOf<SubscriptionStep['type']>({
    createAgreement: true,
    executeAgreement: true,
    suspendAgreement: true,
    reactivateAgreement: true,
    cancelAgreement: true,
    billBalance: true,
    setBalance: true,
  }),
};

const statusesOf = {
  payment: paymentStatuses,
  refund: refundStatuses,
  payout: payoutStatuses,
  plan: planStatuses,
  subscription: subscriptionStatuses,
};

function namesOf<Name extends string>(each: Readonly<Record<Name, true>>): readonly string[] {
  return Object.keys(each);
}

describe('case 21: today’s workflow code', () => {
  const replayed = new Map<string, Replayed>();
  beforeAll(async () => {
    for (const form of forms) replayed.set(form, await replayAll(bundle, form, names));
  });

  describe.each(forms)('continues without non-determinism, %s', (form) => {
    it.each(names)('the stored run "%s"', (name) => {
      expect(replayed.get(form)?.errors.get(name)).toBeUndefined();
    });
  });

  it.each(lifecycles)(
    'is checked against a %s in every status, and in each step’s doubt and delay',
    (lifecycle) => {
      const standings = [...(replayed.get('plain')?.standings ?? [])].flatMap(([name, standing]) =>
        name.startsWith(`${lifecycle}/`) ? [standing] : [],
      );
      const statuses = new Set(standings.map(({ status }) => status));
      expect(statusesOf[lifecycle].filter((status) => !statuses.has(status))).toEqual([]);
      const steps = new Set(standings.map(({ step }) => step));
      const phases = stepsOf[lifecycle].flatMap((step) => [`${step} doubt`, `${step} retry`]);
      expect(phases.filter((phase) => !steps.has(phase))).toEqual([]);
    },
  );

  it('is in the same status, encrypted or plain', () => {
    expect(replayed.get('plain')?.standings).toEqual(replayed.get('encrypted')?.standings);
  });

  it.each(lifecycles)('is checked against a %s that has continued as new', (lifecycle) => {
    const begunAnew = names.filter((name) => name.startsWith(`${lifecycle}/`) && isContinued(name));
    expect(begunAnew).not.toEqual([]);
  });
});

function isContinued(name: HistoryName): boolean {
  const start = storedHistory(name).events[0]?.workflowExecutionStartedEventAttributes;
  return Boolean(start?.continuedExecutionRunId);
}

describe('a stored run', () => {
  it('has a plain copy, and no copy is without its run', () => {
    expect(storedNames('plain')).toEqual(names);
  });

  it.each(names)(
    '"%s" is not cut off within a workflow task, and its encrypted and plain copies agree',
    async (name) => {
      const encrypted = storedHistory(name);
      expect(isAtRest(encrypted)).toBe(true);
      expect(storedHistory(name, 'plain')).toEqual(await plainTwin(encrypted));
    },
  );
});

describe('detects a change that breaks open runs:', () => {
  const changes = [
    [
      'another activity is called',
      'payment/authorized',
      'activities.createPayment',
      'activities.openPayment',
    ],
    ['a refund is read otherwise', 'refund/pending', 'observeRefund', 'readRefund'],
    ['a payout is read otherwise', 'payout/settling', 'observePayout', 'readPayout'],
    ['a plan is read otherwise', 'plan/inactive', 'observePlan', 'readPlan'],
    [
      'a subscription is executed otherwise',
      'subscription/active',
      'activities.executeAgreement',
      'activities.beginAgreement',
    ],
    [
      'a run waits where it went on',
      'payment/authorized',
      'if (!this.continued)',
      'await (0,_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.condition)(() => false, 5);if (!this.continued)',
    ],
  ] as const;

  it.each(changes)('%s', async (_what, name, today, changed) => {
    const code = bundle.replaceAll(today, changed);
    expect(code).not.toBe(bundle);
    for (const form of forms) {
      await expect(replay(code, name, form)).rejects.toThrow(DeterminismViolationError);
    }
  });
});

it('a run that records its time does not continue with the time of its task', async () => {
  const code = bundle.replaceAll('input.recordsTime === true', 'false');
  expect(code).not.toBe(bundle);
  await expect(replay(code, 'payment/kept-alive')).rejects.toThrow();
});

describe.each(patchesIn(bundle))('the patch "$id" of $lifecycle', (patch) => {
  const name = (side: string) => `${patch.lifecycle}/${side}-${patch.slug}` as HistoryName;

  it('has a stored run from before it, and one from after it', () => {
    expect(names).toEqual(expect.arrayContaining([name('before'), name('after')]));
  });

  it('keeps open runs as they began: without its guard, those from before it would not continue', async () => {
    // Whichever way it shows: as a violation, or as a call that the history does not hold.
    await expect(replay(bundle, name('before'))).resolves.toBeUndefined();
    await expect(replay(unguarded(bundle, patch, true), name('before'))).rejects.toThrow();
  });

  it.each([true, false])('is followed by later runs: always %s, they would not continue', async (answer) => {
    await expect(replay(unguarded(bundle, patch, answer), name('after'))).rejects.toThrow(
      DeterminismViolationError,
    );
  });
});
