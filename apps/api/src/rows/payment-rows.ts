import { Injectable } from '@nestjs/common';
import { type ListedCall, listCallsBefore } from '#database/calls';
import type { Owner } from '#database/schema';
import {
  type PaymentWithRefunds,
  KeptRefunds,
  findPayment,
  findPayments,
  findPaymentWithCommand,
  listPayments,
} from '#database/subjects';
import { type PaymentStatus, isTerminal } from '#workflows/lifecycle/payment';
import { isRefundTerminal } from '#workflows/lifecycle/refund';
import type { CommandAnswer } from '../commands/command-sender.js';
import { type Found, type Page, type PageQuery, pageOf } from '../wire/pages.js';
import {
  type AmountQuery,
  type Listed,
  type SubjectQuery,
  SubjectRows,
  amountRange,
  subjectFilter,
} from './subject-rows.js';

/** Some kilobytes each, with what is shown of it. */
const mostKeptRefunds = 10_000;

interface Filter extends SubjectQuery<PaymentStatus>, AmountQuery {
  readonly orderId?: string | undefined;
  readonly expiringBefore?: number | undefined;
}

@Injectable()
export class PaymentRows extends SubjectRows<PaymentWithRefunds, Filter> {
  protected readonly kind = 'payment';
  private readonly kept = new KeptRefunds(mostKeptRefunds);

  /** Payments of any applications, by their ids and by one read; those that are unknown are missing. */
  async findAll(
    of: readonly (Owner & { readonly id: string })[],
  ): Promise<ReadonlyMap<string, PaymentWithRefunds>> {
    if (of.length === 0) return new Map();
    const identities = of.map(({ id, ...owner }) => ({ ...owner, paymentId: id }));
    return await findPayments(this.db, identities, this.kept);
  }

  /** The latest recorded one first. @throws {Problem} 404. */
  async listCalls(owner: Owner, id: string, query: PageQuery<number>): Promise<Page<ListedCall>> {
    const payment = await this.get(owner, id);
    return await pageOf(query, (before, limit) => listCallsBefore(this.db, payment.id, { before, limit }));
  }

  /** A payment and a command of it, by one read. @throws {TypeError} for a command that was never accepted. */
  async getWithCommand(
    { environment, application }: Owner,
    id: string,
    commandId: string,
  ): Promise<CommandAnswer<PaymentWithRefunds>> {
    const identity = { environment, application, paymentId: id };
    const found = await findPaymentWithCommand(this.db, identity, commandId, this.kept);
    if (!found) throw new TypeError('an accepted command has no row');
    return { command: found.command, row: found.payment };
  }

  override versionOf(row: PaymentWithRefunds): number {
    return versionOf(row);
  }

  /** The payment has ended, and all its refunds are final. */
  protected isAtRest({ status, refunds }: PaymentWithRefunds): boolean {
    return isTerminal(status) && refunds.every(({ state }) => isRefundTerminal(state.status));
  }

  protected async read(owner: Owner, id: string): Promise<PaymentWithRefunds | undefined> {
    return await findPayment(this.db, { ...owner, paymentId: id }, this.kept);
  }

  protected async readPage(list: Listed<Filter>): Promise<Found<PaymentWithRefunds>> {
    const filter = {
      ...subjectFilter(this.kind, list),
      orderId: list.orderId,
      amount: amountRange(list),
      holdEndsBefore: list.expiringBefore,
    };
    return await listPayments(this.db, filter, this.kept);
  }
}

/** The version grows with changes of the payment and of its refunds. */
export function versionOf({ shown_version, refund_changes }: PaymentWithRefunds): number {
  return shown_version + refund_changes;
}
