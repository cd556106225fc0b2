import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from '../postgres.js';
import { startStack, type Stack } from '../stack.js';
import { approvedAtOncePayee } from './authorize/plan.js';
import { campaignLifecycles } from './campaign-lifecycles.js';
import type { CampaignReport } from './campaign-report.js';
import { fsyncOf } from './durability.js';
import { countFaults, switchOnFaults } from './fault-mix.js';
import { judgeStories } from './judge-stories.js';
import { Killer } from './killer.js';
import type { Cast } from './lifecycle.js';
import { awaitQuiet } from './money-in-flight.js';
import { OrderService } from './order-service.js';
import { Payer } from './payer.js';
import { Production } from './production.js';
import { Random } from './random.js';
import { SandboxAdmin } from './sandbox-admin.js';
import { drawStrikes } from './strike-plan.js';
import { victimsOf } from './victims.js';

export interface CampaignOptions {
  readonly lifecycles: number;
  /** The same seed draws the same orders, faults and blows. */
  readonly seed: string;
  /** Must be new: books, secrets and logs of this campaign. */
  readonly dataFolder: string;
  /** Lifecycles in play at a time. */
  readonly concurrency: number;
  /** The engine's outcome horizon, in milliseconds: longer than the sandbox executes late here. */
  readonly horizonMs: number;
  /** Processes of each. */
  readonly workers: number;
  readonly apis: number;
  /** `production`: Temporal's server over a PostgreSQL of its own. Default `development`. */
  readonly temporal?: 'development' | 'production';
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** For what is still under way when the last lifecycle has been started: this long the provider goes on failing. */
const encoreMs = 20_000;
/** A lifecycle that has not ended so long after the last fault, and the horizon, is stuck. */
const settledWithinMs = 120_000;
const progressEveryMs = 5_000;

/**
 * Plays lifecycles against the whole system while its processes are killed and its provider fails, then judges by the
 * provider's books alone whether every accepted request has moved its money exactly once.
 *
 * @throws Failure when the system does not start, or a killed process does not come back.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const startedAt = Date.now();
  const accidents: string[] = [];
  const horizon = { OUTCOME_HORIZON_MS: String(options.horizonMs) };
  const stack = await startStack({
    dataFolder: options.dataFolder,
    workers: options.workers,
    apis: options.apis,
    env: { api: horizon, worker: horizon },
    temporal: options.temporal ?? 'development',
    temporalSynchronous: 'full',
    webUi: false,
    report: options.report,
    onUnexpectedEnd: (sentence) => accidents.push(sentence),
    signal: options.signal,
  });
  try {
    const outcome = await performAndJudge(stack, options);
    return { ...outcome, accidents, seconds: Math.round((Date.now() - startedAt) / 1_000) };
  } finally {
    await stack.stop();
  }
}

async function performAndJudge(
  stack: Stack,
  options: CampaignOptions,
): Promise<Omit<CampaignReport, 'accidents' | 'seconds'>> {
  const { lifecycles, seed, report, signal } = options;
  const random = new Random(seed);
  const admin = new SandboxAdmin(stack.addresses.sandbox, signal);
  await admin.putApplication(stack.config.clientId, stack.config.clientSecret, {
    approvalRules: [{ payeeEmail: approvedAtOncePayee, approval: 'immediate' }],
  });
  const cast = { orderService: new OrderService(stack.apiUrls, stack.apiKey), payer: new Payer() };
  const killer = new Killer({
    victims: victimsOf(stack),
    admin,
    random: random.fork('victims'),
    report,
    signal,
  });
  const production = produce(options, random, cast);
  await switchOnFaults(admin, random.fork('faults'), options.horizonMs);
  const faults = await withProgress(() => perform(options, random, { production, killer, admin }), {
    options,
    production,
    killer,
  });
  await production.readFinalStates();
  return {
    lifecycles,
    seed,
    faults,
    count: killer.count,
    ...judgeStories(production.stories, await admin.movements(), await admin.violations()),
    fsync: await fsyncOf(clustersOf(stack)),
  };
}

/** Every cluster of PostgreSQL that the promises rest on. */
function clustersOf({ enginePostgres, sandboxPostgres, temporalPostgres }: Stack): Postgres[] {
  return [enginePostgres, sandboxPostgres, ...(temporalPostgres ? [temporalPostgres] : [])];
}

function produce(
  { lifecycles, concurrency, signal }: CampaignOptions,
  random: Random,
  cast: Cast,
): Production {
  const stories = Array.from({ length: lifecycles }, (_, index) => {
    const chance = random.fork(`lifecycle ${index + 1}`);
    const prefix = `order-${chance.integer(100_000, 999_999)}`;
    return chance.weighted(campaignLifecycles).draw(chance, `${prefix}-${index + 1}`);
  });
  return new Production(stories, cast, concurrency, signal);
}

interface Performance {
  readonly production: Production;
  readonly killer: Killer;
  readonly admin: SandboxAdmin;
}

/** @returns how often each kind of fault has struck. */
async function perform(
  { lifecycles, horizonMs, signal }: CampaignOptions,
  random: Random,
  { production, killer, admin }: Performance,
): Promise<Record<string, number>> {
  const strikes = drawStrikes(random.fork('strikes'), lifecycles);
  await production.startAll(async (started) => {
    for (const strike of strikes.filter(({ afterStarted }) => afterStarted === started)) {
      await killer.begin(strike);
    }
  });
  await killer.untilAlive();
  await production.untilEnded(encoreMs);
  const faults = await countFaults(admin);
  await admin.switchOffFaults();
  await production.untilEnded(horizonMs + settledWithinMs);
  await production.abandonTheRest();
  await killer.untilConfirmed();
  await awaitQuiet(admin, signal);
  return faults;
}

/** A line every few seconds: who watches a campaign of an hour wants to know that it goes on. */
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
