import { type Measured, percentile, rounded } from '../harness/statistics.js';
import { row } from '../harness/table.js';
import type { Figures, Load } from './measurements.js';
import { timedCalls } from './open-load.js';

const shares = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;
type Share = keyof typeof shares;
type TimedCall = (typeof timedCalls)[number];

export type LatencyFields = {
  readonly [load in Load]: { readonly [call in TimedCall]: { readonly [share in Share]: Measured } };
};

const words: Readonly<Record<Load, string>> = {
  alone: 'alone',
  half: 'at 50 % of capacity',
  fourFifths: 'at 80 %',
};

/** Percentiles of all rounds together; the spread is that of the rounds' own ones. */
export function latencyFields(callTimes: Figures['callTimes']): LatencyFields {
  return mapValues(callTimes, (rounds) =>
    mapKeys(timedCalls, (call) =>
      mapValues(shares, (share) => {
        const ofRounds = rounds.map((times) => times.map((each) => each[call])).filter((of) => of.length > 0);
        const each = ofRounds.map((times) => percentile(times, share));
        const value = percentile(ofRounds.flat(), share);
        return rounded({ value, spread: [Math.min(...each), Math.max(...each)] }, 0);
      }),
    ),
  );
}

export function latencyLines(callTimes: Figures['callTimes']): string[] {
  const fields = latencyFields(callTimes);
  return [
    row('over HTTP, ms: p50, p95, p99', ...Object.values(words)),
    ...timedCalls.map((call) =>
      row(
        call,
        ...(Object.keys(words) as Load[]).map((load) => {
          const { p50, p95, p99 } = fields[load][call];
          return `${p50.value}, ${p95.value}, ${p99.value}`;
        }),
      ),
    ),
  ];
}

function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  to: (value: From) => To,
): Record<Key, To> {
  return mapKeys(Object.keys(record) as Key[], (key) => to(record[key]));
}

function mapKeys<Key extends string, To>(keys: readonly Key[], to: (key: Key) => To): Record<Key, To> {
  return Object.fromEntries(keys.map((key) => [key, to(key)])) as Record<Key, To>;
}
