import { measured, rounded } from './statistics.js';

export function row(name: string, ...cells: readonly string[]): string {
  return (name.padEnd(22) + cells.map((cell) => cell.padEnd(24)).join('')).trimEnd();
}

export function show(values: readonly number[], digits = 0): string {
  if (values.length === 0) return '–';
  const { value, spread } = rounded(measured(values), digits);
  return `${value} (${spread.join(' – ')})`;
}
