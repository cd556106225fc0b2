import { sql } from 'kysely';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../browser/browser.js';
import { DoubtStage } from '../e2e/doubt-stage.js';
import { forAllTests } from '../helpers/shared.js';
import { ConsoleBrowser } from './console-browser.js';
import { consoleUsers } from './console-users.js';

let browser: Browser;
const stage = forAllTests(
  () => DoubtStage.start({ reviewAfterMs: 300_000 }, { consoleUsers }),
  ({ engine }) => engine.close(),
);
beforeAll(async () => {
  // A read because of an event would be something new, which the forms have not seen.
  await stage.tellsNothing();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

/** A browser each; one after the other, because few passwords are looked at together. */
async function otto(): Promise<ConsoleBrowser> {
  return await ConsoleBrowser.signedIn(browser, stage.engine.apiUrl, 'otto');
}

describe('of several forms of an operator that have seen the same', () => {
  it('one acts, and the others are shown what has changed', async () => {
    const id = await stage.held();
    const [first, second, third] = [await otto(), await otto(), await otto()];
    await first.prepareCapture(id, '25.00');
    await second.prepareCapture(id, '30.00');
    await third.prepare(id, 'void');
    await first.page.getByRole('button', { name: 'Capture now' }).click();
    await first.page.waitForURL('**?done=asked');
    await second.page.getByRole('button', { name: 'Capture now' }).click();
    await second.page.getByText('Something has changed since the form was made').waitFor();
    await third.page.getByRole('button', { name: 'Void now' }).click();
    await third.page.getByText('Something has changed since the form was made').waitFor();
    expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 2500']);
  });

  it('the others are told what has changed, however much has been asked for before', async () => {
    const id = await stage.held();
    await sql`
      insert into commands (id, environment, application, idempotency_key, body_hash, kind, subject_id, parameters, status,
        requested_by)
      select 'cmd_earlier' || n, environment, application, 'earlier-' || n, '', 'capture', subject_id, '{}', 'refused', 'shop'
      from commands, generate_series(1, 310) as n where subject_id = ${id} and kind = 'create'`.execute(
      stage.engine.db,
    );
    const [first, second] = [await otto(), await otto()];
    await first.prepareCapture(id, '25.00');
    await second.prepare(id, 'void');
    await first.page.getByRole('button', { name: 'Capture now' }).click();
    await first.page.waitForURL('**?done=asked');
    expect(await first.text()).toContain('asks: capture of 25.00 USD');
    await second.page.getByRole('button', { name: 'Void now' }).click();
    await second.page.getByText('Something has changed since the form was made').waitFor();
    expect(await second.text()).toContain('asks: capture of 25.00 USD');
    expect(await second.text()).not.toContain('asks: capture; refused');
  });

  it('the others are shown that they did nothing, if the first one has ended the payment', async () => {
    const id = await stage.held();
    const [first, again, other] = [await otto(), await otto(), await otto()];
    await first.prepareCapture(id, '100.00');
    await again.prepareCapture(id, '100.00');
    await other.prepare(id, 'void');
    await first.page.getByRole('button', { name: 'Capture now' }).click();
    await first.page.waitForURL('**?done=asked');
    await other.page.getByRole('button', { name: 'Void now' }).click();
    await other.page.getByText('The state does not allow this action any more').waitFor();
    // The same form once more.
    await again.page.getByRole('button', { name: 'Capture now' }).click();
    await again.page.waitForURL('**?done=asked');
    expect(await stage.engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });
});
