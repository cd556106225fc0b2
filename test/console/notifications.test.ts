import { beforeAll, describe, expect, it } from 'vitest';
import { NotifiedShop } from '../api/notified-shop.js';
import { authorizedState } from '../api/api-fixture.js';
import { launchBrowser } from '../browser/browser.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { capture } from '../lifecycle/payment/sample-payments.js';
import { ConsoleBrowser } from './console-browser.js';
import { consoleUsers } from './console-users.js';

let otto: ConsoleBrowser;
const shop = forAllTests(() => NotifiedShop.start({}, { consoleUsers }));
const browser = forAllTests(launchBrowser);
beforeAll(async () => {
  otto = await ConsoleBrowser.signedIn(browser, shop.api.url, 'otto');
});

/** An endpoint to which a notification could not be delivered. */
async function failed() {
  const endpoint = await shop.endpoint();
  endpoint.receiver.answer = (response) => response.writeHead(500).end();
  const paymentId = await shop.api.paymentWith(authorizedState());
  await until(
    () => shop.list(`subject=${paymentId}&endpoint=${endpoint.id}&state=failed`),
    (list) => list.length === 1,
    'the delivery to fail',
  );
  endpoint.receiver.answer = (response) => response.writeHead(204).end();
  const [notification] = await shop.list(`subject=${paymentId}&endpoint=${endpoint.id}`);
  return { ...endpoint, paymentId, notification: notification!, before: endpoint.receiver.received.length };
}

const isDelivered = (endpointId: string, paymentId: string) =>
  until(
    () => shop.list(`subject=${paymentId}&endpoint=${endpointId}&state=delivered`),
    (list) => list.length === 1,
    'the delivery',
  );

async function audited(subjectId: string) {
  return await shop.api.db
    .selectFrom('console_audit')
    .select(['user_name', 'action', 'detail', 'reason'])
    .where('subject_id', '=', subjectId)
    .execute();
}

/** From the form to its confirmation. */
async function asks(which?: string): Promise<void> {
  await otto.page.getByRole('link', { name: 'Resend' }).click();
  await otto.page.waitForURL('**/resend');
  if (which !== undefined) await otto.page.getByLabel(which).check();
  await otto.page.getByLabel('Reason').fill('The shop was down');
  await otto.isAccessible();
}

async function confirms(): Promise<void> {
  await otto.page.getByRole('button', { name: 'Continue' }).click();
  await otto.page.waitForURL('**/resend/confirm?**');
  await otto.isAccessible();
}

/** Without leaving the page, so that the form can be sent twice. @returns where it has led. */
const sendsForm = () =>
  otto.page.evaluate<string>(`(async () => {
    const form = document.querySelector('main form[method=post]');
    return (await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) })).url;
  })()`);

describe('the list of endpoints', () => {
  it('shows why one takes nothing, what waits for it, and each attempt', async () => {
    const { id, receiver, notification } = await failed();
    await shop.api.call('PATCH', `/v1/notification-endpoints/${id}`, { body: { state: 'disabled' } });
    await otto.goto('/console/endpoints?state=disabled');
    const row = otto.page.getByRole('row').filter({ hasText: receiver.url });
    expect(await row.innerText()).toMatch(/disabled.*It was disabled over the API\..*1\s*$/s);
    await otto.isAccessible();
    await row.getByRole('link').click();
    await otto.page.waitForURL(`**/endpoints/${id}`);
    expect(await otto.text()).toContain('It answered 500.');
    await otto.isAccessible();
    await otto.page.getByRole('link', { name: notification.type }).click();
    await otto.page.waitForURL(`**/${notification.id}`);
    const attempts = otto.page
      .getByRole('table', { name: 'Each request to an endpoint' })
      .locator('tbody tr');
    expect(await attempts.allInnerTexts()).toHaveLength(4);
    expect(await attempts.first().innerText()).toContain('500');
    expect(await otto.text()).toContain('"type": "payment.authorized"');
    await otto.isAccessible();
    await otto.goto('/console/endpoints?state=nonsense');
    expect(await otto.page.locator('[aria-invalid=true]').count()).toBe(1);
  });

  it('is filtered, and has pages', async () => {
    const { id } = await shop.endpoint();
    for (let n = 0; n < 55; n += 1) await shop.ask(`/${id}/test`);
    await otto.goto(`/console/endpoints/${id}?type=endpoint.test`);
    const rows = otto.page.locator('tbody tr');
    expect(await rows.count()).toBe(50);
    await otto.page.getByRole('link', { name: 'Older' }).click();
    await otto.page.waitForURL('**cursor=*');
    expect(await rows.count()).toBe(5);
    await otto.goto(`/console/endpoints/${id}?type=payment.captured`);
    expect(await otto.text()).toContain('No notification is like that.');
    for (const wrong of ['type=nonsense', 'cursor=nonsense', 'from=yesterday', 'subject=1'])
      expect(await otto.goto(`/console/endpoints/${id}?${wrong}`), wrong).toBe(422);
  });
});

