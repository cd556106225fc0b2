/**
 * Settings of Temporal's server that differ from its defaults.
 *
 * `enableCancelWorkerPollsOnShutdown`: the server answers the polls of a worker that leaves, so that no task is handed
 * out to it any more (decision 0036). Servers before 1.31 ignore it.
 */
export const dynamicSettings: Readonly<Record<string, boolean>> = {
  'frontend.enableCancelWorkerPollsOnShutdown': true,
};
