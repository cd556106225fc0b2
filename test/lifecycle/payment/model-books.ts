import type { Instant } from '#workflows/lifecycle';
import type { Authorization, Capture, ProviderFacts, Sale } from '#workflows/lifecycle/payment/payment.js';
import { day } from './sample-payments.js';

/** What the model of the provider has on its books: one hold, under whichever ids, or one sale. */
export class ModelBooks {
  readonly captures: (Capture & { readonly reference: string })[] = [];
  authorization: (Authorization & { state: string; changedAt: Instant }) | undefined;
  /** The most that reauthorizations have asked to hold in all. */
  mostAsked = 0;
  private reauthorizations = 0;
  protected heldAt: Instant = 0;
  sale: Sale | undefined;
  payerId: string | undefined;

  constructor(
    private minor: number,
    private readonly isSale: boolean,
    private readonly keepsId: boolean,
  ) {}

  protected facts(): ProviderFacts {
    return {
      paymentState: this.authorization || this.sale ? 'approved' : 'created',
      captures: this.captures,
      ...(this.payerId !== undefined && { payerId: this.payerId }),
      ...(this.authorization && { authorization: this.authorization }),
      ...(this.sale && { sale: this.sale }),
    };
  }

  reauthorizeElsewhere(now: Instant): void {
    const { authorization } = this;
    const left = this.minor - this.moved;
    if (authorization && this.isOpen && left > 0 && now >= this.heldAt + 3 * day) {
      this.holdAnew(authorization, left, now);
    }
  }

  voidElsewhere(): void {
    if (this.authorization && this.isOpen) this.authorization.state = 'voided';
  }

  /** Sales, too. A completed final capture, or nothing left, closes the authorization; a denied one gives back its part. */
  finishCaptures(status: 'completed' | 'denied'): void {
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

  protected get isClosing(): boolean {
    return this.captures.some(({ final, status }) => final && status !== 'denied');
  }

  protected closeAfterLastCapture(): void {
    const isFinal = this.captures.some(({ final, status }) => final && status === 'completed');
    if (this.authorization && (isFinal || this.captured >= this.minor)) this.authorization.state = 'captured';
  }

  protected holdOrSell(now: Instant, status: Capture['status']): void {
    if (this.isSale) {
      this.sale ??= { saleId: 'SALE-1', minor: this.minor, status };
      return;
    }
    if (!this.authorization) this.heldAt = now;
    this.authorization ??= {
      authorizationId: 'AUTH-1',
      minor: this.minor,
      createdAt: now,
      validUntil: now + 29 * day,
      state: 'authorized',
      changedAt: now,
    };
  }

  /** What is still held goes back, and what was asked for is held instead: as the sandbox and its public model do. */
  protected holdAnew(known: Authorization, minor: number, now: Instant) {
    this.reauthorizations += 1;
    this.heldAt = now;
    this.minor = this.moved + minor;
    const { validUntil } = known;
    this.authorization = this.keepsId
      ? { ...known, minor: this.minor, state: 'authorized', changedAt: now }
      : {
          authorizationId: `AUTH-${this.reauthorizations + 1}`,
          minor,
          createdAt: now,
          validUntil,
          state: 'authorized',
          changedAt: now,
        };
    return this.authorization;
  }

  protected sum(status: Capture['status']): number {
    const moved = this.sale ? [this.sale] : this.captures;
    return moved.reduce((sum, each) => (each.status === status ? sum + each.minor : sum), 0);
  }
}

export function withoutState({
  state: _shown,
  changedAt: _later,
  ...authorization
}: Authorization & { state: string; changedAt: Instant }): Authorization {
  return authorization;
}
