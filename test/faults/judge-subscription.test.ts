import { describe, expect, it } from 'vitest';
import type { Agreement } from '#proof/faults/provider-account.js';
import { judgeSubscription } from '#proof/faults/subscription/judge.js';
import type { SubscriptionPlan } from '#proof/faults/subscription/plan.js';
import type { SubscribedPayer } from '#proof/faults/subscription/subscription-view.js';
import { command, movement, usd } from './commands-and-movements.js';

const plan: SubscriptionPlan = {
  orderId: 'order-1',
  terms: {
    name: 'Magazine',
    currency: 'USD',
    exponent: 2,
    feeMinor: 500,
    cycleMinor: 1_099,
    feeFailure: 'continue',
  },
  application: 'subscriptions',
  ending: 'run to its end',
  hasReturningPayer: true,
  thinkMs: 0,
  repeatsWhatIsDone: false,
};

const agreement: Agreement = {
  id: 'I-1',
  state: 'Expired',
  name: 'order-1',
  agreement_details: { cycles_completed: 1, outstanding_balance: { value: '0.00' } },
};

const subscription: SubscribedPayer['subscription'] = {
  id: 'sub_1',
  state: 'expired',
  version: 9,
  approvalUrl: null,
  approvalBy: null,
  cyclesCompleted: 1,
  outstanding: usd('0.00'),
  reason: null,
};
const payment = (id: string, value: string, state = 'completed') => ({ id, state, amount: usd(value) });
const final: SubscribedPayer = {
  subscription,
  payments: { payments: [payment('S1', '5.00'), payment('S2', '10.99')], collected: usd('15.99') },
  agreements: [agreement],
  plans: 1,
};
const collected = [
  movement('sale', 500, { agreementId: 'I-1', saleId: 'S1' }),
  movement('sale', 1_099, { agreementId: 'I-1', saleId: 'S2' }),
];

const judged = (more: Partial<SubscribedPayer> = {}, movements = collected, of = plan) => {
  const commands = [
    command('plan', { answer: { id: 'plan_1' } }),
    command('create', { answer: { id: 'sub_1' } }),
  ];
  return judgeSubscription(of, { commands, repeats: [], final: { ...final, ...more } }, movements);
};
const kinds = (...of: Parameters<typeof judged>) => judged(...of).discrepancies.map(({ kind }) => kind);

