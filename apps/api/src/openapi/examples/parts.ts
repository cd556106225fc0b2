/** What the examples of answers share: one order, told by all of them. */
export const origin = 'https://pay.example';
const end = '01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b';
export const ids = {
  payment: `pay_${end}`,
  refund: `re_${end}`,
  plan: `plan_${end}`,
  subscription: `sub_${end}`,
  payout: `po_${end}`,
  endpoint: `we_${end}`,
  notification: 'evt_5f0c9b1e6a7d4c3e9f2a8b7c6d5e4f30',
  command: `cmd_${end}`,
} as const;

export const usd = (value: string) => ({ value, currency: 'USD' });

/** An instant of the first day of the order. */
export const at = (time: string) => `2030-01-31T${time}.000Z`;
export const later = (date: string) => `${date}T12:00:02.000Z`;

export const toRead = (rel: string, href: string) => ({ rel, href, method: 'GET' });
export const toAsk = (rel: string, href: string) => ({ rel, href, method: 'POST' });

export const listOf = (...data: readonly object[]) => ({ data, nextCursor: null });

export function runAddress(kind: string, id: string): string {
  return `https://temporal.example/namespaces/default/workflows/${kind}%2Fsandbox%2Fshop%2F${id}`;
}

/** Why a subject is in review. */
export const unproved = (step: string) => `It cannot be proved whether ${step} happened.`;

/** The call whose outcome nobody knows yet. */
export const pendingOperation = (kind: string, amount: object | null) => ({
  kind,
  amount,
  since: at('12:05:00'),
  nextCheckAt: at('12:05:04'),
  reviewAt: at('13:05:00'),
});
