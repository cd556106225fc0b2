import { parts } from '../contest/instruments.js';
import type { Throughput } from '../contest/throughput.js';
import { measured, rounded } from '../harness/statistics.js';
import { row, show } from '../harness/table.js';
import { coresOfMachine, coresUsed, type SizeFigures } from './measure-scale.js';

/** Lines of a table for people. */
export function scaleLines(figures: readonly SizeFigures[]): string[] {
  return [
    row(
      'workers × APIs',
      'runs/s',
      'of one and one',
      `cores used of ${coresOfMachine}`,
      'ms of CPU a run, by part',
    ),
    ...figures.map((size) =>
      row(
        nameOf(size),
        show(rates(size), 1),
        show(ratesOverOne(size, figures), 2),
        show(defined(size.perRound.map(coresUsed)), 2),
        perPart(size.perRound),
      ),
    ),
  ];
}

/** Fields of the last line's JSON, by the name of each size. */
export function summarizeScale(figures: readonly SizeFigures[]): object {
  const sizes = figures.map((size) => [
    nameOf(size),
    {
      perSecond: rounded(measured(rates(size))),
      ofOneAndOne: rounded(measured(ratesOverOne(size, figures))),
      coresUsed: rounded(measured(defined(size.perRound.map(coresUsed)))),
      failures: size.perRound.reduce((sum, { failures }) => sum + failures.length, 0),
    },
  ]);
  return { scale: Object.fromEntries(sizes) as object };
}

function nameOf({ workers, apis, held }: SizeFigures): string {
  return `${workers} × ${apis}${held ? `, ${held} held` : ''}`;
}

function rates({ perRound }: SizeFigures): number[] {
  return perRound.map(({ perSecond }) => perSecond);
}

/** Over one worker and one API under the same load, round by round. */
function ratesOverOne(size: SizeFigures, figures: readonly SizeFigures[]): number[] {
  const one = figures.find(({ workers, apis, held }) => workers === 1 && apis === 1 && held === size.held);
  return rates(size).map((rate, round) => rate / (one ? (rates(one)[round] ?? Number.NaN) : Number.NaN));
}

function perPart(perRound: readonly Throughput[]): string {
  const used = defined(perRound.map(({ processorMs }) => processorMs));
  if (used.length === 0) return '–';
  return parts
    .map((part) => `${part} ${measured(used.map((each) => each[part])).value.toFixed(1)}`)
    .join(', ');
}

function defined<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined);
}
