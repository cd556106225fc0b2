import { describe, expect, it } from 'vitest';
import { parseWebhookEvent } from '#payments-client/webhooks';
import { wireAuthorization } from './answers.js';
import { event, rawBody } from './sample-event.js';

const bytes = (change: object) => Buffer.from(JSON.stringify({ ...event, ...change }));

describe('an event', () => {
  it.each([
    ['the specification’s spelling', { event_type: undefined }],
    ['the public API’s spelling', { trigger_event: undefined }],
    ['both', {}],
  ])('is read in %s', (_, change) => {
    expect(parseWebhookEvent(bytes(change))).toEqual({
      id: 'EVT-1',
      eventType: 'PAYMENT.AUTHORIZATION.CREATED',
      resourceType: 'authorization',
      createTime: '2024-03-01T10:00:00Z',
      summary: 'created',
      resource: wireAuthorization,
      resourceIds: { authorizationId: 'AUTH-1', paymentId: 'PAY-1' },
    });
  });

  it.each([
    [
      'capture',
      {
        id: 'CAP-1',
        parent_payment: 'PAY-1',
        links: [{ rel: 'authorization', href: 'https://x/v1/payments/authorization/AUTH-1' }],
      },
      { captureId: 'CAP-1', paymentId: 'PAY-1', authorizationId: 'AUTH-1' },
    ],
    [
      'refund',
      { id: 'REF-1', capture_id: 'CAP-1', parent_payment: 'PAY-1' },
      { refundId: 'REF-1', captureId: 'CAP-1', paymentId: 'PAY-1' },
    ],
    ['sale', { id: 'SALE-1', billing_agreement_id: 'I-1' }, { saleId: 'SALE-1', agreementId: 'I-1' }],
    ['payouts', { batch_header: { payout_batch_id: 'BATCH-1' } }, { payoutBatchId: 'BATCH-1' }],
    [
      'payouts_item',
      { payout_item_id: 'ITEM-1', payout_batch_id: 'BATCH-1' },
      { payoutItemId: 'ITEM-1', payoutBatchId: 'BATCH-1' },
    ],
    ['payment', { id: 'PAY-1', links: 'none' }, { paymentId: 'PAY-1' }],
    ['unheard_of', { id: 'X-1' }, {}],
    ['capture', { id: '../../etc', capture_id: { $ne: 1 } }, {}],
  ])('about a %s names the ids that it is about', (resource_type, resource, ids) => {
    expect(parseWebhookEvent(bytes({ resource_type, resource })).resourceIds).toEqual(ids);
  });

  it('keeps a hostile but printable type unchanged: escaping is the page’s work', () => {
    const type = '<script>alert(1)</script>';
    expect(parseWebhookEvent(bytes({ trigger_event: type, event_type: type })).eventType).toBe(type);
  });

  it.each([
    ['two different types', bytes({ event_type: 'PAYMENT.CAPTURE.COMPLETED' })],
    ['no type', bytes({ event_type: undefined, trigger_event: undefined })],
    ['a type with a NUL byte', bytes({ event_type: undefined, trigger_event: 'A\u0000B' })],
    ['no id', bytes({ id: undefined })],
    ['a path for an id', bytes({ id: '../1' })],
    ['no resource', bytes({ resource: undefined })],
    ['a list for a resource', bytes({ resource: [] })],
    ['invalid UTF-8', Buffer.concat([rawBody.subarray(0, -1), Buffer.from([0xff, 0x7d])])],
    ['no JSON', Buffer.from('{')],
    ['no object', Buffer.from('[]')],
    ['nothing', Buffer.alloc(0)],
    ['great depth', Buffer.from('['.repeat(200_000))],
  ])('with %s is refused without quoting it', (_, body) => {
    expect(() => parseWebhookEvent(body)).toThrow(/^malformed webhook event: [a-zA-Z -]+8?$/);
  });
});
