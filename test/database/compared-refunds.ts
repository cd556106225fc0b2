import * as fc from 'fast-check';
import type * as acceptance from '#database/subjects/accept-refund.js';
import type * as refunds from '#database/subjects/refunds.js';
import { type Transition, refundRecords, type writeTransition } from '#database/transitions';
import type { beginAttempt } from '#database/transitions/write-transition.js';
import { type RefundIdentity, refundSubject } from '#workflows/contract';
import { type RefundClaim, type RefundState, refundStatuses } from '#workflows/lifecycle/refund';
import { refund } from '../lifecycle/refund/sample-refunds.js';
import { type EngineDatabase, newAttempt, owner } from './engine-database.js';

export const captures = ['CAP-1', 'CAP-2'] as const;
const names = ['one', 'two', 'three'] as const;
const named = { name: fc.constantFrom(...names), capture: fc.constantFrom(...captures) };

/** What happens to refunds of one payment. */
export const refundOperation = fc.oneof(
  fc.record({ type: fc.constant('requested' as const), ...named }),
  fc.record({ type: fc.constant('reported' as const), ...named, isReversal: fc.boolean() }),
  fc.record({
    type: fc.constant('written' as const),
    ...named,
    status: fc.constantFrom(...refundStatuses),
    isRead: fc.boolean(),
    isAnswered: fc.boolean(),
    version: fc.integer({ min: 0, max: 4 }),
    knownStatus: fc.option(fc.constantFrom(...refundStatuses), { nil: undefined }),
  }),
  fc.record({ type: fc.constant('sent' as const), ...named, attempt: fc.nat(1) }),
);
type Operation = typeof refundOperation extends fc.Arbitrary<infer T> ? T : never;

type Queries = Pick<
  typeof acceptance & typeof refunds,
  | 'insertObservedRefund'
  | 'findRefund'
  | 'findPaymentIdOf'
  | 'isRefundUnshown'
  | 'listOtherRefunds'
  | 'findRefundIdByReference'
  | 'listRequestsOf'
  | 'listReversalsOf'
>;

/** Names of one sequence: all of them share a database. */
export class Ids {
  constructor(readonly paymentId: string) {}

  readonly of = (name: string): string => `${name}-${this.paymentId}`;

  identityOf(name: string): RefundIdentity {
    return { ...owner, refundId: this.of(name) };
  }

  stateOf({ name, capture }: Operation, claimKind: RefundClaim['kind'], shape: RefundState): RefundState {
    const collected = { kind: 'capture', id: this.of(capture) } as const;
    const claims = {
      request: {
        kind: 'request',
        collected,
        amount: { minor: 1_000, currency: 'USD' },
        providerPaymentId: 'PAY-1',
      },
      refund: { kind: 'refund', providerRefundId: this.of(`REF-${name}`) },
      reversal: { kind: 'reversal', collected },
    } as const;
    const { providerRefundId: _sample, collected: _shared, ...own } = shape;
    return { ...own, paymentId: this.paymentId, claim: claims[claimKind] };
  }
}

/** The refunds of a payment, in PostgreSQL or in the simulator. */
export class RefundSide {
  /** How each refund came about; the first to report it decides. */
  private readonly kinds = new Map<string, RefundClaim['kind']>();

  constructor(
    private readonly db: EngineDatabase['db'],
    private readonly queries: Queries,
    private readonly writes: {
      readonly writeTransition: typeof writeTransition;
      readonly beginAttempt: typeof beginAttempt;
    },
    private readonly ids: Ids,
    private readonly request: (id: string, state: RefundState) => Promise<void>,
  ) {}

  async carryOut(each: Operation): Promise<unknown> {
    const { ids, kinds } = this;
    const identity = ids.identityOf(each.name);
    if (each.type === 'requested' || each.type === 'reported') {
      const kind = each.type === 'requested' ? 'request' : each.isReversal ? 'reversal' : 'refund';
      if (kinds.has(each.name)) return await this.tellAgain(each, kinds.get(each.name) ?? kind);
      kinds.set(each.name, kind);
      return await this.tellAgain(each, kind);
    }
    const kind = kinds.get(each.name);
    if (kind === undefined) return 'nobody knows it';
    if (each.type === 'sent' && kind !== 'request') return 'nobody asked for it';
    try {
      return await this.write(each, kind, identity);
    } catch (error) {
      const { name, position } = error as { readonly name: string; readonly position?: unknown };
      return { name, position };
    }
  }

