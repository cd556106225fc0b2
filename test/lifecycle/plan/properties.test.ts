import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planLifecycle, restartFrom } from '#workflows/lifecycle/plan';
import type { PlanEffect, PlanEvent, PlanState, PlanStep } from '#workflows/lifecycle/plan/plan.js';
import { type Position, advance } from '#workflows/lifecycle';
import { now as orderedAt } from '../subscription/sample-subscriptions.js';
import { plan } from './sample-plans.js';

/** Of the model: a call is executed at most so late, a read is at most so old; together they stay below the horizon. */
const longestDelayMs = 3_000;
const longestLagMs = 2_000;
const horizonMs = 6_000;

type PostResult = 'answered' | 'lost' | 'dropped' | 'refused' | 'declined';

const happenings = fc.record({
  postResults: fc.array(
    fc.constantFrom<PostResult>('answered', 'lost', 'lost', 'dropped', 'refused', 'declined'),
    {
      minLength: 12,
      maxLength: 12,
    },
  ),
  delays: fc.array(fc.nat(longestDelayMs), { minLength: 12, maxLength: 12 }),
  lags: fc.array(fc.nat(longestLagMs), { minLength: 40, maxLength: 40 }),
  unreadable: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
  restarts: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
});
type Happenings = typeof happenings extends fc.Arbitrary<infer T> ? T : never;

/** The provider's plans of one reference by the instants of their creation, and when one was activated. */
class ModelRun {
  readonly createdAt: number[] = [];
  readonly activatedAt: number[] = [];
  private readonly drawn = new Map<readonly unknown[], number>();
  private now = orderedAt;
  private position: Position<PlanState>;

  constructor(private readonly planned: Happenings) {
    const ordered = plan('creating');
    const patience = { ...ordered.order.patience, outcomeHorizonMs: horizonMs, maxAttempts: 12 };
    this.position = { state: { ...ordered, order: { ...ordered.order, patience } }, version: 0 };
  }

  get state(): PlanState {
    return this.position.state;
  }

  live(): this {
    this.follow({ type: 'perform', step: { type: 'createPlan' } });
    for (let turns = 0; turns < 400 && this.state.openStep; turns += 1) {
      const deadline = planLifecycle.nextDeadline(this.state);
      if (!deadline) throw new Error(`nothing is due, and it is ${this.state.status}`);
      this.now = Math.max(this.now, deadline.at);
      if (this.draw(this.planned.restarts)) this.position = restartFrom(this.position, this.now).position;
      else this.take(deadline.event);
    }
    return this;
  }

  private take(event: PlanEvent): void {
    const { position, effect } = advance(planLifecycle, this.position, event, this.now);
    this.position = position;
    if (effect) this.follow(effect);
  }

  private follow(effect: PlanEffect): void {
    if (effect.type === 'perform') this.take(this.perform(effect.step));
    else if (effect.type === 'lookUp') this.take(this.look(effect.step));
  }

  private perform({ type }: PlanStep): PlanEvent {
    const done = type === 'createPlan' ? this.createdAt : this.activatedAt;
    switch (this.draw(this.planned.postResults)) {
      case 'answered':
        done.push(this.now);
        return this.doneEvent(type);
      case 'lost':
        done.push(this.now + this.draw(this.planned.delays));
        return { type: 'outcomeUnknown', horizonAt: this.now + horizonMs };
      case 'dropped':
        return { type: 'outcomeUnknown', horizonAt: this.now + horizonMs };
      case 'refused':
        return { type: 'stepDeferred', retryAt: this.now + 1_000 };
      case 'declined':
        return { type: 'stepDeclined', reason: 'The provider refused it.' };
    }
  }

  private look({ type }: PlanStep): PlanEvent {
    const asOf = this.now - this.draw(this.planned.lags);
    const horizonAt = this.state.openStep?.horizonAt ?? Number.POSITIVE_INFINITY;
    if (this.draw(this.planned.unreadable)) return { type: 'lookInconclusive' };
    const done = type === 'createPlan' ? this.createdAt : this.activatedAt;
    if (done.some((at) => at <= asOf)) return this.doneEvent(type);
    return this.now < horizonAt ? { type: 'lookInconclusive' } : { type: 'stepProvedUndone' };
  }

  private doneEvent(type: PlanStep['type']): PlanEvent {
    return type === 'createPlan'
      ? { type: 'planCreated', providerPlanId: 'P-1', facts: { shown: 'CREATED' } }
      : { type: 'planActivated' };
  }

  private draw<T>(values: readonly T[]): T {
    const nth = this.drawn.get(values) ?? 0;
    this.drawn.set(values, nth + 1);
    const value = values[nth % values.length];
    if (value === undefined) throw new Error('nothing is planned');
    return value;
  }
}

const check = (holds: (run: ModelRun) => void) =>
  fc.assert(
    fc.property(happenings, (planned) => holds(new ModelRun(planned).live())),
    { numRuns: 2_000 },
  );

describe('a plan, whatever happens to its calls', () => {
  it('is created once at the provider, and activated there when it is said to be active', () => {
    check(({ state, createdAt, activatedAt }) => {
      expect(createdAt.length).toBeLessThanOrEqual(1);
      if (state.status !== 'active') return;
      expect(createdAt).toHaveLength(1);
      expect(activatedAt.length).toBeGreaterThanOrEqual(1);
    });
  });

  it('ends its steps, and is declined only when the provider refused it or does not answer', () => {
    check(({ state, createdAt }) => {
      expect(['active', 'declined']).toContain(state.status);
      // Of a creation that was given up there is nothing at the provider that nobody knows of.
      if (state.status === 'declined' && state.providerPlanId === undefined) expect(createdAt).toEqual([]);
    });
  });
});
