import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isFromForeignPage, isTrustedHost } from '#sandbox/admin/browser-guard.js';
import { GuessLimit } from '#sandbox/dashboard/guess-limit.js';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const FAULT = 'kind=drop_reply&operation=capture.get&nth=1&times=1&probability=1&seed=1&clientId=';

describe('the dashboards with an admin token', () => {
  const sandbox = forAllTests(() => SandboxFixture.start({ adminToken: 'operator-token' }));

  const signIn = async (token: string) =>
    sandbox.request('POST', '/dashboard/sign-in', `token=${token}`, { ...FORM, origin: sandbox.url });

  it.each([
    '',
    '/calls',
    '/calls/x',
    '/events',
    '/webhooks',
    '/faults',
    '/faults/new?kind=late',
    '/books',
    '/transactions',
    '/transactions/x',
    '/application?clientId=shop',
  ])('ask for it before /dashboard%s', async (path) => {
    const answer = await sandbox.request('GET', `/dashboard${path}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/dashboard/sign-in');
    expect(answer.body).toBe('');
  });

  it('are where the root of the service leads', async () => {
    const answer = await sandbox.request('GET', '/');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/dashboard']);
  });

  it('do nothing for a form without it', async () => {
    expect((await sandbox.request('POST', '/dashboard/faults', FAULT, FORM)).status).toBe(303);
    expect(await sandbox.sql('SELECT id FROM faults')).toEqual([]);
  });

  it('let in whoever gives it, with a cookie that no script reads and no other site sends', async () => {
    expect((await signIn('wrong')).status).toBe(403);
    const { status, headers } = await signIn('operator-token');
    expect(status).toBe(303);
    const header = headers.get('set-cookie')!;
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/dashboard'])
      expect(header).toContain(attribute);
    expect(header).not.toContain('operator-token');
    const cookie = cookieOf(header);
    expect((await sandbox.request('GET', '/dashboard', undefined, { cookie })).status).toBe(200);
    await sandbox.restart();
    expect((await sandbox.request('GET', '/dashboard', undefined, { cookie })).body).toContain('Sign out');
  });

  it('accept no cookie that was forged, changed or has ended', async () => {
    const cookie = await signedIn();
    const [name, secret = ''] = cookie.split('=');
    const altered = (secret.startsWith('a') ? 'b' : 'a') + secret.slice(1);
    for (const made of [`${name}=`, `${name}=${'a'.repeat(43)}`, `${name}=${altered}`, `x${cookie}`])
      expect(await statusWith(made)).toBe(303);

    expect(
      await sandbox.sql(
        `SELECT bool_and(ends_at <= now() + interval '12 hours') AS ends FROM dashboard_sessions`,
      ),
    ).toEqual([{ ends: true }]);
    expect(await statusWith(cookie)).toBe(200);
    await sandbox.sql('UPDATE dashboard_sessions SET ends_at = now()');
    expect(await statusWith(cookie)).toBe(303);
    await signedIn();
    expect(await sandbox.sql('SELECT count(*)::integer AS sessions FROM dashboard_sessions')).toEqual([
      { sessions: 1 },
    ]);
  });

  it('let nobody in with the cookie of a user who has signed out, or under an earlier token', async () => {
    const [left, kept] = [await signedIn(), await signedIn()];
    const out = await sandbox.request('POST', '/dashboard/sign-out', '', { ...FORM, cookie: left });
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    expect(await statusWith(left)).toBe(303);
    expect(await statusWith(kept)).toBe(200);
    await sandbox.restart({ adminToken: 'another-token' });
    expect(await statusWith(kept)).toBe(303);
    await sandbox.restart();
  });

  it('check no more guesses after several wrong ones in a second', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await signIn('wrong')).status),
    );
    expect(statuses).toContain(429);
    await eventually(async () => (await signIn('operator-token')).status).toBe(303);
  });

  const signedIn = async () => {
    const { headers } = await signIn('operator-token');
    return cookieOf(headers.get('set-cookie'));
  };
  const statusWith = async (cookie: string) =>
    (await sandbox.request('GET', '/dashboard', undefined, { cookie })).status;
});

describe('guesses of the admin token', () => {
  it('are not checked for the rest of a second in which five were wrong', () => {
    const guesses = new GuessLimit();
    for (let wrong = 0; wrong < 5; wrong += 1) {
      expect(guesses.isReached(at(wrong))).toBe(false);
      guesses.countWrong(at(wrong));
    }
    expect(guesses.isReached(at(999))).toBe(true);
    expect(guesses.isReached(at(1_000))).toBe(false);
    guesses.countWrong(at(1_000));
    expect(guesses.isReached(at(1_001))).toBe(false);
  });
});

describe('pages of other sites', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());

  /** fetch does not let a host be chosen. */
  const call = (method: string, path: string, headers: Record<string, string>, body = '') =>
    new Promise<number>((resolve, reject) => {
      const sent = request(sandbox.url + path, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end(body);
    });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 303],
    [{}, 303],
  ])('with %j get %i for a form', async (headers, status) => {
    expect(await call('POST', '/dashboard/faults', { ...FORM, ...headers }, FAULT)).toBe(status);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'fault-on'])(
    'are shown whatever result their address names, such as %s',
    async (name) => {
      expect((await sandbox.request('GET', `/dashboard?done=${name}`)).status).toBe(200);
    },
  );

  it('cannot make the admin API act, with or without a body', async () => {
    const { body: created } = await sandbox.createPayment();
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect(await call('POST', `/admin/payments/${created.id}/approve`, foreign)).toBe(403);
    expect(
      await call('POST', `/admin/payments/${created.id}/approve`, { origin: 'http://localhost:1' }),
    ).toBe(403);
    expect(await call('DELETE', '/admin/faults', foreign)).toBe(403);
    expect(await sandbox.sql('SELECT payer_approved_at FROM payments')).toEqual([
      { payer_approved_at: null },
    ]);
    expect(await call('POST', `/admin/payments/${created.id}/approve`, {})).toBe(200);
  });

  it('read nothing under a host name of theirs that resolves to this machine', async () => {
    for (const path of ['/dashboard', '/dashboard/calls', '/admin/calls', '/admin/books/movements'])
      expect(await call('GET', path, { host: 'rebound.evil.example' })).toBe(403);
    for (const host of ['localhost:4000', 'sandbox:4000', '10.1.2.3', '[::1]:4000', 'me.localhost'])
      await eventually(() => call('GET', '/dashboard', { host })).toBe(200);
  });

  it.each([
    ['https://pay.example', 'pay.example', true],
    ['https://pay.example', 'other.example', false],
    ['http://127.0.0.1:4000', 'evil.example:4000', false],
    ['http://127.0.0.1:4000', '', false],
    ['http://127.0.0.1:4000', undefined, false],
    ['http://127.0.0.1:4000', 'x@evil.example', false],
  ])('of a service at %s, trust in the host %s is %s', (own, host, trusted) => {
    expect(isTrustedHost(host, own)).toBe(trusted);
  });

  it('are told from its own behind a proxy that ends TLS', () => {
    const hints = {
      method: 'POST',
      host: 'internal:4000',
      origin: 'https://pay.example',
      fetchSite: undefined,
    };
    expect(isFromForeignPage(hints, 'https://pay.example')).toBe(false);
    expect(isFromForeignPage(hints, 'https://other.example')).toBe(true);
    expect(isFromForeignPage({ ...hints, method: 'GET' }, 'https://other.example')).toBe(false);
  });
});

/** Name and value, as a browser sends them back. */
function cookieOf(header: string | null): string {
  return header?.split(';', 1)[0] ?? '';
}

function at(milliseconds: number): Date {
  return new Date(1_000_000_000_000 + milliseconds);
}
