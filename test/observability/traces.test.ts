import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
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
    // No poll, so that nobody but a payer or a webhook tells of an approval.
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, FIRST_POLL_MS: '3600000' },
    // Certificates are taken from the provider's own address only, which the proxy's is not.
    { webhookAuthentication: 'addressSecret', through: async (provider) => await proxy.start(provider) },
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

const shippingAddress = {
  recipientName: 'Anna Example',
  line1: '12 Lighthouse Row',
  city: 'Portland',
  state: 'ME',
  postalCode: '04101',
  countryCode: 'US',
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

test('one trace leads from the request to the provider', async () => {
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
});

test('a webhook’s trace leads to the execution that its run makes because of it', async () => {
  const ordered = newTrace();
  const { id } = await post('/v1/payments', ordered, order);
  await until(
    () => observed.engine.sandbox.callAsOwner<{ webhooks: object[] }>('GET', '/v1/notifications/webhooks'),
    ({ webhooks }) => webhooks.length > 0,
    'the webhook to be registered',
  );
  // The payer does not come back: only the provider tells of the approval.
  await observed.engine.sandbox.approve(await providerIdOf(observed.engine, id));
  await observed.orders.reaches(id, 'authorized');
  const isOfPayment = ({ name, text }: ExportedSpan) =>
    name === 'activity executePayment' && text.includes(id);
  const [execution] = await until(
    async () => await Promise.resolve(collector.spans.filter(isOfPayment)),
    (found) => found.length > 0,
    'the span of the execution',
  );
  const webhook = 'POST /webhooks/:environment/:application/:secret';
  const names = [webhook, 'signal payerApproved', 'activity executePayment', 'provider payment.execute'];
  const spans = await spansOf(execution?.traceId ?? '', ...names);
  const [, ...caused] = names.map((name) => named(spans, name));
  expect(caused.map(({ parentSpanId }) => spans.find(({ spanId }) => spanId === parentSpanId)?.name)).toEqual(
    names.slice(0, -1),
  );
  expect(named(spans, 'activity executePayment').links).toEqual([ordered.id]);

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

/** The first line of a log that names all of this, once it is written. */
async function lineOf(log: () => string, ...named: string[]): Promise<Record<string, unknown>> {
  const line = await until(
    async () =>
      await Promise.resolve(
        log()
          .split('\n')
          .find((each) => named.every((name) => each.includes(name))),
      ),
    (found) => found !== undefined,
    `the line of ${named.join(', ')}`,
  );
  return JSON.parse(line ?? '{}') as Record<string, unknown>;
}

test('the lines of a request, at the API and at the worker, name payment, run, request and trace, and no person', async () => {
  const trace = newTrace();
  const attempts = async (from: string, to: string) =>
    await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(observed.engine.db);
  await attempts('attempts', 'attempts_away');
  const answered = post('/v1/payments', trace, {
    ...order,
    shippingAddress,
    noteToPayer: 'Happy birthday, Anna',
  });
  const failed = await lineOf(() => observed.worker.log(), trace.id, 'Activity failed');
  await attempts('attempts_away', 'attempts');
  const { id: subject } = await answered;
  const run = paymentWorkflowId({ environment: 'sandbox', application: 'shop', paymentId: subject });
  const asked = await lineOf(() => observed.api.log(), trace.id, 'POST');
  expect(asked).toMatchObject({ traceId: trace.id, requestId: expect.stringMatching(/^req_/), subject, run });
  expect(failed).toMatchObject({
    subject,
    workflowId: run,
    workflowRunId: expect.stringMatching(/^[\da-f-]{36}$/),
    requestId: asked['requestId'],
    traceId: trace.id,
    code: '42P01',
  });
  const lines = (observed.api.log() + observed.worker.log()).trim().split('\n');
  for (const line of lines) {
    expect(JSON.parse(line)).toHaveProperty('level');
    for (const personal of ['anna', 'Anna', 'birthday', '12 Lighthouse Row', '100.00'])
      expect(line).not.toContain(personal);
  }
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
