import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import { notePayerCancelled } from '#database/subjects';
import type { SubscriptionRow } from '#database/schema';
import { Runs } from '#runs';
import type { SubscriptionMessage } from '#workflows/contract';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import { type ApiConfig, apiConfig } from '../api-config.js';
import { isSameSecret } from '../auth/same-secret.js';
import { databaseToken } from '../database-token.js';
import { BoundedWaits, mostPayerReturns } from '../commands/bounded-waits.js';
import { Changes } from '../commands/changes.js';
import { SubscriptionRows, noSuchSubscription } from './subscription-rows.js';

/** Takes the payer's browser in, tells the run, and sends the browser on to the shop. */
@Injectable()
export class SubscriberReturn {
  private readonly returns = new BoundedWaits(mostPayerReturns);

  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Runs) private readonly runs: Runs,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(SubscriptionRows) private readonly rows: SubscriptionRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the order's return address with `subscription_id` and `state`.
   * @throws {Problem} 404 unless the token is that of this subscription.
   */
  async approved(id: string, token: string): Promise<string> {
    const subscription = await this.identify(id, token);
    // Parallel returns are one message to the run; one after a vain execution is another.
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
    if (!isSameSecret(token, subscription.state.token ?? '')) throw noSuchSubscription();
    return subscription;
  }

  private async tellRun(row: SubscriptionRow, message: SubscriptionMessage): Promise<SubscriptionRow> {
    const { environment, application, id } = row;
    const current = await this.returns.within(`${message.event.type} ${id}`, async () => {
      // Also while an execution is under way, which may have begun before the payer approved.
      if (row.status === 'awaiting_approval' || row.status === 'executing') {
        await this.runs.signal({ environment, application, id }, message);
      }
      return await this.changes.until(id, this.config.payerWaitMs, {
        look: () => this.rows.getById(id),
        satisfies: ({ state }) => !isOnItsWay(state),
        known: row,
      });
    });
    return current ?? row;
  }
}

/** True while the run is about to tell more. */
function isOnItsWay({ status, openStep }: SubscriptionState): boolean {
  return status === 'awaiting_approval' || status === 'executing' || openStep?.phase === 'running';
}

/** Only an address that the order itself gave is ever redirected to. */
function withOutcome(address: string, { id, status }: SubscriptionRow): string {
  const target = new URL(address);
  target.searchParams.set('subscription_id', id);
  target.searchParams.set('state', status);
  return target.href;
}