describe('an operator', () => {
  it('has one notification delivered again', async () => {
    const { id, paymentId, notification, receiver, before } = await failed();
    await otto.goto(`/console/search?id=${notification.id}`);
    expect(new URL(otto.page.url()).pathname).toBe(`/console/notifications/sandbox/shop/${notification.id}`);
    await asks();
    await confirms();
    expect(await otto.text()).toContain('It keeps its id.');
    await otto.page.getByRole('button', { name: 'Resend now' }).click();
    await otto.page.waitForURL('**?done=*');
    await isDelivered(id, paymentId);
    expect(receiver.received).toHaveLength(before + 1);
    expect(await audited(paymentId)).toEqual([
      {
        user_name: 'otto',
        action: 'resend notification',
        detail: notification.id,
        reason: 'The shop was down',
      },
    ]);
  });

  it('has all that failed delivered again, once, although the form is sent twice', async () => {
    const { id, paymentId, receiver, before } = await failed();
    await otto.goto(`/console/endpoints/${id}`);
    await asks('All that failed');
    await confirms();
    expect(await otto.page.locator('tbody tr').allInnerTexts()).toHaveLength(1);
    expect(await sendsForm()).toMatch(/done=1$/);
    await isDelivered(id, paymentId);
    await otto.page.getByRole('button', { name: 'Resend now' }).click();
    await otto.page.waitForURL('**?done=0');
    expect(receiver.received).toHaveLength(before + 1);
    expect(await audited(id)).toMatchObject([{ detail: 'all that failed' }, { detail: 'all that failed' }]);
  });

  it('has all of a time delivered again, once, although the form is sent twice', async () => {
    const { id, receiver } = await shop.endpoint({ eventTypes: ['payment.captured'] });
    const paymentId = await captured();
    await isDelivered(id, paymentId);
    await otto.goto(`/console/endpoints/${id}`);
    await asks('All of a time');
    await otto.page.getByLabel('From').fill(minuteOf(Date.now() - 3_600_000));
    await otto.page.getByLabel('Until').fill(minuteOf(Date.now() - 7_200_000));
    await otto.page.getByRole('button', { name: 'Continue' }).click();
    await otto.page.getByText('must be later than the beginning').waitFor();
    await otto.page.getByLabel('Until').fill(minuteOf(Date.now() + 120_000));
    await otto.page.getByRole('button', { name: 'Continue' }).click();
    await otto.page.getByRole('button', { name: 'Resend now' }).waitFor();
    expect(await sendsForm()).toMatch(/done=1$/);
    await until(
      async () => receiver.received.length,
      (count) => count === 2,
      'the second delivery',
    );
    await isDelivered(id, paymentId);
    await otto.page.getByRole('button', { name: 'Resend now' }).click();
    await otto.page.waitForURL('**?done=0');
    expect(receiver.received).toHaveLength(2);
  });

  it('has only those delivered that the confirmation has listed, and none that was written meanwhile', async () => {
    const { id, receiver } = await shop.endpoint({ eventTypes: ['payment.captured'] });
    const path = `/v1/notification-endpoints/${id}`;
    await shop.api.call('PATCH', path, { body: { state: 'disabled' } });
    const listed = await captured();
    const time = `from=${minuteOf(Date.now() - 3_600_000)}&to=${minuteOf(Date.now() + 3_600_000)}`;
    await otto.goto(`/console/endpoints/${id}/resend/confirm?which=time&${time}&reason=It+was+disabled`);
    await otto.isAccessible();
    const rows = await otto.page.locator('tbody tr').allInnerTexts();
    expect(rows.at(-1)).toContain(listed.slice(0, 14));
    const later = await captured();
    await otto.page.getByRole('button', { name: 'Resend now' }).click();
    await otto.page.waitForURL(`**?done=${rows.length}`);
    const [left] = await shop.list(`subject=${later}&endpoint=${id}`);
    const unsent = left?.deliveries.find(({ endpointId }) => endpointId === id);
    expect(unsent).toMatchObject({ state: 'failed', attempts: 0 });
    await shop.api.call('PATCH', path, { body: { state: 'enabled' } });
    await isDelivered(id, listed);
    await expect.poll(() => receiver.received.length).toBe(rows.length);
  });

  it('has nothing to confirm where nothing is chosen', async () => {
    const { id } = await shop.endpoint();
    await otto.goto(`/console/endpoints/${id}/resend/confirm?which=failed&reason=why`);
    expect(await otto.text()).toContain('No notification is like that.');
    expect(await otto.page.getByRole('button', { name: 'Resend now' }).count()).toBe(0);
  });

  it('is asked for what a form lacks, and nothing is sent', async () => {
    const { id, receiver, before } = await failed();
    const address = `/console/endpoints/${id}/resend/confirm`;
    expect(await otto.goto(`${address}?which=failed`)).toBe(422);
    expect(await otto.goto(`${address}?reason=why`)).toBe(422);
    expect(await otto.goto(`${address}?which=time&from=soon&to=later&reason=why`)).toBe(422);
    expect(await otto.page.locator('[aria-invalid=true]').count()).toBe(2);
    expect(receiver.received).toHaveLength(before);
    expect(await audited(id)).toEqual([]);
  });
});

