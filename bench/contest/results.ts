import type { ClientCpu } from '../client-cpu/callers.js';
import type { ContenderName } from '../harness/contender.js';
import { row, show } from '../harness/table.js';
import type { HistoryCost } from './histories.js';
import { residents } from '../harness/resident-memory.js';
import { parts } from './instruments.js';
import { latencyLines } from './latencies.js';
import { type Figures, processorSums } from './measurements.js';

export interface Results {
  readonly figures: Figures;
  readonly histories: Readonly<Record<ContenderName, HistoryCost>>;
  readonly clientCpu: ClientCpu;
}

/** Medians over the rounds, with the least and the most. */
export function tableLines({ figures, histories, clientCpu }: Results): string[] {
  const { throughput, processorMs, databaseWork, residentMiB, alone, providerAlone, order, bareOrder } =
    figures;
  const names = Object.keys(throughput) as ContenderName[];
  return [
    row('lifecycles', 'runs/s, 50 in flight', 'ms of CPU a run', 'ms alone', 'events', 'bytes'),
    ...names.map((name) =>
      row(
        name,
        show(throughput[name], 1),
        show(processorSums(figures, name), 1),
        show(alone[name], 1),
        show(histories[name].events),
        show(histories[name].bytes),
      ),
    ),
    row('provider alone', '', '', show(providerAlone, 1)),
    '',
    row('ms of CPU a run', ...names),
    ...parts.map((part) =>
      row(
        part,
        ...names.map((name) =>
          show(
            processorMs[name].map((used) => used[part]),
            1,
          ),
        ),
      ),
    ),
    '',
    row('engine’s PostgreSQL', ...names),
    ...(['statements', 'commits', 'walBytes'] as const).map((count) =>
      row(
        `${count} a run`,
        ...names.map((name) =>
          show(
            databaseWork[name].map((work) => work[count]),
            count === 'walBytes' ? 0 : 1,
          ),
        ),
      ),
    ),
    '',
    row('MiB of memory', 'idle', '50 in flight'),
    ...residents.map((name) => {
      const of = (when: keyof typeof residentMiB) => residentMiB[when].map((resident) => resident[name]);
      return row(name, show(of('idle')), show(of('inFlight')));
    }),
    '',
    ...latencyLines(figures.callTimes),
    '',
    row('orders', 'ms'),
    row('POST /v1/payments', show(order, 1)),
    row('create + bare start', show(bareOrder, 1)),
    '',
    row('client', 'µs of CPU a call'),
    ...Object.entries(clientCpu).map(([name, microseconds]) => row(name, show(microseconds, 1))),
  ];
}
