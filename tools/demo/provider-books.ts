import { Failure } from '../failure.js';
import { type Movement, SandboxAdmin } from '../sandbox-admin.js';
import type { DemoContext } from './demo-context.js';

/** Says of a movement in the provider's books whether it belongs to what was played. */
export type Belongs = (movement: Movement) => boolean;

/** The engine sends a payment's id along as its reference, and its refunds keep it. */
export const ofPayment =
  (id: string): Belongs =>
  ({ custom }) =>
    custom === id;

/** A batch is known by our id, and each of its items by its own. */
export const ofPayout =
  (id: string): Belongs =>
  ({ invoiceNumber }) =>
    invoiceNumber === id;

/**
 * The provider's word on what a demo claims.
 *
 * @param claimed kind and amount in minor units, such as `capture 1000`, in any order.
 * @throws Failure unless the books hold just these movements of what was played, and keep their own rules.
 */
export async function expectMovements(
  context: DemoContext,
  belongs: Belongs,
  claimed: readonly string[],
): Promise<void> {
  const books = new SandboxAdmin(context.sandbox.url, context.signal);
  const booked = linesOf((await books.movements()).filter(belongs));
  const expected = claimed.toSorted();
  if (booked.join() !== expected.join()) {
    throw new Failure(`The provider's books say ${inWords(booked)}, and not ${inWords(expected)}.`);
  }
  const [violation] = await books.violations();
  if (violation !== undefined) throw new Failure(`The provider's books are not sound: ${violation}.`);
  context.tell('provider', `has booked ${inWords(booked)}`);
}

/** Of the agreement that has collected these sales. */
export async function ofAgreementWith(
  { sandbox, signal }: DemoContext,
  saleIds: readonly string[],
): Promise<Belongs> {
  const movements = await new SandboxAdmin(sandbox.url, signal).movements();
  const sale = movements.find(({ saleId }) => saleId !== null && saleIds.includes(saleId));
  return ({ agreementId }) => agreementId !== null && agreementId === sale?.agreementId;
}

function linesOf(movements: readonly Movement[]): string[] {
  return movements.map(({ kind, amountMinor }) => `${kind} ${amountMinor}`).toSorted();
}

function inWords(lines: readonly string[]): string {
  return lines.length === 0 ? 'nothing' : lines.join(', ');
}
