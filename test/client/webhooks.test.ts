import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyWebhookSignature } from '#payments-client/webhooks';
import { createTestSigner, type TestSigner } from '#payments-client/testing';
import { rawBody } from './sample-event.js';

const webhookId = 'WH-1';

let server: Server;
let origin: string;
let certificateAddress: string;
let signer: TestSigner;
let fetched: string[];
let serveCertificate: RequestListener;

// Certificates are cached by address for the life of the process, so each test has a server of its own.
beforeEach(async () => {
  fetched = [];
  serveCertificate = (_, response) => response.end(signer.certificatePem);
  server = createServer((request, response) => {
    fetched.push(request.url ?? '');
    serveCertificate(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  certificateAddress = `${origin}/v1/notifications/certs/CERT-1`;
  signer = await createTestSigner({ certificateAddress, webhookId });
});
afterEach(async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
});

const verify = (headers: Record<string, string | string[]>, body: Uint8Array = rawBody, more = {}) =>
  verifyWebhookSignature({ headers, rawBody: body, webhookId, trustedCertificateOrigins: [origin], ...more });

describe('a delivery', () => {
  it('that the provider signed is authentic, whatever the case of its headers', async () => {
    const headers = signer.sign(rawBody);
    await expect(verify(headers)).resolves.toMatchObject({ outcome: 'genuine' });
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    await expect(verify(shouted)).resolves.toMatchObject({ outcome: 'genuine' });
  });

  it('whose body changed by one byte is forged', async () => {
    const changed = Buffer.from(rawBody);
    changed[changed.length - 2] = 0x20;
    await expect(verify(signer.sign(rawBody), changed)).resolves.toMatchObject({
      reason: 'signature_mismatch',
    });
  });

  it.each([
    ['paypal-transmission-id', 'other', 'signature_mismatch'],
    ['paypal-transmission-time', '2024-01-01T00:00:00Z', 'signature_mismatch'],
    ['paypal-transmission-sig', 'AAAA', 'signature_mismatch'],
    ['paypal-transmission-sig', '!!! no base64 !!!', 'signature_mismatch'],
    ['paypal-transmission-sig', '', 'headers_missing'],
    ['paypal-transmission-id', 'x'.repeat(257), 'headers_missing'],
    ['paypal-auth-algo', 'SHA1withRSA', 'algorithm_not_accepted'],
    ['paypal-auth-algo', 'none', 'algorithm_not_accepted'],
  ])('with %s set to %j is forged', async (name, value, reason) => {
    await expect(verify({ ...signer.sign(rawBody), [name]: value })).resolves.toEqual({
      outcome: 'forged',
      reason,
    });
  });

  it('with a header missing or doubled is forged', async () => {
    const headers = signer.sign(rawBody);
    const { 'paypal-transmission-id': id = '', ...rest } = headers;
    await expect(verify(rest)).resolves.toMatchObject({ reason: 'headers_missing' });
    await expect(verify({ ...rest, 'paypal-transmission-id': [id, id] })).resolves.toMatchObject({
      reason: 'headers_missing',
    });
    // As Node gives a doubled header of a name that it does not know.
    const { 'paypal-transmission-sig': signature = '' } = headers;
    const joined = { ...headers, 'paypal-transmission-sig': `${signature}, ${signature}` };
    await expect(verify(joined)).resolves.toMatchObject({ reason: 'headers_missing' });
  });

  it('for another webhook is forged here', async () => {
    await expect(verify(signer.sign(rawBody), rawBody, { webhookId: 'WH-2' })).resolves.toMatchObject({
      reason: 'signature_mismatch',
    });
  });

  it('signed with an expired or future certificate is forged', async () => {
    for (const [validFrom, validTo] of [
      [new Date(0), new Date(1_000)],
      [new Date(Date.now() + 3_600_000), new Date(Date.now() + 7_200_000)],
    ] as const) {
      const address = `${origin}/certs/${validTo.getTime()}`;
      signer = await createTestSigner({ certificateAddress: address, webhookId, validFrom, validTo });
      await expect(verify(signer.sign(rawBody))).resolves.toMatchObject({
        reason: 'certificate_not_in_force',
      });
    }
  });
});

/** Case 24 of docs/failure-cases.md: refused, no packet sent. */
describe('a certificate address', () => {
  it.each([
    ['another host', () => 'http://169.254.169.254/latest/meta-data'],
    ['another port', () => 'http://127.0.0.1:1/cert'],
    ['another scheme', () => certificateAddress.replace('http:', 'https:')],
    ['a host that only looks trusted', () => certificateAddress.replace('http://', 'http://api.example@')],
    ['a file', () => 'file:///etc/passwd'],
    ['no address', () => 'cert'],
  ])('of %s is refused, and nothing is sent', async (_, address) => {
    await expect(verify({ ...signer.sign(rawBody), 'paypal-cert-url': address() })).resolves.toEqual({
      outcome: 'forged',
      reason: 'certificate_origin_not_trusted',
    });
    expect(fetched).toEqual([]);
  });

  it('that redirects is not followed', async () => {
    let reached = false;
    serveCertificate = ({ url }, response) => {
      reached ||= url === '/elsewhere';
      response.writeHead(302, { location: `${origin}/elsewhere` }).end();
    };
    await expect(verify(signer.sign(rawBody))).resolves.toMatchObject({ outcome: 'undecided' });
    expect(reached).toBe(false);
  });

  it.each<[string, RequestListener]>([
    ['an error', (_, response) => response.writeHead(500).end()],
    ['no certificate', (_, response) => response.end('not a certificate')],
    [
      'a body without end',
      (_, response) => {
        const more = () => {
          if (!response.destroyed) response.write('x'.repeat(65_536), more);
        };
        more();
      },
    ],
  ])('that returns %s leaves the delivery undecided, to be delivered again', async (_, listener) => {
    serveCertificate = listener;
    await expect(verify(signer.sign(rawBody))).resolves.toEqual({
      outcome: 'undecided',
      reason: 'certificate_unavailable',
    });
  });

  it('is fetched once for 50 deliveries at once and all later ones', async () => {
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => verify(signer.sign(rawBody))));
    await verify(signer.sign(rawBody));
    expect(verdicts.every(({ outcome }) => outcome === 'genuine')).toBe(true);
    expect(fetched).toHaveLength(1);
  });

  it('that failed once is fetched again soon', async () => {
    serveCertificate = (_, response) => response.writeHead(503).end();
    await expect(verify(signer.sign(rawBody))).resolves.toMatchObject({ outcome: 'undecided' });
    serveCertificate = (_, response) => response.end(signer.certificatePem);
    await expect
      .poll(() => verify(signer.sign(rawBody)), { interval: 100 })
      .toMatchObject({ outcome: 'genuine' });
    expect(fetched).toHaveLength(2);
  });

  it('that many forgeries invent neither fills the memory nor hides the real one', async () => {
    await verify(signer.sign(rawBody));
    serveCertificate = (_, response) => response.writeHead(404).end();
    for (let n = 0; n < 100; n += 1) {
      await verify({ ...signer.sign(rawBody), 'paypal-cert-url': `${origin}/invented/${n}` });
    }
    await expect(verify(signer.sign(rawBody))).resolves.toMatchObject({ outcome: 'genuine' });
  });
});
