import type { Plans } from '../harness/plan.js';
import { measured, measuredRatio, rounded, type Measured } from '../harness/statistics.js';
import { createShot, openServiceArena, type Service, type ServiceArena } from './service-arena.js';
import type { Shot, Target } from './load.js';

/** What the payments service is measured for; each with its spread over the rounds. */
export interface ServiceSummary {
  /** Requests a second that need a token and no row, over bare Fastify's with one SELECT. */
  readonly tokenCheckVsBareSelect: Measured;
  /** GET of one payment, over the same. */
  readonly getVsBareSelect: Measured;
  readonly createsPerSecond: Measured;
  /** p95 of a list page with `manyRows` rows over that with `fewRows`, by list. */
  readonly listGrowth: Readonly<Record<string, Measured>>;
}

export interface ServicePlan {
  readonly rounds: number;
  /** Requests per figure and round. */
  readonly requests: number;
  readonly creates: number;
  /** List pages per list, round and side. */
  readonly pages: number;
  readonly fewRows: number;
  readonly manyRows: number;
}

const full: ServicePlan = {
  rounds: 7,
  requests: 6_000,
  creates: 2_000,
  pages: 300,
  fewRows: 1_000,
  manyRows: 1_000_000,
};

const quick: ServicePlan = {
  ...full,
  rounds: 3,
  requests: 2_000,
  creates: 500,
  pages: 100,
  manyRows: 100_000,
};

export const servicePlans: Plans<ServicePlan> = {
  full,
  quick,
  besideOthers: quick,
  brief: { ...quick, rounds: 1, requests: 1_000, creates: 300, pages: 40, manyRows: 20_000 },
};

/** The figures by name, the spreads beside them. */
export function asFields({ listGrowth, ...summary }: ServiceSummary): object {
  const figures = { ...summary, ...listGrowth };
  const lists = Object.entries(listGrowth).map(([name, { value }]) => [name, value]);
  return {
    ...Object.fromEntries(Object.entries(summary).map(([name, { value }]) => [name, value])),
    listP95Growth: Object.fromEntries(lists) as Record<string, number>,
    spread: Object.fromEntries(Object.entries(figures).map(([name, { spread }]) => [name, spread])),
  };
}

interface Round {
  bare: number;
  tokenCheck: number;
  get: number;
  creates: number;
  /** p95 in milliseconds, by list. */
  few: Record<string, number>;
  many: Record<string, number>;
}

const IN_FLIGHT = 32;

/** Measures the service by itself: no engine, no Temporal. */
export async function measureService(
  plan: ServicePlan,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<ServiceSummary> {
  const arena = await openServiceArena({ report, fewRows: plan.fewRows, manyRows: plan.manyRows });
  try {
    await playRound(arena, plan);
    const rounds: Round[] = [];
    for (let round = 0; round < plan.rounds; round += 1) {
      signal.throwIfAborted();
      const figures = await playRound(arena, plan);
      rounds.push(figures);
      report(`round ${round + 1} of ${plan.rounds}: ${describe(figures)}`);
    }
    return summarize(rounds);
  } finally {
    await arena.close();
  }
}

async function playRound({ service, crowded, bare }: ServiceArena, plan: ServicePlan): Promise<Round> {
  const bareShot: Shot = { method: 'GET', path: '/bare/PAY-COPY500' };
  const atFullSpeed = async (shot: Shot) => {
    // Reading the call history has it written first: no figure pays for the calls of the one before.
    await service.target.send({ method: 'GET', path: '/admin/calls?limit=1' });
    return service.target.perSecond(shot, plan.requests, IN_FLIGHT);
  };
  // The bare server is measured before and after, so that a slower machine affects both sides of the ratio.
  const before = await bare.perSecond(bareShot, plan.requests / 2, IN_FLIGHT);
  const tokenCheck = await atFullSpeed(get(service, '/v1/notifications/webhooks-event-types'));
  const one = await atFullSpeed(get(service, '/v1/payments/payment/PAY-COPY500'));
  const after = await bare.perSecond(bareShot, plan.requests / 2, IN_FLIGHT);
  const few: Record<string, number> = {};
  const many: Record<string, number> = {};
  for (const [name, path] of Object.entries(LISTS)) {
    const pages: Duel = [
      { target: service.target, shot: get(service, path(plan.fewRows, service.payeeId)) },
      { target: crowded.target, shot: get(crowded, path(plan.manyRows, crowded.payeeId)) },
    ];
    [few[name], many[name]] = await duel(pages, plan.pages);
  }
  // Into the crowded tables, so that the other service keeps its few rows.
  const creates = await crowded.target.perSecond(createShot(crowded), plan.creates, IN_FLIGHT);
  return { bare: (before + after) / 2, tokenCheck, get: one, creates, few, many };
}

type Duel = [few: { target: Target; shot: Shot }, many: { target: Target; shot: Shot }];

/** Alternates requests between both sides, so that disturbances affect both; returns the p95 of each. */
async function duel(sides: Duel, times: number): Promise<[number, number]> {
  const taken: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time += 1) {
    for (const [side, { target, shot }] of sides.entries()) taken[side]?.push(await target.latency(shot));
  }
  return [p95(taken[0]), p95(taken[1])];
}

/** The first page, one from the middle, and searches; of what an application has most of. */
const LISTS: Readonly<Record<string, (rows: number, payeeId: string) => string>> = {
  payments: () => '/v1/payments/payment?count=20',
  paymentsFromTheMiddle: (rows) => `/v1/payments/payment?count=20&start_id=PAY-COPY${rows / 2}`,
  paymentsOfPayee: (_rows, payeeId) => `/v1/payments/payment?count=20&payee_id=${payeeId}`,
  events: () => '/v1/notifications/webhooks-events?page_size=20',
  eventsFromTheMiddle: (rows) => `/v1/notifications/webhooks-events?page_size=20&start_id=WH-COPY${rows / 2}`,
  eventsOfARareType: () => '/v1/notifications/webhooks-events?page_size=20&event_type=BILLING.PLAN.CREATED',
};

function get({ headers }: Service, path: string): Shot {
  return { method: 'GET', path, headers };
}

function p95(milliseconds: readonly number[]): number {
  const sorted = [...milliseconds].sort((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}

function summarize(rounds: readonly Round[]): ServiceSummary {
  const bare = rounds.map((round) => round.bare);
  const growth = (name: string) =>
    rounded(
      measuredRatio(
        rounds.map(({ many }) => many[name] ?? 0),
        rounds.map(({ few }) => few[name] ?? 0),
      ),
    );
  return {
    tokenCheckVsBareSelect: rounded(
      measuredRatio(
        rounds.map(({ tokenCheck }) => tokenCheck),
        bare,
      ),
    ),
    getVsBareSelect: rounded(
      measuredRatio(
        rounds.map((round) => round.get),
        bare,
      ),
    ),
    createsPerSecond: rounded(measured(rounds.map(({ creates }) => creates)), 0),
    listGrowth: Object.fromEntries(Object.keys(LISTS).map((name) => [name, growth(name)])),
  };
}

function describe({ bare, tokenCheck, get: one, creates, few, many }: Round): string {
  const lists = Object.keys(few).map(
    (name) => `${name} ${few[name]?.toFixed(1)}/${many[name]?.toFixed(1)} ms`,
  );
  const perSecond = `bare ${bare.toFixed(0)}/s, token check ${tokenCheck.toFixed(0)}/s, GET ${one.toFixed(0)}/s`;
  return `${perSecond}, creates ${creates.toFixed(0)}/s, p95 ${lists.join(', ')}`;
}