describe('the judge of a subscription', () => {
  it('accepts one agreement whose every payment is shown', () => {
    expect(judged()).toEqual({ discrepancies: [], requests: 2 });
  });

  it('calls two agreements for one order, and two plans of one content, doubled', () => {
    expect(kinds({ agreements: [agreement, { ...agreement, id: 'I-2' }] })).toEqual(['doubled']);
    expect(kinds({ plans: 2 })).toEqual(['doubled']);
  });

  it('calls a renewal that the engine does not show lost', () => {
    const missed = { payments: { payments: [payment('S1', '5.00')], collected: usd('5.00') } };
    expect(kinds(missed)).toEqual(['lost', 'lost']);
  });

  it('calls a payment that the books do not show lost', () => {
    expect(kinds({}, collected.slice(0, 1))).toEqual(['lost', 'lost']);
  });

  it('calls another state, or other cycles, than the provider’s lost', () => {
    expect(kinds({ agreements: [{ ...agreement, state: 'Active' }] })).toEqual(['lost']);
    expect(kinds({ subscription: { ...subscription, cyclesCompleted: 2 } })).toEqual(['lost']);
  });

  it('calls a cancellation that the provider does not show lost', () => {
    const cancelled = { ...plan, ending: 'cancel' as const };
    const reported = { subscription: { ...subscription, state: 'cancelled' } };
    expect(
      kinds({ ...reported, agreements: [{ ...agreement, state: 'Active' }] }, collected, cancelled),
    ).toEqual(['lost']);
  });

  it('calls a subscription lost when it is shown as active and has no agreement', () => {
    expect(kinds({ agreements: [], payments: { payments: [], collected: usd('0.00') } }, [])).toEqual([
      'lost',
    ]);
  });

  describe('the judge of an agreement that the provider may refuse', () => {
    const refusing = { ...plan, application: 'subscriptions-refused' };
    const nothing = { payments: { payments: [], collected: usd('0.00') } };
    const unstarted = { cycles_completed: 0, outstanding_balance: { value: '0.00' } };
    const cancelled = { ...agreement, state: 'Cancelled', agreement_details: unstarted };
    const reported = { subscription: { ...subscription, state: 'cancelled', cyclesCompleted: 0 } };

    it('accepts one that is refused before it was active', () => {
      expect(kinds({ ...reported, ...nothing, agreements: [cancelled] }, [], refusing)).toEqual([]);
    });

    it('calls it stuck when the provider refuses none', () => {
      expect(kinds({ ...reported, ...nothing, agreements: [cancelled] }, [])).toEqual(['stuck']);
    });

    it('calls it lost when a payment was made, or when the agreement is still active', () => {
      expect(kinds({ ...reported, ...nothing, agreements: [cancelled] }, collected, refusing)).toContain(
        'lost',
      );
      const running = { ...cancelled, state: 'Active' };
      expect(kinds({ ...reported, ...nothing, agreements: [running] }, [], refusing)).toContain('lost');
    });
  });

  it.each(['suspend', 'cancel'] as const)(
    'accepts one whose cycles were billed before the order service’s %s, which was refused',
    (ending) => {
      const commands = [command('plan'), command('create', { answer: { id: 'sub_1' } })];
      const ended = {
        ...final,
        subscription: { ...subscription, reason: 'The last cycle has been billed.' },
      };
      const verdict = (...more: ReturnType<typeof command>[]) =>
        judgeSubscription(
          { ...plan, ending },
          { commands: [...commands, ...more], repeats: [], final: ended },
          collected,
        );
      expect(verdict().discrepancies).toEqual([]);
      expect(verdict(command(ending, { outcome: 'refused' })).discrepancies).toEqual([]);
      expect(verdict(command(ending)).discrepancies).toMatchObject([{ kind: 'stuck' }]);
    },
  );

  it('accepts one whose cycles were billed before it was cancelled elsewhere, and calls it lost when they were not', () => {
    const late = { ...plan, ending: 'cancelled elsewhere' as const };
    const reported = { subscription: { ...subscription, reason: 'The last cycle has been billed.' } };
    expect(kinds(reported, collected, late)).toEqual([]);
    const running = { ...reported, agreements: [{ ...agreement, state: 'Active' }] };
    expect(kinds(running, collected, late)).toContain('lost');
  });

  it('accepts one that nobody approved by its deadline, without an agreement', () => {
    const late: SubscriptionPlan = {
      ...plan,
      ending: 'cancel',
      aim: {
        approvalTimeoutSeconds: 2,
        approvesAfterMs: 100,
        acts: [{ act: 'the payer returns', afterMs: 200 }],
      },
    };
    const lapsed = {
      subscription: { ...subscription, state: 'lapsed', cyclesCompleted: 0 },
      payments: { payments: [], collected: usd('0.00') },
    };
    expect(judged({ ...lapsed, agreements: [] }, [], late)).toEqual({ discrepancies: [], requests: 2 });
    expect(kinds(lapsed, [], late)).toEqual(['lost']);
  });

  it('calls one that did not end stuck', () => {
    const active = { subscription: { ...subscription, state: 'active' } };
    expect(kinds({ ...active, agreements: [{ ...agreement, state: 'Active' }] })).toEqual(['stuck']);
  });

  it('accepts a decline without an agreement as an explanation', () => {
    const declined = {
      subscription: { ...subscription, state: 'declined', reason: 'The provider refused it.' },
      agreements: [],
      payments: { payments: [], collected: usd('0.00') },
    };
    const verdict = judged(declined, []);
    expect(verdict.discrepancies).toEqual([]);
    expect(verdict.explanation).toContain('The provider refused it.');
  });
});
