import { randomUUID } from 'node:crypto';
import { type Engine, type EngineOptions, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { SubscriptionStage } from './subscription-stage.js';
import { usd } from '../helpers/usd.js';

export interface PendingOperation {
  readonly kind: string;
  readonly amount: { readonly value: string; readonly currency: string } | null;
  readonly since: string;
  readonly nextCheckAt: string | null;
  readonly reviewAt: string | null;
}

/** Whatever it is: what all resources show in the same way. */
export interface Shown {
  readonly id: string;
  readonly state: string;
  readonly version: number;
  readonly pendingOperation: PendingOperation | null;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

/** Nothing is looked at by itself before a test is over, and no absence is proof. */
const aloneForMs = 300_000;

/** An engine whose looks, polls and repeats are far off: what is found sooner was told, or asked for. */
export class DoubtStage {
  private constructor(
    readonly engine: Engine,
    readonly subscriptions: SubscriptionStage,
  ) {}

  static async start(
    patience: { readonly reviewAfterMs: number },
    options: Pick<EngineOptions, 'consoleUsers'> = {},
  ): Promise<DoubtStage> {
    const engine = await startEngine({
      ...options,
      approval: 'immediate',
      answerWithinMs: 8_000,
      reconciles: 'never',
      patience: {
        outcomeHorizonMs: aloneForMs,
        firstLookMs: aloneForMs,
        longestPollMs: aloneForMs,
        ...patience,
      },
    });
    return new DoubtStage(engine, new SubscriptionStage(engine));
  }

  async fault(operation: string, kind: Record<string, unknown>): Promise<void> {
    await this.engine.sandbox.fault({ clientId: this.engine.sandbox.clientId, operation, ...kind });
  }

  /** Carried out, and nobody is told: neither by the answer nor by those to its repeats under the same key. */
  async losesAnswers(operation: string): Promise<void> {
    await this.fault(operation, { kind: 'drop_reply', times: 4 });
  }

  async tellsNothing(): Promise<void> {
    await this.fault('*', { kind: 'drop_delivery', times: null });
  }

  /** The provider has that many of the calls that the latest fault affects. */
  async isMet(times: number): Promise<void> {
    const isMet = (met: readonly number[]) => (met.at(-1) ?? 0) >= times;
    await until(() => this.engine.sandbox.faultsMet(), isMet, 'the provider to have the call');
  }

  /** Reads of a payment show it as it was before. */
  async paymentsLag(): Promise<void> {
    await this.fault('payment.get', { kind: 'stale_read', lagMs: 30_000, times: null });
  }

  async show(address: string): Promise<Shown> {
    return await this.engine.orders.read<Shown>(address);
  }

  async until(address: string, holds: (seen: Shown) => boolean, what: string): Promise<Shown> {
    return await until(() => this.show(address), holds, `${address} ${what}`);
  }

  async stands(address: string, wanted: string): Promise<Shown> {
    return await this.until(address, (seen) => seen.state === wanted, `to be ${wanted}`);
  }

  async inDoubt(address: string): Promise<Shown> {
    const isInDoubt = ({ pendingOperation }: Shown) => typeof pendingOperation?.reviewAt === 'string';
    return await this.until(address, isInDoubt, 'to be in doubt');
  }

  async check(address: string): Promise<{ readonly status: number; readonly body: Shown }> {
    return await this.subscriptions.post<Shown>(`${address}/check`, {}, randomUUID());
  }

  async held(order: Record<string, unknown> = {}): Promise<string> {
    const { body } = await this.engine.orders.order(order);
    await this.engine.orders.reaches(body.id, 'authorized');
    return body.id;
  }

  /** @returns the address of the payment of which 40.00 are captured, as nobody knows. */
  async lostCapture(): Promise<string> {
    const id = await this.held();
    await this.losesAnswers('authorization.capture');
    void this.engine.orders.capture(id, { amount: usd('40.00') }).catch(() => undefined);
    await this.inDoubt(`/v1/payments/${id}`);
    return `/v1/payments/${id}`;
  }

  /** @returns the address of the refund of 12.50, made as nobody knows. */
  async lostRefund(): Promise<string> {
    const { orders } = this.engine;
    const { body } = await orders.order({ capturePolicy: { mode: 'automatic' } });
    await orders.reaches(body.id, 'captured');
    await this.losesAnswers('capture.refund');
    const refund = await orders.refund(body.id, { amount: usd('12.50') });
    await this.inDoubt(`/v1/refunds/${refund.body.id}`);
    return `/v1/refunds/${refund.body.id}`;
  }

  /** @returns the address of an active subscription. */
  async subscribed(): Promise<string> {
    const { body: plan } = await this.subscriptions.plan();
    const { id } = (await this.subscriptions.order(plan.id)).body;
    const created = await this.subscriptions.reaches(id, 'awaiting_approval');
    await fetch(await this.subscriptions.approve(created), { redirect: 'manual' });
    await this.subscriptions.reaches(id, 'active');
    return `/v1/subscriptions/${id}`;
  }

  /** How often the provider was called so. */
  async calls(operation: string): Promise<number> {
    const { sandbox } = this.engine;
    const calls = await sandbox.calls(`clientId=${sandbox.clientId}&limit=1000`);
    return calls.filter((call) => call.operation === operation).length;
  }
}