  private async tellAgain(each: Operation, kind: RefundClaim['kind']): Promise<void> {
    const identity = this.ids.identityOf(each.name);
    if (kind === 'request') await this.request(identity.refundId, this.requestOf(each));
    else
      await this.queries.insertObservedRefund(
        this.db,
        identity,
        this.ids.stateOf(each, kind, refund('observed')),
      );
  }

  private requestOf(each: Operation): RefundState {
    const state = this.ids.stateOf(each, 'request', refund('requesting'));
    return state.claim.kind === 'request' ? { ...state, collected: state.claim.collected } : state;
  }

  private async write(
    each: Extract<Operation, { readonly type: 'written' | 'sent' }>,
    kind: RefundClaim['kind'],
    identity: RefundIdentity,
  ): Promise<unknown> {
    const subject = refundSubject(identity);
    if (each.type === 'sent') {
      const change = this.changeTo(this.requestOf(each), subject, 1);
      const id = identity.refundId;
      const attempt = newAttempt({ stepName: id, requestId: id, reference: id, attemptNumber: each.attempt });
      return (await this.writes.beginAttempt(this.db, change, attempt)) !== undefined;
    }
    const { status, isRead, isAnswered, capture, name, version, knownStatus } = each;
    const isOwn = kind === 'request';
    const state: RefundState = {
      ...this.ids.stateOf(each, kind, refund(status)),
      ...((isRead || isOwn) && { collected: { kind: 'capture', id: this.ids.of(capture) } as const }),
      ...(isOwn && isAnswered && { providerRefundId: this.ids.of(`REF-${name}`) }),
    };
    return await this.writes.writeTransition(this.db, {
      ...this.changeTo(state, subject, version),
      knownStatus,
    });
  }

  private changeTo(
    state: RefundState,
    subject: ReturnType<typeof refundSubject>,
    version: number,
  ): Transition<RefundState> {
    return { records: refundRecords, subject, state, version, timeline: [] };
  }

  /** All that the steps of a refund ask. */
  async found(): Promise<unknown> {
    const { db, queries, ids } = this;
    const shown = names.map((name) => ids.of(`REF-${name}`));
    const rows = await Promise.all(
      names.map(async (name) => await queries.findRefund(db, owner, ids.of(name))),
    );
    const requests = await queries.listRequestsOf(db, ids.paymentId);
    const reversals = captures.map(
      async (capture) =>
        await queries.listReversalsOf(db, { collectedId: ids.of(capture), paymentId: ids.paymentId }),
    );
    const unshown = captures.map(async (capture) => {
      const asked = { collectedId: ids.of(capture), paymentId: ids.paymentId };
      const isUnshown = async (...listed: string[]) =>
        await queries.isRefundUnshown(db, owner, asked, listed);
      return [await isUnshown(), await isUnshown(...shown.slice(0, 1)), await isUnshown(...shown)];
    });
    return {
      rows: rows.map((row) => row && { id: row.id, version: row.version, state: asStored(row.state) }),
      others: await Promise.all(
        names.map(async (name) => {
          const asked = { paymentId: ids.paymentId, refundId: ids.of(name) };
          const others = await queries.listOtherRefunds(db, asked);
          return others.toSorted(byId);
        }),
      ),
      requests: requests.map(({ id, state }) => ({ id, state: asStored(state) })).toSorted(byId),
      reversals: (await Promise.all(reversals)).map((each) => each.map(({ id }) => id).toSorted()),
      unshown: await Promise.all(unshown),
      owners: await Promise.all(
        [['nobody', ids.of('CAP-1')], ['nobody'], [], shown].map(
          async (resourceIds) => await queries.findPaymentIdOf(db, owner, resourceIds),
        ),
      ),
      senders: await Promise.all(
        names.map(async (name) => await queries.findRefundIdByReference(db, owner, ids.of(name))),
      ),
    };
  }
}

function asStored(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state));
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}
