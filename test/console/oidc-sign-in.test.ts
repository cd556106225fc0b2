import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#tools/ports.js';
import { ApiFixture } from '../api/api-fixture.js';
import { launchBrowser } from '../browser/browser.js';
import { forAllTests } from '../helpers/shared.js';
import { ConsoleBrowser } from './console-browser.js';
import { consoleUsers } from './console-users.js';
import { IdentityServer } from './identity-server.js';

const callback = '/console/sign-in/oidc/callback';

let api: ApiFixture;
let browser: Browser;

const identity = forAllTests(() => IdentityServer.start());

beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const consoleIdentityProvider = identity.settings;
  api = await ApiFixture.start({ port, publicUrl, consoleUsers, consoleIdentityProvider });
  identity.serve(publicUrl + callback, {
    lena: ['everybody', 'payments-leads'],
    omar: ['payments'],
    greg: ['gardeners'],
    otto: ['payments'],
  });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await api.close();
});

async function auditOf(name: string) {
  return await api.db
    .selectFrom('console_audit')
    .select(['action', 'role', 'detail'])
    .where('user_name', '=', name)
    .orderBy('id')
    .execute();
}

/** A browser whose user has gone through the identity provider's own pages. */
async function through(
  name: string,
  { path = '/console', ...options }: BrowserContextOptions & { path?: string } = {},
): Promise<ConsoleBrowser> {
  const user = await ConsoleBrowser.open(browser, api.url, options);
  await user.goto(path);
  await user.page.getByRole('link', { name: 'Sign in with Acme' }).click();
  await user.page.getByPlaceholder('Enter any login').fill(name);
  await user.page.getByPlaceholder('and password').fill('any');
  await user.page.getByRole('button', { name: 'Sign-in' }).click();
  await user.page.getByRole('button', { name: 'Continue' }).click();
  await user.page.waitForURL(`${api.url}/**`);
  return user;
}

describe('somebody whom the identity provider knows', () => {
  it('comes back to the page that was asked for, with the highest role of the groups', async () => {
    const lena = await through('lena', { path: '/console/search?id=nothing-has-this' });
    await lena.page.waitForURL('**/console/search?id=nothing-has-this');
    expect(await lena.page.locator('header').innerText()).toContain('lena (admin)');
    await lena.isAccessible();
    expect(lena.complaints).toEqual([]);
    expect(await auditOf('lena')).toEqual([
      { action: 'sign-in', role: 'admin', detail: `as lena of ${identity.issuer}` },
    ]);
  });

  it('signs in without scripts, too', async () => {
    const lena = await through('lena', { javaScriptEnabled: false });
    await lena.page.waitForURL(`${api.url}/console`);
    expect(await lena.text()).toContain('Nothing waits for a person.');
  });

  it('sees no audit trail as an operator', async () => {
    const omar = await through('omar');
    await omar.page.waitForURL(`${api.url}/console`);
    expect(await omar.goto('/console/audit')).toBe(403);
  });

  it('does not enter without a group that has a role', async () => {
    const greg = await through('greg');
    expect(await greg.text()).toContain('You are in no group that may use the console.');
    await greg.goto('/console');
    expect(new URL(greg.page.url()).pathname).toBe('/console/sign-in');
    expect(await auditOf('greg')).toEqual([]);
  });

  it('does not enter by the name of a user of the configuration', async () => {
    const other = await through('otto');
    expect(await other.text()).toContain('A user of the configuration has your name.');
    expect(await auditOf('otto')).toEqual([]);
  });

  it('is signed out when the configuration has other groups', async () => {
    const omar = await through('omar');
    await omar.page.waitForURL(`${api.url}/console`);
    const cookies = await omar.page.context().cookies();
    const cookie = cookies.find(({ name }) => name === '__Host-console')?.value ?? '';
    const groups = { ...identity.settings.groups, operator: ['others'] };
    const changed = await ApiFixture.start({
      databaseUrl: api.databaseUrl,
      consoleUsers,
      consoleIdentityProvider: { ...identity.settings, groups },
    });
    const asOmar = { apiKey: null, headers: { cookie: `__Host-console=${cookie}` } };
    try {
      expect((await api.call('GET', '/console', asOmar)).status).toBe(200);
      expect((await changed.call('GET', '/console', asOmar)).headers.get('location')).toMatch(
        /^\/console\/sign-in/,
      );
    } finally {
      await changed.close();
    }
  });
});

describe('the way back from the identity provider', () => {
  it('opens nothing in a browser that did not begin it', async () => {
    const answer = await api.call('GET', `${callback}?code=stolen&state=guessed`, { apiKey: null });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('The sign-in was not completed');
    expect(answer.headers.getSetCookie().join()).not.toContain('__Host-console=');
  });

  it('opens nothing for an answer to another beginning', async () => {
    const begun = await api.call('GET', '/console/sign-in/oidc', { apiKey: null });
    const cookie = begun.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const answer = await api.call('GET', `${callback}?code=stolen&state=guessed&iss=${identity.issuer}`, {
      apiKey: null,
      headers: { cookie },
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie().join()).not.toContain('__Host-console=');
  });

  it('leads to no other site, whatever the link said', async () => {
    const begun = await api.call('GET', '/console/sign-in/oidc?next=https://evil.example', { apiKey: null });
    expect(begun.status).toBe(303);
    const [, kept = ''] = /__Host-console-oidc=([^;]+)/.exec(begun.headers.getSetCookie().join()) ?? [];
    expect(JSON.parse(Buffer.from(kept, 'base64url').toString())).toMatchObject({ next: '/console' });
  });
});

describe('an API whose identity provider is away', () => {
  it('says so, and lets others sign in by their passwords', async () => {
    const away = await IdentityServer.start();
    await away.close();
    const alone = await ApiFixture.start({ consoleUsers, consoleIdentityProvider: away.settings });
    try {
      const { status, text } = await alone.call('GET', '/console/sign-in/oidc', { apiKey: null });
      expect(status).toBe(503);
      expect(text).toContain('The identity provider cannot be reached.');
      expect(text).toContain('name="password"');
    } finally {
      await alone.close();
    }
  });
});
