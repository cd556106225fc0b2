import { type LocalActivityInterfaceFor, proxyLocalActivities } from '@temporalio/workflow';

/**
 * The activities of a run. Whatever the provider answers, or does not, is an outcome that they return. What fails is ours:
 * the database is away, a row or an application is missing, the code is wrong. Then nothing else is worth doing than to
 * try again, without end, until that is mended.
 */
export function localActivities<Activities>(): LocalActivityInterfaceFor<Activities> {
  return proxyLocalActivities<Activities>({
    // More than one call or search at the provider may take, and the rows around it. One that takes longer is begun again
    // while it may still go on: its attempt row keeps it from sending twice (docs/decisions/0005).
    startToCloseTimeout: '45 seconds',
    // Without a limit of attempts; waits double up to the longest.
    retry: { initialInterval: '250 milliseconds', maximumInterval: '10 seconds' },
  });
}
