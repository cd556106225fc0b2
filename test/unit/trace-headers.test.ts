import { defaultPayloadConverter } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';
import { expect, it } from 'vitest';
import { firstTraceHeader, traceHeader } from '#workflows/contract';
import { interceptors } from '#workflows/interceptors.js';

type Headers = Record<string, ReturnType<typeof defaultPayloadConverter.toPayload>>;
const traced = (traceparent: string): Headers => ({
  [traceHeader]: defaultPayloadConverter.toPayload({ traceparent }),
});

/** A run as the SDK calls its interceptors. */
class Run {
  private readonly own: WorkflowInterceptors = interceptors();

  takes(headers: Headers): void {
    void this.own.inbound?.[0]?.handleSignal?.({ signalName: 'x', args: [], headers }, async () => undefined);
  }

  /** @returns the very input that the SDK gets for a local activity. */
  calls(input: object): { readonly headers: Headers } {
    let seen: unknown;
    void this.own.outbound?.[0]?.scheduleLocalActivity?.(input as never, async (given) => {
      seen = given;
    });
    return seen as { readonly headers: Headers };
  }
}

it('a run without a traced message sets no header, and changes nothing', () => {
  const run = new Run();
  run.takes({});
  const input = { activityType: 'capture', headers: {} };
  expect(run.calls(input)).toBe(input);
});

it('a run hands the trace of its latest message on, with the first one', () => {
  const run = new Run();
  run.takes(traced('first'));
  run.takes({});
  run.takes(traced('latest'));
  expect(run.calls({ headers: {} }).headers).toEqual({
    ...traced('latest'),
    [firstTraceHeader]: traced('first')[traceHeader],
  });
});

it('does it at once, so that no command of a run moves', () => {
  const order: string[] = [];
  const own = interceptors();
  void own.inbound?.[0]?.execute?.(
    { args: [], headers: traced('first') },
    async () => void order.push('begun'),
  );
  order.push('after');
  expect(order).toEqual(['begun', 'after']);
});
