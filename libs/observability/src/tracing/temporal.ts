import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { type Headers, defaultPayloadConverter } from '@temporalio/common';
import { firstTraceHeader, traceHeader } from '#workflows/contract';
import { nameOfError } from '../name-of-error.js';
import type { Carrier, Trace, Tracing } from './trace.js';

/** Beside the trace in its header: the id of the request that sends the message. */
const requestField = 'requestId';

/**
 * Calls to Temporal carry the trace in a header of the start, signal or Update, which its run hands on.
 * @param requestId of the request that the current work is done for.
 */
export function temporalClientTraces(
  tracing: Tracing,
  requestId: () => string | undefined = () => undefined,
): WorkflowClientInterceptor {
  const sent = async <Input extends { readonly headers: Headers }, Output>(
    name: string,
    workflowId: string | undefined,
    input: Input,
    next: (input: Input) => Promise<Output>,
  ): Promise<Output> => {
    const span = tracing.begin({
      name,
      kind: 'producer',
      attributes: { 'temporal.workflow.id': workflowId },
    });
    const request = requestId();
    const payload = defaultPayloadConverter.toPayload({
      ...span.headers(),
      ...(request !== undefined && { [requestField]: request }),
    });
    const headers = { ...input.headers, [traceHeader]: payload };
    return await ending(span, () => next({ ...input, headers }));
  };
  return {
    startWithDetails: (input, next) =>
      sent(`start ${input.workflowType}`, input.options.workflowId, input, next),
    signal: (input, next) =>
      sent(`signal ${input.signalName}`, input.workflowExecution.workflowId, input, next),
    signalWithStart: (input, next) =>
      sent(`signal ${input.signalName}`, input.options.workflowId, input, next),
    startUpdate: (input, next) =>
      sent(`update ${input.updateName}`, input.workflowExecution.workflowId, input, next),
  };
}

/** For whom an activity works, as its log lines name it. */
export interface Cause {
  readonly traceId: string;
  readonly requestId?: string;
}

const causes = new WeakMap<object, Cause>();

/** @param activity its context. @returns undefined unless a traced message caused it. */
export function causeOf(activity: object): Cause | undefined {
  return causes.get(activity);
}

/** Those that only write down what a run sees, at each of its steps. */
const untold = new Set(['recordView', 'persistCause']);

/** An activity continues the trace of the latest message to its run, and links to the one in which the run began. */
export function temporalActivityTraces(tracing: Tracing): ActivityInterceptorsFactory {
  return (activity) => ({
    inbound: {
      execute: async (input, next) => {
        const { info } = activity;
        const from = carrierIn(input.headers, traceHeader);
        const cause = from && causeIn(from);
        if (cause) causes.set(activity, cause);
        if (!from || untold.has(info.activityType)) return await next(input);
        const first = carrierIn(input.headers, firstTraceHeader);
        const span = tracing.begin({
          name: `activity ${nameOf(info.activityType, input.args)}`,
          kind: 'consumer',
          from,
          link: first?.['traceparent'] === from['traceparent'] ? undefined : first,
          attributes: {
            'temporal.workflow.id': info.workflowExecution?.workflowId,
            'temporal.run.id': info.workflowExecution?.runId,
            'temporal.attempt': info.attempt,
          },
        });
        return await ending(span, () => next(input));
      },
    },
    // The SDK's own lines, which it writes outside of the activity.
    outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...causes.get(activity) }) },
  });
}

/** A run hands its step to the activity that records its view (`takeEvent`); then the step has the name. */
function nameOf(activityType: string, [, step]: readonly unknown[]): string {
  const isStep = activityType === 'takeEvent' && typeof step === 'object' && step !== null && 'name' in step;
  return isStep ? String(step.name) : activityType;
}

/** Only what has the form of ids: anybody who can write to Temporal can write any text there. */
function causeIn({ traceparent, [requestField]: request }: Carrier): Cause | undefined {
  const traceId = typeof traceparent === 'string' ? /^00-([\da-f]{32})-/.exec(traceparent)?.[1] : undefined;
  if (traceId === undefined) return undefined;
  const isId = typeof request === 'string' && /^req_\w{1,40}$/.test(request);
  return { traceId, ...(isId && { requestId: request }) };
}

function carrierIn(headers: Headers, name: string): Carrier | undefined {
  const payload = headers[name];
  if (!payload) return undefined;
  try {
    return defaultPayloadConverter.fromPayload<Carrier>(payload);
  } catch {
    // Anybody who can write to Temporal can write any text there; no step may fail because of it.
    return undefined;
  }
}

async function ending<Result>(span: Trace, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await span.within(work);
    span.end();
    return result;
  } catch (error) {
    span.end({}, nameOfError(error));
    throw error;
  }
}
