import { expect } from 'vitest';
import { amountsOf } from '../../libs/workflows/src/lifecycle/amounts.js';
import { nextDeadline } from '../../libs/workflows/src/lifecycle/deadlines.js';
import {
  type Effect,
  type Instant,
  type PaymentEvent,
  type PaymentOrder,
  type PaymentState,
  isTerminal,
  orderedPayment,
} from '../../libs/workflows/src/lifecycle/payment.js';
import { type Position, advance } from '../../libs/workflows/src/lifecycle/timeline.js';
import { allowedActions, decide } from '../../libs/workflows/src/lifecycle/transition.js';
import { type Fate, ModelProvider } from './model-provider.js';
import { order, orderedAt } from './sample-payments.js';

/** More than any instant can hold: each of them leads to at most a few others. */
const mostDueAtOnce = 20;

export interface Circumstances {
  readonly asked: Partial<PaymentOrder>;
  readonly approvesAtOnce: boolean;
  /** What becomes of the first POSTs; those after them are answered. */
  readonly fates: readonly Fate[];
  /** Which of the first reads fail. */
  readonly reads: readonly boolean[];
}

/** Drives a payment as its workflow does, against books of its own, and holds it to the promises after every event. */
export class ModelRun {
  readonly provider: ModelProvider;
  now: Instant = orderedAt;
  private position: Position;
  private readonly fates: Fate[];
  private readonly reads: boolean[];

  constructor({ asked, approvesAtOnce, fates, reads }: Circumstances) {
    const ordered = order(asked);
    this.provider = new ModelProvider(approvesAtOnce, ordered.amount.minor);
    this.position = { state: orderedPayment(ordered, this.now), version: 0 };
    this.fates = [...fates];
    this.reads = [...reads];
    this.follow({ type: 'perform', step: { type: 'createPayment' } });
  }

  get state(): PaymentState {
    return this.position.state;
  }

  take(event: PaymentEvent): void {
    this.follow(this.advance(event));
    this.expectPromisesKept();
  }

  /** Lets time pass; every deadline on the way is taken at its instant. */
  waitUntil(instant: Instant): void {
    for (let deadline = nextDeadline(this.state); deadline; deadline = nextDeadline(this.state)) {
      if (deadline.at > instant) break;
      this.passTo(Math.max(this.now, deadline.at));
      this.takeWhatIsDue();
    }
    this.passTo(Math.max(this.now, instant));
  }

  waitForNextDeadline(): void {
    const deadline = nextDeadline(this.state);
    if (deadline) this.waitUntil(Math.max(this.now, deadline.at));
  }

  /** As a worker does that was away: everything overdue at one and the same instant. */
  sleepUntil(instant: Instant): void {
    this.passTo(Math.max(this.now, instant));
    this.takeWhatIsDue();
  }

  /** From here on the provider answers everything, and time runs on to the end of the payment. */
  liveOn(): void {
    this.fates.length = 0;
    this.reads.length = 0;
    for (let steps = 0; !isTerminal(this.state.status); steps += 1) {
      expect(steps, `does not end: ${JSON.stringify(this.state)}`).toBeLessThan(2000);
      this.provider.settleCaptures('completed');
      this.waitForNextDeadline();
    }
    this.passTo(this.now);
  }

  private takeWhatIsDue(): void {
    for (let taken = 0; ; taken += 1) {
      const deadline = nextDeadline(this.state);
      if (!deadline || deadline.at > this.now) return;
      expect(taken, `${deadline.event.type} is due again and again`).toBeLessThan(mostDueAtOnce);
      const before = this.position.version;
      this.take(deadline.event);
      expect(this.position.version, `${deadline.event.type} is due and told nothing new`).toBeGreaterThan(
        before,
      );
    }
  }

  private passTo(instant: Instant): void {
    this.now = instant;
    this.provider.passTo(instant);
  }

  private follow(first: Effect | undefined): void {
    for (let effect = first; effect;) effect = this.advance(this.carryOut(effect));
  }

  private carryOut(effect: Effect): PaymentEvent {
    if (effect.type === 'observe')
      return (this.reads.shift() ?? true) ? this.provider.read() : { type: 'observationFailed' };
    const { openStep } = this.state;
    if (!openStep) throw new Error('an effect without an open step');
    expect(openStep.step).toEqual(effect.step);
    if (effect.type === 'lookUp') {
      return (this.reads.shift() ?? true)
        ? this.provider.lookUp(openStep, this.now)
        : { type: 'lookInconclusive' };
    }
    this.expectNeverSentNorStillUnderWay(openStep.number, openStep.attempts);
    return this.provider.post(this.state, openStep, this.fates.shift() ?? 'answered', this.now);
  }

  private advance(event: PaymentEvent): Effect | undefined {
    const before = this.state;
    const { position, effect } = advance(this.position, event, this.now);
    if (isTerminal(before.status)) expect(position.state.status).toBe(before.status);
    this.position = position;
    return effect;
  }

  private expectNeverSentNorStillUnderWay(step: number, attempts: number): void {
    for (const post of this.provider.posts) {
      expect(post.reference, 'a POST repeats').not.toBe(`${step}-${attempts}`);
      if (post.step !== step) continue;
      expect(post.isDone, 'a step is sent again although it was done').toBe(false);
      expect(post.lateAt, 'a step is sent again although it may still be done').toSatisfy(
        (at: Instant | undefined) => at === undefined || at <= this.now,
      );
    }
  }

  private expectPromisesKept(): void {
    const { state, provider } = this;
    const { authorized, captured, pending, capturable } = amountsOf(state);
    const ordered = state.order.amount.minor;
    expect(provider.moved, 'the books show more than was authorized').toBeLessThanOrEqual(ordered);
    expect(captured + pending + capturable).toBeLessThanOrEqual(authorized);
    expect(captured, 'more is called captured than the books show').toBeLessThanOrEqual(provider.captured);
    expect(state.openStep?.phase, 'an answered step runs on').not.toBe('running');
    if (!isTerminal(state.status)) expect(nextDeadline(state), 'a payment is forgotten').toBeDefined();
    this.expectActionsToBeTaken();
  }

  private expectActionsToBeTaken(): void {
    const allowed = allowedActions(this.state, this.now);
    const capture = decide(this.state, { type: 'captureRequested', commandId: 'ask', minor: 1 }, this.now);
    const voiding = decide(this.state, { type: 'voidRequested', commandId: 'ask' }, this.now);
    expect(allowed.includes('capture')).toBe(capture.kind === 'moved');
    expect(allowed.includes('void')).toBe(voiding.kind === 'moved');
    expect(capture.kind === 'moved' || capture.kind === 'refused').toBe(true);
    expect(voiding.kind === 'moved' || voiding.kind === 'refused').toBe(true);
  }
}
