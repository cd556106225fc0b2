import { describe, expect, it } from 'vitest';
import { endings, endingsWithDenials } from '#proof/faults/authorize/endings.js';
import { judgeAuthorize } from '#proof/faults/authorize/judge.js';
import type { AuthorizePlan } from '#proof/faults/authorize/plan.js';
import type { Command } from '#proof/faults/order-service.js';
import type { PaymentView } from '#proof/faults/payment/payment-view.js';
import { command, movement, usd } from './commands-and-movements.js';

const inTwoParts = endingsWithDenials.find(([{ title }]) => title === endings.twoParts.title)?.[0];

const plan: AuthorizePlan = {
  orderId: 'order-1',
  minor: 1000,
  currency: 'USD',
  exponent: 2,
  approval: 'at once',
  isCancelled: false,
  ending: inTwoParts ?? endings.twoParts,
  application: 'captures-settled',
  signals: [],
  thinkMs: 0,
  repeatsWhatIsDone: false,
};

const part = (id: string, value: string): Command =>
  command('capture', { body: { amount: usd(value) }, answer: { id: `cmd_${id}`, capture: { id } } });
const shown = (id: string, value: string, state: string) => ({ id, amount: usd(value), state });
const taken = (minor: number, captureId: string) => movement('capture', minor, { captureId });
const hold = movement('hold', 1000);

function paid(state: string, captured: string, ...captures: PaymentView['captures']): PaymentView {
  const none = usd('0.00');
  const amounts = {
    authorized: usd('10.00'),
    captured: usd(captured),
    capturable: none,
    refunded: none,
    reversed: none,
  };
  return { id: 'pay_1', state, version: 9, amounts, captures, deadlines: { honourUntil: null } };
}

const kindsOf = (of: AuthorizePlan, final: PaymentView, commands: Command[], ...books: (typeof hold)[]) =>
  judgeAuthorize(of, { commands, repeats: [], final }, books).discrepancies.map(({ kind }) => kind);
const kinds = (...of: [PaymentView, Command[], ...(typeof hold)[]]) => kindsOf(plan, ...of);

describe('the judge of captures that are pending at first', () => {
  const [first, second, again] = [part('C1', '4.00'), part('C2', '6.00'), part('C3', '6.00')];
  const asShown = [shown('C1', '4.00', 'completed'), shown('C2', '6.00', 'denied')];
  const released = movement('release', 600);

  it('accepts one that was denied and then made', () => {
    const final = paid('captured', '10.00', ...asShown, shown('C3', '6.00', 'completed'));
    expect(kinds(final, [first, second, again], hold, taken(400, 'C1'), taken(600, 'C3'))).toEqual([]);
  });

  it('accepts one that stays denied, whose money was given back', () => {
    const final = paid('captured', '4.00', ...asShown);
    const commands = [first, second, command('void')];
    expect(kinds(final, commands, hold, taken(400, 'C1'), released)).toEqual([]);
  });

  it('calls money doubled when it was taken by a capture that is shown as denied', () => {
    const final = paid('captured', '10.00', ...asShown, shown('C3', '6.00', 'completed'));
    const books = [hold, taken(400, 'C1'), taken(600, 'C2'), taken(600, 'C3')];
    expect(kinds(final, [first, second, again], ...books)).toContain('doubled');
  });

  it('calls one lost when it is shown as completed without a movement', () => {
    const final = paid('captured', '10.00', asShown[0]!, shown('C2', '6.00', 'completed'));
    expect(kinds(final, [first, second], hold, taken(400, 'C1'))).toContain('lost');
  });

  it('calls one that is left pending stuck', () => {
    const final = paid('capturing', '4.00', asShown[0]!, shown('C2', '6.00', 'pending'));
    expect(kinds(final, [first, second], hold, taken(400, 'C1'))).toContain('stuck');
  });

  it('calls a denied one lost when the provider denies none', () => {
    const sound = { ...plan, ending: endings.twoParts, application: 'shop' };
    const final = paid('captured', '4.00', ...asShown);
    expect(kindsOf(sound, final, [first, second], hold, taken(400, 'C1'))).toContain('lost');
  });

  it('calls a hold doubled when it is given back without a request', () => {
    const final = paid('captured', '4.00', ...asShown);
    expect(kinds(final, [first, second], hold, taken(400, 'C1'), released)).toContain('doubled');
  });
});
