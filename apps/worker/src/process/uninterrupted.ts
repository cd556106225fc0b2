/**
 * Workflow code is never interrupted. The SDK would do so after five seconds, also if the machine was paused in
 * between; and all runs of a worker share one V8 context. The rest of the interrupted code would then run when the code
 * of another run is called, and its commands would become commands of the other run (docs/decisions/0026).
 *
 * An option of the SDK that its types do not show. The number is the longest limit that there is: 49 days.
 */
export const uninterrupted = { isolateExecutionTimeout: 4_294_967_295 } as const;
