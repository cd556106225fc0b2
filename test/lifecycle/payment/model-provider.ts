import type { Instant } from '#workflows/lifecycle';
import {
  type MoneyStep,
  type OpenStep,
  type PaymentState,
  type PaymentEvent,
  reauthorizationIn,
  nameOfStep,
} from '#workflows/lifecycle/payment';
import { ModelBooks, withoutState } from './model-books.js';
import { day } from './sample-payments.js';

/** What becomes of a POST. Everything but an answer, a decline and a deferral leaves the sender without a reply. */
export const postResults = [
  'answered',
  'answered as pending',
  'declined',
  'deferred',
  'deferred for weeks',
  'request lost',
  'reply lost',
  'executed late',
] as const;
export type PostResult = (typeof postResults)[number];

interface Post {
  readonly step: string;
  readonly reference: string;
  /** The hold that it goes to, and when that was last changed, as the worker sees it before the POST. */
  readonly authorizationId: string | undefined;
  readonly seenUpdatedAt: Instant | undefined;
  isDone: boolean;
  /** When it will be executed although nobody waits for its answer any more. */
  lateAt?: Instant;
}

/**
 * A provider reduced to its books. It is more credulous than a real one: it captures whatever it is told to, as long as
 * the authorization is open, so that only the engine's own care keeps the sum within what was authorized.
 */
export class ModelProvider extends ModelBooks {
  readonly posts: Post[] = [];
  private isCreated = false;
  private late: { readonly at: Instant; readonly run: () => void }[] = [];

  constructor(
    private readonly approvesAtOnce: boolean,
    minor: number,
    isSale = false,
    keepsId = true,
  ) {
    super(minor, isSale, keepsId);
  }

  /** Lets the late executions and the expiry of the window happen that time has brought. */
  passTo(now: Instant): void {
    const due = this.late.filter(({ at }) => at <= now);
    this.late = this.late.filter(({ at }) => at > now);
    for (const { run } of due) run();
    if (this.authorization && this.isOpen && now >= this.authorization.validUntil) {
      this.authorization.state = 'expired';
    }
  }

  post(state: PaymentState, openStep: OpenStep, postResult: PostResult, now: Instant): PaymentEvent {
    const { attempts, step } = openStep;
    const name = nameOfStep(openStep);
    const post: Post = {
      step: name,
      reference: `${name}/${attempts}`,
      authorizationId: state.authorization?.authorizationId,
      seenUpdatedAt: this.authorization?.changedAt,
      isDone: false,
    };
    this.posts.push(post);
    const { outcomeHorizonMs } = state.order.patience;
    const unknown: PaymentEvent = { type: 'outcomeUnknown', horizonAt: now + outcomeHorizonMs };
    switch (postResult) {
      case 'answered':
      case 'answered as pending':
        return this.execute(post, step, now, postResult === 'answered' ? 'completed' : 'pending');
      case 'declined':
        return { type: 'stepDeclined', reason: 'declined' };
      case 'deferred':
        return { type: 'stepDeferred', retryAt: now + 1000 };
      case 'deferred for weeks':
        return { type: 'stepDeferred', retryAt: now + 27 * day };
      case 'request lost':
        return unknown;
      case 'reply lost':
        this.execute(post, step, now, 'completed');
        return unknown;
      case 'executed late': {
        const at = now + outcomeHorizonMs - 1;
        post.lateAt = at;
        this.late.push({ at, run: () => this.execute(post, step, at, 'completed') });
        return unknown;
      }
    }
  }

  /** As the worker looks outcomes up: by reference, and absence proves only from the horizon on. */
  lookUp(state: PaymentState, openStep: OpenStep, now: Instant): PaymentEvent {
    const found =
      openStep.step.type === 'reauthorizeAuthorization'
        ? this.findReauthorization(state, nameOfStep(openStep))
        : this.find(nameOfStep(openStep), openStep.step);
    if (found) return found;
    return now < openStep.horizonAt ? { type: 'lookInconclusive' } : { type: 'stepProvedUndone' };
  }

