import { type Discrepancy, doubled, lost, stuck } from '../discrepancy.js';
import type { PlayedScenario } from './production.js';
import type { Movement } from '#tools/sandbox-admin.js';

export interface Judgement {
  readonly discrepancies: readonly Discrepancy[];
  /** Accepted requests that were compared with the books. */
  readonly requests: number;
  /** Payments that ended otherwise than planned, and the engine says why. */
  readonly explanations: readonly string[];
}

/**
 * Judges every scenario by its own movements; movements that belong to none moved money for nobody.
 *
 * @param movements all that the books hold.
 * @param violations of the rules of double entry.
 */
export function judgeScenarios(
  scenarios: readonly PlayedScenario[],
  movements: readonly Movement[],
  violations: readonly string[],
): Judgement {
  const ownerOf = ownersIn(movements);
  const unclaimed = Map.groupBy(movements, ownerOf);
  const discrepancies: Discrepancy[] = violations.map((violation) =>
    lost(`the books break a rule: ${violation}`),
  );
  const explanations: string[] = [];
  let requests = 0;
  for (const { scenario, failure } of scenarios) {
    const references = scenario.references();
    const verdict = scenario.judge(references.flatMap((reference) => unclaimed.get(reference) ?? []));
    for (const reference of references) unclaimed.delete(reference);
    if (failure !== undefined) {
      discrepancies.push(stuck(`${references.join(' ')} (${scenario.title}): ${failure}`));
    }
    discrepancies.push(...verdict.discrepancies);
    requests += verdict.requests;
    if (verdict.explanation !== undefined) explanations.push(verdict.explanation);
  }
  for (const [reference, unowned] of unclaimed) {
    const ids = unowned.map(({ id, kind, amountMinor }) => `#${id} ${kind} of ${amountMinor}`).join(', ');
    discrepancies.push(doubled(`${reference}: money moved that belongs to no order: ${ids}`));
  }
  return { discrepancies, requests, explanations };
}

/**
 * To whom a movement belongs: to the batch of payouts (whose id at the sender is the engine's), to the agreement that
 * it was collected for, else to whom it names. A refund of a payment may have a reference of its own, and belongs to
 * the scenario of the payment.
 */
function ownersIn(movements: readonly Movement[]): (movement: Movement) => string {
  const ofPayments = new Map<string, string>();
  for (const { kind, paymentId, custom } of movements) {
    if (paymentId !== null && custom !== null && (kind === 'hold' || kind === 'sale')) {
      ofPayments.set(paymentId, custom);
    }
  }
  return ({ kind, invoiceNumber, agreementId, paymentId, custom }) => {
    if (kind.startsWith('payout')) return invoiceNumber ?? 'no reference';
    const goesBack = kind === 'refund' || kind === 'reversal';
    const owner = goesBack ? ofPayments.get(paymentId ?? '') : custom;
    return agreementId ?? owner ?? 'no reference';
  };
}
