import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '#tools/stack.js';
import { participantsIn } from './participants.js';
import { operationsOf } from './campaign-lifecycles.js';
import type { CampaignReport } from './campaign-report.js';
import { fsyncOf } from './durability.js';
import { countFailedTasks } from './failed-tasks.js';
import { countFaults, faultShares, switchOnFaults } from './fault-mix.js';
import { judgeScenarios } from './judge-scenarios.js';
import { Restarter } from './restarter.js';
import { Killer } from './killer.js';
import type { Participants, Operations, Scenario } from '../lifecycle.js';
import { awaitQuiet } from './money-in-flight.js';
import { Production } from './production.js';
import { Random } from '../random.js';
import { NotifiedShops } from '../notifications/notified-shops.js';
import { SandboxControl } from '../sandbox-control.js';
import { drawStrikes, type StrikePlan } from './strike-plan.js';
import { clustersOf, startTenantStack, type TenantStackOptions } from './tenant-stack.js';
import { putTenants, type Tenant } from './tenants.js';
import { ReportedEnds } from '../reported-ends.js';
import { kindsOf, victimsOf } from './victims.js';

export interface CampaignOptions extends TenantStackOptions {
  readonly lifecycles: number;
  /** The same seed draws the same orders, faults and blows. */
  readonly seed: string;
  /** Lifecycles in play at a time. */
  readonly concurrency: number;
  /** The engine's outcome horizon, in milliseconds: longer than the sandbox executes late here. */
  readonly horizonMs: number;
}

/** How long the faults continue after the last lifecycle was started. */
const lastWaitMs = 20_000;
/** A lifecycle that has not ended this long after the last fault and the horizon is stuck. */
const settledWithinMs = 360_000;
const progressEveryMs = 5_000;
/** Of the engine, where no webhook comes: the defaults are made for payers who take an hour. */
const firstPollMs = 10_000;
const longestPollMs = 60_000;
/** Longer than a call to the provider may take, which leaves its payment at rest. */
const lostAfterMs = 40_000;
const reconcileEveryMs = 20_000;

