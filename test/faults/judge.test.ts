import { describe, expect, it } from 'vitest';
import { endings } from '#proof/faults/authorize/endings.js';
import { judgeAuthorize } from '#proof/faults/authorize/judge.js';
import type { AuthorizePlan } from '#proof/faults/authorize/plan.js';
import { judgeScenarios } from '#proof/faults/campaign/judge-scenarios.js';
import type { Scenario } from '#proof/faults/lifecycle.js';
import type { Command } from '#proof/faults/order-service.js';
import type { PaymentView } from '#proof/faults/payment/payment-view.js';
import type { ScenarioRecord } from '#proof/faults/record.js';
import { command, movement, usd } from './commands-and-movements.js';

const plan: AuthorizePlan = {
  orderId: 'order-1',
  minor: 1000,
  currency: 'USD',
  exponent: 2,
  approval: 'by the payer',
  isCancelled: false,
  ending: endings.capture,
  application: 'shop',
  signals: [],
  thinkMs: 0,
  repeatsWhatIsDone: false,
};
const inTwoParts: AuthorizePlan = { ...plan, ending: endings.twoParts };
const voided: AuthorizePlan = { ...plan, ending: endings.void };

function view(state: string, captured = '0.00', more: Partial<PaymentView> = {}): PaymentView {
  const amounts = {
    authorized: usd('10.00'),
    captured: usd(captured),
    capturable: usd('0.00'),
    refunded: usd('0.00'),
    reversed: usd('0.00'),
  };
  return { id: 'pay_1', state, version: 9, amounts, captures: [], deadlines: { honourUntil: null }, ...more };
}

function capture(captureId: string, more: Partial<Command> = {}): Command {
  return command('capture', { answer: { id: `cmd_${captureId}`, capture: { id: captureId } }, ...more });
}

const created = command('create', { answer: view('awaiting_approval') });
const captured = capture('C1');

function record(final: PaymentView | undefined, ...commands: Command[]): ScenarioRecord<PaymentView> {
  return { commands: [created, ...commands], repeats: [], ...(final && { final }) };
}

const booked = (kind: 'hold' | 'capture' | 'release', minor: number, captureId: string | null = null) =>
  movement(kind, minor, { custom: 'pay_1', authorizationId: 'A1', captureId });
const hold = booked('hold', 1000);

function kinds(...verdictOf: Parameters<typeof judgeAuthorize>): string[] {
  return judgeAuthorize(...verdictOf).discrepancies.map(({ kind }) => kind);
}

describe('the judge of a captured payment', () => {
  const reported = record(view('captured', '10.00'), captured);

  it('accepts one hold and one capture', () => {
    expect(judgeAuthorize(plan, reported, [hold, booked('capture', 1000, 'C1')])).toEqual({
      discrepancies: [],
      requests: 2,
    });
  });

  it('calls an accepted capture without a movement lost', () => {
    expect(kinds(plan, reported, [hold])).toContain('lost');
  });

  it('calls a second capture that nobody asked for doubled', () => {
    const twice = [hold, booked('capture', 1000, 'C1'), booked('capture', 1000, 'C2')];
    expect(kinds(plan, reported, twice)).toContain('doubled');
  });

  it('calls the same capture booked twice doubled', () => {
    const twice = [hold, booked('capture', 1000, 'C1'), booked('capture', 1000, 'C1')];
    expect(kinds(plan, reported, twice)).toContain('doubled');
  });

  it('calls two holds for one order doubled', () => {
    const twice = [hold, booked('hold', 1000), booked('capture', 1000, 'C1')];
    expect(kinds(plan, reported, twice)).toContain('doubled');
  });

  it('calls a capture booked over another amount lost', () => {
    expect(kinds(plan, reported, [hold, booked('capture', 999, 'C1')])).toContain('lost');
  });

  it('calls money doubled when the engine shows it as refused and the books show it', () => {
    const failed = record(
      view('authorized', '0.00', { reason: 'no' }),
      command('capture', { outcome: 'failed' }),
    );
    expect(kinds(plan, failed, [hold, booked('capture', 1000, 'C1')])).toContain('doubled');
  });

  it('calls an engine that shows less than the books lost', () => {
    const mistaken = record(view('captured', '4.00'), captured);
    expect(kinds(plan, mistaken, [hold, booked('capture', 1000, 'C1')])).toEqual(['lost']);
  });

  it('calls a repeated request with another answer undone', () => {
    const again = { ...captured, answer: { id: 'cmd_C1', capture: { id: 'C2' } } };
    const repeated = { ...reported, repeats: [{ first: captured, again }] };
    expect(kinds(plan, repeated, [hold, booked('capture', 1000, 'C1')])).toEqual(['finalUndone']);
  });

  it('calls an accepted request stuck when its repetition gets no answer', () => {
    const repeated = {
      ...reported,
      repeats: [{ first: captured, again: { ...captured, outcome: 'open' as const } }],
    };
    expect(kinds(plan, repeated, [hold, booked('capture', 1000, 'C1')])).toEqual(['stuck']);
  });

  it.each(['failed', 'refused'] as const)(
    'calls a %s request that succeeds when it is repeated undone',
    (outcome) => {
      const declined = command('capture', { key: 'declined', outcome });
      const again = { ...declined, outcome: 'succeeded' as const };
      const repeated = {
        ...record(view('captured', '10.00'), declined, captured),
        repeats: [{ first: declined, again }],
      };
      expect(kinds(plan, repeated, [hold, booked('capture', 1000, 'C1')])).toEqual(['finalUndone']);
    },
  );
});

