import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestSigner } from '#payments-client/testing';
import { saveProviderWebhook } from '#database/events';
import { applicationName, environmentName } from '#tools/stack-environment.js';
import { carryThrough } from '../harness/lifecycle.js';
import { processorMs } from '../harness/processor-time.js';
import { Target, type Shot } from '../service/load.js';
import { until } from '../harness/until.js';
import {
  isAllDispatched,
  paymentIdOf,
  signedApplication,
  signedWebhookSecret,
  type BenchStack,
} from './bench-stack.js';
import { type CopiedPayment, copyPayment } from './copied-payments.js';
import { delivery, type TellableResource } from './deliveries.js';
import type { WebhookPlan } from './plan.js';
import type { SigningProvider } from './signing-provider.js';

/** Deliveries a second, one figure per round. */
export interface AckFigures {
  /** Acknowledged by bare Fastify + one INSERT. */
  readonly bare: number[];
  /** Acknowledged by the engine's API, by the way of authentication. */
  readonly signature: number[];
  readonly addressSecret: number[];
  /** With signatures, acknowledged and dispatched: the clock stops when nothing is left to be dispatched. */
  readonly settled: number[];
  /**
   * Milliseconds of processor time of the server and its PostgreSQL per delivery, dispatched ones included; empty where
   * the system does not tell.
   */
  readonly bareMs: number[];
  readonly signatureMs: number[];
}

/** As many database connections as the API opens. */
const poolSize = 10;
/** Payments that the events are about. */
const knownPayments = 500;

type Side = 'bare' | 'signature' | 'addressSecret';

/**
 * Deliveries of events without news of captured payments, as most do: each is authenticated, journaled, acknowledged
 * and, beside the next ones, dispatched. In turns with the rival; what is left to be dispatched after a turn is waited
 * for before the next one.
 */
export async function measureAcks(
  bench: BenchStack,
  provider: SigningProvider,
  plan: WebhookPlan,
  signal: AbortSignal,
): Promise<AckFigures> {
  const range = await openRange(bench, provider, plan);
  try {
    for (const side of sides) await fire(range, side, plan);
    const figures = emptyFigures();
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const side of [...sides.slice(round % 3), ...sides.slice(0, round % 3)]) {
        signal.throwIfAborted();
        keep(figures, side, await fire(range, side, plan));
      }
    }
    return figures;
  } finally {
    await range.close();
  }
}

function emptyFigures(): AckFigures {
  return { bare: [], signature: [], addressSecret: [], settled: [], bareMs: [], signatureMs: [] };
}

function keep(figures: AckFigures, side: Side, { acked, settled, processorMs: ms }: Volley): void {
  figures[side].push(acked);
  if (side === 'signature') figures.settled.push(settled);
  if (ms !== undefined && side !== 'addressSecret') figures[`${side}Ms`].push(ms);
}

const sides: readonly Side[] = ['bare', 'signature', 'addressSecret'];

interface Range {
  readonly bench: BenchStack;
  readonly targets: Readonly<Record<Side, Target>>;
  processorMs(): number | undefined;
  deliveriesOf(side: Side, count: number): Shot[];
  close(): Promise<void>;
}

interface Volley {
  /** A second. */
  readonly acked: number;
  readonly settled: number;
  /** Per delivery. */
  readonly processorMs: number | undefined;
}

async function fire(range: Range, side: Side, { deliveries, connections }: WebhookPlan): Promise<Volley> {
  // Signed beforehand: the provider's work is no part of the figure.
  const shots = range.deliveriesOf(side, deliveries);
  const before = range.processorMs();
  const startedAt = performance.now();
  const acked = await range.targets[side].eachPerSecond(shots, connections);
  await until(() => isAllDispatched(range.bench.db));
  const settled = deliveries / ((performance.now() - startedAt) / 1_000);
  const used = (range.processorMs() ?? Number.NaN) - (before ?? Number.NaN);
  return { acked, settled, processorMs: Number.isNaN(used) ? undefined : used / deliveries };
}

async function openRange(
  bench: BenchStack,
  { webhookId, signer }: SigningProvider,
  { connections }: WebhookPlan,
): Promise<Range> {
  const { engine, payer, stack, db } = bench;
  const owner = { environment: environmentName, application: signedApplication };
  await saveProviderWebhook(db, { ...owner, webhookId, url: stack.addresses.api });
  const { workflowId } = await carryThrough(engine, payer);
  const database = stack.addresses.engineDatabase;
  const copies = (application: string): Promise<CopiedPayment[]> =>
    copyPayment({ from: database, to: database, application }, paymentIdOf(workflowId), knownPayments);
  const signed = {
    path: pathOf(signedApplication, signedWebhookSecret),
    payments: await copies(signedApplication),
    signer,
  };
  const secret = {
    path: pathOf(applicationName, stack.config.webhookSecret),
    payments: await copies(applicationName),
  };
  const sources: Record<Side, Source> = {
    signature: signed,
    addressSecret: secret,
    bare: { ...secret, path: '/bare' },
  };
  const rival = await startBare(await stack.enginePostgres.ensureDatabase('bare'), connections);
  const api = new Target(stack.addresses.api, connections);
  return {
    bench,
    targets: { bare: rival.target, signature: api, addressSecret: api },
    deliveriesOf: (side, count) => deliveriesFrom(sources[side], count),
    processorMs: () =>
      processorMs({ all: [stack.apis[0]?.pid, stack.enginePostgres.process.pid, rival.process.pid] })?.[
        'all'
      ],
    async close() {
      await api.close();
      await rival.target.close();
      rival.process.disconnect();
    },
  };
}

function pathOf(application: string, secret: string): string {
  return `/webhooks/${environmentName}/${application}/${secret}`;
}

interface Source {
  readonly path: string;
  readonly payments: readonly CopiedPayment[];
  readonly signer?: TestSigner;
}

function deliveriesFrom({ path, payments, signer }: Source, count: number): Shot[] {
  return Array.from({ length: count }, (_, n) =>
    delivery(path, capturedAs(payments[n % payments.length]?.resources), signer),
  );
}

function capturedAs(resources: CopiedPayment['resources'] = {}): TellableResource {
  const { capture = '', payment = '' } = resources;
  return { type: 'capture', id: capture, state: 'completed', paymentId: payment };
}

async function startBare(
  databaseUrl: string,
  connections: number,
): Promise<{ readonly target: Target; readonly process: ChildProcess }> {
  const script = fileURLToPath(new URL('../bare-intake.js', import.meta.url));
  const server = fork(script, [String(poolSize)], { env: { ...process.env, DATABASE_URL: databaseUrl } });
  const [port] = (await once(server, 'message')) as [number];
  return { target: new Target(`http://127.0.0.1:${port}`, connections), process: server };
}
