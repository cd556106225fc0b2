import { setTimeout as sleep } from 'node:timers/promises';
import { operationsOf } from '../faults/campaign/campaign-lifecycles.js';
import { switchOnFaults } from '../faults/campaign/fault-mix.js';
import { type Judgement, judgeScenarios } from '../faults/campaign/judge-scenarios.js';
import { Killer } from '../faults/campaign/killer.js';
import { awaitQuiet } from '../faults/campaign/money-in-flight.js';
import { participantsIn } from '../faults/campaign/participants.js';
import { Restarter } from '../faults/campaign/restarter.js';
import {
  startTenantStack,
  type TenantStack,
  type TenantStackOptions,
} from '../faults/campaign/tenant-stack.js';
import { putTenants } from '../faults/campaign/tenants.js';
import { Random } from '../faults/random.js';
import { ReportedEnds } from '../faults/reported-ends.js';
import { SandboxControl } from '../faults/sandbox-control.js';
import { type Change, drawChanges, firstScale, inWords, type PlannedChange } from './changes.js';
import { DelayClock } from './delays.js';
import { Fleet } from './fleet.js';
import { countInLogs, lookAtHistories } from './histories.js';
import { LoadBalancer } from './load-balancer.js';
import { disturbed, faultsOf, measured, undisturbed } from './load.js';
import { LaterMigrations } from './migrations.js';
import { all, productionsIn } from './productions.js';
import { Releases } from './releases.js';
import type { ReleasesReport } from './report.js';

export interface ReleasesOptions extends Pick<
  TenantStackOptions,
  'dataFolder' | 'temporal' | 'report' | 'signal'
> {
  readonly changes: number;
  /** The same seed draws the same changes, patches, migrations, orders, faults and kills. */
  readonly seed: string;
  readonly horizonMs: number;
  /** Releases change workflow code without a patch: the campaign must fail. */
  readonly isUnpatched: boolean;
}

const operations = operationsOf([...disturbed, measured]);
/** Before the first change: shows what is usual, and has opened runs. */
const warmUpMs = 30_000;
const lastWaitMs = 20_000;
const settledWithinMs = 360_000;

/** What releases without patches have blocked has not ended. */
const nothingJudged: Judgement = { discrepancies: [], requests: 0, explanations: [] };

/**
 * Changes the whole system again and again under load: releases with a patch and a migration, back again, more and fewer
 * processes, and processes that are killed in between. Then judges by the provider's books, by the histories of all runs,
 * and by how long accepted calls had to wait.
 */
export async function runReleases(options: ReleasesOptions): Promise<ReleasesReport> {
  const startedAt = Date.now();
  const restarter = new Restarter(options.report);
  const balancer = await LoadBalancer.listen();
  try {
    const mix = [...disturbed, measured];
    const pace = {
      horizonMs: options.horizonMs,
      firstPollMs: 10_000,
      longestPollMs: 60_000,
      reconcileEveryMs: 20_000,
      lostAfterMs: 40_000,
    };
    const scale = { workers: firstScale.workers, apis: firstScale.APIs };
    const system = await startTenantStack(
      { ...options, ...scale, mix, publicUrl: balancer.url },
      pace,
      restarter,
    );
    try {
      const outcome = await performAndJudge({ ...options, ...system, restarter, balancer });
      const { accidents } = restarter;
      return { ...outcome, accidents, seconds: Math.round((Date.now() - startedAt) / 1_000) };
    } finally {
      await system.stack.stop();
    }
  } finally {
    balancer.close();
  }
}

interface Scene extends ReleasesOptions, TenantStack {
  readonly restarter: Restarter;
  readonly balancer: LoadBalancer;
}

async function performAndJudge(scene: Scene): Promise<Omit<ReleasesReport, 'accidents' | 'seconds'>> {
  const { stack, tenants, dataFolder, horizonMs, isUnpatched, seed, signal } = scene;
  const random = new Random(seed);
  const admin = new SandboxControl(stack.addresses.sandbox, signal);
  await putTenants(admin, tenants);
  const clock = new DelayClock();
  const reported = new ReportedEnds();
  const addresses = { apiUrls: [scene.balancer.url], addresses: stack.addresses };
  const participantsOf = participantsIn(addresses, tenants, admin, reported, signal);
  const load = productionsIn({ participantsOf, changes: scene.changes, signal }, { random, clock });
  await switchOnFaults(
    admin,
    random.fork('faults'),
    faultsOf(operations, horizonMs),
    tenants,
    undisturbed.name,
  );

  const { count, changes } = await load.during(() => changeAgainAndAgain(scene, { random, admin, clock }));
  const { productions } = load;
  await all(productions, (production) => production.untilEnded(lastWaitMs));
  await admin.switchOffFaults();
  // Runs that such releases have blocked need not come to their ends.
  if (!isUnpatched)
    await all(productions, (production) => production.untilEnded(horizonMs + settledWithinMs));
  const delays = clock.measure();
  await all(productions, (production) => production.abandonTheRest());
  await awaitQuiet(admin, operations, signal);
  if (!isUnpatched) for (const production of productions) await production.takeStock();
  const played = productions.flatMap((production) => production.played);
  const judgement = isUnpatched
    ? nothingJudged
    : judgeScenarios(played, await admin.movements(), await admin.violations());
  return {
    changes,
    seed,
    lifecycles: played.length,
    count,
    ...judgement,
    discrepancies: [...judgement.discrepancies, ...(isUnpatched ? [] : reported.discrepancies)],
    delays,
    histories: await lookAtHistories(stack.addresses.temporalAddress),
    reported: await countInLogs(dataFolder),
  };
}

interface Tools {
  readonly random: Random;
  readonly admin: SandboxControl;
  readonly clock: DelayClock;
}

async function changeAgainAndAgain(scene: Scene, { random, admin, clock }: Tools) {
  const { stack, balancer, restarter, dataFolder, isUnpatched, report, signal } = scene;
  const { engineDatabase } = stack.addresses;
  const fleet = new Fleet(stack, balancer, restarter);
  const migrations = new LaterMigrations(engineDatabase, random.fork('migrations'));
  const releases = new Releases({
    fleet,
    migrations,
    random: random.fork('patches'),
    dataFolder,
    engineDatabase,
    isUnpatched,
    report,
    signal,
  });
  const killer = new Killer({
    victims: fleet.victims,
    admin,
    operations,
    random: random.fork('victims'),
    report,
    signal,
  });
  await sleep(warmUpMs, undefined, { signal });
  const changes: Change[] = [];
  for (const planned of drawChanges(random.fork('changes'), scene.changes)) {
    await makeOne(planned, { releases, clock, killer, restarter, number: changes.length + 1, scene });
    changes.push(planned.change);
  }
  await killer.untilConfirmed();
  return { count: killer.count, changes };
}

async function makeOne(
  { change, restMs, strike }: PlannedChange,
  {
    releases,
    clock,
    killer,
    restarter,
    number,
    scene: { report, signal },
  }: {
    readonly releases: Releases;
    readonly clock: DelayClock;
    readonly killer: Killer;
    readonly restarter: Restarter;
    readonly number: number;
    readonly scene: Scene;
  },
): Promise<void> {
  const from = Date.now();
  await clock.deployment(`${number}. ${inWords(change)}`, () => releases.make(change));
  report(`${number}. ${inWords(change)}: ${((Date.now() - from) / 1_000).toFixed(1)} s`);
  await sleep(restMs, undefined, { signal });
  if (!strike) return;
  await clock.kill(async () => {
    await killer.begin(strike);
    await killer.untilAlive();
    await restarter.untilSettled();
  });
}
