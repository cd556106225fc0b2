import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { notePayerCancelled } from '#database/subjects';
import type { SubscriptionRow } from '#database/schema';
import { Runs } from '#runs';
import type { SubscriptionMessage } from '#workflows/contract';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { isSameSecret } from '../auth/same-secret.js';
import { databaseToken } from '../injected/database-token.js';
import { BoundedWaits, mostPayerReturns } from '../commands/bounded-waits.js';
import { ChangeWaits } from '../commands/wait-for-change.js';
import { noSuch } from '../rows/subject-rows.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';

/** Receives the payer's browser, signals the run and redirects the browser to the shop. */
@Injectable()
export class SubscriberReturn {
  private readonly returns = new BoundedWaits(mostPayerReturns);

  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Runs) private readonly runs: Runs,
    @Inject(ChangeWaits) private readonly changes: ChangeWaits,
    @Inject(SubscriptionRows) private readonly rows: SubscriptionRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the order's return address with `subscription_id` and `state`.
   * @throws {Problem} 404 unless the token is that of this subscription.
   */
  async approved(id: string, token: string): Promise<string> {
    const subscription = await this.identify(id, token);
    // Parallel returns send one message to the run; a return after a failed execution sends another one.
    const current = await this.tellRun(subscription, {
      id: `payer-approved:${subscription.version}`,
      event: { type: 'payerApproved' },
    });
    return withOutcome(current.return_url, current);
  }

  /** @returns the order's cancel address with `subscription_id` and `state`. */
  async cancelled(id: string, token: string): Promise<string> {
    const subscription = await this.identify(id, token);
    await notePayerCancelled(this.db, 'subscriptions', subscription.id);
    const current = await this.tellRun(subscription, {
      id: `payer-cancelled:${subscription.version}`,
      event: { type: 'payerCancelled' },
    });
    return withOutcome(current.cancel_url, current);
  }

  private async identify(id: string, token: string): Promise<SubscriptionRow> {
    const subscription = await this.rows.getById(id);
    if (!isSameSecret(token, subscription.state.token ?? '')) throw noSuch('subscription');
    return subscription;
  }

  private async tellRun(row: SubscriptionRow, message: SubscriptionMessage): Promise<SubscriptionRow> {
    const { environment, application, id } = row;
    const current = await this.returns.within(`${message.event.type} ${id}`, async () => {
      if (isHeard(row.state)) {
        await this.runs.signal({ environment, application, id }, message);
      }
      return await this.changes.until(id, this.config.payerWaitMs, {
        read: () => this.rows.getById(id),
        satisfies: ({ state }) => !isOnItsWay(state),
        known: row,
      });
    });
    return current ?? row;
  }
}

/** Also during an execution, which may have begun before the payer approved, and while an operator is asked about it. */
function isHeard({ status, openStep }: SubscriptionState): boolean {
  const isReviewed = status === 'needs_review' && openStep?.step.type === 'executeAgreement';
  return status === 'awaiting_approval' || status === 'executing' || isReviewed;
}

/** True while the run is about to change the state. */
function isOnItsWay({ status, openStep }: SubscriptionState): boolean {
  return status === 'awaiting_approval' || status === 'executing' || openStep?.phase === 'running';
}

/** Redirects only to an address that the order gave. */
function withOutcome(address: string, { id, status }: SubscriptionRow): string {
  const target = new URL(address);
  target.searchParams.set('subscription_id', id);
  target.searchParams.set('state', status);
  return target.href;
}
