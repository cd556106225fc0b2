import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { PAYER_ID, SandboxFixture, paymentBody } from '../sandbox-fixture.js';
import { newAccount, payment } from './payment-service.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the payer’s page', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  const open = async (transaction: object = {}) => {
    const { body } = await sandbox.createPayment({ transaction });
    const approvalUrl: string = body.links.find(({ rel }: { rel: string }) => rel === 'approval_url').href;
    const token = new URL(approvalUrl).searchParams.get('token')!;
    return { paymentId: body.id as string, token, approvalUrl, path: approvalUrl.slice(sandbox.url.length) };
  };
  const send = (action: string, token: string) =>
    sandbox.request('POST', `/checkout/${action}`, new URLSearchParams({ token }).toString(), FORM);

  it('shows what is paid, in plain forms, without any script', async () => {
    const { path } = await open({ description: 'Tea' });
    const { status, headers, body } = await sandbox.request('GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(body).toContain('100.00 USD');
    expect(body).toContain('Tea');
    expect(body).toContain('<html lang="en">');
    expect(body).not.toContain('<script');
  });

  it('names the shop whose account has a name', async () => {
    const shop = await newAccount(sandbox, {
      kind: 'business',
      email: 'tea@example.com',
      businessName: 'Tea House',
    });
    const application = { clientSecret: 'tea', accountId: shop.id };
    await sandbox.request('PUT', '/admin/applications/tea-shop', application);
    const token = await sandbox.newToken('tea-shop', 'tea');
    const authorization = `Bearer ${token}`;
    const { body } = await sandbox.request('POST', '/v1/payments/payment', paymentBody(), { authorization });
    const approvalUrl: string = body.links.find(({ rel }: { rel: string }) => rel === 'approval_url').href;
    const page = await sandbox.request('GET', approvalUrl.slice(sandbox.url.length));
    expect(page.body).toContain('Tea House');
  });

  it('26: shows markup in a description as text', async () => {
    const { path } = await open({ description: '<script>alert("1")</script>' });
    const { body } = await sandbox.request('GET', path);
    expect(body).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(body).not.toContain('<script');
  });

  it('redirects a payer who approves to the return address, with three parameters added to its own', async () => {
    const { paymentId, token } = await open();
    const { status, headers } = await send('approve', token);
    expect(status).toBe(303);
    const back = new URL(headers.get('location')!);
    expect(back.origin + back.pathname).toBe('http://127.0.0.1:9/return');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      order: '7',
      paymentId,
      token,
      PayerID: PAYER_ID,
    });
  });

  it('accepts the form twice and sends one event', async () => {
    const { paymentId, token } = await open();
    const answers = await Promise.all([
      send('approve', token),
      send('approve', token),
      send('approve', token),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    const events = await sandbox.call('GET', `/v1/notifications/webhooks-events?transaction_id=${paymentId}`);
    expect(events.body.events).toMatchObject([{ event_type: 'PAYMENTS.PAYMENT.CREATED' }]);
  });

  it('lets the payer choose the paying account, now and until the payment is executed', async () => {
    const own = await SandboxFixture.start();
    try {
      const email = 'anna@example.com';
      const anna = await newAccount(own, { email, firstName: 'Anna', lastName: '<b>Gruneberg</b>' });
      const { body: created } = await own.createPayment();
      const address = new URL(created.links[1].href);
      const page = async () => (await own.request('GET', address.pathname + address.search)).body as string;
      const token = address.searchParams.get('token')!;
      const approve = (accountId: string) => {
        const form = new URLSearchParams({ token, accountId }).toString();
        return own.request('POST', '/checkout/approve', form, FORM);
      };
      const asked = await page();
      expect(asked).toContain(`<option value="${PAYER_ID}" selected>Sandbox Payer (${PAYER_ID})</option>`);
      expect(asked).toContain('Anna &lt;b&gt;Gruneberg&lt;/b&gt;');
      expect(asked).not.toContain('LIVEPAYER1');
      expect(asked).not.toContain(email);

      expect((await approve('NOBODY')).status).toBe(409);
      expect((await approve("x' OR 1=1")).status).toBe(409);
      const back = new URL((await approve(anna.id)).headers.get('location')!);
      expect(back.searchParams.get('PayerID')).toBe(anna.id);
      expect(await page()).toContain(`<option value="${anna.id}" selected>`);
      const changed = new URL((await approve(PAYER_ID)).headers.get('location')!);
      expect(changed.searchParams.get('PayerID')).toBe(PAYER_ID);
      expect((await own.execute(created.id)).body.state).toBe('approved');

      expect(await page()).not.toContain('<select');
      const late = new URL((await approve(anna.id)).headers.get('location')!);
      expect(late.searchParams.get('PayerID')).toBe(PAYER_ID);
      expect((await payment(own, created.id)).payer.payer_info.payer_id).toBe(PAYER_ID);
    } finally {
      await own.stop();
    }
  });

  it('redirects a payer who cancels to the cancel address, and lets him come back', async () => {
    const { paymentId, token, path } = await open();
    const { status, headers } = await send('cancel', token);
    expect(status).toBe(303);
    expect(headers.get('location')).toBe(`http://127.0.0.1:9/cancel?token=${token}`);
    expect((await sandbox.call('GET', `/v1/payments/payment/${paymentId}`)).body.state).toBe('created');
    expect((await sandbox.request('GET', path)).body).toContain('Approve this payment?');
  });

  it('cannot be cancelled once approved', async () => {
    const { token, path } = await open();
    await send('approve', token);
    expect((await send('cancel', token)).status).toBe(409);
    expect((await sandbox.request('GET', path)).body).toContain('Payment approved');
  });

  it('of an unknown or malformed token is a plain 404', async () => {
    for (const token of ['EC-00000000000000000', "EC-'; DROP", '\0']) {
      const path = `/checkout?token=${encodeURIComponent(token)}`;
      expect((await sandbox.request('GET', path)).status).toBe(404);
      expect((await send('approve', token)).status).toBe(404);
    }
    expect((await sandbox.request('GET', '/checkout')).status).toBe(404);
  });
});
