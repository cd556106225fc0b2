import type { ClientCpu } from '../client-cpu.js';
import type { ContenderName } from './contender.js';
import type { HistoryCost } from './histories.js';
import type { Figures } from './measurements.js';
import { measured, rounded } from './statistics.js';

export interface Results {
  readonly figures: Figures;
  readonly histories: Readonly<Record<ContenderName, HistoryCost>>;
  readonly clientCpu: ClientCpu;
}

/** Medians over the rounds, with the least and the most. */
export function tableLines({ figures, histories, clientCpu }: Results): string[] {
  const { throughput, processorMs, alone, providerAlone, order, bareOrder } = figures;
  const names = Object.keys(throughput) as ContenderName[];
  return [
    row('lifecycles', 'runs/s, 50 in flight', 'ms of CPU a run', 'ms alone', 'events', 'bytes'),
    ...names.map((name) =>
      row(
        name,
        show(throughput[name], 1),
        show(processorMs[name], 1),
        show(alone[name], 1),
        show(histories[name].events),
        show(histories[name].bytes),
      ),
    ),
    row('provider alone', '', '', show(providerAlone, 1)),
    '',
    row('orders', 'ms'),
    row('POST /v1/payments', show(order, 1)),
    row('create + bare start', show(bareOrder, 1)),
    '',
    row('client', 'µs of CPU a call'),
    ...Object.entries(clientCpu).map(([name, microseconds]) => row(name, show(microseconds, 1))),
  ];
}

export function row(name: string, ...cells: readonly string[]): string {
  return (name.padEnd(22) + cells.map((cell) => cell.padEnd(24)).join('')).trimEnd();
}

export function show(values: readonly number[], digits = 0): string {
  if (values.length === 0) return '–';
  const { value, spread } = rounded(measured(values), digits);
  return `${value} (${spread.join(' – ')})`;
}
