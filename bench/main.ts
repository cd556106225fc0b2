import { runCommand } from '#tools/command.js';
import { Failure } from '#tools/failure.js';
import { abusePlans, measureAbuse } from './abuse/measure-abuse.js';
import { measureContest } from './contest/measure-contest.js';
import { fieldsOf } from './harness/fields.js';
import type { BenchOptions } from './harness/fresh-stack.js';
import { contestPlans, type Plans } from './harness/plan.js';
import { surroundingsNow } from './harness/surroundings.js';
import { summarizeLifecycles, lifecycleLines } from './lifecycles/lifecycle-summary.js';
import { measureLifecycles } from './lifecycles/measure-lifecycles.js';
import { lifecyclePlans, type LifecyclePlan } from './lifecycles/plan.js';
import { measureWebhooks } from './webhooks/measure-webhooks.js';
import { webhookPlans } from './webhooks/plan.js';
import { measureNotifications } from './notifications/measure-notifications.js';
import { notificationPlans } from './notifications/plan.js';
import { listenerPlans, measureListeners } from './listeners/measure-listeners.js';
import { measureScale } from './scale/measure-scale.js';
import { type ScalePlan, scalePlans } from './scale/plan.js';
import { scaleLines, summarizeScale } from './scale/scale-summary.js';
import { asFields, measureService, servicePlans } from './service/measure-service.js';
import {
  measureVolume,
  summarizeVolume,
  volumeLines,
  type VolumePlan,
  volumePlans,
} from './volume/measure-volume.js';
import { print } from '#tools/print.js';

/** In the order in which a run of everything measures them. */
const parts = [
  'sandbox',
  'lifecycles',
  'contest',
  'webhooks',
  'notifications',
  'abuse',
  'listeners',
  'volume',
  'scale',
] as const;

const USAGE = `The bench takes --quick, --cluster, and --${parts.join(', --')} for one part alone`;

// npm run bench [-- --quick] [--cluster] [--<part>]: the last line of stdout is one JSON object. Nothing is asserted: what
// comes out is told.
await runCommand(async (signal) => {
  const { isQuick, only, isOnCluster } = readArguments(process.argv.slice(2));
  const options = { report: print, signal, temporal: temporalServer(isOnCluster) };
  const startedAt = Date.now();
  const before = surroundingsNow();
  if (before.warning) print(before.warning);
  const planOf = <P>({ full, quick, besideOthers, brief }: Plans<P>): P => {
    if (only === undefined) return isQuick ? brief : besideOthers;
    return isQuick ? quick : full;
  };
  const measure = measuresOf(planOf, options);
  const figures = only === undefined ? await measureAll(measure) : await measure[only]();
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  print(JSON.stringify({ ...figures, temporal: nameOf(options), seconds, ...before }));
});

type Part = (typeof parts)[number];
/** Each resolves with fields of the last line's JSON. */
type Measures = Readonly<Record<Part, () => Promise<object>>>;

function measuresOf(planOf: <P>(plans: Plans<P>) => P, options: BenchOptions): Measures {
  const { report, signal } = options;
  return {
    lifecycles: () => countLifecycles(planOf(lifecyclePlans), options),
    contest: () => measureContest(planOf(contestPlans), options),
    sandbox: async () => {
      const service = await measureService(planOf(servicePlans), report, signal);
      return { sandboxGetVsBare: service.getVsBareSelect.value, sandbox: asFields(service) };
    },
    webhooks: async () => fieldsOf(await measureWebhooks(planOf(webhookPlans), options)),
    notifications: async () => fieldsOf(await measureNotifications(planOf(notificationPlans), options)),
    abuse: () => measureAbuse(planOf(abusePlans), report, signal),
    volume: () => compareVolumes(planOf(volumePlans), options),
    listeners: () => measureListeners(planOf(listenerPlans), options),
    scale: () => compareSizes(planOf(scalePlans), options),
  };
}

/** All but the one that is measured alone: scale takes a quarter of an hour. */
async function measureAll(measure: Measures): Promise<object> {
  const spread: object[] = [];
  const figures: object[] = [];
  for (const part of parts.filter((each) => each !== 'scale')) {
    const { spread: ofPart = {}, ...others } = (await measure[part]()) as { readonly spread?: object };
    spread.push(ofPart);
    figures.push(others);
  }
  return Object.assign({}, ...figures, { spread: Object.assign({}, ...spread) as object }) as object;
}

interface Arguments {
  readonly isQuick: boolean;
  /** The one part that is measured; all of them when absent. */
  readonly only: Part | undefined;
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

async function countLifecycles(plan: LifecyclePlan, options: BenchOptions): Promise<object> {
  const costs = await measureLifecycles(plan, options);
  for (const line of ['', ...lifecycleLines(costs), '']) print(line);
  return fieldsOf(summarizeLifecycles(costs));
}

async function compareVolumes(plan: VolumePlan, options: BenchOptions): Promise<object> {
  const figures = await measureVolume(plan, options);
  for (const line of ['', ...volumeLines(figures), '']) print(line);
  return summarizeVolume(figures);
}

async function compareSizes(plan: ScalePlan, options: BenchOptions): Promise<object> {
  const figures = await measureScale(plan, options);
  for (const line of ['', ...scaleLines(figures), '']) print(line);
  return summarizeScale(figures);
}

function temporalServer(isOnCluster: boolean): BenchOptions['temporal'] {
  const address = process.env['TEMPORAL_ADDRESS'];
  if (isOnCluster) return 'production';
  return address ? { address } : 'development';
}

function nameOf({ temporal }: BenchOptions): string {
  return typeof temporal === 'string' ? temporal : temporal.address;
}
