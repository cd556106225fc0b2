/** The header of a message to a run that says to which trace it belongs, as Temporal's SDKs name it. */
export const traceHeader = '_tracer-data';

/** The header of an activity that says in which trace its run began. */
export const firstTraceHeader = '_tracer-first';
