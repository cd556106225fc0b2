import { randomUUID } from 'node:crypto';
import { subscriptionSignals } from '#workflows/contract/subscription.js';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import type { Engine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';

export interface SubscriptionView {
  readonly id: string;
  readonly planId: string;
  readonly state: string;
  readonly version: number;
  readonly approvalUrl: string | null;
  readonly cyclesCompleted: number;
  readonly cyclesRemaining: number | null;
  readonly failedPayments: number;
  readonly outstanding: { value: string; currency: string };
  readonly reason: string | null;
  readonly allowedActions: readonly string[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** An order service and a payer, over nothing but HTTP; and the provider's own books. */
export class SubscriptionStage {
  #planTookMs = 0;

  constructor(private readonly engine: Engine) {}

  async post<T>(path: string, body: unknown, key: string = randomUUID()): Promise<Answer<T>> {
    const response = await fetch(this.engine.apiUrl + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.engine.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  async plan(
    terms: Record<string, unknown> = {},
    key?: string,
  ): Promise<Answer<{ id: string; state: string }>> {
    const askedAt = Date.now();
    const answer = await this.post<{ id: string; state: string }>(
      '/v1/plans',
      {
        name: `Magazine ${randomUUID()}`,
        description: 'Every month',
        currency: 'USD',
        regular: { frequency: 'MONTH', cycles: 12, amount: '10.00' },
        ...terms,
      },
      key,
    );
    this.#planTookMs = Date.now() - askedAt;
    return answer;
  }

  /**
   * A start date that leaves time for the order, its approval and its execution: an agreement that is executed after its
   * start lapses. How slow the machine is, the creation of the plan has shown.
   */
  soon(): string {
    return new Date(Date.now() + this.awhileMs).toISOString();
  }

  /** Longer than a few requests take, and no longer than a test can wait. */
  get awhileMs(): number {
    return Math.min(Math.max(5_000, 8 * this.#planTookMs), 100_000);
  }

  async order(
    planId: string,
    order: Record<string, unknown> = {},
    key?: string,
  ): Promise<Answer<SubscriptionView>> {
    return await this.post(
      '/v1/subscriptions',
      {
        planId,
        startDate: this.soon(),
        returnUrl: 'https://shop.example/welcome',
        cancelUrl: 'https://shop.example/plans',
        ...order,
      },
      key,
    );
  }

  /** The payer approves at the provider. @returns where the provider sends the payer's browser. */
  async approve({ approvalUrl }: SubscriptionView): Promise<string> {
    const token = new URL(approvalUrl ?? '').searchParams.get('token') ?? '';
    const response = await fetch(`${this.engine.sandbox.url}/admin/billing-agreements/${token}/approve`, {
      method: 'POST',
    });
    return ((await response.json()) as { redirectUrl: string }).redirectUrl;
  }

  /** Whatever its date: for what must happen between two cycles, however slow the machine is. */
  async billNextCycle(id: string): Promise<void> {
    const { token } = await this.stateOf(id);
    const path = `/admin/billing-agreements/${token}/bill-next-cycle`;
    const { ok, status } = await fetch(this.engine.sandbox.url + path, { method: 'POST' });
    if (!ok) throw new Error(`the next cycle of ${id} could not be billed: ${status}`);
  }

  /** Ordered, approved, the payer back in the shop, and executed. */
  async subscribed(planId: string, order: Record<string, unknown> = {}): Promise<SubscriptionView> {
    const { body } = await this.order(planId, order);
    await fetch(await this.approve(body), { redirect: 'manual' });
    const unexecuted = ['awaiting_approval', 'executing'];
    return await this.until(body.id, ({ state }) => !unexecuted.includes(state), 'to be executed');
  }

  async get(id: string): Promise<SubscriptionView> {
    return await this.engine.orders.read(`/v1/subscriptions/${id}`);
  }

  async reaches(id: string, state: string): Promise<SubscriptionView> {
    return await this.until(id, (seen) => seen.state === state, `to be ${state}`);
  }

  async until(
    id: string,
    holds: (seen: SubscriptionView) => boolean,
    what: string,
  ): Promise<SubscriptionView> {
    return await until(() => this.get(id), holds, `subscription ${id} ${what}`);
  }

  async payments(
    id: string,
  ): Promise<{ payments: { id: string; state: string; at: string }[]; collected: { value: string } }> {
    const { data: payments, collected } = await this.engine.orders.read<{
      data: { id: string; state: string; at: string }[];
      collected: { value: string };
    }>(`/v1/subscriptions/${id}/payments?limit=100`);
    return { payments, collected };
  }

  /** The provider's id of an executed agreement. */
  async agreementOf(id: string): Promise<string> {
    const { agreementId } = await this.stateOf(id);
    return agreementId ?? '';
  }

  private async stateOf(id: string): Promise<SubscriptionState> {
    const row = await this.engine.db
      .selectFrom('subscriptions')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.state;
  }

  /** What the provider's books say the agreement has moved, in minor units. */
  async booked(id: string): Promise<number[]> {
    const agreement = await this.agreementOf(id);
    const response = await fetch(
      `${this.engine.sandbox.url}/admin/books/movements?agreement=${agreement}&limit=1000`,
    );
    const { movements } = (await response.json()) as { movements: { amountMinor: number }[] };
    return movements.map(({ amountMinor }) => amountMinor);
  }

  /** Another client than the engine changes an agreement: the provider's dashboard. */
  async changeElsewhere(id: string, action: 'suspend' | 're-activate' | 'cancel'): Promise<void> {
    const agreement = await this.agreementOf(id);
    const note = { note: 'in the dashboard' };
    const path = `/v1/payments/billing-agreements/${agreement}/${action}`;
    await this.engine.sandbox.postAsOwner(path, note);
  }

  /** Another client than the engine changes a plan. */
  async changePlanElsewhere(planId: string, state: 'ACTIVE' | 'INACTIVE' | 'DELETED'): Promise<void> {
    const path = await this.planAtProvider(planId);
    await this.engine.sandbox.callAsOwner('PATCH', path, [{ op: 'replace', path: '/', value: { state } }]);
  }

  /** Subscriptions that begin after this change are billed another price. */
  async repriceElsewhere(planId: string, value: string): Promise<void> {
    const path = await this.planAtProvider(planId);
    const { sandbox } = this.engine;
    const { payment_definitions: definitions } = await sandbox.callAsOwner<{
      payment_definitions: { id: string }[];
    }>('GET', path);
    const change = { op: 'replace', path: `/payment-definitions/${definitions[0]?.id}` };
    await this.engine.sandbox.callAsOwner('PATCH', path, [
      { ...change, value: { amount: { value, currency: 'USD' } } },
    ]);
  }

  private async planAtProvider(planId: string): Promise<string> {
    const row = await this.engine.db
      .selectFrom('plans')
      .select('state')
      .where('id', '=', planId)
      .executeTakeFirstOrThrow();
    return `/v1/payments/billing-plans/${row.state.providerPlanId}`;
  }

  /** Gives a run so many hints that it continues as new, and waits until it has. */
  async continueAsNewByHints(id: string, times: number): Promise<void> {
    const { workflow } = this.engine.temporal;
    const workflowId = `subscription/sandbox/shop/${id}`;
    const { runId } = await workflow.getHandle(workflowId).describe();
    const event = { type: 'providerNotified', eventType: 'TEST' } as const;
    for (let sent = 0; sent < times; sent += 50) {
      const some = Array.from({ length: 50 }, (_, n) => `h${sent + n}`);
      await Promise.all(
        some.map((hint) =>
          workflow.getHandle(workflowId).signal(subscriptionSignals.providerNotified, { id: hint, event }),
        ),
      );
    }
    await until(
      () => workflow.getHandle(workflowId).describe(),
      (run) => run.runId !== runId,
      'the run to continue as new',
    );
  }

  async historyEvents(id: string): Promise<number> {
    const { historyLength } = await this.engine.temporal.workflow
      .getHandle(`subscription/sandbox/shop/${id}`)
      .describe();
    return historyLength;
  }

  /** How often its run has read the agreement: the more often, the later its events come. */
  async readsOf(id: string): Promise<number> {
    const reads = await this.engine.db
      .selectFrom('api_calls')
      .select('id')
      .where('subject_id', '=', id)
      .where('operation', '=', 'agreement.get')
      .execute();
    return reads.length;
  }
}
