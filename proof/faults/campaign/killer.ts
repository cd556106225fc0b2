import { setTimeout as sleep } from 'node:timers/promises';
import type { Operations } from '../lifecycle.js';
import { findCallInFlightAt, holdMoneyInFlight, type Suspects } from './money-in-flight.js';
import type { Random } from '../random.js';
import type { SandboxControl } from '../sandbox-control.js';
import type { StrikePlan } from './strike-plan.js';
import { processNameOf, victimKinds } from './victim-kinds.js';
import { reviveAll, type Victim, type Victims } from './victims.js';

export interface KillCount {
  /** Processes killed, by kind. */
  readonly kills: Readonly<Record<string, number>>;
  /** Those of them that died while a POST that moves money was in flight; see `findCallInFlightAt`. */
  readonly killsInFlight: number;
  /** Processes paused for longer than anything waits for them, by kind. */
  readonly pauses: Readonly<Record<string, number>>;
}

/** Kills and revives, pauses and resumes, one blow after the other. */
export class Killer {
  readonly #kills: Record<string, number> = {};
  readonly #pauses: Record<string, number> = {};
  #killsInFlight = 0;
  #current: Promise<void> = Promise.resolve();
  readonly #confirming: Promise<void>[] = [];

  constructor(
    private readonly options: {
      readonly victims: Victims;
      readonly admin: SandboxControl;
      readonly operations: Operations;
      readonly random: Random;
      readonly report: (line: string) => void;
      readonly signal: AbortSignal;
    },
  ) {
    for (const kind of victimKinds.toReversed()) this.#kills[processNameOf(kind)] = 0;
  }

  get count(): KillCount {
    return { kills: { ...this.#kills }, killsInFlight: this.#killsInFlight, pauses: { ...this.#pauses } };
  }

  /** Begins a blow when the previous one is over; resolves when it has begun. */
  async begin(strike: StrikePlan): Promise<void> {
    await this.#current;
    this.#current = this.#strike(strike);
    // Its failure is reported by the next kill, or by `untilAlive`.
    this.#current.catch(() => {});
  }

  /** Resolves when every victim is alive again. @throws Failure when one does not come back. */
  async untilAlive(): Promise<void> {
    await this.#current;
  }

  /** Resolves when it is known for every kill whether money was in flight. */
  async untilConfirmed(): Promise<void> {
    await Promise.all(this.#confirming);
  }

  async #strike(strike: StrikePlan): Promise<void> {
    const { admin, operations, signal } = this.options;
    const victims = this.#chooseVictims(strike);
    // The last lines of the sandbox's log are lost with it or its database, so they are read before.
    if (victims.some(({ kind }) => kind.startsWith('sandbox'))) await this.untilConfirmed();
    const { executesHeldAfterMs } = strike;
    const suspects =
      executesHeldAfterMs === undefined
        ? []
        : await holdMoneyInFlight(admin, operations, executesHeldAfterMs, signal);
    if (strike.how === 'pause') await this.#pause(victims, strike);
    else await this.#kill(victims, strike, suspects);
  }

  async #pause(victims: readonly Victim[], { awayForMs }: StrikePlan): Promise<void> {
    const { report, signal } = this.options;
    for (const victim of victims) victim.pause();
    try {
      count(victims, this.#pauses);
      await sleep(awayForMs, undefined, { signal });
    } finally {
      for (const victim of victims) victim.resume();
    }
    report(`${namesOf(victims)}: paused for ${(awayForMs / 1_000).toFixed(1)} s`);
  }

  async #kill(
    victims: readonly Victim[],
    { awayForMs }: StrikePlan,
    suspects: Suspects['calls'],
  ): Promise<void> {
    const { report, signal } = this.options;
    const from = Date.now();
    await Promise.all(victims.map((victim) => victim.kill()));
    const to = Date.now();
    count(victims, this.#kills);
    const isWitnessDead = victims.some(({ kind }) => kind === 'sandbox');
    const confirming = this.#confirm(victims, { calls: suspects, isWitnessDead, killed: { from, to } });
    confirming.catch(() => {});
    this.#confirming.push(confirming);
    await sleep(awayForMs, undefined, { signal });
    await reviveAll(victims);
    const seconds = ((Date.now() - to) / 1_000).toFixed(1);
    report(`${namesOf(victims)}: alive again ${seconds} s after the kill`);
  }

  #chooseVictims({ targets }: StrikePlan): Victim[] {
    const { victims, random } = this.options;
    return targets.flatMap(({ kind, which }) =>
      which === 'all' ? victims[kind] : [random.pick(victims[kind])],
    );
  }

  async #confirm(victims: readonly Victim[], suspects: Suspects): Promise<void> {
    const { admin, report, signal } = this.options;
    const call = await findCallInFlightAt(admin, suspects, signal);
    if (call) this.#killsInFlight += victims.length;
    const when = call ? `while ${call.operation} ${call.id} was in flight` : 'at some moment';
    report(`killed ${namesOf(victims)} ${when}`);
  }
}

function count(victims: readonly Victim[], counts: Record<string, number>): void {
  for (const { kind } of victims) {
    const name = processNameOf(kind);
    counts[name] = (counts[name] ?? 0) + 1;
  }
}

function namesOf(victims: readonly Victim[]): string {
  return victims.map(({ kind }) => kind).join(' + ');
}
