import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '#tools/failure.js';
import { chooseLifecycles, operationsOf } from '../faults/campaign/campaign-lifecycles.js';
import { faultShares, switchOnFaults } from '../faults/campaign/fault-mix.js';
import { judgeScenarios } from '../faults/campaign/judge-scenarios.js';
import { awaitQuiet } from '../faults/campaign/money-in-flight.js';
import { participantsIn } from '../faults/campaign/participants.js';
import { Production } from '../faults/campaign/production.js';
import { Restarter } from '../faults/campaign/restarter.js';
import {
  type Pace,
  startTenantStack,
  type TenantStack,
  type TenantStackOptions,
} from '../faults/campaign/tenant-stack.js';
import { putTenants } from '../faults/campaign/tenants.js';
import type { Lifecycle, Scenario } from '../faults/lifecycle.js';
import { Random } from '../faults/random.js';
import { SandboxControl } from '../faults/sandbox-control.js';
import { ReportedEnds } from '../faults/reported-ends.js';
import type { DrillReport } from './drill-report.js';
import { Gate } from './gate.js';
import { countByStatus, countRebuilt, type OpenSubject, openSubjects, withoutRun } from './open-runs.js';
import { type Recovery, runRecovery } from './run-recovery.js';

export interface DrillOptions extends Pick<
  TenantStackOptions,
  'dataFolder' | 'temporal' | 'report' | 'signal'
> {
  /** Open runs when Temporal is lost, at least. */
  readonly runs: number;
  readonly seed: string;
  readonly horizonMs: number;
  /** How long Temporal stays away, in milliseconds. */
  readonly awayMs: number;
}

/** Lifecycles whose scenarios pause half-way, most of them for the whole drill. */
const paused = chooseLifecycles('authorize,partial-capture,pending-capture,sale,refund,partial-refund');
/** Lifecycles of the load, which goes on during the loss and the recovery. */
const busy = [...paused, ...chooseLifecycles('chargeback,subscription,payout')];
const operations = operationsOf(busy);

/** At most so many scenarios are begun for each run that must be open: some end before they pause. */
const scenariosPerOpenRun = 3;
const openingConcurrency = 24;
const busyConcurrency = 8;
/** More runs are opened than must be open, because some end before Temporal is lost. */
const openRunsMargin = 1.1;
/** How long the load runs before the loss, and the provider's faults with it. */
const loadBeforeMs = 15_000;
const lostAfterMs = 20_000;
const endsWithinMs = 360_000;
const endOfEachWithinMs = 700;

/**
 * Opens many runs, deletes Temporal's store under them and under load, starts Temporal empty, has two recoveries run
 * beside each other, lets everything go on to its end, and compares the engine's answers with the provider's books.
 */
export async function runDrill(options: DrillOptions): Promise<DrillReport> {
  const startedAt = Date.now();
  const restarter = new Restarter(options.report);
  const system = await startTenantStack(
    { ...options, mix: busy, workers: 2, apis: 2 },
    paceOf(options),
    restarter,
  );
  try {
    const outcome = await loseAndRecover({ ...options, ...system, restarter });
    const { accidents } = restarter;
    return { ...outcome, accidents, totalSeconds: Math.round((Date.now() - startedAt) / 1_000) };
  } finally {
    await system.stack.stop();
  }
}

function paceOf({ horizonMs }: DrillOptions): Pace {
  return {
    horizonMs,
    // Long polls: runs that wait for their payers are many, and would take all of the machine.
    firstPollMs: 60_000,
    longestPollMs: 300_000,
    // Rare, so that it leaves the runs to the recovery.
    reconcileEveryMs: 120_000,
    lostAfterMs,
  };
}

interface Scene extends DrillOptions, TenantStack {
  readonly restarter: Restarter;
}