  read(): PaymentEvent {
    return { type: 'providerObserved', facts: this.facts() };
  }

  private execute(post: Post, step: MoneyStep, now: Instant, status: 'completed' | 'pending'): PaymentEvent {
    const refused: PaymentEvent = { type: 'stepDeclined', reason: 'refused in this state' };
    switch (step.type) {
      case 'createPayment':
        this.isCreated = true;
        if (this.approvesAtOnce) this.holdOrSell(now, status);
        break;
      case 'executePayment':
        if (this.payerId === undefined) return { type: 'approvalFoundMissing' };
        this.holdOrSell(now, status);
        break;
      case 'captureAuthorization': {
        if (!this.isOpenFor(post)) return refused;
        const { minor, final } = step;
        this.captures.push({
          authorizationId: this.authorization?.authorizationId ?? '',
          captureId: `CAP-${post.reference}`,
          reference: post.reference,
          minor,
          final,
          status,
        });
        if (this.authorization) this.authorization.changedAt = now;
        this.closeAfterLastCapture();
        break;
      }
      case 'voidAuthorization':
        if (!this.isOpenFor(post)) return refused;
        this.voidElsewhere();
        break;
      case 'reauthorizeAuthorization':
        return this.reauthorize(post, step.minor, now) ?? refused;
    }
    post.isDone = true;
    return this.find(post.step, step) ?? refused;
  }

  private reauthorize(post: Post, minor: number, now: Instant): PaymentEvent | undefined {
    const { authorization } = this;
    if (!authorization || !this.isOpenFor(post)) return undefined;
    if (now < this.heldAt + 3 * day) return { type: 'reauthorizationTooSoon', reason: 'too soon' };
    const reauthorized = withoutState(this.holdAnew(authorization, minor, now));
    this.mostAsked = Math.max(this.mostAsked, this.moved + minor);
    post.isDone = true;
    return { type: 'authorizationRenewed', authorization: reauthorized, heldAt: now };
  }

  private find(stepName: string, step: MoneyStep): PaymentEvent | undefined {
    switch (step.type) {
      case 'createPayment':
        if (!this.isCreated) return undefined;
        return (
          this.granted() ?? {
            type: 'paymentCreated',
            providerPaymentId: 'PAY-1',
            approvalUrl: 'https://pay.example/',
          }
        );
      case 'executePayment':
        return this.granted();
      case 'captureAuthorization': {
        const references = this.posts
          .filter((post) => post.step === stepName)
          .map(({ reference }) => reference);
        const capture = this.captures.find(({ reference }) => references.includes(reference));
        if (capture) return { type: 'captureAnswered', capture: { ...capture, commandId: step.commandId } };
        return this.isOpen ? undefined : { type: 'stepDeclined', reason: 'excluded' };
      }
      case 'voidAuthorization':
        if (this.authorization?.state === 'voided') return { type: 'voidConfirmed' };
        return this.isOpen ? undefined : { type: 'stepDeclined', reason: 'excluded' };
      case 'reauthorizeAuthorization':
        return undefined;
    }
  }

  private findReauthorization(state: PaymentState, stepName: string): PaymentEvent | undefined {
    const first = this.posts.find(({ step }) => step === stepName);
    const reauthorized = reauthorizationIn(state, this.facts(), first?.seenUpdatedAt);
    return reauthorized ?? (this.isOpen ? undefined : { type: 'stepDeclined', reason: 'excluded' });
  }

  /** A hold whose place another one has taken takes nothing any more. */
  private isOpenFor({ authorizationId }: Post): boolean {
    return this.isOpen && authorizationId === this.authorization?.authorizationId;
  }

  private granted(): PaymentEvent | undefined {
    if (this.sale) return { type: 'saleAnswered', providerPaymentId: 'PAY-1', sale: this.sale };
    if (!this.authorization) return undefined;
    return {
      type: 'authorizationGranted',
      providerPaymentId: 'PAY-1',
      authorization: withoutState(this.authorization),
    };
  }
}
