import type { RecentCall } from '#database/console';

type Call = Pick<RecentCall, 'started_at' | 'duration_ms' | 'is_failed'>;

/** The calls of a part of the time. */
export interface HealthStep {
  readonly from: Date;
  readonly calls: number;
  readonly failed: number;
  /** Milliseconds; undefined without calls. */
  readonly p95: number | undefined;
}

export interface ProviderHealth extends Omit<HealthStep, 'from'> {
  /** Oldest first, each of the same length. */
  readonly steps: readonly HealthStep[];
}

/** How the provider answered in a time, as a whole and step by step. */
export function healthOf(
  calls: readonly Call[],
  { from, to, steps }: { readonly from: Date; readonly to: Date; readonly steps: number },
): ProviderHealth {
  const length = (to.getTime() - from.getTime()) / steps;
  const parts: Call[][] = Array.from({ length: steps }, () => []);
  for (const call of calls) {
    const at = Math.floor((call.started_at.getTime() - from.getTime()) / length);
    parts[Math.min(Math.max(at, 0), steps - 1)]?.push(call);
  }
  return {
    ...summaryOf(calls),
    steps: parts.map((part, at) => ({ from: new Date(from.getTime() + at * length), ...summaryOf(part) })),
  };
}

function summaryOf(calls: readonly Call[]): Omit<HealthStep, 'from'> {
  const durations = calls.map(({ duration_ms }) => duration_ms).toSorted((one, other) => one - other);
  return {
    calls: calls.length,
    failed: calls.filter(({ is_failed }) => is_failed).length,
    // Nearest rank.
    p95: durations[Math.ceil(durations.length * 0.95) - 1],
  };
}
