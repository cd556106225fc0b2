import { Failure } from '../failure.js';
import type { DemoContext } from './demo-context.js';

/**
 * The payer's browser: opens the provider's page, presses Approve, and follows the redirects through the engine to
 * the order's own page, which is not opened.
 * @returns the address at which the payer arrives.
 */
export async function approveAsPayer(
  approvalUrl: string,
  { api, tell, signal }: DemoContext,
): Promise<string> {
  const page = await fetch(approvalUrl, { signal });
  const form = approvalForm(await page.text());
  tell('payer', `opens the approval page and presses Approve`);
  const approval = await fetch(new URL(form.action, page.url), {
    method: 'POST',
    body: new URLSearchParams(form.fields),
    redirect: 'manual',
    signal,
  });
  const returnUrl = locationOf(approval);
  if (!returnUrl.startsWith(api))
    throw new Failure(`The provider sent the payer to ${returnUrl}, not to the engine.`);
  tell('payer', 'is sent back to the engine');
  const arrival = locationOf(await fetch(returnUrl, { redirect: 'manual', signal }));
  tell('payer', `arrives at ${arrival}`);
  return arrival;
}

export interface HtmlForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The form of the provider's page that holds the Approve button, with the fields that a browser would send. */
export function approvalForm(html: string): HtmlForm {
  for (const [, attributes = '', content = ''] of html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)) {
    if (!/approve/i.test(content.replaceAll(/<input[^>]*type="hidden"[^>]*>/gi, ''))) continue;
    const fields = [...content.matchAll(/<(?:input|button)\b([^>]*)>/gi)]
      .map(([, tag = '']) => [attribute(tag, 'name'), attribute(tag, 'value')] as const)
      .filter(([name]) => name !== '');
    return { action: attribute(attributes, 'action'), fields: Object.fromEntries(fields) };
  }
  throw new Failure('The approval page has no form with an Approve button.');
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag)?.[1] ?? '';
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}

function locationOf(response: Response): string {
  const location = response.headers.get('location');
  if (!location) throw new Failure(`${response.url} answered ${response.status} where a redirect was due.`);
  return new URL(location, response.url).href;
}
