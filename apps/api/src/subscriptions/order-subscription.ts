import { Inject, Injectable } from '@nestjs/common';
import { acceptCommand, findExisting } from '#database/commands';
import type { Database } from '#database/connection';
import type { PlanRow } from '#database/schema';
import { withoutEmails } from '#database/text';
import { type NewSubscription, type SubscriptionView, acceptSubscription } from '#database/subjects';
import { messagesPerRun, subscriptionAddresses, subscriptionRunStart } from '#runs';
import { type RunStart, subscriptionCommandId } from '#workflows/contract';
import { type SubscriptionOrder, orderedSubscription } from '#workflows/lifecycle/subscription';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import type { Caller } from '../auth/api-keys.js';
import { askedCommand, requesterOf } from '../commands/asked-command.js';
import { assertSameOrder, bodyHash } from '../commands/idempotency.js';
import { newId } from '../wire/ids.js';
import { Starting } from '../commands/starting.js';
import { databaseToken } from '../injected/database-token.js';
import { PlanRows } from '../rows/plan-rows.js';
import { Problem, invalid } from '../problems/problem.js';
import type { SubscriptionOrderRequest } from './subscription-requests.js';
import { SubscriptionRows } from '../rows/subscription-rows.js';

/** Accepts an order for a subscription: writes its row, starts its run and answers. */
@Injectable()
export class OrderSubscription {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(Starting) private readonly starting: Starting,
    @Inject(SubscriptionRows) private readonly rows: SubscriptionRows,
    @Inject(PlanRows) private readonly plans: PlanRows,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /**
   * @returns the subscription's row when the provider has answered, or when the wait has ended.
   * @throws {Problem} 409 for a key that was used for another request, 422 for a plan that is not active or a start
   *   that has passed.
   * @throws {TemporalAwayError} if the run may not have started; repeating the same request starts it.
   */
  async order(
    caller: Caller,
    idempotencyKey: string,
    request: SubscriptionOrderRequest,
  ): Promise<SubscriptionView> {
    const accepted = await this.accept(caller, idempotencyKey, request);
    return await this.starting.begin(accepted, {
      run: () => this.runOf(accepted, request),
      read: () => this.rows.get(caller, accepted.id),
      isAnswered: ({ status }) => status !== 'creating',
      orderedBy: {
        kind: 'create',
        commandId: subscriptionCommandId(accepted.id),
        idempotencyKey,
        bodyHash: bodyHash(request),
        requestedBy: requesterOf(caller),
      },
    });
  }

  private async accept(
    caller: Caller,
    idempotencyKey: string,
    request: SubscriptionOrderRequest,
  ): Promise<SubscriptionView> {
    const now = Date.now();
    const { environment, application } = caller;
    const hash = bodyHash(request);
    // A repeated request gets the outcome of the first one, even if its start has passed or its plan is no longer
    // active.
    const earlier = await findExisting(this.db, { environment, application, idempotencyKey });
    if (earlier) {
      assertSameOrder(earlier, { kind: 'create', bodyHash: hash });
      return await this.rows.getOrdered(caller, earlier.subject_id);
    }
    const subscriptionId = newId('subscription', now);
    const command = askedCommand(caller, {
      id: subscriptionCommandId(subscriptionId),
      idempotencyKey,
      bodyHash: hash,
      kind: 'create',
      subjectId: subscriptionId,
      parameters: { planId: request.planId },
    });
    const plan = await this.subscribable(caller, request, now);
    const { row } =
      plan instanceof Problem
        ? await acceptCommand(this.db, command, { problem: plan.kept() })
        : await acceptSubscription(
            this.db,
            command,
            this.newSubscription(subscriptionId, plan, request, now),
          );
    assertSameOrder(row, command);
    return await this.rows.getOrdered(caller, row.subject_id);
  }

  /** @returns 422 for a plan that does not exist or is not active, or a start that has passed. */
  private async subscribable(
    caller: Caller,
    { planId, startDate }: SubscriptionOrderRequest,
    now: number,
  ): Promise<PlanRow | Problem> {
    const plan = await this.plans.find(caller, planId);
    if (!plan) return invalid({ pointer: '/planId', detail: 'is not a plan of this application' });
    if (plan.status !== 'active') {
      return invalid({ pointer: '/planId', detail: `is a plan that is ${plan.status}, not active` });
    }
    if (startDate <= now) return invalid({ pointer: '/startDate', detail: 'must be in the future' });
    return plan;
  }

  private newSubscription(
    subscriptionId: string,
    plan: PlanRow,
    request: SubscriptionOrderRequest,
    now: number,
  ): NewSubscription {
    const { name, description } = wordsOf(request, plan);
    return {
      planId: plan.id,
      name: withoutEmails(name),
      description: withoutEmails(description),
      returnUrl: request.returnUrl,
      cancelUrl: request.cancelUrl,
      metadata: request.metadata,
      state: orderedSubscription(this.orderOf(subscriptionId, plan, request, now), now),
    };
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
      approvalBy: Math.min(now + request.approvalTimeoutSeconds * 1_000, request.startDate),
      executeBefore: request.startDate,
      provesLapse: true,
      endsUnsent: true,
      ...(request.shippingAddress && { hasShippingAddress: true }),
      patience: this.config.patience,
    };
  }

  private runOf(row: SubscriptionView, request: SubscriptionOrderRequest): RunStart {
    const { environment, application, id: subscriptionId } = row;
    // The requested texts; the row has them with e-mail addresses masked.
    const { name = row.name, description = row.description, shippingAddress } = request;
    return subscriptionRunStart({
      identity: { environment, application, subscriptionId },
      order: row.state.order,
      offer: {
        name,
        description,
        ...subscriptionAddresses(this.config.publicUrl, subscriptionId),
        ...(shippingAddress && { shippingAddress }),
      },
      messagesPerRun,
    });
  }
}

function wordsOf({ name, description }: SubscriptionOrderRequest, { state }: PlanRow) {
  const { terms } = state.order;
  return { name: name ?? terms.name, description: description ?? terms.description };
}
