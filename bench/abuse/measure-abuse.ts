import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Plans } from '../harness/plan.js';
import { Target } from '../service/load.js';
import { type AbuseArena, openAbuseArena, type Tenant } from './abuse-arena.js';

export interface AbusePlan {
  /** Milliseconds of each kind of abuse. */
  readonly forMs: number;
  /** Connections of the abuser by what he does. */
  readonly payouts: number;
  readonly longPolls: number;
  readonly lists: number;
  readonly strangers: number;
  readonly usual: number;
}

const full: AbusePlan = {
  forMs: 20_000,
  payouts: 4,
  longPolls: 1_000,
  lists: 30,
  strangers: 200,
  usual: 250,
};

export const abusePlans: Plans<AbusePlan> = {
  full,
  quick: { ...full, forMs: 1_500 },
  besideOthers: full,
  brief: { ...full, forMs: 500 },
};

/** What an abusive caller sends: what it is, to which path, over how many connections. */
const floods = {
  /** Of 2.8 million items: refused. */
  payouts: (plan) => ['/v1/payouts', plan.payouts],
  /** Of all that a payout may have: taken. */
  fullPayouts: (plan) => ['/v1/payouts', plan.payouts],
  longPolls: (plan, { paymentId }) => [`/v1/payments/${paymentId}?wait=60`, plan.longPolls],
  /** Of a hundred payments each. */
  lists: (plan) => ['/v1/payments?limit=100', plan.lists],
  /** Orders of 64 KiB without a key. */
  strangers: (plan) => ['/v1/payments', plan.strangers],
  /** Of 256 KiB, to an address that is not ours. */
  strangeDeliveries: (plan) => ['/webhooks/sandbox/abuser/unknown', plan.strangers],
  /** Histories of 256 KiB, with tokens that no session has. */
  decodes: (plan) => ['/codec/decode', plan.strangers],
  /** What any caller sends, as often as one key may. */
  gets: (plan, { paymentId }) => [`/v1/payments/${paymentId}`, plan.usual],
  orders: (plan) => ['/v1/payments', plan.usual],
  /** Captures of a payment that has no authorization yet: 409, which is not slowed down. */
  conflicts: (plan, { paymentId }) => [`/v1/payments/${paymentId}/captures`, plan.usual],
} satisfies Record<string, (plan: AbusePlan, abuser: Tenant) => readonly [path: string, connections: number]>;

/** The effect of one abusive caller on the others. */
export interface AbuseFigures {
  /** p99 of another key's GET of one payment, in milliseconds; without abuse, and while one sort of it goes on. */
  readonly othersP99CalmMs: number;
  readonly othersP99UnderAbuseMs: Readonly<Record<string, number>>;
  /** The abuser's answers by status. */
  readonly abuserAnswers: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export async function measureAbuse(
  plan: AbusePlan,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<AbuseFigures> {
  report('measuring the effect of an abusive caller on the others …');
  const arena = await openAbuseArena(report);
  const others = new Target(arena.origin, othersConnections);
  try {
    await p99(arena, others, plan.forMs / 4, signal);
    const calm = await p99(arena, others, plan.forMs, signal);
    const othersP99UnderAbuseMs: Record<string, number> = {};
    const abuserAnswers: Record<string, Record<string, number>> = {};
    for (const [kind, flood] of Object.entries(floods)) {
      const abuse = await startAbuse(arena, kind, flood(plan, arena.abuser));
      const ms = await p99(arena, others, plan.forMs, signal);
      const answers = await abuse.end();
      report(`${kind}: p99 of others ${ms} ms, the abuser was answered ${JSON.stringify(answers)}`);
      othersP99UnderAbuseMs[kind] = ms;
      abuserAnswers[kind] = answers;
    }
    return { othersP99CalmMs: calm, othersP99UnderAbuseMs, abuserAnswers };
  } finally {
    await others.close();
    await arena.close();
  }
}

const othersConnections = 4;
/** The pause between two requests of one connection of the other callers. */
const pauseMs = 5;

async function p99(
  { other }: AbuseArena,
  target: Target,
  forMs: number,
  signal: AbortSignal,
): Promise<number> {
  const shot = {
    method: 'GET',
    path: `/v1/payments/${other.paymentId}`,
    headers: { authorization: `Bearer ${other.apiKey}` },
  } as const;
  const until = performance.now() + forMs;
  const taken: number[] = [];
  const lanes = Array.from({ length: othersConnections }, async () => {
    while (performance.now() < until) {
      signal.throwIfAborted();
      taken.push(await target.latency(shot));
      await new Promise((resolve) => {
        setTimeout(resolve, pauseMs);
      });
    }
  });
  await Promise.all(lanes);
  const sorted = taken.sort((one, other) => one - other);
  return Number((sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN).toFixed(1));
}

interface Abuse {
  /** @returns the abuser's answers by status. */
  end(): Promise<Record<string, number>>;
}

async function startAbuse(
  { origin, abuser }: AbuseArena,
  kind: string,
  [path, connections]: readonly [path: string, connections: number],
): Promise<Abuse> {
  const script = fileURLToPath(new URL('../abuser.js', import.meta.url));
  const child = fork(script, [kind, origin, path, String(connections)], {
    env: { ...process.env, API_KEY: abuser.apiKey },
  });
  await once(child, 'message');
  return {
    end: async () => {
      const reported = once(child, 'message');
      child.send('end');
      const [answers] = (await reported) as [Record<string, number>];
      return answers;
    },
  };
}
