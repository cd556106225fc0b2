/**
 * - `lost`: accepted, and no movement, or an end state that the books contradict.
 * - `doubled`: more movements than accepted commands.
 * - `stuck`: neither ended nor explained.
 * - `needsReview`: given to a person.
 * - `finalUndone`: shown as final, and shown otherwise later.
 * - `notificationLost`: due, and taken by no receiver. `notificationOutOfOrder`: came before one that was before it.
 * - `notificationEarly`: told what was not so yet, or was never so.
 */
export type DiscrepancyKind =
  | 'lost'
  | 'doubled'
  | 'stuck'
  | 'needsReview'
  | 'finalUndone'
  | 'notificationLost'
  | 'notificationOutOfOrder'
  | 'notificationEarly';

export interface Discrepancy {
  readonly kind: DiscrepancyKind;
  /** What is wrong, with the ids to find it by. */
  readonly what: string;
}

export const lost = of('lost');
export const doubled = of('doubled');
export const stuck = of('stuck');
export const needsReview = of('needsReview');
export const finalUndone = of('finalUndone');
export const notificationLost = of('notificationLost');
export const notificationOutOfOrder = of('notificationOutOfOrder');
export const notificationEarly = of('notificationEarly');

function of(kind: DiscrepancyKind): (what: string) => Discrepancy {
  return (what) => ({ kind, what });
}