describe('the judge of partial captures and releases', () => {
  const parts = [
    capture('C1', { body: { amount: { value: '4.00' } } }),
    capture('C2', { body: { amount: { value: '6.00' } } }),
  ];

  it('accepts two parts with a movement each', () => {
    const reported = record(view('captured', '10.00'), ...parts);
    const movements = [hold, booked('capture', 400, 'C1'), booked('capture', 600, 'C2')];
    expect(kinds(inTwoParts, reported, movements)).toEqual([]);
  });

  it('accepts a part whose rest the final capture released', () => {
    const final = capture('C1', { body: { amount: { value: '4.00' }, final: true } });
    const reported = record(view('captured', '4.00'), final);
    const movements = [hold, booked('capture', 400, 'C1'), booked('release', 600)];
    expect(kinds({ ...plan, ending: endings.finalPart }, reported, movements)).toEqual([]);
  });

  it('accepts a void that released the whole hold', () => {
    const reported = record(view('voided'), command('void'));
    expect(kinds(voided, reported, [hold, booked('release', 1000)])).toEqual([]);
  });

  it('calls an accepted void that released nothing lost', () => {
    const reported = record(view('voided'), command('void'));
    expect(kinds(voided, reported, [hold])).toContain('lost');
  });

  it('calls a release that nobody asked for doubled', () => {
    const reported = record(view('authorized', '0.00'));
    const kept: AuthorizePlan = { ...plan, ending: endings.keep };
    expect(kinds(kept, reported, [hold, booked('release', 1000)])).toContain('doubled');
  });
});

describe('the judge of a payment’s end', () => {
  it('calls a payment that did not end stuck', () => {
    const reported = record(view('capturing'), command('capture', { outcome: 'open' }));
    expect(kinds(plan, reported, [hold])).toEqual(['stuck']);
  });

  it('does not also call the money of an unanswered capture doubled', () => {
    const reported = record(view('capturing'), command('capture', { outcome: 'open' }));
    expect(kinds(plan, reported, [hold, booked('capture', 1000, 'C1')])).toEqual(['stuck']);
  });

  it('counts a payment left in review as stuck, too, because the books could have proved it', () => {
    const reported = record(view('needs_review', '0.00', { reason: 'in doubt' }));
    expect(kinds(plan, reported, [hold])).toEqual(['needsReview', 'stuck']);
  });

  it('calls a payment that cannot be read stuck', () => {
    expect(kinds(plan, record(undefined), [hold])).toEqual(['stuck']);
  });

  it('accepts an explained decline without money as an explanation, not a discrepancy', () => {
    const declined = view('declined', '0.00', { reason: 'The provider declined it.' });
    declined.amounts.authorized.value = '0.00';
    const verdict = judgeAuthorize(plan, record(declined), []);
    expect(verdict.discrepancies).toEqual([]);
    expect(verdict.explanation).toContain('The provider declined it.');
  });

  it('does not accept a decline as an explanation while money is held', () => {
    const declined = view('declined', '0.00', { reason: 'The provider declined it.' });
    expect(kinds(plan, record(declined), [hold])).toContain('stuck');
  });
});

describe('the judge of all scenarios', () => {
  const scenario: Scenario = {
    title: 'one order',
    application: 'shop',
    play: () => Promise.resolve(),
    takeStock: () => Promise.resolve(),
    references: () => ['pay_1'],
    judge: () => ({ discrepancies: [], requests: 2 }),
  };

  it('calls money that moved for no order doubled', () => {
    const notOurs = { ...hold, custom: 'pay_2' };
    const { discrepancies } = judgeScenarios([{ scenario }], [hold, notOurs], []);
    expect(discrepancies.map(({ kind }) => kind)).toEqual(['doubled']);
    expect(discrepancies[0]!.what).toContain('pay_2');
  });

  it('leaves refunds of a payment to the judge of that payment', () => {
    const judged: number[] = [];
    const noting: Scenario = {
      ...scenario,
      judge: (movements) => {
        judged.push(...movements.map(({ id }) => id));
        return { discrepancies: [], requests: 2 };
      },
    };
    const refund = { ...booked('capture', 400, 'C1'), kind: 'refund' as const, custom: 're_1' };
    expect(judgeScenarios([{ scenario: noting }], [hold, refund], []).discrepancies).toEqual([]);
    expect(judged).toEqual([hold.id, refund.id]);
  });

  it('calls books that break their own rules lost', () => {
    const { discrepancies } = judgeScenarios([{ scenario }], [hold], ['every entry sums to zero: 7']);
    expect(discrepancies.map(({ kind }) => kind)).toEqual(['lost']);
  });

  it('calls a scenario that could not be continued stuck', () => {
    const { discrepancies } = judgeScenarios([{ scenario, failure: 'answered 404' }], [hold], []);
    expect(discrepancies.map(({ kind }) => kind)).toEqual(['stuck']);
  });
});
