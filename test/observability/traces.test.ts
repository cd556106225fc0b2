import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentWorkflowId } from '#workflows/contract';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { providerIdOf } from '../e2e/payment-rows.js';
import type { PaymentView } from '../helpers/order-service.js';
import { type ExportedSpan, OtlpCollector } from './otlp-collector.js';
import { type ObservedEngine, startObserved } from './observed-engine.js';
import { HeaderProxy } from './header-proxy.js';

let proxy: HeaderProxy;
let observed: ObservedEngine;
const collector = forAllTests(() => OtlpCollector.start());
beforeAll(async () => {
  proxy = new HeaderProxy('traceparent');
  observed = await startObserved(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    { through: async (provider) => await proxy.start(provider) },
  );
});
afterAll(async () => {
  await observed.close();
  proxy.stop();
});

const newTrace = () => ({ id: randomBytes(16).toString('hex'), span: randomBytes(8).toString('hex') });

async function post(path: string, trace: ReturnType<typeof newTrace>, body: object): Promise<PaymentView> {
  const answer = await fetch(observed.api.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${observed.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      traceparent: `00-${trace.id}-${trace.span}-01`,
    },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as PaymentView;
}

const order = {
  orderId: 'order-7',
  intent: 'authorize',
  amount: { value: '100.00', currency: 'USD' },
  description: 'A secret present for anna@example.com',
  returnUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/cart',
};

/** Spans are exported in batches, those of the worker by its own process. */
async function spansOf(traceId: string, ...names: string[]): Promise<ExportedSpan[]> {
  return await until(
    async () => await Promise.resolve(collector.spans.filter((span) => span.traceId === traceId)),
    (spans) => names.every((name) => spans.some((span) => span.name === name)),
    `the spans ${names.join(', ')}`,
  );
}

const named = (spans: readonly ExportedSpan[], name: string): ExportedSpan =>
  spans.find((span) => span.name === name) ?? expect.fail(name);

test('one trace leads from the request to the provider, and a webhook begins another one', async () => {
  const [ordered, captured] = [newTrace(), newTrace()];
  const { id } = await post('/v1/payments', ordered, order);
  await observed.orders.comeBack(
    await observed.engine.sandbox.approve(await providerIdOf(observed.engine, id)),
  );
  await observed.orders.reaches(id, 'authorized');
  await post(`/v1/payments/${id}/captures`, captured, {});
  await observed.orders.reaches(id, 'captured');

  // Request, message, activity, call: each is the parent of the next.
  const spans = await spansOf(
    ordered.id,
    'POST /v1/payments',
    'activity createPayment',
    'provider payment.create',
  );
  const request = named(spans, 'POST /v1/payments');
  const start = named(spans, 'start paymentWorkflow');
  const activity = named(spans, 'activity createPayment');
  const call = named(spans, 'provider payment.create');
  expect(request.parentSpanId).toBe(ordered.span);
  expect(start.parentSpanId).toBe(request.spanId);
  expect(activity.parentSpanId).toBe(start.spanId);
  expect(call.parentSpanId).toBe(activity.spanId);
  expect(proxy.seen).toContain(`00-${ordered.id}-${call.spanId}-01`);

  // The capture has its own trace, with a link to the one in which the run began.
  const later = await spansOf(captured.id, 'activity captureAuthorization', 'provider authorization.capture');
  expect(named(later, 'activity captureAuthorization').links).toEqual([ordered.id]);

  const webhook = await until(
    async () => await Promise.resolve(collector.spans.find(({ name }) => name.startsWith('POST /webhooks/'))),
    (span) => span !== undefined,
    'a webhook',
  );
  expect(webhook?.name).toBe('POST /webhooks/:environment/:application/:secret');

  // And nothing of a body, an address or a secret.
  for (const { text } of collector.spans)
    for (const secret of [
      'anna@example.com',
      observed.engine.application.webhookSecret,
      observed.apiKey,
      'token=',
    ])
      expect(text).not.toContain(secret);
});

test('log lines name the trace, the request and the run', async () => {
  const trace = newTrace();
  const { id } = await post('/v1/payments', trace, order);
  const line = await until(
    async () =>
      await Promise.resolve(
        observed.api
          .log()
          .split('\n')
          .find((each) => each.includes(trace.id)),
      ),
    (found) => found !== undefined,
    'the line of the request',
  );
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    traceId: trace.id,
    subject: id,
    run: paymentWorkflowId({ environment: 'sandbox', application: 'shop', paymentId: id }),
  });
});

test('an API without tracing adds nothing to a history, though its worker traces', async () => {
  const { engine } = observed;
  const { body } = await engine.orders.order();
  const run = paymentWorkflowId({ environment: 'sandbox', application: 'shop', paymentId: body.id });
  const { events } = await engine.temporal.workflow.getHandle(run).fetchHistory();
  const [started] = events ?? [];
  expect(started?.workflowExecutionStartedEventAttributes).toBeDefined();
  expect(started?.workflowExecutionStartedEventAttributes?.header?.fields ?? {}).toEqual({});
});
