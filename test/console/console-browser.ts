import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFindings } from '../browser/axe-findings.js';
import { openPage } from '../browser/browser.js';
import { consolePassword } from './console-users.js';

/** A user of the console with a browser, whose page tells what its policy has forbidden. */
export class ConsoleBrowser {
  /** What the browser has complained of: scripts, styles or requests that the policy forbids, and errors of scripts. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly url: string,
  ) {}

  static async open(browser: Browser, url: string, options?: BrowserContextOptions): Promise<ConsoleBrowser> {
    const page = await openPage(browser, options);
    const opened = new ConsoleBrowser(page, url);
    // A page that is answered with a refusal is reported, too, and is no fault of the page's.
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        opened.complaints.push(message.text());
      }
    });
    page.on('pageerror', (error) => opened.complaints.push(error.message));
    return opened;
  }

  static async signedIn(
    browser: Browser,
    url: string,
    name: string,
    options?: BrowserContextOptions,
  ): Promise<ConsoleBrowser> {
    const opened = await ConsoleBrowser.open(browser, url, options);
    await opened.goto('/console/sign-in');
    await opened.signIn(name);
    await opened.page.waitForURL(`${url}/console`);
    return opened;
  }

  async goto(path: string): Promise<number> {
    const answer = await this.page.goto(this.url + path);
    return answer?.status() ?? 0;
  }

  async signIn(name: string, password = consolePassword): Promise<void> {
    await this.page.getByLabel('Name').fill(name);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Fills in the form of a capture, up to its confirmation. */
  async prepareCapture(id: string, amount: string): Promise<void> {
    await this.prepare(id, 'capture', { 'Amount in USD': amount });
  }

  /** The same of another action of a payment. */
  async prepare(id: string, action: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.prepareAt(`/console/payments/${id}/${action}`, fields);
  }

  /** Does something from the page of a subject, as an operator who reads what it will do. @returns what it said. */
  async act(address: string, label: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
    await this.goto(address);
    await this.page
      .getByRole('list', { name: 'Actions' })
      .getByRole('link', { name: label, exact: true })
      .click();
    await this.page.waitForURL(`**${address}/*`);
    await this.isAccessible();
    await this.prepareAt(new URL(this.page.url()).pathname, fields);
    const said = await this.text();
    await this.confirm(label);
    return said;
  }

  /** A subject that has moved on since the form was made is shown, and the operator is asked again. */
  private async confirm(label: string): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.page.getByRole('button', { name: `${label} now` }).click();
    await loaded;
    if (!new URL(this.page.url()).searchParams.has('done')) await this.confirm(label);
  }

  private async prepareAt(path: string, fields: Readonly<Record<string, string>>): Promise<void> {
    await this.goto(path);
    for (const [label, value] of Object.entries({ ...fields, Reason: 'The parcel has left' }))
      await this.page.getByLabel(label).fill(value);
    await this.page.getByRole('button', { name: 'Continue' }).click();
    await this.page.waitForURL('**/confirm?**');
  }

  async text(): Promise<string> {
    return await this.page.locator('main').innerText();
  }

  async tabTo(name: string | RegExp): Promise<void> {
    const target = this.page.getByRole('link', { name }).or(this.page.getByRole('button', { name })).first();
    for (let tabs = 0; tabs < 80; tabs += 1) {
      if (await target.evaluate((element) => element.matches(':focus'))) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard does not reach ${String(name)}`);
  }

  /** Asserts that axe finds nothing, and that the page does not scroll sideways. */
  async isAccessible(): Promise<void> {
    expect(await axeFindings(this.page), this.page.url()).toEqual([]);
    const overflow = await this.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, this.page.url()).toBeLessThanOrEqual(0);
  }
}
