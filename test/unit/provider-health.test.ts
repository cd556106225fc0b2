import { expect, test } from 'vitest';
import { HealthChart } from '#api/console/start/health-chart.js';
import { healthOf } from '#api/console/start/provider-health.js';

const from = new Date('2026-11-01T12:00:00Z');
const to = new Date('2026-11-01T13:00:00Z');
const call = (minute: number, duration_ms: number, is_failed = false) => ({
  started_at: new Date(from.getTime() + minute * 60_000),
  duration_ms,
  is_failed,
});

function drawnOf(calls: readonly ReturnType<typeof call>[]): string {
  const health = healthOf(calls, { from, to, steps: 12 });
  // Rendered as the page renders it.
  const page: { toString(): string } = HealthChart({ name: 'sandbox/shop', health });
  return page.toString();
}

test('calls are counted where they began, as a whole and for each five minutes', () => {
  const calls = [call(0, 100), call(4.9, 300, true), call(5, 80), call(59.9, 90)];
  const { steps, ...whole } = healthOf(calls, { from, to, steps: 12 });
  expect(whole).toEqual({ calls: 4, failed: 1, p95: 300 });
  expect(steps).toHaveLength(12);
  expect(steps[0]).toEqual({ from, calls: 2, failed: 1, p95: 300 });
  expect(steps[1]).toMatchObject({ calls: 1, failed: 0, p95: 80 });
  expect(steps[2]).toMatchObject({ calls: 0, failed: 0, p95: undefined });
  expect(steps[11]).toMatchObject({ calls: 1, p95: 90 });
});

test('one slow call of twenty is not the 95th percentile, one of nineteen is', () => {
  const fast = Array.from({ length: 19 }, () => call(1, 10));
  expect(healthOf([...fast, call(1, 900)], { from, to, steps: 12 }).p95).toBe(10);
  expect(healthOf([...fast.slice(1), call(1, 900)], { from, to, steps: 12 }).p95).toBe(900);
});

test('the chart says in words what it draws', () => {
  const drawn = drawnOf([call(1, 40), call(7, 60, true)]);
  expect(drawn).toContain('aria-label="sandbox/shop: 1 of 2 calls failed');
  expect(drawn).toContain('<figcaption>1 of 2 calls failed; 95% within 60 ms</figcaption>');
  expect(drawn.match(/<rect /g)).toHaveLength(1);
  expect(drawn.match(/<circle /g)).toHaveLength(2);
  // No attribute that a strict content security policy forbids.
  expect(drawn).not.toContain('style=');
});

test('an application without calls has no chart', () => {
  expect(drawnOf([])).toBe('no calls');
});
