import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type RefundPosition,
  advanceRefund,
  refundLifecycle,
  restartRefundFrom,
} from '#workflows/lifecycle/refund/lifecycle.js';
import {
  type RefundEffect,
  type RefundEvent,
  type RefundState,
  isRefundTerminal,
  requestedRefund,
} from '#workflows/lifecycle/refund/refund.js';
import { evaluateRequest } from '#workflows/lifecycle/refund';
import { type PostResult, ModelProvider, horizonMs, longestDelayMs, longestLagMs } from './model-provider.js';
import { patience as sampleWaitPolicy, startedAt, usd } from './sample-refunds.js';

const patience = { ...sampleWaitPolicy, outcomeHorizonMs: horizonMs, reviewAfterMs: 60_000, maxAttempts: 4 };
const capture = { kind: 'capture', id: 'CAP-1', minor: 100_00, status: 'completed' } as const;

const postResult: fc.Arbitrary<PostResult> = fc.record({
  kind: fc.constantFrom('answered', 'lost', 'dropped', 'refused', 'declined'),
  executedAfterMs: fc.nat(longestDelayMs),
});
const plan = fc.record({
  amounts: fc.array(fc.integer({ min: 1, max: 80_00 }), { minLength: 1, maxLength: 5 }),
  postResults: fc.array(postResult, { minLength: 30, maxLength: 30 }),
  lags: fc.array(fc.nat(longestLagMs), { minLength: 30, maxLength: 30 }),
  hints: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
  restarts: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
  settlesAs: fc.constantFrom('completed' as const, 'failed' as const, 'cancelled' as const),
  settlesAfterMs: fc.nat(100_000),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

/** Carries a request on as a run does, by the model's own clock. */
class ModelRun {
  /** Every attempt bears it. */
  readonly reference: string;
  private nth = 0;
  private now = startedAt;

  constructor(
    private readonly provider: ModelProvider,
    private readonly happenings: Plan,
    private position: RefundPosition,
  ) {
    this.reference = position.state.openStep?.step.commandId ?? '';
  }

  get state(): RefundState {
    return this.position.state;
  }

  live(): void {
    const { openStep } = this.state;
    if (openStep) this.follow({ type: 'perform', step: openStep.step });
    for (let turns = 0; turns < 200 && !isRefundTerminal(this.state.status); turns += 1) {
      const deadline = refundLifecycle.nextDeadline(this.state);
      if (!deadline) throw new Error(`nothing is due, and it is ${this.state.status}`);
      this.now = Math.max(this.now, deadline.at);
      if (this.next(this.happenings.hints)) this.take({ type: 'refundNotified', eventType: 'REFUNDED' });
      if (isRefundTerminal(this.state.status)) return;
      if (this.next(this.happenings.restarts))
        this.position = restartRefundFrom(this.position, this.now).position;
      this.take(deadline.event);
    }
  }

  private take(event: RefundEvent): void {
    const { position, effect } = advanceRefund(this.position, event, this.now);
    this.position = position;
    if (effect) this.follow(effect);
  }

  private follow(effect: RefundEffect): void {
    this.take(
      effect.type === 'perform' ? this.perform() : effect.type === 'lookUp' ? this.look() : this.read(),
    );
  }

  private perform(): RefundEvent {
    const { reference } = this;
    const { kind, executedAfterMs } = this.next(this.happenings.postResults);
    this.provider.post(reference, this.state.amount?.minor ?? 0, { kind, executedAfterMs }, this.now);
    switch (kind) {
      case 'answered': {
        const state = this.provider.find(reference, this.now)?.state ?? '';
        return { type: 'refundAnswered', refund: { providerRefundId: reference, state } };
      }
      case 'refused':
        return { type: 'stepDeferred', retryAt: this.now + 1_000 };
      case 'declined':
        return { type: 'stepDeclined', reason: 'declined' };
      default:
        return { type: 'outcomeUnknown', horizonAt: this.now + horizonMs };
    }
  }

  private look(): RefundEvent {
    const { reference } = this;
    const found = this.provider.find(reference, this.now, this.next(this.happenings.lags));
    if (found) return { type: 'refundAnswered', refund: { providerRefundId: reference, state: found.state } };
    const horizonAt = this.state.openStep?.horizonAt ?? Number.POSITIVE_INFINITY;
    return this.now < horizonAt ? { type: 'lookInconclusive' } : { type: 'stepProvedUndone' };
  }

  private read(): RefundEvent {
    const found = this.provider.find(this.reference, this.now, this.next(this.happenings.lags));
    if (!found) return { type: 'refundFoundMissing', lookedAt: this.now };
    const { amount = usd(0) } = this.state;
    const source = { kind: capture.kind, id: capture.id, amount: usd(capture.minor) };
    const collected = { ...source, state: found.state === 'completed' ? 'partially_refunded' : 'completed' };
    return { type: 'refundObserved', facts: { state: found.state, amount, collected, paymentId: 'pay_1' } };
  }

  private next<T>(values: readonly T[]): T {
    const value = values[this.nth++ % values.length];
    if (value === undefined) throw new Error('nothing is planned');
    return value;
  }
}

function request(n: number, minor: number): RefundPosition {
  const claim = {
    kind: 'request',
    collected: { kind: capture.kind, id: capture.id },
    amount: usd(minor),
    providerPaymentId: 'PAY-1',
  } as const;
  const command = { paymentId: 'pay_1', commandId: `re_${n}:request` };
  return { state: requestedRefund(claim, command, patience, startedAt), version: 0 };
}

/** Those that are granted, each lived to its end; asked for before any of the others has moved. */
function play(happenings: Plan): { readonly provider: ModelProvider; readonly runs: ModelRun[] } {
  const provider = new ModelProvider(happenings.settlesAs, happenings.settlesAfterMs);
  const runs: ModelRun[] = [];
  for (const [n, minor] of happenings.amounts.entries()) {
    const standing = runs.map(({ state }) => state);
    const result = evaluateRequest({ amount: usd(minor) }, [capture], standing, 'USD');
    if (result.kind === 'granted') runs.push(new ModelRun(provider, happenings, request(n, minor)));
    // Some are asked for while others are on their way, some after those have ended.
    if (n % 2 === 1) for (const run of runs) run.live();
  }
  for (const run of runs) run.live();
  return { provider, runs };
}

describe('whatever happens to its answers', () => {
  it('a refund is made at most once, and its status agrees with the books', () => {
    fc.assert(
      fc.property(plan, (happenings) => {
        const { provider, runs } = play(happenings);
        for (const [n, { state, reference }] of runs.entries()) {
          expect(isRefundTerminal(state.status), `run ${n} is ${state.status}`).toBe(true);
          expect(provider.timesMade(reference)).toBeLessThanOrEqual(1);
          const moved = provider.movedUnder(reference);
          expect(state.status === 'completed' ? state.amount?.minor : 0).toBe(moved);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('all refunds together never exceed what was captured', () => {
    fc.assert(
      fc.property(plan, (happenings) => {
        const { provider, runs } = play({ ...happenings, settlesAs: 'completed' });
        const moved = runs.reduce((sum, { reference }) => sum + provider.movedUnder(reference), 0);
        expect(moved).toBeLessThanOrEqual(capture.minor);
      }),
      { numRuns: 500 },
    );
  });
});