async function loseAndRecover(scene: Scene): Promise<Omit<DrillReport, 'accidents' | 'totalSeconds'>> {
  const { stack, tenants, seed, horizonMs, runs, report, signal } = scene;
  const { engineDatabase, sandbox, temporalAddress } = stack.addresses;
  const random = new Random(seed);
  const admin = new SandboxControl(sandbox, signal);
  await putTenants(admin, tenants);
  const reported = new ReportedEnds();
  const participantsOf = participantsIn(stack, tenants, admin, reported, signal);
  const gate = new Gate(random.fork('gate'));

  const opening = new Production(
    draw(random.fork('paused'), paused, runs * scenariosPerOpenRun),
    (scenario) => gate.before(scenario, participantsOf(scenario)),
    openingConcurrency,
    signal,
    (scenario) => gate.untilPaused(scenario),
  );
  await opening.startAll(untilOpen(scene));
  const load = new Production(
    draw(random.fork('busy'), busy, Math.max(40, Math.round(runs / 4))),
    participantsOf,
    busyConcurrency,
    signal,
  );
  const loading = load.startAll(() => Promise.resolve());
  await sleep(loadBeforeMs, undefined, { signal });
  await switchOnFaults(admin, random.fork('faults'), faultShares(operations, horizonMs), tenants);

  const lost = await loseTemporal(scene);
  report(`${lost.open.length} runs were open: ${JSON.stringify(countByStatus(lost.open))}`);
  const recoveries = await recoverTwice(scene);
  const rebuilt = await countRebuilt(engineDatabase, lost.at);
  const forgotten = await withoutRun(await stillOpen(engineDatabase, lost.open), temporalAddress);

  await admin.switchOffFaults();
  await gate.open(signal);
  await loading;
  const withinMs = horizonMs + endsWithinMs + runs * endOfEachWithinMs;
  await Promise.all([opening.untilEnded(withinMs), load.untilEnded(withinMs)]);
  await opening.abandonTheRest();
  await load.abandonTheRest();
  await awaitQuiet(admin, operations, signal);
  await opening.takeStock();
  await load.takeStock();
  const played = [...opening.played, ...load.played];
  const judgement = judgeScenarios(played, await admin.movements(), await admin.violations());
  return {
    lifecycles: played.length,
    seed,
    ...judgement,
    discrepancies: [...judgement.discrepancies, ...reported.discrepancies],
    openRuns: lost.open.length,
    openByStatus: countByStatus(lost.open),
    rebuilt,
    forgotten: forgotten.map(({ id, status }) => `${id} (${status})`),
    recoveries,
  };
}

function draw(random: Random, mix: readonly Lifecycle[], count: number): Scenario[] {
  return Array.from({ length: count }, (_, index) => {
    const chance = random.fork(`lifecycle ${index + 1}`);
    return chance.pick(mix).draw(chance, `order-${chance.integer(100_000, 999_999)}-${index + 1}`);
  });
}

/** Counts the open runs in the rows now and then, because some that were started have ended. */
function untilOpen({ stack, runs, report }: Scene): (started: number) => Promise<void | 'enough'> {
  const lookEvery = Math.max(5, Math.round(runs / 40));
  return async (started) => {
    if (started < runs || started % lookEvery !== 0) return undefined;
    const open = await openSubjects(stack.addresses.engineDatabase);
    report(`${started} orders, ${open.length} open runs`);
    return open.length >= runs * openRunsMargin ? 'enough' : undefined;
  };
}

/** Kills Temporal, deletes its store, and starts it empty after a while. */
async function loseTemporal(scene: Scene): Promise<{ readonly at: Date; readonly open: OpenSubject[] }> {
  const { stack, restarter, awayMs, report, signal } = scene;
  const { temporal, addresses } = stack;
  if (!temporal) throw new Failure('The drill needs a Temporal server of its own.');
  restarter.expectsLossOf('temporal');
  await temporal.process.kill();
  const at = new Date();
  const open = await openSubjects(addresses.engineDatabase);
  await temporal.deleteStore();
  report('Temporal was killed and its store deleted');
  await sleep(awayMs, undefined, { signal });
  await restarter.revive(temporal.process, 'temporal');
  await restarter.untilSettled();
  report('Temporal is back, and empty');
  return { at, open };
}

/** One beside the other, as two operators would: the second finds runs that the first is just starting. */
async function recoverTwice(scene: Scene): Promise<readonly Recovery[]> {
  const { stack, workerVariables, report, signal } = scene;
  const run = (): Promise<Recovery> => runRecovery(stack, workerVariables, signal);
  const both = await Promise.all([run(), run()]);
  for (const { output } of both) report(output.trimEnd());
  return both;
}

/** Of the subjects that were open. */
async function stillOpen(engineDatabase: string, before: readonly OpenSubject[]): Promise<OpenSubject[]> {
  const ids = new Set(before.map(({ id }) => id));
  return (await openSubjects(engineDatabase)).filter(({ id }) => ids.has(id));
}
