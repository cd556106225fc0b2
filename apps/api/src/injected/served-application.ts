import type { ServedApplication } from '#configuration';
import type { Owner } from '#database/schema';
import type { ApiConfig } from './api-config.js';

/** An application of the configuration; undefined if it is not served. */
export function servedApplication(
  { applications }: Pick<ApiConfig, 'applications'>,
  { environment, application }: Owner,
): ServedApplication | undefined {
  return applications.find((known) => known.environment === environment && known.application === application);
}
