import { type Instant, type Position, advance } from '#workflows/lifecycle';
import {
  bookReadSince,
  isBookOwed,
  changeShown,
  mayLackFailure,
  eventOnWord,
  isReadRequired,
  subscriptionLifecycle,
} from '#workflows/lifecycle/subscription';
import { nextDeadline } from '#workflows/lifecycle/subscription/deadlines.js';
import type { DecidedReview } from '#workflows/lifecycle/step';
import { verifyHappened, verifyUndone } from '#worker/steps/reviews/decision-result.js';
import {
  type AgreementFacts,
  type SubscriptionEffect,
  type SubscriptionEvent,
  type SubscriptionState,
  type SubscriptionStep,
  isTerminal,
  orderedSubscription,
} from '#workflows/lifecycle/subscription/subscription.js';
import { lacksLatest } from '#worker/provider/unconfirmed-payments.js';
import { ModelBilling } from './model-billing.js';
import { type Collection, ModelProvider, type Payment } from './model-provider.js';
import { order, orderedAt, patience } from './sample-subscriptions.js';

/** What becomes of a POST: it is answered, or carried out or not without an answer, or put off. */
export const postResults = ['answered', 'answered', 'lost after', 'lost before', 'put off'] as const;
export type PostResult = (typeof postResults)[number];

/** What a read shows; a list of payments can lag behind its agreement. */
export const readResults = ['fresh', 'lagging', 'lagging list', 'failed'] as const;
export type ReadResult = (typeof readResults)[number];

/** Drives a subscription as its workflow does, and holds it to its promises after every event. */
export class ModelRun {
  readonly provider: ModelProvider;
  now: Instant = orderedAt;
  /** As the rows keep it: by the instant of a payment. */
  readonly book = new Map<Instant, Payment>();
  /** Before the first attempt of the step that is open. */
  private seenUpdatedAt: Instant | undefined;
  private readonly billing: ModelBilling;
  private position: Position<SubscriptionState> = {
    state: orderedSubscription(order, orderedAt),
    version: 0,
  };

  constructor(
    private readonly postResultList: PostResult[],
    private readonly reads: ReadResult[],
    { collections = [], feeFailure }: { collections?: Collection[]; feeFailure?: 'continue' | 'cancel' } = {},
  ) {
    this.provider = new ModelProvider(collections, feeFailure);
    this.billing = new ModelBilling(this.provider, (read = this.reads.shift()) => this.readAs(read));
    this.follow({ type: 'perform', step: { type: 'createAgreement' } });
  }

  /** From now on every call is answered, and every read is fresh. */
  calm(): void {
    this.postResultList.length = 0;
    this.reads.length = 0;
  }

  /** The next call is not answered and nothing can be read, for long enough that a person is asked. */
  fallSilent(postResult: 'lost after' | 'lost before'): void {
    this.postResultList.unshift(postResult);
    this.reads.unshift(...Array.from({ length: 12 }, () => 'failed' as const));
  }

  get state(): SubscriptionState {
    return this.position.state;
  }

  /** Nothing reads it any more, unless an event starts a run that does. */
  get isClosed(): boolean {
    return isTerminal(this.state.status) && !isBookOwed(this.state);
  }

  send(event: SubscriptionEvent): void {
    this.provider.billUntil(this.now);
    const effect = this.take(event);
    if (effect) this.follow(effect);
  }

