import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { runCommand } from '../tools/command.js';
import { Failure } from '../tools/failure.js';
import { measureClientCpu } from './client-cpu/measure-client-cpu.js';
import { openArena, type Arena, type ArenaOptions } from './harness/arena.js';
import { historyCosts } from './harness/histories.js';
import { measure, type Figures } from './harness/measurements.js';
import { fullPlan, quickPlan, type Plan } from './harness/plan.js';
import { median } from './harness/statistics.js';
import { tableLines, type Results } from './harness/table.js';
import { asJson, judge } from './harness/verdict.js';
import { measureWebhooks } from './webhooks/measure-webhooks.js';
import { fullWebhookPlan, quickWebhookPlan } from './webhooks/plan.js';
import { webhookFields } from './webhooks/webhook-verdict.js';
import { asFields, fullServicePlan, measureService, quickServicePlan } from './service/measure-service.js';

const USAGE =
  'The bench takes --quick, --cluster, --sandbox for the payments service alone and --webhooks for webhooks alone';

// npm run bench [-- --quick] [--cluster] [--sandbox] [--webhooks]: the last line of stdout is one JSON object. Nothing is asserted: what comes out
// is told.
await runCommand(async (signal) => {
  const { isQuick, isServiceOnly, isWebhooksOnly, isOnCluster } = readArguments(process.argv.slice(2));
  const arenaOptions = { report: print, signal, temporal: temporalServer(isOnCluster) };
  const startedAt = Date.now();
  const [loadBefore] = loadavg();
  const surroundings = () => ({
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    loadBefore,
    hardware: hardware(),
  });
  const webhookPlan = isWebhooksOnly && !isQuick ? fullWebhookPlan : quickWebhookPlan;
  if (isWebhooksOnly) {
    const { figures, spread } = webhookFields(await measureWebhooks(webhookPlan, arenaOptions));
    return print(JSON.stringify({ ...figures, spread, temporal: nameOf(arenaOptions), ...surroundings() }));
  }

  // A million rows take minutes to make: beside the engine's figures a tenth of them must do.
  const servicePlan = isServiceOnly && !isQuick ? fullServicePlan : quickServicePlan;
  const service = await measureService(servicePlan, print, signal);
  if (isServiceOnly) return print(JSON.stringify({ ...asFields(service), ...surroundings() }));

  const plan = isQuick ? quickPlan : fullPlan;
  print('measuring the CPU of the clients …');
  const clientCpu = await measureClientCpu(plan, signal);
  const results = { clientCpu, ...(await measureInArena(plan, arenaOptions)) };
  const webhooks = webhookFields(await measureWebhooks(webhookPlan, arenaOptions));
  for (const line of ['', ...tableLines(results), '']) print(line);
  print(
    asJson(judge(results), webhooks, {
      sandbox: asFields(service),
      failures: failuresOf(results.figures),
      historyEventsNaive: median(results.histories.naive.events),
      temporal: nameOf(arenaOptions),
      inFlight: plan.inFlight,
      rounds: plan.rounds,
      ...surroundings(),
    }),
  );
});

interface Arguments {
  readonly isQuick: boolean;
  readonly isServiceOnly: boolean;
  readonly isWebhooksOnly: boolean;
  /** On Temporal's production server. */
  readonly isOnCluster: boolean;
}

function readArguments(given: readonly string[]): Arguments {
  const unknown = given.filter(
    (argument) => !['--quick', '--sandbox', '--webhooks', '--cluster'].includes(argument),
  );
  if (unknown.length > 0) throw new Failure(`${USAGE}, not ${unknown.join(' ')}.`);
  return {
    isQuick: given.includes('--quick'),
    isServiceOnly: given.includes('--sandbox'),
    isWebhooksOnly: given.includes('--webhooks'),
    isOnCluster: given.includes('--cluster'),
  };
}

function temporalServer(isOnCluster: boolean): ArenaOptions['temporal'] {
  const address = process.env['TEMPORAL_ADDRESS'];
  if (isOnCluster) return 'production';
  return address ? { address } : 'development';
}

function nameOf({ temporal }: ArenaOptions): string {
  return typeof temporal === 'string' ? temporal : temporal.address;
}

async function measureInArena(plan: Plan, options: ArenaOptions): Promise<Omit<Results, 'clientCpu'>> {
  const arena = await openArena(options);
  try {
    const figures = await measure({ arena, ...options }, plan);
    return { figures, histories: await readHistories(arena, figures) };
  } finally {
    await arena.close();
  }
}

async function readHistories({ temporal }: Arena, { workflowIds }: Figures): Promise<Results['histories']> {
  return {
    ours: await historyCosts(temporal, workflowIds.ours),
    oursOverHttp: await historyCosts(temporal, workflowIds.oursOverHttp),
    naive: await historyCosts(temporal, workflowIds.naive),
    floor: await historyCosts(temporal, workflowIds.floor),
  };
}

/** How many lifecycles came to nothing, by contender. */
function failuresOf({ failures }: Figures): object {
  return Object.fromEntries(
    Object.entries(failures).map(([name, perRound]) => [name, perRound.reduce((sum, each) => sum + each, 0)]),
  );
}

function hardware(): object {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
