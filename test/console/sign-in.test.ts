import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiFixture } from '../api/api-fixture.js';
import { launchBrowser } from '../browser/browser.js';
import { forAllTests } from '../helpers/shared.js';
import { ConsoleBrowser } from './console-browser.js';
import { consolePassword, consoleUsers } from './console-users.js';

const api = forAllTests(() => ApiFixture.start({ consoleUsers }));

/** The cookies of an answer, as the next request sends them. */
function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** Sends the form of the sign-in, as its page makes it; with the cookie that the browser has kept. */
async function tryPassword(name: string, password: string, kept = '') {
  const form = await api.call('GET', '/console/sign-in', { apiKey: null });
  const token = /name="_csrf" value="([^"]+)"/.exec(form.text)?.[1] ?? '';
  return await api.call('POST', '/console/sign-in', {
    apiKey: null,
    body: new URLSearchParams({ _csrf: token, name, password, next: '/console' }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `${cookiesOf(form.headers)}; ${kept}`,
    },
  });
}

/** The cookie by which a browser is known after a sign-in with a name. */
async function knownBrowserOf(name: string): Promise<string> {
  const { headers } = await tryPassword(name, consolePassword);
  return /__Host-console-browser=[^;]+/.exec(cookiesOf(headers))?.[0] ?? '';
}

/** As after many wrong passwords: each counter that there is makes whoever tries wait. */
async function exhaustCounters() {
  await api.db.updateTable('console_sign_in_failures').set({ failures: 20, last_at: new Date() }).execute();
}

async function auditOf(name: string): Promise<string[]> {
  const rows = await api.db
    .selectFrom('console_audit')
    .select(['action', 'user_name'])
    .orderBy('id')
    .execute();
  return rows.filter(({ user_name }) => user_name === name).map(({ action }) => action);
}

async function failures() {
  return await api.db.selectFrom('console_sign_in_failures').selectAll().execute();
}

describe('a browser at the console', () => {
  let user: ConsoleBrowser;
  const browser = forAllTests(launchBrowser);
  beforeAll(async () => {
    user = await ConsoleBrowser.open(browser, api.url);
  });

  it('is sent to the sign-in and back to the page that it asked for, over plain http on loopback', async () => {
    await user.goto('/console/search?id=nothing-has-this');
    expect(new URL(user.page.url()).pathname).toBe('/console/sign-in');
    await user.isAccessible();
    await user.signIn('vera');
    await user.page.waitForURL('**/console/search?id=nothing-has-this');
    const cookies = await user.page.context().cookies();
    expect(cookies.find(({ name }) => name === '__Host-console')).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
      path: '/',
    });
  });

  it('has an accessible first screen on which nothing breaks the policy', async () => {
    await user.goto('/console');
    expect(await user.text()).toContain('Nothing waits for a person.');
    await user.isAccessible();
    expect(user.complaints).toEqual([]);
  });

  it('does not show the audit trail to a viewer', async () => {
    expect(await user.page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0);
  });

  it('signs out, after which the cookie opens nothing', async () => {
    const cookies = await user.page.context().cookies();
    await user.page.getByRole('button', { name: 'Sign out' }).click();
    await user.page.waitForURL('**/console/sign-in');
    await user.page.context().addCookies(cookies);
    await user.goto('/console');
    expect(new URL(user.page.url()).pathname).toBe('/console/sign-in');
    expect(await auditOf('vera')).toEqual(['sign-in', 'sign-out']);
  });
});

