import { defaultPayloadConverter } from '@temporalio/common';
import { expect, it } from 'vitest';
import { type Tracing, causeOf, temporalActivityTraces } from '#observability';
import { traceHeader } from '#workflows/contract';

const traceId = 'ab'.repeat(16);
const traceparent = `00-${traceId}-${'cd'.repeat(8)}-01`;
const span = { traceId, within: <R>(work: () => R) => work(), headers: () => ({}), end: () => undefined };
const tracing: Tracing = {
  begin: () => span,
  traceId: () => traceId,
  close: async () => await Promise.resolve(),
};

/** What the log lines of an activity name besides its run: those of ours, and those of the SDK. */
async function namedBy(message: object, activityType = 'createPayment') {
  const activity = { info: { activityType, attempt: 1 } };
  const { inbound, outbound } = temporalActivityTraces(tracing)(activity as never);
  const headers = { [traceHeader]: defaultPayloadConverter.toPayload(message) };
  await inbound?.execute?.({ args: [], headers }, async () => await Promise.resolve());
  const ofSdk = outbound?.getLogAttributes?.({}, (attributes) => attributes);
  return { ours: causeOf(activity), ofSdk };
}

it.each(['createPayment', 'recordView'])(
  'lines of %s name the trace and the request of the message that caused it',
  async (activity) => {
    const cause = { traceId, requestId: 'req_0123456789abcdef01234567' };
    const named = await namedBy({ traceparent, requestId: cause.requestId }, activity);
    expect(named).toEqual({ ours: cause, ofSdk: cause });
  },
);

it('no line repeats what somebody else has written to Temporal in their place', async () => {
  expect(await namedBy({ traceparent, requestId: 'req_ anna@example.com' })).toEqual({
    ours: { traceId },
    ofSdk: { traceId },
  });
  const forged = { ours: undefined, ofSdk: {} };
  expect(await namedBy({ traceparent: 'anna@example.com', requestId: 'req_1' })).toEqual(forged);
});
