import { Inject, Injectable } from '@nestjs/common';
import { type NewCommand, findExisting } from '../../../../libs/database/src/commands.js';
import type { Database } from '../../../../libs/database/src/database.js';
import type { PlanRow, SubscriptionRow } from '../../../../libs/database/src/schema.js';
import { withoutEmails } from '../../../../libs/database/src/storable-text.js';
import { acceptSubscription } from '../../../../libs/database/src/subscriptions.js';
import { messagesPerRun } from '../../../../libs/runs/src/run-input.js';
import { Runs } from '../../../../libs/runs/src/runs.js';
import {
  subscriptionAddresses,
  subscriptionRunStart,
} from '../../../../libs/runs/src/subscription-run-input.js';
import { TemporalAwayError } from '../../../../libs/runs/src/temporal-away-error.js';
import { subscriptionCommandId } from '../../../../libs/workflows/src/contract/subscription.js';
import {
  type SubscriptionOrder,
  orderedSubscription,
} from '../../../../libs/workflows/src/lifecycle/subscription/subscription.js';
import { type ApiConfig, apiConfig } from '../api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { Changes } from '../commands/changes.js';
import { assertSameRequest, bodyHash } from '../commands/idempotency.js';
import { newId } from '../commands/ids.js';
import { databaseToken } from '../database-token.js';
import { PlanRows } from '../plans/plan-rows.js';
import { invalid } from '../problems/problem.js';
import type { SubscriptionOrderRequest } from './subscription-requests.js';
import { SubscriptionRows } from './subscription-rows.js';

/** Takes an order for a subscription: row, run, answer. */
@Injectable()
export class OrderSubscription {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Runs) private readonly runs: Runs,
    @Inject(Changes) private readonly changes: Changes,
    @Inject(SubscriptionRows) private readonly rows: SubscriptionRows,
    @Inject(PlanRows) private readonly plans: PlanRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the subscription's row as it stands when the provider has answered, or when the waiting is over.
   * @throws {Problem} 409 for a key used otherwise, 422 for a plan that cannot be subscribed to or a start that has passed.
   * @throws {TemporalAwayError} when the run may not have started; the same request again starts it.
   */
  async order(
    caller: Caller,
    idempotencyKey: string,
    request: SubscriptionOrderRequest,
  ): Promise<SubscriptionRow> {
    const accepted = await this.accept(caller, idempotencyKey, request);
    // Version 0: nobody knows whether the run was ever started. Starting it twice is harmless, not at all is not.
    if (accepted.version === 0) await this.startRun(accepted, request);
    return await this.changes.until(accepted.id, this.config.answerWithinMs, {
      look: () => this.rows.get(caller, accepted.id),
      satisfies: ({ status }) => status !== 'creating',
      known: accepted,
    });
  }

  private async accept(
    caller: Caller,
    idempotencyKey: string,
    request: SubscriptionOrderRequest,
  ): Promise<SubscriptionRow> {
    const now = Date.now();
    const { environment, application } = caller;
    const hash = bodyHash(request);
    // A repeated request gets its own outcome, also when its start has come or its plan is gone meanwhile.
    const earlier = await findExisting(this.db, { environment, application, idempotencyKey });
    if (earlier) {
      assertSameRequest(earlier, { kind: 'create', bodyHash: hash });
      return await this.rows.get(caller, earlier.subject_id);
    }
    const plan = await this.subscribable(caller, request.planId);
    if (request.startDate <= now) throw invalid({ pointer: '/startDate', detail: 'must be in the future' });
    const subscriptionId = newId('subscription', now);
    const command: NewCommand = {
      id: subscriptionCommandId(subscriptionId),
      environment,
      application,
      idempotencyKey,
      bodyHash: hash,
      kind: 'create',
      subjectId: subscriptionId,
      parameters: { planId: plan.id },
      requestedBy: `api-key:${caller.keyId}`,
    };
    const { name, description } = wordsOf(request, plan);
    const { row } = await acceptSubscription(this.db, command, {
      planId: plan.id,
      name: withoutEmails(name),
      description: withoutEmails(description),
      returnUrl: request.returnUrl,
      cancelUrl: request.cancelUrl,
      state: orderedSubscription(this.orderOf(subscriptionId, plan, request, now), now),
    });
    assertSameRequest(row, { kind: 'create', bodyHash: hash });
    return await this.rows.get(caller, row.subject_id);
  }

  /** @throws {Problem} 422 for a plan that is not there or not active. */
  private async subscribable(caller: Caller, planId: string): Promise<PlanRow> {
    const plan = await this.plans.find(caller, planId);
    if (!plan) throw invalid({ pointer: '/planId', detail: 'is no plan of this application' });
    if (plan.status !== 'active') {
      throw invalid({ pointer: '/planId', detail: `is a plan that is ${plan.status}, not active` });
    }
    return plan;
  }

  private orderOf(
    subscriptionId: string,
    { id: planId, state }: PlanRow,
    request: SubscriptionOrderRequest,
    now: number,
  ): SubscriptionOrder {
    const { terms } = state.order;
    return {
      subscriptionId,
      planId,
      providerPlanId: state.providerPlanId ?? '',
      startAt: request.startDate,
      currency: terms.currency,
      setupFeeMinor: terms.setupFeeMinor,
      approvalBy: now + request.approvalTimeoutSeconds * 1_000,
      patience: this.config.patience,
    };
  }

  private async startRun(row: SubscriptionRow, request: SubscriptionOrderRequest): Promise<void> {
    const { environment, application, id: subscriptionId } = row;
    // As it was asked for, where the row keeps no e-mail address.
    const { name = row.name, description = row.description } = request;
    try {
      await this.runs.start(
        subscriptionRunStart({
          identity: { environment, application, subscriptionId },
          order: row.state.order,
          offer: { name, description, ...subscriptionAddresses(this.config.publicUrl, subscriptionId) },
          messagesPerRun,
        }),
      );
    } catch (error) {
      // Temporal's answer may be lost and the run started all the same: its first row proves that.
      const isProved =
        error instanceof TemporalAwayError && (await this.rows.get(row, subscriptionId)).version > 0;
      if (!isProved) throw error;
    }
  }
}

function wordsOf({ name, description }: SubscriptionOrderRequest, { state }: PlanRow) {
  const { terms } = state.order;
  return { name: name ?? terms.name, description: description ?? terms.description };
}
