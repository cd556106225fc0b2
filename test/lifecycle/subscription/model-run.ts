import { expect } from 'vitest';
import type { Instant } from '../../../libs/workflows/src/lifecycle/lifecycle.js';
import { type Position, advance } from '../../../libs/workflows/src/lifecycle/progress.js';
import { nextDeadline } from '../../../libs/workflows/src/lifecycle/subscription/deadlines.js';
import type { DecidedReview } from '../../../libs/workflows/src/lifecycle/step/review.js';
import { eventOnWord, isReadRequired } from '../../../libs/workflows/src/lifecycle/subscription/review.js';
import { judgeHappened, judgeUndone } from '../../../apps/worker/src/steps/decision-verdict.js';
import { subscriptionLifecycle } from '../../../libs/workflows/src/lifecycle/subscription/lifecycle.js';
import {
  type AgreementFacts,
  type SubscriptionEffect,
  type SubscriptionEvent,
  type SubscriptionState,
  type SubscriptionStep,
  isTerminal,
  orderedSubscription,
} from '../../../libs/workflows/src/lifecycle/subscription/subscription.js';
import { day, order, orderedAt, patience } from './sample-subscriptions.js';

/** What becomes of a POST: it is answered, or carried out or not without an answer, or put off. */
export const fates = ['answered', 'answered', 'lost after', 'lost before', 'put off'] as const;
export type Fate = (typeof fates)[number];

export const month = 30 * day;
const cycles = 12;
const readsLagMs = patience.outcomeHorizonMs / 2;

interface Standing {
  readonly at: Instant;
  readonly shown: string;
  readonly completed: number;
}

/** The provider's own books: one agreement for each token that was executed. */
export class ModelProvider {
  hasPayerApproved = false;
  readonly executed = new Set<string>();
  private tokens = 0;
  private readonly past: Standing[] = [];
  private nextBillingAt = Number.POSITIVE_INFINITY;

  get standing(): Standing | undefined {
    return this.past.at(-1);
  }

  newToken(): string {
    this.tokens += 1;
    return `EC-${this.tokens}`;
  }

  execute(token: string, at: Instant): boolean {
    if (!this.hasPayerApproved) return false;
    if (this.executed.has(token)) return true;
    this.executed.add(token);
    this.nextBillingAt = at + day;
    this.become(at, 'Active');
    return true;
  }

  /** @returns false where its state excludes the change. */
  change(to: 'Suspended' | 'Active' | 'Cancelled', at: Instant): boolean {
    const shown = this.standing?.shown;
    const isPossible =
      to === 'Suspended'
        ? shown === 'Active'
        : to === 'Active'
          ? shown === 'Suspended'
          : shown === 'Active' || shown === 'Suspended';
    if (isPossible) this.become(at, to);
    return isPossible;
  }

  /** Bills what has fallen due; what passes while it is suspended is put off. */
  billUntil(at: Instant): void {
    while (this.nextBillingAt <= at) {
      const due = this.nextBillingAt;
      this.nextBillingAt += month;
      if (this.standing?.shown !== 'Active') continue;
      const completed = this.standing.completed + 1;
      this.past.push({ at: due, shown: completed === cycles ? 'Expired' : 'Active', completed });
    }
  }

  /** @param lags whether the read shows what was a while ago. */
  read(at: Instant, lags: boolean): AgreementFacts | undefined {
    const seen = lags ? this.past.findLast((standing) => standing.at <= at - readsLagMs) : this.standing;
    return seen && {
      agreementId: 'I-1',
      shown: seen.shown,
      billing: {
        updatedAt: seen.at,
        cyclesCompleted: seen.completed,
        ...(seen.shown === 'Active' && { nextBillingAt: this.nextBillingAt }),
        outstandingMinor: 0,
        failedPayments: 0,
      },
    }; // prettier-ignore
  }

  private become(at: Instant, shown: string): void {
    this.past.push({ at, shown, completed: this.standing?.completed ?? 0 });
  }
}

/** Drives a subscription as its workflow does, and holds it to its promises after every event. */
export class ModelRun {
  readonly provider = new ModelProvider();
  now: Instant = orderedAt;
  private position: Position<SubscriptionState> = {
    state: orderedSubscription(order, orderedAt),
    version: 0,
  };

  constructor(
    private readonly fateList: Fate[],
    private readonly reads: ('fresh' | 'lagging' | 'failed')[],
  ) {
    this.follow({ type: 'perform', step: { type: 'createAgreement' } });
  }

  /** From now on every call is answered, and every read is fresh. */
  calm(): void {
    this.fateList.length = 0;
    this.reads.length = 0;
  }

  /** The next call is not answered and nothing can be read, for long enough that a person is asked. */
  fallSilent(fate: 'lost after' | 'lost before'): void {
    this.fateList.unshift(fate);
    this.reads.unshift(...Array.from({ length: 12 }, () => 'failed' as const));
  }

  get state(): SubscriptionState {
    return this.position.state;
  }

  send(event: SubscriptionEvent): void {
    this.provider.billUntil(this.now);
    const effect = this.take(event);
    if (effect) this.follow(effect);
  }

