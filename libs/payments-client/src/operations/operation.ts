import type { z } from 'zod';

/**
 * What may be done when an answer does not come.
 * - `safe`: repeating changes nothing (reads; replacement and removal, whose repetition finds nothing left to do).
 * - `keyed`: the provider declares the request id for it, so the same id repeats the answer, not the effect.
 * - `reconcile`: the provider ignores the request id there (provider-facts, "Idempotency and tokens"): once bytes have
 *   left, only a lookup by reference shows what happened, and this client never repeats it.
 */
export type Repeatability = 'safe' | 'keyed' | 'reconcile';

export interface Operation<Answer> {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly repeatability: Repeatability;
  /** We build every address ourselves (section 4, rule 2); the id has been checked to hold no separator. */
  readonly path: (id: string) => string;
  /** Null where the answer has no body. */
  readonly answer: z.ZodType<Answer> | null;
  /**
   * False for an answer about another resource than the one in the path. Fields that are absent prove nothing. Absent if
   * the answer cannot show it.
   */
  readonly isAbout?: ((answer: Answer, id: string) => boolean) | undefined;
}

export type OperationName =
  | 'token'
  | 'payment.create'
  | 'payment.list'
  | 'payment.get'
  | 'payment.execute'
  | 'authorization.get'
  | 'authorization.capture'
  | 'authorization.void'
  | 'authorization.reauthorize'
  | 'capture.get'
  | 'capture.refund'
  | 'sale.get'
  | 'sale.refund'
  | 'refund.get'
  | 'plan.create'
  | 'plan.list'
  | 'plan.get'
  | 'plan.update'
  | 'agreement.create'
  | 'agreement.execute'
  | 'agreement.get'
  | 'agreement.update'
  | 'agreement.suspend'
  | 'agreement.re-activate'
  | 'agreement.cancel'
  | 'agreement.set-balance'
  | 'agreement.bill-balance'
  | 'agreement.transactions'
  | 'payout.create'
  | 'payout.get'
  | 'payout-item.get'
  | 'payout-item.cancel'
  | 'webhook.create'
  | 'webhook.list'
  | 'webhook.get'
  | 'webhook.update'
  | 'webhook.delete'
  | 'webhook.event-types'
  | 'event-type.list'
  | 'event.list'
  | 'event.get'
  | 'event.resend'
  | 'signature.verify';

type Path = Operation<unknown>['path'];

/** Usual for an answer that has the id of the path. */
export const hasId = ({ id }: { readonly id: string }, asked: string): boolean => id === asked;

export const read = <A>(
  name: OperationName,
  path: Path,
  answer: z.ZodType<A>,
  isAbout?: Operation<A>['isAbout'],
): Operation<A> => ({ name, method: 'GET', repeatability: 'safe', path, answer, isAbout });

export const post = <A>(
  name: OperationName,
  repeatability: Repeatability,
  path: Path,
  answer: z.ZodType<A>,
  isAbout?: Operation<A>['isAbout'],
): Operation<A> => ({ name, method: 'POST', repeatability, path, answer, isAbout });
