/**
 * Workflow code is never interrupted. The SDK would do so after five seconds, also if the machine was paused meanwhile;
 * and all runs of a worker share one V8 context. What the interrupted run still had to do would then be done when the
 * code of another run is called, and its commands would become the other run's (docs/decisions/0026).
 *
 * An option of the SDK that its types do not show. The number is the longest limit that there is: 49 days.
 */
export const uninterrupted = { isolateExecutionTimeout: 4_294_967_295 } as const;
