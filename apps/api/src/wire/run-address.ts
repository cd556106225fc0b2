import type { ApiConfig } from '../api-config.js';

/** Where a run is shown in Temporal's UI; null where no UI is configured. */
export function runAddress(workflowId: string, { temporal }: Pick<ApiConfig, 'temporal'>): string | null {
  if (temporal.uiUrl === undefined) return null;
  return `${temporal.uiUrl}/namespaces/${temporal.namespace}/workflows/${encodeURIComponent(workflowId)}`;
}