describe('the sign-in', () => {
  it('refuses a form without the token of a page', async () => {
    const { status } = await api.call('POST', '/console/sign-in', {
      apiKey: null,
      body: new URLSearchParams({ name: 'otto', password: consolePassword }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(403);
    expect(await auditOf('otto')).toEqual([]);
  });

  it('has no way through an identity provider if none is configured', async () => {
    expect((await api.call('GET', '/console/sign-in/oidc', { apiKey: null })).status).toBe(404);
  });

  it('leads to no other site, whatever the link says', async () => {
    const form = await api.call('GET', '/console/sign-in?next=https://evil.example', { apiKey: null });
    expect(form.text).toContain('name="next" value="/console"');
    const slashes = await api.call('GET', '/console/sign-in?next=//evil.example', { apiKey: null });
    expect(slashes.text).toContain('name="next" value="/console"');
  });

  it('slows down after five wrong passwords, also for the right one', async () => {
    for (let tries = 0; tries < 5; tries += 1) expect((await tryPassword('olga', 'wrong')).status).toBe(403);
    const [counted] = await failures();
    expect(counted?.failures).toBe(5);
    await exhaustCounters();
    const { status, text, headers } = await tryPassword('olga', consolePassword);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(text).toContain('Too many tries');
    await api.db.deleteFrom('console_sign_in_failures').execute();
    expect((await tryPassword('olga', consolePassword)).status).toBe(303);
    expect(await failures()).toEqual([]);
    expect(await auditOf('olga')).toEqual([...Array<string>(5).fill('sign-in refused'), 'sign-in']);
  });

  it('answers to an unknown name what it answers to a wrong password', async () => {
    const { status, text } = await tryPassword('nobody', 'wrong');
    expect(status).toBe(403);
    expect(text).toContain('The name or the password is wrong.');
    expect(await failures()).toHaveLength(1);
    expect(await auditOf('nobody')).toEqual([]);
    await api.db.deleteFrom('console_sign_in_failures').execute();
  });

  it('counts concurrent tries before it looks at their passwords', async () => {
    const tries = await Promise.all(Array.from({ length: 12 }, () => tryPassword('anna', 'wrong')));
    const looked = tries.filter(({ status }) => status === 403).length;
    const [counted] = await failures();
    expect(counted?.failures).toBeGreaterThanOrEqual(Math.max(5, looked));
    await api.db.deleteFrom('console_sign_in_failures').execute();
  });

  it('stores neither the session’s token nor what was typed', async () => {
    const { headers } = await tryPassword('vera', consolePassword);
    const token = /__Host-console=([\w-]+)/.exec(cookiesOf(headers))?.[1] ?? '';
    expect(token).toHaveLength(43);
    const rows = await api.db.selectFrom('console_sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    const { status } = await api.call('GET', '/console', {
      apiKey: null,
      headers: { cookie: `__Host-console=${token}` },
    });
    expect(status).toBe(200);
  });

  it('asks again once the session is over', async () => {
    const { headers } = await tryPassword('vera', consolePassword);
    await api.db
      .updateTable('console_sessions')
      .set({ expires_at: new Date(0) })
      .execute();
    const answer = await api.call('GET', '/console', {
      apiKey: null,
      headers: { cookie: cookiesOf(headers) },
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/console/sign-in?next=%2Fconsole');
  });
});

describe('a browser that has signed in before', () => {
  afterEach(() => api.db.deleteFrom('console_sign_in_failures').execute());

  it('signs in at once while strangers exhaust its user’s name, and they wait on', async () => {
    const known = await knownBrowserOf('olga');
    for (let tries = 0; tries < 5; tries += 1) await tryPassword('olga', 'wrong');
    await exhaustCounters();
    expect((await tryPassword('olga', consolePassword)).status).toBe(429);
    const { status, headers } = await tryPassword('olga', consolePassword, known);
    expect(status).toBe(303);
    expect(cookiesOf(headers)).toContain('__Host-console-browser=');
    expect(cookiesOf(headers)).not.toContain(known);
    expect((await tryPassword('olga', consolePassword)).status).toBe(429);
  });

  it('is slowed down after five wrong passwords of its own, and nobody else is', async () => {
    const known = await knownBrowserOf('olga');
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await tryPassword('olga', 'wrong', known)).status).toBe(403);
    }
    const counted = await failures();
    expect(counted.map((each) => each.failures)).toEqual([5]);
    await exhaustCounters();
    expect((await tryPassword('olga', consolePassword, known)).status).toBe(429);
    expect((await tryPassword('olga', consolePassword)).status).toBe(303);
  });

  it('is any other to another name, and with a forged cookie', async () => {
    const [known, ofVera] = [await knownBrowserOf('olga'), await knownBrowserOf('vera')];
    await tryPassword('olga', 'wrong');
    await exhaustCounters();
    const expiresLater = known.replace(/=(\d+)/, (_, instant) => `=${Number(instant) + 1}`);
    for (const kept of [ofVera, expiresLater, '__Host-console-browser=olga']) {
      expect((await tryPassword('olga', consolePassword, kept)).status).toBe(429);
    }
    expect(await failures()).toHaveLength(1);
  });

  it('keeps its cookie for 30 days, out of reach of scripts and other sites', async () => {
    const { headers } = await tryPassword('olga', consolePassword);
    const cookie = headers.getSetCookie().find((each) => each.startsWith('__Host-console-browser='));
    expect(cookie?.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Strict',
      'Secure',
    ]);
  });
});
