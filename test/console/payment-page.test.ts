import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../browser/browser.js';
import { DoubtStage } from '../e2e/doubt-stage.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { ConsoleBrowser } from './console-browser.js';
import { auditOf, commandsOf } from './console-rows.js';
import { consoleUsers } from './console-users.js';
import { usd } from '../helpers/usd.js';

const markup = `<script>document.title = 'hit'</script><img src=x onerror=alert(1)>`;

let otto: ConsoleBrowser;
const stage = forAllTests(
  () => DoubtStage.start({ reviewAfterMs: 300_000 }, { consoleUsers }),
  ({ engine }) => engine.close(),
);
const browser = forAllTests(launchBrowser);
beforeAll(async () => {
  otto = await signedIn('otto');
});
beforeEach(() => stage.engine.sandbox.clearFaults());

async function signedIn(name: string, options?: Parameters<typeof ConsoleBrowser.signedIn>[3]) {
  return await ConsoleBrowser.signedIn(browser, stage.engine.apiUrl, name, options);
}

describe('a payment with an unknown outcome', () => {
  it('is found on the first screen, described in a sentence, and resolved by a check', async () => {
    await stage.tellsNothing();
    const id = (await stage.lostCapture()).split('/').at(-1)!;
    await otto.goto('/console');
    const row = otto.page.getByRole('row').filter({ hasText: 'Capture of 40.00 USD' });
    expect(await row.innerText()).toMatch(
      /Capture of 40\.00 USD sent \d\d:\d\d; reply lost; not looked up yet\.\s+40\.00 USD/,
    );
    expect(await otto.text()).toContain('alive');
    await otto.isAccessible();
    await row.getByRole('link').first().click();
    await otto.page.waitForURL(`**/payments/${id}`);
    expect(await otto.text()).toMatch(
      /Capture of 40\.00 USD: outcome unknown since \d\d:\d\d; not looked up yet/,
    );
    expect(await otto.text()).toContain('Order service (key shop): asks: capture of 40.00 USD; executing');
    await otto.isAccessible();
    await otto.page.getByRole('button', { name: 'Check now' }).click();
    await otto.page.waitForURL('**/payments/*?done=*');
    await stage.engine.orders.reaches(id, 'partially_captured');
    await otto.goto(`/console/payments/${id}`);
    expect(await otto.text()).toMatch(
      /40\.00 USD of 100\.00 USD captured; the rest can be captured until .*guaranteed for/,
    );
    expect(await auditOf(stage.engine.db, id)).toEqual([
      { user_name: 'otto', action: 'check', reason: null },
    ]);
  });
});

