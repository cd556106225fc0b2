import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Target } from '../service/load.js';
import { type AbuseArena, openAbuseArena } from './abuse-arena.js';

export interface AbusePlan {
  /** Milliseconds of each sort of abuse. */
  readonly forMs: number;
  /** Connections of the abuser by what he does. */
  readonly payouts: number;
  readonly longPolls: number;
}

export const fullAbusePlan: AbusePlan = { forMs: 20_000, payouts: 4, longPolls: 1_000 };
export const quickAbusePlan: AbusePlan = { ...fullAbusePlan, forMs: 6_000 };

/** What other callers notice of one who asks too much. */
export interface AbuseFigures {
  /** p99 of another key's GET of one payment, in milliseconds; without abuse, and while one sort of it goes on. */
  readonly othersP99CalmMs: number;
  readonly othersP99UnderAbuseMs: {
    /** Of 2.8 million items: refused. */
    readonly payouts: number;
    /** Of all that a payout may have: taken. */
    readonly fullPayouts: number;
    readonly longPolls: number;
  };
  /** How often the abuser was answered what. */
  readonly abuserAnswers: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export async function measureAbuse(
  plan: AbusePlan,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<AbuseFigures> {
  report('measuring what others notice of a caller who asks too much …');
  const arena = await openAbuseArena(report);
  const others = new Target(arena.origin, othersConnections);
  try {
    await p99(arena, others, plan.forMs / 4, signal);
    const calm = await p99(arena, others, plan.forMs, signal);
    const payouts = await under('payouts', '/v1/payouts', plan.payouts);
    const fullPayouts = await under('full payouts', '/v1/payouts', plan.payouts);
    const longPolls = await under(
      'long polls',
      `/v1/payments/${arena.abuser.paymentId}?wait=60`,
      plan.longPolls,
    );
    return {
      othersP99CalmMs: calm,
      othersP99UnderAbuseMs: { payouts: payouts.ms, fullPayouts: fullPayouts.ms, longPolls: longPolls.ms },
      abuserAnswers: {
        payouts: payouts.answers,
        fullPayouts: fullPayouts.answers,
        longPolls: longPolls.answers,
      },
    };
  } finally {
    await others.close();
    await arena.close();
  }

  async function under(kind: string, path: string, connections: number) {
    const abuse = await startAbuse(arena, kind, path, connections);
    const ms = await p99(arena, others, plan.forMs, signal);
    const answers = await abuse.end();
    report(`${kind}: p99 of others ${ms} ms, the abuser was answered ${JSON.stringify(answers)}`);
    return { ms, answers };
  }
}

const othersConnections = 4;
/** Between two requests of one connection: others ask, but do not press. */
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
  /** @returns how often the abuser was answered what. */
  end(): Promise<Record<string, number>>;
}

async function startAbuse(
  { origin, abuser }: AbuseArena,
  kind: string,
  path: string,
  connections: number,
): Promise<Abuse> {
  const script = fileURLToPath(new URL('../abuser.js', import.meta.url));
  const child = fork(script, [kind, origin, abuser.apiKey, path, String(connections)]);
  await once(child, 'message');
  return {
    end: async () => {
      const told = once(child, 'message');
      child.send('end');
      const [answers] = (await told) as [Record<string, number>];
      return answers;
    },
  };
}
