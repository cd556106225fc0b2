import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#api/wire/ids.js';
import { ApiFixture, authorizedState, closedAddress, temporalAt } from '../api/api-fixture.js';
import { launchBrowser } from '../browser/browser.js';
import { owner, parkedEvent, storePayment } from '../database/engine-database.js';
import { forAllTests } from '../helpers/shared.js';
import { payment } from '../lifecycle/payment/sample-payments.js';
import { ConsoleBrowser } from './console-browser.js';
import { consoleUsers } from './console-users.js';

const minute = 60_000;

let otto: ConsoleBrowser;
const api = forAllTests(() => ApiFixture.start({ consoleUsers, notifications: { allowsAnyAddress: true } }));
const browser = forAllTests(launchBrowser);
beforeAll(async () => {
  await oneOfEach();
  otto = await ConsoleBrowser.signedIn(browser, api.url, 'otto');
});

/** Something behind each counter: of holds more than a page has, of which several end at the same instant. */
async function oneOfEach(): Promise<void> {
  await api.paymentWith(payment('needs_review'));
  const { openStep } = payment('needs_review');
  await api.paymentWith({ ...payment('capturing'), openStep: openStep! });
  await parkedEvent(api.db, { ...owner, paymentId: newId('payment', 0) }, 'CAP-NOWHERE', 'completed');
  const until = Date.now() + 60 * minute;
  for (let n = 0; n < 53; n += 1) {
    const identity = { ...owner, paymentId: newId('payment', Date.now()) };
    await storePayment(api.db, identity);
    await sql`update payments set status = 'authorized',
      state = state - 'openStep' || jsonb_build_object('status', 'authorized', 'authorization', jsonb_build_object(
        'authorizationId', 'A', 'minor', 10000, 'createdAt', ${until - 86_400_000}::bigint,
        'validUntil', ${until + Math.floor(n / 10) * minute}::bigint))
      where id = ${identity.paymentId}`.execute(api.db);
  }
  const differing = await api.paymentWith(authorizedState());
  for (const field of ['run', 'hold', 'authorized'])
    await sql`insert into drift (environment, application, subject_id, field, ours, theirs)
      values ('sandbox', 'shop', ${differing}, ${field}, 'ours', 'theirs')`.execute(api.db);
  await api.call('POST', '/v1/notification-endpoints', {
    body: { url: 'http://127.0.0.1:9/told' },
    idempotencyKey: 'endpoint',
  });
  await sql`update notification_endpoints set failing_since = now() - interval '2 hours'`.execute(api.db);
}

describe('each counter of the first screen', () => {
  it.each([
    ['In doubt', 1],
    ['Need review', 1],
    ['Holds that end within 3 days', 53],
    ['Parked webhook events', 1],
    ['Differences from the provider', 2],
    ['Runs that cannot continue', 1],
    ['Endpoints that fail', 1],
  ])('leads to the list that it counts: %s', async (name, count) => {
    await otto.goto('/console');
    const counter = otto.page.locator('.counters li').filter({ hasText: name });
    expect(await counter.locator('strong').innerText()).toBe(String(count));
    expect(await counter.locator('small').innerText()).toMatch(/oldest for|the first in/);
    await counter.getByRole('link').click();
    await otto.page.waitForURL('**/console/*');
    await otto.isAccessible();
    const names = new Set<string>();
    let rows = 0;
    for (;;) {
      const shown = otto.page.locator('tbody th a');
      rows += await shown.count();
      for (const link of await shown.all()) names.add((await link.getAttribute('href')) ?? '');
      const next = otto.page.getByRole('link', { name: 'Next', exact: true });
      if ((await next.count()) === 0) break;
      const from = otto.page.url();
      await next.click();
      await otto.page.waitForURL((url) => url.href !== from);
    }
    expect(rows, await otto.text()).toBe(count);
    // Two differences are of the same subject.
    expect(names.size).toBe(name.startsWith('Differences') ? 1 : count);
  });
});

describe('the queue', () => {
  it('offers operators what the state allows, and viewers nothing', async () => {
    await otto.goto('/console/queue?kind=doubt');
    const row = otto.page.locator('tbody tr');
    expect(await row.innerText()).toContain('60.00 USD');
    expect(await row.getByRole('button', { name: 'Check now' }).count()).toBe(1);
    await otto.goto('/console/queue?kind=holds');
    const links = otto.page.locator('tbody tr').first().getByRole('listitem');
    expect(await links.allInnerTexts()).toEqual(['Capture', 'Reauthorize', 'Void']);
    const vera = await ConsoleBrowser.signedIn(browser, api.url, 'vera');
    expect(await vera.page.getByRole('button', { name: 'Check now' }).count()).toBe(0);
    expect(await vera.page.getByRole('link', { name: 'Void' }).count()).toBe(0);
    expect(vera.complaints).toEqual([]);
  });

  it('leads from the first screen to all of it', async () => {
    await otto.goto('/console');
    await otto.page.getByRole('link', { name: 'The whole queue' }).click();
    await otto.page.waitForURL('**/console/queue');
    expect(await otto.page.locator('tbody tr').count()).toBe(50);
  });

  it.each(['kind=everything', 'after=nonsense', 'after=0~12~pay_1', `after=2~1.5~${newId('payment', 0)}`])(
    'names a filter that is wrong: %s',
    async (query) => {
      expect(await otto.goto(`/console/queue?${query}`)).toBe(422);
    },
  );
});

it('says that no worker asks for work', async () => {
  await otto.goto('/console');
  expect(await otto.text()).toContain('No worker asks Temporal for work');
});

it('comes while Temporal does not answer, and says so', async () => {
  const alone = await ApiFixture.start({
    consoleUsers,
    databaseUrl: api.databaseUrl,
    temporal: temporalAt(closedAddress),
  });
  try {
    const anna = await ConsoleBrowser.signedIn(browser, alone.url, 'anna');
    expect(await anna.text()).toContain('Temporal does not answer');
    expect(await anna.text()).toContain('Need review');
    await anna.isAccessible();
  } finally {
    await alone.close();
  }
});

it('no page breaks its policy', () => {
  expect(otto.complaints).toEqual([]);
});
