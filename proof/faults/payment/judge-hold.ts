import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import type { ScenarioRecord } from '../record.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { minorOf } from '../wire-money.js';
import type { Command } from '../order-service.js';
import { type Account, idsOf } from './account.js';
import { claimOneOf, judgeClaims } from './judge-claims.js';
import type { PaymentPlan } from './order-payment.js';
import { captureIdOf, type PaymentView } from './payment-view.js';

/** @param most holds that the order and the order service can have asked for. */
export function judgeHolds(
  { minor, currency }: Pick<PaymentPlan, 'minor' | 'currency'>,
  { movements: { hold: holds } }: Account,
  most: 1 | 2,
): Discrepancy[] {
  const others = holds.filter((hold) => hold.amountMinor !== minor || hold.currency !== currency);
  return [
    ...(holds.length > most ? [doubled(`there are ${holds.length} holds`)] : []),
    ...others.map((hold) =>
      lost(`${hold.amountMinor} ${hold.currency} were held where ${minor} ${currency} were ordered`),
    ),
  ];
}

/**
 * A capture movement without a requested capture was made twice or without a request.
 *
 * @param isByPolicy the order says that the engine captures the whole by itself.
 * @param canBeDenied the provider may deny what it has answered to be pending: then no movement may show it.
 */
export function judgeCaptures(
  plan: PaymentPlan,
  { commands, final }: Pick<ScenarioRecord<PaymentView>, 'commands' | 'final'>,
  { movements }: Account,
  { isByPolicy, canBeDenied }: { readonly isByPolicy: boolean; readonly canBeDenied?: boolean },
): Discrepancy[] {
  const unclaimed = new Set(movements.capture);
  const claims = commands
    .filter((command) => command.kind === 'capture' && !(canBeDenied && isShownDenied(final, command)))
    .map((command) => {
      const id = captureIdOf(command);
      return {
        command,
        minor: askedMinor(plan, command),
        name: `capture ${id ?? 'without an id'}`,
        isMine: ({ captureId }: Movement) => captureId === id,
      };
    });
  const found = judgeClaims(claims, unclaimed);
  if (isByPolicy && !claimOneOf(plan.minor, unclaimed) && final?.state === 'captured') {
    found.push(lost('captured by policy, and no movement shows it'));
  }
  if (unclaimed.size > 0) found.push(doubled(`captured without being asked: ${idsOf([...unclaimed])}`));
  return found;
}

/** The provider has answered that it is pending, and has decided otherwise since. */
export function isShownDenied(final: PaymentView | undefined, command: Command): boolean {
  if (command.kind !== 'capture') return false;
  const id = captureIdOf(command);
  return final?.captures.some((capture) => capture.id === id && capture.state === 'denied') === true;
}

/** A capture without an amount asks for the whole: in no scenario it is given after another one that was made. */
function askedMinor({ minor, exponent }: PaymentPlan, { body }: Command): number {
  const { amount } = body as { readonly amount?: { readonly value: string } };
  return amount ? minorOf(amount.value, exponent) : minor;
}
