import { type Money, moneyText } from '#workflows/lifecycle';
import { kindOf } from '#workflows/contract';
import { endpointIdPattern } from '../../notifications/notification-endpoints.js';

/** An instant as a sentence names it: the time alone if it is today, otherwise also the day. In UTC. */
export function whenText(at: number, now: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  const isToday = new Date(now).toISOString().startsWith(day);
  return isToday ? time.slice(0, 5) : `${dayText(at, now)}, ${time.slice(0, 5)}`;
}

/** "18 Dec", with the year if it is another one. */
export function dayText(at: number, now: number = Date.now()): string {
  const date = new Date(at);
  const month = date.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
  const year = date.getUTCFullYear();
  return `${date.getUTCDate()} ${month}${year === new Date(now).getUTCFullYear() ? '' : ` ${year}`}`;
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** A length of time in its largest unit: "2 days". */
export function durationText(ms: number): string {
  for (const [length, unit] of units) {
    const count = Math.floor(ms / length);
    if (count >= 1) return counted(count, unit);
  }
  return 'less than a second';
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function money(minor: number, currency: string): string {
  return moneyText({ minor, currency } satisfies Money);
}

/** "needs_review" as "needs review". */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

/** "captureCameDue" as "capture came due". */
export function unfolded(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const folders = {
  payment: 'payments',
  refund: 'refunds',
  plan: 'plans',
  subscription: 'subscriptions',
  payout: 'payouts',
} as const;

/** The page of a subject, or of an endpoint. */
export function addressOf(id: string): string {
  if (endpointIdPattern.test(id)) return `/console/endpoints/${id}`;
  return `/console/${folders[kindOf({ id })]}/${id}`;
}

export function notificationAddress({
  environment,
  application,
  id,
}: {
  readonly environment: string;
  readonly application: string;
  readonly id: string;
}): string {
  return `/console/notifications/${environment}/${application}/${id}`;
}

/** Who asked for a command, in words. */
export function actorText(requestedBy: string): string {
  const [kind, name] = splitOnce(requestedBy);
  if (kind === 'api-key') return `Order service (key ${name})`;
  if (kind === 'console') return name;
  return requestedBy === 'policy' ? 'Policy of the order' : requestedBy;
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
