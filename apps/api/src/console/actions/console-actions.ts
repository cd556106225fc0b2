import { Inject, Injectable } from '@nestjs/common';
import { consoleKeyPrefix } from '#database/commands';
import type { UrgentRow } from '#database/console';
import { type AnySubject, shownVersionOf } from '../subjects/console-subjects.js';
import type { ConsoleAction } from './action.js';
import { OtherActions } from './other-actions.js';
import { PaymentActions } from './payment-actions.js';

/** What an operator has seen of a subject when a form was made. */
export interface Seen {
  readonly version: number;
  readonly commands: number;
  readonly audited: number;
}

@Injectable()
export class ConsoleActions {
  constructor(
    @Inject(PaymentActions) private readonly payments: PaymentActions,
    @Inject(OtherActions) private readonly others: OtherActions,
  ) {}

  /** The actions that the state of a subject allows. */
  of(subject: AnySubject, now: number): readonly ConsoleAction[] {
    switch (subject.kind) {
      case 'payment':
        return this.payments.of(subject.row, now);
      case 'refund':
        return this.others.ofRefund(subject.row, now);
      case 'subscription':
        return this.others.ofSubscription(subject.row, now);
      case 'payout':
        return this.others.ofPayout(subject.row, now);
      case 'plan':
        return this.others.ofPlan(subject.row, now);
    }
  }

  /**
   * The same for a subject in the queue, whose row lacks the refunds of a payment and the totals of a payout. So neither a
   * refund nor the cancellation of an item is offered; neither changes what makes a subject urgent.
   */
  ofUrgent(row: UrgentRow, now: number): readonly ConsoleAction[] {
    const { id } = row;
    switch (row.table) {
      case 'payments':
        return this.payments.of({ id, state: row.state }, now);
      case 'refunds':
        return this.others.ofRefund({ id, state: row.state }, now);
      case 'subscriptions':
        return this.others.ofSubscription({ id, state: row.state }, now);
      case 'payouts':
        return this.others.ofPayout({ id, state: row.state }, now);
      case 'plans':
        return this.others.ofPlan({ id, state: row.state }, now);
    }
  }
}

/** @param requests as `countRequests` counts them. */
export function seenOf(subject: AnySubject, requests: Omit<Seen, 'version'>): Seen {
  return { version: shownVersionOf(subject), ...requests };
}

/**
 * What was seen, in a form. It is the end of the form's idempotency key: a form that is sent twice acts once, and of two
 * operators who have seen the same only one acts.
 */
export function markOf({ version, commands, audited }: Seen): string {
  return `${version}.${commands}.${audited}`;
}

/** @returns undefined for a text that is not the mark of a form. */
export function readMark(mark: string): Seen | undefined {
  const [, version, commands, audited] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(mark) ?? [];
  if (version === undefined) return undefined;
  return { version: Number(version), commands: Number(commands), audited: Number(audited) };
}

export function keyOf(subjectId: string, mark: string): string {
  return `${consoleKeyPrefix}${subjectId}:${mark}`;
}
