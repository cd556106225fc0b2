import type { ApiConfig } from '../injected/api-config.js';

/** The address of a run in Temporal's UI; null if no UI is configured. */
export function runAddress(workflowId: string, { temporal }: Pick<ApiConfig, 'temporal'>): string | null {
  if (temporal.uiUrl === undefined) return null;
  return `${temporal.uiUrl}/namespaces/${temporal.namespace}/workflows/${encodeURIComponent(workflowId)}`;
}