describe('the search box', () => {
  it('leads from any id to the payment', async () => {
    const id = await stage.held({ orderId: 'sought-order' });
    const capture = await stage.engine.orders.capture(id, { amount: usd('20.00') });
    const attempt = await stage.engine.db
      .selectFrom('attempts')
      .select('reference')
      .where('subject_id', '=', id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    for (const sought of [id, 'sought-order', capture.body.capture.id, attempt.reference]) {
      await otto.goto('/console');
      await otto.page.getByPlaceholder('Any id').fill(sought);
      await otto.page.keyboard.press('Enter');
      await otto.page.waitForURL(`**/payments/${id}`);
    }
    await otto.goto(`/console/search?id=${encodeURIComponent(markup)}`);
    expect(await otto.text()).toContain('Nothing has exactly the id');
    expect(await otto.text()).toContain(markup);
    await otto.isAccessible();
  });
});

describe('a capture by an operator', () => {
  it('comes back filled in when it is wrong, says what it will do, and is made once with its reason kept', async () => {
    const id = await stage.held();
    await otto.goto(`/console/payments/${id}`);
    await otto.page.getByRole('link', { name: 'Capture' }).click();
    await otto.isAccessible();
    await otto.page.getByLabel('Amount in USD').fill('thirty');
    await otto.page.getByLabel('Reason').fill(`The parcel has left ${markup}`);
    await otto.page.getByRole('button', { name: 'Continue' }).click();
    const amount = otto.page.getByLabel('Amount in USD');
    expect(await amount.inputValue()).toBe('thirty');
    expect(await amount.getAttribute('aria-invalid')).toBe('true');
    expect(await otto.text()).toContain('must be a decimal number');
    expect(await otto.page.getByLabel('Reason').inputValue()).toContain('The parcel has left');
    await otto.isAccessible();
    await amount.fill('30.00');
    await otto.page.getByRole('button', { name: 'Continue' }).click();
    await otto.page.waitForURL('**/confirm?**');
    expect(await otto.text()).toContain('Takes 30.00 USD of the held money from the payer.');
    expect(await otto.text()).toContain('70.00 USD can still be captured afterwards.');
    await otto.isAccessible();
    await otto.page.getByRole('button', { name: 'Capture now' }).click();
    await otto.page.waitForURL('**?done=asked');
    expect(await otto.text()).toContain('30.00 USD of 100.00 USD captured');
    expect(await otto.text()).toContain(`otto: The parcel has left ${markup}`);
    expect(await otto.page.title()).not.toBe('hit');
    expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 3000']);
    expect(await commandsOf(stage.engine.db, id)).toEqual(['console:otto capture succeeded']);
  });

  it('is made once by a form that is sent twice', async () => {
    const id = await stage.held();
    await otto.prepareCapture(id, '25.00');
    const statuses = await otto.page.evaluate<number[]>(`(async () => {
      const form = document.querySelector('main form[method=post]');
      const send = () => fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
      return (await Promise.all([send(), send()])).map(({ status }) => status);
    })()`);
    expect(statuses).toEqual([200, 200]);
    await otto.page.getByRole('button', { name: 'Capture now' }).click();
    await otto.page.waitForURL('**?done=asked');
    expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 2500']);
    expect(await commandsOf(stage.engine.db, id)).toEqual(['console:otto capture succeeded']);
  });

  it('asks again when another operator was faster, and shows what has changed', async () => {
    const id = await stage.held();
    const olga = await signedIn('olga');
    await otto.prepareCapture(id, '25.00');
    await olga.prepareCapture(id, '30.00');
    await otto.page.getByRole('button', { name: 'Capture now' }).click();
    await otto.page.waitForURL('**?done=asked');
    await olga.page.getByRole('button', { name: 'Capture now' }).click();
    await olga.page.getByText('Something has changed since the form was made').waitFor();
    expect(await olga.text()).toContain('otto: asks: capture of 25.00 USD; succeeded');
    expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 2500']);
    await olga.isAccessible();
    await olga.page.getByRole('button', { name: 'Capture now' }).click();
    await olga.page.waitForURL('**?done=asked');
    expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 2500', 'capture 3000']);
    expect(olga.complaints).toEqual([]);
  });

  it('is made by one of two operators who act at the same instant', async () => {
    const id = await stage.held();
    const olga = await signedIn('olga');
    await otto.prepareCapture(id, '25.00');
    await olga.prepareCapture(id, '30.00');
    await Promise.all(
      [otto, olga].map(({ page }) => page.getByRole('button', { name: 'Capture now' }).click()),
    );
    await until(
      () =>
        Promise.all(
          [otto, olga].map(({ page }) => page.getByText(/was asked for|has changed since/).count()),
        ),
      (counts) => counts.every((count) => count === 1),
      'both answers',
    );
    expect(await commandsOf(stage.engine.db, id)).toHaveLength(1);
    expect(await stage.engine.sandbox.booksOf(id)).toHaveLength(2);
  });

  it('is refused with the reason at its field when it is too much', async () => {
    const id = await stage.held();
    await otto.prepareCapture(id, '100.01');
    await otto.page.getByRole('button', { name: 'Capture now' }).click();
    await otto.page.getByText('Something in the form is not right.').waitFor();
    expect(await otto.page.getByLabel('Amount in USD').getAttribute('aria-invalid')).toBe('true');
    expect(await otto.page.getByLabel('Amount in USD').inputValue()).toBe('100.01');
    expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000']);
  });

  it('leads to the sign-in when the session has ended in the middle, and acts on nothing', async () => {
    const id = await stage.held();
    const olga = await signedIn('olga');
    await olga.prepareCapture(id, '10.00');
    await stage.engine.db
      .updateTable('console_sessions')
      .set({ ended_at: new Date() })
      .where('user_name', '=', 'olga')
      .execute();
    await olga.page.getByRole('button', { name: 'Capture now' }).click();
    await olga.page.waitForURL('**/sign-in?next=**');
    await olga.signIn('olga');
    await olga.page.waitForURL(`**/payments/${id}/capture`);
    expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000']);
  });
});

describe('without JavaScript and with the keyboard alone', () => {
  it('refunds a captured payment', async () => {
    const user = await signedIn('olga', { javaScriptEnabled: false });
    const { body } = await stage.engine.orders.order({ capturePolicy: { mode: 'automatic' } });
    await stage.engine.orders.reaches(body.id, 'captured');
    await user.goto(`/console/payments/${body.id}`);
    await user.tabTo('Skip to content');
    await user.page.keyboard.press('Enter');
    await user.tabTo('Refund');
    await user.page.keyboard.press('Enter');
    await user.page.waitForURL('**/refund');
    await user.page.getByLabel('Amount in USD').focus();
    await user.page.keyboard.type('12.50');
    await user.page.keyboard.press('Tab');
    await user.page.keyboard.type('Damaged');
    await user.tabTo('Continue');
    await user.page.keyboard.press('Enter');
    await user.page.waitForURL('**/confirm?**');
    expect(await user.text()).toContain('Gives 12.50 USD back to the payer.');
    await user.tabTo('Refund now');
    await user.page.keyboard.press('Enter');
    await user.page.waitForURL('**?done=asked');
    expect(await stage.engine.sandbox.booksOf(body.id)).toEqual([
      'hold 10000',
      'capture 10000',
      'refund 1250',
    ]);
    await user.page.getByRole('link', { name: /^re_/ }).click();
    await user.page.waitForURL('**/refunds/re_*');
    expect(await user.text()).toContain('Refund of 12.50 USD, requested here');
  });
});

describe('a viewer', () => {
  it('reads everything and can do nothing', async () => {
    const id = await stage.held();
    const vera = await signedIn('vera');
    await vera.goto(`/console/payments/${id}`);
    expect(await vera.page.getByRole('link', { name: 'Capture' }).count()).toBe(0);
    expect(await vera.page.getByRole('button', { name: 'Check now' }).count()).toBe(0);
    expect(await vera.goto(`/console/payments/${id}/capture`)).toBe(403);
    expect(await vera.text()).toContain('This needs the role operator.');
    await vera.isAccessible();
    const status = await vera.page.evaluate<number>(`(async () => {
      const token = document.querySelector('input[name=_csrf]').value;
      const body = new URLSearchParams({ _csrf: token, seen: '1.1.0', reason: 'x' });
      return (await fetch('/console/payments/${id}/void', { method: 'POST', body })).status;
    })()`);
    expect(status).toBe(403);
    expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000']);
    expect(vera.complaints).toEqual([]);
  });
});

describe('every page of a payment', () => {
  it('breaks its policy nowhere', () => {
    expect(otto.complaints).toEqual([]);
  });
});
