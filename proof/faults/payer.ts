import { approvalForm } from '#tools/demo/payer.js';
import { Failure } from '#tools/failure.js';
import { type Answer, exchange, exchangeUntilAnswered } from '#tools/http.js';
import type { ReportedEnds } from './reported-ends.js';

/** The payer's browser. Where a page does not load, the payer tries again. */
export class Payer {
  constructor(private readonly reported: ReportedEnds) {}

  /** Presses Approve on the provider's page. @returns the address to which the provider sends the payer. */
  async approve(approvalUrl: string, signal: AbortSignal): Promise<string> {
    const page = await this.#open(approvalUrl, signal);
    const { action, fields } = approvalForm(page.text);
    return this.#press(new URL(action, approvalUrl), fields['token'] ?? '', signal);
  }

  /** Presses Cancel. @returns the address to which the provider sends the payer. */
  async cancel(approvalUrl: string, signal: AbortSignal): Promise<string> {
    const page = await this.#open(approvalUrl, signal);
    const { action, fields } = approvalForm(page.text);
    return this.#press(
      new URL(action.replace('approve', 'cancel'), approvalUrl),
      fields['token'] ?? '',
      signal,
    );
  }

  /** Follows the provider's redirect to the engine. @returns the order's address to which the engine sends the payer. */
  async follow(address: string, signal: AbortSignal): Promise<string> {
    const askedAt = performance.now();
    const shop = locationOf(address, await this.#open(address, signal));
    this.reported.noteRedirect(shop, askedAt);
    return shop;
  }

  async #press(action: URL, token: string, signal: AbortSignal): Promise<string> {
    const body = new URLSearchParams({ token });
    const send = (): Promise<Answer> => exchange(action.href, { method: 'POST', body }, signal);
    return locationOf(action.href, await exchangeUntilAnswered(send, signal));
  }

  #open(address: string, signal: AbortSignal): Promise<Answer> {
    return exchangeUntilAnswered(() => exchange(address, {}, signal), signal);
  }
}

function locationOf(address: string, answer: Answer): string {
  const location = answer.headers.get('location');
  if (location === null)
    throw new Failure(`${address} answered ${answer.status} where a redirect was due: ${answer.text}`);
  return new URL(location, address).href;
}