  /** Passes the time with everything that falls due in it. */
  waitUntil(at: Instant): void {
    for (let due = nextDeadline(this.state); due && due.at <= at; due = nextDeadline(this.state)) {
      if (this.isClosed) break;
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
    // Not by `expect`: it is asked a million times.
    const isUndone = isTerminal(before.status) && position.state.status !== before.status;
    if (isUndone) throw new Error(`${before.status} was undone`);
    this.billing.check(before, event);
    if (this.provider.executed.size > 1) throw new Error('two agreements were executed');
    if (cyclesIn(position.state) < cyclesIn(before)) throw new Error('cycles were lost');
    return effect;
  }

  private follow(first: SubscriptionEffect): void {
    let effect: SubscriptionEffect | undefined = first;
    while (effect) effect = this.take(this.carryOut(effect));
  }

  private carryOut(effect: SubscriptionEffect): SubscriptionEvent {
    if (effect.type === 'perform') return this.perform(effect.step);
    const read = this.reads.shift() ?? 'fresh';
    if (effect.type === 'observe') return this.observe(read);
    return effect.type === 'lookUp'
      ? this.lookUp(effect.step, effect.horizonAt, read)
      : this.verify(effect.decided, read);
  }

  /** As observeAgreement does. */
  private observe(read: string): SubscriptionEvent {
    const seen = read === 'failed' ? undefined : this.provider.read(this.now, read === 'lagging');
    if (!seen) return { type: 'observationFailed' };
    const { facts } = seen;
    const since = bookReadSince(this.state, facts.billing, orderedAt);
    if (since === undefined) return { type: 'agreementObserved', facts };
    const listed =
      read === 'lagging list' ? (this.provider.read(this.now, true)?.payments ?? []) : seen.payments;
    const isDoubted = this.isLatestMissing(listed, facts, since);
    const mayLack = mayLackFailure(this.state, facts.billing) || (isDoubted && !this.state.confirmAt);
    const event = { type: 'agreementObserved', facts, ...(mayLack && { mayLackPayments: mayLack }) } as const;
    if (isDoubted) return event;
    for (const payment of listed) if (payment.at >= since) this.book.set(payment.at, payment);
    const payments = [...this.book.values()];
    const oldestPendingAt = payments.find(({ status }) => status === 'pending')?.at;
    const hasPaid = payments.some(({ status }) => status === 'completed' || status === 'refunded');
    const book = { hasPaid, ...(oldestPendingAt !== undefined && { oldestPendingAt }) };
    return { ...event, book };
  }

  private isLatestMissing(listed: readonly Payment[], { billing }: AgreementFacts, since: Instant): boolean {
    const payments = listed
      .filter(({ at }) => at >= since)
      .map((payment) => ({ ...payment, transactionId: '', isSale: true, at: new Date(payment.at) }));
    return lacksLatest(this.state, { payments, billing, since, readAt: this.now });
  }

  /** As verifyStep does. */
  private verify(decided: DecidedReview, read: string): SubscriptionEvent {
    const { openStep } = this.state;
    if (!openStep) throw new Error('nothing is under review');
    const { step } = openStep;
    const seen = this.look(step, read);
    const result =
      decided.decision === 'happened'
        ? verifyHappened(seen, { kind: 'unreadable' }, eventOnWord(step), decided)
        : verifyUndone(seen, openStep, decided, {
            lookedAt: this.now,
            isReadRequired: isReadRequired(step),
          });
    if ('event' in result) {
      this.billing.isOnWord = decided.isUnverified === true;
      return result.event;
    }
    const { refused: code, reason } = result;
    return { type: 'decisionRefused', commandId: decided.commandId, code, reason };
  }

  private perform(step: SubscriptionStep): SubscriptionEvent {
    if (this.state.openStep?.attempts === 0) {
      this.seenUpdatedAt = this.provider.read(this.now, false)?.facts.billing.updatedAt;
    }
    if ('minor' in step && !this.billing.remember(this.state, step)) {
      return { type: 'stepDeferred', retryAt: this.now + patience.firstRetryMs };
    }
    if (step.type === 'setBalance' && !this.billing.isLowered(step)) return refused;
    const postResult = this.postResultList.shift() ?? 'answered';
    if (postResult === 'put off') return { type: 'stepDeferred', retryAt: this.now + patience.firstRetryMs };
    const answer = postResult === 'lost before' ? undefined : this.provide(step);
    const isLost = postResult === 'lost before' || postResult === 'lost after';
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
      case 'billBalance':
        return this.provider.billBalance(step.commandId, step.minor, this.now)
          ? { type: 'balanceBilled' }
          : refused;
      case 'setBalance':
        return this.provider.setBalance(step.commandId, step.minor, this.now)
          ? { type: 'balanceSet' }
          : refused;
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
    if (read === 'failed') return 'unreadable';
    if ('minor' in step) return this.billing.look(this.state, step, read);
    const facts = this.provider.read(this.now, read === 'lagging')?.facts;
    if (step.type === 'executeAgreement') return facts ? { type: 'agreementExecuted', facts } : 'absent';
    return facts ? changeShown(this.state, facts, this.seenUpdatedAt, this.now) : 'absent';
  }

  private readAs(read = 'fresh') {
    return read === 'failed' ? undefined : this.provider.read(this.now, read === 'lagging');
  }

  private executed(): SubscriptionEvent {
    const facts = this.provider.read(this.now, false)?.facts;
    return facts ? { type: 'agreementExecuted', facts } : { type: 'approvalFoundMissing' };
  }
}

function cyclesIn({ billing }: SubscriptionState): number {
  return billing?.cyclesCompleted ?? 0;
}

const refused = { type: 'stepDeclined', reason: 'The provider refused it (INVALID_STATUS).' } as const;
