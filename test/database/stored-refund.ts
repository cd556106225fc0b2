import { adoptedRefundId, insertObservedRefund } from '#database/subjects';
import type { NewApiCall } from '#database/calls';
import type { Database } from '#database/connection';
import { refundRecords, writeTransition } from '#database/transitions';
import { type RefundIdentity, refundSubject } from '#workflows/contract';
import type { TimelineEntry } from '#workflows/lifecycle';
import type { RefundState } from '#workflows/lifecycle/refund';
import { observed } from '../lifecycle/refund/sample-refunds.js';

/** A refund that somebody else has made of a payment of ours, as its run writes it. */
export class StoredRefund {
  readonly identity: RefundIdentity;

  constructor(
    private readonly db: Database,
    owner: { readonly environment: string; readonly application: string },
    readonly paymentId: string,
    readonly providerRefundId: string,
  ) {
    const { environment, application } = owner;
    this.identity = { environment, application, refundId: adoptedRefundId(owner, providerRefundId) };
  }

  get id(): string {
    return this.identity.refundId;
  }

  stateAs(state: RefundState): RefundState {
    const claim = { kind: 'refund', providerRefundId: this.providerRefundId } as const;
    return { ...state, paymentId: this.paymentId, claim };
  }

  /** Somebody says that there is one. */
  async tellOf(): Promise<void> {
    await insertObservedRefund(this.db, this.identity, this.stateAs(observed()));
  }

  async write(
    state: RefundState,
    version: number,
    calls: readonly NewApiCall[] = [],
    timeline: readonly TimelineEntry[] = [lineOf(state, version)],
  ): Promise<void> {
    await this.tellOf();
    await writeTransition(this.db, {
      records: refundRecords,
      subject: refundSubject(this.identity),
      state: this.stateAs(state),
      version,
      timeline,
      calls,
    });
  }
}

function lineOf({ status }: RefundState, version: number): TimelineEntry {
  return { version, event: 'refundObserved', kind: 'moved', from: 'observed', to: status, at: 0 };
}
