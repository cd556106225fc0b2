import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#tools/project.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { providerIdOf } from '../e2e/payment-rows.js';
import { samplesIn, rules, valueOf } from './alert-rules.js';
import { scrape, startObserved } from './observed-engine.js';

const observed = forAllTests(() => startObserved({}));

test('API and worker report a payment: its run, its requests, the calls to the provider', async () => {
  const { engine, orders, metrics } = observed;
  const { body } = await orders.order();
  await orders.comeBack(await engine.sandbox.approve(await providerIdOf(engine, body.id)));
  await orders.reaches(body.id, 'authorized');
  const authorized = /^engine_runs\{.*application="shop",lifecycle="payment",state="authorized"\} 1$/m;
  for (const url of [metrics.api, metrics.worker]) {
    await until(
      async () => await scrape(url),
      (text) => authorized.test(text),
      'the run to be counted',
    );
  }
  const [api, worker] = [await scrape(metrics.api), await scrape(metrics.worker)];
  expect(api).toMatch(
    /^engine_http_request_duration_seconds_count\{method="POST",route="\/v1\/payments",status="201"\} 1$/m,
  );
  const created =
    /^engine_provider_call_duration_seconds_count\{.*operation="payment.create",outcome="2xx"\} 1$/m;
  expect(worker).toMatch(created);
  expect(valueOf(samplesIn(api), 'engine_next_deadline_seconds', 'shop')).toBeGreaterThan(0);
  // Nothing of a person, an order or a secret.
  for (const text of [api, worker])
    for (const secret of [body.id, engine.application.webhookSecret, '@', 'EC-', 'order-'])
      expect(text).not.toContain(secret);
});

test('a worker’s endpoint has the metrics of Temporal’s SDK that rules and dashboard name', async () => {
  const dashboard = readFileSync(join(projectRoot, 'deploy/observability/grafana/engine.json'), 'utf8');
  const named = `${rules.map(({ expr }) => expr).join(' ')} ${dashboard}`.match(/\btemporal_\w+/g) ?? [];
  // It has no series, and so no name, before a task has failed.
  const usual = new Set(named.filter((name) => name !== 'temporal_workflow_task_execution_failed_total'));
  expect(usual.size).toBeGreaterThan(1);
  const text = await scrape(observed.metrics.worker);
  for (const name of usual) expect(text).toContain(`\n${name}`);
});

test('the metrics are not at the address of the API', async () => {
  expect((await fetch(`${observed.api.url}/metrics`)).status).toBe(404);
});
