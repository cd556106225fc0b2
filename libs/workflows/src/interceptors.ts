import type { Headers, Payload } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';
import { firstTraceHeader, traceHeader } from './contract/trace-headers.js';

/**
 * Hands the trace of the latest message on to the activities of a run, and to the run that continues it. It only copies
 * headers: no span is made in workflow code, nothing is awaited, and no command changes. Without a traced message no
 * header is set (docs/decisions/0034).
 */
export function interceptors(): WorkflowInterceptors {
  const carried: Record<string, Payload> = {};
  const remember = (headers: Headers): void => {
    const latest = headers[traceHeader];
    if (!latest) return;
    carried[traceHeader] = latest;
    carried[firstTraceHeader] ??= headers[firstTraceHeader] ?? latest;
  };
  const traced = <Input extends { readonly headers: Headers }>(input: Input): Input =>
    traceHeader in carried ? { ...input, headers: { ...input.headers, ...carried } } : input;
  return {
    inbound: [
      {
        execute: (input, next) => {
          remember(input.headers);
          return next(input);
        },
        handleSignal: (input, next) => {
          remember(input.headers);
          return next(input);
        },
        handleUpdate: (input, next) => {
          remember(input.headers);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(traced(input)),
        scheduleLocalActivity: (input, next) => next(traced(input)),
        continueAsNew: (input, next) => next(traced(input)),
      },
    ],
  };
}
