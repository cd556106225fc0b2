import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { paymentStatuses } from '#workflows/lifecycle/payment';
import { payoutStatuses } from '#workflows/lifecycle/payout';
import { planStatuses } from '#workflows/lifecycle/plan';
import { refundStatuses } from '#workflows/lifecycle/refund';
import { subscriptionStatuses } from '#workflows/lifecycle/subscription';
import { arrow, arrowsTaken, start } from './lifecycle-arrows/explore.js';
import { authorizing, holdingRest, selling } from './lifecycle-arrows/payment.js';
import { paying } from './lifecycle-arrows/payout.js';
import { planning } from './lifecycle-arrows/plan.js';
import { refunding } from './lifecycle-arrows/refund.js';
import { subscribing } from './lifecycle-arrows/subscription.js';

const saleStatuses = ['executing', 'pending', 'completed'];
const holdStatuses = [
  'authorizing',
  'authorized',
  'capturing',
  'partially_captured',
  'reauthorizing',
  'captured',
  'voiding',
  'voided',
];

const documents = [
  {
    of: 'authorizations',
    text: section('payment', 'Authorizations'),
    statuses: paymentStatuses.filter((status) => !saleStatuses.includes(status)),
    taken: () => new Set([...arrowsTaken(authorizing), ...arrowsTaken(holdingRest)]),
  },
  {
    of: 'sales',
    text: section('payment', 'Sales'),
    statuses: paymentStatuses.filter((status) => !holdStatuses.includes(status)),
    taken: () => arrowsTaken(selling),
  },
  { of: 'refunds', text: page('refund'), statuses: refundStatuses, taken: () => arrowsTaken(refunding) },
  { of: 'plans', text: page('plan'), statuses: planStatuses, taken: () => arrowsTaken(planning) },
  {
    of: 'subscriptions',
    text: page('subscription'),
    statuses: subscriptionStatuses,
    taken: () => arrowsTaken(subscribing),
  },
  { of: 'payouts', text: page('payout'), statuses: payoutStatuses, taken: () => arrowsTaken(paying) },
];

it.each(documents)('draws every arrow $of can take, and no other', ({ text, taken }) => {
  const drawn = arrowsDrawn(text);
  expect(new Set(drawn).size, 'an arrow is drawn twice').toBe(drawn.length);
  expect(drawn.toSorted()).toEqual([...taken()].toSorted());
});

it.each(documents)('names every status of $of, and no other', ({ text, statuses }) => {
  const named = arrowsDrawn(text).flatMap((line) => line.split(' --> '));
  expect(new Set(named)).toEqual(new Set([start, ...statuses]));
});

it('reads an arrow with or without its label', () => {
  const drawn = arrowsDrawn('```mermaid\nstateDiagram-v2\n  [*] --> one: why\n  one --> two\n```');
  expect(drawn).toEqual([arrow(start, 'one'), arrow('one', 'two')]);
});

function page(name: string): string {
  return readFileSync(new URL(`../../docs/lifecycles/${name}.md`, import.meta.url), 'utf8');
}

function section(name: string, title: string): string {
  const found = page(name)
    .split(/^## /m)
    .find((text) => text.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`docs/lifecycles/${name}.md has no section "${title}"`);
  return found;
}

/** Every arrow of the state diagrams in a text; a line of a diagram that is none fails. */
function arrowsDrawn(text: string): string[] {
  const diagrams = text.matchAll(/^```mermaid\nstateDiagram-v2\n(?<lines>[^]*?)^```$/gm);
  return [...diagrams].flatMap(({ groups }) =>
    (groups?.['lines'] ?? '')
      .trim()
      .split('\n')
      .map((line) => {
        const match = /^\s*(\[\*\]|\w+) --> (\w+)(: .+)?$/.exec(line);
        if (!match?.[1] || !match[2]) throw new Error(`not an arrow: ${line}`);
        return arrow(match[1], match[2]);
      }),
  );
}
