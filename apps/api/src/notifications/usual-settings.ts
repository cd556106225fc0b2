import type { NotificationSettings } from '../injected/api-config.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The waits that the Standard Webhooks specification proposes: ten attempts in three days. */
const usual = {
  waitsMs: [
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ],
  timeoutMs: 15 * second,
  disableAfterMs: 72 * hour,
  sweepMs: second,
} satisfies NotificationSettings;

export function settingsOf(settings: NotificationSettings = {}) {
  return { ...usual, ...settings };
}

/** So many failures in a row may be of single notifications. */
const singleFailures = 10;
const longestRestMs = 5 * minute;

/** How long an endpoint rests after so many failures in a row: a dead one must not cost a read of its whole backlog. */
export function restMs(failures: number): number {
  if (failures < singleFailures) return 0;
  return Math.min(longestRestMs, second * 2 ** Math.min(failures - singleFailures, 20));
}

/** So that deliveries that failed together are not all tried together again. */
export function withJitter(waitMs: number): number {
  return waitMs * (0.8 + Math.random() * 0.4);
}
