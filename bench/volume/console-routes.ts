import { numberCursor } from '#api/wire/pages.js';
import type { Samples } from './samples.js';

type Paths = Readonly<Record<string, string>>;

/** The pages of the console: the first screen, subjects, the search for each kind of id, lists with each filter. */
export function consolePaths(samples: Samples, now: number): Paths {
  const day = (ago: number): string => new Date(now - ago * 86_400_000).toISOString().slice(0, 10);
  return { ...screens(samples), ...callLists(samples, day), ...otherLists(samples, day) };
}

const search = (id: string): string => `/console/search?id=${encodeURIComponent(id)}`;
const calls = (filter: string): string => `/console/calls?${filter}`;
const events = (filter: string): string => `/console/webhook-events?${filter}`;

function screens(sample: Samples): Paths {
  return {
    'first screen': '/console',
    queue: '/console/queue',
    'queue, holds': '/console/queue?kind=holds',
    'queue, reviews of an application': '/console/queue?kind=review&application=sandbox/shop',
    differences: '/console/differences',
    'differences, runs': '/console/differences?kind=run',
    endpoints: '/console/endpoints',
    'endpoints, failing': '/console/endpoints?state=failing',
    'page of an endpoint': `/console/endpoints/${sample.endpoint}`,
    'page of an endpoint, failed': `/console/endpoints/${sample.endpoint}?state=failed`,
    'page of a notification': `/console/notifications/sandbox/shop/${sample.notification}`,
    'page of a payment': `/console/payments/${sample.payment}`,
    'page of a refund': `/console/refunds/${sample.refund}`,
    'page of a subscription': `/console/subscriptions/${sample.subscription}`,
    'page of a payout': `/console/payouts/${sample.payout}`,
    'page of a plan': `/console/plans/${sample.plan}`,
    'page of a call': `/console/calls/${sample.call}`,
    'page of an event': `/console/webhook-events/sandbox/shop/${sample.event}`,
    'search: payment': search(sample.payment),
    'search: refund': search(sample.refund),
    'search: subscription': search(sample.subscription),
    'search: payout': search(sample.payout),
    'search: order': search(sample.order),
    'search: order of many': search('order-repeated'),
    'search: provider’s id': search(sample.resource),
    'search: event': search(sample.event),
    'search: debug id': search(sample.debugId),
    'search: transaction': search(sample.transaction),
    'search: invoice number': search(sample.invoice),
    'search: request id': search(sample.requestId),
    'search: idempotency key': search(sample.idempotencyKey),
    'search: notification': search(sample.notification),
    'search: nothing': search('nothing-has-this-id'),
  };
}

type Day = (ago: number) => string;

function callLists({ middle, ...sample }: Samples, day: Day): Paths {
  return {
    calls: '/console/calls',
    'calls, middle': calls(`cursor=${numberCursor.write(Number(middle.call))}`),
    'calls of an application': calls('application=sandbox/shop'),
    'calls of a small application': calls('application=sandbox/kiosk'),
    'calls, POST': calls('method=POST'),
    'calls, rare method': calls('method=PATCH'),
    'calls, 2xx': calls('status=2'),
    'calls, 4xx': calls('status=4'),
    'calls, 429': calls('status=429'),
    'calls, 5xx': calls('status=5'),
    'calls, no answer': calls('status=none'),
    'calls, frequent path': calls('path=/v1/payments'),
    'calls, rare path': calls('path=/rare/'),
    'calls of a transaction': calls(`transaction=${sample.transaction}`),
    'calls of a payment': calls(`subject=${sample.payment}`),
    'calls of a week': calls(`from=${day(60)}&to=${day(54)}`),
    'calls, old': calls(`to=${day(93)}`),
    'calls, none so young': calls(`from=${day(-2)}`),
    'calls of a week, no answer': calls(`from=${day(60)}&to=${day(54)}&status=none`),
  };
}

function otherLists({ middle, ...sample }: Samples, day: Day): Paths {
  return {
    events: '/console/webhook-events',
    'events, middle': events(`cursor=${numberCursor.write(Number(middle.event))}`),
    'events of an application': events('application=sandbox/shop'),
    'events of a small application': events('application=sandbox/kiosk'),
    'events, applied': events('status=applied'),
    'events, ignored': events('status=ignored'),
    'events, parked': events('status=parked'),
    'events, conflict': events('status=conflict'),
    'events, rare type': events('type=RARE.EVENT'),
    'events of a resource': events(`resource=${sample.eventResource}`),
    'events of a payment': events(`subject=${sample.payment}`),
    'events of a week': events(`from=${day(60)}&to=${day(54)}`),
    'events, old': events(`to=${day(93)}`),
    'events, none so young': events(`from=${day(-2)}`),
    audit: '/console/audit',
    'audit, middle': `/console/audit?cursor=${numberCursor.write(Number(middle.audit))}`,
    'audit of a user': '/console/audit?user=rare',
    'audit, action': '/console/audit?action=resend',
    'audit of a payout': `/console/audit?subject=${sample.payout}`,
  };
}