describe('a viewer', () => {
  it('sees what was sent, but no payload, and can have nothing sent', async () => {
    const { id, notification } = await failed();
    const vera = await ConsoleBrowser.signedIn(browser, shop.api.url, 'vera');
    await vera.goto(`/console/endpoints/${id}`);
    expect(await vera.page.getByRole('link', { name: 'Resend' }).count()).toBe(0);
    expect(await vera.goto(`/console/endpoints/${id}/resend`)).toBe(403);
    const page = `/console/notifications/sandbox/shop/${notification.id}`;
    await vera.goto(page);
    expect(await vera.text()).toContain('The payload is for operators.');
    for (const path of [page, `/console/endpoints/${id}`]) {
      const status = await vera.page.evaluate<number>(`(async () => {
        const token = document.querySelector('input[name=_csrf]').value;
        const body = new URLSearchParams({ _csrf: token, seen: new Date().toISOString(), which: 'failed', reason: 'x' });
        return (await fetch('${path}/resend', { method: 'POST', body })).status;
      })()`);
      expect(status).toBe(403);
    }
    expect(vera.complaints).toEqual([]);
  });
});

it('no page breaks its policy', () => {
  expect(otto.complaints).toEqual([]);
});

/** A payment that is captured, of which an endpoint for captures alone is told once. */
async function captured(): Promise<string> {
  const paymentId = await shop.api.paymentWith(authorizedState());
  await shop.api.moveTo(paymentId, { status: 'captured', captures: [capture(100_00)] });
  return paymentId;
}

/** As a field for dates and times takes it. */
function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16);
}
