import { expect } from 'vitest';
import {
  nameOfStep,
  type DecidedReview,
  type PaymentState,
  isSale,
  isTerminal,
  orderedPayment,
} from '#workflows/lifecycle/payment';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import type { DecisionRefusal } from '#workflows/lifecycle/step';
import type { Instant } from '#workflows/lifecycle';
import type { Effect, PaymentEvent } from '#workflows/lifecycle/payment/event.js';
import { type Position, advance } from '#workflows/lifecycle/payment/lifecycle.js';
import type { Circumstances, Crash } from './model-circumstances.js';
import { expectNeverSentNorStillUnderWay, expectPromisesKept } from './model-promises.js';
import { type PostResult, ModelProvider } from './model-provider.js';
import { order, orderedAt } from './sample-payments.js';

/** More than any instant can hold: each of them leads to at most a few others. */
const mostDueAtOnce = 20;

class WorkerDied extends Error {}

/** An attempt's row: it outlives the worker. */
interface AttemptRow {
  readonly horizonAt: Instant;
  outcome?: PaymentEvent;
}

/** Drives a payment as its workflow does, against books of its own, and holds it to the promises after every event. */
export class ModelRun {
  readonly provider: ModelProvider;
  now: Instant = orderedAt;
  private position: Position;
  private sent = 0;
  private readonly postResults: PostResult[];
  private readonly reads: boolean[];
  private readonly crashes: Crash[];
  private readonly persistsTransitions: boolean;
  /** Where the next worker goes on: what Temporal has persisted. */
  private checkpoint: { readonly position: Position; readonly effect?: Effect };
  private readonly attempts = new Map<string, AttemptRow>();

  constructor({
    asked,
    approvesAtOnce,
    keepsId = true,
    postResults,
    reads,
    crashes,
    persistsTransitions,
  }: Circumstances) {
    this.persistsTransitions = persistsTransitions;
    const ordered = order(asked);
    this.provider = new ModelProvider(approvesAtOnce, ordered.amount.minor, isSale(ordered), keepsId);
    this.position = { state: orderedPayment(ordered, this.now), version: 0 };
    this.postResults = [...postResults];
    this.reads = [...reads];
    this.crashes = [...crashes];
    this.checkpoint = { position: this.position };
    this.carryThrough(() => ({ type: 'perform', step: { type: 'createPayment' } }), 'history');
  }

  get state(): PaymentState {
    return this.position.state;
  }

  send(sent: PaymentEvent): void {
    this.sent += 1;
    const event = 'commandId' in sent ? { ...sent, commandId: `cmd_${this.sent}` } : sent;
    this.carryThrough(() => this.advance(event), 'history');
    expectPromisesKept(this.state, this.provider, this.now);
  }

