import { randomBytes, randomUUID } from 'node:crypto';
import type { TestSigner } from '#payments-client/testing';
import type { Shot } from '../service/load.js';

/** What an event is about. */
export interface TellableResource {
  readonly type: 'capture' | 'authorization';
  readonly id: string;
  readonly state: string;
  /** The provider's id. */
  readonly paymentId: string;
}

/** A delivery as the provider makes it; its event's id is its own. */
export function delivery(path: string, resource: TellableResource, signer?: TestSigner): Shot {
  const body = Buffer.from(JSON.stringify(event(resource)));
  return {
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'payments-webhooks/1.0',
      ...(signer ? signer.sign(body) : unsigned()),
    },
    body,
  };
}

/** Headers of the same kind and size, so that each rival reads as many bytes. */
function unsigned(): Record<string, string> {
  return {
    'paypal-transmission-id': randomUUID(),
    'paypal-transmission-time': new Date().toISOString(),
    'paypal-transmission-sig': randomBytes(256).toString('base64'),
    'paypal-cert-url': 'http://127.0.0.1:9/certificate.pem',
    'paypal-auth-algo': 'SHA256withRSA',
  };
}

function event({ type, id, state, paymentId }: TellableResource): object {
  const eventType = type === 'capture' ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.AUTHORIZATION.CREATED';
  const now = new Date().toISOString();
  return {
    id: `WH-${randomBytes(9).toString('hex').toUpperCase()}`,
    create_time: now,
    resource_type: type,
    trigger_event: eventType,
    event_type: eventType,
    event_version: '1.0',
    summary: 'Payment of 10.00 USD',
    resource: {
      id,
      state,
      amount: { total: '10.00', currency: 'USD', details: { subtotal: '10.00' } },
      ...(type === 'capture' && { is_final_capture: true, invoice_number: `bench-${id}` }),
      parent_payment: paymentId,
      create_time: now,
      update_time: now,
      links: [
        link('self', 'GET', `${type}/${id}`),
        link('parent_payment', 'GET', `payment/${paymentId}`),
        ...(type === 'capture' ? [link('refund', 'POST', `capture/${id}/refund`)] : []),
      ],
    },
    links: [
      { href: 'http://127.0.0.1:4000/v1/notfications/webhooks-events/WH-1', rel: 'self', method: 'GET' },
      {
        href: 'http://127.0.0.1:4000/v1/notfications/webhooks-events/WH-1/resend',
        rel: 'resend',
        method: 'POST',
      },
    ],
  };
}

function link(rel: string, method: string, path: string): object {
  return { href: `http://127.0.0.1:4000/v1/payments/${path}`, rel, method };
}
