import type { FuzzResult } from './tool.js';

/** The figures of a run. A run in which no tool could be had has shown nothing. */
export function reportOf(
  results: readonly FuzzResult[],
  { seed, skipped }: { readonly seed: number; readonly skipped: readonly string[] },
) {
  const ok = results.length > 0 && results.every(({ findings }) => findings.length === 0);
  const tools = results.map(({ findings, ...result }) => ({ ...result, findings: findings.length }));
  return { ok, seed, tools, skipped };
}
