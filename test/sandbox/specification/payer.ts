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
  const response = await fetch(address);
  expect(response.status).toBe(200);
  const page = await response.text();
  const form = formOfButton(page, label);
  const pressed = await fetch(new URL(attribute(form, 'action'), address), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fieldsOf(form)),
  });
  expect(pressed.status).toBe(303);
  return new URL(pressed.headers.get('location')!);
}

/** The form that stands around the button, or the one that the button names. */
function formOfButton(page: string, label: RegExp): string {
  const forms = elements(page, 'form');
  const button = elements(page, 'button').find((text) => label.test(text.replace(/^<[^>]*>/, '')));
  expect(button, `a button ${label}`).toBeDefined();
  const id = attribute(button!, 'form');
  const form = forms.find((text) => (id === '' ? text.includes(button!) : attribute(text, 'id') === id));
  expect(form, `the form of the button ${label}`).toBeDefined();
  return form!;
}

/** What a browser sends: fields as they stand, and of each list the chosen entry, else the first. */
function fieldsOf(form: string): [string, string][] {
  const inputs = [...form.matchAll(/<input\b[^>]*>/g)].map(([input]): [string, string] => [
    attribute(input, 'name'),
    attribute(input, 'value'),
  ]);
  const lists = elements(form, 'select').map((list): [string, string] => {
    const options = elements(list, 'option');
    const chosen = options.find((option) => /^<option\b[^>]*\bselected/.test(option)) ?? options[0] ?? '';
    return [attribute(list, 'name'), attribute(chosen, 'value')];
  });
  return [...inputs, ...lists];
}

function elements(page: string, name: string): string[] {
  return [...page.matchAll(new RegExp(`<${name}\\b[^>]*>[\\s\\S]*?</${name}>`, 'g'))].map(([text]) => text);
}

/** Of the element’s opening tag; empty when it has none. */
function attribute(element: string, name: string): string {
  return new RegExp(`^<[^>]*\\s${name}="([^"]*)"`).exec(element)?.[1] ?? '';
}