  /** Passes the time with everything that falls due in it. */
  waitUntil(at: Instant): void {
    for (let due = nextDeadline(this.state); due && due.at <= at; due = nextDeadline(this.state)) {
      this.now = Math.max(this.now, due.at);
      this.send(due.event);
    }
    this.now = Math.max(this.now, at);
    this.provider.billUntil(this.now);
  }

  private take(event: SubscriptionEvent): SubscriptionEffect | undefined {
    const before = this.state;
    const { position, effect } = advance(subscriptionLifecycle, this.position, event, this.now);
    this.position = position;
    if (isTerminal(before.status)) expect(position.state).toBe(before);
    expect(this.provider.executed.size).toBeLessThanOrEqual(1);
    expect(position.state.billing?.cyclesCompleted ?? 0).toBeGreaterThanOrEqual(
      before.billing?.cyclesCompleted ?? 0,
    );
    return effect;
  }

  private follow(first: SubscriptionEffect): void {
    let effect: SubscriptionEffect | undefined = first;
    while (effect) effect = this.take(this.carryOut(effect));
  }

  private carryOut(effect: SubscriptionEffect): SubscriptionEvent {
    if (effect.type === 'perform') return this.perform(effect.step);
    const read = this.reads.shift() ?? 'fresh';
    if (effect.type === 'observe') {
      const facts = read === 'failed' ? undefined : this.provider.read(this.now, read === 'lagging');
      return facts ? { type: 'agreementObserved', facts } : { type: 'observationFailed' };
    }
    return effect.type === 'lookUp'
      ? this.lookUp(effect.step, effect.horizonAt, read)
      : this.verify(effect.decided, read);
  }

  /** As verifyStep does. */
  private verify(decided: DecidedReview, read: string): SubscriptionEvent {
    const { openStep } = this.state;
    if (!openStep) throw new Error('nothing is under review');
    const { step } = openStep;
    const seen = this.look(step, read);
    const verdict =
      decided.decision === 'happened'
        ? judgeHappened(seen, { kind: 'unreadable' }, eventOnWord(step), decided)
        : judgeUndone(seen, openStep, decided, {
            lookedAt: this.now,
            isReadRequired: isReadRequired(step),
          });
    if ('event' in verdict) return verdict.event;
    const { refused: code, reason } = verdict;
    return { type: 'decisionRefused', commandId: decided.commandId, code, reason };
  }

  private perform(step: SubscriptionStep): SubscriptionEvent {
    const fate = this.fateList.shift() ?? 'answered';
    if (fate === 'put off') return { type: 'stepDeferred', retryAt: this.now + patience.firstRetryMs };
    const answer = fate === 'lost before' ? undefined : this.provide(step);
    const isLost = fate === 'lost before' || fate === 'lost after';
    if (isLost || !answer) return { type: 'outcomeUnknown', horizonAt: this.now + patience.outcomeHorizonMs };
    return answer;
  }

  private provide(step: SubscriptionStep): SubscriptionEvent {
    switch (step.type) {
      case 'createAgreement':
        return {
          type: 'agreementCreated',
          token: this.provider.newToken(),
          approvalUrl: 'https://provider.example/',
        };
      case 'executeAgreement':
        return this.provider.execute(this.state.token ?? '', this.now)
          ? this.executed()
          : { type: 'approvalFoundMissing' };
      case 'suspendAgreement':
        return this.provider.change('Suspended', this.now) ? { type: 'agreementSuspended' } : refused;
      case 'reactivateAgreement':
        return this.provider.change('Active', this.now) ? { type: 'agreementReactivated' } : refused;
      case 'cancelAgreement':
        return this.provider.change('Cancelled', this.now) ? { type: 'agreementCancelled' } : refused;
    }
  }

  private lookUp(step: SubscriptionStep, horizonAt: Instant, read: string): SubscriptionEvent {
    const seen = this.look(step, read);
    if (typeof seen !== 'string') return seen;
    const isProved = seen === 'absent' && this.now >= horizonAt;
    return { type: isProved ? 'stepProvedUndone' : 'lookInconclusive' };
  }

  private look(step: SubscriptionStep, read: string): SubscriptionEvent | 'absent' | 'unreadable' {
    if (step.type === 'createAgreement') return { type: 'creationLost' };
    const { readsSettleAt = 0 } = this.state;
    if (read === 'failed' || (step.type !== 'executeAgreement' && this.now < readsSettleAt))
      return 'unreadable';
    const facts = this.provider.read(this.now, read === 'lagging');
    if (step.type === 'executeAgreement') return facts ? { type: 'agreementExecuted', facts } : 'absent';
    const [wanted, event] = outcomes[step.type];
    if (facts?.shown === wanted) return event;
    return facts?.shown === 'Cancelled' || facts?.shown === 'Expired' ? refused : 'absent';
  }

  private executed(): SubscriptionEvent {
    const facts = this.provider.read(this.now, false);
    return facts ? { type: 'agreementExecuted', facts } : { type: 'approvalFoundMissing' };
  }
}

const refused = { type: 'stepDeclined', reason: 'The provider refused it (INVALID_STATUS).' } as const;

const outcomes = {
  suspendAgreement: ['Suspended', { type: 'agreementSuspended' }],
  reactivateAgreement: ['Active', { type: 'agreementReactivated' }],
  cancelAgreement: ['Cancelled', { type: 'agreementCancelled' }],
} as const;
