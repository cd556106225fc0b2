import { type LocalActivityInterfaceFor, proxyLocalActivities } from '@temporalio/workflow';

/**
 * The activities of a run. They return every answer of the provider, and its absence, as an outcome. They fail only for
 * causes of our own: the database is away, a row or an application is missing, or the code is wrong. Then they are
 * repeated until the cause is removed, without a limit.
 */
export function localActivities<Activities>(): LocalActivityInterfaceFor<Activities> {
  return proxyLocalActivities<Activities>({
    // Longer than one call or search at the provider with its rows. An activity that takes longer is begun again while
    // the first one may still run. The attempt's row prevents a second POST (docs/decisions/0005).
    startToCloseTimeout: '45 seconds',
    // The number of attempts is not limited. Each wait is twice as long as the one before, up to the maximum.
    retry: { initialInterval: '250 milliseconds', maximumInterval: '10 seconds' },
  });
}
