import { runCommand } from '#tools/command.js';
import { Failure } from '#tools/failure.js';
import { abusePlans, measureAbuse } from './abuse/measure-abuse.js';
import { measureClientCpu } from './client-cpu/measure-client-cpu.js';
import { openArena, type Arena } from './contest/arena.js';
import { type Fields, fieldsOf } from './contest/fields.js';
import type { BenchOptions } from './harness/fresh-stack.js';
import { historyCosts } from './contest/histories.js';
import { measure, type Figures } from './contest/measurements.js';
import { contestPlans, type Plan, type Plans } from './harness/plan.js';
import { median } from './harness/statistics.js';
import { surroundingsNow } from './harness/surroundings.js';
import { tableLines, type Results } from './contest/results.js';
import { asJson, summarize } from './contest/contest-summary.js';
import { summarizeLifecycles, lifecycleLines } from './lifecycles/lifecycle-summary.js';
import { measureLifecycles } from './lifecycles/measure-lifecycles.js';
import { lifecyclePlans, type LifecyclePlan } from './lifecycles/plan.js';
import { measureWebhooks } from './webhooks/measure-webhooks.js';
import { webhookPlans } from './webhooks/plan.js';
import { measureNotifications } from './notifications/measure-notifications.js';
import { notificationPlans } from './notifications/plan.js';
import { listenerPlans, measureListeners } from './listeners/measure-listeners.js';
import { asFields, measureService, servicePlans } from './service/measure-service.js';
import {
  measureVolume,
  summarizeVolume,
  volumeLines,
  type VolumePlan,
  volumePlans,
} from './volume/measure-volume.js';
import { print } from '#tools/print.js';

const parts = [
  'contest',
  'sandbox',
  'webhooks',
  'notifications',
  'lifecycles',
  'abuse',
  'volume',
  'listeners',
] as const;

const USAGE = `The bench takes --quick, --cluster, and --${parts.join(', --')} for one part alone`;

// npm run bench [-- --quick] [--cluster] [--<part>]: the last line of stdout is one JSON object. Nothing is asserted: what
// comes out is told.
await runCommand(async (signal) => {
  const { isQuick, only, isOnCluster } = readArguments(process.argv.slice(2));
  const arenaOptions = { report: print, signal, temporal: temporalServer(isOnCluster) };
  const startedAt = Date.now();
  const before = surroundingsNow();
  if (before.warning) print(before.warning);
  const surroundings = () => ({ seconds: Math.round((Date.now() - startedAt) / 1_000), ...before });
  const tell = ({ figures, spread }: Fields): void =>
    print(JSON.stringify({ ...figures, spread, temporal: nameOf(arenaOptions), ...surroundings() }));
  const planOf = <P>({ full, quick, besideOthers, brief }: Plans<P>): P => {
    if (only === undefined) return isQuick ? brief : besideOthers;
    return isQuick ? quick : full;
  };
  const webhooks = async () => fieldsOf(await measureWebhooks(planOf(webhookPlans), arenaOptions));
  if (only === 'webhooks') return tell(await webhooks());
  const notify = async () => fieldsOf(await measureNotifications(planOf(notificationPlans), arenaOptions));
  if (only === 'notifications') return tell(await notify());
  const lifecycles = () => countLifecycles(planOf(lifecyclePlans), arenaOptions);
  if (only === 'lifecycles') return tell(await lifecycles());

  const listeners = () => measureListeners(planOf(listenerPlans), arenaOptions);
  if (only === 'listeners') return print(JSON.stringify({ ...(await listeners()), ...surroundings() }));
  const volume = () => compareVolumes(planOf(volumePlans), arenaOptions);
  if (only === 'volume') return print(JSON.stringify({ ...(await volume()), ...surroundings() }));
  const abuse = () => measureAbuse(planOf(abusePlans), print, signal);
  if (only === 'abuse') return print(JSON.stringify({ ...(await abuse()), ...surroundings() }));

  const plan = planOf(contestPlans);
  const contest = async (): Promise<Results> => {
    print('measuring the CPU of the clients …');
    return { clientCpu: await measureClientCpu(plan, signal), ...(await measureInArena(plan, arenaOptions)) };
  };
  const tellContest = (results: Results, others: readonly Fields[], more: object): void => {
    for (const line of ['', ...tableLines(results), '']) print(line);
    print(
      asJson(summarize(results), others, {
        ...more,
        failures: failuresOf(results.figures),
        historyEventsNaive: median(results.histories.naive.events),
        temporal: nameOf(arenaOptions),
        inFlight: plan.inFlight,
        rounds: plan.rounds,
        ...surroundings(),
      }),
    );
  };
  if (only === 'contest') return tellContest(await contest(), [], {});

  const service = await measureService(planOf(servicePlans), print, signal);
  const sandbox = { sandboxGetVsBare: service.getVsBareSelect.value, sandbox: asFields(service) };
  if (only === 'sandbox') return print(JSON.stringify({ ...sandbox, ...surroundings() }));

  const histories = await lifecycles();
  const results = await contest();
  const fields = [histories, await webhooks(), await notify()];
  tellContest(results, fields, {
    ...sandbox,
    ...(await abuse()),
    ...(await listeners()),
    ...(await volume()),
  });
});

interface Arguments {
  readonly isQuick: boolean;
  /** The one part that is measured; all of them when absent. */
  readonly only: (typeof parts)[number] | undefined;
  /** On Temporal's production server. */
  readonly isOnCluster: boolean;
}

function readArguments(given: readonly string[]): Arguments {
  const chosen = parts.filter((part) => given.includes(`--${part}`));
  const known = ['--quick', '--cluster', ...parts.map((part) => `--${part}`)];
  const unknown = given.filter((argument) => !known.includes(argument));
  if (unknown.length > 0 || chosen.length > 1) throw new Failure(`${USAGE}, not ${given.join(' ')}.`);
  return { isQuick: given.includes('--quick'), only: chosen[0], isOnCluster: given.includes('--cluster') };
}

async function countLifecycles(plan: LifecyclePlan, options: BenchOptions): Promise<Fields> {
  const costs = await measureLifecycles(plan, options);
  for (const line of ['', ...lifecycleLines(costs), '']) print(line);
  return fieldsOf(summarizeLifecycles(costs));
}

async function compareVolumes(plan: VolumePlan, options: BenchOptions): Promise<object> {
  const figures = await measureVolume(plan, options);
  for (const line of ['', ...volumeLines(figures), '']) print(line);
  return summarizeVolume(figures);
}

function temporalServer(isOnCluster: boolean): BenchOptions['temporal'] {
  const address = process.env['TEMPORAL_ADDRESS'];
  if (isOnCluster) return 'production';
  return address ? { address } : 'development';
}

function nameOf({ temporal }: BenchOptions): string {
  return typeof temporal === 'string' ? temporal : temporal.address;
}

async function measureInArena(plan: Plan, options: BenchOptions): Promise<Omit<Results, 'clientCpu'>> {
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
    updates: await historyCosts(temporal, workflowIds.updates),
    // It has no run in Temporal.
    dbos: { events: [], bytes: [] },
    floor: await historyCosts(temporal, workflowIds.floor),
  };
}

/** How many lifecycles came to nothing, by contender. */
function failuresOf({ failures }: Figures): object {
  return Object.fromEntries(
    Object.entries(failures).map(([name, perRound]) => [name, perRound.reduce((sum, each) => sum + each, 0)]),
  );
}
