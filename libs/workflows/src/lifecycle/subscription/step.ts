import type { Instant } from '../lifecycle.js';

/** The statuses in which a change of state can be requested. */
export type ChangeableStatus = 'active' | 'suspended';

/** A change of state that a command requests. */
export interface StateChange {
  readonly type: 'suspendAgreement' | 'reactivateAgreement' | 'cancelAgreement';
  readonly commandId: string;
  /** The reason, for the provider's records. */
  readonly note: string;
  /** The status to return to if the provider refuses. */
  readonly from: ChangeableStatus;
  /** In an attempt: the agreement's last change before the call, if the provider shows it. */
  readonly seenUpdatedAt?: Instant;
  /** In an attempt: the provider's state of the agreement with that change; absent in older ones. */
  readonly seenShown?: string;
}

/** What the provider showed before a call billed the balance: a later read is compared with it. */
export interface SeenBalance {
  readonly outstandingMinor: number;
  readonly cyclesCompleted: number;
  /** The agreement's last change by then, if shown: the billing's sale is not from before it. */
  readonly updatedAt?: Instant;
  /** The payments were listed from then on. */
  readonly since: Instant;
  /** The listed sales of the billed amount. */
  readonly saleIds: readonly string[];
}

/** A command collects what is outstanding, or a part of it. */
export interface BalanceBilling {
  readonly type: 'billBalance';
  readonly commandId: string;
  /** The reason, for the provider's records. */
  readonly note: string;
  readonly minor: number;
  /** The status to return to, whatever the outcome is. */
  readonly from: ChangeableStatus;
  /** In an attempt; absent in one that was not sent. */
  readonly seen?: SeenBalance;
}

/** A command forgives what is outstanding above a balance. It moves no money, and cannot be taken back. */
export interface BalanceSetting {
  readonly type: 'setBalance';
  readonly commandId: string;
  readonly note: string;
  /** What stays outstanding. */
  readonly minor: number;
  readonly from: ChangeableStatus;
  /** In an attempt; absent in one that was not sent. */
  readonly seen?: Omit<SeenBalance, 'since' | 'saleIds'>;
}

export type SubscriptionStep =
  | { readonly type: 'createAgreement' }
  | { readonly type: 'executeAgreement' }
  | StateChange
  | BalanceBilling
  | BalanceSetting;

/** True for a suspension, reactivation or cancellation. */
export function isStateChange(step: SubscriptionStep): step is StateChange {
  return 'from' in step && !('minor' in step);
}
