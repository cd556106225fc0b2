import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestProviderResend } from '#database/events';
import { launchBrowser } from '../browser/browser.js';
import { newIdentity, parkedEvent } from '../database/engine-database.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { ConsoleBrowser } from './console-browser.js';
import { consoleUsers } from './console-users.js';

let engine: Engine;
let browser: Browser;
let anna: ConsoleBrowser;
beforeAll(async () => {
  engine = await startEngine({ approval: 'immediate', consoleUsers, sweeps: 'often', reconciles: 'never' });
  browser = await launchBrowser();
  anna = await ConsoleBrowser.signedIn(browser, engine.apiUrl, 'anna');
});
afterAll(async () => {
  await browser.close();
  await engine.close();
});

const resends = () => engine.db.selectFrom('webhook_resends').selectAll().execute();
const events = () => engine.db.selectFrom('webhook_events').selectAll().orderBy('id').execute();

/** A hold, and the events of it. */
async function heldAndTold(): Promise<void> {
  const before = (await events()).length;
  await engine.orders.order();
  await until(events, (all) => all.length > before, 'an event');
}

it('the provider delivers again what an operator asks it for, with who and why in the audit trail', async () => {
  await heldAndTold();
  const [event] = await events();
  await anna.goto(`/console/webhook-events/sandbox/shop/${event!.event_id}`);
  await anna.page.getByLabel('Reason').fill('The shop lost it');
  await anna.page.getByRole('button', { name: 'Ask the provider to resend' }).click();
  await anna.page.waitForURL('**?done=provider');
  await until(
    async () => (await events()).find(({ id }) => id === event!.id)?.deliveries ?? 0,
    (deliveries) => deliveries > event!.deliveries,
    'another delivery',
  );
  const isFinished = async () => {
    await anna.page.reload();
    return (await anna.text()).includes('it delivers it again');
  };
  await until(isFinished, Boolean, 'the answer of the provider');
  await anna.isAccessible();
  await anna.goto('/console/audit');
  const row = anna.page.getByRole('row').filter({ hasText: 'ask the provider to resend' });
  expect(await row.first().innerText()).toContain('The shop lost it');
});

it('what the provider does not know is told as refused', async () => {
  const id = await parkedEvent(engine.db, newIdentity(), 'CAP-NOWHERE', 'completed');
  await requestProviderResend(engine.db, id, { requestedBy: 'console:anna', key: 'one' });
  // A form that is sent twice.
  await requestProviderResend(engine.db, id, { requestedBy: 'console:anna', key: 'one' });
  const asked = () =>
    engine.db.selectFrom('provider_resends').selectAll().where('webhook_event_id', '=', id).execute();
  await until(asked, (all) => all.every(({ finished_at: at }) => at !== null), 'the answer');
  expect(await asked()).toMatchObject([{ problem: 'The provider refused it.' }]);
});

it('several events are dispatched again: those that the page showed, and none that came since', async () => {
  await heldAndTold();
  await anna.goto('/console/webhook-events?application=sandbox/shop&status=applied');
  await anna.page.getByRole('link', { name: 'Process these again' }).click();
  await anna.isAccessible();
  const shown = await anna.page.locator('tbody tr').count();
  expect(shown).toBeGreaterThan(0);
  await heldAndTold();

  // As a browser that knows no required fields.
  await anna.page.getByLabel('Reason').evaluate((field) => field.removeAttribute('required'));
  await anna.page.getByRole('button', { name: 'Reprocess here' }).click();
  expect(await anna.text()).toContain('must not be empty');
  expect(await resends()).toEqual([]);

  await anna.page.getByLabel('Reason').fill('A repaired shop');
  await anna.page.getByRole('button', { name: 'Reprocess here' }).click();
  await anna.page.waitForURL(`**?done=${shown}&of=${shown}&how=here`);
  expect(await anna.text()).toContain(`Dispatched again: ${shown}.`);
  expect(await resends()).toHaveLength(shown);
  expect(anna.complaints).toEqual([]);
});
