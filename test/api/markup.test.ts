import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture } from './api-fixture.js';
import { deliver, event, settled } from './deliveries.js';

const script = '<script>alert(1)</script>';
const image = '"><img src=x onerror=alert(1)>';

const api = forAllTests(() => ApiFixture.start());

const asBrowser = { accept: 'text/html,application/xhtml+xml' };

describe('case 26: markup', () => {
  test('in an order and in an event of the provider is shown as JSON text, which no browser renders', async () => {
    const ordered = await api.order({ description: `${script}${image}` });
    expect(ordered.status).toBe(202);
    const body = event(
      { id: `AUTH-${randomUUID()}`, custom: script },
      { trigger_event: image, summary: script },
    );
    await deliver(api, body);
    await settled(api, body.id, 'parked');
    const paths = [
      `/v1/payments/${String(ordered.body['id'])}`,
      '/v1/payments',
      `/v1/webhook-events/${body.id}`,
    ];
    const shown = await api.call('GET', `/v1/webhook-events/${body.id}`);
    expect(JSON.stringify(shown.body)).toContain(script);
    for (const path of [...paths, '/v1/webhook-events']) {
      const answer = await api.call('GET', path, { headers: asBrowser });
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get('content-type'), path).toContain('application/json');
      expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(answer.headers.get('content-security-policy'), path).toContain("default-src 'none'");
    }
  });

  test('in an address, a query, a header or a body is on no page of an error', async () => {
    const planted = encodeURIComponent(script);
    const key = { idempotencyKey: randomUUID(), headers: asBrowser };
    const answers = [
      await api.call('GET', `/v1/payments/${planted}/return?token=${planted}&PayerID=${planted}`, key),
      await api.call('GET', `/v1/payments?${planted}=${planted}&cursor=${planted}`, key),
      await api.call('GET', `/${planted}`, key),
      await api.call('GET', `/codec/sign-in/${planted}`, key),
      await api.call('POST', '/v1/payments', { ...key, body: { [script]: image, orderId: { [image]: 1 } } }),
      await api.call('POST', '/v1/payments', { ...key, body: `{${script}` }),
      await api.call('POST', '/v1/payments', { ...key, idempotencyKey: script, body: {} }),
    ];
    for (const { status, headers, text } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.get('content-type')).toContain('text/html');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).not.toMatch(/<(?:script|img)/i);
    }
  });
});