  /** Lets time pass; every deadline on the way is taken at its instant. */
  waitUntil(instant: Instant): void {
    for (let deadline = nextDeadline(this.state); deadline; deadline = nextDeadline(this.state)) {
      if (deadline.at > instant) break;
      this.passTo(Math.max(this.now, deadline.at));
      if (!this.takeWhatIsDue()) return;
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
    this.postResults.length = 0;
    this.reads.length = 0;
    this.crashes.length = 0;
    for (let steps = 0; !isTerminal(this.state.status); steps += 1) {
      expect(steps, `does not end: ${JSON.stringify(this.state)}`).toBeLessThan(2000);
      this.provider.finishCaptures('completed');
      this.waitForNextDeadline();
    }
    this.passTo(this.now);
  }

  private takeWhatIsDue(): boolean {
    for (let taken = 0; ; taken += 1) {
      const deadline = nextDeadline(this.state);
      if (!deadline || deadline.at > this.now) return true;
      expect(taken, `${deadline.event.type} is due again and again`).toBeLessThan(mostDueAtOnce);
      const before = this.position.version;
      if (!this.carryThrough(() => this.advance(deadline.event), 'clock')) return false;
      expectPromisesKept(this.state, this.provider, this.now);
      expect(this.position.version, `${deadline.event.type} is due and told nothing new`).toBeGreaterThan(
        before,
      );
    }
  }

  /**
   * Follows an event through as many workers as it takes. What stands in the history (the start, a message) is taken
   * again first of all; a deadline is taken again only if no message has come meanwhile, which is for the caller to say.
   *
   * @returns false when a worker died and left nothing that the next one is bound to go on with.
   */
  private carryThrough(take: () => Effect | undefined, cause: 'history' | 'clock'): boolean {
    this.checkpoint = { position: this.position };
    for (;;) {
      const { effect } = this.checkpoint;
      try {
        this.follow(effect ?? take(), cause === 'history' || effect !== undefined);
        return true;
      } catch (error) {
        if (!(error instanceof WorkerDied)) throw error;
        this.position = this.checkpoint.position;
        if (cause === 'clock' && !this.checkpoint.effect) return false;
      }
    }
  }

  private passTo(instant: Instant): void {
    this.now = instant;
    this.provider.passTo(instant);
  }

  private follow(first: Effect | undefined, isCauseDurable: boolean): void {
    let isDurable = isCauseDurable;
    let effect = first;
    while (effect) {
      if (effect.type === 'perform' && !isDurable && this.persistsTransitions) {
        this.checkpoint = { position: this.position, effect };
      }
      const outcome = this.carryOut(effect);
      // An attempt's outcome is in its row; a read may show something else the next time.
      isDurable = effect.type !== 'observe';
      effect = this.advance(outcome);
    }
  }

  private carryOut(effect: Effect): PaymentEvent {
    if (effect.type === 'observe')
      return (this.reads.shift() ?? true) ? this.provider.read() : { type: 'observationFailed' };
    if (effect.type === 'verifyDecision') return this.verify(effect.decided);
    const { openStep } = this.state;
    const crash = this.crashes.shift() ?? 'none';
    if (!openStep) throw new Error('an effect without an open step');
    expect(openStep.step).toEqual(effect.step);
    const name = `${nameOfStep(openStep)}/${openStep.attempts}`;
    const row = this.attempts.get(name);
    if (effect.type === 'lookUp') {
      if (!row) throw new Error('a step in doubt has no attempt');
      const isRead = this.reads.shift() ?? true;
      const found = isRead
        ? this.provider.lookUp(this.state, openStep, this.now)
        : ({ type: 'lookInconclusive' } as const);
      return found.type === 'lookInconclusive' ? found : this.finish(row, found, crash);
    }
    // Begun before: never sent again from here.
    if (row) return this.finish(row, { type: 'outcomeUnknown', horizonAt: row.horizonAt }, crash);
    expectNeverSentNorStillUnderWay(this.provider, openStep, this.now);
    const begun: AttemptRow = { horizonAt: this.now + this.state.order.patience.outcomeHorizonMs };
    this.attempts.set(name, begun);
    return this.finish(
      begun,
      this.provider.post(this.state, openStep, this.postResults.shift() ?? 'answered', this.now),
      crash,
    );
  }

  /** As the worker holds a decision against the provider: what a look shows goes before what a person says. */
  private verify({ commandId, decision }: DecidedReview): PaymentEvent {
    const { openStep } = this.state;
    const row = openStep && this.attempts.get(`${nameOfStep(openStep)}/${openStep.attempts}`);
    if (!openStep || !row) throw new Error('a decision about no attempt');
    const crash = this.crashes.shift() ?? 'none';
    const found = this.provider.lookUp(this.state, openStep, this.now);
    const refused = (code: DecisionRefusal): PaymentEvent => ({
      type: 'decisionRefused',
      commandId,
      code,
      reason: 'as the provider shows',
    });
    if (found.type === 'lookInconclusive') return refused('too_early');
    const isUndone = found.type === 'stepProvedUndone' || found.type === 'stepDeclined';
    if (isUndone !== (decision === 'did_not_happen')) return refused('contradicted_by_provider');
    return this.finish(row, isUndone ? { type: 'stepDecidedUndone', reason: 'decided' } : found, crash);
  }

  /** Only what is open or in doubt takes an outcome; an outcome that is recorded already counts. */
  private finish(row: AttemptRow, outcome: PaymentEvent, crash: Crash): PaymentEvent {
    if (crash === 'before the outcome is written') throw new WorkerDied();
    if (!row.outcome || row.outcome.type === 'outcomeUnknown') row.outcome = outcome;
    if (crash === 'after the outcome is written') throw new WorkerDied();
    return row.outcome;
  }

  private advance(event: PaymentEvent): Effect | undefined {
    const before = this.state;
    const { position, effect } = advance(this.position, event, this.now);
    if (isTerminal(before.status)) expect(position.state.status).toBe(before.status);
    this.position = position;
    return effect;
  }
}
