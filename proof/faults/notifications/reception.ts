import { z } from 'zod';
import type { ReportedState } from '../reported-states.js';

const notification = z.object({
  id: z.string(),
  type: z.string(),
  sequence: z.int(),
  data: z.looseObject({}),
});

/** The body of a delivery. */
export type Notification = z.infer<typeof notification>;

/** One delivery that has come to a receiver with a sound signature. */
export interface Reception extends Notification {
  /** By the clock that the provider's books have too. */
  readonly at: Date;
  /** How many had come when it was answered with a status of 200 to 299; absent: it was not. */
  takenAfter?: number;
}

export function parseNotification(body: string): Notification {
  return notification.parse(JSON.parse(body));
}

const item = z.object({ payoutId: z.string(), itemId: z.string(), state: z.string() });
const resource = z.object({ id: z.string(), state: z.string() });

/** What it is about, in its state then. */
export function shownBy({ type, data }: Pick<Notification, 'type' | 'data'>): ReportedState {
  if (!type.startsWith('payout_item.')) {
    const { id: name, state } = resource.parse(data);
    return { name, state };
  }
  const { payoutId, itemId, state } = item.parse(data);
  return { name: nameOfItem(payoutId, itemId), state };
}

export function nameOfItem(payoutId: string, itemId: string): string {
  return `item ${payoutId}/${itemId}`;
}

/** Where the API shows it; an item is shown in a list only. */
export function pathOf(name: string): string {
  const [kind, ...rest] = name.split(/[ _]/);
  const list = { pay: 'payments', re: 'refunds', sub: 'subscriptions', po: 'payouts' }[kind ?? ''];
  return list === undefined ? `/v1/payouts/${rest.join('_').split('/', 1)[0]}/items` : `/v1/${list}/${name}`;
}

/** The first reception of each. */
export function onceEach(receptions: readonly Reception[]): Reception[] {
  const first = new Map<string, Reception>();
  for (const reception of receptions) if (!first.has(reception.id)) first.set(reception.id, reception);
  return [...first.values()];
}