/**
 * Plays lifecycles against the whole system while its processes are killed and its provider fails, then judges by the
 * provider's books alone whether every accepted request has moved its money exactly once.
 *
 * @throws Failure when the system does not start, or a killed process does not come back.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const startedAt = Date.now();
  const restarter = new Restarter(options.report);
  const pace = { horizonMs: options.horizonMs, firstPollMs, longestPollMs, reconcileEveryMs, lostAfterMs };
  const { stack, tenants } = await startTenantStack(options, pace, restarter);
  let shops: NotifiedShops | undefined;
  try {
    const random = new Random(options.seed);
    const reported = new ReportedEnds();
    shops = await NotifiedShops.open({
      apiUrls: stack.apiUrls,
      apiKeys: tenants.map(({ apiKey }) => apiKey),
      reported,
      random: random.fork('receivers'),
      signal: options.signal,
    });
    const outcome = await performAndJudge({ stack, tenants, restarter, random, reported, shops }, options);
    const { accidents, restarts } = restarter;
    return { ...outcome, accidents, restarts, seconds: Math.round((Date.now() - startedAt) / 1_000) };
  } finally {
    await shops?.close();
    await stack.stop();
  }
}

interface Stage {
  readonly stack: Stack;
  readonly tenants: readonly Tenant[];
  readonly restarter: Restarter;
  readonly random: Random;
  readonly reported: ReportedEnds;
  readonly shops: NotifiedShops;
}

async function performAndJudge(
  { stack, tenants, restarter, random, reported, shops }: Stage,
  options: CampaignOptions,
): Promise<Omit<CampaignReport, 'accidents' | 'restarts' | 'seconds'>> {
  const { lifecycles, seed, horizonMs, report, signal } = options;
  const admin = new SandboxControl(stack.addresses.sandbox, signal);
  await putTenants(admin, tenants);
  const operations = operationsOf(options.mix);
  const victims = victimsOf(stack, restarter);
  const killer = new Killer({ victims, admin, operations, random: random.fork('victims'), report, signal });
  const { production, mix } = produce(
    options,
    random,
    participantsIn(stack, tenants, admin, reported, signal),
  );
  const ofLifecycles = options.mix.flatMap(({ outcomes = [], faults: aimed = [] }) => [
    ...outcomes,
    ...aimed,
  ]);
  const faultsToBe = [...faultShares(operations, horizonMs), ...ofLifecycles];
  await switchOnFaults(admin, random.fork('faults'), faultsToBe, tenants);
  const strikes = drawStrikes(random.fork('strikes'), lifecycles, kindsOf(victims));
  const performance = { production, killer, restarter, admin, shops, operations };
  const faults = await withProgress(() => perform(options, strikes, performance), {
    options,
    production,
    killer,
  });
  await production.takeStock();
  const judgement = judgeScenarios(production.scenarios, await admin.movements(), await admin.violations());
  const notifications = await shops.judge(() => admin.movements());
  return {
    lifecycles,
    mix,
    seed,
    faults,
    count: killer.count,
    ...judgement,
    notifications,
    discrepancies: [...judgement.discrepancies, ...notifications.discrepancies, ...reported.discrepancies],
    endsReported: reported.count,
    failedTasks: await countFailedTasks(stack.addresses.temporalAddress),
    fsync: await fsyncOf(clustersOf(stack)),
  };
}

/** Every cluster of PostgreSQL that the promises rest on. */
/** @returns also how many scenarios of each lifecycle there are. */
function produce(
  { lifecycles, mix, concurrency, signal }: CampaignOptions,
  random: Random,
  participantsOf: (scenario: Scenario) => Participants,
): { production: Production; mix: Record<string, number> } {
  const drawn = Array.from({ length: lifecycles }, (_, index) => {
    const chance = random.fork(`lifecycle ${index + 1}`);
    const orderId = `order-${chance.integer(100_000, 999_999)}-${index + 1}`;
    const lifecycle = chance.pick(mix);
    return { name: lifecycle.name, scenario: lifecycle.draw(chance, orderId) };
  });
  const counts: Record<string, number> = {};
  for (const { name } of drawn) counts[name] = (counts[name] ?? 0) + 1;
  const scenarios = drawn.map(({ scenario }) => scenario);
  return { production: new Production(scenarios, participantsOf, concurrency, signal), mix: counts };
}

interface Performance {
  readonly production: Production;
  readonly killer: Killer;
  readonly restarter: Restarter;
  readonly admin: SandboxControl;
  readonly shops: NotifiedShops;
  readonly operations: Operations;
}

/** @returns how often each kind of fault has struck. */
async function perform(
  { horizonMs, signal }: CampaignOptions,
  strikes: readonly StrikePlan[],
  { production, killer, restarter, admin, shops, operations }: Performance,
): Promise<Record<string, number>> {
  await production.startAll(async (started) => {
    for (const strike of strikes.filter(({ afterStarted }) => afterStarted === started)) {
      await killer.begin(strike);
    }
  });
  await killer.untilAlive();
  await restarter.untilSettled();
  await production.untilEnded(lastWaitMs);
  const faults = await countFaults(admin);
  await Promise.all([admin.switchOffFaults(), shops.recover()]);
  await production.untilEnded(horizonMs + settledWithinMs);
  await production.abandonTheRest();
  await killer.untilConfirmed();
  await awaitQuiet(admin, operations, signal);
  return faults;
}

/** Prints a progress line every few seconds. */
async function withProgress<T>(
  work: () => Promise<T>,
  { options, production, killer }: { options: CampaignOptions; production: Production; killer: Killer },
): Promise<T> {
  const stop = new AbortController();
  const startedAt = Date.now();
  const watch = async (): Promise<void> => {
    for (;;) {
      await sleep(progressEveryMs, undefined, { signal: stop.signal });
      const { kills, killsInFlight } = killer.count;
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      options.report(
        `${seconds} s: ${production.progress}, kills ${JSON.stringify(kills)}, ${killsInFlight} in flight`,
      );
    }
  };
  const watching = watch().catch(() => {});
  try {
    return await work();
  } finally {
    stop.abort();
    await watching;
  }
}
