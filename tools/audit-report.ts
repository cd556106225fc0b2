import { z } from 'zod';

const counted = z.object({ low: z.int(), moderate: z.int(), high: z.int(), critical: z.int() });
const answered = z.object({ metadata: z.object({ vulnerabilities: counted }) });

/** What `npm audit --json` has said; undefined if the registry gave no answer. */
export function readAudit(
  text: string,
): { readonly summary: string; readonly isSerious: boolean } | undefined {
  const report = answered.safeParse(readJson(text));
  if (!report.success) return undefined;
  const { low, moderate, high, critical } = report.data.metadata.vulnerabilities;
  return {
    summary: `${critical} critical, ${high} high, ${moderate} moderate, ${low} low vulnerabilities`,
    isSerious: critical + high > 0,
  };
}

/** Undefined for text that is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
