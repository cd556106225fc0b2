import { z } from 'zod';

/** A resource, or a part of one, in the state in which an answer shows it. */
export interface ReportedState {
  /** `pay_…`, `capture 7AB…`, `item po_…/anna-1`. */
  readonly name: string;
  readonly state: string;
}

type Follow = Readonly<Record<string, readonly string[]>>;

const nothing: readonly string[] = [];
const allEnd = (...states: readonly string[]): Follow =>
  Object.fromEntries(states.map((state) => [state, nothing]));

/** The states that are shown as final, by kind, and what may follow them: money that came can go back. */
const endsOf: Readonly<Record<string, Follow>> = {
  pay: allEnd('captured', 'voided', 'completed', 'declined', 'cancelled', 'expired'),
  re: allEnd('completed', 'failed', 'cancelled', 'declined', 'unfounded'),
  sub: allEnd('cancelled', 'expired', 'declined', 'lapsed'),
  po: allEnd('completed', 'denied', 'cancelled', 'declined'),
  plan: allEnd('deleted', 'declined'),
  // A pending one is no end: it was answered 201 and may still be denied. Refunds do not change these.
  capture: allEnd('completed', 'denied'),
  sale: allEnd('completed', 'denied'),
  item: {
    ...allEnd('failed', 'returned', 'blocked', 'refunded', 'reversed'),
    success: ['refunded', 'reversed'],
  },
  // A payment of a subscription. Money that goes back is no end: a refund may fail.
  cycle: { ...allEnd('failed'), completed: ['partially_refunded', 'refunded', 'reversed'] },
};

function followersOf({ name, state }: ReportedState): readonly string[] | undefined {
  return endsOf[/^[a-z]+/.exec(name)?.[0] ?? '']?.[state];
}

export function isEnd(reported: ReportedState): boolean {
  return followersOf(reported) !== undefined;
}

/** Of a resource: a capture, an item. */
export function isPart(name: string): boolean {
  return name.includes(' ');
}

/** @param end shown before. @param state of the same in a later answer. */
export function mayFollow(end: ReportedState, state: string): boolean {
  return state === end.state || followersOf(end)?.includes(state) === true;
}

const named = z.object({ id: z.string(), state: z.string() });
const item = z.object({ itemId: z.string(), state: z.string() });
const nested = z.unknown();
const shown = z
  .object({
    id: z.string(),
    state: z.string(),
    // Parts.
    captures: z.array(named),
    capture: named.nullable(),
    sale: named.nullable(),
    item,
    // Resources: in the answer to a command, in another resource.
    payment: nested,
    refund: nested,
    subscription: nested,
    payout: nested,
    refunds: z.array(nested),
    /** Resources or parts: of a list. */
    data: z.array(nested),
  })
  .partial();

/** Everything whose state an answer shows. @param path of the request: a part does not name its resource. */
export function statesIn(body: unknown, path: string): ReportedState[] {
  const { success, data } = shown.safeParse(body);
  if (!success) return [];
  const { id, state, captures = [], capture, sale, item: one } = data;
  const resources = [data.payment, data.refund, data.subscription, data.payout, ...(data.refunds ?? [])];
  return [
    ...(id !== undefined && state !== undefined ? [{ name: id, state }] : []),
    ...[...captures, ...(capture ? [capture] : [])].map((each) => part(`capture ${each.id}`, each)),
    ...(sale ? [part(`sale ${sale.id}`, sale)] : []),
    ...(one ? [part(`item ${payoutIn(path)}/${one.itemId}`, one)] : []),
    ...resources.flatMap((each) => statesIn(each, path)),
    ...(data.data ?? []).flatMap((each) => statesInEntry(each, path)),
  ];
}

function statesInEntry(entry: unknown, path: string): ReportedState[] {
  const paid = item.safeParse(entry);
  if (paid.success) return [part(`item ${payoutIn(path)}/${paid.data.itemId}`, paid.data)];
  const kind = partsListed(path);
  const ofResource = kind === undefined ? undefined : named.safeParse(entry);
  return ofResource?.success
    ? [part(`${kind} ${ofResource.data.id}`, ofResource.data)]
    : statesIn(entry, path);
}

/** Lists of parts that are named by their own id. */
function partsListed(path: string): 'capture' | 'cycle' | undefined {
  if (/\/payments\/[^/?]+\/captures(?:\?|$)/.test(path)) return 'capture';
  return /\/subscriptions\/[^/?]+\/payments(?:\?|$)/.test(path) ? 'cycle' : undefined;
}

const problem = z
  .object({
    status: z.int(),
    code: z.string(),
    currentState: z.string(),
    paymentId: z.string(),
    refundId: z.string(),
    subscriptionId: z.string(),
    payoutId: z.string(),
  })
  .partial();

/** What a refusal shows: the state of what it is about, or that a refund was not made. */
export function statesInProblem(body: unknown, path: string): ReportedState[] {
  const { success, data } = problem.safeParse(body);
  if (!success) return [];
  const { status, code, currentState: state, paymentId, refundId, subscriptionId, payoutId } = data;
  if (refundId !== undefined) {
    const unmade = code === 'provider_refused' ? 'declined' : 'failed';
    return status === 402 ? [{ name: refundId, state: unmade }] : [];
  }
  if (state === undefined) return [];
  // Of an item that was to be cancelled it shows the item's state.
  const itemId = /\/items\/([^/?]+)\/cancel/.exec(path)?.[1];
  if (itemId !== undefined) return [{ name: `item ${payoutIn(path)}/${itemId}`, state }];
  const name = paymentId ?? subscriptionId ?? payoutId;
  return name === undefined ? [] : [{ name, state }];
}

function part(name: string, { state }: { readonly state: string }): ReportedState {
  return { name, state };
}

function payoutIn(path: string): string {
  return /\/payouts\/([^/?]+)/.exec(path)?.[1] ?? '';
}
