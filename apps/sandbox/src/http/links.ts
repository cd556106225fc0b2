/** A link object (interface, section 2.3). */
export interface Link {
  href: string;
  rel: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'REDIRECT';
}

/** Builds the absolute addresses that answers and events carry. */
export class Links {
  #origin: string | undefined;

  /** @param findOrigin called for the first link: a service on an ephemeral port knows its own only once it listens. */
  constructor(private readonly findOrigin: () => string) {}

  origin(): string {
    this.#origin ??= this.findOrigin();
    return this.#origin;
  }

  paymentSelf(id: string): Link {
    return this.to('self', 'GET', `/v1/payments/payment/${id}`);
  }

  parentPayment(id: string): Link {
    return this.to('parent_payment', 'GET', `/v1/payments/payment/${id}`);
  }

  approval(token: string): Link {
    return this.to('approval_url', 'REDIRECT', `/checkout?token=${token}`);
  }

  execute(id: string): Link {
    return this.to('execute', 'POST', `/v1/payments/payment/${id}/execute`);
  }

  authorization(id: string, rel: 'self' | 'authorization'): Link {
    return this.to(rel, 'GET', `/v1/payments/authorization/${id}`);
  }

  captureAuthorization(id: string): Link {
    return this.to('capture', 'POST', `/v1/payments/authorization/${id}/capture`);
  }

  voidAuthorization(id: string): Link {
    return this.to('void', 'POST', `/v1/payments/authorization/${id}/void`);
  }

  captureSelf(id: string): Link {
    return this.to('self', 'GET', `/v1/payments/capture/${id}`);
  }

  refundCapture(id: string): Link {
    return this.to('refund', 'POST', `/v1/payments/capture/${id}/refund`);
  }

  saleSelf(id: string): Link {
    return this.to('self', 'GET', `/v1/payments/sale/${id}`);
  }

  refundSale(id: string): Link {
    return this.to('refund', 'POST', `/v1/payments/sale/${id}/refund`);
  }

  /** The segment is spelled `notfications` exactly as section 4 says that delivered events spell it. */
  event(id: string): Link[] {
    const path = `/v1/notfications/webhooks-events/${id}`;
    return [this.to('self', 'GET', path), this.to('resend', 'POST', `${path}/resend`)];
  }

  certificate(id: string): string {
    return `${this.origin()}/v1/notifications/certs/${id}`;
  }

  /** A link to a path of this service. */
  to(rel: string, method: Link['method'], path: string): Link {
    return { href: `${this.origin()}${path}`, rel, method };
  }
}
