import { expect } from 'vitest';

interface Linked {
  links: { rel: string; href: string }[];
}

/** Where the payer is sent, as the answer to a create call says. */
export function approvalAddress({ links }: Linked): string {
  const found = links.find(({ rel }) => rel === 'approval_url');
  expect(found, 'a link approval_url').toBeDefined();
  return found!.href;
}

/**
 * Opens the approval page and presses its button as a browser without script does: the form’s hidden fields, posted to
 * its action. Answers the address that the payer is sent back to.
 */
export async function approveAsPayer(answer: Linked): Promise<URL> {
  return pressButton(approvalAddress(answer), /approve|agree/i);
}

async function pressButton(address: string, label: RegExp): Promise<URL> {
  const page = await fetch(address);
  expect(page.status).toBe(200);
  const forms = [...(await page.text()).matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => form);
  const form = forms.find((text) => label.test(/<button[^>]*>([\s\S]*?)<\/button>/.exec(text)?.[1] ?? ''));
  expect(form, `a form with a button ${label}`).toBeDefined();
  const action = /action="([^"]*)"/.exec(form!)?.[1] ?? '';
  const fields = [...form!.matchAll(/<input\b[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)];
  const pressed = await fetch(new URL(action, address), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields.map(([, name, value]): [string, string] => [name!, value!])),
  });
  expect(pressed.status).toBe(303);
  return new URL(pressed.headers.get('location')!);
}
