import { freshFolder } from '../harness/fresh-folder.js';
import type { BenchOptions } from '../harness/fresh-stack.js';
import { openBenchStack, type BenchStack } from './bench-stack.js';
import { measureAcks } from './measure-acks.js';
import { measureDispatch } from './measure-dispatch.js';
import { measureOpenRuns } from './measure-open-runs.js';
import { measureSignalDelay } from './measure-signal-delay.js';
import type { WebhookPlan } from './plan.js';
import { openSigningProvider, type SigningProvider } from './signing-provider.js';
import { summarizeWebhooks, type WebhookSummary } from './webhook-summary.js';

/** Measures webhooks from delivery to signal, and what ten thousand open runs cost a lifecycle. */
export async function measureWebhooks(plan: WebhookPlan, options: BenchOptions): Promise<WebhookSummary> {
  const provider = await openSigningProvider();
  const bench = await openFresh(options, provider);
  try {
    // First, while nothing else is in its tables.
    const openRuns = await besideMany(bench, plan, options, provider);
    return await measureInbox(bench, plan, options, provider, openRuns);
  } finally {
    await bench.close();
    provider.close();
  }
}

async function besideMany(
  few: BenchStack,
  plan: WebhookPlan,
  options: BenchOptions,
  provider: SigningProvider,
) {
  const { report, signal } = options;
  report(`a second system, for ${plan.manyOpenRuns} open runs …`);
  const many = await openFresh(options, provider);
  try {
    return await measureOpenRuns(few, many, plan, report, signal);
  } finally {
    await many.close();
  }
}

async function measureInbox(
  bench: BenchStack,
  plan: WebhookPlan,
  { report, signal }: BenchOptions,
  provider: SigningProvider,
  openRuns: Awaited<ReturnType<typeof besideMany>>,
): Promise<WebhookSummary> {
  report('timing deliveries from commit to signal …');
  const delays = await measureSignalDelay(bench, plan, signal);
  report('acknowledging deliveries …');
  const acks = await measureAcks(bench, provider, plan, signal);
  report('dispatching journaled events …');
  const dispatch = await measureDispatch(bench, plan, signal);
  return summarizeWebhooks({ acks, dispatch, delays, openRuns });
}

async function openFresh(options: BenchOptions, { origin }: SigningProvider): Promise<BenchStack> {
  return await openBenchStack({
    ...options,
    dataFolder: freshFolder('bench-webhooks'),
    signingOrigin: origin,
  });
}
