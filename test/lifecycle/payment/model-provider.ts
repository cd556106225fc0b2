import type { Instant } from '../../../libs/workflows/src/lifecycle/lifecycle.js';
import type {
  Authorization,
  Capture,
  MoneyStep,
  OpenStep,
  PaymentEvent,
  PaymentState,
  Sale,
} from '../../../libs/workflows/src/lifecycle/payment/payment.js';
import { nameOfStep } from '../../../libs/workflows/src/lifecycle/payment/open-step.js';
import { day } from './sample-payments.js';

/** What becomes of a POST. Everything but an answer, a decline and a deferral leaves the sender without a reply. */
export const fates = [
  'answered',
  'answered as pending',
  'declined',
  'deferred',
  'request lost',
  'reply lost',
  'executed late',
] as const;
export type Fate = (typeof fates)[number];

interface Post {
  readonly step: string;
  readonly reference: string;
  isDone: boolean;
  /** When it will be executed although nobody waits for its answer any more. */
  lateAt?: Instant;
}

/**
 * A provider reduced to its books. It is more credulous than a real one: it captures whatever it is told to, as long as
 * the authorization is open, so that only the engine's own care keeps the sum within what was authorized.
 */
export class ModelProvider {
  readonly posts: Post[] = [];
  readonly captures: (Capture & { readonly reference: string })[] = [];
  authorization: (Authorization & { state: string }) | undefined;
  sale: Sale | undefined;
  payerId: string | undefined;
  private isCreated = false;
  private late: { readonly at: Instant; readonly run: () => void }[] = [];

  constructor(
    private readonly approvesAtOnce: boolean,
    private readonly minor: number,
    private readonly isSale = false,
  ) {}

  /** Lets the late executions and the expiry of the window happen that time has brought. */
  passTo(now: Instant): void {
    const due = this.late.filter(({ at }) => at <= now);
    this.late = this.late.filter(({ at }) => at > now);
    for (const { run } of due) run();
    if (this.authorization && this.isOpen && now >= this.authorization.validUntil) {
      this.authorization.state = 'expired';
    }
  }

  post(state: PaymentState, openStep: OpenStep, fate: Fate, now: Instant): PaymentEvent {
    const { attempts, step } = openStep;
    const name = nameOfStep(openStep);
    const post: Post = { step: name, reference: `${name}/${attempts}`, isDone: false };
    this.posts.push(post);
    const { outcomeHorizonMs } = state.order.patience;
    const unknown: PaymentEvent = { type: 'outcomeUnknown', horizonAt: now + outcomeHorizonMs };
    switch (fate) {
      case 'answered':
      case 'answered as pending':
        return this.execute(post, step, now, fate === 'answered' ? 'completed' : 'pending');
      case 'declined':
        return { type: 'stepDeclined', reason: 'declined' };
      case 'deferred':
        return { type: 'stepDeferred', retryAt: now + 1000 };
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
  lookUp(openStep: OpenStep, now: Instant): PaymentEvent {
    const found = this.find(nameOfStep(openStep), openStep.step);
    if (found) return found;
    return now < openStep.horizonAt ? { type: 'lookInconclusive' } : { type: 'stepProvedUndone' };
  }

  read(): PaymentEvent {
    return {
      type: 'providerObserved',
      facts: {
        paymentState: this.authorization || this.sale ? 'approved' : 'created',
        captures: this.captures,
        ...(this.payerId !== undefined && { payerId: this.payerId }),
        ...(this.authorization && { authorization: this.authorization }),
        ...(this.sale && { sale: this.sale }),
      },
    };
  }

  voidElsewhere(): void {
    if (this.authorization && this.isOpen) this.authorization.state = 'voided';
  }

  /** Sales, too. A completed final capture, or nothing left, closes the authorization; a denied one gives back its part. */
  settleCaptures(status: 'completed' | 'denied'): void {
    if (this.sale?.status === 'pending') this.sale = { ...this.sale, status };
    this.captures.forEach((capture, i) => {
      if (capture.status === 'pending') this.captures[i] = { ...capture, status };
    });
    this.closeAfterLastCapture();
  }

  get captured(): number {
    return this.sum('completed');
  }

  get moved(): number {
    return this.sum('completed') + this.sum('pending');
  }

  get isOpen(): boolean {
    return this.authorization?.state === 'authorized' && !this.isClosing;
  }

  private get isClosing(): boolean {
    return this.captures.some(({ final, status }) => final && status !== 'denied');
  }

  private closeAfterLastCapture(): void {
    const isFinal = this.captures.some(({ final, status }) => final && status === 'completed');
    if (this.authorization && (isFinal || this.captured >= this.minor)) this.authorization.state = 'captured';
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
        if (!this.isOpen) return refused;
        const { minor, final } = step;
        this.captures.push({
          captureId: `CAP-${post.reference}`,
          reference: post.reference,
          minor,
          final,
          status,
        });
        this.closeAfterLastCapture();
        break;
      }
      case 'voidAuthorization':
        if (!this.isOpen) return refused;
        this.voidElsewhere();
        break;
    }
    post.isDone = true;
    return this.find(post.step, step) ?? refused;
  }

  private holdOrSell(now: Instant, status: Capture['status']): void {
    if (this.isSale) {
      this.sale ??= { saleId: 'SALE-1', minor: this.minor, status };
      return;
    }
    this.authorization ??= {
      authorizationId: 'AUTH-1',
      minor: this.minor,
      createdAt: now,
      validUntil: now + 29 * day,
      state: 'authorized',
    };
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
    }
  }

  private granted(): PaymentEvent | undefined {
    if (this.sale) return { type: 'saleAnswered', providerPaymentId: 'PAY-1', sale: this.sale };
    if (!this.authorization) return undefined;
    const { state: _shown, ...authorization } = this.authorization;
    return { type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization };
  }

  private sum(status: Capture['status']): number {
    const moved = this.sale ? [this.sale] : this.captures;
    return moved.reduce((sum, each) => (each.status === status ? sum + each.minor : sum), 0);
  }
}
