import { adoptedRefundId } from '../../libs/database/src/adopted-refund-id.js';
import type { NewApiCall } from '../../libs/database/src/api-calls.js';
import type { Database } from '../../libs/database/src/database.js';
import { refundRecords } from '../../libs/database/src/refund-records.js';
import { insertObservedRefund } from '../../libs/database/src/refunds.js';
import { writeTransition } from '../../libs/database/src/transitions.js';
import { type RefundIdentity, refundSubject } from '../../libs/workflows/src/contract/refund.js';
import type { TimelineEntry } from '../../libs/workflows/src/lifecycle/progress.js';
import type { RefundState } from '../../libs/workflows/src/lifecycle/refund/refund.js';
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

  async write(state: RefundState, version: number, calls: readonly NewApiCall[] = []): Promise<void> {
    await this.tellOf();
    const entry: TimelineEntry = {
      version,
      event: 'refundObserved',
      kind: 'moved',
      from: 'observed',
      to: state.status,
      at: 0,
    };
    await writeTransition(this.db, {
      records: refundRecords,
      subject: refundSubject(this.identity),
      state: this.stateAs(state),
      version,
      timeline: [entry],
      calls,
    });
  }
}
